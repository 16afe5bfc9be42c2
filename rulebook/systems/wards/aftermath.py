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


class Steadiness(Progression):
    """Progression by house rule alone: a better quality for enough fights won."""

    def experience(self, settings: Settings) -> bool:
        return HOUSE_RULES.settled(settings).steadiness

    def awards(self, records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings) -> tuple[Award, ...]:
        """What a battle is worth: 1 for each fight that a unit won and survived, where Steadiness is played."""
        alive = {each.fighter for each in records if each.survived and self.experience(settings)}
        won = (each for each in deeds if each.kind == "won" and each.fighter in alive)
        return tuple(
            Award(each.fighter, 1, "fight-won", f"Won a fight against {each.victim_name}.", STEADINESS) for each in won
        )

    def rank_up_cost(self, build: BuildData, terms: Terms) -> int | None:
        unit, rules = read_build(build), HOUSE_RULES.settled(terms.settings)
        costs = {"levy": rules.levy_wins, "retinue": rules.retinue_wins}
        return costs.get(unit.quality) if rules.steadiness and unit.halves else None

    def take_rank_up(self, build: BuildData, terms: Terms, key: str, picks: Mapping[str, Any]) -> RankUpStep:
        cost = self.rank_up_cost(build, terms)
        if cost is None or key != _better(build):
            return super().take_rank_up(build, terms, key, picks)
        return RankUpStep({**build, "quality": key}, 0, 0, cost, book().quality[key].name, STEADINESS)

    def rank_ups(self, fighter: RosterFighter, roster: Roster) -> tuple[RankUp, ...]:
        if self.rank_up_cost(fighter.build, roster.terms) is None:
            return ()
        key = _better(fighter.build)
        step = self.take_rank_up(fighter.build, roster.terms, key, {})
        card = sheet(step.build, roster.terms, fighter.condition)
        return (RankUp(key, step.name, step.rank, step.cost, step.build, card, (step.name,), (), source=STEADINESS),)


def _better(build: BuildData) -> str:
    """The quality one step above that of a unit which is not the best."""
    steps = list(book().quality)
    return steps[steps.index(build["quality"]) + 1]
