"""One-off battles: of any rule system, against any club mate's warband, hidden from strangers."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from battles.models import Battle, Combatant
from battles.selectors.opponents import opponents
from battles.services.fielding import Force, check_force, field_combatants
from clubs.models import Club, Membership
from core.errors import Forbidden
from rulebook.registry import newest_ruleset, rulesets
from tests.conftest import api_of, browser_of
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from warbands.models import Fighter, Warband
from warbands.services.warbands import muster_warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
SYSTEMS = [each.key for each in rulesets()]
PLAN = "/battles/plan/"
OPPONENTS = "/api/v1/battles/opponents/"


def army(owner: User, ruleset: str, name: str) -> Warband:
    """Return a private warband of a rule system's first list, without fighters."""
    faction = newest_ruleset(ruleset).catalogue({})["factions"][0]
    return muster_warband(user=owner, ruleset=ruleset, faction=faction["key"], name=name)


def plan_form(ruleset: str, *warbands: Warband, **more: Any) -> dict[str, str]:
    """Return the form data of the first scenario for these warbands."""
    scenario = newest_ruleset(ruleset).scenarios()[0]
    names = [f"{role.key}.{place}" for role in scenario.roles for place in range(role.most)]
    sides = {name: str(row.pk) for name, row in zip(names, warbands, strict=False)}
    return {
        "client_id": str(uuid4()),
        "fought_on": "2026-03-07",
        "points_limit": "",
        "title": "",
        **sides,
        **more,
    }


def address(ruleset: str) -> str:
    return f"{PLAN}?ruleset={ruleset}&scenario={newest_ruleset(ruleset).scenarios()[0].key}"


def test_the_page_offers_every_rule_system(browsers: Clients) -> None:
    html = browsers.bob.get(PLAN).content.decode()
    for rules in rulesets():
        assert f'href="?ruleset={rules.key}"' in html, rules.key
    assert not list(faults(html))


def test_the_page_begins_with_the_system_of_the_newest_own_warband(
    browsers: Clients, bob: User
) -> None:
    army(bob, "en-garde", "Guards")
    army(bob, "argad", "Pikes")
    assert browsers.bob.get(PLAN).context["rules"].key == "argad"


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_two_club_mates_meet_with_new_private_warbands(
    club: Club, browsers: Clients, alice: User, bob: User, ruleset: str
) -> None:
    """No organiser acts, and nothing is made public."""
    Membership.objects.filter(user=alice).update(role="player")
    own, other = army(alice, ruleset, "Alices"), army(bob, ruleset, "Bobs")
    page = browsers.alice.get(address(ruleset))
    assert "Bobs, bob" in page.content.decode()
    assert not list(faults(page.content.decode()))
    answer = browsers.alice.post(address(ruleset), plan_form(ruleset, own, other))
    assert answer.status_code == 302
    battle = Battle.objects.get()
    assert browsers.bob.get(reverse("battles:battle", args=[battle.pk])).status_code == 200
    for browser, key in ((browsers.alice, "a"), (browsers.bob, "b")):
        assert browser.get(reverse("battles:field", args=[battle.pk, key])).status_code == 200


def test_the_api_plans_the_same_battle(club: Club, alice: User, bob: User) -> None:
    own, other = army(alice, "argad", "Alices"), army(bob, "argad", "Bobs")
    listed = api_of(alice).get(OPPONENTS, {"ruleset": "argad"}).json()
    assert [(each["name"], each["player"], each["yours"]) for each in listed["offered"]] == [
        ("Alices", "alice", True),
        ("Bobs", "bob", False),
    ]
    scenario = newest_ruleset("argad").scenarios()[0]
    roles = [role.key for role in scenario.roles for _ in range(role.most)]
    sides = [
        {"warband": str(row.pk), "role": role}
        for row, role in zip((own, other), roles, strict=False)
    ]
    sent = {"scenario": scenario.key, "fought_on": "2026-03-07", "sides": sides}
    answer = api_of(alice).post("/api/v1/battles/", sent, format="json")
    assert answer.status_code == 201, answer.content
    assert answer.json()["doors"]["line_ups"] == ["a"]


def test_who_cannot_be_chosen_is_listed_with_the_reason(club: Club, alice: User, bob: User) -> None:
    army(alice, "en-garde", "Guards")
    army(bob, "argad", "Pikes")
    put_away, hidden = army(alice, "en-garde", "Veterans"), army(bob, "en-garde", "Forgotten")
    Warband.objects.filter(pk__in=[put_away.pk, hidden.pk]).update(
        archived_at="2026-01-01T00:00:00Z"
    )
    html = browser_of(alice).get(address("en-garde")).content.decode()
    assert "Not available" in html and "Forgotten" not in html
    excluded = opponents(alice, newest_ruleset("en-garde")).excluded
    assert [(each.name, each.reason) for each in excluded] == [
        ("Pikes", "Uses the rules of Argad!"),
        ("Veterans", "In your archive"),
    ]


def test_a_stranger_never_sees_a_private_warband(club: Club, charlie: User, bob: User) -> None:
    own = army(charlie, "en-garde", "Own")
    other, elsewhere = army(bob, "en-garde", "Bobs secret"), army(bob, "argad", "Bobs pikes")
    browser, api = browser_of(charlie), api_of(charlie)
    assert "Bobs" not in browser.get(address("en-garde")).content.decode()
    listed = api.get(OPPONENTS, {"ruleset": "en-garde"}).json()
    assert [each["name"] for each in (*listed["offered"], *listed["excluded"])] == ["Own"]
    form = browser.post(address("en-garde"), plan_form("en-garde", own, other))
    assert form.status_code == 400
    sides = [{"warband": str(row.pk), "role": "warband"} for row in (own, other)]
    sent = {"scenario": "skirmish", "fought_on": "2026-03-07", "sides": sides}
    answer = api.post("/api/v1/battles/", sent, format="json")
    assert answer.status_code == 400 and "unknown-warband" in answer.content.decode()
    assert not Battle.objects.exists() and elsewhere.name == "Bobs pikes"


