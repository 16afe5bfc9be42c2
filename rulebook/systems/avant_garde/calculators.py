"""Calculators: points, fire, charges, fights and tests, with exact chances."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.calculators.asking import (
    as_json,
    fields_for,
    find_question,
    read_values,
    second,
    two_dice,
)
from rulebook.calculators.questions import Descriptions, Question
from rulebook.calculators.wording import average, reasoned, with_chances
from rulebook.dice.pools import chance_of, gathered, together
from rulebook.ruleset import Calculator, Calculators, RulesError
from rulebook.systems.avant_garde import (
    artillery,
    charges,
    command,
    melee,
    morale,
    movement,
    shooting,
    victory,
)
from rulebook.systems.avant_garde.book import ARMS, Grade, book, figures, problem, read_data, words
from rulebook.systems.avant_garde.fighters import (
    USUAL,
    Fighter,
    build_fields,
    grade_of,
    nation_of,
    profile_name,
    read_build,
)
from rulebook.systems.avant_garde.fighting import EDGES, Fought
from rulebook.systems.avant_garde.firing import Fired, GunsFired
from rulebook.systems.avant_garde.morale import (
    BROKEN,
    DISORDERED,
    GOOD,
    Nerve,
    UnderFire,
    nerve_lines,
    target,
)
from rulebook.systems.avant_garde.odds import Odds, pass_chance, passes, settled, total
from rulebook.systems.avant_garde.points import TABLE, has_price, price
from rulebook.systems.avant_garde.state import Combat, State
from rulebook.values.answers import Answer, Figure, ReasonLine, in_words
from rulebook.values.fields import Choices
from rulebook.values.problems import plural

Values = Mapping[str, Any]
TABLES = ("weapon", "calibre", "mount", "ground", "nation", "rating")
LABELS = words("outcomes")
UNPRICED = "You can set the points as a house rule (N-P1)."


@cache
def grades() -> Mapping[str, Grade]:
    """Return every grade by arm and key ("infantry-line"), by the rulings."""
    arms: tuple[Any, ...] = ("infantry", "cavalry", "artillery")
    return {
        f"{arm}-{key}": grade_of(Fighter(arm, key)) for arm in arms for key in book().grades(arm)
    }


@cache
def choices() -> Mapping[str, Choices]:
    """Return the lists from which the fields of calculators choose.

    They are words, rows of tables, and lists made here.
    """
    tables = book()

    # Parts of several lists: grades with their arm, and formations, where those of riders say so.
    named_grades = {
        key: f"{each.name} {ARMS[key.partition('-')[0]].lower()}" for key, each in grades().items()
    }
    formations = {
        key: f"{each.name}, cavalry" if key.startswith("cavalry-") else each.name
        for key, each in tables.formation.items()
        if "artillery" not in each.arms
    }

    # A list of the data counts unless one of these has its name.
    lists: dict[str, Mapping[str, str]] = {
        **read_data("words"),
        **{table: named(getattr(tables, table)) for table in TABLES},
        "units": named_grades,
        "riders": {key: name for key, name in named_grades.items() if key.startswith("cavalry")},
        "crews": {key: name for key, name in named_grades.items() if key.startswith("artillery")},
        "arms": ARMS,
        "edges": EDGES,
        "grades": {
            key.partition("-")[2]: each.name for key, each in reversed(tuple(grades().items()))
        },
        "formations": formations,
        "chargers": {
            key: name for key, name in formations.items() if "charge" in tables.formation[key].paces
        },
        "orders": named(tables.order)
        | {f"gun-{key}": f"Battery: {each.name.lower()}" for key, each in tables.gun_order.items()},
    }
    return {name: tuple(each.items()) for name, each in lists.items()}


def named(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of a table's rows by their keys."""
    return {key: each.name for key, each in table.items()}


def nerve_of(values: Values) -> Nerve:
    """Return the terms of a test for a unit that is given by its values."""
    influence = figures("morale")["influence"] if values.get("influence") else 0
    return fields_for(
        Nerve,
        {**values, "casualties": 0, "influence": influence},
        morale=grades()[values["unit"]].morale,
    )


