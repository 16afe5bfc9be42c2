"""Load and store the play of a battle; it is replayed if the stored one does not fit."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from battles.models import Battle, BattleEvent, Side, StoredOutcome, StoredPlay
from battles.rulebook_values import read_log, read_setup, ruleset_of_battle
from core.signatures import digest
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.play import Play, load_play, open_play, replay
from rulebook.ruleset import BattleSetup, EventOutcome


class LoadedPlay(Struct, frozen=True):
    """A battle's play, and whether it could be loaded as stored.

    ``fingerprint`` identifies the rules and the set-up that a stored play must belong to.
    """

    play: Play[Any]
    kept: bool
    fingerprint: str


def load_battle_play(battle: Battle, sides: Sequence[Side]) -> LoadedPlay:
    """Return the play after the whole log. One query if it is stored, two if it is replayed.

    One less if the stored play was loaded with the battle. Raises RulesError if the log does not
    add up.
    """
    log, setup = ruleset_of_battle(battle).log, read_setup(battle, sides)
    fingerprint = _fingerprint(battle, log, setup)
    kept = _loaded(battle, log, setup, fingerprint)
    if kept is not None:
        return LoadedPlay(kept, True, fingerprint)
    if not battle.last_sequence:
        return LoadedPlay(open_play(log, setup), True, fingerprint)
    return LoadedPlay(replay(log, setup, read_log(battle), accepted=True), False, fingerprint)


def kept_play(battle: Battle, sides: Sequence[Side]) -> Play[Any] | None:
    """Return the stored play that pages show; None if they replay the log. One query."""
    log, setup = ruleset_of_battle(battle).log, read_setup(battle, sides)
    return _loaded(battle, log, setup, _fingerprint(battle, log, setup))


def _loaded(
    battle: Battle, log: BattleLog[Any], setup: BattleSetup, fingerprint: str
) -> Play[Any] | None:
    if Battle.stored_play.is_cached(battle):
        # It was read together with its battle.
        stored = getattr(battle, "stored_play", None)
    else:
        stored = StoredPlay.objects.filter(battle=battle).first()
    expected = battle.last_sequence, fingerprint
    if stored is None or (stored.sequence, stored.fingerprint) != expected:
        return None
    try:
        return load_play(log, setup, bytes(stored.play), lambda: read_log(battle))
    except msgspec.MsgspecError:
        # A row that cannot be read is ignored: the log decides.
        return None


def _fingerprint(battle: Battle, log: BattleLog[Any], setup: BattleSetup) -> str:
    """Return the hash of the edition of the rules, the form of their state, and the set-up."""
    content = msgspec.json.encode((battle.ruleset, battle.edition, log.state_form, setup))
    return digest(content)


def store_play(battle: Battle, before: LoadedPlay, play: Play[Any]) -> None:
    """Store the play with the outcomes of the new events, or of all events after a replay.

    Two queries, three after a replay.
    """
    kept = StoredPlay(
        battle=battle, sequence=play.sequence, fingerprint=before.fingerprint, play=play.stored()
    )
    StoredPlay.objects.bulk_create(
        [kept],
        update_conflicts=True,
        unique_fields=["battle"],
        update_fields=["sequence", "fingerprint", "play"],
    )
    if play.whole and before.play.sequence:
        StoredOutcome.objects.filter(battle=battle).delete()
    StoredOutcome.objects.bulk_create(
        StoredOutcome(battle=battle, sequence=sequence, outcome=msgspec.to_builtins(outcome))
        for sequence, outcome in play.outcomes.items()
    )


def outcomes_at(
    battle: Battle, in_play: LoadedPlay, rows: Iterable[BattleEvent]
) -> dict[int, EventOutcome]:
    """Return the outcomes of these events; events that do not count are missing.

    At most one query.
    """
    sequences = [row.sequence for row in rows]
    if not in_play.kept:
        outcomes = in_play.play.outcomes
        return {sequence: outcomes[sequence] for sequence in sequences if sequence in outcomes}
    stored = StoredOutcome.objects.filter(battle=battle, sequence__in=sequences)
    return {each.sequence: msgspec.convert(each.outcome, EventOutcome) for each in stored}


def forget_play(battle: Battle) -> None:
    """Delete the stored play of a battle: no data is lost, the log is replayed. Two queries."""
    StoredOutcome.objects.filter(battle=battle).delete()
    StoredPlay.objects.filter(battle=battle).delete()
