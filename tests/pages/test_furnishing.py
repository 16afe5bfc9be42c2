"""What a warband buys as a whole: asked by its rule system, drawn as any other field."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests.pages import world
from tests.pages.conftest import Clients
from warbands.models import Warband
from warbands.reading import read_state
from warbands.services.posts import furnish_warband


@pytest.fixture
def troop(bob: User) -> Warband:
    """A warband of a list that may have a banner and guns."""
    return world.landsknechts(bob)


def page(warband: Warband) -> str:
    return reverse("warbands:furnish", args=[warband.pk])


def bought(browsers: Clients, warband: Warband, **fields: str) -> dict:
    form = browsers.bob.get(page(warband)).context["form"]
    told = {"sequence": form["sequence"].value(), **{name.replace("__", "."): each for name, each in fields.items()}}
    answer = browsers.bob.post(page(warband), told)
    assert answer.status_code == 302, answer.context["form"].errors
    warband.refresh_from_db()
    return dict(read_state(warband).extras)


def test_the_fields_are_those_that_the_list_may_buy(browsers: Clients, troop: Warband) -> None:
    form = browsers.bob.get(page(troop)).context["form"]
    assert "extras.banner" in form.fields
    assert any(name.startswith("extras.ordnance.") for name in form.fields)


def test_guns_are_counted_and_those_that_stay_keep_their_crews(browsers: Clients, troop: Warband, bob: User) -> None:
    form = browsers.bob.get(page(troop)).context["form"]
    gun = next(name for name in form.fields if name.startswith("extras.ordnance.")).removeprefix("extras.ordnance.")
    crew = [str(read_state(troop).roster.fighters[0].id)]
    furnish_warband(warband_id=troop.pk, extras={"ordnance": [{"gun": gun, "crew": crew}]}, user=bob)
    named = read_state(troop).roster.fighters[0].name
    html = browsers.bob.get(reverse("warbands:warband", args=[troop.pk])).content.decode()
    assert f"served by {named}" in html, "its page says who serves it"
    shown = browsers.bob.get(page(troop)).context["form"]
    assert shown[f"extras.ordnance.{gun}"].value() == "1"
    extras = bought(browsers, troop, **{"extras__banner": "true", f"extras__ordnance__{gun}": "1"})
    assert extras == {"banner": True, "ordnance": [{"gun": gun, "crew": crew}]}
    assert bought(browsers, troop, **{f"extras__ordnance__{gun}": "0"}) == {}


def test_too_many_of_a_gun_are_refused_beside_their_field(browsers: Clients, troop: Warband) -> None:
    form = browsers.bob.get(page(troop)).context["form"]
    field = next(name for name in form.fields if name.startswith("extras.ordnance."))
    refused = browsers.bob.post(page(troop), {"sequence": form["sequence"].value(), field: "7"})
    assert refused.status_code == 400
    assert refused.context["form"].errors[field] == ["Give a whole number from 0 to 6."]


def test_morale_and_the_type_of_a_warband_are_chosen_where_the_list_leaves_a_choice(
    browsers: Clients, bob: User
) -> None:
    makers = world.warband_of(bob, "Makers", "custom", [("rank-3", "Ada"), ("rank-1", "Ben"), ("rank-1", "Cuno")])
    form = browsers.bob.get(page(makers)).context["form"]
    kinds = [key for key, _ in form.fields["extras.template"].choices if key]
    morale = [key for key, _ in form.fields["extras.morale"].choices]
    extras = bought(browsers, makers, extras__template=kinds[0], extras__morale=morale[-1])
    assert extras["template"] == kinds[0]
    assert extras.get("morale", int(morale[-1])) == int(morale[-1])
