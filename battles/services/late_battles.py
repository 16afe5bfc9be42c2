"""Late battles: confirmed after battles that were played later.

A late battle is replayed in its place. If it makes no later fact impossible and changes nothing for
others, it is confirmed without a question. Otherwise the user who confirms it sees what changes and
decides, as with a correction.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.chronicle_facts import fought_facts, played_at
from battles.models import Battle, BattleState, Side
from battles.services.correction_conflicts import (
    NO_ANSWERS,
    ConflictAnswers,
    LaterConflict,
    refuse_open,
)
from battles.services.correction_differences import CorrectionDifference, LaterChange, figures_of
from battles.services.correction_impact import answered, difference_between
from core.errors import StateConflict
from rulebook.chronicle.facts import Corrected, Fought
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import FighterState, ReplayResult, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import BattleResult, Problem
from warbands.models import Warband
from warbands.rulebook_values import last_played, read_states
from warbands.services.chronicle import Preview, late_battles, preview_late, with_answer
from warbands.services.projection import earned

QUESTIONS = frozenset({"open-conflicts", "late-battle"})
"""The codes of a late battle that needs a decision before it is confirmed."""


class Consent(Struct, frozen=True):
    """The decisions of the user who confirms a late battle.

    ``answers`` are about later facts that become impossible, ``changes`` is whether they accept the
    other changes for others.
    """

    answers: ConflictAnswers = NO_ANSWERS
    changes: bool = False


NO_CONSENT = Consent()


class LateImpact(Struct, frozen=True):
    """The impact of a late battle: its facts, the answers written with them, and what changes."""

    facts: Mapping[UUID, Fought]
    answers: Mapping[UUID, Corrected]
    difference: CorrectionDifference


def is_late(sides: Sequence[Side], facts: Mapping[UUID, Fought]) -> bool:
    """Return whether a chronicle has a battle that was played after this one. No query."""
    return bool(late_battles([side.warband for side in sides], facts))


def may_be_late(battle: Battle, sides: Sequence[Side]) -> bool:
    """Return whether a battle without a result may be late, see ``is_late``."""
    return any(last_played(side.warband) > played_at(battle) for side in sides)


def late_impact(
    battle: Battle,
    sides: Sequence[Side],
    result: BattleResult,
    answers: ConflictAnswers,
    user: User,
) -> LateImpact:
    """Return what confirming a battle would change, late or not, as far as the user may see it.

    Nothing stays written. Raises InvalidInput "not-a-conflict" or "not-undoable" for answers to
    facts that are not in conflict.
    """
    facts = fought_facts(battle, sides, result)
    warbands = [side.warband for side in sides]
    late = late_battles(warbands, facts)
    late_sides = [side for side in sides if side.warband_id in late]
    replies = {
        side.warband_id: Corrected(
            target=side.warband.sequence + 1,
            replacement=late[side.warband_id],
            standing=answers.standing(side.warband_id),
            reason=gettext("Entered late. The later entries were checked."),
        )
        for side in late_sides
    }

    def preview(given: Mapping[UUID, Corrected]) -> dict[UUID, Preview]:
        return preview_late({key: with_answer(late[key], reply) for key, reply in given.items()})

    weighed = answered(late_sides, replies, answers, preview)
    states = read_states(warbands)
    prompt = {
        side.warband_id: _stepped(states[side.warband_id], facts[side.warband_id])
        for side in sides
        if side.warband_id not in late
    }
    difference = difference_between(
        battle,
        sides,
        None,
        result,
        {**prompt, **weighed.previews},
        weighed.conflicts,
        BattleState.CONFIRMED,
    )
    changes = tuple(
        change
        for side in late_sides
        for change in _changes(
            side, late[side.warband_id], weighed.previews[side.warband_id], weighed.conflicts
        )
    )
    difference = _as_seen(replace(difference, changes=changes), battle, sides, facts, user)
    return LateImpact(facts, weighed.corrections, difference)


def expect_seen(difference: CorrectionDifference, *, accepted: bool) -> None:
    """Check that the user has decided about everything that a late battle changes for others.

    Raises StateConflict "open-conflicts" for later facts that become impossible and have no answer;
    "late-battle" for other changes that the user has not accepted. A user who has answered
    conflicts has seen the changes too.
    """
    refuse_open(difference.conflicts)
    if accepted or not difference.changes or difference.conflicts:
        return
    sentence = gettext(
        "Later battles are already confirmed, and this one changes what followed. "
        "Check the changes, then accept them."
    )
    problems = [
        Problem(
            "changed-by-late-battle",
            f"{change.warband_name}: {change.sentence}",
            fighters=(str(change.fighter),) if change.fighter else (),
            field="accept_changes",
            value=f"{change.warband}/{change.sequence}",
        )
        for change in difference.changes
    ]
    raise StateConflict("late-battle", sentence, problems=problems)


def _as_seen(
    difference: CorrectionDifference,
    battle: Battle,
    sides: Sequence[Side],
    facts: Mapping[UUID, Fought],
    user: User,
) -> CorrectionDifference:
    """Return the difference without what the user may not know.

    Of an opponent's private warband only the fighters of this battle are shown. One query for a
    one-off battle, none for others: all members of a club see the warbands of its campaigns.
    """
    if battle.campaign_id is not None:
        return difference
    of_sides = [side.warband_id for side in sides]
    seen = set(
        Warband.objects.visible_to(user).filter(pk__in=of_sides).values_list("pk", flat=True)
    )
    fielded = {UUID(record.fighter) for fact in facts.values() for record in fact.records}
    unnamed = gettext("A later entry of this private warband changes.")
    return replace(
        difference,
        fighters=tuple(
            each for each in difference.fighters if each.warband in seen or each.fighter in fielded
        ),
        conflicts=tuple(
            each
            if each.warband in seen
            else replace(each, sentence=unnamed, fighter=None, fighter_name="", title="")
            for each in difference.conflicts
        ),
        changes=tuple(
            each
            if each.warband in seen
            else replace(each, sentence=unnamed, fighter=None, fighter_name="")
            for each in difference.changes
        ),
    )


def _stepped(state: WarbandState, fact: Fought) -> Preview:
    after = step(state, fact, find_ruleset)
    return Preview(ReplayResult(state), after, earned(after.ledger))


def _changes(
    side: Side, late: Fought, preview: Preview, conflicts: Sequence[LaterConflict]
) -> Iterator[LaterChange]:
    """Yield what a late battle changes apart from its own effect on the fighters who took part.

    These are the experience from other facts, and the figures of fighters who were not in the
    battle. Facts that become impossible are reported as conflicts.
    """
    own_sequence = side.warband.sequence + 1
    conflicting = {
        (conflict.sequence, conflict.fighter)
        for conflict in conflicts
        if conflict.warband == side.warband_id
    }
    before, after = _worth(preview.before, own_sequence), _worth(preview.after, own_sequence)
    fighters = preview.after.state.fighters
    seen: set[str] = set()
    # First the entries that now give other experience; conflicts have their own list.
    for sequence, fighter in sorted(before.keys() | after.keys()):
        old, new = before.get((sequence, fighter), 0), after.get((sequence, fighter), 0)
        fighter_state = fighters.get(fighter) or preview.before.state.fighters.get(fighter)
        if (
            old == new
            or fighter_state is None
            or any(place == sequence for place, _ in conflicting)
        ):
            continue
        seen.add(fighter)
        sentence = gettext(
            "%(fighter)s: entry %(sequence)s of the history gives %(new)s experience, not %(old)s."
        ) % {
            "fighter": fighter_state.name,
            "sequence": sequence,
            "new": new,
            "old": old,
        }
        yield _change(side, sequence, fighter_state, sentence)
    # Then all other fighters whose figures differ.
    fought = {record.fighter for record in late.records}
    for fighter, fighter_state in fighters.items():
        was = preview.before.state.fighters.get(fighter)
        if (
            fighter in fought
            or fighter in seen
            or was is None
            or figures_of(was) == figures_of(fighter_state)
        ):
            continue
        sentence = gettext("%(fighter)s was not in this battle but changes because of it.") % {
            "fighter": fighter_state.name
        }
        yield _change(side, own_sequence, fighter_state, sentence)


def _change(side: Side, sequence: int, fighter: FighterState, sentence: str) -> LaterChange:
    return LaterChange(
        warband=side.warband_id,
        warband_name=side.warband.name,
        sequence=sequence,
        fighter=UUID(fighter.id),
        fighter_name=fighter.name,
        sentence=sentence,
    )


def _worth(result: ReplayResult, own_sequence: int) -> Counter[tuple[int, str]]:
    """Return the experience from each fact except the battle's own, by sequence and fighter."""
    worth: Counter[tuple[int, str]] = Counter()
    for line in result.ledger:
        if line.sequence != own_sequence:
            worth[line.sequence, line.fighter] += line.amount
    return worth
