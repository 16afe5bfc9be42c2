"""Invented battles: a plausible result for any scenario, from a given generator.

This does not simulate the table: nobody moves, and nobody runs out of range. It uses the fighters'
real characteristics and the real Wound Table, and passes every check of the log. Demonstrations and
tests use it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from rulebook.dice.rolls import Generator, d6
from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.systems.en_garde.book.scenarios import minor_objective
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState, outfit, wound_table
from rulebook.systems.en_garde.play.scenario_events import COPY
from rulebook.systems.en_garde.rosters.assembled_roster import BANNER
from rulebook.systems.en_garde.rosters.builds import from_json
from rulebook.systems.en_garde.rosters.loadouts import armour_rating
from rulebook.systems.en_garde.table.wounds import (
    WoundResult,
    needs_die,
    penalties,
    reduced,
    wound_result,
)

Choice = TypeVar("Choice")
ROUT_BELOW = 3
"""A side routs off the table once less than one in this many of its fighters are standing."""


class Story:
    """A log in progress: each event is checked and applied before the next one is invented."""

    def __init__(self, setup: BattleSetup, generator: Generator, idle: int = 3) -> None:
        self.state: PlayState = LOG.opening(setup)
        self.luck = generator
        self.idle = idle
        self.events: list[LoggedEvent] = []
        self.turn: int | None = None

    def tell(self, kind: str, **data: Any) -> None:
        """Log one event.

        Raises RulesError if the rules forbid it, which would be a bug of this module.
        """
        logged = LoggedEvent(len(self.events) + 1, kind, data, self.turn)
        self.state = LOG.new_step(self.state, logged).after
        self.events.append(logged)

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """Return a random one of the choices."""
        return choices[self.luck.randint(0, len(choices) - 1)]

    def happens(self, one_in: int) -> bool:
        """Return True with a chance of one in ``one_in``."""
        return self.luck.randint(1, one_in) == 1

    def standing(self, side: str) -> list[CombatantState]:
        """Return a side's combatants who can act."""
        return [each for each in self.state.own(side) if each.standing]

    def draw_objectives(self, thrown: Callable[[], Mapping[str, Any]]) -> None:
        """Draw a minor objective for each side, if the scenario has them."""
        if "minor_objective" in self.state.scenario.event_kinds:
            for side in self.state.sides:
                self.tell("minor_objective", side=side, **thrown())

    def foes(self, side: str) -> list[CombatantState]:
        """Return the combatants of the other sides who can act."""
        return [each for each in self.state.enemies(side) if each.standing]


def quick_result(
    setup: BattleSetup, generator: Generator, *, idle: int = 3
) -> tuple[LoggedEvent, ...]:
    """Return an invented log that passes every check; the same seed invents the same battle.

    Each fighter attacks about once in ``idle`` turns: with a higher number more of them survive.
    Raises RulesError for an unknown scenario or a build that cannot be read.
    """
    story = Story(setup, generator, idle)

    def thrown() -> Mapping[str, Any]:
        return {"rolled": d6(generator), "thrown": "app"}

    secret = story.state.settings.minor_objectives == "secret"
    if not secret:
        story.draw_objectives(thrown)
    turns = _turns(story)
    for turn in range(1, turns + 1):
        story.turn = turn
        _fight_a_turn(story, turn)
        if not all(len(story.standing(side)) for side in story.state.sides):
            break
    last = story.turn or turns
    story.turn = None
    ENDINGS[setup.scenario](story)
    over = any(not story.standing(side) for side in story.state.sides)
    story.tell("ended", turn=last, how="destroyed" if over else "last-turn")
    if secret:
        story.draw_objectives(thrown)
    return tuple(story.events)


def _turns(story: Story) -> int:
    facts = story.state.scenario
    if facts.turns is not None:
        return facts.turns
    return d6(story.luck) + 6 if facts.dice else story.luck.randint(5, 10)


def _fight_a_turn(story: Story, turn: int) -> None:
    for side in story.state.sides:
        for attacker in story.standing(side):
            foes = story.foes(side)
            ready = story.state.combatants[attacker.fighter.id].standing
            if foes and ready and (turn > 1 or story.happens(3)) and story.happens(story.idle):
                _attack(story, attacker.fighter.id, story.pick(foes).fighter.id)
    for side in story.state.sides:
        _waver(story, side)


def _waver(story: Story, side: str) -> None:
    """Rout some more fighters of a side that has lost most of them."""
    left, fielded = story.standing(side), len(story.state.own(side))
    if len(left) * ROUT_BELOW < fielded:
        for combatant in left:
            if d6(story.luck) + combatant.fighter.rank < 7:
                story.tell("routed", fighter=combatant.fighter.id)


# Blows and shots


