"""The chapters of a campaign's book on people: epitaphs, histories, champion, index, meetings."""

import re
from collections import ChainMap, Counter
from collections.abc import Collection
from datetime import date
from itertools import chain
from typing import Any

import pytest
from django.utils.translation import override
from msgspec.structs import replace

from battles.selectors.battle_moments import moments_of_battles
from campaigns.models import Campaign
from campaigns.selectors.log import log_entries
from documents.content import battles
from documents.content.battles import story_of
from documents.content.campaigns import campaign_content
from documents.content.documents import (
    CampaignSummary,
    CourseOfPlay,
    CourseRow,
    IndexEntry,
    MemorialEntry,
)
from documents.content.persons import sort_key
from documents.content.print_jobs import Plan, ShownPictures, plans
from documents.content.structs import Person, SideNarrative
from documents.printing import markup
from documents.prose import english, german
from documents.prose.book import book_prose, epitaphs
from documents.prose.lives import Decision, Life, Remains, Vengeance
from documents.templatetags.people import battle_runs, career_strip, index_pages
from documents.templatetags.printed import points_limits, ranges
from rulebook.chronicle.facts import Fought
from scripts.prints.hard_cases import CASES
from tests.documents.played import Played, Shelf
from tests.documents.samples import battle

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
EVERY = ["four-sides", "nobody-left", "all-tied", "long-names-en-garde", "long-names-argad"]
every_case = pytest.mark.parametrize("case", EVERY)
BARE = Life(name="Otto", warband="The Crew", turn=3, killers=("Ana",), weapon="pike", battles=4)


@pytest.fixture
def played(shelf: Shelf, case: str) -> Played:
    return shelf.case(case)


@pytest.fixture
def book(played: Played) -> CampaignSummary:
    content = played.contents["campaign"]
    assert isinstance(content, CampaignSummary)
    return content


@pytest.mark.parametrize("count", range(1, 400, 7))
def test_pages_of_an_index_are_about_as_full(count: int) -> None:
    persons = [IndexEntry(f"{chr(65 + n % 26)} {n:03}", note="The Crew") for n in range(count)]
    persons.sort(key=lambda each: each.name)
    pages = index_pages(persons)
    assert [line.person for page in pages for column in page for line in column] == persons
    sizes = [sum(map(len, page)) for page in pages]
    assert max(sizes) <= min(sizes) * 1.3 + 3
    assert {len(page) for page in pages} <= ({3, 4} if len(pages) == 1 else {3})


def test_positions_that_never_change_have_no_chart() -> None:
    def course(*positions: int | None) -> CourseOfPlay:
        return CourseOfPlay(rows=(CourseRow("Reds", "", positions, (), ()),))

    assert not course(1, 1, 1).changes
    assert not course(None, 2, 2).changes
    assert course(1, 2).changes


@pytest.mark.parametrize("case", [case for case in EVERY if case != "all-tied"])
def test_legend_of_the_memorial_is_above_the_fallen(book):
    html = markup(Plan(book, ShownPictures(apart=True)))
    _, _, memorial = html.partition('id="memorial"')
    assert 0 < memorial.index('class="legend"') < memorial.index('class="evening')


@every_case
def test_epitaphs_of_veterans_differ(book):
    texts = Counter(fallen.epitaph for fallen in book.memorial if fallen.battles > 1)
    assert all(texts)
    assert not [text for text, times in texts.items() if times > 1]


def test_epitaphs_of_equal_lives_differ():
    lives = [BARE] * 40
    for language in ("en", "de"):
        with override(language):
            texts = epitaphs(lives)
        assert len(set(texts[:10])) > 3
        assert texts[0] != texts[1]


def test_epitaph_names_turn_weapon_killer_deeds_and_avenger():
    life = Life(
        name="Otto",
        warband="The Crew",
        turn=3,
        killers=("Ana",),
        weapon="pike",
        battles=4,
        joined="Old Debts",
        killed=("Hans", "Karl"),
        wounded=2,
        rises=1,
        hurt=1,
        captured=1,
        vengeance=Vengeance(killer="Ana", by="Jean", where="The Road", ours=True),
    )
    words = ("3", "Ana", "pike", "Old Debts", "Hans", "Karl", "Jean", "The Road")
    for language, more in (("en", ("four", "two more", "once")), ("de", ("vier", "zwei weitere"))):
        with override(language):
            (text,) = epitaphs([life])
        assert all(word in text for word in (*words, *more)), text


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_wording_is_a_sentence(language):
    lives = [
        BARE,
        Life(name="A", warband="B", fell=False, end="Fever", battles=0),
        Life(name="A", warband="B", battles=1, killers=("X", "Y")),
        Life(name="A", warband="B", battles=2, mortal=False, killed=("X", "Y", "Z", "W")),
        Life(name="A", warband="B", battles=1, turn=1, killers=("X",), comrade=True, wounded=1),
        Life(name="A", warband="B", battles=3, turn=9, joined="J", took_along="X", killed=("X",)),
    ]
    with override(language):
        prose = book_prose()
        for life in lives:
            for wording in (*prose.DEATHS, *prose.LIVES):
                assert re.fullmatch(r"[A-ZÄÖÜ“„].*[.]", wording(life)), wording(life)
                assert ".." not in wording(life)


