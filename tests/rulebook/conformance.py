"""Checks that every rule system must pass, whatever its rules. The systems' own tests call them.

``check_battle`` walks through a valid log; ``random_play`` makes one from the offers of the table;
``check_reference`` checks everything outside of battles that can be browsed, built and calculated.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from battles.selectors.table_prompts import prompts_of
from drawings.shapes import CARRIED, HATS
from rulebook.battle_log.forms import AnyKind, dice_fields, dice_of
from rulebook.battle_log.overruling import STILL_OPEN
from rulebook.battle_log.play import Play, load_play, open_play, replay
from rulebook.dice.committed import CommittedDice, KeptDice
from rulebook.ruleset import (
    AS_RECRUITED,
    Action,
    BattleSetup,
    CampaignTerms,
    Fate,
    LoggedEvent,
    RulesError,
    Ruleset,
    TickBoxes,
)
from rulebook.values.battles import PrivateRoll
from rulebook.values.fields import Field, nested, read_value
from rulebook.values.moments import BattleMoments, MomentKind
from rulebook.values.problems import Repeated, Severity
from rulebook.values.rosters import Roster, RosterFighter
from rulebook.values.table import TableView

Events = tuple[LoggedEvent, ...]
NO_BUILDS: tuple[Any, ...] = (
    None,
    [],
    ["profile"],
    "profile",
    "",
    7,
    True,
    {"profile": {}, "no such field": 1},
)
MAX_PROPOSALS, MAX_ANSWERS = 99, 30
NUMBERS = {"number": 1, "inches": 3, "centimetres": 10}


def check_battle(rules: Ruleset, setup: BattleSetup, events: Events) -> None:
    """Walk through a log with every check: state, replay, sentences, table and result."""
    play = open_play(rules.log, setup)
    names = names_of(rules, setup)
    check_unfielded(rules, setup)
    for event in events:
        assert play.problems(event) == (), (event, play.problems(event))
        check_dice(rules, play, event)
        play = load_play(rules.log, setup, play.stored(), play.events).after(event)
        check_event(rules, play, event, names)
        check_obligations(rules, play)
    check_replay(rules, play)
    json.dumps(rules.play_state(play))
    check_result(rules, play)
    check_moments(rules, play)
    check_correction(rules, play)


def check_unfielded(rules: Ruleset, setup: BattleSetup) -> None:
    """Check that an army without a line-up causes no warnings about missing things."""
    nobody = replace(setup, sides=tuple(replace(each, fighters=()) for each in setup.sides))
    assert [each for each in rules.force_problems(nobody) if each.severity is Severity.WARNS] == []


def check_replay(rules: Ruleset, play: Play[Any]) -> None:
    """Check that a replay of the log gives the same state, with and without validation."""
    again, accepted = (
        replay(rules.log, play.setup, play.events(), accepted=each) for each in (False, True)
    )
    assert accepted.steps == again.steps and (accepted.overruled, accepted.taken_back) == (
        again.overruled,
        again.taken_back,
    )
    assert json_of(accepted) == json_of(again) == json_of(play)


def json_of(play: Play[Any]) -> Any:
    """Return the state as JSON, so that different types of lists compare equal."""
    return msgspec.json.decode(msgspec.json.encode(play.state))


def check_dice(rules: Ruleset, play: Play[Any], event: LoggedEvent) -> None:
    """Check that Muster's dice complete an event without dice to the logged event."""
    if not event.dice:
        return
    thrown = {"thrown", *dice_of(rules.log.read(event))}
    bare = {key: value for key, value in event.data.items() if key not in thrown}
    again = play.throw(
        LoggedEvent(event.sequence, event.kind, bare, event.turn), KeptDice(event.dice)
    )
    assert (again.data, again.dice) == (event.data, event.dice)
    sent = play.throw(event, KeptDice(()))
    assert (sent.data["thrown"], sent.dice) == ("table", ())


