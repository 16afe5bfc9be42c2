"""After the battle: the house rule *Steadiness*, Muster's own and off by default. Bases lost go with the condition."""

from collections.abc import Mapping
from typing import Any

from rulebook.ruleset import Progression
from rulebook.systems.wards.book import HOUSE_RULES, book
from rulebook.systems.wards.roster import read_build, sheet
from rulebook.values.battles import Award, Deed, Record
from rulebook.values.problems import Settings
from rulebook.values.rosters import BuildData, RankUp, RankUpStep, Roster, RosterFighter, Terms

STEADINESS = "House rule: Steadiness"


def awards(records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings) -> tuple[Award, ...]:
    """What the fights of a battle are worth: 1 for each that a unit won, where Steadiness is played."""
    if not HOUSE_RULES.settled(settings).steadiness:
        return ()
    return tuple(
        Award(each.fighter, won, "fights-won", f"Won {won} fight{'s' * (won != 1)}.", STEADINESS)
        for each in records
        if (won := int(each.condition.get("won", 0))) and each.survived
    )


class Steadiness(Progression):
    """Progression by house rule alone: a better quality for enough fights won."""

    awards = staticmethod(awards)

    def experience(self, settings: Settings) -> bool:
        return HOUSE_RULES.settled(settings).steadiness

    def rank_up_cost(self, build: BuildData, terms: Terms) -> int | None:
        unit, rules = read_build(build), HOUSE_RULES.settled(terms.settings)
        costs = {"levy": rules.levy_wins, "retinue": rules.retinue_wins}
        return costs.get(unit.quality) if rules.steadiness and unit.halves else None

    def take_rank_up(self, build: BuildData, terms: Terms, key: str, picks: Mapping[str, Any]) -> RankUpStep:
        cost, better = self.rank_up_cost(build, terms), _better(str(build["quality"]))
        if cost is None or key != better:
            return super().take_rank_up(build, terms, key, picks)
        return RankUpStep({**build, "quality": better}, 0, 0, cost, book().quality[better].name, STEADINESS)

    def rank_ups(self, fighter: RosterFighter, roster: Roster) -> tuple[RankUp, ...]:
        if self.rank_up_cost(fighter.build, roster.terms) is None:
            return ()
        key = _better(str(fighter.build["quality"]))
        step = self.take_rank_up(fighter.build, roster.terms, key, {})
        card = sheet(step.build, roster.terms, fighter.condition)
        return (RankUp(key, step.name, step.rank, step.cost, step.build, card, (step.name,), (), source=STEADINESS),)


def _better(quality: str) -> str:
    """The quality one step up; Household stays Household."""
    steps = list(book().quality)
    return steps[min(steps.index(quality) + 1, len(steps) - 1)]
