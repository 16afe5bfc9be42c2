"""The worked examples of the rule book, figure by figure, as the plain-text tables tell them."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from rulebook.ruleset import CampaignTerms, Roster, RosterFighter
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.classic import bounds
from rulebook.systems.en_garde.rosters.builds import from_json, house_terms
from rulebook.systems.en_garde.rosters.prices import price
from rulebook.systems.en_garde.table.blows import Blow, Melee, Ploy, Stance, resolve_blow
from rulebook.systems.en_garde.table.combatant import (
    Combatant,
    Grip,
    initiative_modifiers,
    present_numbers,
    total,
)
from rulebook.systems.en_garde.table.magic import magic_points
from rulebook.systems.en_garde.table.morale import WarbandInBattle, must_test
from rulebook.systems.en_garde.table.moving import check_dexterity, drowns, fall, slowed
from rulebook.systems.en_garde.table.orders import order_violations
from rulebook.systems.en_garde.table.rounds import (
    Round,
    Split,
    fallen,
    open_round,
    pool_size,
    split_violations,
    struck,
)
from rulebook.systems.en_garde.table.shooting import Shot, missile, resolve_shot
from rulebook.systems.en_garde.table.wounds import Wound, WoundResult, WoundState, suffer
from tests.rulebook.en_garde.printed import rows, words_of
from tests.rulebook.en_garde.rosters import build, codes, terms
from tests.rulebook.en_garde.table.cast import somebody

STORY = rows("combat_example.txt")
MASTER = {"weapon-master": ("sword",), "duellist": ()}
CAST = {
    "swordsman": somebody(
        id="swordsman", rank=3, combat_pool=4, initiative=1, fight=3, worn=1, attributes=MASTER
    ),
    "ruffian 1": somebody(id="ruffian 1"),
    "ruffian 2": somebody(id="ruffian 2", weapons=("great-weapon",)),
}
SIDES = {"swordsman": ("swordsman",), "ruffians": ("ruffian 1", "ruffian 2")}


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", text)]


def told(what: str) -> list[list[str]]:
    return [row[1:] for row in STORY if row[0] == what]


def test_the_pools_of_the_example_are_as_large_as_their_fighters_make_them() -> None:
    for side, figures in told("pool"):
        size, attack, defence = numbers(figures)
        fighters = tuple(CAST[name] for name in SIDES[side])
        assert pool_size(fighters) == size
        assert split_violations(fighters, Split(attack, defence)) == ()


def grip_of(fighter: Combatant) -> Grip:
    return Grip(fighter.weapons[0])


def test_initiative_of_the_example_is_die_characteristic_and_weapon() -> None:
    for name, figures in told("initiative"):
        die, score = numbers(figures)
        fighter = CAST[name]
        assert (
            die + fighter.initiative + total(initiative_modifiers(fighter, grip_of(fighter)))
            == score
        )


class Side:
    """One half of a blow from the table: the fighter, the ploys and the dice."""

    def __init__(self, text: str) -> None:
        self.name, ploys, dice = words_of(text)
        self.ploys = frozenset(Ploy(ploy) for ploy in ploys.split() if ploy != "-")
        self.dice = tuple(numbers(dice))

    def stance(self, fighter: Combatant) -> Stance:
        return Stance(grip_of(fighter), self.ploys, attack_counters=2, defence_counters=2)


def outcome(blow: Blow, dead: bool) -> str:
    """Return a blow in the words of the table."""
    scores = f"attack {blow.attack_score}, defence {blow.defence_score}"
    if blow.riposte is not None:
        return (
            f"{scores}, riposte {blow.riposte_score} {blow.riposte}, "
            f"{'killed' if dead else 'wounded'}"
        )
    result = "nothing" if blow.result is None else f"wound {blow.final_score} {blow.result}"
    return f"{scores}, hit {blow.hit_score}, {result}"


def after(fighter: Combatant, result: WoundResult | None) -> Combatant:
    return fighter if result is None else replaced(fighter, suffer(fighter.wounds, result))


def replaced(fighter: Combatant, wounds: WoundState) -> Combatant:
    return somebody(
        **{field: getattr(fighter, field) for field in fighter.__struct_fields__}
        | {"wounds": wounds}
    )


def test_example_combat_matches_blow_by_blow() -> None:
    people, fight = dict(CAST), opened()
    for both, expected in told("blow"):
        attacker, defender = map(Side, both.split("; "))
        assert fight.next is not None
        assert fight.next.id == attacker.name
        first, second = people[attacker.name], people[defender.name]
        blow = resolve_blow(
            Melee(first, attacker.stance(first), second, defender.stance(second)),
            attacker.dice,
            defender.dice,
        )
        people[attacker.name], people[defender.name] = (
            after(first, blow.riposte),
            after(second, blow.result),
        )
        fight = struck(fight, attacker.name, defender.name, attacker.ploys, defender.ploys)
        gone = [name for name, fighter in people.items() if fighter.wounds.dead]
        assert outcome(blow, bool(gone)) == expected
        fight = fallen(fight, attacker.name) if attacker.name in gone else fight
    assert people["swordsman"].wounds.stunned == 1
    assert people["ruffian 2"].wounds.wound is Wound.CRITICAL
    for side, figures in told("counters"):
        assert [fight.pools[side].attack, fight.pools[side].defence] == numbers(figures)
    assert fight.over


def opened() -> Round:
    """Return the round with its pools and order."""
    scores = {name: numbers(figures)[1] for name, figures in told("initiative")}
    fencers = tuple(
        (CAST[name], side, scores[name]) for side, names in SIDES.items() for name in names
    )
    return open_round(
        fencers, {side: Split(*numbers(figures)[1:]) for side, figures in told("pool")}
    )


# The figures of the running text.


def shot_at(given: str) -> str:
    *_, first, second = numbers(given)
    archer, target = somebody(shoot=1, weapons=("longbow",)), somebody(worn=1)
    shot = resolve_shot(
        archer, target, missile("longbow"), Shot(numbers(given)[1]), (first, second)
    )
    return f"roll {shot.attack_roll}, hit {shot.hit_score}, wound {shot.final_score} {shot.result}"


def ground(given: str) -> str:
    rate = slowed(given.split(maxsplit=1)[0], 1)
    return rate.key if given.startswith("infantry") else f"{rate.short} {rate.normal} {rate.run}"


def nerve(given: str) -> str:
    start, killed = numbers(given)
    tests = must_test(
        WarbandInBattle(rating=7, start=start, strength=start - killed, killed=killed)
    )
    return "tests" if tests else "does not test"


def order(given: str) -> str:
    others = {"three": 3, "four": 4}[given.split()[-2]]
    commander = somebody(rank=numbers(given)[0], attributes={"commander": ()})
    return "may not" if order_violations(commander, ((somebody(rank=3), 3.0),) * others) else "may"


def fallen_from(given: str) -> str:
    _, _, dice, inches = numbers(given.replace("2D6", "2 6"))
    down = fall((dice // 2, dice - dice // 2), inches)
    return f"score {down.score} {down.result}"


def drowned(given: str) -> str:
    return "drowns" if drowns(numbers(given)[0], heavy_armour="heavy" in given) else "lives"


def dexterity(given: str) -> str:
    dice, initiative = [*numbers(given.replace("2D6", "")), 0][:2]
    agile = {"agile": ()} if "Agile" in given else {}
    climber = somebody(initiative=initiative, worn=3 if "heavy" in given else 0, attributes=agile)
    return "passed" if check_dexterity(climber, (dice // 2, dice - dice // 2)).passed else "failed"


def grapeshot(given: str) -> str:
    return f"Wound Score {missile(given.split(maxsplit=1)[0], grapeshot=True).wound}"


def morale_price(given: str) -> str:
    def cost(on: CampaignTerms) -> int:
        return price(from_json(build("peasant", on)), house_terms(on)).points

    raised = terms("native-north-americans", extras={"morale": numbers(given)[0]})
    return f"{cost(raised) - cost(terms('native-north-americans'))} point more"


def small_warbands(given: str) -> str:
    roster = Roster(
        CampaignTerms("landsknechts"),
        tuple(fifteen(number) for number in range(numbers(given)[0] // 15)),
    )
    return "small warbands of {} to {}".format(*bounds(roster))


def fifteen(number: int) -> RosterFighter:
    """Return a Landsknecht of fifteen points."""
    return RosterFighter(f"f{number}", "Hans", {"profile": "landsknechts/landsknecht"})


def magician(given: str) -> str:
    rank = numbers(given)[0]
    on = terms("custom", fantastical=True)
    spells = [*catalogue.catalogue().spells]
    form: dict[str, Any] = {"profile": f"rank-{rank}", "options": {"attributes": "magician"}}
    most = max(many for many in range(9) if not codes({**form, "spells": spells[:many]}, on))
    return (
        f"{magic_points(somebody(rank=rank, attributes={'magician': ()}))} Magic Points, {most} "
        "spells"
    )


EXAMPLES: dict[str, Callable[[str], str]] = {
    "Shooting example": shot_at,
    "Terrain": ground,
    "Test morale": nerve,
    "Issue an order": order,
    "Ordinance special rules": grapeshot,
    "Falling": fallen_from,
    "Water": drowned,
    "Dexterity Check": dexterity,
    "Other periods": morale_price,
    "Campaigns": small_warbands,
    "Magicians": magician,
}


@pytest.mark.parametrize("row", rows("examples.txt"), ids=lambda row: " ".join(row[:2]))
def test_example_of_rulebook_text_matches(row: list[str]) -> None:
    assert EXAMPLES[row[0]](row[1]) == row[2]


def test_the_swordsman_of_the_example_has_a_counter_more_for_his_second_weapon() -> None:
    """Ruling P2 takes its reading from this example."""
    assert CAST["swordsman"].combat_pool == CAST["swordsman"].rank + 1
    assert present_numbers(CAST["swordsman"]).fight == 3