@every_case
def test_every_death_with_a_killer_is_drawn(book):
    drawn = sum(fallen.killer is not None for fallen in book.memorial)
    html = markup(plans(book)[0])
    for fallen in book.memorial:
        if fallen.killer and drawn > 1:
            assert html.count(fallen.at) >= 1
    assert "of the " not in "".join(re.findall(r"top killers[^<]*", html))


@pytest.mark.parametrize("case", ["long-names-en-garde", "nobody-left"])
def test_every_entry_of_the_campaign_is_in_a_history(case):
    campaign: Campaign = CASES[case]()
    book = campaign_content(Campaign.objects.select_related("club").get(pk=campaign.pk))
    printed = {
        (warband.name, number)
        for warband in book.warbands
        for step in warband.steps
        for number in (*step.entries, *(each for line in step.lines for each in line.entries))
    }
    recorded = {(entry.warband.name, entry.sequence) for entry in log_entries(campaign)}
    assert recorded
    assert recorded <= printed


@pytest.mark.parametrize("case", ["four-sides"])
def test_battles_near_by_share_no_wording(case, monkeypatch):
    """Those on the same page and on the facing one."""
    wordings_of: list[Collection[str]] = []
    avoided: list[Collection[str]] = []

    def spied(of: Any, moments: Any, used: Collection[str] = ()) -> Any:
        story, wordings = story_of(of, moments, used)
        avoided.append(used)
        wordings_of.append(wordings)
        return story, wordings

    monkeypatch.setattr(battles, "story_of", spied)
    campaign: Campaign = CASES[case]()
    campaign_content(Campaign.objects.select_related("club").get(pk=campaign.pk))
    assert len(wordings_of) == 4
    assert any(wordings_of)
    for place, wordings in enumerate(wordings_of):
        near_by = set(chain(*wordings_of[max(0, place - 3) : place]))
        assert near_by <= set(avoided[place])
        assert not near_by & set(wordings)


@pytest.mark.parametrize("case", ["four-sides"])
def test_battles_read_together_have_the_same_moments_as_alone(case):
    campaign: Campaign = CASES[case]()
    fought = list(campaign.battles.order_by("pk"))
    for day, each in enumerate(fought, start=1):
        # So the newest first, the order of the model, is not that of the keys.
        each.fought_on = date(2026, 10, day)
        each.save()
    alone = [moments_of_battles([each]) for each in fought]
    assert any(moments.moments for each in alone for moments in each.values())
    assert moments_of_battles(fought) == dict(ChainMap(*map(dict, alone)))


@every_case
def test_history_has_every_battle_and_rank_up(played, book):
    for warband in book.warbands:
        chronicle = played.chronicles[warband.name]
        battles = [fact.title for fact in chronicle if isinstance(fact, Fought)]
        assert [step.title for step in warband.steps if step.at] == battles
        lines = [line for step in warband.steps for line in step.lines]
        items = [item for line in lines if line.kind == "rank-ups" for item in line.items]
        assert len(items) == sum(len(fact.promoted) for fact in chronicle)
    risen = [person for person in (*book.veterans, *book.memorial) if person.risen]
    assert all(0 <= place <= len(each.strip) for each in risen for place in each.risen)


def test_strips_show_rank_ups():
    person = MemorialEntry("Otto", strip=("well", "hurt", "well"), risen=(1, 3))
    strip = career_strip(person)
    assert "2 rank-ups." in strip
    assert strip != career_strip(MemorialEntry("Otto", strip=person.strip))


@pytest.mark.parametrize("case", ["nobody-left"])
def test_destroyed_warbands_have_a_closing_page(book):
    assert all(warband.destroyed for warband in book.warbands)
    assert all("nobody is left" in " ".join(warband.remains) for warband in book.warbands)
    html = markup(plans(book)[0])
    assert html.count("Nobody is left") == 2


