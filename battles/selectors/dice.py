"""The dice of a battle, for players who want to check them, and the state of play at any event."""

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
"""The key in a battle's set-up that holds the sides which have seen their private dice."""


class Throw(Struct, frozen=True):
    """The dice that Muster rolled for an event (0 for the set-up), and the faces of each."""

    event: int
    first: int
    dice: tuple[int, ...]
    faces: tuple[int, ...]


class Recovery(Struct, frozen=True):
    """The recovery die of a fighter after the battle."""

    fighter: str
    die: int


class PrivateDie(Struct, frozen=True):
    """A die that Muster rolled for one side alone, apart from the battle's own dice.

    It is the first die of ``purpose``.
    """

    side: str
    purpose: str
    die: int


class DiceRecord(Struct, frozen=True):
    """All data that is needed to roll Muster's dice again and compare.

    ``seed`` is None until the battle is confirmed or void. ``typed`` are the events whose dice were
    typed in, ``corrected`` those whose dice Muster rolled and that have been corrected or cancelled
    since.
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
    """Return the dice of a battle. One query, a fixed number more once it is confirmed or void."""
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
    """Return who rolled the dice of an event, or of its correction: "app", "table", or ""."""
    data = row.data.get("data") if row.kind == CORRECTION else row.data
    return str(data.get("thrown", "")) if isinstance(data, Mapping) else ""


def _corrected(rows: Sequence[BattleEvent]) -> tuple[int, ...]:
    named = {row.data.get("event") for row in rows if row.kind == CORRECTION}
    return tuple(row.sequence for row in rows if row.sequence in named and _thrown_by(row) == "app")


def _asides(battle: Battle) -> tuple[PrivateDie, ...]:
    """Return the private die of each side, whether or not the side has asked for it."""
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
    """Return Muster's recovery dice; those that players rolled are in the log."""
    result = read_result(battle)
    typed = {row.data.get("fighter") for row in rows if row.kind == RECOVERY}
    records = [record for side in result.sides for record in side.records] if result else []
    return tuple(
        Recovery(record.fighter, record.recovery_roll)
        for record in records
        if record.recovery_roll is not None and record.fighter not in typed
    )


def state_of_play(battle: Battle, at: int | None = None) -> Mapping[str, Any]:
    """Return the state of play after event number ``at``, or after the whole log.

    At most four queries. Raises NotFound for an event that is not in the log, RulesError if the log
    does not add up.
    """
    if at is not None and not 0 <= at <= battle.last_sequence:
        raise NotFound(
            "unknown-event",
            gettext("The log has %(last_sequence)s entries.")
            % {"last_sequence": battle.last_sequence},
            field="at",
        )
    rules, sides = ruleset_of_battle(battle), sides_of(battle)
    if at is None or at == battle.last_sequence:
        return rules.play_state(load_battle_play(battle, sides).play)
    until = tuple(event for event in read_log(battle) if event.sequence <= at)
    return rules.play_state(replay(rules.log, read_setup(battle, sides), until))


class OwnSecrets(Struct, frozen=True):
    """The private dice of a battle that a user knows before the others."""

    secrets: tuple[PrivateRoll, ...]


def own_secrets(battle: Battle, user: User | AnonymousUser) -> OwnSecrets:
    """Return the private dice that the user has drawn for the sides they play."""
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
    """Return what Muster rolls for this side alone; None if it rolls nothing in secret."""
    return ruleset_of_battle(battle).secrets.private_roll(
        read_setup(battle, sides_of(battle)), side, dice_of(battle)
    )
