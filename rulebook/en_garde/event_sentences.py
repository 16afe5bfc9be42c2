"""The events of a log as people would tell them: "Athos struck Jussac: a Light wound."

Nothing is worked out here: the sentence says what the event says. ``names`` maps ids of fighters and keys of sides to
what they are called.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulebook.en_garde.at_table.words import weapon_name
from rulebook.en_garde.catalogue import catalogue
from rulebook.ruleset import LoggedEvent

Data = Mapping[str, Any]
Names = Mapping[str, str]

WOUNDS = {
    "scratch": "a scratch",
    "stunned": "Stunned",
    "light": "a Light wound",
    "grievous": "a Grievous wound",
    "critical": "a Critical wound",
}
VERBS = {
    "melee": "struck",
    "shooting": "shot",
    "ordnance": "fired on",
    "spell": "cast a spell on",
    "riposte": "ran through, with a riposte,",
    "free-attack": "struck in the back",
    "mount": "rode down",
    "other": "hurt",
}
MISHAPS = {"fall": "fell", "drowning": "was drowning", "poison": "felt the poison", "other": "came to harm"}
OUTCOMES = {
    "killed": "was killed",
    "taken": "was taken away",
    "harmed": "came to harm",
    "unharmed": "is unharmed",
    "escorted": "was brought across",
}
ENDINGS = {
    "last-turn": "the last turn was played",
    "destroyed": "one side was destroyed",
    "withdrew": "one side withdrew",
    "conceded": "one side conceded",
    "left-table": "one side left the table",
    "agreed": "both sides agreed",
}
ACHIEVED: Mapping[bool | None, str] = {True: ", achieved", False: ", not achieved"}
DOINGS = {
    "aim": "aims",
    "hide": "hides",
    "rest": "rests",
    "mount": "mounts",
    "dismount": "dismounts",
    "special": "does something special",
}


def event_sentence(event: LoggedEvent, names: Names) -> str:
    """The event in a sentence without a full stop; "" for a kind that has no sentence of its own."""
    tell = SENTENCES.get(event.kind)
    if tell is None:
        return ""
    try:
        sentence = tell(event.data, names)
    except (KeyError, TypeError, ValueError):
        return ""
    set_aside = event.data.get("overruled")
    return f"{sentence} (overruled: {set_aside})" if set_aside else sentence


def _name(names: Names, key: object) -> str:
    known = str(key)
    return names.get(known) or (known.replace("-", " ").capitalize() if known.startswith("summoned-") else known)


def _all(names: Names, keys: Sequence[object]) -> str:
    *most, last = [_name(names, key) for key in keys] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def _arm(key: str) -> str:
    return weapon_name(key).lower()


def _tricks(ploys: Sequence[str]) -> str:
    return " and ".join(ploy.replace("-", " ") for ploy in ploys)


def _spell_name(key: str) -> str:
    known = catalogue().spells
    return known[key].name if key in known else key


def _dice(*thrown: Any) -> str:
    shown = [", ".join(map(str, dice)) for dice in thrown if dice]
    return f" [{' – '.join(shown)}]" if shown else ""


def _die(data: Data, field: str = "die") -> list[int]:
    """A single die, if it was thrown."""
    return [data[field]] if data.get(field) else []


def _wound(data: Data, names: Names) -> str:
    victim = _name(names, data["victim"]) + ("’s mount" if data.get("on_mount") else "")
    means, result = data.get("means", "melee"), WOUNDS[data["result"]]
    asides = [
        word for word, there in (("to subdue", data.get("subdue")), ("friendly fire", data.get("friendly"))) if there
    ]
    if data.get("third_stun"):
        asides.append("the third Stunned counter")
    aside = f" ({', '.join(asides)})" if asides else ""
    if data.get("attacker") is None:
        return f"{victim} {MISHAPS.get(means, 'came to harm')}: {result}{aside}"
    weapon = f" with {data['weapon']}" if data.get("weapon") else ""
    return f"{_name(names, data['attacker'])} {VERBS.get(means, 'hurt')} {victim}{weapon}: {result}{aside}"


def _captured(data: Data, names: Names) -> str:
    taken = f"the banner of {_name(names, data['banner'])}" if data.get("banner") else _name(names, data["fighter"])
    return f"{_name(names, data['by'])} captured {taken}"


def _objective(data: Data, names: Names) -> str:
    if data.get("side") is None:
        return "Nobody controls the objective"
    by = f" ({_all(names, data['by'])})" if data.get("by") else ""
    verb = "carried off" if data.get("how") == "carried-off" else "controls"
    return f"{_name(names, data['side'])} {verb} {data.get('what') or 'the objective'}{by}"


def _minor(data: Data, names: Names) -> str:
    achieved = ACHIEVED.get(data.get("achieved"), "")
    return f"{_name(names, data['side'])} rolled {data.get('rolled') or 'a die'} for its minor objective{achieved}"


def _civilian(data: Data, names: Names) -> str:
    by = f" by {_name(names, data['by'])}" if data.get("by") else ""
    return f"{_name(names, data['civilian'])} {OUTCOMES[data['outcome']]}{by}"


def _offence(data: Data, names: Names) -> str:
    deed = "attacked" if data["which"] == "attack" else "entered the duelling ground"
    return f"Somebody of {_name(names, data['side'])} {deed} before anybody else did"


def _points(data: Data, names: Names) -> str:
    return f"{_name(names, data['side'])}: {data['amount']:+d} victory points, {data['reason']}"


def _correction(data: Data, names: Names) -> str:
    if data.get("kind") is None and data.get("data") is None:
        return f"Event {data['event']} is struck out: {data['reason']}"
    mended = event_sentence(LoggedEvent(0, data.get("kind") or "", data.get("data") or {}), names)
    return f"Event {data['event']} is corrected{f' to “{mended}”' if mended else ''}: {data['reason']}"


def _ended(data: Data, names: Names) -> str:
    turn = f" after {data['turn']} turns" if data.get("turn") else ""
    return f"The battle ended{turn}: {ENDINGS[data.get('how', 'last-turn')]}"


def _scout(data: Data, names: Names) -> str:
    ahead = f" goes {data['inches']:g}″ ahead" if data.get("inches") else " waits"
    return f"{_name(names, data['fighter'])}{ahead}{', Hidden' if data.get('hidden') else ''}"


def _priority(data: Data, names: Names) -> str:
    thrown = data.get("rolls", ())
    rolls = "; ".join(", ".join(f"{_name(names, side)} {die}" for side, die in roll.items()) for roll in thrown)
    return f"Priority: {rolls}" if rolls else "Priority without a roll"


def _move(data: Data, names: Names) -> str:
    gait = {"short": "makes a short move", "run": "runs"}.get(data.get("gait", ""), "moves")
    inches = f" {data['inches']:g}″" if data.get("inches") else ""
    contacts = f" into contact with {_all(names, data['contacts'])}" if data.get("contacts") else ""
    words = f": {data['words']}" if data.get("words") else ""
    nerves = [_die(data, die) for die in ("resolve", "leash", "nerve")]
    dice = _dice(*nerves, data.get("dexterity"), data.get("fall_dice"))
    if data.get("closes_up"):
        return f"{_name(names, data['fighter'])} closes up to a friend"
    return f"{_name(names, data['fighter'])} {gait}{inches}{_leaps(data)}{contacts}{words}{dice}"


def _leaps(data: Data) -> str:
    """What a move leads over and into."""
    told = (
        (f"jumps {data.get('jumps', 0):g}″", data.get("jumps")),
        (f"climbs {data.get('climbs', 0):g}″", data.get("climbs")),
        ("leaps aboard", data.get("leaps_aboard")),
        ("enters the duelling ground", data.get("enters_ground")),
        ("goes through the Undergrowth", data.get("undergrowth")),
        ("ends in the water", data.get("in_water")),
    )
    return "".join(f", {words}" for words, there in told if there)


def _action(data: Data, names: Names) -> str:
    if data["what"] == "reload":
        return f"{_name(names, data['fighter'])} loads the {_arm(data['weapon'])}"
    words = f": {data['words']}" if data.get("words") else ""
    return f"{_name(names, data['fighter'])} {DOINGS[data['what']]}{words}"


def _shot(data: Data, names: Names) -> str:
    wide = f", wide of {_name(names, data['wide_of'])}" if data.get("wide_of") else ""
    shot = f"{_name(names, data['shooter'])} shoots at {_name(names, data['target'])} with the {_arm(data['weapon'])}"
    return f"{shot} at {data['inches']:g}″{wide}{_dice(data.get('dice'))}"


def _combat(data: Data, names: Names) -> str:
    sides = [
        f"{_all(names, fighters)} ({data['counters'][side][0]} Attack, {data['counters'][side][1]} Defence)"
        for side, fighters in data["fighters"].items()
    ]
    return " against ".join(sides)


def _attack(data: Data, names: Names) -> str:
    ploys = f" ({_tricks(data['ploys'])})" if data.get("ploys") else ""
    answers = f", who answers with {_tricks(data['answers'])}" if data.get("answers") else ""
    target = _name(names, data["target"]) + ("’s mount" if data.get("at_mount") else "")
    by = "’s warhorse" if data.get("by_mount") else ""
    dice = _dice(data.get("dice"), data.get("defence_dice"))
    return f"{_name(names, data['attacker'])}{by} attacks {target}{ploys}{answers}{dice}"


def _free_attack(data: Data, names: Names) -> str:
    dice = _dice(data.get("dice"), data.get("defence_dice"))
    return f"{_name(names, data['attacker'])} strikes at {_name(names, data['target'])}, who leaves{dice}"


def _morale(data: Data, names: Names) -> str:
    return f"{_name(names, data['side'])} tests its Morale{_dice(data.get('dice'), data.get('reroll'))}"


def _spell(data: Data, names: Names) -> str:
    at = f" at {_name(names, data['target'])}" if data.get("target") else ""
    at = f"{at}: {data['named']}" if data.get("named") else at
    resisted = f", resisted by {_name(names, data['resisted_by'])}" if data.get("resisted_by") else ""
    dice = _dice(data.get("dice"), data.get("resisting_dice"), data.get("blast_dice"))
    return f"{_name(names, data['magician'])} casts {_spell_name(data['spell'])}{at}{resisted}{dice}"


def _fighter(verb: str, field: str = "fighter") -> Callable[[Data, Names], str]:
    return lambda data, names: f"{_name(names, data[field])} {verb}"


def _ground(words: str) -> Callable[[Data, Names], str]:
    return lambda data, names: f"{_name(names, data['side'])} {words}: {_all(names, data['fighters'])}"


SENTENCES: Mapping[str, Callable[[Data, Names], str]] = {
    "wound": _wound,
    "removed_stun": lambda data, names: f"{_name(names, data['fighter'])} shakes off {data.get('counters', 1)} Stunned",
    "routed": _fighter("routed off the table"),
    "left": lambda data, names: f"{_name(names, data['fighter'])} left by the {data.get('edge', 'other')} edge",
    "captured": _captured,
    "objective": _objective,
    "position": _ground("has on the Defender’s bank"),
    "touching": _ground("touches the centre with"),
    "minor_objective": _minor,
    "civilian": _civilian,
    "duel_penalty": _offence,
    "points": _points,
    "withdrew": _fighter("withdrew", "side"),
    "conceded": _fighter("conceded", "side"),
    "recovery": lambda data, names: f"{_name(names, data['fighter'])} throws {data['die']} for recovery",
    "note": lambda data, names: str(data["text"]),
    "ended": _ended,
    "correction": _correction,
    "duellist": _fighter("is named duellist"),
    "scout": _scout,
    "reserves": _ground("keeps back"),
    "turn": lambda data, names: "A new turn",
    "priority": _priority,
    "move": _move,
    "action": _action,
    "order": lambda data, names: (
        f"{_name(names, data['commander'])} orders {_all(names, data['fighters'])}: {data['order']}"
    ),
    "shot": _shot,
    "combat": _combat,
    "attack": _attack,
    "free_attack": _free_attack,
    "pass": _fighter("lets an opportunity go"),
    "switch_weapon": lambda data, names: f"{_name(names, data['fighter'])} takes the {_arm(data['weapon'])} in hand",
    "stun_roll": lambda data, names: f"{_name(names, data['fighter'])} tries to shake off Stunned{_dice(_die(data))}",
    "morale": _morale,
    "length": lambda data, names: f"The end of the game is rolled for{_dice(_die(data))}",
    "dexterity": lambda data, names: f"{_name(names, data['fighter'])} checks Dexterity{_dice(data.get('dice'))}",
    "water": lambda data, names: (
        f"{_name(names, data['fighter'])} {'enters the river' if data.get('entering') else 'is in the water'}"
        + _dice(_die(data), data.get("drift"), _die(data, "drowning"))
    ),
    "done": _fighter("has nothing more to do in the Move Phase", "side"),
    "spell": _spell,
    "object": lambda data, names: f"{_name(names, data['fighter'])} has {data.get('how', 'taken')} {data['what']}",
    "challenge": lambda data, names: (
        f"{_name(names, data['challenger'])} challenges {_name(names, data['challenged'])}: "
        + ("accepted" if data.get("accepted") else "declined")
    ),
}
