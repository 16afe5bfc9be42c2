"""The campaign book's winners, progress and records."""

import re
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from msgspec.structs import replace

from battles.models import Battle
from campaigns.models import Campaign
from documents.content.campaign_history import verdict
from documents.content.campaigns import campaign_content
from documents.content.documents import (
    CampaignSummary,
    CourseOfPlay,
    CourseRow,
    Fallen,
    HeadToHeadCell,
)
from documents.content.print_jobs import plans
from documents.content.structs import Person
from documents.printing import markup
from documents.prose import english
from documents.templatetags.charts import _carried_on as carried_on
from documents.templatetags.charts import by_letter, slayings
from leagues.selectors.verdict import Verdict
from tests.battles import field
from tests.battles.table import Table
from tests.documents import samples
from warbands.models import Warband

pytestmark = pytest.mark.one_database

THREE = Verdict(("Reds",), ("Blues",), points=6, ahead=3, over=True)
COURSE = CourseOfPlay(
    days=("2026-01-03", "2026-01-10"),
    rows=(
        CourseRow("Reds <b>", "#7a2e2e", (1, 1), (3, 6), (100, None)),
        CourseRow("Blues", "", (2, 2), (0, 0), (None, 90)),
    ),
    met=(HeadToHeadCell(0, 1, 2, 0, 0), HeadToHeadCell(1, 0, 0, 0, 2)),
)


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (Verdict(), ""),
        (THREE, "Reds won the campaign with six points, three points ahead of Blues."),
        (
            Verdict(("Reds",), ("Blues",), 1, 1),
            "Reds lead the table with one point, one point ahead of Blues.",
        ),
        (
            Verdict(("Reds",), ("Blues",), 6, 0, "battles won", over=True),
            "Reds won the campaign with six points, level with Blues; battles won decided.",
        ),
        (
            Verdict(("Reds",), ("Blues", "Greens"), 6, 0, "battles won", over=True),
            "Reds won the campaign with six points, level with Blues and Greens; battles won "
            "decided.",
        ),
        (
            Verdict(("Reds",), ("Blues", "Greens", "Greys"), 6, 3, over=True),
            "Reds won the campaign with six points, three points ahead of Blues, Greens and Greys.",
        ),
        (
            Verdict(("Reds", "Blues", "Greens"), (), 13),
            "Reds, Blues and Greens are level at the top with 13 points each; no tie-breaker parts "
            "them.",
        ),
        (
            Verdict(("Reds", "Blues"), ("Greens",), 0, over=True),
            "Reds and Blues share the first place with no points each; no tie-breaker parts them.",
        ),
        (Verdict(("Reds",), (), 3, over=True), "Reds won the campaign with three points."),
    ],
)
def test_verdict_follows_standings(result, sentence):
    assert english.verdict(result) == sentence


def content_of(campaign: Campaign) -> CampaignSummary:
    return campaign_content(Campaign.objects.select_related("club").get(pk=campaign.pk))


def test_the_tie_breaker_that_decided_is_named(db, toy):
    club = Table("ABC", tie_breakers=["head-to-head", "won"])
    club.fight(1, 0, 1, 0)
    club.fight(0, 2, 9, 0)
    result = verdict(club.read(), over=False)
    assert (result.best, result.runners_up, result.ahead) == (("B",), ("A",), 0)
    assert result.parted_by == "points from the battles between those who are equal"


def test_points_that_decide_need_no_tie_breaker(db, toy):
    club = Table("AB")
    club.fight(0, 1, 5, 2)
    assert verdict(club.read(), over=True) == Verdict(("A",), ("B",), points=3, ahead=3, over=True)


def test_all_who_are_level_with_the_first_are_named_though_tie_breakers_part_them_too(db, toy):
    club = Table("ABCD", tie_breakers=["difference"])
    for winner, by in enumerate((9, 6, 3)):
        club.fight(winner, 3, by, 0)
    result = verdict(club.read(), over=True)
    assert (result.best, result.runners_up, result.ahead, result.next_ones) == (
        ("A",),
        ("B", "C"),
        0,
        "B and C",
    )


