"""An army as a whole: its brigades, posts, sums, and what is wrong with it."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from rulebook.systems.avant_garde.book import (
    HOUSE_RULES,
    HouseRules,
    figures,
    problem,
)
from rulebook.systems.avant_garde.fighters import Fighter, counted, present, read_build
from rulebook.systems.avant_garde.morale import brigade_losses
from rulebook.systems.avant_garde.points import TABLE, guns_left, has_price, price
from rulebook.systems.avant_garde.quick_reference import quick_reference
from rulebook.values import rosters
from rulebook.values.battles import BattleSetup
from rulebook.values.problems import Problem
from rulebook.values.reference import TableSection
from rulebook.values.rosters import (
    BuildData,
    CampaignTerms,
    Condition,
    Fate,
    Roster,
    RosterFigure,
    RosterPurpose,
)

CHIEF, LEADER = "commander-in-chief", "brigade-commander"
MOST_PIPS = 7
"""The most pips of a brigade's commander in a turn: a die, and 1 for the best of them."""
COMMAND = 'Slide 3: "Command"'
CHIEF_RULE = 'Slide 4: "General of Divisional Commanders"'


class Row(Struct, frozen=True):
    """A row of a roster or of a side, as an army is judged by."""

    id: str
    name: str
    fighter: Fighter
    condition: Condition = {}

    @property
    def present(self) -> int:
        """Return the figures with which it would march today."""
        return present(self.fighter, self.condition)


def serving(roster: Roster) -> tuple[Row, ...]:
    """Return the rows that serve; the dead, the retired and the captured do not."""
    here = (each for each in roster.fighters if each.fate in (Fate.FIT, Fate.RECOVERING))
    return tuple(Row(each.id, each.name, read_build(each.build), each.condition) for each in here)


def brigades(rows: Iterable[Row]) -> Mapping[str, tuple[Row, ...]]:
    """Return the brigades by name, in the order of the roster."""
    by_name: dict[str, tuple[Row, ...]] = {}
    for row in rows:
        if name := row.fighter.brigade:
            by_name[name] = (*by_name.get(name, ()), row)
    return by_name


def posts(terms: CampaignTerms) -> tuple[rosters.Post, ...]:
    """Return the Commander-in-Chief; the leader of a brigade is its commander."""
    chief = rosters.Post(CHIEF, "Commander-in-Chief", "C-in-C", "star", least=1, source=CHIEF_RULE)
    return (
        chief,
        rosters.Post(LEADER, "Brigade commander", "Brigade", "flag", most=20, source=COMMAND),
    )


def post_problem(post: str, build: BuildData, terms: CampaignTerms) -> Problem | None:
    """Only commanders fill posts, and a brigade's commander leads one. Raise RulesError."""
    fighter = read_build(build)
    if fighter.arm != "commander":
        return problem("not-a-commander", field=post)
    return problem("leads-nothing", field=post) if post == LEADER and not fighter.brigade else None


def default_posts(roster: Roster) -> rosters.Posts:
    """Return the roster's posts; where nobody is named, the first commander without a brigade
    commands in chief."""
    commanders = [row for row in serving(roster) if row.fighter.arm == "commander"]
    free = [row.id for row in commanders if not row.fighter.brigade][:1]
    leading = tuple(row.id for row in commanders if row.fighter.brigade)
    posts = {
        CHIEF: roster.posts.get(CHIEF) or tuple(free),
        LEADER: roster.posts.get(LEADER) or leading,
    }
    return {post: holders for post, holders in posts.items() if holders}


def roster_totals(roster: Roster) -> rosters.RosterTotals:
    """Return points of the units that serve, and figures, guns and brigades as counts. Ruling
    N-P1."""
    rules, rows = HOUSE_RULES.settled(roster.terms.settings), serving(roster)
    points = sum(price(row.fighter, rules, row.condition).points for row in rows)
    here = [(row.fighter.arm, row.present) for row in rows]
    foot, horse = (
        sum(number for arm, number in here if arm == each) for each in ("infantry", "cavalry")
    )
    guns = sum(sum(guns_left(row.fighter, row.condition).values()) for row in rows)
    shown = [
        RosterFigure(
            "figures",
            "Figures",
            foot + horse,
            f"{foot} of infantry, {horse} of cavalry.",
            TABLE,
            True,
        ),
        RosterFigure("guns", "Guns", guns, "Of all calibres.", TABLE, True),
        RosterFigure(
            "brigades", "Brigades", len(brigades(rows)), "Each has a commander of its own.", COMMAND
        ),
    ]
    if unpriced := sum(not has_price(row.fighter, rules) for row in rows):
        says = "Commanders whose points are not in the source: the sum is without them."
        shown.append(RosterFigure("unpriced", "Unpriced", unpriced, says, "Ruling N-P1"))
    return rosters.RosterTotals(points, len(rows), figures=tuple(shown), sources={"points": TABLE})


