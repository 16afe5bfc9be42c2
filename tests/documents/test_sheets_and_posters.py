"""Quick references, result sheets, standings charts, fixtures posters and programmes."""

import hashlib
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from msgspec.structs import replace
from rest_framework.test import APIClient
from weasyprint.formatting_structure.boxes import TableCellBox

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club, Evening, Membership
from clubs.services.evenings import answer_evening
from clubs.services.members import add_guests
from core.errors import InvalidInput
from core.users import Visibility
from documents.content.documents import (
    FixturesPoster,
    Programme,
    QuickReference,
    ResultColumn,
    ResultQuestion,
    ResultSheet,
    StandingsChart,
)
from documents.content.print_jobs import plans
from documents.content.registry import read_content
from documents.content.rulesets import subject_of_ruleset
from documents.languages import speaking
from documents.models import (
    POSTER_PAPERS,
    Document,
    DocumentKind,
    DocumentOption,
    DocumentState,
    Language,
    Paper,
    papers_of,
)
from documents.print_resources import MILLIMETRE
from documents.printing import laid_out, markup
from documents.templatetags.printed import head_height, upright_lines, with_labels
from leagues.services.club_night import draw_pairings, publish_pairings
from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import CampaignTerms, Roster
from tests.battles import field
from tests.documents.conftest import ask, made, subject_of
from tests.documents.played import Shelf
from tests.documents.reading_pdfs import pages, printed, reader
from tests.pages.world import evening_of
from warbands.models import Warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
NAMES = (DocumentOption.NAMES.value,)
HEIGHTS = {"A3": 1190.55, "A4": 841.89, "Letter": 792}


@pytest.fixture
def evening(club: Club, alice: User, bob: User, campaign: Campaign) -> Evening:
    """Return a club night to which Alice and Bob come, with a fixture between them."""
    subject_of(DocumentKind.FIXTURES, None, campaign)  # type: ignore[arg-type]
    night = evening_of(club, alice, place="The Three Tuns", note="Bring <b>dice</b>.")
    for user in (alice, bob):
        answer_evening(evening_id=night.pk, user=user, answer="coming")
    return Evening.objects.select_related("club").get(pk=night.pk)


def programme(evening: Evening, options: Any = ()) -> Programme:
    content = read_content(DocumentKind.PROGRAMME, evening.pk, options)
    assert isinstance(content, Programme)
    return content


def _letters(text: str) -> str:
    """Return the letters and digits of a text, as print has other signs and hyphens."""
    return "".join(filter(str.isalnum, text))


def test_quick_reference_says_how_a_game_is_set_up_and_rosters_do_not() -> None:
    """Argad! and Wards have a table of what players agree on instead."""
    for key, anchor in (("en-garde", "set-up"), ("avant-garde", "before")):
        rules = newest_ruleset(key)
        faction = rules.catalogue({})["factions"][0]["key"]
        anchors = {
            of: [table.anchor for table in rules.roster_tables(Roster(CampaignTerms(of), ()))]
            for of in ("", faction)
        }
        assert anchors[""][0] == anchor
        assert anchor not in anchors[faction]


def test_quick_reference_has_all_tables_on_at_most_two_pages() -> None:
    for key in sorted({rules.key for rules in rulesets()} - {"toy"}):
        content = read_content(DocumentKind.QUICK_REFERENCE, subject_of_ruleset(key))
        assert isinstance(content, QuickReference)
        result = printed(content)
        text = _letters("".join(pages(result.pdf)))
        assert result.pages <= 2
        for table in content.tables:
            assert _letters(table.name) in text
            assert all(_letters(row[0]) in text for row in table.rows)


def test_result_sheet_names_line_ups_and_leads_to_the_form(
    battle: Battle, reds: Warband, settings: Any
) -> None:
    settings.SITE_URL = "https://muster.example.org/"
    content = read_content(DocumentKind.RESULT_SHEET, battle.pk)
    assert isinstance(content, ResultSheet)
    path = reverse("battles:sheet", args=[battle.pk])
    assert content.address == f"https://muster.example.org{path}"
    names = [row.name for row in content.sides[0].rows if row.name]
    assert names == [fighter.name for fighter in field.fighters(reds)]
    assert [side.warband for side in content.sides] == ["Reds", "Blues"]


def test_result_sheet_of_planned_battle_has_empty_rows(
    alice: User, campaign: Campaign, reds: Warband, blues: Warband, client: Any
) -> None:
    battle = field.plan(alice, campaign, reds, blues)
    content = read_content(DocumentKind.RESULT_SHEET, battle.pk)
    assert isinstance(content, ResultSheet)
    assert {row.name for side in content.sides for row in side.rows} == {""}
    assert all(len(side.rows) == 10 for side in content.sides)
    # The address on it leads to the page on which the battle is started first.
    client.force_login(alice)
    answer = client.get(reverse("battles:sheet", args=[battle.pk]))
    assert answer.headers["Location"] == reverse("battles:battle", args=[battle.pk])


