"""Campaigns: planning, rules, entering, start and end; their log and standings."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from battles.models import Battle
from campaigns.models import Campaign, Enrolment
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club
from clubs.services.members import add_guest
from tests.pages import world
from tests.pages.conftest import Clients
from warbands.models import Warband
from warbands.signed import update_signed

pytestmark = pytest.mark.one_database

PLAN = {
    "name": "The Hard Winter",
    "ruleset": "en-garde",
    "points": "300",
    "games": "",
    "format": "linked",
    "visibility": "private",
    "story": "",
}


TABS = ("finish", "campaign", "fixtures", "warbands", "log", "standings", "honours", "settings")


def address(name: str, campaign: Campaign) -> str:
    return reverse(f"{'leagues' if name in TABS else 'campaigns'}:{name}", args=[campaign.pk])


def house_rules(browsers: Clients, campaign: Campaign) -> dict[str, Any]:
    """Return the house rules as the form shows them."""
    form = browsers.alice.get(address("house-rules", campaign)).context["form"]
    shown = {field.name: field.value() for field in form}
    return {
        name: ("on" if value is True else value)
        for name, value in shown.items()
        if value not in (None, False)
    }


def test_a_plan_needs_a_name_and_points_and_an_open_end_is_fine(
    browsers: Clients, club: Club
) -> None:
    where = reverse("campaigns:plan", args=[club.pk])
    bad = browsers.alice.post(where, {**PLAN, "name": "", "points": "0"})
    assert bad.status_code == 400
    assert set(bad.context["form"].errors) == {"name", "points"}
    assert browsers.alice.post(where, PLAN).status_code == 302
    assert Campaign.objects.get(name="The Hard Winter").games is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("points", "a lot"),
        ("games", "-1"),
        ("format", "cup"),
        ("visibility", "secret"),
        ("ruleset", "chess"),
    ],
)
def test_invalid_plan_is_refused_at_field(
    browsers: Clients, club: Club, field: str, value: str
) -> None:
    page = browsers.alice.post(reverse("campaigns:plan", args=[club.pk]), {**PLAN, field: value})
    assert page.status_code == 400
    assert set(page.context["form"].errors) == {field}


@pytest.mark.parametrize(
    ("key", "points", "classic"),
    [("en-garde", 300, True), ("argad", None, False), ("avant-garde", 1000, False)],
)
def test_plan_form_follows_rule_system(
    browsers: Clients, club: Club, key: str, points: int | None, classic: bool
) -> None:
    where = reverse("campaigns:plan", args=[club.pk])
    form = browsers.alice.get(where, {"ruleset": key}).context["form"]
    assert form["ruleset"].value() == key
    assert ("points" in form.fields) is (points is not None)
    assert points is None or form["points"].value() == points
    assert ("classic" in dict(form.fields["format"].choices)) is classic


def test_plan_without_points_creates_campaign(browsers: Clients, club: Club) -> None:
    where = reverse("campaigns:plan", args=[club.pk])
    plan = {**PLAN, "ruleset": "argad", "name": "The Ford"}
    assert browsers.alice.post(where, plan).status_code == 302
    assert Campaign.objects.get(name="The Ford").points is None


def test_house_rules_are_grouped_and_changed_ones_come_first(
    browsers: Clients, campaign: Campaign
) -> None:
    form = browsers.alice.get(address("house-rules", campaign)).context["form"]
    groups = [group for group, _ in form.default_rules]
    assert groups[:2] == ["Warbands", "Campaigns"] and len(groups) == len({*groups})
    assert form.changed_rules == []
    Campaign.objects.update(house_rules={"size_limit": "forbid"})
    form = browsers.alice.get(address("house-rules", campaign)).context["form"]
    assert [line.rule.key for line in form.changed_rules] == ["size_limit"]
    assert "size_limit" not in {line.rule.key for _, rules in form.default_rules for line in rules}


def test_settings_group_house_rules_and_show_changed_ones_first(
    browsers: Clients, campaign: Campaign
) -> None:
    Campaign.objects.update(house_rules={"size_limit": "forbid"})
    page = browsers.dora.get(reverse("leagues:settings", args=[campaign.pk]))
    assert [line.rule.key for line in page.context["changed_rules"]] == ["size_limit"]
    groups = [group for group, _ in page.context["default_rules"]]
    assert groups[:2] == ["Warbands", "Campaigns"] and len(groups) == len({*groups})
    body = page.content.decode()
    assert body.index("<h3>Warbands</h3>") > body.index("<td><b>")
    keys = {line.rule.key for _, lines in page.context["default_rules"] for line in lines}
    assert "size_limit" not in keys and body.count('<dl class="facts defaults">') == len(groups)


def test_points_are_bound_once_somebody_has_enrolled(browsers: Clients, campaign: Campaign) -> None:
    form = browsers.alice.get(address("change", campaign)).context["form"]
    assert form.fields["points"].disabled and form.fields["format"].disabled


def test_stale_plan_is_refused(browsers: Clients, club: Club, alice: User) -> None:
    campaign = world.campaign_of(club, alice, running=False)
    data = {**PLAN, "version": campaign.version}
    assert browsers.alice.post(address("change", campaign), data).status_code == 302
    page = browsers.alice.post(address("change", campaign), {**data, "name": "Too late"})
    assert page.status_code == 409
    assert "Too late" in page.content.decode()


def test_house_rules_are_previewed_then_saved(browsers: Clients, campaign: Campaign) -> None:
    where = address("house-rules", campaign)
    data = {**house_rules(browsers, campaign), "prices": "printed"}
    looked = browsers.alice.post(where, {**data, "preview": "1"})
    assert looked.status_code == 200
    preview = looked.context["preview"]
    assert [change.key for change in preview.settings] == ["prices"]
    guards = next(change for change in preview.warbands if change.name == "Compagnie du Cardinal")
    assert guards.points_before - guards.points_after == 2, (
        "an Officer is printed at 16 and adds up to 18"
    )
    campaign.refresh_from_db()
    assert campaign.house_rules == {}
    assert (
        browsers.alice.post(where, {**data, "commit": "1", "reason": "As printed"}).status_code
        == 302
    )
    campaign.refresh_from_db()
    assert campaign.house_rules == {"prices": "printed"}


def test_house_rules_need_a_reason(browsers: Clients, campaign: Campaign) -> None:
    data = {**house_rules(browsers, campaign), "prices": "printed"}
    shown = browsers.alice.post(address("house-rules", campaign), {**data, "preview": "1"})
    assert shown.context["form"].fields["reason"].required, "so its label must not say optional"
    page = browsers.alice.post(address("house-rules", campaign), {**data, "commit": "1"})
    assert page.status_code == 400
    assert "reason" in page.context["form"].errors
    assert page.context["preview"].settings == shown.context["preview"].settings


def test_house_rules_that_change_nothing_are_refused(browsers: Clients, campaign: Campaign) -> None:
    data = {**house_rules(browsers, campaign), "preview": "1"}
    assert browsers.alice.post(address("house-rules", campaign), data).status_code == 400


def test_unknown_house_rule_is_refused_at_field(browsers: Clients, campaign: Campaign) -> None:
    data = {**house_rules(browsers, campaign), "prices": "cheap", "preview": "1"}
    assert set(
        browsers.alice.post(address("house-rules", campaign), data).context["form"].errors
    ) == {"prices"}


def test_everybody_sees_the_house_rules_with_their_sources(
    browsers: Clients, campaign: Campaign
) -> None:
    body = browsers.dora.get(address("settings", campaign)).content.decode()
    assert "#ruling-d2" in body and "Muster’s own" in body.replace("Muster's", "Muster&#x27;s")


def test_the_scoring_changes_and_its_rule_is_shown(browsers: Clients, campaign: Campaign) -> None:
    form = browsers.alice.get(address("scoring", campaign)).context["form"]
    data = {field.name: "" if field.value() is None else field.value() for field in form} | {
        "win": "5",
        "tie_0": "won",
        "tie_1": "",
        "tie_2": "",
    }
    data["tie_3"] = ""
    assert browsers.alice.post(address("scoring", campaign), data).status_code == 302
    table = browsers.bob.get(address("standings", campaign))
    assert "5 for a win" in table.content.decode()
    assert "battles won" in table.content.decode()


def test_a_scoring_upside_down_is_refused(browsers: Clients, campaign: Campaign) -> None:
    form = browsers.alice.get(address("scoring", campaign)).context["form"]
    data = {field.name: "" if field.value() is None else field.value() for field in form} | {
        "win": "0",
        "loss": "3",
    }
    page = browsers.alice.post(address("scoring", campaign), data)
    assert page.status_code == 400
    assert "win" in page.context["form"].errors


def test_a_player_enrols_a_warband(
    browsers: Clients, club: Club, alice: User, haufen: Warband
) -> None:
    campaign = world.campaign_of(club, alice, running=False)
    data = {"warband_id": str(haufen.pk), "colour": "#2e4a7a"}
    chosen = browsers.bob.get(address("enrol", campaign)).context["form"]["warband_id"].value()
    assert chosen == haufen.pk, "the only one is chosen already: two clicks"
    answer = browsers.bob.post(address("enrol", campaign), data)
    assert answer["Location"] == address("warbands", campaign)
    assert Enrolment.objects.get(warband=haufen).colour == "#2e4a7a"


def test_player_is_needed_for_warband_of_a_guest(
    browsers: Clients, club: Club, alice: User
) -> None:
    campaign = world.campaign_of(club, alice, running=False)
    guest = add_guest(club_id=club.pk, user=alice, name="Greta")
    ownerless = world.guards(alice, "Greta's Guard")
    Warband.objects.filter(pk=ownerless.pk).update(owner=None, keeper=alice)
    where = address("enrol", campaign)

    def label() -> str:
        page = " ".join(browsers.alice.get(where).content.decode().split())
        return page.partition('for="id_player_id"')[2].partition("</label>")[0]

    # Only a guest's warband: a player has to be chosen.
    form = browsers.alice.get(where).context["form"]
    assert "(optional)" not in label() and form["player_id"].field.required
    refused = browsers.alice.post(where, {"warband_id": ownerless.pk, "player_id": ""})
    assert refused.status_code == 400 and set(refused.context["form"].errors) == {"player_id"}
    # Beside an own warband it depends on the choice, so the field says when it is needed.
    own = world.guards(alice)
    form = browsers.alice.get(where).context["form"]
    assert "(optional)" not in label() and not form["player_id"].field.required
    assert "it has no owner" in form["player_id"].help_text
    refused = browsers.alice.post(where, {"warband_id": ownerless.pk, "player_id": ""})
    assert refused.status_code == 400 and set(refused.context["form"].errors) == {"player_id"}
    data = {"warband_id": ownerless.pk, "player_id": guest.pk}
    assert browsers.alice.post(where, data).status_code == 302
    # With own warbands only it is optional.
    assert "(optional)" in label()
    assert browsers.alice.post(where, {"warband_id": own.pk}).status_code == 302


def test_enter_button_stops_being_primary_once_entered(
    browsers: Clients, club: Club, alice: User, bob: User, haufen: Warband
) -> None:
    campaign = world.campaign_of(club, alice, world.guards(alice), running=False)
    enter, pages = address("enrol", campaign), ("campaign", "warbands")
    for page in pages:
        html = browsers.bob.get(address(page, campaign)).content.decode()
        assert f'class="button" href="{enter}"' in " ".join(html.split()), page
    enrol_warband(campaign_id=campaign.pk, warband_id=haufen.pk, user=bob)
    overview, warbands = (
        " ".join(browsers.bob.get(address(page, campaign)).content.decode().split())
        for page in pages
    )
    assert enter not in overview
    assert f'class="button second" href="{enter}"' in warbands and "Enter another" in warbands


def test_enter_page_without_free_warbands_has_no_form(
    browsers: Clients, campaign: Campaign
) -> None:
    page = browsers.bob.get(address("enrol", campaign))
    html = page.content.decode()
    assert page.context["offered"] == [] and reverse("warbands:muster") in html
    assert 'name="warband_id"' not in html and 'name="colour"' not in html


def test_tabs_have_titles_of_their_own(browsers: Clients, campaign: Campaign) -> None:
    tabs = ("campaign", "warbands", "log", "standings", "honours", "settings")
    addresses = [address(tab, campaign) for tab in tabs]
    addresses += [reverse("leagues:fixtures", args=[campaign.pk])]
    titles = [
        " ".join(re.search("<title>(.*?)</title>", page, re.DOTALL)[1].split())  # type: ignore[index]
        for page in (browsers.bob.get(each).content.decode() for each in addresses)
    ]
    assert len(set(titles)) == len(titles)
    assert titles[3] == f"Standings · {campaign.name} · Muster"


def test_settings_fold_house_rules_at_their_defaults(browsers: Clients, campaign: Campaign) -> None:
    page = browsers.bob.get(address("settings", campaign))
    assert page.context["changed_rules"] == []
    assert "No house rules changed." in page.content.decode()
    assert ">the same<" not in page.content.decode()
    update_signed(Campaign.objects.all(), house_rules={"size_limit": "forbid"})
    changed = browsers.bob.get(address("settings", campaign)).context["changed_rules"]
    assert [each.rule.key for each in changed] == ["size_limit"]


def test_settings_have_anchors_of_start_and_end(
    browsers: Clients, club: Club, campaign: Campaign, alice: User
) -> None:
    young = world.campaign_of(club, alice, running=False)
    assert 'id="start"' in browsers.alice.get(address("settings", young)).content.decode()
    assert 'id="end"' in browsers.alice.get(address("settings", campaign)).content.decode()


def test_what_stands_against_a_warband_is_shown_before_it_enrols(
    browsers: Clients, club: Club, alice: User, bob: User
) -> None:
    campaign = world.campaign_of(club, alice, running=False, points=50)
    dear = world.landsknechts(bob, "Die Teuren")
    page = browsers.bob.get(address("enrol", campaign), {"warband": str(dear.pk)})
    assert [problem.code for problem in page.context["problems"]]
    refused = browsers.bob.post(
        address("enrol", campaign), {"warband_id": str(dear.pk), "colour": ""}
    )
    assert refused.status_code == 400
    assert not Enrolment.objects.filter(warband=dear).exists()
    data = {"warband_id": str(dear.pk), "colour": "", "overrule": "For one summer"}
    assert browsers.alice.post(address("enrol", campaign), data).status_code == 400, (
        "nor is it hers to offer"
    )


def test_organiser_overrides_entry_with_reason(browsers: Clients, club: Club, alice: User) -> None:
    campaign = world.campaign_of(club, alice, running=False, points=20)
    dear = world.guards(alice)
    data = {"warband_id": str(dear.pk), "colour": "", "overrule": "For one summer"}
    assert browsers.alice.post(address("enrol", campaign), data).status_code == 302
    assert "For one summer" in browsers.dora.get(address("warbands", campaign)).content.decode()


def test_a_stranger_s_warband_cannot_be_chosen(
    browsers: Clients, campaign: Campaign, charlie: User
) -> None:
    foreign = world.landsknechts(charlie, "Fremde")
    page = browsers.bob.post(
        address("enrol", campaign), {"warband_id": str(foreign.pk), "colour": ""}
    )
    assert page.status_code == 400
    assert set(page.context["form"].errors) == {"warband_id"}


def test_a_warband_withdraws(browsers: Clients, campaign: Campaign, haufen: Warband) -> None:
    enrolment = Enrolment.objects.get(warband=haufen)
    browsers.bob.post(reverse("leagues:withdraw", args=[enrolment.pk]), {"reason": "The harvest"})
    enrolment.refresh_from_db()
    assert enrolment.left_at is not None


def test_organiser_of_a_new_league_is_led_to_its_rounds(
    browsers: Clients, club: Club, alice: User, bob: User
) -> None:
    warbands = world.guards(alice), world.landsknechts(bob)
    league = world.campaign_of(club, alice, *warbands, running=False, format="table")
    started = browsers.alice.post(address("start", league), follow=True)
    assert started.redirect_chain[0][0] == address("fixtures", league)
    body = started.content.decode()
    assert (
        "Next: create rounds" in body and reverse("leagues:make-rounds", args=[league.pk]) in body
    )
    again = browsers.alice.post(address("start", league))
    assert again["Location"] == address("campaign", league), "it runs already"


def test_a_campaign_begins_and_ends(browsers: Clients, club: Club, alice: User, bob: User) -> None:
    campaign = world.campaign_of(
        club, alice, world.guards(alice), world.landsknechts(bob), running=False
    )
    browsers.alice.post(address("start", campaign))
    campaign.refresh_from_db()
    assert campaign.state == "running"
    world.paired(campaign, alice)
    response = browsers.alice.get(address("finish", campaign))
    assert "Fixtures that will not be played" in response.content.decode()
    assert browsers.alice.post(address("finish", campaign)).status_code == 200, "asked, not done"
    browsers.alice.post(address("finish", campaign), {"commit": "1", "version": campaign.version})
    campaign.refresh_from_db()
    assert campaign.state == "finished"
    shown = browsers.alice.get(address("reopen", campaign)).content.decode()
    assert shown.count("returns.") == 2
    assert (
        browsers.alice.post(
            address("reopen", campaign), {"commit": "1", "version": "1"}
        ).status_code
        == 409
    )
    browsers.alice.post(address("reopen", campaign), {"commit": "1", "version": campaign.version})
    campaign.refresh_from_db()
    assert campaign.state == "running"


def test_finish_campaign_refuses_open_battles(
    browsers: Clients, campaign: Campaign, alice: User
) -> None:
    bands = [
        row.warband for row in campaign.enrolments.select_related("warband").order_by("enrolled_at")
    ]
    world.planned_battle(alice, campaign, *bands, title="The last ford")
    body = browsers.alice.get(address("finish", campaign)).content.decode()
    assert "The last ford" in body and "Battles without a confirmed result" in body
    assert 'name="commit"' not in body
    assert (
        browsers.alice.post(
            address("finish", campaign), {"commit": "1", "version": campaign.version}
        ).status_code
        == 400
    )


def test_a_campaign_with_one_warband_does_not_begin_and_says_why(
    browsers: Clients, club: Club, alice: User
) -> None:
    campaign = world.campaign_of(club, alice, world.guards(alice), running=False)
    page = browsers.alice.post(address("start", campaign), follow=True)
    assert "A campaign needs 2 warbands." in page.content.decode()


def test_planned_campaign_is_deleted(browsers: Clients, club: Club, alice: User) -> None:
    campaign = world.campaign_of(club, alice, running=False)
    assert browsers.alice.get(address("cancel", campaign)).status_code == 200
    assert browsers.alice.post(address("cancel", campaign)).status_code == 200, "asked, not done"
    browsers.alice.post(address("cancel", campaign), {"commit": "1", "version": campaign.version})
    assert not Campaign.objects.filter(pk=campaign.pk).exists()


def test_the_log_is_narrowed_by_warband_and_kind(
    browsers: Clients, campaign: Campaign, confirmed: Battle, haufen: Warband
) -> None:
    where = address("log", campaign)
    everything = browsers.dora.get(where).context["lines"]
    of_one = browsers.dora.get(where, {"warband": str(haufen.pk)}).context["lines"]
    fought = browsers.dora.get(where, {"warband": str(haufen.pk), "kind": "fought"}).context[
        "lines"
    ]
    assert {line.warband for line in of_one} == {haufen.pk} < {line.warband for line in everything}
    assert [line.kind for line in fought] == ["fought"]


@pytest.mark.parametrize(
    "query", [{"warband": "nobody"}, {"kind": "magic"}, {"page": "nine"}, {"page": "-4"}]
)
def test_a_filter_that_makes_no_sense_narrows_nothing_down(
    browsers: Clients, campaign: Campaign, query: dict[str, str]
) -> None:
    page = browsers.dora.get(address("log", campaign), query)
    assert page.status_code == 200
    assert len(page.context["lines"]) == 2


def test_the_table_counts_what_was_fought(
    browsers: Clients, campaign: Campaign, confirmed: Battle
) -> None:
    rows = browsers.dora.get(address("standings", campaign)).context["standings"].rows
    assert [row.played for row in rows] == [1, 1]
    assert (
        "Ties are broken by" in browsers.dora.get(address("standings", campaign)).content.decode()
    )
