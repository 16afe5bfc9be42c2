"""Hand to hand: who strikes first, what a blow does, the combat score, break tests; cavalry that is
recalled or blown.

Slides 14 to 16, 22, 23, 25, 31, 39, 40. Rulings N-H2 to N-H8, N-K1 to N-K5.
"""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from rulebook.dice.pools import added, chance_of, pool
from rulebook.dice.rolls import distribution
from rulebook.systems.avant_garde.book import Grade, book, figures, words
from rulebook.systems.avant_garde.morale import Nerve, target
from rulebook.systems.avant_garde.odds import NEVER, Odds, modifiers, pass_chance, settled, total
from rulebook.values.answers import ReasonLine

COMBAT = 'Slide 14: "Combat"'
BLOWN = 'Slide 23: "Blown Cavalry"'
PLACES = words("places")
OUTCOMES = (
    "attacker-breaks",
    "attacker-falls-back",
    "draw",
    "defender-falls-back",
    "defender-breaks",
)


class Party(Struct, frozen=True):
    """One side of a fight: ``dice`` for figures in contact and overlaps, ``figures`` is what
    the unit has.

    ``nerve`` is for its break test; ``mount`` a kind of cavalry, "" on foot. ``flank``, ``rear``
    and what follows up to ``lap_rear`` speak for the combat score; ``joined`` by a commander, it
    throws misses again and is stubborn.
    """

    dice: int
    figures: int
    nerve: Nerve
    skill: int = 0
    formation: str = "line"
    mount: str = ""
    weapon: str = "bayonet"
    charging: bool = False
    stubborn: bool = False
    joined: bool = False
    flank: bool = False
    rear: bool = False
    higher: bool = False
    standard: bool = True
    flank_support: bool = False
    rear_support: bool = False
    lap_flank: bool = False
    lap_rear: bool = False

    @property
    def square(self) -> bool:
        """Return whether it fights from a square or a mass."""
        return book().formation[self.formation].square


class Fight(Struct, frozen=True):
    """An attacker and a defender: where, and in a counter-charge whether the attacker's side has
    the initiative."""

    attacker: Party
    defender: Party
    place: str = "open"
    countered: bool = False
    initiative: bool = True


def first_strike(fight: Fight) -> int:
    """1 where the attacker strikes first, -1 where the defender does, 0 where both strike at once.

    Rulings N-H4, N-H8; slide 24 for lancers, slide 8 for squares that are in order.
    """
    if fight.place in ("soft", "hard"):
        return -1
    if fight.place == "obstacle":
        return 0
    if fight.attacker.mount and fight.defender.square:
        lances = fight.attacker.weapon in ("lance", "cossack")
        return 1 if lances or fight.defender.nerve.disordered else -1
    return -1 if fight.countered and not fight.initiative else 1


def blow_lines(party: Party, *, caught: bool = False) -> tuple[ReasonLine, ...]:
    """Return what goes on each die that strikes; ``caught`` are enemies hit in the back."""
    return modifiers("blow", skill=party.skill, disordered=party.nerve.disordered, caught=caught)


def blow_need(party: Party, *, walls: bool = False, caught: bool = False) -> int:
    """Return what each die has to show; into hard cover (``walls``) a 6 for everybody. Ruling
    N-H8."""
    rules = figures("melee")
    return (
        rules["building"] if walls else rules["hits_on"] - total(blow_lines(party, caught=caught))
    )


def wound_need(party: Party) -> int:
    """Return what a hit has to show to kill: riders who charge kill more easily."""
    rules = figures("melee")
    if not (party.charging and party.mount):
        return rules["kills_on"]
    return rules.get(f"{party.weapon}_charging", rules["kills_on"])


def save_need(party: Party) -> int:
    """Return what a wounded rider has to show to go on; nobody on foot is saved. Ruling N-H6."""
    return book().mount[party.mount].save if party.mount else NEVER


