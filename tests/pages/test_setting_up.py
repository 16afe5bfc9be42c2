"""Setting up the table on pages: rolled, typed in, shown, and final."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from battles.models import Battle
from campaigns.models import Campaign
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from warbands.models import Warband

pytestmark = pytest.mark.one_database


def address(name: str, battle: Battle) -> str:
    return reverse(f"battles:{name}", args=[battle.pk])


def fresh(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def told(battle: Battle, **typed: Any) -> dict[str, Any]:
    return {"version": str(fresh(battle).version), **typed}


def test_all_of_it_is_rolled_with_one_button(browsers: Clients, planned: Battle) -> None:
    assert "Roll setup" in browsers.bob.get(address("battle", planned)).content.decode()
    browsers.bob.post(address("set-up", planned), told(planned))
    kept = fresh(planned).set_up
    assert kept["throws"]["dice"] and kept["typed"] == []
    page = browsers.dora.get(address("battle", planned)).content.decode()
    assert "Playing area" in page and "rolled" in page and "Roll setup" not in page


def test_what_was_rolled_at_the_table_is_typed_in(browsers: Clients, planned: Battle) -> None:
    typed = {
        "weather": "rain", "hour": "dusk", "locations": ["rural", "urban"], "turns": "9", "area": "36,48",
        "terrain.large": "2", "terrain.small": "3", "deployment": "corners", "reserves": "none",
    }  # fmt: skip
    assert browsers.bob.post(address("set-up", planned), told(planned, **typed)).status_code == 302
    kept = fresh(planned).set_up
    assert (kept["weather"], kept["hour"], kept["turns"], kept["area"]) == (
        "rain",
        "dusk",
        9,
        [36, 48],
    )
    assert kept["locations"] == ["rural", "urban"] and kept["deployment"] == "corners"
    assert kept["terrain"] == {"total": 5, "large": 2, "small": 3}
    lines = {
        line.label: line for line in browsers.dora.get(address("battle", planned)).context["set_up"]
    }
    assert (lines["Weather"].value, lines["Weather"].how) == ("Rain", "typed in")
    assert lines["Location"].value == "Rural and Urban"


def test_what_is_left_open_is_rolled(browsers: Clients, planned: Battle) -> None:
    browsers.bob.post(address("set-up", planned), told(planned, weather="wind"))
    lines = {
        line.label: line.how
        for line in browsers.bob.get(address("battle", planned)).context["set_up"]
    }
    assert lines["Weather"] == "typed in" and lines["Time of day"].startswith("rolled ")
    assert lines["Playing area"] == "by the rules"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("weather", "snow"),
        ("turns", "0"),
        ("turns", "many"),
        ("terrain.large", "-1"),
        ("area", "1,1"),
        ("hour", "x" * 999),
    ],
    ids=["weather", "no turns", "words", "negative", "area", "long"],
)
def test_invalid_setup_value_is_refused_at_field(
    browsers: Clients, planned: Battle, field: str, value: str
) -> None:
    answer = browsers.bob.post(address("set-up", planned), told(planned, **{field: value}))
    assert answer.status_code == 400 and field in answer.context["form"].errors
    assert list(faults(answer.content.decode())) == []
    assert not fresh(planned).set_up.get("throws")


def test_a_table_is_set_up_once(browsers: Clients, planned: Battle) -> None:
    browsers.bob.post(address("set-up", planned), told(planned))
    before = fresh(planned).set_up
    answer = browsers.alice.post(address("set-up", planned), told(planned, weather="rain"))
    assert answer.status_code == 409 and "already been rolled" in answer.content.decode()
    assert fresh(planned).set_up == before


def test_setup_from_stale_page_gets_409(browsers: Clients, planned: Battle) -> None:
    answer = browsers.bob.post(address("set-up", planned), {"version": "77", "weather": "rain"})
    assert answer.status_code == 409


def test_a_plan_may_roll_it_at_once(
    browsers: Clients, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    where = f"{reverse('leagues:plan')}?campaign={campaign.pk}&scenario=skirmish"
    sides = {"warband.0": str(guards.pk), "warband.1": str(haufen.pk)}
    form = {
        "client_id": str(uuid4()),
        "fought_on": "2026-03-07",
        "points_limit": "300",
        "title": "",
        "roll": "on",
    }
    first, again = (browsers.bob.post(where, {**form, **sides}) for _ in range(2))
    assert first["Location"] == again["Location"]
    assert Battle.objects.get().set_up["throws"]["dice"]


def test_a_one_off_plan_is_not_rolled_without_its_points(browsers: Clients, alice: User) -> None:
    warbands = world.guards(alice), world.landsknechts(alice)
    sides = {f"warband.{place}": str(row.pk) for place, row in enumerate(warbands)}
    form = {
        "client_id": str(uuid4()),
        "fought_on": "2026-03-07",
        "points_limit": "",
        "title": "",
        "roll": "on",
    }
    answer = browsers.alice.post(f"{reverse('leagues:plan')}?scenario=skirmish", {**form, **sides})
    assert answer.status_code == 400 and "roll" in answer.context["form"].errors


def test_the_page_is_well_made(browsers: Clients, planned: Battle) -> None:
    assert list(faults(browsers.bob.get(address("set-up", planned)).content.decode())) == []