@pytest.mark.parametrize("language", list(Language))
def test_result_sheet_has_the_rules_of_its_scenario(shelf: Shelf, language: Language) -> None:
    """Players with the sheet, the roster and the quick reference need no book."""
    with speaking(language):
        sheet = shelf.case("long-names-en-garde", language=language).contents["result-sheet"]
    assert isinstance(sheet, ResultSheet)
    scenario, victory, length, *others = sheet.rules
    assert all(each.name and each.note for each in sheet.rules)
    assert scenario.name == sheet.scenario
    assert {victory.name, length.name} == {
        Language.ENGLISH: {"Victory", "Length"},
        Language.GERMAN: {"Sieg", "Länge"},
    }[language]
    assert len(others) >= 2
    text = pages(printed(sheet).pdf)[0]
    assert _letters(victory.note) in _letters(text)


def test_result_sheet_has_the_boxes_of_the_result_form(shelf: Shelf) -> None:
    sheet = shelf.case("league").contents["result-sheet"]
    assert isinstance(sheet, ResultSheet)
    labels = [column.label for column in sheet.columns]
    form = next(each for each in newest_ruleset("en-garde").log.forms() if each.key == "wound")
    results = next(each.choices for each in form.fields if each.key == "result")
    assert labels[: len(results)] == [name for _, name in results]
    assert {"Routed off the table", "Captured"} <= set(labels)
    assert next(question.label for question in sheet.questions) == "Winner"
    assert {extra.label for extra in sheet.extras} >= {"Withdrew", "Conceded"}


def test_german_result_sheet_names_wounds_in_one_language(shelf: Shelf) -> None:
    """Proper terms of the rule book have no German, and so its words for wounds stay English."""
    sheet = shelf.case("league").contents["result-sheet"]
    assert isinstance(sheet, ResultSheet)
    with speaking(Language.GERMAN):
        labels = [label for _, label in with_labels(sheet.columns)]
        text = markup(plans(replace(sheet, questions=_questions_in_german(sheet)))[0])
    assert {"Light", "Grievous", "Vom Tisch geflohen"} <= set(labels)
    assert "Leicht" not in labels
    assert re.search(r'class="what">\s*Sieger<', text)
    assert re.search(r">\s*Vernichtet<", text)
    assert "Destroyed" not in text


def _questions_in_german(sheet: ResultSheet) -> tuple[ResultQuestion, ...]:
    winner, *others = sheet.questions
    return replace(winner, label="Sieger"), *others


def test_long_sides_of_a_result_sheet_have_pages_of_their_own(shelf: Shelf) -> None:
    sheet = shelf.case("league").contents["result-sheet"]
    assert isinstance(sheet, ResultSheet)
    first, other = sheet.sides
    short, tall = (
        replace(side, rows=side.rows[:1] * rows) for side, rows in ((first, 11), (other, 27))
    )
    long = replace(sheet, sides=(short, tall, tall))
    assert long.pages == ((short,), (tall,), (tall,))
    assert len(laid_out(markup(plans(long)[0]), paper="A4").pages) == 3


@pytest.mark.parametrize("paper", papers_of(DocumentKind.RESULT_SHEET))
def test_four_sides_of_a_result_sheet_share_two_pages(shelf: Shelf, paper: Paper) -> None:
    """Their rows are lower, and there is room to write an attacker's name by hand."""
    sheet = shelf.case("league").contents["result-sheet"]
    assert isinstance(sheet, ResultSheet)
    side = replace(sheet.sides[0], rows=sheet.sides[0].rows[:1] * 16)
    four = replace(sheet, sides=(side,) * 4)
    assert four.is_close
    assert [len(sides) for sides in four.pages] == [2, 2]
    layout = laid_out(markup(plans(four)[0]), paper=paper).pages
    assert len(layout) == 2
    heads = [box for page in layout for box in page._page_box.descendants() if _is_head_of_by(box)]
    assert len(heads) == 4
    assert all(box.border_width() / MILLIMETRE >= 25 for box in heads)


def _is_head_of_by(box: Any) -> bool:
    return isinstance(box, TableCellBox) and box.element.get("class", "") == "by"


def test_names_of_sides_are_not_read_as_words_of_the_rules(shelf: Shelf) -> None:
    sheet = shelf.case("league").contents["result-sheet"]
    assert isinstance(sheet, ResultSheet)
    winner, *others = sheet.questions
    named = replace(winner, names=("Destroyed", "Draw"))
    with speaking(Language.GERMAN):
        html = markup(plans(replace(sheet, questions=(named,)))[0])
        assert "<bdi>Destroyed</bdi>" in html
        assert "Vernichtet" not in html
        assert any(each.choices for each in others)
        assert re.search(r">\s*Vernichtet<", markup(plans(sheet)[0]))


