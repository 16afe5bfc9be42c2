"""The events of a log turn by turn as people would tell them: "Athos attacks Jussac [3, 4 – 2]"."""

from collections.abc import Callable, Mapping, Sequence

from rulebook.systems.en_garde.at_table.sentence_parts import (
    Data,
    Names,
    all_of,
    arm,
    dice_in,
    die_in,
    does,
    name_of,
    standing,
)
from rulebook.systems.en_garde.book.catalogue import catalogue


def _scout(data: Data, names: Names) -> str:
    ahead = f" goes {data['inches']:g}″ ahead" if data.get("inches") else " waits"
    return f"{name_of(names, data['fighter'])}{ahead}{', Hidden' if data.get('hidden') else ''}"


def _priority(data: Data, names: Names) -> str:
    thrown = data.get("rolls", ())
    rolls = "; ".join(", ".join(f"{name_of(names, side)} {die}" for side, die in roll.items()) for roll in thrown)
    return f"Priority: {rolls}" if rolls else "Priority without a roll"


def _shot(data: Data, names: Names) -> str:
    wide = f", wide of {name_of(names, data['wide_of'])}" if data.get("wide_of") else ""
    shot = (
        f"{name_of(names, data['shooter'])} shoots at {name_of(names, data['target'])} with the {arm(data['weapon'])}"
    )
    return f"{shot} at {data['inches']:g}″{wide}{dice_in(data.get('dice'))}"


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


def _morale(data: Data, names: Names) -> str:
    return f"{name_of(names, data['side'])} tests its Morale{dice_in(data.get('dice'), data.get('reroll'))}"


def _spell(data: Data, names: Names) -> str:
    at = f" at {name_of(names, data['target'])}" if data.get("target") else ""
    at = f"{at}: {data['named']}" if data.get("named") else at
    resisted = f", resisted by {name_of(names, data['resisted_by'])}" if data.get("resisted_by") else ""
    dice = dice_in(data.get("dice"), data.get("resisting_dice"), data.get("blast_dice"))
    return f"{name_of(names, data['magician'])} casts {_spell_name(data['spell'])}{at}{resisted}{dice}"


def _tricks(ploys: Sequence[str]) -> str:
    return " and ".join(ploy.replace("-", " ") for ploy in ploys)


def _spell_name(key: str) -> str:
    known = catalogue().spells
    return known[key].name if key in known else key


TURN_SENTENCES: Mapping[str, Callable[[Data, Names], str]] = {
    "duellist": does("is named duellist"),
    "scout": _scout,
    "reserves": standing("keeps back"),
    "turn": lambda data, names: "A new turn",
    "priority": _priority,
    "shot": _shot,
    "combat": _combat,
    "attack": _attack,
    "free_attack": _free_attack,
    "pass": does("lets an opportunity go"),
    "switch_weapon": lambda data, names: f"{name_of(names, data['fighter'])} takes the {arm(data['weapon'])} in hand",
    "stun_roll": lambda data, names: (
        f"{name_of(names, data['fighter'])} tries to shake off Stunned{dice_in(die_in(data))}"
    ),
    "morale": _morale,
    "length": lambda data, names: f"The end of the game is rolled for{dice_in(die_in(data))}",
    "spell": _spell,
    "challenge": lambda data, names: (
        f"{name_of(names, data['challenger'])} challenges {name_of(names, data['challenged'])}: "
        + ("accepted" if data.get("accepted") else "declined")
    ),
}
