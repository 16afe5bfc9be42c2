"""Victory points of a side, line by line: the usual ones, the scenario's own, and what the players agreed upon."""

from collections.abc import Callable, Iterator, Mapping

from rulebook.ruleset import ScoreLine
from rulebook.systems.en_garde.book.house_rules import settled
from rulebook.systems.en_garde.book.scenarios import standard_points
from rulebook.systems.en_garde.play.leaving import Edge
from rulebook.systems.en_garde.play.minor_objectives import achieved, objective_of
from rulebook.systems.en_garde.play.play_state import PlayState

OFFENCES = {"attack": "attacked", "ground": "entered the duelling ground"}


def score(state: PlayState, side: str) -> tuple[ScoreLine, ...]:
    """A side's victory points, each line with its reason and its rule; their sum is what the side has."""
    return (*SCORING[state.scenario.scoring](state, side), *_extra(state, side))


def total(lines: tuple[ScoreLine, ...]) -> int:
    """The sum of some lines."""
    return sum(line.points for line in lines)


def usual_lines(state: PlayState, side: str) -> Iterator[ScoreLine]:
    """Kills, captured banners, routed enemies. Rule book: "Victory Points". Ruling S13."""
    rule = standard_points().source
    for enemy in state.enemies(side):
        rank, name = enemy.fighter.rank, enemy.fighter.name
        if enemy.dead:
            yield ScoreLine(rank, f"{name} (Rank {rank}) was killed.", rule, "killed")
        elif enemy.routed:
            yield ScoreLine((rank + 1) // 2, f"{name} (Rank {rank}) routed off the table.", rule, "routed")
    for owner, captor in state.banners.items():
        if state.side_of(captor) == side:
            sentence = f"{state.named(captor)} captured the banner of {state.side(owner).name}."
            yield ScoreLine(standard_points().banner, sentence, f"{rule}; Ruling B20", "banner")


def _standard(state: PlayState, side: str) -> Iterator[ScoreLine]:
    yield from usual_lines(state, side)
    yield from _minor_objective(state, side)
    yield from _objective(state, side)
    yield from _offences(state, side)


def _minor_objective(state: PlayState, side: str) -> Iterator[ScoreLine]:
    objective = objective_of(state, side)
    if objective is not None and achieved(state, side):
        sentence = f"Minor objective achieved: {objective.sentence.lower()}."
        yield ScoreLine(state.scenario.score["minor_objective"], sentence, state.scenario.source, "minor-objective")


def _objective(state: PlayState, side: str) -> Iterator[ScoreLine]:
    points = state.scenario.score.get("objective")
    if points and state.control is not None and state.control.side == side:
        holder = state.named(state.control.by[0])
        sentence = f"{holder} has {state.control.what or 'the objective'} ({state.control.how.replace('-', ' ')})."
        yield ScoreLine(points, sentence, f"{state.scenario.source}; Ruling S11", "objective")


def _offences(state: PlayState, side: str) -> Iterator[ScoreLine]:
    for which, offender in state.offences.items():
        if offender == side:
            sentence = f"First outsider who {OFFENCES[which]}."
            yield ScoreLine(state.scenario.score[which], sentence, f"{state.scenario.source}; Ruling S12", "offence")


def _escort(state: PlayState, side: str) -> Iterator[ScoreLine]:
    if state.side(side).role == "escort":
        yield from _brought_across(state, side)
    else:
        yield from _stopped(state, side)


def _brought_across(state: PlayState, side: str) -> Iterator[ScoreLine]:
    """Ranks of those who left by the edge that counts, and the Civilian. Ruling D12."""
    edge = Edge(settled(state.settings).escort_edge)
    source = f"{state.scenario.source}; Ruling D12"
    for own in state.own(side):
        if own.edge == edge:
            rank = own.fighter.rank
            yield ScoreLine(rank, f"{own.fighter.name} (Rank {rank}) came across.", source, "escorted")
    for civilian in state.civilians.values():
        if civilian.outcome == "escorted":
            points = state.scenario.score["civilian_escorted"]
            yield ScoreLine(points, f"{civilian.name} came across.", source, "civilian-escorted")


def _stopped(state: PlayState, side: str) -> Iterator[ScoreLine]:
    source = state.scenario.source
    for enemy in state.enemies(side):
        if enemy.dead:
            rank = enemy.fighter.rank
            yield ScoreLine(rank, f"{enemy.fighter.name} (Rank {rank}) was killed.", source, "killed")
    for civilian in state.civilians.values():
        if civilian.dead:
            points = state.scenario.score["civilian_killed"]
            yield ScoreLine(points, f"{civilian.name} was killed.", source, "civilian-killed")


def _ground(state: PlayState, side: str) -> Iterator[ScoreLine]:
    """Ranks of those who stand on the ground that scores when the battle ends."""
    for fighter in state.ground.get(side, ()):
        combatant = state.combatants[fighter]
        if combatant.on_table:
            rank = combatant.fighter.rank
            sentence = f"{combatant.fighter.name} (Rank {rank}) stands where it counts."
            yield ScoreLine(rank, sentence, state.scenario.source, "ground")


def _raid(state: PlayState, side: str) -> Iterator[ScoreLine]:
    attacks = state.side(side).role == "attacker"
    yield from _raided(state) if attacks else _kept_safe(state)
    if settled(state.settings).raid_standard_points:
        yield from usual_lines(state, side)


def _raided(state: PlayState) -> Iterator[ScoreLine]:
    figures, source = state.scenario.score, state.scenario.source
    for civilian in state.civilians.values():
        if civilian.dead:
            yield ScoreLine(figures["civilian_killed"], f"{civilian.name} was killed.", source, "civilian-killed")
        elif civilian.outcome == "taken":
            yield ScoreLine(figures["civilian_taken"], f"{civilian.name} was taken away.", source, "civilian-taken")


def _kept_safe(state: PlayState) -> Iterator[ScoreLine]:
    source = f"{state.scenario.source}; Ruling S9"
    for civilian in state.civilians.values():
        if civilian.unharmed:
            points = state.scenario.score["civilian_unharmed"]
            yield ScoreLine(points, f"{civilian.name} is unharmed.", source, "civilian-unharmed")


def _extra(state: PlayState, side: str) -> Iterator[ScoreLine]:
    for extra in state.extra:
        if extra.side == side:
            yield ScoreLine(extra.amount, extra.reason, "Agreed by the players", "extra")


SCORING: Mapping[str, Callable[[PlayState, str], Iterator[ScoreLine]]] = {
    "standard": _standard,
    "escort": _escort,
    "ground": _ground,
    "raid": _raid,
}