def roster_boxes(roster: Roster, group: str = "") -> tuple[rosters.TickBoxes, ...]:
    """Return the turns; of a brigade its pips, its units on reaction, and what its losses bring.

    Losses are counted as the club counts.

    Rulings N-M6, N-M11 and N-W8.
    """
    if not group:
        rules = figures("length")
        turns = rules["turns"]
        length = f"an eighth on {rules['eighth_on']}+, a ninth on {rules['ninth_on']}+"
        boxes = tuple(str(turn) for turn in range(1, turns + 3))
        return (rosters.TickBoxes("turns", "Turn", boxes, (turns, turns + 1), length),)
    troops = [row for row in serving(roster) if row.fighter.arm != "commander"]
    settings = HOUSE_RULES.settled(roster.terms.settings)
    if not troops:
        return ()
    had = sum(counted(row.fighter, row.present, settings) for row in troops)
    words = []
    for name in ("faltering", "broken"):
        # Rounded up: a brigade tests as soon as it reaches its share. Ruling N-M6.
        lost = -(-had * figures("morale")[f"brigade_{name}"] // 100)
        words.append(f"{name.capitalize()} from {lost} lost")
    return (
        rosters.TickBoxes("pips", "Pips", ("",) * MOST_PIPS),
        rosters.TickBoxes("reaction", "On reaction", ("",) * min(len(troops), MOST_PIPS)),
        rosters.TickBoxes("brigade", "", tuple(words)),
    )


def roster_tables(roster: Roster) -> tuple[TableSection, ...]:
    """Return the quick reference: orders, fire, tests, charges, combat, losses."""
    return quick_reference(roster.terms.faction)


def roster_problems(roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
    """Return the problems and warnings of an army. Limits do not apply to one that continues a
    campaign."""
    rows, rules = serving(roster), HOUSE_RULES.settled(roster.terms.settings)
    limit = None if purpose is RosterPurpose.CARRY_ON else roster.points_limit
    problems = [*_brigade_problems(rows, rules)]
    for row in rows:
        fighter = row.fighter
        checks = (
            (fighter.arm != "commander" and not fighter.brigade, "unit-without-brigade"),
            (fighter.arm == "artillery" and not fighter.guns, "no-guns"),
            (
                fighter.light_infantry and 2 * fighter.skirmishers > fighter.strength,
                "many-skirmishers",
            ),
        )
        problems += (
            problem(code, fighters=(row.id,), name=row.name) for wrong, code in checks if wrong
        )
    if unpriced := tuple(row.id for row in rows if not has_price(row.fighter, rules)):
        problems.append(problem("no-price", fighters=unpriced, have=len(unpriced)))
    return (
        *problems,
        *_army_problems("The army", rows, CHIEF in default_posts(roster), limit, rules),
    )


def force_problems(setup: BattleSetup) -> Iterator[Problem]:
    """Yield whose force costs more than is agreed, and who has nobody in chief; more than two
    sides.

    Rulings N-P11, N-T1.
    """
    if len(setup.sides) > 2:
        yield problem("two-sides", field="sides", value=len(setup.sides))
    for side in setup.sides:
        rows = [
            Row(each.id, each.name, read_build(each.build), each.condition)
            for each in side.fighters
        ]
        free = any(row.fighter.arm == "commander" and not row.fighter.brigade for row in rows)
        led = free or any(each.fills(CHIEF) for each in side.fighters)
        rules = HOUSE_RULES.settled(setup.settings)
        # Of an army that has yet to be fielded nothing is missed.
        yield from _army_problems(side.name, rows, led or not rows, setup.points_limit, rules)


def _army_problems(
    name: str, rows: Iterable[Row], led: bool, limit: int | None, rules: HouseRules
) -> Iterator[Problem]:
    points = sum(price(row.fighter, rules, row.condition).points for row in rows)
    if not led:
        yield problem("no-commander-in-chief", name=name)
    if limit is not None and points > limit:
        yield problem(
            "over-limit", field="points", value=points, name=name, points=points, limit=limit
        )


def _brigade_problems(rows: Iterable[Row], rules: HouseRules) -> Iterator[Problem]:
    for name, theirs in brigades(rows).items():
        leaders = tuple(row.id for row in theirs if row.fighter.arm == "commander")
        had = sum(counted(row.fighter, row.fighter.strength, rules) for row in theirs)
        has = sum(counted(row.fighter, row.present, rules) for row in theirs)
        if not leaders:
            yield problem("brigade-without-commander", brigade=name)
        if len(leaders) > 1:
            yield problem(
                "brigade-with-two-commanders", fighters=leaders, brigade=name, have=len(leaders)
            )
        if losses := brigade_losses(had, has):
            yield problem(
                "brigade-has-lost",
                brigade=name,
                have=has,
                of=had,
                what=rules.brigade_loss,
                losses=losses[-1],
            )
