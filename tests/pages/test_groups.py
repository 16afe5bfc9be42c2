"""Rosters in groups: how they are shown, put in order and filled, on pages and through the API."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.chronicle.facts import Arranged
from tests.battles.test_fighting_wards import BUILDS, war_of
from tests.conftest import browser_of
from warbands.fact_sentences import phrase
from warbands.models import Warband
from warbands.rulebook_values import read_state, ruleset_of_warband
from warbands.selectors.warband_page import warband_page
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.roster_order import Arranging, arrange_warband
from warbands.services.verification import prove
from warbands.services.warbands import copy_warband, muster_warband, show_warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def army(alice: User) -> Warband:
    """Return Alice's army: three Generals, a Van, a Rearguard, cavalry."""
    row = muster_warband(user=alice, ruleset="wards", faction="army", name="Host")
    recruit_fighters(
        warband_id=row.pk, fighters=[NewFighter(build) for build in BUILDS], user=alice
    )
    return Warband.objects.get(pk=row.pk)


def groups_of(army: Warband) -> dict[str, list[str]]:
    """Return the names of the members of each group, in their order."""
    row = Warband.objects.get(pk=army.pk)
    state = read_state(row)
    groups = ruleset_of_warband(row).groups(state.roster)
    return {
        group.name: [state.fighters[fighter].name for fighter in group.fighters] for group in groups
    }


def arranged(army: Warband, *groups: tuple[str, list[str]]) -> tuple[Arranging, ...]:
    ids = {each.name: each.pk for each in army.fighters.all()}
    return tuple(
        Arranging(name, tuple(ids[fighter_name] for fighter_name in names))
        for name, names in groups
    )


def test_a_group_has_its_fighters_by_their_places_and_its_own_sums(
    army: Warband, alice: User
) -> None:
    van, rear, cavalry = warband_page(army, alice).groups
    assert (van.name, rear.name, cavalry.name) == ("Van", "Rearguard", "Cavalry")
    assert [van.places[fighter] for fighter in van.fighters] == [
        "Front",
        "Front",
        "Front",
        "Rear",
        "In reserve",
    ]
    assert [(each.label, each.value) for each in van.figures] == [("Bases", "14")]


def test_groups_and_those_in_them_are_put_in_order(army: Warband, alice: User) -> None:
    before = groups_of(army)
    van, rear = before["Van"], before["Rearguard"]
    arrangement = arranged(army, ("Rearguard", rear), ("Van", [van[1], van[0], *van[2:]]))
    arrange_warband(warband_id=army.pk, groups=arrangement, user=alice)
    after = groups_of(army)
    assert list(after) == ["Rearguard", "Van", "Cavalry"]
    assert after["Van"][:2] == [van[1], van[0]]
    assert prove(Warband.objects.get(pk=army.pk)) == []


def test_somebody_goes_to_another_group_and_to_a_new_one(army: Warband, alice: User) -> None:
    van = groups_of(army)["Van"]
    arrange_warband(warband_id=army.pk, groups=arranged(army, ("Rearguard", [van[0]])), user=alice)
    assert van[0] in groups_of(army)["Rearguard"]
    arrange_warband(
        warband_id=army.pk, groups=arranged(army, ("  Mid  Ward ", [van[0]])), user=alice
    )
    assert groups_of(army)["Mid Ward"] == [van[0]]
    last = army.chronicle.order_by("sequence").last()
    assert last is not None and last.payload["moved"]


def test_unchanged_order_adds_no_fact(army: Warband, alice: User) -> None:
    van = groups_of(army)["Van"]
    arrange_warband(warband_id=army.pk, groups=arranged(army, ("Van", van)), user=alice)
    before = Warband.objects.get(pk=army.pk).sequence
    arrange_warband(warband_id=army.pk, groups=arranged(army, ("Van", van)), user=alice)
    assert Warband.objects.get(pk=army.pk).sequence == before


