"""The play of a battle: loaded as it was kept, or replayed where that does not fit."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from battles.models import Battle, BattleEvent, Side, StoredOutcome, StoredPlay
from battles.rulebook_values import read_log, read_setup, ruleset_of_battle
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.play import Play, load_play, open_play, replay
from rulebook.ruleset import BattleSetup, EventOutcome


class LoadedPlay(Struct, frozen=True):
    """A battle's play, and whether it was kept as it stands; if not, nothing of it is.

    ``fingerprint`` tells whether a kept play belongs to these rules and this set-up.
    """

    play: Play[Any]
    kept: bool
    fingerprint: str


def load_battle_play(battle: Battle, sides: Sequence[Side]) -> LoadedPlay:
    """The play after the whole log. One query where it was kept, two where it has to be replayed.

    Raises RulesError where the log does not add up.
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
    """The play after the whole log as the pages of a battle load it; None where they replay the
    log. One query."""
    log, setup = ruleset_of_battle(battle).log, read_setup(battle, sides)
    return _loaded(battle, log, setup, _fingerprint(battle, log, setup))


def _loaded(
    battle: Battle, log: BattleLog[Any], setup: BattleSetup, fingerprint: str
) -> Play[Any] | None:
    stored = StoredPlay.objects.filter(
        battle=battle, sequence=battle.last_sequence, fingerprint=fingerprint
    ).first()
    if stored is None:
        return None
    try:
        return load_play(log, setup, bytes(stored.play), lambda: read_log(battle))
    except msgspec.MsgspecError:
        # A row that cannot be read is as good as none: the log decides.
        return None


def _fingerprint(battle: Battle, log: BattleLog[Any], setup: BattleSetup) -> str:
    """Of the edition of the rules, the form in which they keep their state, and all that was fixed
    beforehand."""
    content = msgspec.json.encode((battle.ruleset, battle.edition, log.state_form, setup))
    return hashlib.sha256(content).hexdigest()


def store_play(battle: Battle, before: LoadedPlay, play: Play[Any]) -> None:
    """Keep the play with what its events came to: of the new events, or of all if it was made anew.
    Two queries, three if it was."""
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
    """What these events came to; those that do not count are not there. One query at most."""
    sequences = [row.sequence for row in rows]
    if not in_play.kept:
        outcomes = in_play.play.outcomes
        return {sequence: outcomes[sequence] for sequence in sequences if sequence in outcomes}
    stored = StoredOutcome.objects.filter(battle=battle, sequence__in=sequences)
    return {each.sequence: msgspec.convert(each.outcome, EventOutcome) for each in stored}


def forget_play(battle: Battle) -> None:
    """Delete what is kept of a battle's play: nothing is lost, the log is replayed. Two queries."""
    StoredOutcome.objects.filter(battle=battle).delete()
    StoredPlay.objects.filter(battle=battle).delete()