def answered(
    key: str,
    headline: str,
    chances: Mapping[Any, Fraction],
    *,
    labels: Mapping[str, str] = LABELS,
    rolled: tuple[Figure, ...] = (),
    assumptions: tuple[str, ...] = (),
    **values: Any,
) -> Answer:
    """Return an answer with the given values.

    The data gives its figures, tables of chances and sums by their keys in ``data/answers.toml``.
    """
    # The data lists everything that this calculator may show: an answer has the rows whose values
    # are given.
    parts = read_data("answers")[key]

    def described(part: str) -> Iterable[tuple[str, Any]]:
        """Return the rows of a part of the data whose values are given."""
        return (
            (name, row) for name, row in parts.get(part, {}).items() if values.get(name) is not None
        )

    return with_chances(
        headline,
        chances,
        labels,
        {name: (title, values[name], rule) for name, (title, rule) in described("tables")},
        figures=tuple(
            Figure(name, label, str(values[name]), rule)
            for name, (label, rule) in described("figures")
        ),
        sums=tuple(reasoned(title, *values[name]) for name, title in described("sums")),
        rolled=rolled,
        assumptions=assumptions,
    )


def certain(headline: str, end: str, **values: Any) -> Answer:
    """Return the answer where no dice decide."""
    return answered("test", headline, {end: Fraction(1)}, **values)


def shot_at_of(values: Values, state: str = GOOD, *, skirmishers: bool = False) -> UnderFire:
    """Return a unit under fire that is given by its values."""
    return morale.under_fire(
        grades()[values["unit"]],
        nerve_of(values),
        values["starting"],
        state,
        skirmishers=skirmishers,
    )


def tested(
    headline: str,
    nerve: Nerve,
    values: Values,
    passed: str | Odds,
    failed: str | Odds,
    **details: Any,
) -> Answer:
    """Return the answer about one test: its target line by line, the results of passing and
    failing, and the dice.

    The headline has places for the chance to pass and the chance to fail.
    """
    need, thrown = target(nerve), two_dice(values, "A test takes two dice") or ()
    chance = pass_chance(need, again=values["again"])

    # What the typed dice come to; a commander who lends his influence is at risk by them.
    verdict = "passed" if passes(thrown, need) else "failed"
    if values.get("influence") and command.unhorsed(thrown):
        verdict += "; the commander is unhorsed"
    rolled = (Figure("test", "These dice", verdict, morale.MORALE),) if thrown else ()

    # The chance of each end: what comes of passing and of failing may be several things again.
    parts = []
    for part, end in ((chance, passed), (1 - chance, failed)):
        odds = {end: Fraction(1)} if isinstance(end, str) else end
        parts += [(key, part * share) for key, share in odds.items()]
    sentence = headline.format(in_words(chance), in_words(1 - chance))
    return answered(
        "test", sentence, together(*parts), rolled=rolled, test=nerve_lines(nerve), **details
    )


def points(values: Values) -> Answer:
    """Return what a unit costs."""
    field_keys = {field.key for field in build_fields(values["profile"])}
    built = {key: value for key, value in values.items() if key in field_keys and value is not None}
    fighter = read_build({"profile": values["profile"], **built})
    if not has_price(fighter, USUAL):
        name = profile_name(fighter, USUAL)
        return Answer(headline=f"{name}: no price in the source.", assumptions=(UNPRICED,))
    cost = price(fighter, USUAL)
    lines = tuple(ReasonLine(each.points, each.label, each.source or TABLE) for each in cost.lines)
    return Answer(headline=f"{cost.points} points.", sums=(reasoned("Points", *lines),))