def test_long_upright_labels_have_two_lines() -> None:
    assert upright_lines("Captured") == ("Captured",)
    assert upright_lines("Routed off the table") == ("Routed off", "the table")


def test_upright_labels_of_a_result_sheet_fit_their_head() -> None:
    short, long = (
        float(head_height([(ResultColumn(label), label)]))
        for label in ("Killed", "Muskete heute unbrauchbar")
    )
    assert short < 5
    assert 6 < long < 7.5


def test_standings_chart_has_table_and_results(battle: Battle, campaign: Campaign) -> None:
    content = read_content(DocumentKind.STANDINGS, campaign.pk)
    assert isinstance(content, StandingsChart)
    assert [place.warband for place in content.standings] == ["Reds", "Blues"]
    assert content.met == (("", "1–0"), ("0–1", ""))


def test_fixtures_poster_lists_rounds_and_who_must_play(shelf: Shelf) -> None:
    poster = shelf.case("league").contents["fixtures"]
    assert isinstance(poster, FixturesPoster)
    assert poster.current.name == "Round 5"
    played = [fixture for fixture in poster.current.fixtures if fixture.score]
    due = [*poster.overdue, *(each for each in poster.current.fixtures if not each.score)]
    # Fifteen pairs, of which two have played.
    assert (len(played) + len(due), len(due)) == (14, 13)
    assert sum(int(player.note) for player in poster.to_play) == 2 * len(due)


def test_campaign_without_rounds_has_no_fixtures_to_print(campaign: Campaign) -> None:
    with pytest.raises(InvalidInput, match="Create rounds"):
        read_content(DocumentKind.FIXTURES, campaign.pk)


@pytest.mark.parametrize("name", ["standings", "fixtures", "programme-with-names"])
def test_posters_fill_one_page_of_each_paper(shelf: Shelf, name: str) -> None:
    for paper in POSTER_PAPERS:
        page = reader(shelf.printed("league", name, paper).pdf).pages
        assert [round(float(each.mediabox.height), 1) for each in page] == [
            pytest.approx(HEIGHTS[paper], abs=0.2)
        ]


def test_sheets_print_the_same_bytes_again(shelf: Shelf) -> None:
    for name in ("standings", "result-sheet"):
        content = shelf.case("league").contents[name]
        files = {hashlib.sha256(printed(content, fresh=True).pdf).digest() for _ in range(2)}
        assert len(files) == 1


def test_each_kind_has_its_papers(
    alice: User, campaign: Campaign, reds: Warband, client: Any
) -> None:
    assert ask(alice, DocumentKind.STANDINGS, campaign.pk, Paper.A3).paper == "A3"
    with pytest.raises(InvalidInput, match=r"not available on A3\. Choose from: A4, Letter"):
        ask(alice, DocumentKind.ROSTER, reds.pk, Paper.A3)
    api = APIClient()
    api.force_authenticate(alice)
    data = {"kind": "roster", "subject": str(reds.pk), "paper": "A3"}
    answer = api.post("/api/v1/documents/", data, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "unsupported-paper")
    client.force_login(alice)
    for kind in (DocumentKind.STANDINGS, DocumentKind.CAMPAIGN):
        page = client.get(f"/documents/ask/?kind={kind}&subject={campaign.pk}").content.decode()
        offered = [paper for paper in Paper if f'value="{paper}"' in page]
        assert set(offered) == set(papers_of(kind))


def test_request_page_links_other_prints_of_the_subject(
    alice: User, campaign: Campaign, client: Any
) -> None:
    client.force_login(alice)
    page = client.get(f"/documents/ask/?kind=campaign&subject={campaign.pk}").content.decode()
    assert f"?kind=standings&amp;subject={campaign.pk}" in page
    assert "kind=roster" not in page


def test_programme_has_tables_and_code_of_the_page(
    evening: Evening, alice: User, club: Club, settings: Any
) -> None:
    settings.SITE_URL = "https://muster.example.org/"
    guests = add_guests(club_id=club.pk, user=alice, names=["Greta"])
    answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=guests[0].pk)
    draw_pairings(evening_id=evening.pk, user=alice)
    # A draft is printed for nobody.
    assert programme(evening, NAMES).tables == ()
    publish_pairings(evening_id=evening.pk, user=alice)
    evening.refresh_from_db()
    evening = Evening.objects.select_related("club").get(pk=evening.pk)
    content = programme(evening, NAMES)
    (game,) = content.tables
    assert game.table == 1 and game.first_warband and game.second_warband and game.campaign
    assert {game.first, game.second} | set(content.names) == {"alice", "bob", "Greta"}
    assert len(content.names) == 1
    # The fixture of the game is not listed again.
    assert content.fixtures == ()
    assert content.address == f"https://muster.example.org/evenings/{evening.pk}/"
    text = "".join(pages(printed(content).pdf))
    assert "Tables" in text and game.first_warband in text and "Scan for answers" in text
    assert printed(content, fresh=True).pdf == printed(content, fresh=True).pdf
    # Without names there are no tables, as everybody who sees the club may read that.
    plain = programme(evening)
    assert (plain.tables, plain.address) == ((), content.address)