@pytest.mark.parametrize(("mine", "others"), [("spectator", "player"), ("player", "spectator")])
def test_spectators_neither_challenge_nor_are_challenged(
    club: Club, alice: User, bob: User, mine: str, others: str
) -> None:
    army(alice, "en-garde", "Alices")
    army(bob, "en-garde", "Bobs")
    Membership.objects.filter(user=alice).update(role=mine)
    Membership.objects.filter(user=bob).update(role=others)
    assert [each.name for each in opponents(alice, newest_ruleset("en-garde")).offered] == [
        "Alices"
    ]


def test_former_member_is_not_an_opponent(club: Club, alice: User, bob: User) -> None:
    army(bob, "en-garde", "Bobs")
    Membership.objects.filter(user=bob).delete()
    assert not opponents(alice, newest_ruleset("en-garde")).offered


def test_nothing_of_a_private_roster_is_shown_to_its_opponent(
    club: Club, alice: User, bob: User
) -> None:
    own, other = world.guards(alice), world.landsknechts(bob)
    battle = world.planned_battle(alice, None, own, other)
    browser, api = browser_of(alice), api_of(alice)
    field = reverse("battles:field", args=[battle.pk, "b"])
    assert browser.get(field).status_code == browser.post(field, {"look": "1"}).status_code == 403
    assert browser.get(reverse("warbands:warband", args=[other.pk])).status_code == 404
    assert api.get(f"/api/v1/warbands/{other.pk}/").status_code == 404
    for text in (
        browser.get(reverse("battles:battle", args=[battle.pk])).content.decode(),
        api.get(f"/api/v1/battles/{battle.pk}/").content.decode(),
        browser.get(address("en-garde")).content.decode(),
        api.get(OPPONENTS).content.decode(),
    ):
        assert other.name in text
        assert "Hans" not in text and "Veit" not in text and "Doppelsöldner" not in text
    page = browser.get(reverse("battles:battle", args=[battle.pk])).content.decode()
    assert reverse("warbands:warband", args=[own.pk]) in page
    assert reverse("warbands:warband", args=[other.pk]) not in page, "it would lead nowhere"
    force = Force(tuple(Fighter.objects.filter(warband=other).values_list("pk", flat=True)))
    for verb in (check_force, field_combatants):
        with pytest.raises(Forbidden) as refusal:
            verb(battle_id=battle.pk, side="b", force=force, user=alice)
        assert refusal.value.code == "hidden-roster"
    sent = {"fighters": [str(each) for each in force.fighters], "dry_run": True}
    answer = api.put(f"/api/v1/battles/{battle.pk}/sides/b/combatants/", sent, format="json")
    assert answer.status_code == 403 and "Hans" not in answer.content.decode()


def test_the_card_waits_for_the_owner_of_a_private_warband(
    club: Club, alice: User, bob: User
) -> None:
    own, other = world.guards(alice), world.landsknechts(bob)
    battle = world.planned_battle(alice, None, own, other)
    page = reverse("battles:battle", args=[battle.pk])
    field_combatants(
        battle_id=battle.pk,
        side="a",
        force=Force(tuple(Fighter.objects.filter(warband=own).values_list("pk", flat=True))),
        user=alice,
    )
    html = browser_of(alice).get(page).content.decode()
    assert reverse("battles:field", args=[battle.pk, "b"]) not in html
    assert "Waiting for Der schwarze Haufen to choose a line-up." in html
    assert (
        reverse("battles:field", args=[battle.pk, "b"])
        in browser_of(bob).get(page).content.decode()
    )


def test_without_a_warband_of_the_system_the_page_says_so_first(browsers: Clients) -> None:
    assert (
        "You do not have a warband for Wards yet"
        in browsers.bob.get(address("wards")).content.decode()
    )


def test_the_points_limit_begins_with_room_for_the_own_warband(
    browsers: Clients, alice: User
) -> None:
    own, other = world.guards(alice), world.landsknechts(alice)
    page = browsers.alice.get(address("en-garde"))
    limit = page.context["form"].initial["points_limit"]
    assert limit % 50 == 0 and limit - 50 < max(own.points, 1) <= limit
    form = plan_form("en-garde", own, other, points_limit=str(limit), roll="on")
    assert browsers.alice.post(address("en-garde"), form).status_code == 302
    assert not Combatant.objects.exists()


def test_more_warbands_take_no_more_queries(
    club: Club, alice: User, bob: User, django_assert_num_queries: Any
) -> None:
    army(alice, "en-garde", "Guards")
    army(bob, "en-garde", "Bobs")
    army(bob, "argad", "Pikes")
    with django_assert_num_queries(2):
        opponents(alice, newest_ruleset("en-garde"))
    for number in range(4):
        army(bob, "en-garde", f"Bobs {number}")
        army(bob, "argad", f"Pikes {number}")
    with django_assert_num_queries(2):
        choices = opponents(alice, newest_ruleset("en-garde"))
    assert (len(choices.offered), len(choices.excluded)) == (6, 5)