@pytest.mark.parametrize("case", ["four-sides"])
def test_champion_and_the_others_are_on_the_last_page(book):
    assert book.ending is not None
    names = {champion.warband for champion in book.ending.champions}
    assert names == {place.warband for place in book.standings if place.position == 1}
    others = {other.name for other in book.ending.others}
    assert others == {place.warband for place in book.standings} - names
    assert len(book.encounters) == len(book.battles)
    assert [encounter.number for encounter in book.encounters] == [1, 2, 3, 4]


@pytest.mark.parametrize("case", ["long-names-en-garde"])
def test_running_campaign_has_no_champion(book):
    assert book.ending is None


@every_case
def test_index_has_everybody_who_fought(book):
    indexed = Counter((entry.name, entry.note) for entry in book.index)
    assert all(entry.battles for entry in book.index if not entry.at)
    for fallen in book.memorial:
        assert indexed[fallen.name, fallen.warband]
    names = [sort_key(entry.name) for entry in book.index]
    assert names == sorted(names)


def test_index_joins_consecutive_battles():
    battles = [Person(str(number), f"battle-{number}") for number in (10, 1, 2, 4, 5, 6, 12, 13)]
    runs = [[battle.name for battle in run] for run in battle_runs(battles)]
    assert runs == [["1"], ["2"], ["4", "6"], ["10"], ["12"], ["13"]]


@pytest.mark.parametrize("case", ["long-names-argad"])
def test_verdict_counts_the_dead_as_the_casualties_do(book):
    for tale in book.battles:
        assert "killed)" not in tale.verdict
        for each in tale.sides:
            counted = re.search(rf"{re.escape(each.warband[4:])} (\d+) of", tale.verdict)
            if counted:
                assert int(counted[1]) == len(each.casualties)


def side(name: str, outcome: str, points: int, **more: object) -> SideNarrative:
    return SideNarrative(name, "", "", outcome, points, **more)  # type: ignore[arg-type]


def test_verdict_says_when_points_did_not_decide():
    sides = [side("The Crew", "won", 3), side("The Guard", "lost", 7)]
    assert english.battle_verdict(sides, True) == (
        "The Crew won. The victory points did not decide."
    )
    assert german.battle_verdict(sides, True).endswith("Die Siegpunkte gaben nicht den Ausschlag.")
    sides = [side("The Crew", "drew", 5), side("The Guard", "drew", 5), side("Foes", "lost", 3)]
    assert english.battle_verdict(sides, True) == "A draw between the Crew and the Guard."


def test_articles_are_small_within_sentences():
    fact = Decision(champion="The Crew", battle="The Road", against=("The Guard",))
    with override("en"):
        assert book_prose().decision(fact) == (
            "With “The Road”, won against the Guard, the Crew took the first place and kept it."
        )


def test_attacker_has_its_own_limit():
    sample = battle(title="The Old Mill")
    sides = (
        side("A", "won", 1, limit=288),
        side("B", "lost", 0, limit=240),
    )
    named = [
        replace(each, role=role) for each, role in zip(sides, ("Attacker", "Defender"), strict=True)
    ]
    assert points_limits(replace(sample, sides=tuple(named))) == (
        "Attacker up to 288 points, Defender up to 240 points"
    )
    equal = tuple(replace(each, limit=300) for each in named)
    assert points_limits(replace(sample, sides=equal)) == "up to 300 points a side"


def test_ranges_join_runs():
    assert ranges((5, 3, 6, 7, 9)) == "3, 5–7, 9"


@pytest.mark.parametrize("language", ["en", "de"])
def test_remains_of_any_warband_are_sentences(language):
    base: dict[str, Any] = {
        "name": "The Crew",
        "position": 2,
        "of": 4,
        "over": True,
        "won": 1,
        "drawn": 0,
    }
    cases = [
        Remains(
            **base,
            lost=2,
            began=8,
            joined=1,
            serving=1,
            captive=1,
            dead=2,
            left=0,
            rises=1,
            killed=1,
            nemesis="The Guard",
            by_nemesis=2,
            veterans=("Ana",),
            best="Ana",
            earned=5,
        ),
        Remains(
            **base,
            lost=0,
            began=1,
            joined=0,
            serving=0,
            captive=0,
            dead=1,
            left=0,
            rises=0,
            killed=0,
            last=("Ana",),
            last_fell_in="The Road",
        ),
        Remains(
            **base,
            lost=0,
            began=2,
            joined=0,
            serving=2,
            captive=0,
            dead=0,
            left=0,
            rises=0,
            killed=0,
            mortal=False,
        ),
    ]
    with override(language):
        for fact in cases:
            for sentence in book_prose().remains(fact):
                assert re.fullmatch(r"[A-ZÄÖÜ“„].*[.]", sentence), sentence
