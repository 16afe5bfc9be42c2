"""What can be asked beside a battle: points, fire, charges, fights and tests, with exact chances."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.calculators.asking import as_json, find_question, read_values, second, told_as, two_dice
from rulebook.calculators.questions import Descriptions, Question
from rulebook.calculators.wording import average, reasoned, with_chances
from rulebook.dice.pools import chance_of, gathered, together
from rulebook.ruleset import Calculator, Calculators, RulesError
from rulebook.systems.avant_garde import (
    arrivals,
    artillery,
    cavalry,
    charges,
    command,
    melee,
    morale,
    movement,
    shooting,
    victory,
)
from rulebook.systems.avant_garde.book import ARMS, STATES, Grade, book, figures, problem, read_data
from rulebook.systems.avant_garde.events import nerve_of as standing_nerve
from rulebook.systems.avant_garde.fighters import USUAL, Fighter, build_fields, grade_of, nation_of, read_build
from rulebook.systems.avant_garde.fighting import EDGES, Fought
from rulebook.systems.avant_garde.firing import Fired, GunsFired, shot_at
from rulebook.systems.avant_garde.morale import BROKEN, DISORDERED, GOOD, Nerve, UnderFire, nerve_lines, target
from rulebook.systems.avant_garde.odds import Odds, pass_chance, passes, settled
from rulebook.systems.avant_garde.points import TABLE, price
from rulebook.systems.avant_garde.state import Combat, State
from rulebook.values.answers import Answer, Figure, ReasonLine, in_words
from rulebook.values.fields import Choices

Values = Mapping[str, Any]
LABELS = {"no-test": "Too few casualties for a test", "high": "Fired high", "halted": "Halted an inch away"} | {
    key: name.capitalize() for key, name in STATES.items()
}


@cache
def grades() -> Mapping[str, Grade]:
    """Every grade by arm and key, "infantry-line", as the rulings have it."""
    arms: tuple[Any, ...] = ("infantry", "cavalry", "artillery")
    return {f"{arm}-{key}": grade_of(Fighter(arm, key)) for arm in arms for key in book().grades(arm)}


@cache
def choices() -> Mapping[str, Choices]:
    """The lists from which the fields of calculators choose."""
    known, told = book(), {key: f"{each.name} {ARMS[key.partition('-')[0]].lower()}" for key, each in grades().items()}
    guns = named(known.gun_order)
    formations = {
        key: f"{each.name}, cavalry" if key.startswith("cavalry-") else each.name
        for key, each in known.formation.items()
    }
    lists: dict[str, Mapping[str, str]] = {
        "units": told,
        "riders": {key: name for key, name in told.items() if key.startswith("cavalry")},
        "crews": {key: name for key, name in told.items() if key.startswith("artillery")},
        "arms": ARMS,
        "grades": {key.partition("-")[2]: each.name for key, each in reversed(tuple(grades().items()))},
        "manners": shooting.MANNERS,
        "rounds": artillery.ROUNDS,
        "templates": artillery.UNDER_TEMPLATE,
        "formations": {key: name for key, name in formations.items() if "artillery" not in known.formation[key].arms},
        "chargers": {key: name for key, name in formations.items() if "charge" in known.formation[key].paces},
        "hand-weapons": melee.WEAPONS,
        "places": melee.PLACES,
        "edges": EDGES,
        "orders": named(known.order) | {f"gun-{key}": f"Battery: {name.lower()}" for key, name in guns.items()},
        "arrival-places": arrivals.PLACES,
        **{table: named(getattr(known, table)) for table in ("weapon", "calibre", "mount", "ground", "nation")},
    }
    return {name: tuple(each.items()) for name, each in lists.items()}


def named(table: Mapping[str, Any]) -> dict[str, str]:
    """The names of a table's rows by their keys."""
    return {key: each.name for key, each in table.items()}


def nerve_of(values: Values) -> Nerve:
    """What a test depends on, of a unit as it was told."""
    influence = figures("morale")["influence"] * bool(values.get("influence"))
    return told_as(Nerve, {**values, "casualties": 0, "influence": influence}, morale=grades()[values["unit"]].morale)


