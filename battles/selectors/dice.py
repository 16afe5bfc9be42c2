"""The dice of a battle, for whoever wants to check them, and the state of play at any event."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext
from msgspec import Struct

from battles.models import Battle, BattleEvent, BattleState, Side
from battles.rulebook_values import (
    dice_of,
    read_log,
    read_result,
    read_setup,
    ruleset_of_battle,
    sides_of,
)
from battles.stored_play import load_battle_play
from core.errors import NotFound
from rulebook.battle_log.play import replay
from rulebook.dice.committed import commitment
from rulebook.ruleset import PrivateRoll

CORRECTION = "correction"
RECOVERY = "recovery"
SETTLED = (BattleState.CONFIRMED, BattleState.VOID)
DRAWN = "secrets_drawn"
"""The key of a set-up under which the sides stand that have learnt theirs."""


class Throw(Struct, frozen=True):
    """Dice that Muster threw for an event (0 for the set-up): as they fell, and the number of faces
    of each."""

    event: int
    first: int
    dice: tuple[int, ...]
    faces: tuple[int, ...]


class Recovery(Struct, frozen=True):
    """The die of a fighter after the battle."""

    fighter: str
    die: int


class PrivateDie(Struct, frozen=True):
    """A die that Muster threw in secret for one side, apart from the battle's own: the first of
    ``purpose``."""

    side: str
    purpose: str
    die: int


class DiceRecord(Struct, frozen=True):
    """All that it takes to throw every die of Muster's again. ``seed`` is None until the battle is
    settled.

    ``typed`` names the events whose dice were typed in, ``corrected`` those with dice of Muster's
    that somebody has corrected or struck out since.
    """

    battle: UUID
    commitment: str
    seed: str | None
    throws: tuple[Throw, ...]
    recovery: tuple[Recovery, ...]
    typed: tuple[int, ...]
    corrected: tuple[int, ...]
    asides: tuple[PrivateDie, ...] = ()


def dice_record(battle: Battle) -> DiceRecord:
    """The dice of a battle. One query, a fixed number more once it is settled."""
    settled = battle.state in SETTLED
    rows = list(battle.events.order_by("sequence"))
    thrown = [
        Throw(row.sequence, row.first_die, tuple(row.dice), (6,) * len(row.dice))
        for row in rows
        if row.first_die
    ]
    return DiceRecord(
        battle=battle.pk,
        commitment=commitment(battle.dice_seed),
        seed=battle.dice_seed if settled else None,
        throws=(*_set_up(battle), *thrown),
        recovery=_recovery(battle, rows) if settled else (),
        typed=tuple(
            row.sequence for row in rows if row.kind == RECOVERY or _thrown_by(row) == "table"
        ),
        corrected=_corrected(rows),
        asides=_asides(battle) if settled else (),
    )


def _thrown_by(row: BattleEvent) -> str:
    """Whose dice an event holds, or what a correction puts in its place: "app", "table", "" if it
    has none."""
    data = row.data.get("data") if row.kind == CORRECTION else row.data
    return str(data.get("thrown", "")) if isinstance(data, Mapping) else ""


def _corrected(rows: Sequence[BattleEvent]) -> tuple[int, ...]:
    named = {row.data.get("event") for row in rows if row.kind == CORRECTION}
    return tuple(row.sequence for row in rows if row.sequence in named and _thrown_by(row) == "app")


def _asides(battle: Battle) -> tuple[PrivateDie, ...]:
    """What Muster threw for each side alone, or would have if it had been asked."""
    sides = sides_of(battle)
    setup, rules, dice = read_setup(battle, sides), ruleset_of_battle(battle), dice_of(battle)
    secrets = (rules.secrets.private_roll(setup, side.key, dice) for side in sides)
    return tuple(
        PrivateDie(secret.side, secret.purpose, secret.die)
        for secret in secrets
        if secret is not None
    )


def _set_up(battle: Battle) -> tuple[Throw, ...]:
    throws = battle.set_up.get("throws")
    if not throws or not throws["dice"]:
        return ()
    shown, faces = zip(*throws["dice"], strict=True)
    return (Throw(0, throws["first"], tuple(shown), tuple(faces)),)


def _recovery(battle: Battle, rows: Sequence[BattleEvent]) -> tuple[Recovery, ...]:
    """Muster's dice after the battle; those that the table threw stand in the log."""
    result = read_result(battle)
    typed = {row.data.get("fighter") for row in rows if row.kind == RECOVERY}
    records = [record for side in result.sides for record in side.records] if result else []
    return tuple(
        Recovery(record.fighter, record.recovery_roll)
        for record in records
        if record.recovery_roll is not None and record.fighter not in typed
    )


def state_of_play(battle: Battle, at: int | None = None) -> Mapping[str, Any]:
    """The state of play after event number ``at``, or after the whole log. Four queries at most.

    Raises NotFound for an event that is not in the log, RulesError where the log does not add up.
    """
    if at is not None and not 0 <= at <= battle.last_sequence:
        raise NotFound(
            "unknown-event",
            gettext("The log has %(last_sequence)s events.")
            % {"last_sequence": battle.last_sequence},
            field="at",
        )
    rules, sides = ruleset_of_battle(battle), sides_of(battle)
    if at is None or at == battle.last_sequence:
        return rules.play_state(load_battle_play(battle, sides).play)
    until = tuple(event for event in read_log(battle) if event.sequence <= at)
    return rules.play_state(replay(rules.log, read_setup(battle, sides), until))


class OwnSecrets(Struct, frozen=True):
    """What somebody has learnt of a battle before the others do."""

    secrets: tuple[PrivateRoll, ...]


def own_secrets(battle: Battle, user: User | AnonymousUser) -> OwnSecrets:
    """What the user has drawn for the sides that he plays."""
    if not user.is_authenticated:
        return OwnSecrets(())
    played = Side.objects.played_by(user).filter(
        battle=battle, key__in=battle.set_up.get(DRAWN, [])
    )
    secrets = (
        secret_of(battle, key) for key in played.order_by("key").values_list("key", flat=True)
    )
    return OwnSecrets(tuple(secret for secret in secrets if secret is not None))


def secret_of(battle: Battle, side: str) -> PrivateRoll | None:
    """What Muster throws for this side; None where nothing is secret, or nothing of it is
    Muster's."""
    return ruleset_of_battle(battle).secrets.private_roll(
        read_setup(battle, sides_of(battle)), side, dice_of(battle)
    )
