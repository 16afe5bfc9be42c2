"""The events of a log turn by turn as people would tell them: "Athos attacks Jussac [3, 4 – 2]"."""

from collections.abc import Callable, Mapping, Sequence

from rulebook.systems.en_garde.at_table.sentence_parts import (
    Data,
    Names,
    all_of,
    arm,
    dice_in,
    does,
    name_of,
)


def _combat(data: Data, names: Names) -> str:
    sides = [
        f"{all_of(names, fighters)} ({data['counters'][side][0]} Attack, {data['counters'][side][1]} Defence)"
        for side, fighters in data["fighters"].items()
    ]
    return " against ".join(sides)


def _attack(data: Data, names: Names) -> str:
    ploys = f" ({_tricks(data['ploys'])})" if data.get("ploys") else ""
    answers = f", who answers with {_tricks(data['answers'])}" if data.get("answers") else ""
    target = name_of(names, data["target"]) + ("’s mount" if data.get("at_mount") else "")
    by = "’s warhorse" if data.get("by_mount") else ""
    dice = dice_in(data.get("dice"), data.get("defence_dice"))
    return f"{name_of(names, data['attacker'])}{by} attacks {target}{ploys}{answers}{dice}"


def _free_attack(data: Data, names: Names) -> str:
    dice = dice_in(data.get("dice"), data.get("defence_dice"))
    return f"{name_of(names, data['attacker'])} strikes at {name_of(names, data['target'])}, who leaves{dice}"


def _tricks(ploys: Sequence[str]) -> str:
    return " and ".join(ploy.replace("-", " ") for ploy in ploys)


TURN_SENTENCES: Mapping[str, Callable[[Data, Names], str]] = {
    "combat": _combat,
    "attack": _attack,
    "free_attack": _free_attack,
    "pass": does("lets an opportunity go"),
    "switch_weapon": lambda data, names: f"{name_of(names, data['fighter'])} takes the {arm(data['weapon'])} in hand",
}
