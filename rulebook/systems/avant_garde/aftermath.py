"""After the battle: what units carry over, and *Seasoning*, Muster's own and off by default.

The text has no campaign; what is here is a house rule and says so.
"""

from collections.abc import Iterator

from rulebook.ruleset import OneStep
from rulebook.systems.avant_garde.book import HOUSE_RULES, HouseRules, book
from rulebook.systems.avant_garde.cards import sheet
from rulebook.systems.avant_garde.fighters import build_of, read_build
from rulebook.systems.avant_garde.points import price
from rulebook.values.battles import Award, Deed, Record
from rulebook.values.problems import Settings
from rulebook.values.rosters import BuildData, CampaignTerms, Condition, RankUpStep

SEASONING = "House rule: Seasoning"
HIGHEST = "veteran"
"""The grade above which nobody rises by marks."""


def condition_after(
    brought: Condition, *, lost: int, guns: int = 0, colours_lost: bool = False, rules: HouseRules
) -> Condition:
    """Return a unit's lasting losses: the figures and guns that it lacks of its full strength, and
    its lost colours.

    Where casualties do not carry over, it is what it brought.
    """
    if not rules.casualties_carry_over:
        return brought
    condition = {"lost": lost, "guns": guns, "colours_lost": colours_lost}
    return {key: value for key, value in condition.items() if value}


class Seasoning(OneStep):
    """Progression by house rule alone: a better grade for enough marks, which are its
    experience."""

    clears_experience = True
    card = staticmethod(sheet)

    def experience(self, settings: Settings) -> bool:
        return HOUSE_RULES.settled(settings).seasoning

    def awards(
        self, records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings
    ) -> tuple[Award, ...]:
        """Return a mark for a unit that ends a battle in good order, another if it has won hand to
        hand ("won").

        A shattered unit ("shattered") drops all its marks.
        """
        if not self.experience(settings):
            return ()
        winners = {
            deed.fighter: deed.victim_name
            for deed in deeds
            if deed.kind == "won" and not deed.friendly
        }
        return tuple(
            award for record in records for award in _marks(record, winners.get(record.fighter))
        )

    def next_step(self, build: BuildData, terms: CampaignTerms) -> tuple[str, RankUpStep] | None:
        fighter, rules = read_build(build), HOUSE_RULES.settled(terms.settings)
        steps = [*book().grades(fighter.arm)]
        if (
            not rules.seasoning
            or HIGHEST not in steps
            or steps.index(fighter.grade) >= steps.index(HIGHEST)
        ):
            return None
        better = steps[steps.index(fighter.grade) + 1]
        made, name = {**build_of(fighter), "grade": better}, book().grades(fighter.arm)[better].name
        points = price(read_build(made), rules).points
        return better, RankUpStep(made, 0, points, rules.seasoning_marks, name, SEASONING)


def _marks(record: Record, beaten: str | None) -> Iterator[Award]:
    if record.wounds == "shattered":
        yield Award(
            record.fighter,
            0,
            "shattered",
            "Was shattered and drops its marks.",
            SEASONING,
            clears=True,
        )
        return
    if record.survived and not record.wounds:
        yield Award(
            record.fighter, 1, "good-order", "Came through a battle in good order.", SEASONING
        )
    if beaten is not None:
        yield Award(
            record.fighter, 1, "won-fight", f"Beat {beaten or 'an enemy'} hand to hand.", SEASONING
        )