def test_the_book_is_dated_by_the_days_of_play(
    campaign: Campaign, battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    later = field.confirmed(alice, campaign, reds, blues)
    for fought, day in ((battle, date(2029, 3, 1)), (later, date(2029, 5, 9))):
        Battle.objects.filter(pk=fought.pk).update(fought_on=day)
    assert (content_of(campaign).began, content_of(campaign).ended) == ("2029-03-01", "")
    Campaign.objects.filter(pk=campaign.pk).update(state="finished", finished_at=timezone.now())
    assert content_of(campaign).ended == "2029-05-09"


def test_honours_go_to_highest_totals(campaign: Campaign, battle: Any, reds: Warband) -> None:
    by_label = {honour.label: honour for honour in content_of(campaign).honours}
    captain = field.fighters(reds)[0].name
    assert by_label
    assert all(
        honour.holders[0].name == captain and honour.holders[0].note == "Reds"
        for honour in by_label.values()
    )


def test_course_has_chart_numbers_and_text():
    html = markup(plans(samples.campaign_with(course=COURSE, verdict=THREE))[0])
    assert "Reds won the campaign with six points" in html
    assert html.count('class="drawing"') >= 3
    assert "Reds &lt;b&gt; against Blues 2 won, 0 drawn, 0 lost" in html
    assert "<b>" not in html.split("</h2>")[1].split("</section>")[0].replace("&lt;b&gt;", "")


def test_course_needs_two_days_for_chart():
    one_day = CourseOfPlay(
        ("2026-01-03",),
        tuple(CourseRow(row.warband, "", (1,), (3,), (9,)) for row in COURSE.rows),
        COURSE.met,
    )
    html = markup(plans(samples.campaign_with(course=one_day))[0])
    assert "Head-to-head" in html
    assert "day by day" not in html
    assert "Strength of the line-ups" not in html


def test_before_the_first_battle_there_is_no_course():
    html = markup(plans(samples.campaign_with(course=CourseOfPlay()))[0])
    assert "Campaign progress" not in html


def test_strength_line_ends_with_last_battle():
    assert carried_on((None, 5, None, 7, None)) == (None, 5, 5, 7, None)


def test_memorial_draws_killers_if_several_known():
    killer = Person("Hans & Co")
    two = tuple(Fallen(name, name, warband="Reds", killer=killer) for name in ("Jan", "Piet"))
    assert "Hans &amp; Co killed Jan and Piet." in markup(
        plans(samples.campaign_with(memorial=two))[0]
    )
    assert "Hans &amp; Co killed" not in markup(plans(samples.campaign_with(memorial=two[:1]))[0])


def test_charts_of_killings_show_every_death():
    killers = [Person(f"Killer {number}") for number in range(30)]
    doers = [*killers, *killers[:10], *[killers[29]] * 10]
    memorial = tuple(
        Fallen(f"Dead {place}", f"at-{place}", killer=killer, by=(killer,))
        for place, killer in enumerate(doers)
    )
    charts = slayings(samples.campaign_with(memorial=memorial))
    shown = [name for chart in charts for name in re.findall(r">(Dead \d+)</text>", chart)]
    assert shown[:11] == ["Dead 29", *(f"Dead {place}" for place in range(40, 50))], (
        "the busiest comes first"
    )
    assert sorted(shown) == sorted(fallen.name for fallen in memorial), "nobody is cut for room"
    assert len(charts) == 2
    assert len(slayings(samples.campaign_with(memorial=memorial[:36]))) == 1


def test_two_who_met_only_in_battles_that_others_won_have_no_score_but_a_dash():
    met = (HeadToHeadCell(0, 1, 0, 0, 0), HeadToHeadCell(1, 0, 0, 0, 0))
    html = markup(plans(samples.campaign_with(course=replace(COURSE, met=met)))[0])
    assert "0–0" not in html
    assert "A dash means that they met only in battles that others won." in " ".join(html.split())
    html = markup(plans(samples.campaign_with(course=COURSE))[0])
    assert ">2–0</text>" in html
    assert "A dash" not in html


def test_the_points_of_the_table_are_drawn_day_by_day():
    html = markup(plans(samples.campaign_with(course=COURSE))[0])
    assert (
        "The points of the table after each of two days of play. They end so: Reds &lt;b&gt; 6; "
        "Blues 0." in html
    )


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Reds", "Reds"),
        ("Łukasz Żółkiewski", "Łukasz Żółkiewski"),
        ("שמעון", "ןועמש"),
        ("محمد 2", "2 \ufeaa\ufee4\ufea4\ufee3"),
    ],
)
def test_right_to_left_names_keep_visual_order(name, letters):
    assert by_letter(name) == letters


@pytest.mark.parametrize(("first", "last"), [("שמעון", "יוחאי"), ("عبد", "قرطبة")])
def test_a_long_name_that_is_read_from_the_right_keeps_its_beginning_where_it_is_shortened(
    first, last
):
    name = " ".join((first, *["בר"] * 40, last))
    memorial = tuple(
        Fallen(name, killer, warband="Reds", killer=Person(killer)) for killer in ("Jan", "Piet")
    )
    (chart,) = slayings(samples.campaign_with(memorial=memorial))
    shown = [words for words in re.findall(r">([^<]+)</text>", chart) if words.startswith("…")]
    assert len(shown) == 2
    assert all(words.endswith(by_letter(first)) for words in shown)
    assert f"<title>Jan killed {name}" in chart
