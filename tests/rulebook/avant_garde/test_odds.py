"""The exact chances of Avant-garde, counted again here from every way in which the dice can
fall."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rulebook.systems.avant_garde import artillery, charges, command, melee, morale, shooting
from rulebook.systems.avant_garde.artillery import Shot
from rulebook.systems.avant_garde.charges import Charge
from rulebook.systems.avant_garde.melee import Fight, Party
from rulebook.systems.avant_garde.morale import Nerve, UnderFire, target
from rulebook.systems.avant_garde.odds import pass_chance, passes
from rulebook.systems.avant_garde.shooting import Fire

FACES = range(1, 7)
TARGET = UnderFire(Nerve(8), 10, 10)


def counted(things, dice):
    """Return the chance of each outcome from all throws of this number of dice."""
    counts = Counter(things(throw) for throw in product(FACES, repeat=dice))
    return {thing: Fraction(number, 6**dice) for thing, number in counts.items()}


@pytest.mark.parametrize("need", range(14))
def test_two_dice_are_counted(need):
    assert pass_chance(need) == counted(lambda dice: passes(dice, need), 2).get(True, 0)
    once = pass_chance(need)
    assert pass_chance(need, again=True) == 1 - (1 - once) ** 2


@pytest.mark.parametrize("number", [1, 2, 3, 5])
def test_low_ammunition_is_counted(number):
    assert shooting.low_chance(number) == counted(shooting.runs_low, number).get(True, 0)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (2, -1), (0, 3), (5, 0), (-1, 0)])
def test_the_initiative_is_counted(first, second):
    thrown = counted(
        lambda dice: (dice[0] + first > dice[1] + second) - (dice[0] + first < dice[1] + second), 2
    )
    odds = command.initiative_odds(first, second)
    assert odds["first"] == thrown.get(1, 0) / (1 - thrown.get(0, 0))
    assert sum(odds.values()) == 1


@pytest.mark.parametrize(
    "fire", [Fire(figures=4), Fire(figures=2, manner="all", inches=6, skill=1)]
)
def test_casualties_of_small_arms_are_counted_hit_by_hit(fire):
    def losses(dice):
        hits = sum(die >= shooting.fire_need(fire) for die in dice[:2])
        return sum(die >= 4 for die in dice[2 : 2 + hits])

    assert shooting.loss_odds(fire) == counted(losses, 4)


@pytest.mark.parametrize("change", [{}, {"percent": 25}, {"state": "disordered", "counted": False}])
def test_states_after_fire_are_counted(change):
    shot_at = replace(TARGET, **change)
    losses = {0: Fraction(1, 4), 1: Fraction(1, 4), 3: Fraction(1, 2)}
    odds, expected = morale.casualty_odds(shot_at, losses), Counter()
    for number, chance in losses.items():
        if number < morale.threshold(10, shot_at.percent):
            expected["no-test"] += chance
            continue
        need = 8 - number * shot_at.counted
        for holds, share in counted(lambda dice, need=need: passes(dice, need), 2).items():
            expected[shot_at.state if holds else morale.after_failing(shot_at.state)] += (
                chance * share
            )
    assert odds == expected
    assert sum(odds.values()) == 1


@pytest.mark.parametrize(
    "shot",
    [
        Shot(),
        Shot(guns=2, inches=20, line=3),
        Shot(round="canister", inches=6, guns=2, screen=True),
        Shot(round="shell", calibre="howitzer", inches=20, guns=2),
        Shot(deployed_guns=True),
        Shot(inches=20, cover="hard", skill=-1),
    ],
)
def test_the_chances_of_guns_sum_to_one(shot):
    assert sum(artillery.landing_odds(shot).values()) == sum(artillery.scatter_odds().values()) == 1
    assert sum(artillery.loss_odds(shot, astray=1, bounced="edge").values()) == 1


def test_a_ball_is_counted():
    shot = Shot(line=2)

    def killed(dice):
        lands = artillery.landing(shot, dice[0])
        return sum(die >= 2 for die in dice[1 : 1 + {"hit": 2, "near": 1, "miss": 0}[lands]])

    assert artillery.loss_odds(shot, astray=1) == counted(killed, 3)


def test_a_shell_is_counted():
    def one(dice):
        bursts = artillery.shell_explodes(dice[1])
        return {"hit": 6 if bursts else 2, "near": 2, "miss": 0}[artillery.landing(shot, dice[0])]

    shot = Shot(round="shell", calibre="howitzer", inches=20)
    none = sum(chance * Fraction(2, 3) ** dice for dice, chance in counted(one, 2).items())
    assert artillery.loss_odds(shot, bounced="edge")[0] == none


def fights():
    """Return fights of a few figures with different ways of striking."""
    own = Party(2, 4, Nerve(8), skill=1)
    horse = Party(
        2, 3, Nerve(8), mount="heavy", weapon="sabre", charging=True, formation="cavalry-line"
    )
    return [
        Fight(own, Party(2, 4, Nerve(8))),
        Fight(own, Party(1, 3, Nerve(9), standard=False), "obstacle"),
        Fight(own, Party(2, 2, Nerve(7), joined=True), "hard"),
        Fight(horse, Party(2, 6, Nerve(8), formation="square")),
        Fight(horse, replace(horse, mount="light", charging=False)),
        Fight(own, Party(2, 6, Nerve(9), formation="march")),
    ]


@pytest.mark.parametrize("fight", fights())
def test_a_fight_is_counted_blow_by_blow(fight):
    first = melee.first_strike(fight)
    attack = melee.kill_chance(fight.attacker, fight.defender, walls=fight.place == "hard")
    defend = melee.kill_chance(fight.defender, fight.attacker)
    expected = Counter()
    for blows in product((True, False), repeat=fight.attacker.dice):
        for back in product((True, False), repeat=fight.defender.dice):
            dealt, replied = sum(blows), sum(back)
            chance = Fraction(1)
            for kills in blows:
                chance *= attack if kills else 1 - attack
            for kills in back:
                chance *= defend if kills else 1 - defend
            if first > 0:
                replied = sum(back[: melee.strikers(fight.defender, dealt)])
            elif first < 0:
                dealt = sum(blows[: melee.strikers(fight.attacker, replied)])
            expected[
                (min(replied, fight.attacker.figures), min(dealt, fight.defender.figures))
            ] += chance
    assert melee.loss_odds(fight) == expected
    odds = melee.fight_odds(fight)
    assert sum(odds.values()) == 1
    assert odds["draw"] == sum(
        chance for lost, chance in expected.items() if melee.margin(fight, *lost) == 0
    )


def test_a_blow_is_counted_die_by_die():
    foot, cuirassier = (
        Party(1, 1, Nerve(8)),
        Party(1, 1, Nerve(8), mount="cuirassier", formation="cavalry-line"),
    )
    dies = counted(lambda dice: dice[0] >= 4 and dice[1] >= 4 and dice[2] < 4, 3)
    assert melee.kill_chance(foot, cuirassier) == dies[True]
    again = counted(lambda dice: (dice[0] >= 4 or dice[1] >= 4) and dice[2] >= 4, 3)
    assert melee.kill_chance(replace(foot, joined=True), foot) == again[True]


@pytest.mark.parametrize("volley", [None, 8])
def test_a_charge_under_fire_is_counted(volley):
    fire = Fire(figures=2)
    charge = Charge("column", 10, TARGET, fire, 1, volley)
    stands = Fraction(0)
    for die in FACES:
        inches = charges.fires_at(die, 1, 10)
        for manner, share in (
            ("half", 1 - pass_chance(volley or 0)),
            ("volley", pass_chance(volley or 0)),
        ):
            shots = shooting.loss_odds(replace(fire, manner=manner, inches=inches, charging=True))
            for number, chance in shots.items():
                holds = pass_chance(target(TARGET.tested(number))) if number else Fraction(1)
                stands += chance * share * holds / 6
    odds = charges.charge_odds(charge)
    assert odds["contact"] == stands * Fraction(5, 6)
    assert sum(odds.values()) == sum(charges.fire_odds(charge).values()) == 1


@pytest.mark.parametrize(
    ("modifier", "per_die"), [(0, False), (2, False), (-2, False), (2, True), (-2, True)]
)
def test_recovery_is_counted_phase_by_phase(modifier, per_die):
    for phases, chance in enumerate(melee.recovery_odds(modifier, 4, per_die=per_die), start=1):

        def done(dice):
            tallies = (dice[: number + 1] for number in range(len(dice)))
            return any(melee.recovered(tally, modifier, per_die=per_die) for tally in tallies)

        assert chance == counted(done, phases).get(True, 0)


def test_arrivals_and_deviation_are_counted():
    odds = command.arrival_odds(5, 2, 3)
    first = counted(lambda dice: max(dice[:1]) >= 5, 3)[True]
    later = counted(lambda dice: dice[0] < 5 and max(dice[1:]) >= 5, 3)[True]
    assert odds == {2: first, 3: later}
    astray = counted(
        lambda dice: (
            {"left": -1, "right": 1, "": 0}[command.DEVIATION.get(dice[0], "")] * sum(dice[1:])
        ),
        3,
    )
    assert command.deviation_odds() == astray
