"""Roster options and blank rosters: on the page, in the API, and stored with the document."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from campaigns.models import Campaign
from core.errors import InvalidInput, NotFound
from documents.content import rosters
from documents.content.blank_roster import blank_content
from documents.content.documents import BlankRoster, WarbandRoster
from documents.content.print_jobs import plans
from documents.content.registry import may_see, read_content, systems_of
from documents.content.rulesets import ruleset_of, subject_of_ruleset
from documents.models import Document, DocumentKind
from documents.printing import laid_out, markup
from documents.services.requesting import request_document
from rulebook.registry import newest_ruleset, rulesets
from tests.documents.conftest import made
from tests.documents.every_list import full_roster
from warbands.models import Warband

pytestmark = pytest.mark.one_database

ROSTER, BLANK = DocumentKind.ROSTER, DocumentKind.BLANK
ALL = ("cards", "prices", "dead")
SYSTEMS = sorted({rules.key for rules in rulesets()})


def roster_of(warband: Warband, *options: str) -> Any:
    content = read_content(ROSTER, warband.pk, options)
    assert isinstance(content, WarbandRoster)
    return content.roster


def test_a_roster_is_the_sheet_alone_unless_more_is_asked_for(reds: Warband) -> None:
    plain, whole = roster_of(reds), roster_of(reds, *ALL)
    assert (plain.cards, plain.prices, plain.sources) == ((), (), ())
    assert plain.groups == whole.groups
    assert len(whole.cards) == whole.fighters
    assert whole.prices


def test_the_dead_come_with_the_cards_or_as_a_list() -> None:
    dead, cards, both = (
        full_roster("en-garde", "landsknechts", 5, options, dead=2).roster
        for options in (("dead",), ("cards",), ("cards", "dead"))
    )
    assert [card.id for card in dead.cards] == ["f0", "f1"]
    assert [card.id for card in cards.cards] == ["f2", "f3", "f4"]
    assert both.cards == cards.cards + dead.cards
    assert [each.listed for each in (dead, cards, both)] == [True, False, False]


def test_a_blank_roster_of_argad_has_boxes_for_reloading() -> None:
    row = blank_content(newest_ruleset("argad")).roster.groups[0].rows[0]
    assert next((each.label, len(each.boxes)) for each in row.ticked) == ("Reloaded", 2)


def test_a_plain_roster_makes_no_cards_and_no_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    for maker in ("card", "_prices", "sources_of"):
        monkeypatch.delattr(rosters, maker)
    assert full_roster("en-garde", "landsknechts").roster.fighters == 20


def test_each_choice_of_options_is_a_document_of_its_own_that_keeps_them(
    alice: User, reds: Warband
) -> None:
    plain = request_document(user=alice, kind=ROSTER, subject=reds.pk)
    cards = request_document(user=alice, kind=ROSTER, subject=reds.pk, options=["prices", "cards"])
    again = request_document(user=alice, kind=ROSTER, subject=reds.pk, options=["cards", "prices"])
    assert (plain.options, cards.options) == ("", "cards,prices")
    assert again.pk == cards.pk != plain.pk
    assert made(cards).content_hash != made(plain).content_hash
    assert cards.pages > plain.pages


@pytest.mark.parametrize(
    ("kind", "options"), [(ROSTER, ["spoons"]), (DocumentKind.RANK_UPS, ["cards"])]
)
def test_an_option_that_is_none_is_refused(
    alice: User, reds: Warband, kind: DocumentKind, options: list[str]
) -> None:
    with pytest.raises(InvalidInput) as refused:
        request_document(user=alice, kind=kind, subject=reds.pk, options=options)
    assert (refused.value.code, refused.value.field) == ("unknown-option", "options")


def test_the_page_offers_options_for_a_roster_and_for_nothing_else(
    client: Client, alice: User, reds: Warband
) -> None:
    client.force_login(alice)
    where = f"{reverse('documents:ask')}?subject={reds.pk}"
    assert "Cards, 9 to a page" in client.get(f"{where}&kind=roster").content.decode()
    assert "Cards, 9 to a page" not in client.get(f"{where}&kind=rank-ups").content.decode()
    data = {
        "kind": "roster",
        "subject": str(reds.pk),
        "paper": "A4",
        "language": "en",
        "options": ["cards", "dead"],
    }
    answer = client.post(reverse("documents:ask"), data, follow=True)
    assert Document.objects.get().options == "cards,dead"
    assert "cards, 9 to a page" in answer.content.decode()


def test_the_page_of_a_book_says_how_to_fold_a_booklet_and_offers_one_make_up(
    client: Client, alice: User, campaign: Campaign
) -> None:
    client.force_login(alice)
    where = f"{reverse('documents:ask')}?kind=campaign&subject={campaign.pk}"
    page = client.get(where).content.decode()
    assert "flipped on the short edge" in page
    assert "Cards, 9 to a page" not in page
    data = {
        "kind": "campaign",
        "subject": str(campaign.pk),
        "paper": "A4",
        "language": "en",
        "options": ["print-shop", "booklet"],
    }
    assert "Choose one of them." in client.post(where, data).content.decode()
    assert not Document.objects.exists()


def test_the_api_takes_options_and_says_them(alice: User, reds: Warband) -> None:
    api = APIClient()
    api.force_authenticate(alice)
    body = {"kind": "roster", "subject": str(reds.pk), "options": ["dead", "cards"]}
    assert api.post("/api/v1/documents/", body, format="json").data["options"] == ["cards", "dead"]
    refused = api.post("/api/v1/documents/", {**body, "options": ["spoons"]}, format="json")
    assert (refused.status_code, refused.data["code"]) == (400, "unknown-option")


@pytest.mark.parametrize("key", SYSTEMS)
def test_a_blank_roster_has_columns_and_boxes_and_a_quick_reference_on_its_back(key: str) -> None:
    content = blank_content(newest_ruleset(key))
    (group,) = content.roster.groups
    assert len(group.rows) == 20
    assert all(figure.value == "" for row in group.rows for figure in row.figures)
    assert all(box.value == "" for box in content.roster.boxes)
    assert all(row.ticked for row in group.rows)
    html = markup(plans(content)[0])
    assert len(laid_out(html, paper="Letter").pages) == 2


def test_anybody_who_is_signed_in_may_ask_for_a_blank_roster(toy: object, charlie: User) -> None:
    subject = subject_of_ruleset("en-garde")
    document = made(request_document(user=charlie, kind=BLANK, subject=subject))
    assert (document.title, document.pages) == ("Blank roster: En Garde!", 2)
    assert systems_of([document]) == {document.pk: "en-garde"}
    assert document in Document.objects.listed_for(charlie)


def test_a_blank_roster_of_no_rule_system_is_not_there(charlie: User) -> None:
    nothing = UUID(int=1)
    assert ruleset_of(nothing) is None
    assert not may_see(charlie, BLANK, nothing)
    with pytest.raises(NotFound):
        read_content(BLANK, nothing)


def test_the_api_takes_the_key_of_a_rule_system_for_a_blank_roster(charlie: User) -> None:
    api = APIClient()
    api.force_authenticate(charlie)
    response = api.post("/api/v1/documents/", {"kind": "blank", "ruleset": "wards"}, format="json")
    assert (response.status_code, response.data["subject"]) == (
        202,
        str(subject_of_ruleset("wards")),
    )
    assert api.post("/api/v1/documents/", {"kind": "blank"}, format="json").status_code == 400
    assert api.post("/api/v1/documents/", {"kind": "roster"}, format="json").status_code == 400


def test_the_page_of_a_rule_system_leads_to_its_blank_roster(client: Client, charlie: User) -> None:
    where = f"kind=blank&amp;subject={subject_of_ruleset('argad')}"
    assert where not in client.get(reverse("reference:rules", args=["argad"])).content.decode()
    client.force_login(charlie)
    assert where in client.get(reverse("reference:rules", args=["argad"])).content.decode()
    assert isinstance(read_content(BLANK, subject_of_ruleset("argad")), BlankRoster)