def check_secrets(rules: Ruleset, play: Play[Any]) -> list[PrivateRoll]:
    """Check and return the secrets of the sides.

    A secret must be the same on each call, use none of the battle's dice, and not appear in public
    data.
    """
    published = json.dumps(rules.play_state(play)) + "".join(
        str(rules.at_table(play, who)) for who in ("", *names_of(rules, play.setup))
    )
    secrets = []
    for side in play.setup.sides:
        dice = CommittedDice("seed", "battle")
        secret = rules.secrets.private_roll(play.setup, side.key, dice)
        assert secret == rules.secrets.private_roll(
            play.setup, side.key, CommittedDice("seed", "battle", used=7)
        )
        assert dice.used == 0
        if secret is not None:
            assert secret.side == side.key
            assert all((secret.what, secret.sentence, secret.rule, secret.purpose))
            assert secret.sentence not in published
            secrets.append(secret)
    return secrets


def names_of(rules: Ruleset, setup: BattleSetup) -> dict[str, str]:
    """Return the names of everybody in the battle, by id."""
    fighters = {each.id: each.name for side in setup.sides for each in side.fighters}
    return {
        **fighters,
        **dict(rules.bystanders(setup)),
        **{side.key: side.name for side in setup.sides},
    }


def check_event(
    rules: Ruleset, play: Play[Any], event: LoggedEvent, names: Mapping[str, str]
) -> None:
    """Check that an event survives JSON, and that its outcome has correct sums.

    Its sentences must be complete.
    """
    read = rules.log.read(event)
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(read)), type(read)) == read
    keys = {field.key for field in rules.log.fields(event.kind)}
    assert set(event.data) <= keys
    outcome = play.outcome()
    assert outcome is not None
    for sentence in outcome.sentences:
        assert sentence.strip() == sentence != ""
    for score in outcome.sums:
        assert score.total == sum(line.amount for line in score.lines)
        assert all(line.reason and line.rule for line in score.lines)
    sentence = rules.log.sentence(event, names)
    assert not any(key in sentence.split() for key in names if len(key) > 8)


def check_obligations(rules: Ruleset, play: Play[Any]) -> int:
    """Check that no turn begins and the battle does not end before due actions, unless overruled.

    Return the number of due actions.
    """
    owed = tuple(rules.log.policy.obligations(play.state))
    names = askers(rules, play)
    for each in owed:
        assert each.who in names, each
        assert each.label.strip()
        assert each.rule or rules.log.kinds[each.kind].rule, f"{each.kind} is owed by no rule"
    for kind in rules.log.kinds.values():
        if kind.starts_turn or kind.ends_battle:
            event = plain_event(rules, play, kind.key)
            # A light turn offers due actions and does not wait for them.
            is_light = rules.log.policy.is_light(play.state, rules.log.read(event))
            waits = not is_light and any(kind.starts_turn or each.blocks_end for each in owed)
            codes = [problem.code for problem in tried(play, event)]
            assert codes.count(STILL_OPEN) == int(waits), (kind.key, owed, codes)
            reason = {**event.data, "overruled": "The table agrees."}
            assert not waits or tried(play, msgspec.structs.replace(event, data=reason)) == (), (
                kind.key,
                owed,
            )
    return len(owed)


def check_owed_is_proposed(rules: Ruleset, play: Play[Any], luck: Random) -> int:
    """Check that the table's proposals lead to all due actions, and that pressing ones are legal.

    Return the number of proposals that were needed.
    """
    for number in range(MAX_PROPOSALS):
        owed = tuple(rules.log.policy.obligations(play.state))
        if not owed:
            return number
        proposed = proposals(rules, play)
        for action, presses in proposed:
            after = carried_out(play, action, luck)
            assert after is not None or not presses, (action.key, action.given, owed)
            if after is not None:
                play = after
                break
        else:
            raise AssertionError(
                f"Nothing that is proposed leads on while this is owed: {owed}, {proposed}"
            )
    raise AssertionError(f"What is proposed leads nowhere while this is owed: {owed}")


def proposals(rules: Ruleset, play: Play[Any]) -> list[tuple[Action, bool]]:
    """Return the proposals of a page without a turn and the end, in its order.

    Each has whether the page presses for it. A pressing proposal is the only one.
    """
    table = rules.at_table(play)
    assert table is not None
    prompts = prompts_of(table)
    first = prompts.open[:1] if prompts.lead else (prompts.first,) if prompts.first else ()
    rest = (
        ()
        if prompts.pressing
        else (*prompts.open, *(due for phase in prompts.later for due in phase.due))
    )
    offers = []
    for due in (each for each in (*first, *rest) if each.do):
        view = rules.at_table(play, due.who)
        assert view is not None
        action = next(each for each in view.actions if each.key == due.do)
        kind = rules.log.kinds[action.kind]
        if not (kind.starts_turn or kind.ends_battle):
            offers.append((action, prompts.pressing))
    return offers


