"""After the battle: the house rule *Steadiness*, Muster's own and off by default. Bases lost go
with the condition."""

from rulebook.ruleset import OneStep
from rulebook.systems.wards.book import HOUSE_RULES, book, problem
from rulebook.systems.wards.roster import read_build, sheet
from rulebook.values.battles import Award, Deed, Record
from rulebook.values.problems import Problem, Settings
from rulebook.values.rosters import BuildData, CampaignTerms, RankUpStep, Roster, RosterFighter

STEADINESS = "House rule: Steadiness"


class Steadiness(OneStep):
    """Progression by house rule alone: a better quality for enough fights won, one step between two
    battles."""

    card = staticmethod(sheet)
    counts_steps = True

    def experience(self, settings: Settings) -> bool:
        return HOUSE_RULES.settled(settings).steadiness

    def awards(
        self, records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings
    ) -> tuple[Award, ...]:
        """Return what a battle is worth: 1 for each fight that a unit won and survived, where
        Steadiness is played."""
        alive = {each.fighter for each in records if each.survived and self.experience(settings)}
        won = (each for each in deeds if each.kind == "won" and each.fighter in alive)
        return tuple(
            Award(
                each.fighter, 1, "fight-won", f"Won a fight against {each.victim_name}.", STEADINESS
            )
            for each in won
        )

    def next_step(self, build: BuildData, terms: CampaignTerms) -> tuple[str, RankUpStep] | None:
        fighter = read_build(build)
        rules = HOUSE_RULES.settled(terms.settings)
        steps = list(book().quality)
        cost = {"levy": rules.levy_wins, "retinue": rules.retinue_wins}.get(fighter.quality)
        if cost is None or not rules.steadiness or not fighter.halves:
            return None
        better = steps[steps.index(fighter.quality) + 1]
        made, name = {**build, "quality": better}, book().quality[better].name
        return better, RankUpStep(made, 0, 0, cost, name, STEADINESS)

    def step_problems(
        self, fighter: RosterFighter, roster: Roster, key: str
    ) -> tuple[Problem, ...]:
        most = HOUSE_RULES.settled(roster.terms.settings).household_steps
        risen = list(roster.risen.values())
        full = key == "household" and 0 < most <= risen.count(key)
        checks = {"one-step": fighter.id in roster.risen, "household-steps": full}
        return tuple(
            problem(each, name=fighter.name, most=most) for each, holds in checks.items() if holds
        )
