"""Challenges, and the duellists of a Duel: for two turns only they act, and the first outsider who
breaks in costs points.

Rule book: "Duels", "Duel". Ruling S12.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec.structs import replace

from rulebook.at_table.sentences import name_of
from rulebook.battle_log.kinds import CombatantNames, FighterId, field_meta, kind
from rulebook.systems.en_garde.book import problem, violation
from rulebook.systems.en_garde.play.checking import (
    combatant_problems,
    out_of_action,
    same_side,
    side_of,
)
from rulebook.systems.en_garde.play.offers import enemies_of, own_on_table, people
from rulebook.systems.en_garde.play.play_state import PlayState, action_of
from rulebook.systems.en_garde.play.scenario_events import Offence
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.table.orders import challenge_violations
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.turn_event import Inches, Opening, TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation, join_names
from rulebook.values.table import Action

MIN_RANK_TO_CHALLENGE = 3


@kind(
    "challenge",
    "Challenge",
    'Rule book: "Duels"',
    phase="priority",
    about="",
    fighters_only=("challenger", "challenged"),
    offered_to="challenger",
    offered_as="Challenge to a duel",
    asked_first=("challenged", "inches", "accepted"),
)
class Challenged(TurnEvent, frozen=True, kw_only=True):
    """A challenge to a duel. Who accepts fights nobody else until one of the two is dead."""

    challenger: Annotated[FighterId, field_meta("Challenger")]
    challenged: Annotated[FighterId, field_meta("Challenged")]
    inches: Annotated[Inches | None, field_meta("Inches", "At most 6.")] = None
    accepted: Annotated[bool, field_meta("Accepted")] = False

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a fighter of a Rank that may challenge, who can act."""
        if not super().is_open_to(state, actor):
            return False
        challenger = state.combatants[actor]
        return challenger.standing and challenger.fighter.rank >= MIN_RANK_TO_CHALLENGE

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        return {"challenged": people(state, enemies_of(state, actor))}

    def sides_acting(self, state: PlayState) -> Iterable[str]:
        return (side_of(state, self.challenger),)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        both = (self.challenger, self.challenged)
        for each in both:
            foe = in_duel_with(state, each)
            if foe:
                yield in_a_duel(state, each, foe)
        for each in both:
            yield from out_of_action(state, each)
        challenger, challenged = (present(state, each) for each in both)
        engaged = any(state.table.engaged(each) for each in both)
        yield from challenge_violations(challenger, challenged, self.inches, engaged=engaged)
        if same_side(state, *both):
            yield violation("challenges-own-side")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        if not self.accepted:
            return state
        table = state.table.with_fighter(self.challenger, duel_with=self.challenged)
        return replace(state, table=table.with_fighter(self.challenged, duel_with=self.challenger))

    def sentence(self, names: CombatantNames) -> str:
        answer = "accepted" if self.accepted else "declined"
        return (
            f"{name_of(names, self.challenger)} challenges {name_of(names, self.challenged)}: "
            f"{answer}"
        )


def in_duel_with(state: PlayState, fighter: str) -> str:
    """Return the opponent of a duel that it has to fight, "" if there is none or either is killed
    or gone."""
    foe = state.table.of(fighter).duel_with
    both = (
        foe in state.combatants
        and state.somebody(fighter).on_table
        and state.combatants[foe].on_table
    )
    return foe if both else ""


def in_a_duel(state: PlayState, fighter: str, foe: str) -> Violation:
    """Return the violation of anything that is not part of that duel."""
    return violation("in-a-duel", name=state.named(fighter), foe=state.named(foe))


@kind(
    "duellist",
    "Duellist",
    'Rule book: "Duel"',
    help="In a Duel, one for each side before the first turn.",
    offered_to="side",
    offered_as="Choose duellist",
)
class DuellistNamed(Opening, frozen=True, kw_only=True):
    """A side names its duellist of a Duel, or another one once the first is dead."""

    fighter: Annotated[FighterId, field_meta("Fighter")]

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether a side has a duellist. It may need another later."""
        return actor in state.sides and bool(duellists_alone(state))

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        """Return the action, of which nothing is given: the fighter tells the side."""
        phase = TurnPhase.PRIORITY.value
        choices = {"fighter": own_on_table(state, actor)}
        return action_of(cls, state, cls.offered_as, {}, ("fighter",), choices=choices, phase=phase)

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        scenario = state.scenario
        if not duellists_alone(state):
            yield problem(
                "no-duellists", value=logged.kind, name=scenario.name, source=scenario.source
            )
        yield from combatant_problems(state, self.fighter, "fighter")

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield the violation of a second duellist while the first one lives."""
        yield from out_of_action(state, self.fighter)
        for each in state.table.duellists.get(state.side_of(self.fighter), ()):
            if not state.combatants[each].dead:
                yield violation("duellist-lives", name=state.named(each))

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        side = state.side_of(self.fighter)
        duellists = state.table.duellists
        named = (*duellists.get(side, ()), self.fighter)
        return state.with_table(duellists={**duellists, side: named})

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} is the duellist"


def duellists_alone(state: PlayState) -> int:
    """Return the number of turns in which only the duellists act: 0 if the scenario has none."""
    return state.scenario.special.get("duellists_only_turns", 0)


def is_duellist(state: PlayState, fighter: str) -> bool:
    """Return whether its side has named it duellist."""
    return any(fighter in named for named in state.table.duellists.values())


def duellist_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """Yield what forbids others to act in a Duel: in the first two turns only duellists act, and
    nobody shoots."""
    acting = event.acting if duellists_alone(state) else ()
    if not acting:
        return
    unnamed = [state.side(side).name for side in state.sides if side not in state.table.duellists]
    if unnamed:
        yield violation("no-duellist", names=join_names(unnamed))
    elif state.table.turn <= duellists_alone(state):
        yield from _too_early(state, event, acting)


def _too_early(state: PlayState, event: TurnEvent, acting: tuple[str, ...]) -> Iterator[Violation]:
    outsiders = [state.named(each) for each in acting if not is_duellist(state, each)]
    until = f"until turn {duellists_alone(state) + 1}"
    if outsiders:
        yield violation("duellists-only", until=until, names=" or ".join(outsiders))
    if event.shoots:
        yield violation("duellists-shoot", until=until)


def with_offences(state: PlayState, event: TurnEvent) -> PlayState:
    """Return the state with the first outsider's side noted who has attacked, or entered the
    duelling ground."""
    if not duellists_alone(state):
        return state
    for offence, offender in (
        (Offence.ATTACK, event.aggressor),
        (Offence.GROUND, event.intruder(state)),
    ):
        if offender and offence.value not in state.offences and not is_duellist(state, offender):
            state = replace(
                state, offences={**state.offences, offence.value: side_of(state, offender)}
            )
    return state
