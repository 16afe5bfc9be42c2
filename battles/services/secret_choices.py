"""Secrets of one side: its secret choices, and the dice that Muster rolls for it alone.

A choice is stored encrypted, so that neither the other side nor a reader of the database learns it.
When the last side has chosen, all choices are decrypted and logged together.
"""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from cryptography.fernet import InvalidToken
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec import Struct

from battles.models import Battle, BattleEvent, BattleState, SecretChoice, Side
from battles.selectors.dice import DRAWN, secret_of
from battles.services.locking import expect_logger, expect_state, lock_battle, save_battle
from battles.services.logbook import log_course
from battles.services.validation import Course, NewEvent
from core.derived_keys import lock
from core.errors import Forbidden, InvalidInput
from rulebook.ruleset import PrivateRoll

PURPOSE = b"muster secret choices"


class SecretChoiceInput(Struct, frozen=True):
    """A side's choice of ``value`` for ``field``.

    ``occasion`` names what is chosen for. ``fields`` maps every field of it that is chosen in
    secret to the key of its side. ``data`` is the rest of the event. ``follow`` names the procedure
    of the rules that logs follow-ups after it.
    """

    occasion: str
    field: str
    value: Any
    fields: Mapping[str, str]
    kind: str
    data: Mapping[str, Any]
    turn: int | None = None
    follow: str = ""


@transaction.atomic
def choose_in_secret(
    *, battle_id: UUID, user: User, choosing: SecretChoiceInput
) -> BattleEvent | None:
    """Store a side's choice; return the event once every side has chosen, otherwise None.

    A side may choose again until then. Raises Forbidden for a side that the user does not play;
    InvalidInput "unknown-choice"; and the errors of ``log_course``.
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    expect_state(battle, BattleState.UNDER_WAY)
    _expect_player(battle, user, choosing)
    battle.secret_choices.exclude(turn=choosing.turn or 0).delete()
    SecretChoice.objects.update_or_create(
        battle=battle,
        occasion=choosing.occasion,
        field=choosing.field,
        defaults={"sealed": _sealed(choosing.value), "made_by": user, "turn": choosing.turn or 0},
    )
    made = list(battle.secret_choices.filter(occasion=choosing.occasion).order_by("pk"))
    if {row.field for row in made} != set(choosing.fields):
        return None
    course = Course(choosing.follow)
    event, *_ = log_course(
        battle_id=battle_id, event=_event(choosing, made), course=course, user=user
    )
    battle.secret_choices.all().delete()
    return event


@transaction.atomic
def roll_private_dice(*, battle_id: UUID, user: User, side: str) -> PrivateRoll:
    """Return what Muster has rolled for this side alone; repeated calls return the same.

    The side then cannot type in its own dice. Raises Forbidden "not-your-side" if the user does not
    play the side; InvalidInput "no-secret" if nothing is secret, or Muster rolls none of it;
    StateConflict "wrong-state" unless the battle is under way.
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    if not Side.objects.played_by(user).filter(battle=battle, key=side).exists():
        raise Forbidden(
            "not-your-side",
            gettext("Only the side's player can see its secret roll."),
        )
    expect_state(battle, BattleState.UNDER_WAY)
    secret = secret_of(battle, side)
    if secret is None:
        raise InvalidInput("no-secret", gettext("This side has no secret roll."), field="side")
    drawn = battle.set_up.get(DRAWN, [])
    if side not in drawn:
        battle.set_up = {**battle.set_up, DRAWN: sorted({*drawn, side})}
        save_battle(battle, "set_up", shared=False)
    return secret


def _expect_player(battle: Battle, user: User, choosing: SecretChoiceInput) -> None:
    side = choosing.fields.get(choosing.field)
    if side is None:
        raise InvalidInput(
            "unknown-choice", f"There is no choice {choosing.field!r} here.", field="field"
        )
    if not Side.objects.played_by(user).filter(battle=battle, key=side).exists():
        raise Forbidden(
            "not-your-side", gettext("Only the side's player can make its secret choice.")
        )


def _event(choosing: SecretChoiceInput, made: list[SecretChoice]) -> NewEvent:
    """Return the event with every choice in its place. Keys with a dot lead into a map."""
    data: dict[str, Any] = {**choosing.data}
    for row in made:
        name, _, side = row.field.partition(".")
        data[name] = {**data.get(name, {}), side: _opened(row)} if side else _opened(row)
    return NewEvent(client_id=made[0].client_id, kind=choosing.kind, data=data, turn=choosing.turn)


def _sealed(value: Any) -> bytes:
    return lock(PURPOSE).encrypt(json.dumps(value).ljust(64).encode())


def _opened(row: SecretChoice) -> Any:
    try:
        return json.loads(lock(PURPOSE).decrypt(bytes(row.sealed)))
    except InvalidToken as error:
        sentence = gettext(
            "A secret choice cannot be read, because this site's secret key has changed. "
            "Make the choice again."
        )
        raise InvalidInput("unreadable-choice", sentence) from error
