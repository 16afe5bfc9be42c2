"""Victory points of a side, line by line, and who has won a battle by each scenario's own rule,
with the reason."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from rulebook.ruleset import FieldedFighter, ScoreLine
from rulebook.systems.en_garde.book.scenarios import standard_points
from rulebook.systems.en_garde.play.endings import Edge
from rulebook.systems.en_garde.play.play_state import CivilianState, PlayState
from rulebook.systems.en_garde.play.scenario_events import achieved, objective_of
from rulebook.values.problems import join_names, plural

Lines = Iterator[ScoreLine]
OFFENCES = {"attack": "attacked", "ground": "entered the duelling ground"}
CIVILIANS: Mapping[str, tuple[Callable[[CivilianState], bool], str]] = {
    "civilian_escorted": (lambda civilian: civilian.outcome == "escorted", "came across."),
    "civilian_killed": (lambda civilian: civilian.dead, "was killed."),
    "civilian_taken": (lambda civilian: civilian.outcome == "taken", "was taken away."),
    "civilian_unharmed": (lambda civilian: civilian.unharmed, "is unharmed."),
}
"""The figures that scenarios have for Civilians: the side that scores each, and the texts for their
fates."""


def score(state: PlayState, side: str) -> tuple[ScoreLine, ...]:
    """Return a side's victory points, each line with its reason and its rule; their sum is what the
    side has."""
    agreed = (each for each in state.extra if each.side == side)
    extra = (
        ScoreLine(each.amount, each.reason, "Agreed by the players", "extra") for each in agreed
    )
    return (*SCORING[state.scenario.scoring](state, side), *extra)


def score_so_far(state: PlayState, side: str) -> tuple[ScoreLine, ...]:
    """Return the lines of a side's victory points that count already, all of them after the end.

    Before the end of the battle, what only the end decides does not count: that a force is intact,
    or a Civilian unharmed.
    """
    lines, minor = score(state, side), objective_of(state, side)
    if state.ended:
        return lines
    undecided = {"civilian-unharmed"}
    if minor is not None and minor.at_end:
        undecided.add("minor-objective")
    return tuple(line for line in lines if line.code not in undecided)


def total(lines: tuple[ScoreLine, ...]) -> int:
    """Return the sum of some lines."""
    return sum(line.points for line in lines)


def usual_lines(state: PlayState, side: str) -> Lines:
    """Yield the points for kills, captured banners and routed enemies.

    Rule book: "Victory Points". Ruling S13.
    """
    rule = standard_points().source
    for enemy in state.enemies(side):
        if enemy.dead:
            yield _for_rank(enemy.fighter, "was killed", rule, "killed")
        elif enemy.routed:
            rank = enemy.fighter.rank
            yield ScoreLine(
                (rank + 1) // 2,
                f"{enemy.fighter.name} (Rank {rank}) routed off the table.",
                rule,
                "routed",
            )
    for owner, captor in state.banners.items():
        if state.side_of(captor) == side:
            sentence = f"{state.named(captor)} captured the banner of {state.side(owner).name}."
            yield ScoreLine(standard_points().banner, sentence, f"{rule}; Ruling B20", "banner")


def _for_rank(fighter: FieldedFighter, what: str, rule: str, key: str) -> ScoreLine:
    return ScoreLine(fighter.rank, f"{fighter.name} (Rank {fighter.rank}) {what}.", rule, key)


def _civilians(state: PlayState, *figures: str, ruling: str = "") -> Lines:
    """Yield the points of the scenario for each Civilian, by the first of these figures that holds
    for it."""
    for civilian in state.civilians.values():
        for figure in [each for each in figures if CIVILIANS[each][0](civilian)][:1]:
            points = state.scenario.score[figure]
            source = state.scenario.source + ruling
            yield ScoreLine(
                points, f"{civilian.name} {CIVILIANS[figure][1]}", source, figure.replace("_", "-")
            )


def _standard(state: PlayState, side: str) -> Lines:
    yield from usual_lines(state, side)
    figures = state.scenario.score
    source = state.scenario.source
    control = state.control
    minor = objective_of(state, side)
    if minor is not None and achieved(state, side):
        sentence = f"Minor objective achieved: {minor.sentence}."
        yield ScoreLine(figures["minor_objective"], sentence, source, "minor-objective")
    if figures.get("objective") and control is not None and control.side == side:
        holder = state.named(control.by[0])
        how = control.how.replace("-", " ")
        sentence = f"{holder} has {control.what or 'the objective'} ({how})."
        yield ScoreLine(figures["objective"], sentence, f"{source}; Ruling S11", "objective")
    for which, offender in state.offences.items():
        if offender == side:
            sentence = f"First other fighter who {OFFENCES[which]}."
            yield ScoreLine(figures[which], sentence, f"{source}; Ruling S12", "offence")


def _escort(state: PlayState, side: str) -> Lines:
    """Yield the Ranks of those who left by the edge that counts, and the Civilian; for the others
    the dead.

    Ruling D12.
    """
    source = state.scenario.source
    if state.side(side).role == "escort":
        across = (own for own in state.own(side) if own.edge == Edge(state.settings.escort_edge))
        yield from (
            _for_rank(own.fighter, "came across", f"{source}; Ruling D12", "escorted")
            for own in across
        )
        yield from _civilians(state, "civilian_escorted", ruling="; Ruling D12")
    else:
        dead = (enemy for enemy in state.enemies(side) if enemy.dead)
        yield from (_for_rank(enemy.fighter, "was killed", source, "killed") for enemy in dead)
        yield from _civilians(state, "civilian_killed")


def _ground(state: PlayState, side: str) -> Lines:
    """Yield the Ranks of those who stand on the ground that scores when the battle ends."""
    for combatant in (state.combatants[fighter] for fighter in state.ground.get(side, ())):
        if combatant.on_table:
            yield _for_rank(
                combatant.fighter, "is in the scoring area", state.scenario.source, "ground"
            )


def _raid(state: PlayState, side: str) -> Lines:
    """Yield the points for Civilians killed and taken away, or kept safe."""
    if state.side(side).role == "attacker":
        yield from _civilians(state, "civilian_killed", "civilian_taken")
    else:
        yield from _civilians(state, "civilian_unharmed", ruling="; Ruling S9")
    if state.settings.raid_standard_points:
        yield from usual_lines(state, side)


SCORING: Mapping[str, Callable[[PlayState, str], Lines]] = {
    "standard": _standard,
    "escort": _escort,
    "ground": _ground,
    "raid": _raid,
}


Totals = Mapping[str, int]
"""Victory points by side."""


class Decision(Struct, frozen=True):
    """A decision of a battle: one side has won, several have drawn; everybody else has lost.
    ``why`` says by what."""

    best: tuple[str, ...]
    why: str

    @property
    def winner(self) -> str | None:
        """Return the side that has won, None for a draw."""
        return self.best[0] if len(self.best) == 1 else None


def decide(state: PlayState, totals: Totals) -> Decision:
    """Return the decision of a battle that ends now.

    By a house rule a side that conceded cannot win.
    """
    contenders = state.sides
    if state.settings.concession == "loses":
        contenders = (
            tuple(side for side in state.sides if side not in state.conceded) or state.sides
        )
    if len(contenders) == 1 and len(state.sides) > 1:
        return Decision(contenders, "every other side conceded")
    return DECIDING[state.scenario.decided_by](state, totals, contenders)


def verdict(state: PlayState, decision: Decision) -> str:
    """Return who won and by what, in a sentence."""
    if decision.winner is not None:
        return f"Victory for {state.side(decision.winner).name}: {decision.why}."
    if len(decision.best) == len(state.sides):
        return f"A draw: {decision.why}."
    return (
        f"A draw between {join_names(state.side(side).name for side in decision.best)}: "
        f"{decision.why}."
    )


def _most(values: Mapping[str, int], among: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sides with the highest value."""
    highest = max(values[side] for side in among)
    return tuple(side for side in among if values[side] == highest)


