"""The classic campaign: three small warbands of a master roster, three games, and a final Skirmish.

Rule book: "Campaigns". Rulings C1 to C14, X19. Everything that a club may decide otherwise is a
house rule.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rulebook.ruleset import ClassicScore, Deed, Fate, Outcome, Problem, Record, Roster, Settings
from rulebook.systems.en_garde.book import problem
from rulebook.systems.en_garde.book.house_rules import settled
from rulebook.systems.en_garde.book.scenarios import scenario_facts
from rulebook.systems.en_garde.rosters.assembled_roster import roster_totals
from rulebook.systems.en_garde.rosters.sheets import fighter_facts
from rulebook.values.classic import ClassicVerdict

WARBANDS = 3
LEAST, MOST = (1, 4), (1, 2)
"""A small warband costs from a quarter to a half of the master roster, both included (Ruling
C2)."""
FINAL = "skirmish"
DECIDED = "Ruling C9"
GRAVELY = frozenset({"grievous", "unconscious"})
"""Fighters who were knocked unconscious count as gravely wounded. Ruling C10."""

Plan = Mapping[str, tuple[str, ...]]
"""A sealed plan: the fighters of the small warband that each scenario gets, by the scenario's
key."""


def plan_problems(roster: Roster, plan: Plan, scenarios: tuple[str, ...]) -> tuple[Problem, ...]:
    """Return everything that is wrong with a sealed plan for these scenarios; the empty tuple is
    good.

    Composition may be ignored (Ruling C3); crews and handlers are the table's business.
    """
    return (*_wrong_names(roster, plan, scenarios), *_wrong_sizes(roster, plan))


def scenario_problems(scenarios: tuple[str, ...]) -> tuple[Problem, ...]:
    """Return what is wrong with the three scenarios of a classic campaign. Ruling C4."""
    valid_keys = [facts.key for facts in scenario_facts()]
    unknown = [key for key in scenarios if key not in valid_keys]
    if unknown:
        return (problem("classic-scenario", value=unknown[0], known=", ".join(valid_keys)),)
    if len(set(scenarios)) != WARBANDS or len(scenarios) != WARBANDS:
        return (problem("three-scenarios", warbands=WARBANDS),)
    return ()


def _wrong_names(roster: Roster, plan: Plan, scenarios: tuple[str, ...]) -> Iterator[Problem]:
    if set(plan) != set(scenarios):
        yield problem("wrong-scenarios", scenarios=", ".join(scenarios))
    fit = {fighter.id for fighter in roster.fighters if fighter.fate is Fate.FIT}
    for scenario, fighters in plan.items():
        strangers = tuple(each for each in fighters if each not in fit)
        if strangers:
            yield problem("not-on-roster", field=scenario, fighters=strangers)
        if len(set(fighters)) < len(fighters):
            yield problem("named-twice-in-plan", field=scenario)


def _wrong_sizes(roster: Roster, plan: Plan) -> Iterator[Problem]:
    low, high = bounds(roster)
    builds = {fighter.id: fighter.build for fighter in roster.fighters}
    for scenario, fighters in plan.items():
        points = sum(
            fighter_facts(builds[each], roster.terms).points
            for each in set(fighters)
            if each in builds
        )
        if not low <= points <= high:
            yield problem("wrong-size", field=scenario, value=points, low=low, high=high)
    # A fighter who is named twice for the same battle counts once.
    everybody: list[str] = []
    for fighters in plan.values():
        everybody += dict.fromkeys(fighters)
    shared = tuple(dict.fromkeys(each for each in everybody if everybody.count(each) > 1))
    if shared and settled(roster.terms.settings).small_warbands != "overlapping":
        yield problem("in-two-warbands", fighters=shared)


def bounds(roster: Roster) -> tuple[int, int]:
    """Return the least and the most points of a small warband, both included: from a quarter to a
    half.

    Of the roster's real total, or of the agreed points by house rule. Ruling C2.
    """
    agreed = (
        roster.points_limit
        if settled(roster.terms.settings).small_warband_base == "agreed"
        else None
    )
    base = agreed or roster_totals(roster).points
    return -(-base * LEAST[0] // LEAST[1]), base * MOST[0] // MOST[1]


def drawn(settings: Settings) -> bool:
    """Return whether the scenarios are drawn by lot, and not agreed on. Ruling C4."""
    return settled(settings).classic_scenarios == "drawn"


def classic_settings(settings: Settings) -> dict[str, Any]:
    """Return the house rules of a classic campaign: those given, with the die for the gravely
    wounded (Ruling C7), captives who miss the final (Ruling C10), and experience only if the
    club wants it (Ruling X19).
    """
    return {
        "captives": "miss-next",
        **settings,
        "wounds_after": "grievous-roll",
        "progression": settled(settings).classic_progression,
    }


# The final.


def final_force(roster: Roster, fought: frozenset[str]) -> tuple[str, ...]:
    """Return who may fight the final: every fit fighter, or by house rule only those who fought.

    Rulings C5, C7, C10.
    """
    everybody = settled(roster.terms.settings).final_muster == "all"
    return tuple(
        each.id
        for each in roster.fighters
        if each.fate is Fate.FIT and (everybody or each.id in fought)
    )


def final_wounds(records: tuple[Record, ...], settings: Settings) -> dict[str, str]:
    """Return the wounds with which fighters begin the final, by fighter: none, unless a house rule
    says so.

    Rulings C6, C7.

    Of two small games the worse one counts.
    """
    worst: dict[str, str] = {}
    for record in records:
        wound = "grievous" if record.wounds in GRAVELY else record.wounds
        if wound == "grievous" or (wound == "light" and record.fighter not in worst):
            worst[record.fighter] = wound
    rules = settled(settings)
    settled_apart = {"light": rules.final_light, "grievous": rules.final_grievous}
    keep = {wound for wound, start in settled_apart.items() if start == "wounded"}
    return {fighter: wound for fighter, wound in worst.items() if wound in keep}


def final_extras(extras: Mapping[str, Any], against: tuple[Deed, ...]) -> dict[str, Any]:
    """Return what a warband has as a whole in the final: a banner that an enemy captured is gone.

    Ruling C11.
    """
    lost = any(deed.kind == "banner" for deed in against)
    return {key: value for key, value in extras.items() if not (lost and key == "banner")}


def final_limit(points: tuple[int, ...], settings: Settings) -> int | None:
    """Return the points limit of the final: none, or by house rule what the weaker side has
    available.

    Ruling C8.
    """
    return min(points) if points and settled(settings).final_forces == "equal" else None


def verdict(scores: tuple[ClassicScore, ...], settings: Settings) -> ClassicVerdict:
    """Return the winner: of the final, or by house rule the side with most victory points in all.

    Ruling C9.
    """
    if not scores or any(score.outcome is None for score in scores):
        return ClassicVerdict(
            None, "The final decides. It has not been played yet.", DECIDED, open=True
        )
    if settled(settings).classic_winner == "sum":
        return _by_points(scores)
    winner = next((score for score in scores if score.outcome is Outcome.WON), None)
    if winner is None:
        return ClassicVerdict(None, "The final was a draw. Nobody has won the campaign.", DECIDED)
    return ClassicVerdict(
        winner.warband, f"{winner.name} has won the final and the campaign.", DECIDED
    )


def _by_points(scores: tuple[ClassicScore, ...]) -> ClassicVerdict:
    ranked = sorted(scores, key=lambda score: -score.total)
    totals = tuple(score.total for score in ranked)
    tally = " to ".join(map(str, totals))
    if len(ranked) > 1 and ranked[0].total == ranked[1].total:
        sentence = f"Victory points of all battles: {tally}. Nobody has won the campaign."
        return ClassicVerdict(None, sentence, DECIDED, totals=totals)
    verdict = (
        f"{ranked[0].name} has won the campaign by the victory points of all battles: {tally}."
    )
    return ClassicVerdict(ranked[0].warband, verdict, DECIDED, totals=totals)


class ClassicFormat:
    """The classic campaign as the protocol asks for it."""

    warbands = WARBANDS
    final = FINAL
    orders_rule = "Ruling C4"
    scenario_problems = staticmethod(scenario_problems)
    plan_problems = staticmethod(plan_problems)
    drawn = staticmethod(drawn)
    bounds = staticmethod(bounds)
    final_force = staticmethod(final_force)
    final_wounds = staticmethod(final_wounds)
    final_extras = staticmethod(final_extras)
    final_limit = staticmethod(final_limit)
    verdict = staticmethod(verdict)
    settings = staticmethod(classic_settings)