def casualty_test(values: Values) -> Answer:
    """Return whether a unit tests for its casualties, and its state afterwards."""
    state, screen = DISORDERED if values["disordered"] else GOOD, values["screen"]
    fighter = shot_at_of(values, state, skirmishers=screen)
    need = morale.threshold(fighter.starting, fighter.percent)
    if values["casualties"] < need:
        return certain(f"No test: that takes {need}.", "no-test", threshold=f"{need} casualties")
    fallen = morale.after_failing(state, skirmishers=screen, sheltered=values["sheltered"])
    nerve = fighter.tested(values["casualties"])
    return tested("It passes in {}.", nerve, values, state, fallen, threshold=f"{need} casualties")


def rally(values: Values) -> Answer:
    """Return whether a unit rallies: disordered and broken ones test at one less. Ruling N-M3."""
    state, screen = values["state"], values["screen"]
    nerve = replace(nerve_of(values), disordered=not (screen and state == BROKEN))
    risen = morale.after_rallying(state, skirmishers=screen, permanent=values["permanent"])
    return tested("It rallies in {}.", nerve, values, risen, state)


def break_test(values: Values) -> Answer:
    """Return whether the loser of a fight breaks."""
    formation, stubborn = "march" if values["march"] else "line", grades()[values["unit"]].stubborn
    loser = melee.Party(1, 1, nerve_of(values), formation=formation, stubborn=stubborn)
    enemy = melee.Party(
        1, 1, Nerve(0), mount="heavy" if values["heavy_charge"] else "", charging=True
    )
    if reason := melee.auto_break(loser, enemy):
        return certain(f"It breaks without a test: {reason}.", "breaks")
    nerve = melee.break_nerve(loser, values["lost_by"])
    return tested("It breaks in {1}.", nerve, values, "falls-back-disordered", "breaks")


def fire(values: Values) -> Answer:
    """Small arms from plain numbers."""
    other, skill = second(values), grades()[values["unit"]].skill
    shots = fields_for(
        shooting.Fire, {**values, "charging": values["target_charges"], "skill": skill}
    )
    state = DISORDERED if other["disordered"] else GOOD
    return fire_answer(shots, shot_at_of(other, state, skirmishers=values["skirmishers"]))


def fire_answer(shots: shooting.Fire, fighter: UnderFire) -> Answer:
    """Return what small arms do to a unit."""
    number, held = shooting.fire_dice(shots), shooting.holds_fire(shots)
    hits, losses = shooting.hit_odds(shots), shooting.loss_odds(shots)
    return answered(
        "fire",
        "It holds its fire."
        if held
        else f"{average(hits)} hits and {average(losses)} casualties on average.",
        losses,
        hits=hits,
        states=morale.casualty_odds(fighter, losses),
        dice=0 if held else number,
        need=shooting.fire_need(shots),
        low=in_words(shooting.low_chance(number)) if shots.volley else None,
        each=shooting.fire_lines(shots),
    )


def guns(values: Values) -> Answer:
    """Return a battery's guns of one calibre, from plain numbers."""
    shot = fields_for(artillery.Shot, values, skill=grades()[values["unit"]].skill)
    crew = values["crew"], values["crew_lost"]
    return guns_answer(shot, *crew, astray=values["astray"], bounced=values["bounced"])


def guns_answer(shot: artillery.Shot, crew: int, lost: int, **strays: Any) -> Answer:
    """Return the effect of guns on a unit; ``strays`` are the units struck by rounds that miss
    their target."""
    losses, reaches = artillery.loss_odds(shot, **strays), artillery.in_reach(shot)
    return answered(
        "guns",
        f"{average(losses)} casualties on average."
        if reaches
        else "Out of range, or no such round.",
        losses,
        landing=artillery.landing_odds(shot),
        scatter=artillery.scatter_odds(),
        need=artillery.shot_need(shot),
        astray=f"D{artillery.scatter_faces(shot)} inches",
        destroyed=in_words(artillery.gun_destroyed_chance(shot)),
        reload=command.gun_order_pips("reload", crew, lost),
        react=command.gun_order_pips("react", crew, lost),
        each=artillery.shot_lines(shot),
    )


