"""Pieces of a roster: its problems, some of its cards, those who have just joined."""

from collections.abc import Collection, Iterable, Iterator
from uuid import UUID

from django.utils.translation import gettext
from msgspec import Struct

from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import Problem, RosterPurpose, Ruleset, Severity
from warbands.models import Fighter, Warband
from warbands.reading import read_state, rules_of
from warbands.summaries.cards import FighterCard, fighter_card


class ProblemList(Struct, frozen=True):
    """Everything that is wrong with a roster as it stands. No problems: it is legal."""

    points: int
    sequence: int
    problems: tuple[Problem, ...]


class Recruits(Struct, frozen=True):
    """Those who have just joined, and how the roster stands with them."""

    fighters: tuple[FighterCard, ...]
    points: int
    sequence: int
    problems: tuple[Problem, ...]


def problem_list(warband: Warband) -> ProblemList:
    """Everything that is wrong with a warband's roster. One query."""
    problems = problems_of(rules_of(warband), warband, read_state(warband))
    return ProblemList(warband.points, warband.sequence, problems)


def problems_of(rules: Ruleset, warband: Warband, state: WarbandState) -> tuple[Problem, ...]:
    """What is wrong with a roster that is being built; or, once it is in play, with one that carries on."""
    purpose = RosterPurpose.CARRY_ON if warband.locked else RosterPurpose.BUILD
    return (*rules.roster_problems(state.roster, purpose), *_debts(state))


def _debts(state: WarbandState) -> Iterator[Problem]:
    """Who has spent more experience than is left since a correction that was let stand; nobody is held to pay it."""
    for fighter in state.fighters.values():
        if fighter.experience < 0 and not fighter.gone:
            sentence = gettext(
                "%(fighter)s has %(experience)s experience: more was spent than a correction has left."
            ) % {"fighter": fighter.name, "experience": fighter.experience}
            yield Problem("experience-overspent", sentence, Severity.WARNS, (fighter.id,))


def roster_cards(warband: Warband, rows: Iterable[Fighter]) -> tuple[FighterCard, ...]:
    """The cards of some of a warband's fighters, in the order of the rows. One query beside that for the rows."""
    state, rules = read_state(warband), rules_of(warband)
    return tuple(fighter_card(rules, state, state.fighters[str(row.pk)], row) for row in rows)


def recruits_page(warband: Warband, joined: Collection[UUID]) -> Recruits:
    """Those who have just joined, by their ids, and the roster's problems. Two queries."""
    rows = Fighter.objects.filter(pk__in=joined).select_related("rank_up_offer").order_by("place", "id")
    state, rules = read_state(warband), rules_of(warband)
    return Recruits(
        fighters=tuple(fighter_card(rules, state, state.fighters[str(row.pk)], row) for row in rows),
        points=warband.points,
        sequence=warband.sequence,
        problems=problems_of(rules, warband, state),
    )