def carried_out(play: Play[Any], action: Action, luck: Random) -> Play[Any] | None:
    """Return the play after an action with valid answers; None if all tried answers are refused."""
    for _ in range(MAX_ANSWERS):
        event = event_of(play, action, luck)
        if not tried(play, event):
            thrown = play.throw(event, luck)
            return play.after(
                LoggedEvent(event.sequence, event.kind, thrown.data, event.turn, thrown.dice)
            )
    return None


def plain_event(rules: Ruleset, play: Play[Any], kind: str) -> LoggedEvent:
    """Return an event of this kind with required fields only, about the first side and fighter."""
    first = {"side": play.setup.sides[0].key, "combatant": play.setup.sides[0].fighters[0].id}
    data = {
        field.key: first.get(field.kind, value_of(field, Random(0)))
        for field in rules.log.fields(kind)
        if field.required and field.group != "dice"
    }
    return LoggedEvent(
        play.sequence + 1, kind, {key: value for key, value in data.items() if value is not None}
    )


def check_offers(rules: Ruleset, play: Play[Any], event: LoggedEvent) -> None:
    """Check that a legal event is offered to somebody it names, to their side, or to nobody."""
    sides = {each.id: side.key for side in play.setup.sides for each in side.fighters}
    named = list(dict.fromkeys(strings_in(event.data)))
    takers = dict.fromkeys(("", *named, *(sides.get(each, each.split("/")[0]) for each in named)))
    for who in takers:
        view = rules.at_table(play, who)
        if view is None or event.kind in {each.kind for each in view.actions}:
            return
    raise AssertionError(f"{event.kind} is legal, and offered to none of {[*takers]}: {event.data}")


