"""The live log: a battle logged entry by entry, watched, refused, overruled, undone, and outrun."""

import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from msgspec.structs import replace

from battles.models import Battle, BattleEvent, SecretChoice
from battles.services.batch_actions import log_for_several
from battles.services.logbook import NewEvent, log_events
from battles.services.review import submit_battle
from battles.services.secret_choices import SecretChoiceInput, choose_in_secret
from battles.services.validation import MAX_IN_COURSE
from battles.views import batch_actions as views
from core.errors import Forbidden, InvalidInput, StateConflict
from rulebook.systems.en_garde.system import EnGarde
from rulebook.values.table import FollowUp
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from tests.pages.world import named

pytestmark = pytest.mark.one_database
COUNTERS = {"a": [2, 1], "b": [2, 1]}


def table(battle: Battle) -> str:
    return reverse("battles:table", args=[battle.pk])


def fresh(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def who(name: str) -> str:
    return str(named(name).pk)


def do(browser: Client, battle: Battle, do: str, who: str = "", **kwargs: Any) -> Any:
    """Submit the form of an action with the current version and a new id, unless given."""
    hidden = {"client_id": str(uuid4()), "version": fresh(battle).version}
    return browser.post(f"{table(battle)}?who={who}&do={do}", {**hidden, **kwargs})


def log(battle: Battle, user: User, kind: str, turn: int | None = None, **data: Any) -> None:
    log_events(battle_id=battle.pk, events=[NewEvent(uuid4(), kind, data, turn)], user=user)


@pytest.fixture
def playing(begun: Battle, alice: User) -> Battle:
    """Return a battle in turn 1 with Priority rolled."""
    log(begun, alice, "turn", turn=1)
    log(begun, alice, "priority", rolls=[{"a": 6, "b": 1}])
    return begun


@pytest.fixture
def fighting(playing: Battle, alice: User) -> Battle:
    """Return a battle with an open combat of Jussac and Hans, in which Jussac attacks first."""
    jussac, hans = who("Jussac"), who("Hans")
    log(playing, alice, "move", fighter=jussac, contacts=[hans])
    dice = {jussac: [6], hans: [1]}
    log(
        playing,
        alice,
        "combat",
        fighters={"a": [jussac], "b": [hans]},
        counters=COUNTERS,
        initiative=dice,
    )
    return playing


# Watching


def test_live_log_shows_sides_points_and_due_actions(browsers: Clients, playing: Battle) -> None:
    page = browsers.alice.get(table(playing)).context["page"]
    assert [(side.view.name, len(side.fighters)) for side in page.sides] == [
        ("Compagnie du Cardinal", 4),
        ("Der schwarze Haufen", 4),
    ]
    assert (page.table.turn, [phase.key for phase in page.table.phases if phase.now]) == (
        1,
        ["move"],
    )


def test_the_dead_stand_last(browsers: Clients, playing: Battle, alice: User) -> None:
    log(playing, alice, "wound", attacker=who("Hans"), victim=who("Jussac"), result="critical")
    side = browsers.alice.get(table(playing)).context["page"].sides[0]
    assert [fighter.out for fighter in side.fighters] == ["", "", "", "dead"]
    assert side.fighters[-1].name == "Jussac"


def test_a_reader_watches_and_is_offered_nothing(browsers: Clients, playing: Battle) -> None:
    body = browsers.dora.get(table(playing)).content.decode()
    assert "Jussac" in body and "?who=" not in body and "<button>" not in body
    assert 'http-equiv="refresh"' in body, "the page looks for news without a script as well"


def test_live_log_poll_without_news_is_204(browsers: Clients, playing: Battle) -> None:
    dora, seen = browsers.dora, fresh(playing).version
    dora.get(table(playing))
    with CaptureQueriesContext(connection) as taken:
        assert dora.get(f"{table(playing)}?seen={seen}").status_code == 204
    assert len(taken) <= 3
    assert browsers.dora.get(f"{table(playing)}?seen={seen - 1}").status_code == 200
    assert browsers.charlie.get(f"{table(playing)}?seen={seen}").status_code == 404


def test_a_battle_that_is_only_planned_has_no_table(browsers: Clients, planned: Battle) -> None:
    assert browsers.alice.get(table(planned))["Location"] == reverse(
        "battles:battle", args=[planned.pk]
    )


def test_submitted_battle_is_read_only_in_live_log(
    browsers: Clients, playing: Battle, alice: User
) -> None:
    submit_battle(battle_id=playing.pk, user=alice)
    body = browsers.alice.get(f"{table(playing)}?who={who('Jussac')}&do=move").content.decode()
    assert '<form class="action-form"' not in body and "Undo" not in body
    answer = do(browsers.alice, playing, "move", who("Jussac"), inches="2")
    assert answer.status_code == 409


def test_odd_addresses_show_the_table(browsers: Clients, playing: Battle) -> None:
    for query in (
        "who=nobody",
        "do=nothing",
        "latest=999999",
        "latest=x",
        "about=nobody",
        "seen=x",
        "feed=x",
        "who=a&do=x",
    ):
        assert browsers.alice.get(f"{table(playing)}?{query}").status_code == 200


# Logging


def test_a_turn_and_its_priority_are_begun_with_one_tap(browsers: Clients, begun: Battle) -> None:
    assert do(browsers.bob, begun, "turn").status_code == 302
    first, second = BattleEvent.objects.filter(battle=begun).order_by("sequence")
    assert (first.kind, first.turn, second.kind) == ("turn", 1, "priority")
    assert second.dice, "Muster threw"
    assert first.version == second.version, "one request, to be undone together"
    page = browsers.bob.get(f"{table(begun)}?latest=1")
    assert [each.line.kind for each in page.context["page"].course] == ["turn", "priority"]
    assert "Undo the last 2" in page.content.decode()


def test_dice_of_priority_that_the_table_rolled_are_typed_with_the_new_turn(
    browsers: Clients, begun: Battle
) -> None:
    body = browsers.bob.get(f"{table(begun)}?do=turn").content.decode()
    assert 'name="plan.rolls.0.a"' in body and list(faults(body)) == []
    answer = do(browsers.bob, begun, "turn", **{"plan.rolls.0.a": "2", "plan.rolls.0.b": "5"})
    assert answer.status_code == 302
    second = BattleEvent.objects.get(battle=begun, kind="priority")
    assert (second.data["rolls"], second.data["thrown"], second.dice) == (
        [{"a": 2, "b": 5}],
        "table",
        [],
    )


def test_a_new_turn_is_not_logged_where_the_dice_typed_with_it_make_no_sense(
    browsers: Clients, begun: Battle
) -> None:
    answer = do(browsers.bob, begun, "turn", **{"plan.rolls.0.a": "2"})
    assert answer.status_code == 400 and not BattleEvent.objects.filter(battle=begun).exists(), (
        "all or nothing"
    )


def test_a_button_can_be_pressed_twice_and_logs_once(browsers: Clients, begun: Battle) -> None:
    body = browsers.alice.get(table(begun)).content.decode()
    client_id = re.search(r'name="client_id"\s+value="([^"]+)"', body)
    assert client_id is not None
    kwargs = {"client_id": client_id[1], "version": begun.version}
    first, again = (do(browsers.alice, begun, "turn", "", **kwargs) for _ in range(2))
    assert first["Location"] == again["Location"] == f"{table(begun)}?latest=1"
    assert BattleEvent.objects.filter(battle=begun).count() == 2, "the turn, and its Priority"


def test_a_fighter_who_is_tapped_shows_what_it_can_do(browsers: Clients, playing: Battle) -> None:
    page = browsers.alice.get(f"{table(playing)}?who={who('Jussac')}")
    assert {"move", "aim", "rest"} <= {action.key for action in page.context["page"].table.actions}
    assert "do=move" in page.content.decode()


def test_a_form_asks_only_for_what_matters(browsers: Clients, playing: Battle) -> None:
    form = browsers.alice.get(f"{table(playing)}?who={who('Jussac')}&do=move").context["form"]
    assert [field.name for field in form.shown_at_once] == ["gait", "inches", "contacts"]
    assert "fighter" not in form.fields and "handler_away" not in form.fields


def test_an_address_can_fill_the_form_in(browsers: Clients, playing: Battle) -> None:
    where = f"{table(playing)}?who={who('Jussac')}&do=move&inches=4&gait=short"
    body = browsers.alice.get(where).content.decode()
    assert 'name="inches" value="4"' in body
    assert re.search(r'value="short"[^>]*checked', body)


def test_a_move_is_logged_with_everything_that_was_said(browsers: Clients, playing: Battle) -> None:
    kwargs = {"gait": "short", "inches": "2.5", "contacts": [who("Hans")], "words": "over the wall"}
    do(browsers.bob, playing, "move", who("Jussac"), **kwargs)
    event = BattleEvent.objects.get(battle=playing, kind="move")
    assert event.data["fighter"] == who("Jussac") and event.data["contacts"] == [who("Hans")]
    assert (event.data["inches"], event.data["words"], event.turn) == (2.5, "over the wall", 1)
    assert event.recorded_by.username == "bob"


def test_answer_shows_outcome_with_dice_and_reasons(browsers: Clients, fighting: Battle) -> None:
    answer = do(
        browsers.alice,
        fighting,
        "attack",
        who("Jussac"),
        target=who("Hans"),
        dice="6,6",
        defence_dice="1",
    )
    body = browsers.alice.get(answer["Location"]).content.decode()
    assert "Jussac attacks Hans [6, 6 – 1]" in body and "Hit, " in body
    assert "Attack Roll" in body and "Dice 6 and 6" in body
    assert "/rulesets/en-garde/#making-an-attack" in body
    assert 'id="undo-newest"' in body


@pytest.mark.parametrize(
    ("typed", "dice"),
    [("34", [3, 4]), ("3,4", [3, 4]), (" 3 ; 4 ", [3, 4])],
    ids=["34", "comma", "odd"],
)
def test_dice_are_typed_as_people_type_them(
    browsers: Clients, fighting: Battle, typed: str, dice: list[int]
) -> None:
    kwargs = {"target": who("Hans"), "dice": typed, "defence_dice": "6"}
    assert do(browsers.alice, fighting, "attack", who("Jussac"), **kwargs).status_code == 302
    assert BattleEvent.objects.get(battle=fighting, kind="attack").data["dice"] == dice


def test_impossible_dice_are_refused_at_their_field(browsers: Clients, fighting: Battle) -> None:
    answer = do(browsers.alice, fighting, "attack", who("Jussac"), target=who("Hans"), dice="7,8")
    assert answer.status_code == 400 and "dice" in answer.context["form"].errors
    assert not BattleEvent.objects.filter(battle=fighting, kind="attack").exists()


def test_what_nobody_types_is_thrown(browsers: Clients, fighting: Battle) -> None:
    do(browsers.alice, fighting, "attack", who("Jussac"), target=who("Hans"))
    event = BattleEvent.objects.get(battle=fighting, kind="attack")
    assert event.dice and event.data["thrown"] == "app"


def test_a_combat_is_opened_with_the_counters_of_both_sides(
    browsers: Clients, playing: Battle, alice: User
) -> None:
    log(playing, alice, "move", fighter=who("Jussac"), contacts=[who("Hans")])
    kwargs = {"counters.a": "2,1", "counters.b": "1,2"}
    assert (
        do(browsers.alice, playing, "combat&shared=1", who("Jussac"), **kwargs).status_code == 302
    )
    data = BattleEvent.objects.get(battle=playing, kind="combat").data
    assert data["counters"] == {"a": [2, 1], "b": [1, 2]}
    assert data["fighters"] == {"a": [who("Jussac")], "b": [who("Hans")]}


def test_a_note_and_the_end_belong_to_nobody(browsers: Clients, playing: Battle) -> None:
    assert do(browsers.alice, playing, "note", text="It rains.").status_code == 302
    assert do(browsers.alice, playing, "ended", how="agreed").status_code == 302
    page = browsers.alice.get(table(playing))
    assert page.context["page"].table.ended and "The battle is over" in page.content.decode()


# Refusals


def test_a_refusal_names_its_rule_and_may_be_overruled(browsers: Clients, playing: Battle) -> None:
    do(browsers.alice, playing, "move", who("Jussac"), inches="2")
    answer = do(browsers.alice, playing, "move", who("Jussac"), inches="2")
    body = answer.content.decode()
    assert answer.status_code == 400 and "has already acted" in body
    assert "/rulesets/en-garde/#move" in body and 'name="overruled"' in body
    assert 'value="2"' in body, "nothing that was typed is lost"
    reason = "We both forgot it"
    assert (
        do(browsers.alice, playing, "move", who("Jussac"), inches="2", overruled=reason).status_code
        == 302
    )
    newest = BattleEvent.objects.filter(battle=playing).latest("sequence")
    assert newest.data["overruled"] == reason
    assert reason in browsers.alice.get(table(playing)).content.decode()


def test_unreadable_value_cannot_be_overruled(browsers: Clients, playing: Battle) -> None:
    answer = do(browsers.alice, playing, "move", who("Jussac"), inches="far")
    assert answer.status_code == 400 and not answer.context["form"].refused


def test_late_entry_gets_409_and_keeps_values(
    browsers: Clients, playing: Battle, alice: User
) -> None:
    log(playing, alice, "done", side="a")
    seen = fresh(playing).version
    log(playing, alice, "note", text="Meanwhile")
    answer = do(browsers.bob, playing, "move", who("Hans"), inches="3", version=seen)
    body = answer.content.decode()
    assert answer.status_code == 409 and "Someone else saved an entry first" in body
    assert 'value="3"' in body and "Meanwhile" in body
    version = re.search(r'id="action".*?name="version" value="(\d+)"', body, re.DOTALL)
    assert version is not None and int(version[1]) == fresh(playing).version, "sent again it counts"
    client_id = re.search(r'name="client_id"\s+value="([^"]+)"', body)
    assert client_id is not None
    again = do(browsers.bob, playing, "move", who("Hans"), inches="3", client_id=client_id[1])
    assert again.status_code == 302


def test_what_cannot_be_done_any_more_is_answered_with_the_table(
    browsers: Clients, fighting: Battle
) -> None:
    answer = do(browsers.alice, fighting, "attack", who("Hans"), target=who("Jussac"))
    assert (
        answer.status_code == 409 and "Someone else saved an entry first" in answer.content.decode()
    )


def test_nonsense_form_is_refused_with_message(browsers: Clients, playing: Battle) -> None:
    for kwargs in (
        {"inches": "-1"}, {"inches": "1e999"}, {"gait": "flies"}, {"contacts": ["nobody"]}, {"version": "x"},
        {"client_id": "x"}, {"words": "x" * 3000}, {"overruled": "x" * 400}, {"words": "\0"}, {"overruled": "ok"},
    ):  # fmt: skip
        assert do(browsers.alice, playing, "move", who("Jussac"), **kwargs).status_code in (
            400,
            409,
        ), kwargs
    assert not BattleEvent.objects.filter(battle=playing, kind="move").exists()


# Undoing and the feed


def test_undone_entry_stays_in_feed_as_deleted(browsers: Clients, playing: Battle) -> None:
    where = reverse("battles:undo", args=[playing.pk])
    for _ in range(2):
        assert browsers.bob.post(where, {"sequence": "2"}).status_code == 302
    assert [event.kind for event in BattleEvent.objects.filter(battle=playing).order_by("sequence")] == [
        "turn", "priority", "correction",
    ]  # fmt: skip
    page = browsers.bob.get(table(playing)).context["page"]
    assert [entry.struck for entry in page.feed] == [False, True, False]
    assert page.undoable.line.sequence == 1


def test_an_undone_entry_says_the_same_whatever_language_it_was_undone_in(
    browsers: Clients, playing: Battle
) -> None:
    """Two who undo it at once send the same event, and the second is answered as the first."""
    browsers.bob.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    browsers.bob.post(reverse("battles:undo", args=[playing.pk]), {"sequence": "2"})
    assert playing.events.get(kind="correction").data["reason"] == "Undone at the table"


def test_only_the_newest_entry_is_undone_here(browsers: Clients, playing: Battle) -> None:
    for sequence in ("1", "77", "", "x"):
        browsers.bob.post(reverse("battles:undo", args=[playing.pk]), {"sequence": sequence})
    assert not BattleEvent.objects.filter(battle=playing, kind="correction").exists()


def test_the_feed_is_newest_first_and_can_be_narrowed_to_one_fighter(
    browsers: Clients, fighting: Battle
) -> None:
    page = browsers.dora.get(table(fighting)).context["page"]
    assert [entry.line.sequence for entry in page.feed] == [4, 3, 2, 1]
    page = browsers.dora.get(f"{table(fighting)}?about={who('Jussac')}").context["page"]
    assert [entry.line.kind for entry in page.feed] == ["combat", "move"]


def test_a_long_feed_shows_its_newest_entries_and_leads_to_all(
    browsers: Clients, playing: Battle, alice: User
) -> None:
    events = [NewEvent(uuid4(), "note", {"text": f"Note {place}"}) for place in range(20)]
    log_events(battle_id=playing.pk, events=events, user=alice)
    page = browsers.dora.get(table(playing)).context["page"]
    assert (len(page.feed), page.older) == (12, 10)
    assert len(browsers.dora.get(f"{table(playing)}?feed=1").context["page"].feed) == 22


# The page itself


def test_every_step_is_well_made(browsers: Clients, fighting: Battle) -> None:
    jussac = who("Jussac")
    for query in (
        "",
        f"?who={jussac}",
        f"?who={jussac}&do=attack",
        "?who=a",
        "?do=note",
        "?latest=4",
        "?feed=1",
    ):
        body = browsers.alice.get(table(fighting) + query).content.decode()
        assert list(faults(body)) == [], query
    refused = do(browsers.alice, fighting, "attack", jussac, target=who("Hans"), dice="9")
    assert list(faults(refused.content.decode())) == []


def test_the_table_takes_the_same_queries_however_long_the_log(
    browsers: Clients, fighting: Battle, alice: User
) -> None:
    bob = browsers.bob

    def taken() -> int:
        bob.get(table(fighting))  # The number in the header is counted once and kept.
        with CaptureQueriesContext(connection) as seen:
            assert bob.get(f"{table(fighting)}?who={who('Jussac')}&feed=1").status_code == 200
        return len(seen)

    some = taken()
    events = [NewEvent(uuid4(), "note", {"text": f"Note {place}"}) for place in range(60)]
    log_events(battle_id=fighting.pk, events=events, user=alice)
    # SQLite compares the rows of a page by a statement for each table.
    assert taken() == some <= (13 if connection.vendor == "postgresql" else 40)


def test_a_rule_system_without_turns_has_no_table(
    browsers: Clients, playing: Battle, monkeypatch: Any
) -> None:
    monkeypatch.setattr("battles.views.table.table_page", lambda *_: None)
    assert browsers.alice.get(table(playing)).status_code == 404


# One thing at a time


def test_one_thing_is_asked_at_a_time_and_the_rest_is_folded_away(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    log(begun, alice, "turn", turn=1)
    prompts = browsers.alice.get(table(begun)).context["page"].prompts
    assert (prompts.first.do, prompts.pressing, prompts.open) == ("priority", True, ())
    log(begun, alice, "priority", rolls=[{"a": 6, "b": 1}])
    log(begun, alice, "move", fighter=who("Jussac"), contacts=[who("Hans")])
    prompts = browsers.alice.get(table(begun)).context["page"].prompts
    assert (
        prompts.first is None
        and not prompts.pressing
        and [each.do for each in prompts.open] == ["done", "done"]
    ), "the phase asks for nothing"
    assert [each.do for phase in prompts.later for each in phase.due] == ["round"], (
        "a turn waits for the combat"
    )
    jussac, hans = who("Jussac"), who("Hans")
    dice = {jussac: [6], hans: [1]}
    log(
        begun,
        alice,
        "combat",
        fighters={"a": [jussac], "b": [hans]},
        counters=COUNTERS,
        initiative=dice,
    )
    page = browsers.alice.get(table(begun)).context["page"]
    assert page.prompts.first.do == "round" and page.prompts.acts == {jussac}
    acting = [
        token.view.name
        for side in page.sides
        for group in side.groups
        for token in group.tokens
        if token.acts
    ]
    assert acting == ["Jussac"]


def test_the_screen_has_a_way_out_a_bar_and_no_navigation(
    browsers: Clients, fighting: Battle
) -> None:
    body = browsers.alice.get(table(fighting)).content.decode()
    bar = body[body.index("<footer") :]
    assert (
        'class="masthead"' not in body
        and f'href="{reverse("battles:battle", args=[fighting.pk])}"' in body
    )
    assert 'id="phase"' in bar and 'id="undo-newest"' in bar and 'id="unsent" role="status"' in bar
    assert f'data-battle="{fighting.pk}" data-entries="4"' in body and 'data-live="' in body
    form = browsers.alice.get(f"{table(fighting)}?who={who('Jussac')}&do=attack").content.decode()
    assert "data-log-event" in form and 'form="action"' in form[form.index("<footer") :]
    assert 'id="gone-on" role="status"' in form and "data-keep" in form


def test_the_bar_leads_to_the_result_once_the_battle_is_over(
    browsers: Clients, playing: Battle, alice: User
) -> None:
    log(playing, alice, "ended", how="agreed")
    body = browsers.alice.get(table(playing)).content.decode()
    assert (
        f'class="button big" href="{reverse("battles:review", args=[playing.pk])}"'
        in body[body.index("<footer") :]
    )


# Several at once


def several(battle: Battle) -> str:
    return reverse("battles:several", args=[battle.pk])


def together(browser: Client, battle: Battle, do: str, *names: str, **kwargs: Any) -> Any:
    """Submit the form of an action of several fighters."""
    hidden = {"client_id": str(uuid4()), "version": fresh(battle).version}
    chosen = "".join(f"&who={who(name)}" for name in names)
    return browser.post(f"{several(battle)}?do={do}{chosen}", {**hidden, **kwargs})


@pytest.fixture
def let_go(playing: Battle, alice: User) -> Battle:
    """Return a battle in which Bob's side has passed, so that all of Alice's may act."""
    log(playing, alice, "done", side="b")
    return playing


def test_several_move_together_each_as_far_as_all_or_as_far_as_he_likes(
    browsers: Clients, let_go: Battle
) -> None:
    picking = browsers.alice.get(several(let_go)).content.decode()
    assert picking.count('name="who"') == 8 and list(faults(picking)) == []
    chosen = f"{several(let_go)}?who={who('Jussac')}&who={who('Cahusac')}"
    with CaptureQueriesContext(connection) as taken:
        offered = browsers.alice.get(chosen)
    three = f"{chosen}&who={who('Biscarat')}"
    with CaptureQueriesContext(connection) as of_three:
        browsers.alice.get(three)
    assert len(of_three) == len(taken) <= 11, "however many they are"
    assert {"move", "rest"} <= {action.key for action, _ in offered.context["common"]}
    form = browsers.alice.get(f"{chosen}&do=move")
    assert list(faults(offered.content.decode())) == list(faults(form.content.decode())) == []
    assert [field.name for field in form.context["form"].shown_at_once][:2] == ["gait", "inches"]
    kwargs = {"inches": "3", "1-inches": "2", "client_id": str(uuid4())}
    answers = [
        together(browsers.alice, let_go, "move", "Jussac", "Cahusac", **kwargs) for _ in range(2)
    ]
    assert answers[0]["Location"] == answers[1]["Location"] == f"{table(let_go)}?latest=5", (
        "a second tap logs nothing"
    )
    moves = BattleEvent.objects.filter(battle=let_go, kind="move").order_by("sequence")
    assert [(row.data["fighter"], row.data["inches"]) for row in moves] == [
        (who("Jussac"), 3),
        (who("Cahusac"), 2),
    ]
    assert len({row.version for row in moves}) == 1, "one request"
    page = browsers.alice.get(table(let_go))
    assert page.context["page"].together == (5, 4) and "Undo the last 2" in page.content.decode()
    browsers.alice.post(
        reverse("battles:undo", args=[let_go.pk]), {"sequence": "5", "together": "true"}
    )
    feed = browsers.alice.get(table(let_go)).context["page"].feed
    assert [each.line.sequence for each in feed if each.struck] == [5, 4], (
        "what was logged together is undone so"
    )


def test_what_one_of_several_may_not_do_none_does_and_he_is_named(
    browsers: Clients, let_go: Battle
) -> None:
    do(browsers.alice, let_go, "move", who("Cahusac"), inches="2")
    answer = together(browsers.alice, let_go, "move", "Jussac", "Cahusac", inches="3")
    body = answer.content.decode()
    assert answer.status_code == 400 and "Cahusac: " in body and "Nothing was saved." in body
    assert 'value="3"' in body and list(faults(body)) == []
    assert BattleEvent.objects.filter(battle=let_go, kind="move").count() == 1
    late = together(browsers.alice, let_go, "move", "Jussac", "Biscarat", inches="3", version=1)
    assert late.status_code == 409 and "Someone else saved an entry first" in late.content.decode()
    assert together(browsers.alice, let_go, "attack", "Jussac").status_code == 409, (
        "he is in no combat"
    )
    assert together(browsers.dora, let_go, "rest", "Jussac").status_code == 403


def test_what_the_rules_refuse_several_is_overruled_with_one_reason_kept_with_those_alone(
    browsers: Clients, let_go: Battle, alice: User
) -> None:
    do(browsers.alice, let_go, "move", who("Cahusac"), inches="2")
    do(browsers.alice, let_go, "move", who("Biscarat"), inches="2")
    refused = together(
        browsers.alice, let_go, "move", "Jussac", "Cahusac", inches="3"
    ).content.decode()
    assert 'name="overruled"' in refused and list(faults(refused)) == []
    assert refused.count("has already acted this turn") == 1, "told once"
    kwargs = {"inches": "3", "overruled": "We both forgot it"}
    assert (
        together(browsers.alice, let_go, "move", "Jussac", "Cahusac", **kwargs).status_code == 302
    )
    moves = BattleEvent.objects.filter(battle=let_go, kind="move").order_by("sequence")[2:]
    assert [(row.data["fighter"], row.data.get("overruled", "")) for row in moves] == [
        (who("Jussac"), ""),
        (who("Cahusac"), "We both forgot it"),
    ]
    queued = {"inches": "3", "client_id": str(uuid4()), "version": fresh(let_go).version}
    address = f"{several(let_go)}?do=move&who={who('Cahusac')}&who={who('Biscarat')}"
    headers = {"Muster-Writer": str(alice.pk)}
    assert browsers.alice.post(address, queued, headers=headers).json()["overrule"] is True
    again = browsers.alice.post(address, {**queued, "overruled": "Agreed"}, headers=headers)
    assert again.status_code == 200 and moves.all().count() == 4, (
        "a phone that was off line settles it the same way"
    )
    nonsense = together(browsers.alice, let_go, "move", "Jussac", inches="-9", overruled="Agreed")
    assert nonsense.status_code == 400, "a reason mends no slip"


def test_batch_rolls_for_each_and_keeps_accepted_dice(
    browsers: Clients, let_go: Battle, alice: User
) -> None:
    chosen = f"{several(let_go)}?who={who('Jussac')}&who={who('Cahusac')}"
    assert "dexterity" in {action.key for action, _ in browsers.alice.get(chosen).context["common"]}
    form = browsers.alice.get(f"{chosen}&do=dexterity").content.decode()
    assert "Muster rolls for each of them" in form and list(faults(form)) == []
    kwargs = {"words": "Over the wall", "client_id": str(uuid4()), "version": fresh(let_go).version}
    answers = [
        together(browsers.alice, let_go, "dexterity", "Jussac", "Cahusac", **kwargs)
        for _ in range(2)
    ]
    thrown = BattleEvent.objects.filter(battle=let_go, kind="dexterity").order_by("sequence")
    assert [(row.data["fighter"], row.data["thrown"], bool(row.dice)) for row in thrown] == [
        (who("Jussac"), "app", True),
        (who("Cahusac"), "app", True),
    ]
    assert {answer["Location"] for answer in answers} == {
        f"{table(let_go)}?latest={thrown[1].sequence}"
    }
    do(browsers.alice, let_go, "move", who("Cahusac"), inches="2")
    events = [
        NewEvent(uuid4(), "dexterity", {"fighter": who("Jussac")}, 1),
        NewEvent(uuid4(), "move", {"fighter": who("Cahusac"), "inches": 2}, 1),
        NewEvent(uuid4(), "dexterity", {"fighter": who("Biscarat")}, 1),
    ]
    sent: dict[str, Any] = {"battle_id": let_go.pk, "events": events, "user": alice}
    done = log_for_several(**sent, version=fresh(let_go).version)
    assert [row.kind for row in done.logged] == ["dexterity", "dexterity"] and [*done.left] == [1]
    assert "has already acted" in done.left[1][0].sentence and done.left[1][0].field.startswith(
        "1."
    )
    again = log_for_several(**sent, version=1)
    assert again.logged == done.logged and [*again.left] == [1], (
        "sent again nothing is thrown again"
    )
    with pytest.raises(StateConflict, match="version"):
        log_for_several(**{**sent, "events": [NewEvent(uuid4(), "note", {"text": "x"})]}, version=1)


def test_what_is_chosen_in_secret_or_rolled_at_the_table_is_said_to_be_for_one_at_a_time(
    browsers: Clients, let_go: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = f"{several(let_go)}?who={who('Jussac')}&who={who('Cahusac')}"
    assert browsers.alice.get(chosen).context["alone"] == {}
    real = views.table_page

    def by_hand(*args: Any) -> Any:
        page = real(*args)
        return page and replace(page, table=replace(page.table, dice="table"))

    monkeypatch.setattr(views, "table_page", by_hand)
    page = browsers.alice.get(chosen)
    assert "dexterity" not in {action.key for action, _ in page.context["common"]}
    assert "Dexterity Check (the dice are rolled at the table)" in " ".join(
        page.content.decode().split()
    )


def test_optional_actions_are_skipped_in_one_tap(browsers: Clients, playing: Battle) -> None:
    page = browsers.alice.get(table(playing))
    batch, *bulks = page.context["page"].prompts.batches
    assert (batch.do, batch.who) == ("done", ("a", "b"))
    assert [(each.do, len(each.who), each.some) for each in bulks] == [
        ("move", 4, True),
        ("move", 4, False),
    ] * 2
    assert "Pass: both sides" in " ".join(page.content.decode().split())
    address = f"{several(playing)}{batch.address}"
    assert address.replace("&", "&amp;") in page.content.decode()
    data = {"client_id": str(uuid4()), "version": fresh(playing).version}
    assert browsers.alice.post(address, data).status_code == 302
    assert [
        row.data["side"] for row in BattleEvent.objects.filter(battle=playing, kind="done")
    ] == ["a", "b"]


def test_whole_side_moves_in_one_tap(browsers: Clients, playing: Battle) -> None:
    """Ten of a side were refused with ten equal lines: sides take turns."""
    page = browsers.alice.get(table(playing)).context["page"]
    moves = [batch for batch in page.prompts.batches if batch.do == "move" and not batch.some]
    assert [batch.button for batch in moves] == [
        "Compagnie du Cardinal: all 4 move",
        "Der schwarze Haufen: all 4 move",
    ]
    for batch in reversed(moves):
        data = {"client_id": str(uuid4()), "version": fresh(playing).version}
        assert browsers.alice.post(f"{several(playing)}{batch.address}", data).status_code == 302
    rows = BattleEvent.objects.filter(battle=playing, kind="move")
    assert rows.count() == 8 and all(
        row.data["as_given"] and not row.data.get("overruled") for row in rows
    )
    assert browsers.alice.get(table(playing)).context["page"].prompts.first.do == "turn", (
        "nobody is left to move"
    )


def test_those_who_charge_are_entered_on_one_form_and_the_others_stay(
    browsers: Clients, playing: Battle
) -> None:
    page = browsers.alice.get(table(playing)).context["page"]
    charges = next(batch for batch in page.prompts.batches if batch.some)
    address = f"{several(playing)}{charges.address}"
    shown = browsers.alice.get(address)
    body = " ".join(shown.content.decode().split())
    assert "Fill in those who act." in body and list(faults(shown.content.decode())) == []
    place = {name: at for at, name in enumerate(shown.context["chosen"].values())}
    data = {"client_id": str(uuid4()), "version": fresh(playing).version, "gait": "normal"}
    nobody = browsers.alice.post(address, data)
    assert nobody.status_code == 400 and "Fill in at least one fighter." in nobody.content.decode()
    touch = {
        f"{place['Cahusac']}-contacts": who("Hans"),
        f"{place['Biscarat']}-contacts": who("Veit"),
    }
    assert browsers.alice.post(address, {**data, **touch}).status_code == 302
    rows = BattleEvent.objects.filter(battle=playing, kind="move").order_by("sequence")
    assert {row.data["fighter"]: row.data["contacts"] for row in rows} == {
        who("Cahusac"): [who("Hans")],
        who("Biscarat"): [who("Veit")],
    }
    late = {
        f"{place['Jussac']}-contacts": who("Kunz"),
        f"{place['Biscarat']}-contacts": who("Veit"),
    }
    again = browsers.alice.post(
        address, {**data, **late, "client_id": str(uuid4()), "version": fresh(playing).version}
    )
    assert again.status_code == 400 and "Biscarat: " in again.content.decode(), (
        "the one who has acted is named"
    )


def test_stunned_of_several_are_rolled_in_one_tap(
    browsers: Clients, playing: Battle, alice: User
) -> None:
    for name, by in (("Jussac", "Hans"), ("Cahusac", "Veit")):
        log(playing, alice, "wound", attacker=who(by), victim=who(name), result="stunned")
    for side in "ab":
        log(playing, alice, "done", side=side)
    page = browsers.alice.get(table(playing))
    lead = page.context["page"].prompts.lead
    assert (lead.do, set(lead.who)) == ("stun_roll", {who("Jussac"), who("Cahusac")})
    assert "Roll: all 2 fighters" in " ".join(page.content.decode().split())
    assert page.context["page"].table.choice == ""
    data = {"client_id": str(uuid4()), "version": fresh(playing).version}
    answers = [browsers.alice.post(f"{several(playing)}{lead.address}", data) for _ in range(2)]
    assert answers[0].status_code == answers[1].status_code == 302
    rolls = BattleEvent.objects.filter(battle=playing, kind="stun_roll")
    assert rolls.count() == 2 and all(row.dice for row in rolls), "Muster threw for both, once"


# A whole round of combat


def test_whole_round_is_logged_from_one_form(browsers: Clients, in_contact: Battle) -> None:
    page = browsers.bob.get(f"{table(in_contact)}?who={who('Jussac')}&do=round")
    form, body = page.context["form"], page.content.decode()
    assert [field.name for field in form.shown_at_once][:2] == ["counters.a", "counters.b"], (
        "both, on one phone"
    )
    assert "You can enter their choices too." in body and list(faults(body)) == []
    kwargs = {"counters.a": "2,1", "counters.b": "2,1", f"plan.{who('Hans')}.answers": "none"}
    hidden = {"client_id": str(uuid4()), "version": fresh(in_contact).version}
    first, again = (
        do(browsers.bob, in_contact, "round", who("Jussac"), **kwargs, **hidden) for _ in range(2)
    )
    assert first["Location"] == again["Location"], "a second tap logs nothing"
    rows = [*BattleEvent.objects.filter(battle=in_contact, sequence__gt=3).order_by("sequence")]
    assert (
        rows[0].kind == "combat"
        and {row.kind for row in rows[1:]} <= {"attack", "pass"}
        and len(rows) > 1
    )
    assert len({row.version for row in rows}) == 1 and all(
        row.dice for row in rows if row.kind != "pass"
    )
    assert [row.first_die for row in rows if row.dice] == sorted(
        row.first_die or 0 for row in rows if row.dice
    )
    struck_at_hans = [row.data for row in rows if row.data.get("target") == who("Hans")]
    assert not any(each.get("answers") for each in struck_at_hans), "as it was planned"
    page = browsers.bob.get(first["Location"]).context["page"]
    assert [each.line.sequence for each in page.course] == [row.sequence for row in rows], (
        "all of it is shown"
    )
    assert page.table.combat.over


def test_whole_round_is_undone_together(browsers: Clients, in_contact: Battle) -> None:
    do(
        browsers.bob,
        in_contact,
        "round",
        who("Jussac"),
        **{"counters.a": "2,1", "counters.b": "2,1"},
    )
    newest = BattleEvent.objects.filter(battle=in_contact).order_by("sequence").last()
    assert newest is not None
    undo = reverse("battles:undo", args=[in_contact.pk])
    browsers.bob.post(undo, {"sequence": str(newest.sequence), "together": "true"})
    page = browsers.bob.get(table(in_contact)).context["page"]
    assert page.table.combat is None and "round" in {
        each.do for phase in page.table.phases for each in phase.due
    }


def test_round_that_was_undone_falls_again_as_it_fell(
    browsers: Clients, in_contact: Battle
) -> None:
    """Nobody undoes a whole round to throw better the next time."""
    kwargs = {"counters.a": "3,0", "counters.b": "3,0"}
    fought: list[list[Any]] = []
    for _ in range(2):
        do(browsers.bob, in_contact, "round", who("Jussac"), **kwargs)
        page = browsers.bob.get(table(in_contact)).context["page"]
        rows = BattleEvent.objects.filter(
            battle=in_contact, version=fresh(in_contact).version
        ).order_by("sequence")
        fought.append([(row.kind, row.data) for row in rows])
        sent = {"sequence": str(page.undoable.line.sequence), "together": "true"}
        browsers.bob.post(reverse("battles:undo", args=[in_contact.pk]), sent)
    assert fought[0] == fought[1] and "attack" in [kind for kind, _ in fought[0]]


def test_counters_that_do_not_add_up_are_refused_before_any_die(
    browsers: Clients, in_contact: Battle
) -> None:
    answer = do(
        browsers.bob,
        in_contact,
        "round",
        who("Jussac"),
        **{"counters.a": "9,9", "counters.b": "2,1"},
    )
    assert answer.status_code == 400
    assert not BattleEvent.objects.filter(battle=in_contact, kind__in=("combat", "attack")).exists()
    assert fresh(in_contact).dice_used == Battle.objects.get(pk=in_contact.pk).dice_used


def test_rest_of_an_open_round_is_logged_from_one_form(browsers: Clients, fighting: Battle) -> None:
    body = browsers.alice.get(table(fighting)).content.decode()
    assert "Fight the round" in body and "Other options" in body
    assert do(browsers.alice, fighting, "round", who("Jussac")).status_code == 302
    assert browsers.alice.get(table(fighting)).context["page"].table.combat.over


def test_attack_alone_is_still_one_attack_but_for_forced_passes(
    browsers: Clients, fighting: Battle
) -> None:
    do(browsers.alice, fighting, "attack", who("Jussac"), target=who("Hans"))
    kinds = [
        *BattleEvent.objects.filter(battle=fighting, sequence__gt=4).values_list("kind", flat=True)
    ]
    assert kinds.count("attack") == 1 and {*kinds} <= {"attack", "pass"}


def test_follow_up_that_is_refused_after_a_throw_leaves_what_was_thrown(
    browsers: Clients, in_contact: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        EnGarde, "follow_up", lambda *_: FollowUp("attack", {"attacker": "x", "target": "y"})
    )
    answer = do(
        browsers.bob,
        in_contact,
        "round",
        who("Jussac"),
        **{"counters.a": "2,1", "counters.b": "2,1"},
    )
    assert answer.status_code == 302
    kinds = BattleEvent.objects.filter(battle=in_contact, sequence__gt=3).values_list(
        "kind", flat=True
    )
    assert [*kinds] == ["combat"], "its dice were shown"


def test_course_that_never_ends_is_cut_off(
    browsers: Clients, in_contact: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EnGarde, "follow_up", lambda *_: FollowUp("note", {"text": "And so on"}))
    do(
        browsers.bob,
        in_contact,
        "round",
        who("Jussac"),
        **{"counters.a": "2,1", "counters.b": "2,1"},
    )
    assert BattleEvent.objects.filter(battle=in_contact, sequence__gt=3).count() == MAX_IN_COURSE


def test_end_of_a_battle_asks_which_side_conceded(browsers: Clients, playing: Battle) -> None:
    form = browsers.alice.get(f"{table(playing)}?do=ended").context["form"]
    assert [field.name for field in form.shown_at_once] == ["how", "side"]
    refused = do(browsers.alice, playing, "ended", how="conceded")
    assert refused.status_code == 400 and "Choose which side conceded." in refused.content.decode()
    do(browsers.alice, playing, "ended", how="conceded", side="b")
    page = browsers.alice.get(table(playing))
    assert (
        page.context["page"].feed[0].line.sentence
        == "The battle ended after 1 turn: Der schwarze Haufen conceded"
    )
    head = page.content.decode()
    assert "The battle is over" in head and "of 10" not in head[: head.index("</h1>")]


# Choosing in secret


@pytest.fixture
def in_contact(playing: Battle, alice: User) -> Battle:
    """Return a battle in which Jussac (Alice's) and Hans (Bob's) are in contact."""
    log(playing, alice, "move", fighter=who("Jussac"), contacts=[who("Hans")])
    return playing


def test_each_player_chooses_alone_and_both_choices_are_opened_together(
    browsers: Clients, in_contact: Battle
) -> None:
    form = browsers.alice.get(f"{table(in_contact)}?who={who('Jussac')}&do=combat").context["form"]
    assert [field.name for field in form.shown_at_once] == ["counters.a"], (
        "the other side's counters are not asked for"
    )
    do(browsers.alice, in_contact, "combat", who("Jussac"), **{"counters.a": "2,1"})
    assert not BattleEvent.objects.filter(battle=in_contact, kind="combat").exists()
    waiting = browsers.alice.get(
        f"{table(in_contact)}?who={who('Jussac')}&do=combat"
    ).content.decode()
    assert (
        "Compagnie du Cardinal has chosen" in waiting and "Der schwarze Haufen has not" in waiting
    )
    answer = do(browsers.bob, in_contact, "combat", who("Hans"), **{"counters.b": "0,3"})
    event = BattleEvent.objects.get(battle=in_contact, kind="combat")
    assert answer["Location"].endswith(f"latest={event.sequence}")
    assert event.data["counters"] == {"a": [2, 1], "b": [0, 3]}
    assert not SecretChoice.objects.exists()


def test_bar_says_whose_turn_it_is_to_choose(browsers: Clients, in_contact: Battle) -> None:
    version = Battle.objects.get(pk=in_contact.pk).version
    follows = f"{table(in_contact)}?seen={version}&choices=0"
    assert "Your turn to choose" not in browsers.bob.get(table(in_contact)).content.decode()
    assert browsers.bob.get(follows).status_code == 204
    do(browsers.alice, in_contact, "combat", who("Jussac"), **{"counters.a": "2,1"})
    page = browsers.bob.get(follows)
    bar = " ".join(page.content.decode().partition('id="choice"')[2].partition("</p>")[0].split())
    assert bar.endswith("Your turn to choose.</a> Already chosen: Compagnie du Cardinal.")
    assert f"who={who('Hans')}&amp;do=combat#now" in bar
    assert 'data-choices="1"' in page.content.decode()
    mine = browsers.alice.get(table(in_contact)).content.decode()
    assert "Waiting for Der schwarze Haufen to choose." in mine
    assert "Your turn to choose" not in browsers.charlie.get(table(in_contact)).content.decode()


def test_who_chose_first_is_led_to_what_the_choices_came_to(
    browsers: Clients, in_contact: Battle
) -> None:
    waits = do(browsers.alice, in_contact, "combat", who("Jussac"), **{"counters.a": "2,1"})[
        "Location"
    ]
    waiting = browsers.alice.get(waits)
    assert "Your choice is saved" in waiting.content.decode() and not list(
        waiting.context["messages"]
    )
    assert (
        "data-live=" in waiting.content.decode()
        and 'http-equiv="refresh"' in waiting.content.decode()
    )
    opened = do(browsers.bob, in_contact, "combat", who("Hans"), **{"counters.b": "0,3"})[
        "Location"
    ]
    assert browsers.alice.get(waits)["Location"] == opened


def test_who_waits_for_a_choice_that_counts_no_more_is_led_to_the_table(
    browsers: Clients, in_contact: Battle, alice: User
) -> None:
    waits = do(browsers.alice, in_contact, "combat", who("Jussac"), **{"counters.a": "2,1"})[
        "Location"
    ]
    log(in_contact, alice, "turn", turn=2, overruled="The combat is left for another day.")
    log(in_contact, alice, "priority", rolls=[{"a": 6, "b": 1}])
    assert browsers.alice.get(waits)["Location"] == table(in_contact)


def test_what_speaks_against_an_action_is_said_after_a_name(
    browsers: Clients, playing: Battle
) -> None:
    body = browsers.alice.get(f"{table(playing)}?who=a&do=morale").content.decode()
    assert "Compagnie du Cardinal: no test is due. The rules may not allow this." in " ".join(
        body.split()
    )


def test_a_second_tap_on_the_last_choice_shows_what_came_of_the_first(
    browsers: Clients, in_contact: Battle
) -> None:
    do(browsers.alice, in_contact, "combat", who("Jussac"), **{"counters.a": "2,1"})
    first, again = (
        do(browsers.bob, in_contact, "combat", who("Hans"), **{"counters.b": "0,3"})
        for _ in range(2)
    )
    assert first["Location"] == again["Location"]


def test_nobody_learns_a_choice_before_the_others_are_in(
    browsers: Clients, in_contact: Battle
) -> None:
    do(browsers.alice, in_contact, "combat", who("Jussac"), **{"counters.a": "3,0"})
    body = browsers.bob.get(f"{table(in_contact)}?who={who('Hans')}&do=combat").content.decode()
    assert "Compagnie du Cardinal has chosen" in body and "3,0" not in body.replace(
        'value="3,0"', "", 1
    )
    stored = SecretChoice.objects.get()
    assert b"3, 0" not in bytes(stored.sealed)


def test_a_choice_may_be_changed_until_the_others_are_in(
    browsers: Clients, in_contact: Battle
) -> None:
    for counters in ("3,0", "1,2"):
        do(browsers.alice, in_contact, "combat", who("Jussac"), **{"counters.a": counters})
    do(browsers.bob, in_contact, "combat", who("Hans"), **{"counters.b": "3,0"})
    assert BattleEvent.objects.get(battle=in_contact, kind="combat").data["counters"] == {
        "a": [1, 2],
        "b": [3, 0],
    }


def test_two_who_share_a_phone_fill_in_both(browsers: Clients, in_contact: Battle) -> None:
    alone = browsers.alice.get(
        f"{table(in_contact)}?who={who('Jussac')}&do=combat"
    ).content.decode()
    assert "shared=1" in alone
    form = browsers.alice.get(
        f"{table(in_contact)}?who={who('Jussac')}&do=combat&shared=1"
    ).context["form"]
    assert [field.name for field in form.shown_at_once] == ["counters.a", "counters.b"]


def test_secret_choice_of_earlier_turn_does_not_count(
    browsers: Clients, in_contact: Battle, alice: User
) -> None:
    do(browsers.alice, in_contact, "combat", who("Jussac"), **{"counters.a": "3,0"})
    log(in_contact, alice, "turn", turn=2, overruled="The combat is left for another day.")
    log(in_contact, alice, "priority", rolls=[{"a": 6, "b": 1}])
    do(browsers.bob, in_contact, "combat", who("Hans"), **{"counters.b": "3,0"})
    assert not BattleEvent.objects.filter(battle=in_contact, kind="combat").exists()
    assert [choice.field for choice in SecretChoice.objects.all()] == ["counters.b"]


def test_nobody_chooses_for_a_side_that_is_not_theirs(in_contact: Battle, bob: User) -> None:
    choosing = SecretChoiceInput(
        "x", "counters.a", [3, 0], {"counters.a": "a", "counters.b": "b"}, "combat", {}, 1
    )
    with pytest.raises(Forbidden):
        choose_in_secret(battle_id=in_contact.pk, user=bob, choosing=choosing)
    with pytest.raises(InvalidInput):
        choose_in_secret(
            battle_id=in_contact.pk, user=bob, choosing=replace(choosing, field="dice")
        )


# Secret objectives


@pytest.fixture
def secretive(begun: Battle) -> Battle:
    """Return a battle in which minor objectives are secret."""
    Battle.objects.filter(pk=begun.pk).update(
        house_rules={**begun.house_rules, "minor_objectives": "secret"}
    )
    return fresh(begun)


def test_secret_objective_is_visible_to_own_player_only(
    browsers: Clients, secretive: Battle
) -> None:
    mine = f"{table(secretive)}?who=a"
    assert "Show your secret roll" in browsers.alice.get(mine).content.decode()
    assert "Show your secret roll" not in browsers.bob.get(mine).content.decode()
    where = reverse("battles:secret", args=[secretive.pk])
    assert browsers.bob.post(where, {"side": "a"}).status_code == 403
    assert browsers.alice.post(where, {"side": "a"})["Location"] == mine
    assert "Only you can see this" in browsers.alice.get(mine).content.decode()
    for browser in (browsers.bob, browsers.dora):
        assert "Only you can see this" not in browser.get(mine).content.decode()


def test_secret_objectives_are_due_after_the_end(
    browsers: Clients, secretive: Battle, alice: User
) -> None:
    def due() -> list[str]:
        page = browsers.alice.get(table(secretive)).context["page"]
        return [each.do for phase in page.table.phases for each in phase.due]

    assert "minor_objective" not in due()
    log(secretive, alice, "ended", how="agreed")
    assert due() == ["minor_objective", "minor_objective"]
    for side in ("a", "b"):
        assert do(browsers.alice, secretive, "minor_objective", side).status_code == 302
    assert due() == []


def test_open_objectives_are_rolled_before_the_first_turn(browsers: Clients, begun: Battle) -> None:
    assert do(browsers.alice, begun, "minor_objective", "a").status_code == 302
    assert 1 <= BattleEvent.objects.get(battle=begun).data["rolled"] <= 6


# Correcting


def entry(battle: Battle, kind: str) -> str:
    sequence = battle.events.filter(kind=kind).latest("sequence").sequence
    return reverse("battles:correct-entry", args=[battle.pk, sequence])


def mend(browser: Client, battle: Battle, where: str, **kwargs: Any) -> Any:
    """Submit the form of a correction with changes of some fields."""
    row = browser.get(where).context["row"]
    stands = {
        field.html_name: field.value() for field in row if field.value() not in (None, "", False)
    }
    sent = {**stands, **{f"entry-{key.replace('__', '.')}": value for key, value in kwargs.items()}}
    hidden = {
        "client_id": str(uuid4()),
        "version": fresh(battle).version,
        "reason": "Misread",
        "commit": "1",
    }
    return browser.post(where, {**sent, **hidden})


def test_an_entry_is_corrected_with_the_fields_that_logged_it(
    browsers: Clients, fighting: Battle, bob: User
) -> None:
    where = entry(fighting, "priority")
    page = browsers.bob.get(where)
    row = page.context["row"]
    assert "rolls" not in row.fields, "nobody types JSON"
    assert (row["rolls.0.a"].value(), row["rolls.0.b"].value()) == (6, 1)
    assert row["rolls.0.a"] in row.main_fields, "what was said stands at once"
    assert list(faults(page.content.decode())) == []
    assert mend(browsers.bob, fighting, where, rolls__0__a="2", rolls__0__b="5").status_code == 302
    corrected = fighting.events.latest("sequence").data["data"]
    assert corrected["rolls"] == [{"a": 2, "b": 5}]
    combat = browsers.bob.get(entry(fighting, "combat")).context["row"]
    by_name = {
        field.name: field.value()
        for field in combat.main_fields
        if field.value() and field.name != "thrown"
    }
    dice = {f"initiative.{who('Jussac')}": "6", f"initiative.{who('Hans')}": "1"}
    assert by_name == {"counters.a": "2,1", "counters.b": "2,1", **dice}
    assert dict(combat.fields["counters.a"].choices).keys() >= {"2,1"}, (
        "chosen from what the pool allows"
    )


def test_correction_choices_follow_chosen_fighter(
    browsers: Clients, playing: Battle, alice: User, bob: User
) -> None:
    log(playing, alice, "move", fighter=who("Jussac"), gait="run", inches=2)
    where = entry(playing, "move")
    row = browsers.bob.get(where).context["row"]
    foes = {key for key, _ in row.fields["contacts"].choices}
    assert foes and who("Jussac") not in foes and who("Hans") in foes, "enemies alone are touched"
    assert row["gait"].value() == "run" and row["inches"].value() == 2
    assert (
        mend(browsers.bob, playing, where, gait="short", contacts=[who("Hans")]).status_code == 302
    )
    corrected = playing.events.latest("sequence").data["data"]
    assert corrected["contacts"] == [who("Hans")] and corrected["inches"] == 2
    refused = mend(browsers.bob, playing, where, fighter=who("Veit"), contacts=[who("Hans")])
    assert refused.status_code == 400
    assert who("Jussac") in {key for key, _ in refused.context["row"].fields["contacts"].choices}


def test_a_phone_asks_for_news_often_enough_to_follow_within_three_seconds() -> None:
    script = Path(str(finders.find("site/js/table.js"))).read_text(encoding="utf-8")
    asked_every = re.search(r"const EVERY = (\d+);", script)
    assert asked_every and int(asked_every[1]) < 3000 and "setInterval(look, EVERY)" in script


def test_feed_links_each_entry_that_counts_to_its_correction(
    browsers: Clients, playing: Battle, alice: User
) -> None:
    def linked(browser: Client) -> set[str]:
        return set(
            re.findall(
                r"/log/(\d+)/correct/\?from=table", browser.get(table(playing)).content.decode()
            )
        )

    log(playing, alice, "note", text="Rain")
    assert linked(browsers.alice) == linked(browsers.bob) == {"1", "2", "3"}
    assert linked(browsers.dora) == set(), "a reader corrects nothing"
    log(playing, alice, "correction", event=3, reason="Entered by mistake")
    assert linked(browsers.alice) == {"1", "2"}, "neither what is struck nor what struck it"


def test_entry_is_struck_in_one_tap_and_leads_back_to_the_table(
    browsers: Clients, playing: Battle, alice: User
) -> None:
    log(playing, alice, "note", text="Rain")
    where = f"{entry(playing, 'note')}?from=table"
    html = browsers.bob.get(where).content.decode()
    assert list(faults(html)) == []
    form = html.partition('class="by-mistake"')[2].partition("</form>")[0]
    data = dict(re.findall(r'<input type="hidden" name="(\w+)"\s+value="([^"]*)"', form))
    answer = browsers.bob.post(where, {**data, "commit": "1"})
    assert answer["Location"] == f"{table(playing)}#feed"
    assert playing.events.latest("sequence").data == {"event": 3, "reason": "Entered by mistake"}