def tested(headline: str, nerve: Nerve, values: Values, ends: Callable[[Fraction], Odds], **more: Any) -> Answer:
    """The answer about one test: its target line by line, what comes of the chance to pass it, and the dice told.

    The headline has places for the chance to pass and the chance to fail.
    """
    need, rolled = target(nerve), list[Figure]()
    chance = pass_chance(need, again=values["again"])
    if thrown := two_dice(values, "A test takes two dice"):
        hurt = "; the commander is unhorsed" if values.get("influence") and command.unhorsed(thrown) else ""
        said = f"{'passed' if passes(thrown, need) else 'failed'}{hurt}"
        rolled.append(Figure("test", "These dice", said, morale.MORALE))
    sums, told = (reasoned("Two dice, at most", *nerve_lines(nerve)),), (in_words(chance), in_words(1 - chance))
    return with_chances(headline.format(*told), ends(chance), LABELS, sums=sums, rolled=tuple(rolled), **more)


def either(passed: str, failed: str) -> Callable[[Fraction], Odds]:
    """What a test decides between, by the chance to pass it."""
    return lambda chance: together((passed, chance), (failed, 1 - chance))


def points(values: Values) -> Answer:
    """What a unit costs."""
    asked = {field.key for field in build_fields(values["profile"])}
    built = {key: value for key, value in values.items() if key in asked and value is not None}
    total = price(read_build({"profile": values["profile"], **built}), USUAL)
    lines = tuple(ReasonLine(each.points, each.label, each.source or TABLE) for each in total.lines)
    return Answer(headline=f"{total.points} points.", sums=(reasoned("Points", *lines),))


def casualty_test(values: Values) -> Answer:
    """Whether a unit tests for its casualties, and its state afterwards."""
    state, casualties = DISORDERED if values["disordered"] else GOOD, values["casualties"]
    grade, screen = grades()[values["unit"]], values["screen"]
    fighter = morale.under_fire(grade, nerve_of(values), values["starting"], state, skirmishers=screen)
    need = morale.threshold(fighter.starting, fighter.percent)
    figure = Figure("threshold", "Tests from", f"{need} casualties", "Ruling N-M1")
    if casualties < need:
        return with_chances(f"No test: that takes {need}.", {"no-test": Fraction(1)}, LABELS, figures=(figure,))
    fallen = morale.after_failing(state, skirmishers=screen, sheltered=values["sheltered"])
    return tested("It passes in {}.", fighter.tested(casualties), values, either(state, fallen), figures=(figure,))


def rally(values: Values) -> Answer:
    """Whether a unit rallies: disordered and broken ones test at one less. Ruling N-M3."""
    state, screen = values["state"], values["screen"]
    nerve = replace(nerve_of(values), disordered=not (screen and state == BROKEN))
    risen = morale.after_rallying(state, skirmishers=screen, permanent=values["permanent"])
    return tested("It rallies in {}.", nerve, values, either(risen, state))


def break_test(values: Values) -> Answer:
    """Whether the loser of a fight breaks."""
    grade, formation = grades()[values["unit"]], "march" if values["march"] else "line"
    loser = melee.Party(1, 1, nerve_of(values), formation=formation, stubborn=grade.stubborn)
    enemy = melee.Party(1, 1, Nerve(0), mount="heavy" if values["heavy_charge"] else "", charging=True)
    if reason := melee.auto_break(loser, enemy):
        return with_chances(f"It breaks without a test: {reason}.", {"breaks": Fraction(1)})
    nerve = melee.break_nerve(loser, values["lost_by"])
    return tested("It breaks in {1}.", nerve, values, either("falls-back-disordered", "breaks"))


def fire(values: Values) -> Answer:
    """Small arms from plain numbers."""
    other = second(values)
    shots = {**values, "charging": values["target_charges"], "skill": grades()[values["unit"]].skill}
    state, grade = DISORDERED if other["disordered"] else GOOD, grades()[other["unit"]]
    shot = morale.under_fire(grade, nerve_of(other), other["starting"], state, skirmishers=values["skirmishers"])
    return fire_answer(told_as(shooting.Fire, shots), shot)


def fire_answer(shots: shooting.Fire, fighter: UnderFire) -> Answer:
    """What small arms do to a unit."""
    need, number = shooting.fire_need(shots), shooting.fire_dice(shots)
    hits, losses = shooting.hit_odds(shots), shooting.loss_odds(shots)
    low = (Figure("low", "Low on ammunition", in_words(shooting.low_chance(number)), "Ruling N-S9"),) * shots.volley
    held = shooting.holds_fire(shots)
    return with_chances(
        "It holds its fire." if held else f"{average(hits)} hits and {average(losses)} casualties on average.",
        losses,
        LABELS,
        {
            "hits": ("Hits", hits, shooting.SHOOTING),
            "states": ("The target afterwards", morale.casualty_odds(fighter, losses), morale.SHOT_AT),
        },
        figures=(
            Figure("dice", "Dice", str(0 if held else number), shooting.SHOOTING),
            Figure("need", "Each has to show", str(need), shooting.SHOOTING),
            *low,
        ),
        sums=(reasoned("On each die", *shooting.fire_lines(shots)),),
    )