def strings_in(value: Any) -> Iterator[str]:
    """Yield every text in the data of an event, including the keys of maps."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from strings_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings_in(inner)


def check_offers_of_log(
    rules: Ruleset, setup: BattleSetup, events: Events, without: Collection[str] = ()
) -> None:
    """Check that every logged event was offered at its moment, except kinds in ``without``."""
    play = open_play(rules.log, setup)
    for place, event in enumerate(events, start=1):
        try:
            after = play.after(event)
        except RulesError:  # Accepted when it was logged, and against the rules of today.
            try:
                play = replay(rules.log, setup, events[:place])
            except (
                RulesError
            ):  # Its dice mean something else today: the rest of this log asks nothing.
                return
            continue
        if event.kind not in ("correction", *without) and not event.data.get("overruled"):
            check_offers(rules, play, event)
        play = after


def check_offers_of_candidates(
    rules: Ruleset, setup: BattleSetup, events: Events, luck: Random
) -> int:
    """Check that legal events are offered, with events that do not come from the offers.

    These are events of the log with other people, and forms filled at random. Return the number of
    legal ones.
    """
    log, play, legal, every = rules.log, open_play(rules.log, setup), 0, max(1, len(events) // 12)
    data_seen: dict[str, list[Mapping[str, Any]]] = {kind: [] for kind in log.kinds}
    for event in events:
        data_seen[event.kind].append(without_dice(rules, event))
    for place, event in enumerate(events):
        for kind in log.kinds.values() if place % every == 0 else ():
            if not kind.turn_by_turn:
                continue
            for candidate in candidates(rules, play, kind.key, data_seen[kind.key], luck):
                if tried(play, candidate) == ():
                    legal += 1
                    check_offers(rules, play, candidate)
        play = play.after(event)
    return legal


def check_harm_of_candidates(
    rules: Ruleset, setup: BattleSetup, events: Events, luck: Random
) -> int:
    """Check that enemies cause all harm, or a comrade with a declared cause.

    This covers a log and made-up events. Return the number of deeds with a victim.
    """
    play, count, every = open_play(rules.log, setup), 0, max(1, len(events) // 12)
    data_seen: dict[str, list[Mapping[str, Any]]] = {kind: [] for kind in rules.log.kinds}
    for event in events:
        data_seen[event.kind].append(without_dice(rules, event))
    for place, event in enumerate(events):
        for kind in rules.log.kinds.values() if place % every == 0 else ():
            people = [field for field in rules.log.fields(kind.key) if field.kind == "combatant"]
            for _ in range(2 if len(people) > 1 else 0):
                for candidate in candidates(rules, play, kind.key, data_seen[kind.key], luck):
                    if tried(play, candidate) == ():
                        thrown = play.throw(candidate, Random(0))
                        logged = msgspec.structs.replace(
                            candidate, data=thrown.data, dice=thrown.dice
                        )
                        count += check_harm(rules, play, play.after(logged), logged)
        after = play.after(event)
        count += check_harm(rules, play, after, event)
        play = after
    return count


def check_harm(rules: Ruleset, before: Play[Any], after: Play[Any], event: LoggedEvent) -> int:
    """Check that nobody harms themselves, and comrades only by stray shots or with a reason."""
    sides = {each.id: side.key for side in after.setup.sides for each in side.fighters}
    old, new = (
        [deed for side in rules.result(play).sides for deed in side.deeds]
        for play in (before, after)
    )
    deeds = [deed for deed in new if deed not in old and deed.victim in sides]
    for deed in deeds:
        assert deed.fighter != deed.victim, event
        assert deed.friendly == (sides[deed.fighter] == sides[str(deed.victim)]), event
        declared = event.data.get("overruled") or event.data.get("friendly") or deed.means
        assert not deed.friendly or declared, event
    return len(deeds)


def check_double_entries(rules: Ruleset, setup: BattleSetup, events: Events, luck: Random) -> int:
    """Check that nobody ends twice: entering an end again is refused and names the first entry.

    After each event that ends somebody, it is sent again, with other entries of the casualty
    board. Return the number of entries that were refused as duplicates.
    """
    play, refused, by_kind = open_play(rules.log, setup), 0, rules.log.kinds
    endings: dict[str, LoggedEvent] = {}
    for event in events:
        before, play = play, play.after(event)
        fresh = [
            who for who in names_of(rules, setup) if not ended(before, who) and ended(play, who)
        ]
        endings = {
            who: first for who, first in endings.items() if ended(play, who)
        } | dict.fromkeys(fresh, event)
        for who in fresh:
            first = endings[who]
            entries = [(first.kind, without_dice(rules, first), first.turn)]
            for kind in by_kind.values():
                entries += [
                    (kind.key, each, luck.choice((first.turn, None)))
                    for each in told_of(rules, play, kind, who, luck)
                ]
            entries = [entries[0], *luck.sample(entries[1:], min(len(entries) - 1, 12))]
            for key, data, turn in entries:
                reasons = (
                    ("", "The table agrees.")
                    if "overruled" in by_kind[key].__struct_fields__
                    else ("",)
                )
                for reason in reasons:
                    whole = {**data, "overruled": reason} if reason else data
                    refused += check_double_entry(
                        rules, play, LoggedEvent(play.sequence + 1, key, whole, turn), who
                    )
    return refused


def check_double_entry(rules: Ruleset, play: Play[Any], entry: LoggedEvent, who: str) -> bool:
    """Check that an entry about an ended combatant does not end them again.

    Return whether it was refused for that reason.
    """
    try:
        thrown = play.throw(entry, Random(0))
        after = play.after(msgspec.structs.replace(entry, data=thrown.data, dice=thrown.dice))
    except RulesError as error:
        for problem in error.problems:
            if isinstance(problem, Repeated) and problem.field != "won":
                assert problem.code == "already-logged"
                assert 0 < problem.entry <= play.sequence, (entry, problem)
                assert f"(entry {problem.entry})" in problem.sentence
        return any(isinstance(problem, Repeated) for problem in error.problems)
    assert rules.log.policy.end_of(after.state, who) == ended(play, who), entry
    assert ends_of(rules, after, who) == ends_of(rules, play, who), (
        entry,
        ends_of(rules, after, who),
    )
    return False


def ended(play: Play[Any], who: str) -> str:
    """Return how somebody has ended; "" if they have not."""
    return play.log.policy.end_of(play.state, who)


def ends_of(rules: Ruleset, play: Play[Any], who: str) -> list[Any]:
    """Return the deeds that ended somebody, and similar deeds of the same turn."""
    deeds = [deed for side in rules.result(play).sides for deed in side.deeds if deed.victim == who]
    last = {(each.kind, each.result, each.turn) for each in deeds if each.killed}
    return [
        each
        for each in deeds
        if (each.kind, each.result, each.turn) in last or each.kind == "captive"
    ]


def told_of(
    rules: Ruleset, play: Play[Any], kind: AnyKind, who: str, luck: Random
) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of a casualty board about somebody; for other kinds one made-up event."""
    casualty = kind.casualty
    sides = {each.id: side.key for side in play.setup.sides for each in side.fighters}
    foes = [each for each, side in sides.items() if side != sides.get(who)]
    if casualty is None:
        made_up = next(candidates(rules, play, kind.key, [], luck)) if kind.ends else None
        yield from ({**made_up.data, field: who} for field in kind.ends if made_up)
        return
    fields = {field.key: field for field in rules.log.fields(kind.key)}
    given: list[Mapping[str, Any]] = [{}]
    for name in casualty.what:
        values = (key for key, _ in fields[name].choices if key) if fields[name].choices else (1, 4)
        given += [{name: value} for value in (values if fields[name].kind != "flag" else (True,))]
    for data in given:
        yield {
            **data,
            casualty.victim: who,
            **({casualty.by: luck.choice(foes)} if casualty.by else {}),
        }