def kill_chance(own: Party, other: Party, *, walls: bool = False) -> Fraction:
    """Return the chance that one die kills: it hits, it wounds, and nothing saves. Ruling N-H6."""
    hits = chance_of(blow_need(own, walls=walls), again=own.joined)
    return hits * chance_of(wound_need(own)) * (1 - chance_of(save_need(other)))


def strikers(party: Party, lost: int) -> int:
    """Return how many dice are left to a side that has lost so many before it strikes back. Slide
    14."""
    return max(0, party.dice - lost)


def loss_odds(fight: Fight) -> Mapping[tuple[int, int], Fraction]:
    """Return the chance of each pair of casualties: the attacker's, the defender's."""
    attacks = kill_chance(fight.attacker, fight.defender, walls=fight.place == "hard")
    defends, order = kill_chance(fight.defender, fight.attacker), first_strike(fight)
    first = fight.attacker
    second = fight.defender
    strike = attacks
    reply = defends
    if order < 0:
        first = fight.defender
        second = fight.attacker
        strike = defends
        reply = attacks
    odds: dict[tuple[int, int], Fraction] = {}
    for killed, chance in pool(first.dice, strike).items():
        # Who was killed by a first strike does not strike back.
        for back, share in pool(strikers(second, killed if order else 0), reply).items():
            fallen = (min(back, first.figures), min(killed, second.figures))
            pair = fallen if order >= 0 else fallen[::-1]
            odds[pair] = odds.get(pair, Fraction(0)) + chance * share
    return odds


def score_lines(own: Party, other: Party, inflicted: int, lost: int) -> tuple[ReasonLine, ...]:
    """Return the combat score of a side with the casualties of both, line by line. Rulings N-H2,
    N-H3.

    Squares have no flanks, and no support counts for infantry against cavalry (slide 15). Who
    outnumbers is counted after the fight, a rider for two; equality gives nothing. Cavalry that has
    charged infantry and laps round its flank adds 1, or 2 if it laps right round to the rear (slide
    22).
    """
    rules, ridden = figures("melee"), bool(other.mount)
    mine = (own.figures - lost) * rules["cavalry_model" if own.mount else "infantry_model"]
    theirs = (other.figures - inflicted) * rules["cavalry_model" if ridden else "infantry_model"]
    exposed, supported = not other.square, bool(own.mount) or not ridden
    laps = exposed and bool(own.mount) and own.charging and not ridden
    return modifiers(
        "score",
        own,
        inflicted=inflicted,
        outnumbers=mine > theirs,
        flank=own.flank and exposed,
        rear=own.rear and exposed,
        flank_support=own.flank_support and supported,
        rear_support=own.rear_support and supported,
        lap_flank=own.lap_flank and laps and not own.lap_rear,
        lap_rear=own.lap_rear and laps,
        square=own.square and ridden,
        march=own.formation == "march",
    )


def supports(nation: str, formation: str, arm: str, neighbour: str) -> bool:
    """Return whether a friend of an ``arm`` in the formation ``neighbour`` can support the flank of
    infantry.

    Guns, cavalry and squares support everybody; whose flank infantry supports is by nation. Slide
    15; ruling N-H11.
    """
    if arm != "infantry" or book().formation[neighbour].square:
        return True
    if not {formation, neighbour} <= {"line", "bent-line", "column"}:
        return False
    own, other = (each.removeprefix("bent-") for each in (formation, neighbour))
    return {"any": True, "like": own == other}.get(nation, own == other == "line")


def margin(fight: Fight, attacker_lost: int, defender_lost: int) -> int:
    """By how much the attacker wins; negative where the defender does, 0 for a draw."""
    own = score_lines(fight.attacker, fight.defender, defender_lost, attacker_lost)
    return total(own) - total(
        score_lines(fight.defender, fight.attacker, attacker_lost, defender_lost)
    )


