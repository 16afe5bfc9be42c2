"""Purchases for the whole warband: fields of its rule system, drawn like any other."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests.pages import world
from tests.pages.conftest import Clients
from warbands.models import Warband
from warbands.rulebook_values import read_state
from warbands.services.posts import furnish_warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def troop(bob: User) -> Warband:
    """Return a warband of a list that may have a banner and guns."""
    return world.landsknechts(bob)


def page(warband: Warband) -> str:
    return reverse("warbands:furnish", args=[warband.pk])


def bought(browsers: Clients, warband: Warband, **fields: str) -> dict:
    form = browsers.bob.get(page(warband)).context["form"]
    data = {
        "sequence": form["sequence"].value(),
        **{name.replace("__", "."): each for name, each in fields.items()},
    }
    answer = browsers.bob.post(page(warband), data)
    assert answer.status_code == 302, answer.context["form"].errors
    warband.refresh_from_db()
    return dict(read_state(warband).extras)


def test_the_fields_are_those_that_the_list_may_buy(browsers: Clients, troop: Warband) -> None:
    form = browsers.bob.get(page(troop)).context["form"]
    assert "extras.banner" in form.fields
    assert any(name.startswith("extras.ordnance.") for name in form.fields)


def test_a_player_chooses_who_serves_which_gun(
    browsers: Clients, troop: Warband, bob: User
) -> None:
    form = browsers.bob.get(page(troop)).context["form"]
    gun = next(name for name in form.fields if name.startswith("extras.ordnance.")).removeprefix(
        "extras.ordnance."
    )
    assert not [name for name in form.fields if name.startswith("extras.crews.")], (
        "nothing to serve as yet"
    )
    data = {"sequence": form["sequence"].value(), f"extras.ordnance.{gun}": "1"}
    assert browsers.bob.post(page(troop), data)["Location"] == page(troop), (
        "what was bought is to be served"
    )
    html = browsers.bob.get(reverse("warbands:warband", args=[troop.pk])).content.decode()
    assert "served by anybody" in html, "as long as nobody is named"
    form, field = browsers.bob.get(page(troop)).context["form"], f"extras.crews.{gun}:1"
    by_id = {fighter.id: fighter.name for fighter in read_state(troop).roster.fighters}
    crew = [key for key, _ in form.fields[field].choices][:2]
    data = {"sequence": form["sequence"].value(), f"extras.ordnance.{gun}": "1", field: crew}
    answer = browsers.bob.post(page(troop), data)
    html = browsers.bob.get(answer["Location"]).content.decode()
    assert answer["Location"] == reverse("warbands:warband", args=[troop.pk])
    assert f"served by {by_id[crew[0]]} and {by_id[crew[1]]}" in html, "its page says who serves it"
    form = browsers.bob.get(page(troop)).context["form"]
    assert form[field].value() == crew
    refused = browsers.bob.post(
        page(troop), {**data, "sequence": form["sequence"].value(), field: ["nobody"]}
    )
    assert refused.status_code == 400


def test_guns_that_are_only_counted_keep_their_crews(
    browsers: Clients, troop: Warband, bob: User
) -> None:
    crew = [str(read_state(troop).roster.fighters[0].id)]
    furnish_warband(
        warband_id=troop.pk, extras={"ordnance": [{"gun": "swivel-gun", "crew": crew}]}, user=bob
    )
    furnish_warband(
        warband_id=troop.pk, extras={"banner": True, "ordnance": {"swivel-gun": 1}}, user=bob
    )
    troop.refresh_from_db()
    extras = read_state(troop).extras
    assert extras == {"banner": True, "ordnance": [{"gun": "swivel-gun", "crew": crew}]}
    unticked = bought(
        browsers, troop, extras__banner="true", **{"extras__ordnance__swivel-gun": "1"}
    )
    assert unticked == {"banner": True, "ordnance": [{"gun": "swivel-gun"}]}, (
        "on the page every name stands to tick"
    )
    assert bought(browsers, troop, **{"extras__ordnance__swivel-gun": "0"}) == {}


def test_purchase_refuses_too_many_guns_at_field(browsers: Clients, troop: Warband) -> None:
    form = browsers.bob.get(page(troop)).context["form"]
    field = next(name for name in form.fields if name.startswith("extras.ordnance."))
    refused = browsers.bob.post(page(troop), {"sequence": form["sequence"].value(), field: "7"})
    assert refused.status_code == 400
    assert refused.context["form"].errors[field] == ["Enter a whole number from 0 to 6."]


def test_morale_and_the_type_of_a_warband_are_chosen_where_the_list_leaves_a_choice(
    browsers: Clients, bob: User
) -> None:
    makers = world.warband_of(
        bob, "Makers", "custom", [("rank-3", "Ada"), ("rank-1", "Ben"), ("rank-1", "Cuno")]
    )
    form = browsers.bob.get(page(makers)).context["form"]
    kinds = [key for key, _ in form.fields["extras.template"].choices if key]
    morale = [key for key, _ in form.fields["extras.morale"].choices]
    extras = bought(browsers, makers, extras__template=kinds[0], extras__morale=morale[-1])
    assert extras["template"] == kinds[0]
    assert extras.get("morale", int(morale[-1])) == int(morale[-1])