def without_dice(rules: Ruleset, event: LoggedEvent) -> Mapping[str, Any]:
    """Return the data of an event without its dice."""
    left_out = {*dice_fields(rules.log.kinds[event.kind]), "thrown", "overruled"}
    return {key: value for key, value in event.data.items() if key not in left_out}


def candidates(
    rules: Ruleset, play: Play[Any], kind: str, data_seen: list[Mapping[str, Any]], luck: Random
) -> Iterator[LoggedEvent]:
    """Yield events of a kind with other names: two from the log, and two from the form's fields."""
    sides = [side.key for side in play.setup.sides]
    people = [each for each in names_of(rules, play.setup) if each not in sides]
    for _ in range(2 if data_seen else 0):
        yield LoggedEvent(
            play.sequence + 1, kind, exchanged(luck.choice(data_seen), people, sides, luck)
        )
    left_out = {*dice_fields(rules.log.kinds[kind]), "thrown", "overruled"}
    for _ in range(2):
        data: dict[str, Any] = {}
        for field in rules.log.fields(kind):
            if field.key in left_out or not (field.required or luck.random() < 0.3):
                continue
            texts = [each[field.key] for each in data_seen if each.get(field.key)]
            if field.kind in ("combatant", "side"):
                data[field.key] = luck.choice(people if field.kind == "combatant" else sides)
            elif field.kind == "text" and texts:
                data[field.key] = luck.choice(texts)
            elif field.kind == "list" and not field.choices:
                data[field.key] = [luck.choice(people)]
            elif (value := value_of(field, luck)) is not None:
                data[field.key] = value
        yield LoggedEvent(play.sequence + 1, kind, data)