def charge(values: Values) -> Answer:
    """Return a charge on a unit that may stand and shoot, and what else it may do."""
    other, formation = second(values), values["formation"]
    grade = grades()[other["unit"]]
    base, dice = charges.charge_reach(formation)

    # The charge into the fire of its target.
    defence = charges.defence_lines(grade, disordered=other["disordered"])
    shots = fields_for(shooting.Fire, other, skill=grade.skill) if values["fires"] else None
    volley = target(nerve_of(other)) if other["volley"] else None
    made = charges.Charge(
        formation, values["distance"], shot_at_of(values), shots, total(defence), volley
    )
    odds = charges.charge_odds(made)

    # What else the target may do.
    charged = fields_for(
        charges.Charged,
        other,
        arm=other["unit"].partition("-")[0],
        state=DISORDERED if other["disordered"] else GOOD,
        mounted=values["unit"].startswith("cavalry"),
        formed=not book().formation[formation].skirmish,
    )
    possible = charges.reactions(charged)
    return answered(
        "charge",
        f"Contact in {in_words(odds['contact'])}.",
        odds,
        fire=charges.fire_odds(made),
        reach=f"{base} + {dice}D6 inches",
        reactions=", ".join(charges.REACTIONS[each].lower() for each in possible),
        range=defence,
    )


def square(values: Values) -> Answer:
    """Return whether infantry forms square in time."""
    rolled, failed = values["charge"], "flees" if values["disordered"] else DISORDERED
    chance = charges.close_chance(values["distance"], values["chargers"], rolled)
    near, far = (
        charges.square_nerve(nerve_of(values), values["formation"], close=close)
        for close in (True, False)
    )
    if rolled:
        half = f"{rolled // 2} inches"
        return tested("Square in {}.", near if chance else far, values, "square", failed, half=half)
    passed = [pass_chance(target(nerve), again=values["again"]) for nerve in (near, far)]
    forms = chance * passed[0] + (1 - chance) * passed[1]
    headline, odds = f"Square in {in_words(forms)}.", {"square": forms, failed: 1 - forms}
    return answered("test", headline, odds, close=in_words(chance), test=nerve_lines(far))


def party(values: Values) -> melee.Party:
    """Return one side of a fight given by its values; riders in a formation of foot stand in
    line."""
    grade = grades()[values["unit"]]
    kwargs = {**values, "dice": values["dice_of"], "weapon": values["hand_weapon"]}
    return fields_for(
        melee.Party, kwargs, nerve=nerve_of(values), skill=grade.skill, stubborn=grade.stubborn
    )


def hand_to_hand(values: Values) -> Answer:
    """Hand to hand from plain numbers."""
    return fight_answer(
        fields_for(melee.Fight, values, attacker=party(values), defender=party(second(values)))
    )


SIDES = ("attacker", "defender")


def fight_answer(fought: melee.Fight) -> Answer:
    """Return how a fight may end."""
    odds = melee.fight_odds(fought)
    attacker = fought.attacker
    defender = fought.defender
    first = {1: "The attacker", -1: "The defender", 0: "Both at once"}[melee.first_strike(fought)]
    pairs = melee.loss_odds(fought).items()
    breaks = {who: in_words(odds[f"{who}-breaks"]) for who in SIDES}
    lost, killed = (gathered((pair[at], chance) for pair, chance in pairs) for at in range(2))
    return answered(
        "hand-to-hand",
        f"The defender breaks in {breaks['defender']}, the attacker in {breaks['attacker']}.",
        odds,
        attacker=lost,
        defender=killed,
        first=first,
        losses=f"{average(lost)} and {average(killed)}",
        own=melee.score_lines(attacker, defender, 0, 0),
        other=melee.score_lines(defender, attacker, 0, 0),
    )


def recall(values: Values) -> Answer:
    """Return whether cavalry is recalled, and blown or not. Ruling N-K3."""
    nerve = melee.recall_nerve(nerve_of(values), values["won_by"])
    fresh = chance_of(melee.fresh_need(values["charge"]))
    return tested(
        "It comes back in {}.", nerve, values, {"fresh": fresh, "blown": 1 - fresh}, "pursues"
    )


