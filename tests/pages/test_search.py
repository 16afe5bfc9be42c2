"""The search finds by the beginnings of words, and nothing that the searcher may not see."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from battles.models import Battle
from campaigns.models import Campaign
from campaigns.services.campaigns import edit_campaign
from clubs.models import Club, Membership
from clubs.services.clubs import edit_club
from core.models import fold_rows
from core.search_text import normalise, words_of
from search.rulebook_index import snippet
from search.selectors import KINDS, search
from search.templatetags.search_marks import highlights
from tests.conftest import api_of
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.world import named
from warbands.models import Fighter, Warband
from warbands.services.roster import edit_fighter
from warbands.services.warbands import edit_warband

WHERE = reverse("search:search")


def found(browser: Client, query: str, **more: str) -> dict[str, list[str]]:
    """Return the names that a page shows, by kind, without those of the rules."""
    page = browser.get(WHERE, {"q": query, **more})
    assert page.status_code == 200
    groups = page.context["found"].groups
    return {
        group.kind: [hit.name for hit in group.hits] for group in groups if group.kind != "rule"
    }


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("José", "jose"), ("Jose", "JOSÉ"), ("Irmak", "ırmak"), ("İnci", "inci"), ("Ilgaz", "ılgaz"),
        ("Großmann", "GROSSMANN"), ("Łukasz Øre", "lukasz ore"), ("d'Artagnan", "Artagnan"), ("Jean-Luc", "jean luc"),
        ("ﬁne", "fine"), ("Οδυσσεύς", "ΟΔΥΣΣΕΥΣ"), ("مُحَمَّد", "محمد"), ("שָׁלוֹם", "שלום"), ("Нестор", "НЕСТОР"),
    ],
)  # fmt: skip
def test_names_are_folded_as_people_type_them(written: str, typed: str) -> None:
    assert set(normalise(typed).split()) <= set(normalise(written).split())
    assert normalise(normalise(written)) == normalise(written)


@pytest.mark.one_database
def test_a_query_is_words_each_once_and_not_endless() -> None:
    assert words_of("  Ott, von—ott ") == ("ott", "von")
    assert words_of("%_';--") == ()
    assert len(words_of(" ".join("abcdefghijkl"))) == 8


@pytest.mark.one_database
def test_search_highlights_original_spelling() -> None:
    marked = [
        (piece.text, piece.marked) for piece in highlights("Jörg Großmann's <b>", ("gross", "jorg"))
    ]
    assert marked == [("Jörg", True), (" ", False), ("Groß", True), ("mann's <b>", False)]
    assert snippet("word " * 60 + "Ottilie came " + "word " * 60, ("ott",)).count("Ottilie") == 1


def test_every_kind_is_found_by_beginnings_of_words(
    browsers: Clients, submitted: Battle, campaign: Campaign, club: Club
) -> None:
    assert found(browsers.bob, "hau") == {
        "warband": ["Der schwarze Haufen"],
        "battle": ["Skirmish"],
    }
    assert found(browsers.bob, "SCHWARZE hau")["warband"] == ["Der schwarze Haufen"]
    assert found(browsers.bob, "jorg") == {"fighter": ["Jörg"]}
    assert found(browsers.bob, "doppelsöldner") == {"fighter": ["Hans"]}
    assert found(browsers.bob, "long sum") == {"campaign": ["The Long Summer"]}
    assert found(browsers.bob, "skirm summer compagnie") == {"battle": ["Skirmish"]}
    assert found(browsers.bob, "friday") == {"club": ["The Friday Swords"]}
    assert found(browsers.bob, "aufen") == {}, "not by the middle of a word"
    assert found(browsers.bob, "h") == {} and found(browsers.bob, "\0%%") == {}
    hits = browsers.bob.get(WHERE, {"q": "shooting procedure"}).context["found"].groups[-1].hits
    assert hits[0].url == "/rulesets/en-garde/#shooting-procedure"


def test_a_name_is_found_as_soon_as_it_is_given(
    browsers: Clients, haufen: Warband, campaign: Campaign, club: Club, bob: User, alice: User
) -> None:
    edit_warband(warband_id=haufen.pk, user=bob, name="Grüne Straße")
    edit_fighter(fighter_id=named("Hans").pk, user=bob, name="Ottilie İnci")
    edit_campaign(campaign_id=campaign.pk, version=campaign.version, user=alice, name="Señor's War")
    edit_club(club_id=club.pk, user=alice, name="Les Épées")
    assert found(browsers.bob, "strasse grune") == {"warband": ["Grüne Straße"]}
    assert found(browsers.bob, "ott inc") == {"fighter": ["Ottilie İnci"]}
    assert found(browsers.bob, "senor") == {"campaign": ["Señor's War"]}
    assert found(browsers.bob, "epees") == {"club": ["Les Épées"]}
    assert found(browsers.bob, "long summer") == {}
    for model in (Warband, Fighter, Campaign, Club, Membership, Battle):
        assert fold_rows(model, model.found_by) == 0
    Warband.objects.update(folded="")
    assert fold_rows(Warband, Warband.found_by) == 2 and found(browsers.bob, "grune") != {}


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Miles O'Brien", "obrien"), ("Miles O’Brien", "obrien"), ("Miles O’Brien", "o'brien"),
        ("Miles O'Brien", "brien"), ("Jean-Luc", "jeanluc"), ("D’Artagnan", "dartag"),
        ("Zoe\u200dla", "zoela"),
    ],
)  # fmt: skip
def test_name_with_a_sign_is_found_with_and_without_it(
    browsers: Clients, haufen: Warband, bob: User, name: str, typed: str
) -> None:
    edit_warband(warband_id=haufen.pk, user=bob, name=name)
    assert found(browsers.bob, typed)["warband"] == [name]


def test_a_warband_is_found_by_the_name_of_its_player(
    browsers: Clients, haufen: Warband, campaign: Campaign, bob: User
) -> None:
    seat = haufen.enrolments.get().player
    seat.name = "Jörg Önder"
    seat.save()
    assert found(browsers.dora, "onder jor") == {"warband": ["Der schwarze Haufen"]}
    assert found(browsers.dora, "schwarze ond") == {"warband": ["Der schwarze Haufen"]}, (
        "or by both together"
    )
    hit = browsers.dora.get(WHERE, {"q": "onder"}).context["found"].groups[0].hits[0]
    assert hit.detail.startswith("Jörg Önder · ")
    assert found(browsers.charlie, "onder") == found(browsers.nobody, "onder") == {}
    edit_warband(warband_id=haufen.pk, user=bob, visibility="public")
    assert found(browsers.nobody, "onder") == {}, (
        "who plays in a private campaign is no stranger's business"
    )
    assert found(browsers.nobody, bob.username) == {"warband": ["Der schwarze Haufen"]}, (
        "its page names its owner"
    )


def test_the_best_comes_first_and_what_is_found_is_escaped(browsers: Clients, bob: User) -> None:
    for name in ("Old Karl", "Karlo", "Karl & <i>Sons</i>", "Karl", "The Karl"):
        world.landsknechts(bob, name)
    page = browsers.bob.get(WHERE, {"q": "karl"})
    assert found(browsers.bob, "karl")["warband"] == [
        "Karl",
        "Karl & <i>Sons</i>",
        "Karlo",
        "Old Karl",
        "The Karl",
    ]
    body = page.content.decode()
    assert "<mark>Karl</mark> &amp; &lt;i&gt;Sons&lt;/i&gt;" in body and "<i>Sons" not in body
    assert "&lt;script&gt;" in browsers.bob.get(WHERE, {"q": "<script>"}).content.decode()


def test_a_kind_is_leafed_through(browsers: Clients, bob: User) -> None:
    fighters = [("landsknecht", f"Karl {number:02}") for number in range(28)]
    world.warband_of(bob, "Haufen", "landsknechts", fighters)
    group = browsers.bob.get(WHERE, {"q": "karl"}).context["found"].groups[0]
    assert (group.kind, group.count, len(group.hits), group.more) == ("fighter", 28, 5, True)
    assert found(browsers.bob, "karl", kind="fighter")["fighter"][:2] == ["Karl 00", "Karl 01"]
    assert found(browsers.bob, "karl", kind="fighter", page="2")["fighter"] == [
        "Karl 25",
        "Karl 26",
        "Karl 27",
    ]
    assert found(browsers.bob, "karl", kind="nonsense")["fighter"][0] == "Karl 00"
    few = browsers.bob.get(reverse("search:suggestions"), {"q": "karl"})
    assert [len(group.hits) for group in few.context["found"].groups] == [3]
    assert browsers.bob.get(reverse("search:suggestions"), {"q": ""}).content.strip() == b""


def test_nobody_finds_what_they_may_not_see(
    browsers: Clients,
    submitted: Battle,
    campaign: Campaign,
    club: Club,
    bob: User,
    charlie: User,
    haufen: Warband,
) -> None:
    queries = ("schwarze", "hans", "long summer", "friday", "skirmish", "compagnie")
    for browser in (browsers.charlie, browsers.nobody):
        assert [found(browser, query) for query in queries] == [{}] * len(queries)
        assert [found(browser, "hans", kind=kind) for kind in KINDS] == [{}] * len(KINDS)
        assert b"Hans" not in browser.get(reverse("search:suggestions"), {"q": "hans"}).content
    assert all(found(browsers.dora, query) for query in queries), (
        "a reader of the club finds it all"
    )
    edit_warband(warband_id=haufen.pk, user=bob, visibility="public")
    assert found(browsers.nobody, "hans") == {"fighter": ["Hans"]}, (
        "what is public is found from then on"
    )
    edit_warband(warband_id=haufen.pk, user=bob, visibility="unlisted")
    assert found(browsers.nobody, "hans") == {}, "what is unlisted needs its link"
    Campaign.objects.update(visibility="public")
    assert set(found(browsers.nobody, "schwarze")) == {"battle"}, (
        "a public campaign tells its battles, not its warbands"
    )
    assert found(browsers.charlie, "jussac") == {}


def test_the_interface_finds_the_same(alice: User, charlie: User, submitted: Battle) -> None:
    def asked(user: User, **query: Any) -> Any:
        return api_of(user).get("/api/v1/search/", query)

    body = asked(alice, q="hans").json()
    assert (body["count"], body["words"], body["groups"][0]["kind"]) == (1, ["hans"], "fighter")
    assert body["groups"][0]["hits"][0]["url"] == reverse(
        "warbands:fighter", args=[named("Hans").pk]
    )
    assert asked(alice, q="hans", kind="warband").json()["groups"] == []
    assert asked(alice, q="hans", kind="fighter", page="1").json()["count"] == 1
    assert asked(alice, q="hans", kind="fighter", page="x").json()["errors"][0]["field"] == "?page"
    assert asked(charlie, q="hans").json()["groups"] == []
    refused = asked(alice, q="hans", kind="dragon")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown-kind")
    assert APIClient().get("/api/v1/search/?q=hans").status_code == 401


def test_the_number_of_queries_does_not_grow(
    bob: User, submitted: Battle, campaign: Campaign
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert search(bob, "karl landsknecht").count + search(bob, "haufen").count
        return len(queries)

    before = asked()
    for number in range(3):
        world.warband_of(
            bob, f"Karl's Haufen {number}", "landsknechts", [("landsknecht", f"Karl {number}")] * 4
        )
    assert asked() == before == 11, (
        "one for each kind of row, and the sides of battles where there are some"
    )


@pytest.mark.postgres
@pytest.mark.parametrize("model", [Warband, Fighter, Campaign, Club, Membership, Battle])
def test_words_are_looked_up_in_an_index(db: None, model: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    plan = model.objects.order_by().filter(folded__has_words="hans mul").explain()
    assert f"Bitmap Index Scan on {model._meta.db_table}_words" in plan


def test_every_page_has_the_field_and_the_phone_its_icon(browsers: Clients, club: Club) -> None:
    body = browsers.nobody.get("/").content.decode()
    assert 'id="seek"' in body and "seek-link" in body
    own = browsers.nobody.get(WHERE).content.decode()
    assert 'id="seek"' not in own and own.count("data-seek ") == 1