def _by_points(state: PlayState, totals: Totals, contenders: tuple[str, ...]) -> Decision:
    """Return the decision by most points, then by house rule by most who stand, then a draw.

    Rule book: "Victory Points". Ruling S5.
    """
    best = _most(totals, contenders)
    if len(best) > 1 and state.settings.equal_points == "standing":
        standing = {side: sum(each.standing for each in state.own(side)) for side in best}
        return Decision(
            _most(standing, best), f"{_tally(state, totals, best)}; fighters left decide"
        )
    return Decision(best, _tally(state, totals, best))


def _tally(state: PlayState, totals: Totals, best: tuple[str, ...]) -> str:
    """Return the points, the best sides' first: "12 victory points to 9 and 4", "1 victory point
    each, to 0"."""
    others = sorted((totals[side] for side in state.sides if side not in best), reverse=True)
    points = totals[best[0]]
    rest = join_names(map(str, others)) if others else ""
    if len(best) > 1:
        each = "1 victory point each" if points == 1 else f"{points} victory points each"
        return f"{each}, to {rest}" if rest else each
    if not rest:
        return plural(points, "victory point")
    return f"1 victory point to {rest}" if points == 1 else f"{points} victory points to {rest}"


def _by_control(state: PlayState, totals: Totals, contenders: tuple[str, ...]) -> Decision:
    """Return the decision by control of the objective: victory points are noted and do not decide.

    Ruling S6.
    """
    if state.control is not None and state.control.side in contenders:
        return Decision((state.control.side,), "control of the objective at the end")
    defender = state.with_role("defender")
    if state.settings.defence_draw == "defender" and defender in contenders:
        return Decision((defender,), "nobody controls the objective, so the defender wins")
    return Decision(state.sides, "nobody controls the objective")


def _by_bridge(state: PlayState, totals: Totals, contenders: tuple[str, ...]) -> Decision:
    """Return the decision by the forces on the defender's bank. Ruling S7."""
    attacker = state.with_role("attacker")
    defender = state.with_role("defender")
    why = f"attacker {totals[attacker]}, defender {totals[defender]} on the defender's bank"
    if totals[attacker] > totals[defender]:
        return Decision((attacker,), why)
    if totals[attacker] * 2 < totals[defender]:
        return Decision((defender,), why)
    return Decision(state.sides, why)


def _by_occupation(state: PlayState, totals: Totals, contenders: tuple[str, ...]) -> Decision:
    """Return the decision by most points, then fewer wounds on the living, then a draw.

    Ruling S8.
    """
    best = _most(totals, contenders)
    if len(best) == 1:
        return Decision(best, _tally(state, totals, best))
    fewer = {side: -sum(each.wounds.counters for each in state.own(side)) for side in best}
    why = f"{_tally(state, totals, best)}; wounds of the survivors decide"
    return Decision(_most(fewer, best), why)


DECIDING: Mapping[str, Callable[[PlayState, Totals, tuple[str, ...]], Decision]] = {
    "points": _by_points,
    "control": _by_control,
    "bridge": _by_bridge,
    "occupation": _by_occupation,
}
