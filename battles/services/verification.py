"""Prove that a battle matches its log, and that log, result, sides and facts are unchanged."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from msgspec.structs import replace

from battles.chronicle_facts import fought_facts
from battles.log_seals import battle_is_signed, battle_signature, log_seal, opening_seal
from battles.models import Battle, BattleEvent, BattleState, Side
from battles.rulebook_values import logged, read_setup, ruleset_of_battle, sides_of
from battles.services.outcomes import NO_OUTCOME, outcome_columns, with_recovery_dice
from battles.stored_play import forget_play, kept_play
from rulebook.battle_log.play import Play, replay
from rulebook.chronicle.facts import Fought, decode
from rulebook.ruleset import BattleResult, RulesError
from warbands.models import ChronicleEntry
from warbands.services.verification import ProjectionMismatch, as_json, complete, guarded, keys_of

SETTLED = Q(state=BattleState.CONFIRMED) | ~Q(signature="")
"""Battles that are or were confirmed."""
TOLD = (
    "fought_on",
    "place_in_day",
    "outcome",
    "victory_points",
    "victory_points_against",
    "records",
    "deeds",
)
"""The values of a battle that a fact repeats, apart from names, which may change."""
WORDING = ("verdict", "sentence")
"""The sentences of a result: later editions of the rules may phrase them differently.