def recovery(values: Values) -> Answer:
    """Return how soon blown cavalry recovers."""
    modifier = values["modifier"]
    per_die = values["per_die"]
    thrown = values["thrown"]
    done = (Fraction(0), *melee.recovery_odds(modifier, per_die=per_die))
    odds = {str(phase): done[phase] - done[phase - 1] for phase in range(1, len(done))}
    verdict = "recovered" if melee.recovered(thrown or (), modifier, per_die=per_die) else "not yet"
    return with_chances(
        f"Within two phases in {in_words(done[2])}.",
        {**odds, "later": 1 - done[-1]},
        {phase: f"In phase {phase} at rest" for phase in odds},
        rolled=(Figure("recovery", "These dice", verdict, melee.BLOWN),) if thrown else (),
    )


def terrain(values: Values) -> Answer:
    """Return what ground does to a unit.

    Raise RulesError "not-in-source" for a cell that is lost and was not typed.
    """
    ground = values["ground"]
    pace = values["pace"]
    state = DISORDERED if values["disordered"] else GOOD
    mounted = values["unit"].startswith("cavalry") or pace in ("trot", "canter")
    effect = movement.disorder(
        ground, pace, mounted=mounted, free=values["free"], typed=values["modifier"]
    )
    if isinstance(effect, str):
        return certain(words("ground-effects")[effect], DISORDERED if effect == "auto" else state)
    modifier = settled(effect, f"Effect of {ground} at this pace", "modifier")
    nerve = movement.ground_nerve(nerve_of(values), modifier, ground)
    return tested("It passes in {}.", nerve, values, state, morale.after_failing(state))


def brigade(values: Values) -> Answer:
    """Return what a unit does when its brigade has lost so much: who fails tests again for its
    order."""
    losses, nerve = morale.brigade_losses(values["starting"], values["present"]), nerve_of(values)
    if not losses:
        return certain("No test.", "stands", level="in order")
    steady = pass_chance(target(morale.brigade_nerve(nerve, losses[-1])), again=values["again"])
    back = {"falls-back": steady, "falls-back-disordered": 1 - steady}
    leaves = "flees" if nerve.disordered else back
    return tested("It stands in {}.", nerve, values, "stands", leaves, level=losses[-1])


def arrival(values: Values) -> Answer:
    """Return when a group arrives."""
    place = values["place"]
    brings = command.arrival_lines(place, nation_of(values["nation"]))
    odds = command.arrival_odds(total(brings), values["due"], values["last"])
    comes = sum(odds.values(), Fraction(0))
    return answered(
        "arrival",
        f"It comes in {in_words(comes)}.",
        {**odds, "never": 1 - comes},
        labels={str(turn): f"Turn {turn}" for turn in odds},
        deviation=None if place == "reserve" else command.deviation_odds(),
        nearest=command.nearest(place),
        need=brings,
        assumptions=("A die more on each turn (N-R1).",),
    )


def orders(values: Values) -> Answer:
    """Return what an order costs."""
    _, battery, key = values["order"].rpartition("gun-")
    order, away = (book().gun_order[key], 0) if battery else (book().order[key], values["distance"])
    cost = reasoned(
        "Pips",
        *command.order_lines(order, away, values["radius"], values["crew"], values["crew_lost"]),
    )
    return Answer(headline=f"{plural(cost.total, 'pip')}.", sums=(cost,))


def initiative(values: Values) -> Answer:
    """Return which side has the initiative."""
    first_lines = _initiative_lines(values)
    second_lines = _initiative_lines(second(values))
    odds = command.initiative_odds(total(first_lines), total(second_lines))
    headline = f"The first side has it in {in_words(odds['first'])}."
    return answered("two-sides", headline, odds, one=first_lines, other=second_lines)