def auto_break(loser: Party, winner: Party) -> str:
    """Return why a loser breaks without a test, "" if it may take one. Ruling N-H5; slides 8, 27,
    40."""
    if book().formation[loser.formation].breaks:
        return "in march column"
    if winner.mount and winner.charging and book().mount[winner.mount].ferocious:
        return "charged by heavy cavalry"
    return "disordered before" if loser.nerve.disordered else ""


def break_nerve(loser: Party, lost_by: int) -> Nerve:
    """Return the break test of who has lost by so much; the stubborn test at their morale with
    commanders alone.

    Slide 39.
    """
    if loser.stubborn or loser.joined:
        return replace(
            loser.nerve,
            disordered=False,
            casualties=0,
            enfilade=False,
            burning=False,
            dismounted=False,
            more=(),
        )
    return loser.nerve.with_lines(*modifiers("break", lost_by=lost_by))


def break_chance(loser: Party, winner: Party, lost_by: int, *, again: bool = False) -> Fraction:
    """Return the chance that a loser breaks."""
    if auto_break(loser, winner):
        return Fraction(1)
    return 1 - pass_chance(target(break_nerve(loser, lost_by)), again=again)


def fight_odds(fight: Fight) -> Odds:
    """Return how a fight ends: who breaks, or falls back disordered, or a draw."""
    odds = dict.fromkeys(OUTCOMES, Fraction(0))
    for (attacker_lost, defender_lost), chance in loss_odds(fight).items():
        won = margin(fight, attacker_lost, defender_lost)
        if won == 0:
            odds["draw"] += chance
            continue
        name = "defender"
        loser = fight.defender
        winner = fight.attacker
        if won < 0:
            name = "attacker"
            loser = fight.attacker
            winner = fight.defender
        breaks = break_chance(loser, winner, abs(won))
        odds[f"{name}-breaks"] += chance * breaks
        odds[f"{name}-falls-back"] += chance * (1 - breaks)
    return odds


def recall_nerve(nerve: Nerve, won_by: int = 0) -> Nerve:
    """Return the test to recall cavalry that has won by so much; in the rally phase it tests as
    disordered (N-K2)."""
    return nerve.with_lines(*modifiers("recall", won_by=won_by))


def fresh_need(charge: int) -> int:
    """Return the die that keeps cavalry fresh when it is recalled from its first, second, third or
    later charge.

    N-K3.
    """
    rules = figures("cavalry")
    return {1: 1, 2: rules["second_recall_on"]}.get(charge, rules["third_recall_on"])


def becomes_blown(
    *, charged: bool, formed: bool, skirmishing: bool = False, kept_fresh: bool = False
) -> bool:
    """Return whether cavalry is blown after a fight: it charged a formed enemy and was not
    recalled. Ruling N-K5."""
    return charged and formed and not skirmishing and not kept_fresh


def recovery_of(grade: Grade) -> int:
    """Return what a grade adds to the dice of blown cavalry. Raise RulesError "not-in-source" for
    Elite and Guard."""
    return settled(grade.recovery, f"The recovery of {grade.name} cavalry", "recovery")


def recovered(dice: tuple[int, ...], modifier: int = 0, *, per_die: bool = False) -> bool:
    """Return whether blown cavalry has recovered, by all dice since it rests. Ruling N-K1: modified
    once."""
    return sum(dice) + modifier * (len(dice) if per_die else 1) >= figures("cavalry")["recovers_at"]


def recovery_odds(
    modifier: int = 0, phases: int = 5, *, per_die: bool = False
) -> tuple[Fraction, ...]:
    """Return the chance to have recovered after each phase of rest."""
    need, recovered_by = figures("cavalry")["recovers_at"], [Fraction(0)]
    waiting = {0: Fraction(1)}
    for phase in range(1, phases + 1):
        more, grown = modifier * (phase if per_die else 1), added(waiting, distribution("D6"))
        waiting = {tally: chance for tally, chance in grown.items() if tally + more < need}
        recovered_by.append(1 - sum(waiting.values(), Fraction(0)))
    return tuple(recovered_by[1:])
