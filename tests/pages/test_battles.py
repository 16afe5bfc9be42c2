"""A battle through the pages: planned, fielded, begun, logged, reviewed, submitted, confirmed or
disputed."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.models import Battle, BattleEvent, Combatant
from battles.selectors.log_history import page_of
from battles.services.logbook import NewEvent, log_events
from battles.services.planning import describe_battle
from battles.services.review import Decision, decide_battle, submit_battle
from campaigns.models import Campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club
from rulebook.chronicle.facts import Appointed
from tests.conftest import api_of
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from tests.pages.world import named
from warbands.models import Fighter, Warband
from warbands.services.chronicle import append_facts
from warbands.services.posts import appoint

pytestmark = pytest.mark.one_database


def address(name: str, battle: Battle, *more: Any) -> str:
    return reverse(f"battles:{name}", args=[battle.pk, *more])


def fresh(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def row(place: int = 0, kind: str = "wound", **fields: Any) -> dict[str, Any]:
    """Return the form data of one row of a result, with its own id."""
    values = {f"{kind}-{place}-{name}": value for name, value in fields.items()}
    return {f"rows_{kind}": str(place + 1), f"{kind}-{place}-client_id": str(uuid4()), **values}


def hit(place: int = 0, **more: Any) -> dict[str, Any]:
    """Return a row in which Jussac hits Hans."""
    kwargs = {"attacker": named("Jussac").pk, "victim": named("Hans").pk, "result": "light", **more}
    return row(place, **kwargs)


# Planning


def test_every_scenario_is_offered(browsers: Clients, campaign: Campaign) -> None:
    page = browsers.bob.get(
        reverse("leagues:plan"), {"campaign": str(campaign.pk), "scenario": "all"}
    )
    assert [scenario.key for scenario in page.context["scenarios"]][:3] == [
        "skirmish",
        "capture",
        "duel",
    ]
    assert len(page.context["scenarios"]) == 8


def test_a_plan_has_a_field_for_each_part_of_the_scenario(
    browsers: Clients, campaign: Campaign
) -> None:
    query = {"campaign": str(campaign.pk), "scenario": "defence"}
    form = browsers.bob.get(reverse("leagues:plan"), query).context["form"]
    assert [side.label for side in form.sides] == ["Attacker", "Defender"]
    query["scenario"] = "occupy"
    form = browsers.bob.get(reverse("leagues:plan"), query).context["form"]
    assert [side.field.required for side in form.sides] == [True, True, False, False]


def test_plan_suggests_least_played_scenario_and_opponent(
    browsers: Clients, campaign: Campaign, planned: Battle, guards: Warband, haufen: Warband
) -> None:
    page = browsers.bob.get(reverse("leagues:plan"), {"campaign": str(campaign.pk)})
    form = page.context["form"]
    assert page.context["scenario"].key == "capture", "a Skirmish is planned already"
    sides = [(side.value(), [key for key, _ in side.field.choices if key]) for side in form.sides]
    assert [value for value, _ in sides] == [str(haufen.pk), str(guards.pk)]
    assert sides[1][1] == [str(guards.pk)], "Nobody plays against their own warband."
    query = {"campaign": str(campaign.pk), "scenario": "defence"}
    defence = browsers.bob.get(reverse("leagues:plan"), query).context["form"].sides
    keys = [key for key, _ in defence[1].field.choices if key]
    assert keys == [str(guards.pk), str(haufen.pk)], "Own warband last, for the other role."
    empty_form = browsers.dora.get(reverse("leagues:plan"), {"campaign": str(campaign.pk)}).context[
        "form"
    ]
    assert [side.value() for side in empty_form.sides] == [None, None]


def plan(campaign: Campaign, **fields: Any) -> tuple[str, dict[str, Any]]:
    where = f"{reverse('leagues:plan')}?campaign={campaign.pk}&scenario=skirmish"
    return where, {
        "client_id": str(uuid4()),
        "fought_on": "2026-03-07",
        "points_limit": "300",
        "title": "",
        **fields,
    }


def test_a_battle_is_planned_once_even_if_the_form_is_sent_twice(
    browsers: Clients, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    where, data = plan(campaign, **{"warband.0": str(guards.pk), "warband.1": str(haufen.pk)})
    first, again = browsers.bob.post(where, data), browsers.bob.post(where, data)
    assert first["Location"] == again["Location"] == address("battle", Battle.objects.get())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("warband.1", ""),
        ("warband.0", "nobody"),
        ("fought_on", "last week"),
        ("points_limit", "0"),
        ("title", "x" * 121),
    ],
)
def test_invalid_plan_is_refused_at_field(
    browsers: Clients, campaign: Campaign, guards: Warband, haufen: Warband, field: str, value: str
) -> None:
    where, data = plan(campaign, **{"warband.0": str(guards.pk), "warband.1": str(haufen.pk)})
    page = browsers.bob.post(where, {**data, field: value})
    assert page.status_code == 400
    assert set(page.context["form"].errors) == {field}
    assert not Battle.objects.exists()


def test_planning_for_two_others_shows_error_in_form(
    browsers: Clients, campaign: Campaign, guards: Warband, alice: User
) -> None:
    second = world.warband_of(alice, "The Second", "cardinals-guard", world.GUARDS)
    enrol_warband(campaign_id=campaign.pk, warband_id=second.pk, user=alice)
    where, data = plan(campaign, **{"warband.0": str(guards.pk), "warband.1": str(second.pk)})
    refused = browsers.bob.post(where, data)
    assert (refused.status_code, Battle.objects.count()) == (400, 0)
    assert "only organisers can plan battles between others" in refused.content.decode()
    form = {"name": campaign.club.name, "visibility": "private", "battles_run_by": "every-player"}
    assert (
        browsers.alice.post(reverse("home:change-club", args=[campaign.club_id]), form).status_code
        == 302
    )
    assert browsers.bob.post(where, data).status_code == 302


def test_a_warband_cannot_fight_itself(
    browsers: Clients, campaign: Campaign, haufen: Warband
) -> None:
    where, data = plan(campaign, **{"warband.0": str(haufen.pk), "warband.1": str(haufen.pk)})
    page = browsers.bob.post(where, data)
    assert page.status_code == 400
    assert set(page.context["form"].errors) == {"warband.1"}


@pytest.mark.parametrize(
    "query",
    [
        "scenario=chess",
        "campaign=none",
        "ruleset=chess",
        "campaign=5e3f5c2e-0000-4000-8000-000000000000",
    ],
)
def test_what_cannot_be_planned_is_not_found(
    browsers: Clients, campaign: Campaign, query: str
) -> None:
    assert browsers.bob.get(f"{reverse('leagues:plan')}?{query}").status_code == 404


def test_a_one_off_battle_can_be_friendly(browsers: Clients, bob: User) -> None:
    first, other = world.landsknechts(bob, "One"), world.landsknechts(bob, "Other")
    data = plan_of(first, other) | {"friendly": "on"}
    browsers.bob.post(f"{reverse('leagues:plan')}?scenario=skirmish", data)
    battle = Battle.objects.get()
    assert battle.friendly and battle.campaign is None


def plan_of(warband: Warband, other: Warband) -> dict[str, Any]:
    sides = {"warband.0": str(warband.pk), "warband.1": str(other.pk)}
    return {
        "client_id": str(uuid4()),
        "fought_on": "2026-03-07",
        "points_limit": "",
        "title": "",
        **sides,
    }


# Fielding


def test_who_takes_the_field_is_ticked_and_added_up(browsers: Clients, planned: Battle) -> None:
    where = address("field", planned, "b")
    data = {
        "version": planned.version,
        "fighters": [named("Hans").pk, named("Veit").pk],
        "post.leader": named("Hans").pk,
    }
    looked = browsers.bob.post(where, {**data, "look": "1"})
    assert looked.context["points"] == 37
    assert world.fielded(planned) == 0
    assert browsers.bob.post(where, data).status_code == 302
    assert world.fielded(planned) == 2


def test_line_up_preselects_fit_fighters_and_last_leader(
    browsers: Clients,
    confirmed: Battle,
    campaign: Campaign,
    guards: Warband,
    haufen: Warband,
    alice: User,
) -> None:
    battle = world.planned_battle(alice, campaign, guards, haufen)
    where = address("field", battle, "a")
    fit = {str(named(name).pk) for name in ("Jussac", "Cahusac", "Biscarat", "Le Rat")}
    form = browsers.alice.get(where).context["form"]
    assert set(form["fighters"].value()) == fit and form["post.leader"].value() == str(
        named("Jussac").pk
    )
    data = {"version": battle.version, "fighters": sorted(fit), "post.leader": named("Cahusac").pk}
    browsers.alice.post(where, data)
    band = {"fighters": [named("Jörg").pk], "post.leader": named("Jörg").pk}
    browsers.bob.post(address("field", battle, "b"), {**band, "version": fresh(battle).version})
    browsers.alice.post(
        address("start", battle), {"version": fresh(battle).version, "how": "result"}
    )
    other = world.planned_battle(alice, campaign, guards, haufen)
    assert browsers.alice.get(address("field", other, "a")).context["form"][
        "post.leader"
    ].value() == str(named("Cahusac").pk)
    appoint(warband_id=guards.pk, user=alice, posts={"leader": named("Biscarat").pk})
    again = browsers.alice.get(address("field", other, "a")).context["form"]
    assert again["post.leader"].value() == str(named("Biscarat").pk), "said since, and so it counts"


def test_a_limit_is_filled_with_those_who_fought_last_time(
    browsers: Clients, alice: User, guards: Warband, haufen: Warband, campaign: Campaign
) -> None:
    battle = world.planned_battle(alice, campaign, guards, haufen, points_limit=40)
    form = browsers.bob.get(address("field", battle, "b")).context["form"]
    assert sum(row.points for row in form.chosen) <= 40 < sum(row.points for row in form.rows)


def test_all_or_none_are_ticked_and_what_is_missing_is_said_before_the_click(
    browsers: Clients, planned: Battle
) -> None:
    where, data = (
        address("field", planned, "b"),
        {"version": planned.version, "fighters": [named("Hans").pk]},
    )
    everybody = browsers.bob.post(where, {**data, "tick": "all"})
    assert len(everybody.context["form"].chosen) == 4
    assert not browsers.bob.post(where, {**data, "tick": "none"}).context["form"].chosen
    left = {**data, "fighters": [named("Veit").pk], "post.leader": named("Hans").pk, "look": "1"}
    looked = browsers.bob.post(where, left)
    assert [problem.code for problem in looked.context["problems"]] == ["not-fielded"]
    assert looked.context["problems"][0].sentence in looked.content.decode()
    assert world.fielded(planned) == 0


def test_a_side_that_is_not_there_is_not_found(browsers: Clients, planned: Battle) -> None:
    assert browsers.bob.get(address("field", planned, "z")).status_code == 404


def test_doors_of_a_side(browsers: Clients, planned: Battle) -> None:
    where = address("field", planned, "b")
    assert browsers.nobody.get(where).status_code == 302
    assert browsers.charlie.get(where).status_code == 404
    assert browsers.dora.get(where).status_code == 403
    assert browsers.dora.post(where, {}).status_code == 403
    assert browsers.bob.post(where, {}).status_code == 400


def test_no_post_that_the_rules_want_filled_is_called_optional(
    browsers: Clients, planned: Battle
) -> None:
    page = browsers.alice.get(reverse("battles:field", args=[planned.pk, "a"]))
    text = page.content.decode()
    assert "Leader" in text and "(optional)" not in text


def test_three_remarks_about_a_force_stand_open_and_the_rest_is_folded(
    browsers: Clients, begun: Battle, planned: Battle
) -> None:
    text = browsers.alice.get(address("field", planned, "a")).content.decode()
    details, more = text.split("<details>", 1)
    assert details.count("which is still in progress.") == 3
    assert "which is still in progress." in more.split("</details>")[0]


def test_leader_outside_line_up_is_refused_at_field(browsers: Clients, planned: Battle) -> None:
    data = {
        "version": planned.version,
        "fighters": [named("Veit").pk],
        "post.leader": named("Hans").pk,
    }
    page = browsers.bob.post(address("field", planned, "b"), data)
    assert page.status_code == 400
    assert "post.leader" in page.context["form"].errors
    assert world.fielded(planned) == 0


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_two_phones_field_from_pages_that_were_open_at_once(
    browsers: Clients, planned: Battle, order: str
) -> None:
    phones = {"a": (browsers.alice, "Jussac"), "b": (browsers.bob, "Hans")}
    for key in order:
        browser, name = phones[key]
        data = {
            "version": planned.version,
            "fighters": [named(name).pk],
            "post.leader": named(name).pk,
        }
        assert browser.post(address("field", planned, key), data).status_code == 302
    assert world.fielded(planned) == 2


def test_a_real_conflict_keeps_what_was_ticked_and_may_be_sent_again(
    browsers: Clients, planned: Battle
) -> None:
    """Bob has two phones: the line-up of the second is shown again, and replaces the first if sent
    again."""
    where = address("field", planned, "b")
    first, second = (
        {"version": planned.version, "fighters": [named(name).pk], "post.leader": named(name).pk}
        for name in ("Hans", "Veit")
    )
    assert browsers.bob.post(where, first).status_code == 302
    page = browsers.bob.post(where, second)
    html = page.content.decode()
    assert page.status_code == 409
    assert "after you opened this page" in html and "Your entries are still here" in html
    form = page.context["form"]
    assert form["fighters"].value() == [str(named("Veit").pk)]
    assert form["post.leader"].value() == str(named("Veit").pk)
    again = browsers.bob.post(where, {**second, "version": form["version"].value()})
    assert again.status_code == 302
    assert [combatant.name for combatant in fresh(planned).sides.get(key="b").combatants.all()] == [
        "Veit"
    ]


@pytest.mark.parametrize("name", ["describe", "set-up"])
def test_every_form_with_a_version_can_be_sent_again(
    browsers: Clients, planned: Battle, name: str
) -> None:
    stale = {"version": planned.version, "title": "Mine", "story": "", "weather": "rain"}
    describe_battle(battle_id=planned.pk, user=planned.created_by, title="Theirs")
    page = browsers.bob.post(address(name, planned), stale)
    assert page.status_code == 409
    form = page.context["form"]
    sent = {**stale, "version": form["version"].value()}
    assert browsers.bob.post(address(name, planned), sent).status_code == 302


def test_the_highest_rank_leads_where_nobody_is_named(
    browsers: Clients, alice: User, bob: User, club: Club
) -> None:
    """With "All" ticked and no Leader, by the page and by the API alike."""
    warbands = world.guards(alice), world.landsknechts(bob)
    for row in warbands:
        append_facts({row.pk: Appointed(posts={"leader": ()})}, user=alice)
    battle = world.planned_battle(alice, world.campaign_of(club, alice, *warbands), *warbands)
    page = browsers.bob.get(address("field", battle, "b"))
    everybody = [
        str(key) for key in Fighter.objects.filter(warband=warbands[1]).values_list("pk", flat=True)
    ]
    assert "Nobody (default: Hans" in page.content.decode()
    data = {"version": battle.version, "fighters": everybody, "post.leader": ""}
    assert browsers.bob.post(address("field", battle, "b"), data).status_code == 302
    sent = {
        "fighters": [
            str(key)
            for key in Fighter.objects.filter(warband=warbands[0]).values_list("pk", flat=True)
        ]
    }
    answer = api_of(alice).put(
        f"/api/v1/battles/{battle.pk}/sides/a/combatants/", sent, format="json"
    )
    assert answer.status_code == 200, answer.content
    leaders = {
        combatant.name
        for combatant in Combatant.objects.filter(side__battle=battle)
        if "leader" in combatant.posts
    }
    assert leaders == {"Hans", "Jussac"}


def test_line_up_from_stale_page_gets_409(browsers: Clients, planned: Battle) -> None:
    data = {"version": planned.version, "fighters": [named("Hans").pk]}
    assert browsers.bob.post(address("field", planned, "b"), data).status_code == 302
    assert browsers.bob.post(address("field", planned, "b"), data).status_code == 409


def test_a_battle_does_not_begin_while_a_side_has_nobody(
    browsers: Clients, planned: Battle
) -> None:
    page = browsers.bob.post(address("start", planned), {"version": planned.version}, follow=True)
    assert fresh(planned).state == "planned"
    assert "has no line-up" in page.content.decode()


# The card


def card_of(browser: Client, battle: Battle) -> Any:
    return browser.get(address("battle", battle)).context["card"]


def main_buttons(browser: Client, battle: Battle) -> int:
    """Return the number of primary buttons on the page."""
    html = browser.get(address("battle", battle)).content.decode()
    return len(re.findall(r'class="(?:button )?main"', html))


def test_line_up_of_other_side_is_secondary_button(browsers: Clients, planned: Battle) -> None:
    form = browsers.alice.get(address("field", planned, "a")).context["form"]
    data = {"fighters": form["fighters"].value(), "post.leader": form["post.leader"].value()}
    browsers.alice.post(address("field", planned, "a"), {**data, "version": fresh(planned).version})
    assert card_of(browsers.alice, planned).next.label == "Choose line-up for Der schwarze Haufen"
    assert main_buttons(browsers.alice, planned) == 0
    assert main_buttons(browsers.bob, planned) == 1


def test_the_card_has_one_next_step_for_each_reader_all_the_way(
    browsers: Clients, planned: Battle
) -> None:
    assert card_of(browsers.alice, planned).next.label == "Choose line-up for Compagnie du Cardinal"
    assert card_of(browsers.bob, planned).next.label == "Choose line-up for Der schwarze Haufen"
    assert card_of(browsers.dora, planned).next is None
    for key, browser in (("a", browsers.alice), ("b", browsers.bob)):
        form = browser.get(address("field", planned, key)).context["form"]
        data = {"fighters": form["fighters"].value(), "post.leader": form["post.leader"].value()}
        browser.post(address("field", planned, key), {**data, "version": fresh(planned).version})
    card = card_of(browsers.bob, planned)
    assert (card.next.action, card.missing) == ("begin", ())
    assert [(step.key, step.state) for step in card.steps][1:3] == [
        ("fielded", "done"),
        ("set-up", "now"),
    ]
    begun = browsers.bob.post(
        address("start", planned), {"version": fresh(planned).version, "how": "table"}
    )
    assert begun["Location"] == address("set-up", planned), (
        "no battle at the table begins without one by oversight"
    )
    assert "Play without setup" in browsers.bob.get(begun["Location"]).content.decode()
    laid = browsers.bob.post(address("set-up", planned), {"version": fresh(planned).version})
    assert laid["Location"] == address("table", planned)
    assert card_of(browsers.bob, planned).next.action == "go-on"
    browsers.alice.post(address("sheet", planned), hit())
    assert card_of(browsers.bob, planned).next.action == "log"
    browsers.alice.post(address("submit", planned), {"version": fresh(planned).version})
    assert card_of(browsers.bob, planned).next.label == "Confirm for Der schwarze Haufen"
    assert card_of(browsers.alice, planned).next.action == "decide"
    assert "Waiting for Der schwarze Haufen" in card_of(browsers.alice, planned).waits_for
    assert [
        main_buttons(browser, planned) for browser in (browsers.alice, browsers.bob, browsers.dora)
    ] == [1, 1, 0]
    browsers.bob.post(
        address("dispute", planned), {"version": fresh(planned).version, "reason": "Not Hans"}
    )
    assert card_of(browsers.bob, planned).next.action == "reopen"
    browsers.alice.post(
        address("decide", planned),
        {"version": fresh(planned).version, "decision": "as-logged", "reason": "So."},
    )
    assert card_of(browsers.alice, planned) is None


def test_a_battle_that_would_not_count_says_so_and_offers_to(
    browsers: Clients, alice: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    world.warbands_see_each_other(guards, haufen)
    battle = world.planned_battle(alice, None, guards, haufen)
    assert battle.friendly
    card = card_of(browsers.bob, battle)
    assert (card.next.action, card.may_count_in, card.instead.action) == (
        "count-in",
        campaign.pk,
        "field",
    )
    data = {"version": battle.version, "campaign_id": campaign.pk}
    browsers.bob.post(address("count-in", battle), data)
    counted = fresh(battle)
    assert (counted.campaign, counted.friendly, counted.points_limit) == (campaign, False, 300)
    assert counted.house_rules == campaign.house_rules
    assert card_of(browsers.bob, battle).next.action == "field"
    again = browsers.bob.post(
        address("count-in", battle), {**data, "version": counted.version}, follow=True
    )
    assert "already counts in a campaign" in again.content.decode()


# The log


def test_the_sheet_asks_for_what_the_scenario_needs_and_leaves_turn_by_turn_out(
    browsers: Clients, begun: Battle
) -> None:
    kinds = [
        kind.key for kind, _ in browsers.bob.get(address("sheet", begun)).context["form"].sections
    ]
    assert kinds[:2] == ["wound", "minor_objective"]
    assert "shot" not in kinds and "correction" not in kinds and "civilian" not in kinds


def test_a_sheet_in_one_pass_logs_every_filled_row_and_no_empty_one(
    browsers: Clients, begun: Battle
) -> None:
    data = hit() | row(kind="note", text="The sluice broke.") | {"rows_wound": "3", "review": "1"}
    answer = browsers.bob.post(address("sheet", begun), data)
    assert answer["Location"] == address("review", begun)
    assert [event.kind for event in BattleEvent.objects.order_by("sequence")] == ["wound", "note"]


def test_a_sheet_that_is_sent_twice_counts_once(browsers: Clients, begun: Battle) -> None:
    data = hit()
    for _ in range(2):
        assert browsers.bob.post(address("sheet", begun), data).status_code == 302
    assert BattleEvent.objects.count() == 1


def test_rows_can_be_added_without_losing_what_was_typed(browsers: Clients, begun: Battle) -> None:
    page = browsers.bob.post(address("sheet", begun), hit(weapon="rapier") | {"more_wound": "1"})
    assert page.status_code == 200
    wounds = next(rows for kind, rows in page.context["form"].sections if kind.key == "wound")
    assert len(wounds) == 4
    assert 'value="rapier"' in page.content.decode()
    assert not BattleEvent.objects.exists()


def test_a_row_that_makes_no_sense_is_marked_and_nothing_is_logged(
    browsers: Clients, begun: Battle
) -> None:
    data = hit() | row(1, attacker=named("Jussac").pk, victim="", result="light", weapon="rapier")
    page = browsers.bob.post(address("sheet", begun), {**data, "rows_wound": "2"})
    assert page.status_code == 400
    wounds = next(rows for kind, rows in page.context["form"].sections if kind.key == "wound")
    assert not wounds[0].errors and "victim" in wounds[1].errors
    assert 'value="rapier"' in page.content.decode()
    assert not BattleEvent.objects.exists()


def test_what_the_rules_forbid_is_said_at_its_row(browsers: Clients, begun: Battle) -> None:
    data = hit(result="critical") | row(
        1, attacker=named("Hans").pk, victim=named("Jussac").pk, result="light"
    )
    page = browsers.bob.post(address("sheet", begun), {**data, "rows_wound": "2"})
    assert page.status_code == 400
    wounds = next(rows for kind, rows in page.context["form"].sections if kind.key == "wound")
    assert wounds[1].errors or page.context["form"].problems
    assert not BattleEvent.objects.exists()


@pytest.mark.parametrize("count", ["", "minus one", "-3", "99999999999", "1e9"])
def test_a_count_of_rows_that_makes_no_sense_does_no_harm(
    browsers: Clients, begun: Battle, count: str
) -> None:
    assert browsers.bob.post(address("sheet", begun), {"rows_wound": count}).status_code == 302


def test_an_entry_is_struck_with_a_reason_and_the_log_keeps_both(
    browsers: Clients, begun: Battle, bob: User
) -> None:
    log_events(battle_id=begun.pk, events=[world.wound(named("Jussac"), named("Hans"))], user=bob)
    where = address("strike", begun, 1)
    assert browsers.bob.post(where, {"reason": ""}).status_code == 400
    assert browsers.bob.post(where, {"reason": "It was Cahusac"}).status_code == 302
    assert [event.kind for event in BattleEvent.objects.order_by("sequence")] == [
        "wound",
        "correction",
    ]
    assert browsers.bob.get(address("strike", begun, 99)).status_code == 404


def test_doors_of_an_entry(browsers: Clients, begun: Battle, bob: User) -> None:
    log_events(battle_id=begun.pk, events=[world.wound(named("Jussac"), named("Hans"))], user=bob)
    where = address("strike", begun, 1)
    assert browsers.nobody.get(where).status_code == 302
    assert browsers.charlie.get(where).status_code == 404
    assert browsers.dora.post(where, {"reason": "No"}).status_code == 403


# The review


def test_the_review_shows_every_change_and_writes_nothing(
    browsers: Clients, begun: Battle, bob: User
) -> None:
    log_events(
        battle_id=begun.pk,
        events=[world.wound(named("Jussac"), named("Hans"), "critical")],
        user=bob,
    )
    page = browsers.bob.get(address("review", begun))
    fates = {
        fighter.name: fighter.fate_after
        for side in page.context["preview"].sides
        for fighter in side.fighters
    }
    assert fates["Hans"] == "dead" and fates["Veit"] == "fit"
    assert "Survived the battle" in page.content.decode()
    assert named("Hans").fate == "fit" and fresh(begun).state == "under-way"


def test_submitting_asks_the_other_side_and_confirming_writes_the_chronicles(
    browsers: Clients, begun: Battle
) -> None:
    browsers.alice.post(address("sheet", begun), hit(result="critical"))
    browsers.alice.post(address("submit", begun), {"version": fresh(begun).version})
    assert fresh(begun).state == "submitted"
    page = browsers.bob.get(address("battle", begun))
    assert "Confirm for Der schwarze Haufen" in page.content.decode()
    browsers.bob.post(address("confirm", begun), {"version": fresh(begun).version})
    assert fresh(begun).state == "confirmed"
    assert named("Hans").fate == "dead"


def test_confirming_twice_does_no_harm_and_says_so(browsers: Clients, submitted: Battle) -> None:
    data = {"version": submitted.version}
    browsers.bob.post(address("confirm", submitted), data)
    again = browsers.bob.post(address("confirm", submitted), data, follow=True)
    assert "already confirmed" in again.content.decode()


def test_a_player_cannot_confirm_for_the_other_side(
    browsers: Clients, submitted: Battle, club: Club
) -> None:
    data = {"version": submitted.version, "side": "a"}
    assert browsers.bob.post(address("confirm", submitted), data).status_code == 403


def test_a_dispute_needs_a_reason_and_an_organiser_decides(
    browsers: Clients, submitted: Battle
) -> None:
    browsers.bob.post(address("dispute", submitted), {"version": submitted.version, "reason": ""})
    assert fresh(submitted).state == "submitted"
    browsers.bob.post(
        address("dispute", submitted),
        {"version": submitted.version, "reason": "Hans was behind a wall"},
    )
    assert fresh(submitted).state == "disputed"
    assert (
        "Hans was behind a wall"
        in browsers.alice.get(address("battle", submitted)).content.decode()
    )
    data = {
        "version": fresh(submitted).version,
        "decision": "as-logged",
        "reason": "The wall was low",
    }
    browsers.alice.post(address("decide", submitted), data)
    assert fresh(submitted).state == "confirmed"


def test_a_submitted_log_is_opened_again(browsers: Clients, submitted: Battle) -> None:
    answer = browsers.alice.post(address("reopen", submitted), {"version": submitted.version})
    assert answer["Location"] == address("sheet", submitted)
    assert fresh(submitted).state == "under-way"


def test_battle_page_shows_title_and_story(browsers: Clients, confirmed: Battle) -> None:
    data = {"title": "The old mill", "story": "It began with a sluice."}
    browsers.bob.post(address("describe", confirmed), {**data, "version": confirmed.version})
    body = browsers.dora.get(address("battle", confirmed)).content.decode()
    assert data["title"] in body and data["story"] in body


def test_lists_show_a_battle_with_its_state(
    browsers: Clients, campaign: Campaign, submitted: Battle
) -> None:
    for where in (reverse("battles:battles"), reverse("battles:campaign", args=[campaign.pk])):
        assert [row.id for row in browsers.dora.get(where).context["rows"]] == [submitted.pk]
        assert not browsers.dora.get(where, {"state": "confirmed"}).context["rows"]
        assert browsers.dora.get(where, {"state": "nonsense"}).context["rows"]
    assert not browsers.charlie.get(reverse("battles:battles")).context["rows"]


# The story of a confirmed battle


def test_confirmed_battle_shows_story_tables_and_folded_log(
    browsers: Clients, begun: Battle, alice: User, guards: Warband
) -> None:
    wounds = [
        ("Jussac", "Hans", "critical", 1),
        ("Le Rat", "Veit", "light", 2),
        ("Jussac", "Kunz", "scratch", 3),
    ]
    events = [
        NewEvent(
            uuid4(),
            "wound",
            {"attacker": str(named(attacker).pk), "victim": str(named(other).pk), "result": how},
            turn,
        )
        for attacker, other, how, turn in wounds
    ]
    notes = [NewEvent(uuid4(), "note", {"text": f"Note {place}"}, 3) for place in range(20)]
    log_events(battle_id=begun.pk, events=[*events, *notes], user=alice)
    submit_battle(battle_id=begun.pk, user=alice)
    decide_battle(battle_id=begun.pk, user=alice, decision=Decision.AS_LOGGED)
    answer = browsers.dora.get(address("battle", begun))
    html, narrative = answer.content.decode(), answer.context["story"]
    assert any(
        "Hans" in moment.sentence and "Jussac" in moment.sentence for moment in narrative.narrative
    )
    assert narrative.from_log and narrative.opening in html
    for sentence in narrative.narrative:
        for clause in sentence.clauses:
            assert f'?log={page_of(clause.events[0])}#entry-{clause.events[0]}"' in html
    api = browsers.dora.get(f"/api/v1/battles/{begun.pk}/narrative/").json()
    assert [each["text"] for each in api["sentences"]] == [
        each.sentence for each in narrative.narrative
    ]
    assert api["sentences"][0]["clauses"][0]["events"] == [1]
    turns = answer.context["turns"]
    assert turns.moments[:3] == ("1", "2", "3") and turns.points
    assert turns.values[-1] == tuple(side.victory_points for side in answer.context["page"].sides)
    assert " by Jussac" in " ".join(html.split())
    assert answer.context["log"].entries == 23 and len(answer.context["log"].lines) == 20
    assert 'id="log" open' not in html, "tables and log are folded"
    second = browsers.dora.get(address("battle", begun), {"log": "2"})
    assert 'id="log" open' in second.content.decode()
    assert [line.sequence for line in second.context["log"].lines] == [21, 22, 23]
    assert list(faults(html)) == []
    for odd in ("0", "99", "x", "9" * 30):
        assert browsers.dora.get(address("battle", begun), {"log": odd}).status_code == 200