def exchanged(value: Any, people: list[str], sides: list[str], luck: Random) -> Any:
    """Return the data of an event with some people and sides exchanged."""
    if isinstance(value, Mapping):
        return {key: exchanged(inner, people, sides, luck) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [exchanged(inner, people, sides, luck) for inner in value]
    for names in (people, sides):
        if value in names:
            return luck.choice((value, *names))
    return value


def check_result(rules: Ruleset, play: Play[Any]) -> None:
    """Check that everybody has a record, that scores add up, and that at most one side wins."""
    result = rules.result(play)
    assert result.verdict.strip()
    fielded = {side.key: [each.id for each in side.fighters] for side in play.setup.sides}
    for side in result.sides:
        assert side.victory_points == sum(line.points for line in side.lines)
        assert [record.fighter for record in side.records] == fielded[side.side]
        assert all(
            deed.fighter in {fighter for own in fielded.values() for fighter in own}
            for deed in side.deeds
        )
        for record in side.records:
            fate, missed = rules.progression.fate_after(record, play.setup.settings)
            assert isinstance(fate, Fate)
            allowed = {Fate.RECOVERING: missed > 0, Fate.CAPTURED: missed >= 0}
            assert allowed.get(fate, missed == 0)
    assert sum(side.outcome == "won" for side in result.sides) <= 1
    assert msgspec.json.decode(msgspec.json.encode(result), type=type(result)) == result


def check_moments(rules: Ruleset, play: Play[Any]) -> None:
    """Check that each moment of a battle names events of its log, their turn, and known people.

    Only the replay of a whole log has moments.
    """
    whole = replay(rules.log, play.setup, play.events())
    battle = rules.moments(whole)
    steps = {step.logged.sequence: step for step in whole.steps}
    before = -1
    for moment in battle.moments:
        assert moment.events and set(moment.events) <= steps.keys(), moment
        assert moment.turn == (steps[moment.events[-1]].logged.turn or moment.turn), moment
        assert 0 <= moment.chance <= 1 and moment.since <= moment.turn, moment
        people = {moment.actor, moment.target, *moment.others} - {""}
        assert (people and people <= battle.people.keys()) or moment.kind is MomentKind.END, moment
        assert moment.events[-1] >= before
        before = moment.events[-1]
    sides = {side.key for side in play.setup.sides}
    for tally in battle.turns:
        assert set(tally.strength) == sides and set(tally.points) in (sides, set())
        assert all(tally.strength[side] >= 0 for side in sides)
    assert not battle.turns or set(battle.opening) == sides
    assert msgspec.json.decode(msgspec.json.encode(battle), type=BattleMoments) == battle


def check_correction(rules: Ruleset, play: Play[Any]) -> None:
    """Check that removing and restoring the last event gives the same state again."""
    for last in reversed(play.events()):
        strike = {"event": last.sequence, "reason": "It was told wrong."}
        back = {**strike, "kind": last.kind, "data": dict(last.data)}
        try:
            struck = play.after(LoggedEvent(play.sequence + 1, "correction", strike))
            restored = struck.after(LoggedEvent(play.sequence + 2, "correction", back))
        except RulesError as error:
            assert all(problem.code and problem.sentence for problem in error.problems)
            continue
        assert json_of(restored) == json_of(play)
        check_replay(rules, restored)
        return
    raise AssertionError("No event of this log can be struck and put back.")


def check_table(rules: Ruleset, play: Play[Any]) -> None:
    """Check that everything due can be done, and that offers are accepted or refused by rule."""
    table = rules.at_table(play)
    if table is None:
        return
    check_secrets(rules, play)
    for who in askers(rules, play):
        view = rules.at_table(play, who)
        assert view is not None
        assert len({each.key for each in view.actions}) == len(view.actions)
        check_headings(view, who)
        for each in view.actions:
            check_choices(play, each)
            check_fields(rules, each)
            check_action(play, each, Random(0))
    for due in (each for phase in table.phases for each in phase.due):
        view = rules.at_table(play, due.who)
        assert due.sentence.strip()
        assert view is not None
        assert not due.do or due.do in {each.key for each in view.actions}, due
        assert (
            not due.instead
            or not next(each for each in view.actions if each.key == due.instead).fields
        ), due


def check_headings(view: TableView, who: str) -> None:
    """Check that a fighter's card has each phase once, and no two buttons with the same label."""
    if who not in {each.id for each in view.fighters}:
        return
    headings = [phase for phase, _ in groupby(each.phase for each in view.actions)]
    assert len(headings) == len(set(headings)), (who, headings)
    labels = [each.label for each in view.actions]
    assert len(labels) == len(set(labels)), (who, labels)


def askers(rules: Ruleset, play: Play[Any]) -> list[str]:
    """Return everybody whose actions can be asked for: "", all with names, and groups that act."""
    table = rules.at_table(play)
    return [
        "",
        *names_of(rules, play.setup),
        *(each.key for each in (table.groups if table else ())),
    ]


def check_fields(rules: Ruleset, action: Action) -> None:
    """Check that every required field of an action is given or asked for."""
    needed = {
        field.key
        for field in rules.log.fields(action.kind)
        if field.required and field.kind != "map"
    }
    keys = {field.key.split(".")[0] for field in action.fields}
    assert needed <= {*keys, *action.given}, (action.key, needed - keys - {*action.given})


def check_choices(play: Play[Any], action: Action) -> None:
    """Check that a secret choice belongs to a side, is asked for, and is not given in advance."""
    assert set(action.secrets.values()) <= {side.key for side in play.setup.sides}
    for secret in action.secrets:
        assert any(
            field.key == secret or field.key.startswith(f"{secret}.") for field in action.fields
        )
        assert secret not in action.given


def check_action(play: Play[Any], action: Action, luck: Random) -> bool:
    """Return whether the rules accept an action with some answers, after checking the refusals.

    Each refusal has a sentence, and a rule if it can be overruled.
    """
    problems = tried(play, event_of(play, action, luck))
    for problem in problems:
        assert problem.code
        assert problem.sentence.strip()
        assert problem.source or problem.field != "overruled", problem
    return not problems


def tried(play: Play[Any], event: LoggedEvent) -> tuple[Any, ...]:
    """Return the problems of an event with Muster's dice. A refused event must use no dice."""
    dice = CommittedDice("seed", "battle")
    try:
        thrown = play.throw(event, dice)
    except RulesError as error:
        assert dice.used == 0
        return error.problems
    problems = play.problems(
        LoggedEvent(event.sequence, event.kind, thrown.data, event.turn, thrown.dice)
    )
    assert not (problems and dice.used), (event, problems)
    return problems


def event_of(play: Play[Any], action: Action, luck: Random) -> LoggedEvent:
    """Return the action as an event, with all required answers and some optional ones."""
    values = {
        field.key: value_of(field, luck)
        for field in action.fields
        if field.required or luck.random() < 0.3
    }
    data = {
        **action.given,
        **nested({key: value for key, value in values.items() if value not in (None, "", ())}),
    }
    return LoggedEvent(play.sequence + 1, action.kind, data, action.turn)


def value_of(field: Field, luck: Random) -> Any:
    """Return some value of a field; None if none can be made up."""
    if field.group == "dice" or field.kind in ("dice", "map"):
        return None
    if field.kind == "flag":
        return luck.random() < 0.5 or None
    if (what := field.measure or field.kind) in NUMBERS:
        return max(field.least or 0, min(NUMBERS[what], 99 if field.most is None else field.most))
    if field.choices:
        picked = luck.choice(field.choices)[0]
        if field.kind in ("numbers", "picks"):
            return read_value(field, picked)
        return [picked] if field.kind == "list" else picked
    return "A word." if field.kind == "text" and field.required else None


def random_play(rules: Ruleset, setup: BattleSetup, luck: Random, steps: int) -> Events:
    """Return a log of at most this many events, drawn from the offers and accepted by the rules."""
    play = open_play(rules.log, setup)
    for _ in range(steps):
        for _ in range(20):
            view = rules.at_table(play, luck.choice(askers(rules, play)))
            actions = [each for each in (view.actions if view else ()) if each.kind != "ended"]
            if not actions:
                continue
            event = event_of(play, luck.choice(actions), luck)
            if tried(play, event):
                continue
            thrown = play.throw(event, luck)
            play = play.after(
                LoggedEvent(event.sequence, event.kind, thrown.data, event.turn, thrown.dice)
            )
            break
    return play.events()


def random_sheet(rules: Ruleset, setup: BattleSetup, luck: Random, rows: int) -> Events:
    """Return a log of at most this many random casualties that the rules accept.

    Some have turns.
    """
    play, people = (
        open_play(rules.log, setup),
        [each.id for side in setup.sides for each in side.fighters],
    )
    kinds = [kind for kind in rules.log.kinds.values() if kind.casualty is not None]
    for _ in range(5 * rows):
        kind, who = luck.choice(kinds), luck.choice(people)
        data = luck.choice([*told_of(rules, play, kind, who, luck)])
        entry = LoggedEvent(play.sequence + 1, kind.key, data, luck.choice((None, 1, 2, 3)))
        if len(play.events()) < rows and play.problems(entry) == ():
            play = play.after(entry)
    return play.events()


def check_reference(rules: Ruleset) -> None:
    """Check catalogue, scenarios, forms, house rules and calculators: all are named and are JSON."""
    catalogue = rules.catalogue({})
    json.dumps(catalogue)
    assert catalogue["factions"]
    assert all(each.name and each.victory and each.roles for each in rules.scenarios())
    for form in rules.log.forms():
        assert form.key
        assert form.label
        assert all(field.label for field in form.fields)
        check_lengths(rules, form.fields)
    for rule in rules.house_rules():
        assert rule.label
        assert rule.help
        assert rule.source
    check_calculators(rules)


def check_lengths(rules: Ruleset, fields: tuple[Field, ...]) -> None:
    """Check that lengths are asked for in the unit of the system."""
    for field in fields:
        assert (field.kind == "length") == bool(field.measure)
        assert not field.measure or (
            rules.length is not None and field.measure == rules.length.many
        )


def check_calculators(rules: Ruleset) -> None:
    """Check that calculators about numbers answer their examples, and that chances sum to 1."""
    keys = [(each.key, each.about) for each in rules.calculators.all()]
    assert len(set(keys)) == len(keys)
    for calculator in rules.calculators.all():
        check_lengths(rules, calculator.fields)
        for example in calculator.examples if calculator.about == "numbers" else ():
            answer = rules.calculators.ask(calculator.key, example)
            json.dumps(answer)
            assert answer["headline"].strip()
            for chances in _tables(answer):
                assert sum(chances) == 1, (calculator.key, example)


def _tables(answer: Mapping[str, Any]) -> Iterator[list[Fraction]]:
    for table in answer["tables"]:
        yield [Fraction(row["chance"]) for row in table["rows"]]


def check_builds(rules: Ruleset, setup: BattleSetup) -> None:
    """Check that builds are canonical, that cards and fields fit, and that errors are refused."""
    for side in setup.sides:
        terms = CampaignTerms(side.faction, side.extras, setup.settings)
        for nonsense in NO_BUILDS:
            with pytest.raises(RulesError) as refused:
                rules.clean_build(nonsense, terms)
            assert all(
                problem.code and problem.sentence.strip() for problem in refused.value.problems
            )
        for fighter in side.fighters:
            build = rules.clean_build(fighter.build, terms)
            assert rules.clean_build(build, terms) == build
            assert json.loads(json.dumps(build)) == build
            card = rules.sheet(build, terms, AS_RECRUITED)
            facts = rules.fighter_facts(build, terms, AS_RECRUITED)
            assert (card.rank, card.points, card.profile_name) == (
                facts.rank,
                facts.points,
                facts.profile_name,
            )
            assert len({each.key for each in card.characteristics}) == len(card.characteristics)
            assert all(field.label for field in rules.build_fields(build, terms))
            check_ticked(rules.tick_boxes(build, terms, AS_RECRUITED))
            assert set(card.looks) <= {"mounted", "hound", *HATS, *CARRIED}
        served = tuple(RosterFighter(each.id, each.name, each.build) for each in side.fighters)
        check_roster_sheet(rules, Roster(terms, served))
        check_roster_sheet(rules, Roster(terms, ()))
    assert all(column.label for column in rules.columns)
    assert len({column.key for column in rules.columns}) == len(rules.columns)


def check_ticked(ticked: tuple[TickBoxes, ...]) -> None:
    """Check that tick boxes have a label or words, and that strokes stand behind one of them."""
    assert all(each.boxes and (each.label or all(each.boxes)) for each in ticked)
    assert all(0 < stroke <= len(each.boxes) for each in ticked for stroke in each.strokes)
    assert len({each.key for each in ticked}) == len(ticked)


def check_roster_sheet(rules: Ruleset, roster: Roster) -> None:
    """Check the tick boxes of a warband and its groups, and the quick reference of its roster."""
    check_ticked(rules.roster_boxes(roster))
    for group in rules.groups(roster):
        own = tuple(each for each in roster.fighters if each.id in group.fighters)
        check_ticked(rules.roster_boxes(msgspec.structs.replace(roster, fighters=own), group.key))
    for table in rules.roster_tables(roster):
        assert table.name
        widths = {len(row) for row in table.rows}
        assert len(widths) == 1
        assert not table.columns or widths == {len(table.columns)}
        texts = (table.name, *table.columns, *(cell for row in table.rows for cell in row))
        assert not [text for text in texts if "{" in text], "a place without its figure"