def guns(values: Values) -> Answer:
    """A battery's guns of one calibre, from plain numbers."""
    shot = told_as(artillery.Shot, values, skill=grades()[values["unit"]].skill)
    crew = values["crew"], values["crew_lost"]
    return guns_answer(shot, *crew, astray=values["astray"], bounced=values["bounced"])


def guns_answer(shot: artillery.Shot, crew: int, lost: int, **strays: Any) -> Answer:
    """What guns do to a unit; ``strays`` is whom rounds strike that do not land where they should."""
    losses, reaches = artillery.loss_odds(shot, **strays), artillery.in_reach(shot)
    reload, react = (command.gun_order_pips(order, crew, lost) for order in ("reload", "react"))
    return with_chances(
        f"{average(losses)} casualties on average." if reaches else "Out of reach, or no such round.",
        losses,
        tables={
            "landing": ("Where each round goes", artillery.landing_odds(shot), artillery.FIRING),
            "scatter": ("A near miss", artillery.scatter_odds(), "Ruling N-A8"),
        },
        figures=(
            Figure("need", "Each die has to show", str(artillery.shot_need(shot)), artillery.FIRING),
            Figure("scatter", "A near miss goes astray by", f"D{artillery.scatter_faces(shot)} inches"),
            Figure("destroyed", "A ball destroys a gun", in_words(artillery.gun_destroyed_chance(shot))),
            Figure("reload", "Pips to reload", str(reload), command.CREW),
            Figure("react", "Pips to go on react", str(react), command.CREW),
        ),
        sums=(reasoned("On each die", *artillery.shot_lines(shot)),),
    )


def charge(values: Values) -> Answer:
    """A charge on a unit that may stand and shoot."""
    other, grade = second(values), grades()[values["unit"]]
    defence = charges.defence_lines(grades()[other["unit"]], disordered=other["disordered"])
    shots = told_as(shooting.Fire, other, skill=grades()[other["unit"]].skill)
    made = charges.Charge(
        values["formation"],
        values["distance"],
        morale.under_fire(grade, nerve_of(values), values["starting"]),
        shots if values["fires"] else None,
        sum(line.amount for line in defence),
        target(nerve_of(other)) if other["volley"] else None,
    )
    odds, (base, dice) = charges.charge_odds(made), charges.charge_reach(values["formation"])
    return with_chances(
        f"Contact in {in_words(odds['contact'])}.",
        odds,
        LABELS,
        {"fire": ("What the fire does", charges.fire_odds(made), charges.DEFENSIVE)},
        figures=(Figure("reach", "The charge", f"{base} + {dice}D6 inches", "Ruling N-V2"),),
        sums=(reasoned("On the die for their range", *defence),),
    )


def square(values: Values) -> Answer:
    """Whether infantry forms square in time."""
    close = charges.within_half(values["distance"], values["charge"])
    nerve = charges.square_nerve(nerve_of(values), values["formation"], close=close)
    return tested("Square in {}.", nerve, values, either("square", "flees" if values["disordered"] else DISORDERED))


def party(values: Values) -> melee.Party:
    """One side of a fight as it was told; riders in a formation of foot stand in line."""
    grade = grades()[values["unit"]]
    told = {**values, "dice": values["dice_of"], "weapon": values["hand_weapon"]}
    return told_as(melee.Party, told, nerve=nerve_of(values), skill=grade.skill, stubborn=grade.stubborn)


def hand_to_hand(values: Values) -> Answer:
    """Hand to hand from plain numbers."""
    return fight_answer(told_as(melee.Fight, values, attacker=party(values), defender=party(second(values))))


def fight_answer(fought: melee.Fight) -> Answer:
    """How a fight may end."""
    odds, attacker, defender = melee.fight_odds(fought), fought.attacker, fought.defender
    first = {1: "The attacker", -1: "The defender", 0: "Both at once"}[melee.first_strike(fought)]
    both = (("attacker", attacker, defender), ("defender", defender, attacker))
    pairs = melee.loss_odds(fought).items()
    lost = {name: gathered((pair[at], chance) for pair, chance in pairs) for at, (name, *_) in enumerate(both)}
    return with_chances(
        f"The defender breaks in {in_words(odds['defender-breaks'])}, "
        f"the attacker in {in_words(odds['attacker-breaks'])}.",
        odds,
        tables={name: (f"Casualties of the {name}", chances, melee.COMBAT) for name, chances in lost.items()},
        figures=(
            Figure("first", "Strikes first", first, melee.COMBAT),
            Figure("losses", "Casualties on average", f"{average(lost['attacker'])} and {average(lost['defender'])}"),
        ),
        sums=tuple(
            reasoned(f"Score of the {name} before casualties", *melee.score_lines(one, other, 0, 0))
            for name, one, other in both
        ),
    )