def _initiative_lines(side: Values) -> tuple[ReasonLine, ...]:
    """Return what a side adds to its die of initiative."""
    return command.initiative_lines(
        nation_of(side["nation"]),
        spent=side["spent"],
        lost_last=side["lost_last"],
        napoleon=side["napoleon"],
    )


def victory_points(values: Values) -> Answer:
    """Return what both sides score, and how long the battle may last."""
    rules = replace(USUAL, colours_value=values["value"])
    first_lines = victory.victory_lines(fields_for(victory.Tally, values), rules)
    second_lines = victory.victory_lines(fields_for(victory.Tally, second(values)), rules)
    points, other_points = total(first_lines), total(second_lines)
    best = (
        victory.winner({"One side wins": points, "The other side wins": other_points}) or "A draw"
    )
    headline = f"{best}, {points} to {other_points}."
    length = victory.length_odds()
    labels = {str(turn): f"The battle ends with turn {turn}" for turn in length}
    return answered(
        "two-sides", headline, length, labels=labels, one=first_lines, other=second_lines
    )


ANSWERS: Mapping[str, Callable[..., Answer]] = {
    each.__name__.replace("_", "-"): each
    for each in (
        points,
        casualty_test,
        rally,
        break_test,
        fire,
        guns,
        charge,
        square,
        hand_to_hand,
        recall,
        recovery,
        terrain,
        brigade,
        arrival,
        orders,
        initiative,
        victory_points,
    )
}
"""The functions that answer calculators about numbers, by key."""


IN_BATTLE: Mapping[str, type[Any]] = {"fire": Fired, "guns": GunsFired, "hand-to-hand": Fought}
"""The calculators about two units of a battle: the kind of event of each."""


def in_battle(state: State, event: Fired | GunsFired | Fought, target: str) -> Answer:
    """Fire, guns or a fight of two units as both stand, or a fight in which one would charge the
    other in front."""
    own, enemy = state.combatants[event.fighter], state.combatants[target]
    if isinstance(event, Fired):
        # A square has a volley of one of its sides, and nothing else. Slide 8.
        event = replace(event, manner="quarter") if own.formed.square else event
        return fire_answer(event.fire(state), state.under_fire(enemy))
    if isinstance(event, GunsFired):
        return guns_answer(
            event.shot(state), own.fighter.strength, own.fighter.strength - own.figures
        )
    here = (each for each in state.combats if (each.fighter, each.target) == (own.id, target))
    return fight_answer(event.fight(replace(state, combats=(next(here, Combat(own.id, target)),))))


@cache
def questions(about: str = "numbers") -> tuple[Question, ...]:
    """Return every question about numbers, or about a "battle", as ``data/calculators.toml``
    describes it."""
    described = msgspec.convert(read_data("calculators"), Descriptions).calculators(choices(), {})
    answers = ANSWERS if about == "numbers" else dict.fromkeys(IN_BATTLE, in_battle)
    return tuple(Question(each, answers[each.key]) for each in described if each.about == about)


class AvantGardeCalculators(Calculators):
    """Points, fire, charges, fights and tests."""

    def all(self) -> tuple[Calculator, ...]:
        return tuple(each.calculator for each in (*questions(), *questions("battle")))

    def ask(self, key: str, values: Values) -> Values:
        question = find_question(key, questions())
        read = read_values(question.calculator, values)
        return as_json(question.calculator, read, question.answer(read))

    def odds_in_battle(
        self, key: str, play: Play[State], attacker: str, target: str, values: Values
    ) -> Values:
        question = find_question(key, questions("battle"))
        event = IN_BATTLE[key]
        state = play.state
        for field, combatant_id in (("attacker", attacker), ("target", target)):
            if combatant_id not in state.combatants or not state.combatants[combatant_id].on_table:
                raise RulesError(problem("unknown-combatant", field=field, value=combatant_id))
        read = read_values(question.calculator, values)
        event_kwargs = {"fighter": attacker}
        if "target" in event.__struct_fields__:
            event_kwargs["target"] = target
        return as_json(
            question.calculator, read, question.answer(state, event(**event_kwargs, **read), target)
        )