Its signature covers them.
"""
LATER = ("losses",)
"""Values that results from before 1.0 do not have; they are ignored where they are missing."""


def check_battles() -> Iterator[ProjectionMismatch]:
    """Yield the first difference between each finished battle and its log, and missing battles.

    Each battle is checked under its lock.
    """
    yield from guarded("battles in chronicles", _untold)
    keys, broken = keys_of(Battle.objects.filter(SETTLED))
    yield from broken
    for battle_id in keys:
        yield from guarded(f"battle {battle_id}", partial(_check_battle, battle_id))


def _untold() -> Iterator[ProjectionMismatch]:
    """Yield battles that chronicles mention and that are missing, or not confirmed."""
    # A battle that was fought on another installation has its log there.
    fought = ChronicleEntry.objects.filter(kind="fought", recorded_as__isnull=True)
    lost = fought.exclude(subject__in=Battle.objects.values("pk")).order_by("subject")
    for gone in lost.values_list("subject", flat=True).distinct():
        yield ProjectionMismatch(f"battle {gone}", "none", "the one of which chronicles tell")
    facts = fought.values("subject")
    taken_back = Battle.objects.exclude(SETTLED).filter(pk__in=facts).order_by("pk")
    for battle in taken_back.only("title", "scenario", "state", "fought_on"):
        yield ProjectionMismatch(
            f"battle {battle.described()} ({battle.pk}): state",
            battle.state,
            "confirmed, as in the chronicles",
        )


def _check_battle(battle_id: UUID) -> list[ProjectionMismatch]:
    """Return the first difference of a battle, under its lock."""
    return list(islice(prove_battle(Battle.objects.select_for_update().get(pk=battle_id)), 1))


def prove_battle(battle: Battle) -> Iterator[ProjectionMismatch]:
    """Yield every difference between a finished battle and its log. Nine queries."""
    where, sides, events = (
        f"battle {battle.described()} ({battle.pk})",
        sides_of(battle),
        list(battle.events.order_by("sequence")),
    )
    proper_seal = log_seal(opening_seal(battle, sides), events)
    if battle.log_seal != proper_seal:
        yield ProjectionMismatch(
            f"{where}: seal of its log", battle.log_seal or "none", proper_seal
        )
    if not battle_is_signed(battle):
        yield ProjectionMismatch(
            f"{where}: signature", "missing, or not made with the key of this installation", ""
        )
    yield from _rows(where, battle, sides)
    if battle.state != BattleState.CONFIRMED:
        yield from _sides(where, sides, None)
        return
    try:
        play = _replayed(battle, sides, events)
        result = with_recovery_dice(battle, ruleset_of_battle(battle).result(play))
    except RulesError as error:
        yield ProjectionMismatch(f"{where}: log", str(error), "a log that can be read")
        return
    if not is_result(battle.result, result):
        yield ProjectionMismatch(f"{where}: result", "another one", "what its log comes to")
    yield from _sides(where, sides, result)
    yield from _facts(where, battle, sides, result)
    yield from _play(where, battle, sides, play)


def _replayed(battle: Battle, sides: list[Side], events: Iterable[BattleEvent]) -> Play[Any]:
    """Return the play after the whole log. No queries. Raises RulesError if it does not add up."""
    return replay(ruleset_of_battle(battle).log, read_setup(battle, sides), logged(events))


def _rows(where: str, battle: Battle, sides: Iterable[Side]) -> Iterator[ProjectionMismatch]:
    """Yield missing corrections and combatants with wrong places. One query."""
    numbers = sorted(battle.revisions.values_list("number", flat=True))
    if numbers != list(range(1, battle.revision + 1)):
        yield ProjectionMismatch(f"{where}: corrections", str(numbers), f"1 to {battle.revision}")
    for side in sides:
        places = [combatant.place for combatant in side.combatants.all()]
        if places != list(range(len(places))):
            proper = f"0 to {len(places) - 1}"
            yield ProjectionMismatch(
                f"{where}: places of the combatants of side {side.key}", str(places), proper
            )


def is_result(stored: Any, result: BattleResult | None) -> bool:
    """Return whether the stored data is this result, whatever its wording."""
    proper = _as_then(as_json(result), stored)
    # Fields that are newer than the stored data are added with their defaults, except those that
    # ``_as_then`` leaves out.
    whole = complete(stored, BattleResult, without=LATER)
    return bool(_but_for_words(whole) == _but_for_words(proper))


def _as_then(current: Any, stored: Any) -> Any:
    """Return a result as JSON, without values that are newer than the stored one."""
    if isinstance(current, dict) and isinstance(stored, dict):
        keys = (key for key in current if key in stored or key not in LATER)
        return {key: _as_then(current[key], stored.get(key)) for key in keys}
    if isinstance(current, list) and isinstance(stored, list) and len(current) == len(stored):
        return [_as_then(*each) for each in zip(current, stored, strict=True)]
    return current


def _but_for_words(result: Any) -> Any:
    """Return a result as JSON without its sentences."""
    if isinstance(result, dict):
        return {key: _but_for_words(value) for key, value in result.items() if key not in WORDING}
    return [_but_for_words(each) for each in result] if isinstance(result, list) else result


def _sides(
    where: str, sides: Iterable[Side], result: BattleResult | None
) -> Iterator[ProjectionMismatch]:
    """Yield columns of sides that differ from the result, or are not empty without one."""
    for side in sides:
        for column, proper in (outcome_columns(side.key, result) if result else NO_OUTCOME).items():
            if (stored := getattr(side, column)) != proper:
                yield ProjectionMismatch(
                    f"{where}: {column} of side {side.key}", str(stored), str(proper)
                )


def _facts(
    where: str, battle: Battle, sides: list[Side], result: BattleResult
) -> Iterator[ProjectionMismatch]:
    """Yield chronicles whose fact of the battle differs from its result. One query."""
    stored_facts: dict[UUID, Fought] = {}
    rows = ChronicleEntry.objects.filter(subject=battle.pk).order_by("warband", "sequence")
    for warband_id, payload in rows.values_list("warband_id", "payload"):
        current = decode(payload).effective
        if isinstance(current, Fought):
            stored_facts[warband_id] = current
    for warband_id, proper in fought_facts(battle, sides, result).items():
        stored = stored_facts.get(warband_id)
        if stored is None or not _tells(stored, proper):
            yield ProjectionMismatch(
                f"{where}: fact of warband {warband_id}",
                "another one" if stored else "none",
                "its result",
            )


def _play(
    where: str, battle: Battle, sides: list[Side], play: Play[Any]
) -> Iterator[ProjectionMismatch]:
    """Yield differences between the stored play, which pages show, and the log. Two queries."""
    stored_play = kept_play(battle, sides)
    if stored_play is None:
        # Pages replay the log then, and show none of the stored outcomes.
        return
    if stored_play.state != play.state:
        yield ProjectionMismatch(f"{where}: stored play", "another one", "what its log comes to")
    proper = as_json(play.outcomes)
    stored = {str(row.sequence): row.outcome for row in battle.stored_outcomes.all()}
    for sequence in sorted({*stored, *proper}, key=int):
        stored_outcome, expected = stored.get(sequence), proper.get(sequence)
        if stored_outcome != expected:
            what = "another one" if stored_outcome is not None else "none"
            yield ProjectionMismatch(
                f"{where}: stored outcome of event {sequence}",
                what,
                "none" if expected is None else "that of its log",
            )


def _tells(stored: Fought, proper: Fought) -> bool:
    """Return whether a fact agrees with the result, in the values that facts had at that time."""
    if not any(record.losses for record in stored.records):
        proper = replace(
            proper, records=tuple(replace(record, losses=()) for record in proper.records)
        )
    return all(getattr(stored, name) == getattr(proper, name) for name in TOLD)


def forget_wrong_plays() -> Iterator[str]:
    """Delete each stored play of a confirmed battle that differs from its log.

    Pages replay the log then. Yields the names of these battles. A battle whose log does not add up
    is left alone.
    """
    for battle_id in keys_of(Battle.objects.filter(state=BattleState.CONFIRMED))[0]:
        if (name := _forget_if_wrong(battle_id)) is not None:
            yield name


@transaction.atomic
def _forget_if_wrong(battle_id: UUID) -> str | None:
    battle = Battle.objects.select_for_update().get(pk=battle_id)
    sides = sides_of(battle)
    try:
        play = _replayed(battle, sides, battle.events.order_by("sequence"))
    except RulesError:
        return None
    if not any(_play("", battle, sides, play)):
        return None
    forget_play(battle)
    return f"{battle.described()} ({battle.pk})"


def sign_battles(*, trusting: bool) -> int:
    """Sign finished battles with the current key: those that are signed, or all with ``trusting``.

    Returns how many have no valid signature; these are left alone.
    """
    lost = 0
    for battle_id in Battle.objects.filter(SETTLED).order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            battle = Battle.objects.select_for_update().get(pk=battle_id)
            if trusting:
                seal_anew(battle)
            elif not battle_is_signed(battle):
                lost += 1
                continue
            Battle.objects.filter(pk=battle_id).update(
                log_seal=battle.log_seal, signature=battle_signature(battle)
            )
    return lost


def seal_anew(battle: Battle) -> None:
    """Recompute the seal of a battle's log; nothing is saved. Three queries."""
    battle.log_seal = log_seal(
        opening_seal(battle, sides_of(battle)), battle.events.order_by("sequence")
    )