def _attack(story: Story, attacker: str, victim: str) -> None:
    """Attack with a blow or sometimes a shot; the Wound Table gives the result."""
    shoot = outfit(story.state.combatants[attacker].fighter).shoot
    shoots = shoot > 0 and story.happens(3)
    hit = d6(story.luck) + shoot - 3 if shoots else _blow(story, attacker, victim)
    table = wound_table(story.state.combatants[victim].fighter)
    result = (
        wound_result(hit - _armour(story, victim, shoots), table)
        if hit > 0
        else WoundResult.SCRATCH
    )
    if result is WoundResult.SCRATCH:
        return
    data: dict[str, Any] = {"attacker": attacker, "victim": victim, "result": result.value}
    if needs_die(result, table):
        data["die"] = d6(story.luck)
    if shoots:
        data["means"] = "shooting"
    elif story.happens(8):
        data["subdue"] = True
    story.tell("wound", **data)


def _blow(story: Story, attacker: str, victim: str) -> int:
    """Return the Hit Score: two dice and Fight, against Fight and a die, or two for a parry."""
    parry = d6(story.luck) if story.happens(2) else 0
    attack = d6(story.luck) + d6(story.luck) + _fight(story, attacker)
    return attack - d6(story.luck) - parry - _fight(story, victim)


def _fight(story: Story, fighter: str) -> int:
    combatant = story.state.combatants[fighter]
    weight = penalties(combatant.wounds, stun_penalty=story.state.settings.stun_penalty)
    return reduced(outfit(combatant.fighter).fight, weight.fight)


def _armour(story: Story, victim: str, shot: bool) -> int:
    rating = armour_rating(from_json(story.state.combatants[victim].fighter.build))
    return rating.front_shots if shot else rating.close_combat


# The endings of the scenarios


def _captures(story: Story) -> None:
    """Let fighters who are still standing capture unconscious enemies and fallen banners."""
    for side in story.state.sides:
        captors = story.foes(side)
        if not captors:
            continue
        for combatant in story.state.own(side):
            if combatant.on_table and combatant.wounds.unconscious and story.happens(2):
                story.tell(
                    "captured", fighter=combatant.fighter.id, by=story.pick(captors).fighter.id
                )
            if combatant.fighter.fills(BANNER) and combatant.dead:
                story.tell("captured", banner=side, by=story.pick(captors).fighter.id)


def _usual(story: Story) -> None:
    _captures(story)
    for side, rolled in tuple(story.state.rolled.items()):
        die = rolled.rolled or COPY
        announced = die == COPY or minor_objective(die).declared
        if announced and story.happens(2):
            outnumber = len(story.standing(side)) > len(story.foes(side))
            story.tell("minor_objective", side=side, rolled=rolled.rolled, achieved=outnumber)


def _objective(story: Story) -> None:
    """Let a random fighter's side hold the objective, or nobody."""
    _captures(story)
    holders = [each for side in story.state.sides for each in story.standing(side)]
    if not holders or story.happens(4):
        story.tell("objective")
        return
    holder = story.pick(holders)
    friends = [
        each.fighter.id
        for each in story.standing(holder.side)
        if each.fighter.id != holder.fighter.id
    ]
    how = "carried-off" if story.state.setup.scenario == "capture" and story.happens(4) else "held"
    story.tell("objective", side=holder.side, by=[holder.fighter.id, *friends[:1]], how=how)


def _duel(story: Story) -> None:
    for which in ("attack", "ground"):
        if which not in story.state.offences and story.happens(3):
            story.tell("duel_penalty", side=story.pick(story.state.sides), which=which)
    _captures(story)


def _escort(story: Story) -> None:
    """End each Civilian's escort: across, killed, or stuck half way.

    Some companions get across too.
    """
    escort, attacker = story.state.with_role("escort"), story.state.with_role("attacker")
    for combatant in story.standing(escort):
        if story.happens(2):
            story.tell("left", fighter=combatant.fighter.id, edge="opposite")
    killers = story.standing(attacker)
    for civilian in story.state.civilians:
        if story.happens(2):
            story.tell("civilian", civilian=civilian, outcome="escorted")
        elif killers and story.happens(2):
            story.tell(
                "civilian", civilian=civilian, outcome="killed", by=story.pick(killers).fighter.id
            )
    _captures(story)


def _raid(story: Story) -> None:
    raiders = story.standing(story.state.with_role("attacker"))
    for civilian in story.state.civilians:
        outcome = (
            story.pick(("unharmed", "unharmed", "harmed", "killed", "taken"))
            if raiders
            else "unharmed"
        )
        by = {} if outcome in ("unharmed", "harmed") else {"by": story.pick(raiders).fighter.id}
        story.tell("civilian", civilian=civilian, outcome=outcome, **by)
    _captures(story)


def _stand(kind: str, story: Story) -> None:
    """Place some of each side on the ground that scores."""
    _captures(story)
    for side in story.state.sides:
        fighter_ids = [each.fighter.id for each in story.standing(side) if story.happens(2)]
        story.tell(kind, side=side, fighters=fighter_ids)


ENDINGS: Mapping[str, Callable[[Story], None]] = {
    "skirmish": _usual,
    "capture": _objective,
    "duel": _duel,
    "defence": _objective,
    "escort": _escort,
    "hold-the-bridge": partial(_stand, "position"),
    "occupy": partial(_stand, "touching"),
    "raid": _raid,
}