def recall(values: Values) -> Answer:
    """Whether cavalry is recalled, and blown or not. Ruling N-K3."""
    nerve = cavalry.recall_nerve(nerve_of(values), values["won_by"])
    fresh = chance_of(cavalry.fresh_need(values["charge"]))

    def ends(back: Fraction) -> Odds:
        return {"fresh": back * fresh, "blown": back * (1 - fresh), "pursues": 1 - back}

    return tested("It comes back in {}.", nerve, values, ends)


def recovery(values: Values) -> Answer:
    """How soon blown cavalry recovers."""
    modifier, per_die = values["modifier"], values["per_die"]
    by_phase = (Fraction(0), *cavalry.recovery_odds(modifier, per_die=per_die))
    odds = {str(phase): by_phase[phase] - by_phase[phase - 1] for phase in range(1, len(by_phase))}
    labels = {phase: f"In phase {phase} at rest" for phase in odds}
    done = cavalry.recovered(values["thrown"], modifier, per_die=per_die) if values["thrown"] else False
    rolled = Figure("recovery", "These dice", "recovered" if done else "not yet", cavalry.BLOWN)
    return with_chances(
        f"Within two phases in {in_words(by_phase[2])}.",
        {**odds, "later": 1 - by_phase[-1]},
        labels,
        rolled=(rolled,) if values["thrown"] else (),
    )


def terrain(values: Values) -> Answer:
    """What ground does to a unit. Raises RulesError "not-in-source" for a cell that is lost and was not typed."""
    ground, state = values["ground"], DISORDERED if values["disordered"] else GOOD
    mounted = values["unit"].startswith("cavalry") or values["pace"] in ("trot", "canter")
    effect = movement.disorder(ground, values["pace"], mounted=mounted, free=values["free"], typed=values["modifier"])
    if isinstance(effect, str):
        said = {"none": "No test.", "barred": "It cannot go there.", "auto": "Disordered without a test."}
        return with_chances(said[effect], {DISORDERED if effect == "auto" else state: Fraction(1)}, LABELS)
    modifier, failed = settled(effect, f"What {ground} does at this pace", "modifier"), morale.after_failing(state)
    nerve = movement.ground_nerve(nerve_of(values), modifier, ground)
    return tested("It passes in {}.", nerve, values, either(state, failed))


def brigade(values: Values) -> Answer:
    """What a unit does when its brigade has lost so much: who fails tests again for its order."""
    losses, nerve = morale.brigade_losses(values["starting"], values["present"]), nerve_of(values)
    figure = Figure("level", "The brigade is", losses[-1] if losses else "in order", morale.BRIGADE)
    if not losses:
        return with_chances("No test.", {"stands": Fraction(1)}, figures=(figure,))
    steady = pass_chance(target(morale.brigade_nerve(nerve, losses[-1])), again=values["again"])

    def ends(stands: Fraction) -> Odds:
        if nerve.disordered:
            return {"stands": stands, "flees": 1 - stands}
        fails = 1 - stands
        return {"stands": stands, "falls-back": fails * steady, "falls-back-disordered": fails * (1 - steady)}

    return tested("It stands in {}.", nerve, values, ends, figures=(figure,))


def arrival(values: Values) -> Answer:
    """When a group arrives."""
    nation = nation_of(values["nation"])
    found = arrivals.arrival_odds(arrivals.arrival_need(values["place"], nation), values["due"], values["last"])
    comes = sum(found.values(), Fraction(0))
    astray = {"deviation": ("Inches astray, to the left negative", arrivals.deviation_odds(), arrivals.RESERVES)}
    return with_chances(
        f"It comes in {in_words(comes)}.",
        {**{str(turn): chance for turn, chance in found.items()}, "never": 1 - comes},
        {str(turn): f"Turn {turn}" for turn in found},
        {} if values["place"] == "reserve" else astray,
        sums=(reasoned("Each die has to show", *arrivals.arrival_lines(values["place"], nation)),),
        assumptions=("A die more on each turn (N-R1).",),
    )


def orders(values: Values) -> Answer:
    """What an order costs."""
    _, battery, key = values["order"].rpartition("gun-")
    if battery:
        lines = command.order_lines(book().gun_order[key], crew=values["crew"], lost=values["crew_lost"])
    else:
        lines = command.order_lines(book().order[key], values["distance"], values["radius"])
    cost = reasoned("Pips", *lines)
    return Answer(headline=f"{cost.total} pip{'s' * (cost.total != 1)}.", sums=(cost,))


