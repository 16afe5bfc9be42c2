"""Recruiting: a form drawn from the list, a price before anything is written, problems at fields."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from campaigns.models import Campaign
from clubs.models import Club
from rulebook.registry import newest_ruleset
from rulebook.ruleset import CampaignTerms, RulesError
from rulebook.values.fields import Field
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.world import named
from warbands.forms.fighters import BuildForm
from warbands.models import Fighter, Warband
from warbands.rulebook_values import read_state

pytestmark = pytest.mark.one_database


@pytest.fixture
def draft(bob: User) -> Warband:
    """Return a warband that is still a draft."""
    return world.landsknechts(bob)


def address(warband: Warband, profile: str, faction: str = "landsknechts") -> str:
    return reverse("warbands:recruit", args=[warband.pk, faction, profile])


def sent(**fields: Any) -> dict[str, Any]:
    return {"name": "", "count": "1", "client_id": str(uuid4()), **fields}


def test_the_profiles_of_the_list_are_offered_with_their_points(
    browsers: Clients, draft: Warband
) -> None:
    page = browsers.bob.get(reverse("warbands:build", args=[draft.pk]))
    assert page.context["lists"][0].profiles[0].name == "Landsknecht"
    assert address(draft, "oberst") in page.content.decode()


def test_a_list_with_allies_offers_their_profiles_too(browsers: Clients, bob: User) -> None:
    spaniards = world.warband_of(bob, "Los Perdidos", "conquistadors", [("soldier", "Diego")])
    page = browsers.bob.get(reverse("warbands:build", args=[spaniards.pk]))
    assert [each.key for each in page.context["lists"]] == ["conquistadors", "aztecs"]


@pytest.mark.parametrize(
    ("house_rules", "others"),
    [
        ({}, {}),
        ({"fantastical": True}, {"fantastical": 6}),
        ({"rank_1_recruits": "base"}, {"custom": 1}),
    ],
    ids=["plain", "fantastical", "base profile of Rank 1"],
)
def test_house_rules_open_other_lists(
    browsers: Clients,
    club: Club,
    alice: User,
    draft: Warband,
    house_rules: dict[str, object],
    others: dict[str, int],
) -> None:
    world.campaign_of(club, alice, draft, running=False, house_rules=house_rules)
    page = browsers.bob.get(reverse("warbands:build", args=[draft.pk]))
    own, *more = page.context["lists"]
    assert own.key == "landsknechts"
    assert {each.key: len(each.profiles) for each in more} == others


def test_what_a_house_rule_opens_can_be_recruited(
    browsers: Clients, club: Club, alice: User, draft: Warband
) -> None:
    world.campaign_of(club, alice, draft, running=False, house_rules={"fantastical": True})
    assert (
        browsers.bob.post(address(draft, "beast", "fantastical"), sent(name="Bruin")).status_code
        == 302
    )
    assert named("Bruin").points == 36 + 1


def test_the_options_of_a_profile_are_drawn_from_the_catalogue(
    browsers: Clients, draft: Warband
) -> None:
    form = browsers.bob.get(address(draft, "doppelsoldner")).context["form"]
    assert [group.name for group in form.groups] == [
        "build.options.exchange-medium-armour",
        "build.options.exchange-pike",
        "build.options.attributes",
    ]
    picks = [key for key, _ in form.fields["build.options.attributes"].choices]
    assert "weapon-master:pike" in picks, (
        "an Attribute that goes with a weapon is offered for each weapon"
    )
    assert "weapon-master" not in picks


def test_recruiting_puts_a_fighter_with_its_options_on_the_roster(
    browsers: Clients, draft: Warband
) -> None:
    form = sent(
        name="Götz",
        **{
            "build.options.exchange-pike": "halberd",
            "build.options.attributes": ["fearless", "tough"],
        },
    )
    assert browsers.bob.post(address(draft, "doppelsoldner"), form).status_code == 302
    fighter = named("Götz")
    assert fighter.points == 22 + 1 + 3 + 3
    assert fighter.state["build"]["options"]["attributes"] == ["fearless", "tough"]


def test_looking_shows_the_price_and_writes_nothing(browsers: Clients, draft: Warband) -> None:
    page = browsers.bob.post(
        address(draft, "landsknecht"), sent(look="1", **{"build.options.exchange-pike": "crossbow"})
    )
    assert page.status_code == 200
    assert page.context["sheet"].points == 16
    assert Fighter.objects.filter(warband=draft).count() == 4


def test_several_join_at_once(browsers: Clients, draft: Warband) -> None:
    browsers.bob.post(address(draft, "landsknecht"), sent(count="5"))
    assert Fighter.objects.filter(warband=draft).count() == 9


def test_a_form_that_is_sent_twice_recruits_once(browsers: Clients, draft: Warband) -> None:
    form = sent(name="Götz")
    for _ in range(2):
        assert browsers.bob.post(address(draft, "landsknecht"), form).status_code == 302
    assert Fighter.objects.filter(warband=draft, name="Götz").count() == 1


def test_too_many_attributes_are_refused_and_nothing_typed_is_lost(
    browsers: Clients, draft: Warband
) -> None:
    form = sent(name="Götz von B.", **{"build.options.attributes": ["fearless", "tough", "fast"]})
    page = browsers.bob.post(address(draft, "doppelsoldner"), form)
    assert page.status_code == 400
    assert page.context["form"].errors["build.options.attributes"]
    body = page.content.decode()
    assert 'value="Götz von B."' in body
    assert body.count("checked") >= 3
    assert Fighter.objects.filter(warband=draft).count() == 4


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("count", "0"),
        ("count", "many"),
        ("count", "999"),
        ("name", "x" * 101),
        ("name", "a\0b"),
        ("client_id", "no id"),
        ("build.options.exchange-pike", "cannon"),
        ("build.options.attributes", ["wings"]),
    ],
)
def test_recruit_form_shows_errors_at_fields(
    browsers: Clients, draft: Warband, field: str, value: str | list[str]
) -> None:
    page = browsers.bob.post(address(draft, "doppelsoldner"), sent(**{field: value}))
    assert page.status_code == 400
    assert field in page.context["form"].errors
    assert Fighter.objects.filter(warband=draft).count() == 4


def test_a_list_or_profile_that_is_not_there_is_not_found(
    browsers: Clients, draft: Warband
) -> None:
    assert browsers.bob.get(address(draft, "general")).status_code == 404
    assert browsers.bob.get(address(draft, "guard", faction="cardinals-guard")).status_code == 404


def test_recruit_needs_edit_rights(browsers: Clients, campaign: Campaign, haufen: Warband) -> None:
    where = address(haufen, "landsknecht")
    assert browsers.nobody.get(where).status_code == 302
    assert browsers.charlie.get(where).status_code == 404
    assert browsers.dora.get(where).status_code == 403
    assert browsers.dora.post(where, sent()).status_code == 403
    assert browsers.alice.get(where).status_code == 200, "the organiser mends anybody's data"


def test_an_organiser_overrules_the_rules_with_a_reason(
    browsers: Clients, alice: User, campaign: Campaign, confirmed: object, guards: Warband
) -> None:
    where = address(guards, "officer", "cardinals-guard")
    late = browsers.alice.post(where, sent(name="Rochefort"))
    assert late.status_code == 400, "nobody above Rank 1 joins after the first game"
    response = browsers.alice.post(
        where, sent(name="Rochefort", overrule="Came with a letter from the Cardinal")
    )
    assert response.status_code == 302
    assert named("Rochefort").warband == guards


def test_a_player_is_not_offered_to_overrule(
    browsers: Clients, campaign: Campaign, haufen: Warband
) -> None:
    assert "overrule" not in browsers.bob.get(address(haufen, "landsknecht")).context["form"].fields
    assert "overrule" in browsers.alice.get(address(haufen, "landsknecht")).context["form"].fields


def test_a_custom_fighter_is_built_from_numbers_movement_and_equipment(
    browsers: Clients, bob: User
) -> None:
    custom = world.warband_of(bob, "Die Freien", "custom", [("rank-3", "Wolf")])
    form = sent(
        name="Rabe",
        **{
            "build.name": "Scout on horseback",
            "build.characteristics.combat_pool": "2",
            "build.characteristics.initiative": "1",
            "build.characteristics.fight": "2",
            "build.characteristics.shoot": "1",
            "build.move": "infantry",
            "build.equipment": ["sword", "horse"],
            "build.options.attributes": ["scout"],
        },
    )
    page = browsers.bob.post(address(custom, "rank-2", "custom"), form)
    assert page.status_code == 302, page.context and page.context["form"].errors
    assert named("Rabe").state["build"]["equipment"] == ["sword", "horse"]


def test_changing_a_build_shows_what_it_has_and_stores_what_is_picked(
    browsers: Clients, draft: Warband
) -> None:
    browsers.bob.post(
        address(draft, "doppelsoldner"),
        sent(name="Götz", **{"build.options.exchange-pike": "halberd"}),
    )
    where = reverse("warbands:equip", args=[named("Götz").pk])
    form = browsers.bob.get(where).context["form"]
    assert form["build.options.exchange-pike"].value() == "halberd"
    data = {"sequence": form["sequence"].value(), "build.options.exchange-pike": "crossbow"}
    assert browsers.bob.post(where, data).status_code == 302
    assert named("Götz").state["build"]["options"] == {"exchange-pike": ["crossbow"]}


def test_equip_refuses_stale_form(browsers: Clients, draft: Warband) -> None:
    where = reverse("warbands:equip", args=[named("Hans").pk])
    stale = {"sequence": browsers.bob.get(where).context["form"]["sequence"].value()}
    browsers.bob.post(address(draft, "landsknecht"), sent())
    assert (
        browsers.bob.post(where, {**stale, "build.options.exchange-pike": "halberd"}).status_code
        == 409
    )


def test_up_to_two_pistols_can_be_asked_for_and_are_shown_again(
    browsers: Clients, bob: User
) -> None:
    troop = world.warband_of(bob, "Ironsides", "english-civil-war", [("horse", "Oliver")])
    page = address(troop, "horse", "english-civil-war")
    assert [
        key
        for key, _ in browsers.bob.get(page).context["form"].fields["build.options.pistol"].choices
    ] == [
        "",
        "pistol",
        "pistol,pistol",
    ]
    assert '2 × Pistol<span class="price">+10</span>' in browsers.bob.get(page).content.decode()
    assert (
        browsers.bob.post(
            page, sent(name="Noll", **{"build.options.pistol": "pistol,pistol"})
        ).status_code
        == 302
    )
    assert named("Noll").points == 29 + 10
    equipping = browsers.bob.get(reverse("warbands:equip", args=[named("Noll").pk]))
    assert equipping.context["form"]["build.options.pistol"].initial == "pistol,pistol"


@pytest.fixture
def makers(bob: User) -> Warband:
    """Return a custom warband."""
    return world.warband_of(
        bob, "Makers", "custom", [("rank-3", "Ada"), ("rank-1", "Ben"), ("rank-1", "Cuno")]
    )


def test_custom_fighter_keeps_two_pistols(browsers: Clients, makers: Warband) -> None:
    page = address(makers, "rank-3", "custom")
    fields = browsers.bob.get(page).context["form"].fields
    assert "pistol" not in {key for key, _ in fields["build.equipment"].choices}
    assert [key for key, _ in fields["build.pistols"].choices] == ["", "pistol", "pistol,pistol"]
    kwargs = {"build.equipment": ["sword"], "build.pistols": "pistol,pistol"}
    assert browsers.bob.post(page, sent(name="Noll", **kwargs)).status_code == 302
    assert named("Noll").state["build"]["equipment"] == ["sword", "pistol", "pistol"]
    where = reverse("warbands:equip", args=[named("Noll").pk])
    form = browsers.bob.get(where).context["form"]
    assert (form["build.equipment"].value(), form["build.pistols"].value()) == (
        ["sword"],
        "pistol,pistol",
    )
    again = {
        **kwargs,
        "sequence": form["sequence"].value(),
        "build.equipment": ["sword", "buckler"],
    }
    assert browsers.bob.post(where, again).status_code == 302
    assert named("Noll").state["build"]["equipment"].count("pistol") == 2


def on_sale(browsers: Clients, warband: Warband) -> set[str]:
    form = browsers.bob.get(address(warband, "rank-3", "custom")).context["form"]
    return {key for key, _ in form.fields["build.equipment"].choices}


def test_custom_fighters_are_offered_what_they_can_buy_and_nothing_else(
    browsers: Clients, makers: Warband
) -> None:
    offered = on_sale(browsers, makers)
    assert {"sword", "musket", "bayonet", "heavy-armour", "warhorse", "light-barding"} <= offered
    assert not offered & {
        "pistol-in-close-combat",
        "natural-armour",
        "staff-of-solomon",
        "poison:sword",
        "holy-relic",
    }
    form = browsers.bob.get(address(makers, "rank-3", "custom")).context["form"]
    assert [key for key, _ in form.fields["build.move"].choices] == [
        "slow",
        "infantry",
        "fast",
        "cavalry",
    ]
    assert "build.spells" not in form.fields


@pytest.mark.parametrize(
    ("house_rules", "more"),
    [
        ({"poison": True}, {"poison:sword", "poison:bow"}),
        ({"fantastical": True}, {"holy-relic", "weapon-of-striking:pike"}),
    ],
    ids=["poison", "fantastical"],
)
def test_house_rules_put_more_on_sale(
    browsers: Clients,
    club: Club,
    alice: User,
    makers: Warband,
    house_rules: dict[str, object],
    more: set[str],
) -> None:
    assert not on_sale(browsers, makers) & more
    world.campaign_of(club, alice, makers, running=False, house_rules=house_rules)
    assert more <= on_sale(browsers, makers)


def test_a_magician_is_made_with_its_spells(
    browsers: Clients, club: Club, alice: User, makers: Warband
) -> None:
    world.campaign_of(club, alice, makers, running=False, house_rules={"fantastical": True})
    magic = {
        "build.options.attributes": ["magician"],
        "build.spells": ["heal", "mist"],
        "build.equipment": ["dagger", "item-of-power"],
    }
    assert (
        browsers.bob.post(
            address(makers, "rank-3", "custom"), sent(name="Merle", **magic)
        ).status_code
        == 302
    )
    merle = named("Merle")
    assert merle.points == 15 + 12 + 4
    assert merle.state["build"]["spells"] == ["heal", "mist"]
    form = browsers.bob.get(reverse("warbands:equip", args=[merle.pk])).context["form"]
    assert form["build.spells"].initial == ["heal", "mist"]


def test_a_custom_fighters_name_is_not_that_of_its_kind(browsers: Clients, makers: Warband) -> None:
    page = address(makers, "rank-2", "custom")
    data = sent(
        name="Rabe",
        **{"build.name": "Scout", "build.move": "infantry", "build.characteristics.fight": "1"},
    )
    assert browsers.bob.post(page, data).status_code == 302
    assert named("Rabe").state["build"]["name"] == "Scout"
    assert "move" not in named("Rabe").state["build"]


def test_what_a_veteran_kept_stays_when_its_options_change(
    browsers: Clients, draft: Warband
) -> None:
    fighter = named("Hans")
    fighter.state["build"]["kept"] = {"equipment": ["buckler"]}
    form = BuildForm(
        {"build.options.exchange-pike": "halberd"},
        build=fighter.state["build"],
        rules_fields=newest_ruleset("en-garde").build_fields(
            fighter.state["build"], read_state(draft).terms
        ),
        rules=newest_ruleset("en-garde"),
    )
    assert form.is_valid()
    assert form.build["kept"] == {"equipment": ["buckler"]}
    assert form.build["options"] == {"exchange-pike": ["halberd"]}


@pytest.mark.parametrize("ticked", [True, False])
def test_default_tick_can_be_removed(ticked: bool) -> None:
    colours = Field("colours", "Colours", kind="flag", default=True)
    data, rules = {"build.colours": "true"} if ticked else {}, newest_ruleset("avant-garde")
    form = BuildForm(data, build={"profile": "guard"}, rules_fields=[colours], rules=rules)
    assert form.is_valid() and form.build == {"profile": "guard", "colours": ticked}


@pytest.mark.parametrize(("bases", "valid"), [("3", True), ("5", False)])
def test_a_unit_that_becomes_a_gun_loses_its_bases_unless_they_were_changed(
    bases: str, valid: bool
) -> None:
    rules, terms = newest_ruleset("wards"), CampaignTerms("army")
    build = rules.clean_build({"bases": 3, "half": True}, terms)
    data = {
        "build.arm": "light-gun",
        "build.quality": "retinue",
        "build.bases": bases,
        "build.half": "on",
    }
    form = BuildForm(data, build=build, rules_fields=rules.build_fields(build, terms), rules=rules)
    assert form.is_valid()
    if valid:
        assert rules.clean_build(form.build, terms)["bases"] == 0
        return
    with pytest.raises(RulesError) as refusal:
        rules.clean_build(form.build, terms)
    assert [(each.code, each.field) for each in refusal.value.problems] == [
        ("arm-without-bases", "bases")
    ]