def test_where_somebody_cannot_stand_nobody_is_moved(army: Warband, alice: User) -> None:
    foot = groups_of(army)["Van"][0]
    with pytest.raises(Exception, match=foot):
        arrange_warband(warband_id=army.pk, groups=arranged(army, ("Cavalry", [foot])), user=alice)
    twice = arranged(army, ("Van", [foot]), ("Rearguard", [foot]))
    with pytest.raises(InvalidInput, match="listed twice"):
        arrange_warband(warband_id=army.pk, groups=twice, user=alice)
    with pytest.raises(StateConflict):
        arrange_warband(warband_id=army.pk, groups=twice[:1], user=alice, sequence=1)
    assert foot in groups_of(army)["Van"]


def test_who_may_not_change_a_warband_does_not_put_it_in_order(
    army: Warband, alice: User, charlie: User
) -> None:
    arrangement = arranged(army, ("Van", groups_of(army)["Van"]))
    with pytest.raises(NotFound):
        arrange_warband(warband_id=army.pk, groups=arrangement, user=charlie)
    show_warband(warband_id=army.pk, user=alice, visibility="public")
    with pytest.raises(Forbidden):
        arrange_warband(warband_id=army.pk, groups=arrangement, user=charlie)


def test_in_play_units_still_change_their_groups_and_a_copy_keeps_the_order(alice: User) -> None:
    war = war_of(alice)
    war.fight(1)
    army = war.companies[0]
    pikes = groups_of(army)["Rearguard"][-1]
    arrange_warband(warband_id=army.pk, groups=arranged(army, ("Van", [pikes])), user=alice)
    assert pikes in groups_of(army)["Van"]
    assert prove(Warband.objects.get(pk=army.pk)) == []
    assert groups_of(copy_warband(warband_id=army.pk, user=alice)) == groups_of(army)


def test_chronicle_describes_arrangement() -> None:
    assert phrase(Arranged(order=("a", "b")), {}) == "reordered its roster"
    fact = Arranged(moved={"a": "Van", "b": ""})
    assert (
        phrase(fact, {"a": "Bows", "b": "Bills"}) == "moved Bows to Van and Bills out of its group"
    )


def test_the_roster_shows_its_groups_as_headings(
    army: Warband, alice: User, client: Client
) -> None:
    client.force_login(alice)
    for view in ("cards", "list", "print"):
        html = client.get(
            reverse("warbands:warband", args=[army.pk]), {"view": view}
        ).content.decode()
        assert (
            html.index("General") < html.index("Van <small>") < html.index("Rearguard <small>")
        ), view


def test_buttons_put_the_roster_in_order(army: Warband, alice: User) -> None:
    browser, address = browser_of(alice), reverse("warbands:arrange", args=[army.pk])
    page = browser.get(address)
    assert page.status_code == 200
    data = {
        name: value for name, value in filled(page.context["form"]).items() if value is not None
    }
    assert browser.post(address, {**data, "step": "down:-Van"}).status_code == 302
    assert list(groups_of(army)) == ["Rearguard", "Van", "Cavalry"]
    bows = army.fighters.get(pk=next(iter(warband_page(army, alice).groups[1].fighters)))
    fresh = filled(browser.get(address).context["form"])
    new = {**fresh, f"group-{bows.pk}": "new", "new_group": "Main", "done": "1"}
    assert browser.post(address, {**fresh, f"group-{bows.pk}": "new"}).status_code == 400
    assert browser.post(address, new)["Location"] == reverse("warbands:warband", args=[army.pk])
    assert groups_of(army)["Main"] == [bows.name]


def filled(form: Any) -> dict[str, Any]:
    """Return the form data of an unchanged form."""
    return {field.html_name: field.value() or "" for field in form}


def test_scripts_put_a_roster_in_order(army: Warband, alice: User) -> None:
    api = APIClient()
    api.force_authenticate(alice)
    van = groups_of(army)["Van"]
    ids = {each.name: str(each.pk) for each in army.fighters.all()}
    wish = {"groups": [{"name": "Rearguard", "fighters": [ids[van[0]]]}]}
    answer = api.post(f"/api/v1/warbands/{army.pk}/arrange/", wish, format="json")
    assert answer.status_code == 200
    rear = next(each for each in answer.json()["groups"] if each["name"] == "Rearguard")
    assert ids[van[0]] in rear["fighters"]
    wish = {"groups": [{"name": "Cavalry", "fighters": [ids[van[0]]]}]}
    refused = api.post(f"/api/v1/warbands/{army.pk}/arrange/", wish, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["fighters"]) == (400, [ids[van[0]]])
