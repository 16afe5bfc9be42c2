"""Calculators: shots, blows, duels, moves and reloading, with exact chances.

A question is about an event that has not happened. ``data/calculators.toml`` describes the
questions; the fields of their circumstances come from the events.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from rulebook.battle_log.forms import event_fields, unknown_names
from rulebook.calculators.asking import as_json, find_question, read_values
from rulebook.calculators.questions import Descriptions, Question
from rulebook.calculators.wording import reasoned, reasons, violation_warnings, with_chances
from rulebook.ruleset import CampaignTerms, LoggedEvent, Opponent, RulesError
from rulebook.systems.argad.book import USUAL, book, read_data, settled
from rulebook.systems.argad.events import KINDS, Event, Fought, Moved, Reloaded, ShotFired
from rulebook.systems.argad.fighters import MOVEMENT, reach, reach_odds, slowing_dice
from rulebook.systems.argad.melee import (
    MELEE,
    blow_modifiers,
    blow_odds,
    duel_odds,
    resolve_blow,
    strikes_first,
)
from rulebook.systems.argad.roster import build_fields, read_build
from rulebook.systems.argad.shooting import FIREARMS, resolve_shot, shot_modifiers, shot_odds
from rulebook.systems.argad.state import Combatant, State
from rulebook.values.answers import Answer, Figure, Grid, GridRow, in_words

Values = Mapping[str, Any]


def shot(event: ShotFired, state: State, values: Values) -> Answer:
    """Return how likely a shot hits, what it needs, and what given dice come to."""
    taken = event.shot(state)
    chances = shot_odds(taken, state.settings)
    result = resolve_shot(taken, event.dice, state.settings) if event.dice else None
    rolled: tuple[Figure, ...] = ()
    if result:
        outcome = "hit" if result.hit else "miss"
        rolled = (Figure("shot", "These dice", f"{result.total}: {outcome}"),)
    return with_chances(
        f"A hit in {in_words(chances['hit'])}." if taken.band else "Out of range.",
        chances,
        figures=(Figure("need", "Total needed", str(taken.band.need), FIREARMS),)
        if taken.band
        else (),
        sums=(reasoned("Modifiers", *reasons(shot_modifiers(taken))),),
        rolled=rolled,
    )


def strike(event: Fought, state: State, values: Values) -> Answer:
    """Return what one blow does, what is added to it and to the answer, and what given dice come
    to."""
    melee = event.melee(state)
    chances = blow_odds(melee)
    blow = resolve_blow(melee, event.dice) if event.dice else None
    return with_chances(
        f"A kill in {in_words(chances['kill'])}, a recoil in {in_words(chances['recoil'])}.",
        chances,
        sums=_both_sums(event, state),
        rolled=(Figure("blow", "These dice", f"{blow.total}: {blow.result}", MELEE),)
        if blow
        else (),
    )


def duel(event: Fought, state: State, values: Values) -> Answer:
    """Return who stands after so many turns of melee, turn by turn."""
    melee = event.melee(state)
    courses = duel_odds(melee, values["turns"])
    first, other = state.combatants[event.fighter].name, state.combatants[event.enemy].name
    labels = {
        "first": f"{first} alone",
        "second": f"{other} alone",
        "both": "Both",
        "neither": "Neither",
    }
    rows = (
        GridRow(str(turn), tuple(map(in_words, each.values())))
        for turn, each in enumerate(courses, 1)
    )
    earlier = {1: f"{first} strikes first", -1: f"{other} strikes first", 0: "Both strike at once"}
    chances = courses[-1]
    return with_chances(
        f"{first} alone stands in {in_words(chances['first'])}, {other} alone in "
        f"{in_words(chances['second'])}.",
        chances,
        labels,
        figures=(
            Figure("first", "By the length of their weapons", earlier[strikes_first(melee)], MELEE),
        ),
        sums=_both_sums(event, state),
        grids=(
            Grid(
                "Who stands after each turn",
                ("Turn", *labels.values()),
                tuple(rows),
                "Ruling A-M17",
            ),
        ),
        assumptions=(
            "They stay in contact; who charges, or waits for it, does so in the first turn "
            "(A-M17).",
        ),
    )


def move(event: Moved, state: State, values: Values) -> Answer:
    """Return how far somebody gets, and what given slowing dice leave of it."""
    made = event.move(state)
    chances = {str(cm): chance for cm, chance in reach_odds(made).items()}
    able = reach(made, event.dice)
    rolled = (
        Figure("move", "These dice", "blocked" if able.blocked else f"{able.cm} cm", MOVEMENT),
    )
    return with_chances(
        f"{float(sum(int(cm) * chance for cm, chance in chances.items())):.1f} cm on average.",
        chances,
        {cm: f"{cm} cm" if cm != "0" else "Nowhere" for cm in chances},
        figures=(
            Figure("dice", "Slowing dice", str(slowing_dice(made.fighter, made.terrain)), MOVEMENT),
        ),
        sums=(reasoned("Before the dice, in cm", *reach(made).lines),),
        rolled=rolled if event.dice else (),
    )


def reload(event: Reloaded, state: State, values: Values) -> Answer:
    """Return when a firearm is ready again; in the next turn without one. Rulings A-S13, A-S15."""
    turns = book().firearm[state.combatants[event.fighter].fighter.firearm].reload
    ready = values["fired"] + turns + values["broken"] + 1
    figure = Figure("ready", "Fires again in turn", str(ready), "Ruling A-S13")
    return Answer(headline=f"{turns} turns of reloading: ready in turn {ready}.", figures=(figure,))


ANSWERS: Mapping[str, tuple[Callable[[Any, State, Values], Answer], type[Event]]] = {
    "shot": (shot, ShotFired),
    "strike": (strike, Fought),
    "duel": (duel, Fought),
    "melee-modifiers": (strike, Fought),
    "move": (move, Moved),
    "reload": (reload, Reloaded),
}
"""The function that answers each calculator, and its kind of event."""


def _both_sums(event: Fought, state: State) -> Any:
    melee = event.melee(state)
    names = (state.combatants[each].name for each in (event.fighter, event.enemy))
    sides = zip(names, (melee, melee.turned()), strict=True)
    return tuple(
        reasoned(f"Modifiers of {name}", *reasons(blow_modifiers(each))) for name, each in sides
    )


@cache
def questions() -> tuple[Question, ...]:
    """Return every question; about fighters and battles only circumstances are asked for."""
    fields = {each.key: each for each in build_fields(USUAL)}
    for kind in KINDS:
        fields |= {
            f"{kind.key}.{each.key}": replace(each, required=False) for each in event_fields(kind)
        }
    described = msgspec.convert(read_data("calculators"), Descriptions).calculators({}, fields)
    return tuple(Question(each, ANSWERS[each.key][0]) for each in described)


def ask(
    key: str, about: str, sent: Values, battle_of: Callable[[Values], tuple[State, str, str]]
) -> Values:
    """Return the answer as JSON, of two in the battle that ``battle_of`` gives for the values that
    were read.

    Raise RulesError for an unknown key, for values and names that are wrong, for dice as they
    cannot have fallen.
    """
    question = find_question(key, (each for each in questions() if each.calculator.about == about))
    values, (_, kind) = read_values(question.calculator, sent), ANSWERS[key]
    state, *two = battle_of(values)
    given = {"cm": 0} if "cm" in values else {}
    given |= {
        name: value for name, value in values.items() if name in kind.__struct_fields__ and value
    }
    event = msgspec.convert({**dict(zip(kind.acting, two, strict=False)), **given}, type=kind)
    logged = LoggedEvent(0, kind.key, {})
    unknown = tuple(unknown_names(event, state.combatants, ()))
    if wrong := unknown or [
        each for each in event.input_errors(state, logged) if values.get(each.field)
    ]:
        raise RulesError(*wrong)
    warned = violation_warnings(event.violations(state, logged)) if "dice" in values else ()
    return as_json(
        question.calculator,
        values,
        replace(question.answer(event, state, values), forbidden=warned),
    )


def battle_of_two(first: Opponent, second: Opponent) -> State:
    """Return a battle of two, "first" and "second", under the house rules of the first. Raise
    RulesError."""
    rules = settled(first.terms.settings)
    fighters = {}
    for side, opponent in (("first", first), ("second", second)):
        # Each is a side of its own, of the same key.
        fighters[side] = Combatant(side, opponent.name, side, read_build(opponent.build, rules))
    return State(fighters, {side: side for side in fighters}, rules)


def of_numbers(values: Values) -> tuple[State, str, str]:
    """Return a battle of two fighters who are given by their fields. Raise RulesError."""
    opponents = []
    for who in ("first", "second"):
        prefix = f"{who}_"
        build = {
            key.removeprefix(prefix): value
            for key, value in values.items()
            if key.startswith(prefix)
        }
        opponents.append(Opponent(who, f"The {who}", build, CampaignTerms("company")))
    first, second = opponents
    return battle_of_two(first, second), "first", "second"