def test_programme_has_names_only_for_members(
    evening: Evening, alice: User, bob: User, charlie: User, club: Club, client: Any
) -> None:
    Club.objects.filter(pk=club.pk).update(visibility=Visibility.PUBLIC)
    plain = ask(charlie, DocumentKind.PROGRAMME, evening.pk)
    with pytest.raises(InvalidInput, match="Only members"):
        ask(charlie, DocumentKind.PROGRAMME, evening.pk, options=NAMES)
    named = ask(bob, DocumentKind.PROGRAMME, evening.pk, options=NAMES)
    assert set(Document.objects.visible_to(charlie)) == {plain}
    assert set(Document.objects.listed_for(charlie)) == {plain}
    assert set(Document.objects.visible_to(bob)) == {plain, named}
    assert set(Document.objects.concerning(alice)) == {plain, named}
    for user, shown in ((charlie, False), (bob, True)):
        client.force_login(user)
        page = client.get(f"/documents/ask/?kind=programme&subject={evening.pk}").content.decode()
        assert ('value="names"' in page) is shown
    # Whoever leaves the club may not read the names any more.
    Membership.objects.filter(user=bob).update(user=None)
    assert named not in Document.objects.visible_to(bob)


def test_stranger_sees_no_programme_of_a_private_club(evening: Evening, charlie: User) -> None:
    ask(User.objects.get(username="alice"), DocumentKind.PROGRAMME, evening.pk)
    assert not Document.objects.visible_to(charlie).exists()
    assert not Document.objects.listed_for(charlie).exists()


def test_programme_shows_fixtures_between_those_who_come(
    evening: Evening, bob: User, campaign: Campaign, club: Club
) -> None:
    both = programme(evening, NAMES)
    assert (both.names, both.going) == (("alice", "bob"), 2)
    pairs = [{each.home.name, each.away.name} for each in both.fixtures if each.away]
    assert pairs == [{"Reds", "Blues"}]
    answer_evening(evening_id=evening.pk, user=bob, answer="not-coming")
    assert programme(evening, NAMES).fixtures == ()
    # Without names it does not depend on who comes, and has no private campaign of a public club.
    assert len(programme(evening).fixtures) == 1
    assert programme(evening).names == ()
    Club.objects.filter(pk=club.pk).update(visibility=Visibility.PUBLIC)
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.PRIVATE)
    assert programme(evening).fixtures == ()


def test_text_of_users_is_escaped_on_a_programme(evening: Evening) -> None:
    content = replace(programme(evening), reason="<i>Flood</i>", cancelled=True)
    (text,) = pages(printed(content).pdf)
    assert "<b>dice</b>" in text
    assert "<i>Flood</i>" in text


@pytest.mark.parametrize("kind", [DocumentKind.PROGRAMME, DocumentKind.CAMPAIGN])
def test_a_file_for_members_is_not_read_by_others_after_a_club_opens(
    kind: DocumentKind, client: Client, alice: User, battle: Battle, campaign: Campaign
) -> None:
    """While the club and the campaign are private, their prints have private things in them."""
    subject_of(DocumentKind.FIXTURES, battle, campaign)
    document = made(ask(alice, kind, subject_of(kind, battle, campaign)))
    for_members, address = document.content_hash, reverse("documents:file", args=[document.pk])
    client.force_login(alice)
    assert client.get(address).status_code == 200
    Club.objects.filter(pk=campaign.club_id).update(visibility=Visibility.PUBLIC)
    if kind == DocumentKind.CAMPAIGN:
        Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.PUBLIC)
    client.logout()
    progress = reverse("documents:document", args=[document.pk])
    assert client.get(address).headers["Location"] == progress
    assert made(document).state == DocumentState.READY
    assert document.content_hash != for_members
    assert client.get(address).status_code == 200


def test_a_history_for_one_club_is_made_again_when_its_warband_is_public(
    client: Client, alice: User, battle: Battle, reds: Warband
) -> None:
    document = made(ask(alice, DocumentKind.HISTORY, reds.pk))
    for_members = document.content_hash
    Warband.objects.filter(pk=reds.pk).update(visibility=Visibility.PUBLIC)
    address = reverse("documents:file", args=[document.pk])
    progress = reverse("documents:document", args=[document.pk])
    assert client.get(address).headers["Location"] == progress
    assert made(document).state == DocumentState.READY
    assert document.content_hash != for_members