def initiative(values: Values) -> Answer:
    """Which side has the initiative."""
    one, other = (
        reasoned(
            title,
            *command.initiative_lines(
                nation_of(told["nation"]), spent=told["spent"], lost_last=told["lost_last"], napoleon=told["napoleon"]
            ),
        )
        for title, told in (("One side", values), ("The other", second(values)))
    )
    odds = command.initiative_odds(one.total, other.total)
    headline = f"The first side has it in {in_words(odds['first'])}."
    return with_chances(headline, odds, {"first": "One side", "second": "The other"}, sums=(one, other))


def victory_points(values: Values) -> Answer:
    """What both sides score, and how long the battle may last."""
    rules = replace(USUAL, colours_value=values["value"])
    one, other = (
        reasoned(title, *victory.victory_lines(told_as(victory.Tally, told), rules))
        for title, told in (("One side", values), ("The other", second(values)))
    )
    best = victory.winner({"One side wins": one.total, "The other side wins": other.total}) or "A draw"
    length = {str(turn): chance for turn, chance in victory.length_odds().items()}
    labels = {turn: f"The battle ends with turn {turn}" for turn in length}
    return with_chances(f"{best}, {one.total} to {other.total}.", length, labels, sums=(one, other))


ANSWERS: Mapping[str, Callable[..., Answer]] = {
    each.__name__.replace("_", "-"): each
    for each in (
        points, casualty_test, rally, break_test, fire, guns, charge, square, hand_to_hand, recall, recovery, terrain,
        brigade, arrival, orders, initiative, victory_points,
    )
}  # fmt: skip
"""What answers each question about numbers, by its key."""


def fire_of(state: State, fired: Fired, target: str) -> Answer:
    """Small arms of a unit at another as both stand."""
    enemy = state.combatants[target]
    return fire_answer(fired.fire(state), shot_at(state, enemy, standing_nerve(state, enemy)))


def guns_of(state: State, fired: GunsFired, target: str) -> Answer:
    """Guns of a battery at a unit as both stand."""
    battery = state.combatants[fired.fighter]
    return guns_answer(fired.shot(state), battery.fighter.strength, battery.fighter.strength - battery.figures)


def hand_to_hand_of(state: State, fought: Fought, target: str) -> Answer:
    """A fight of two units that are in it, or of one that would charge the other in front."""
    here = (each for each in state.combats if (each.fighter, each.target) == (fought.fighter, target))
    return fight_answer(fought.fight(replace(state, combats=(next(here, Combat(fought.fighter, target)),))))


IN_BATTLE: Mapping[str, tuple[type[Any], Callable[[State, Any, str], Answer]]] = {
    "fire": (Fired, fire_of),
    "guns": (GunsFired, guns_of),
    "hand-to-hand": (Fought, hand_to_hand_of),
}
"""What is asked about two units of a battle: the kind of event that it would be, and what answers."""


@cache
def questions(about: str = "numbers") -> tuple[Question, ...]:
    """Every question about numbers, or about a "battle", as ``data/calculators.toml`` describes it."""
    described = msgspec.convert(read_data("calculators"), Descriptions).calculators(choices(), {})
    answers = ANSWERS if about == "numbers" else {key: answer for key, (_, answer) in IN_BATTLE.items()}
    return tuple(Question(each, answers[each.key]) for each in described if each.about == about)


class AvantGardeCalculators(Calculators):
    """Points, fire, charges, fights and tests."""

    def listed(self) -> tuple[Calculator, ...]:
        return tuple(each.calculator for each in (*questions(), *questions("battle")))

    def ask(self, key: str, values: Values) -> Values:
        question = find_question(key, questions())
        read = read_values(question.calculator, values)
        return as_json(question.calculator, read, question.answer(read))

    def odds_in_battle(self, key: str, play: Play[State], attacker: str, target: str, values: Values) -> Values:
        question, (event, _), state = find_question(key, questions("battle")), IN_BATTLE[key], play.state
        for field, one in (("attacker", attacker), ("target", target)):
            if one not in state.combatants or not state.combatants[one].on_table:
                raise RulesError(problem("unknown-combatant", field=field, value=one))
        read = read_values(question.calculator, values)
        told = {"fighter": attacker, **({"target": target} if "target" in event.__struct_fields__ else {})}
        return as_json(question.calculator, read, question.answer(state, event(**told, **read), target))
