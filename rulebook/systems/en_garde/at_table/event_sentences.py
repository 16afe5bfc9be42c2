"""The events of a log as people would tell them: "Athos struck Jussac: a Light wound."

Nothing is worked out here: the sentence says what the event says. ``names`` maps ids of fighters and keys of sides to
what they are called.
"""

from collections.abc import Callable, Mapping

from rulebook.ruleset import LoggedEvent
from rulebook.systems.en_garde.at_table.sentence_parts import Data, Names, all_of, does, name_of, standing
from rulebook.systems.en_garde.at_table.turn_sentences import TURN_SENTENCES

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


def _wound(data: Data, names: Names) -> str:
    victim = name_of(names, data["victim"]) + ("’s mount" if data.get("on_mount") else "")
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
    return f"{name_of(names, data['attacker'])} {VERBS.get(means, 'hurt')} {victim}{weapon}: {result}{aside}"


def _captured(data: Data, names: Names) -> str:
    taken = f"the banner of {name_of(names, data['banner'])}" if data.get("banner") else name_of(names, data["fighter"])
    return f"{name_of(names, data['by'])} captured {taken}"


def _objective(data: Data, names: Names) -> str:
    if data.get("side") is None:
        return "Nobody controls the objective"
    by = f" ({all_of(names, data['by'])})" if data.get("by") else ""
    verb = "carried off" if data.get("how") == "carried-off" else "controls"
    return f"{name_of(names, data['side'])} {verb} {data.get('what') or 'the objective'}{by}"


def _minor(data: Data, names: Names) -> str:
    achieved = ACHIEVED.get(data.get("achieved"), "")
    return f"{name_of(names, data['side'])} rolled {data.get('rolled') or 'a die'} for its minor objective{achieved}"


def _civilian(data: Data, names: Names) -> str:
    by = f" by {name_of(names, data['by'])}" if data.get("by") else ""
    return f"{name_of(names, data['civilian'])} {OUTCOMES[data['outcome']]}{by}"


def _offence(data: Data, names: Names) -> str:
    deed = "attacked" if data["which"] == "attack" else "entered the duelling ground"
    return f"Somebody of {name_of(names, data['side'])} {deed} before anybody else did"


def _points(data: Data, names: Names) -> str:
    return f"{name_of(names, data['side'])}: {data['amount']:+d} victory points, {data['reason']}"


def _ended(data: Data, names: Names) -> str:
    turn = f" after {data['turn']} turns" if data.get("turn") else ""
    return f"The battle ended{turn}: {ENDINGS[data.get('how', 'last-turn')]}"


SENTENCES: Mapping[str, Callable[[Data, Names], str]] = {
    "wound": _wound,
    "removed_stun": lambda data, names: (
        f"{name_of(names, data['fighter'])} shakes off {data.get('counters', 1)} Stunned"
    ),
    "routed": does("routed off the table"),
    "left": lambda data, names: f"{name_of(names, data['fighter'])} left by the {data.get('edge', 'other')} edge",
    "captured": _captured,
    "objective": _objective,
    "position": standing("has on the Defender’s bank"),
    "touching": standing("touches the centre with"),
    "minor_objective": _minor,
    "civilian": _civilian,
    "duel_penalty": _offence,
    "points": _points,
    "withdrew": does("withdrew", "side"),
    "conceded": does("conceded", "side"),
    "recovery": lambda data, names: f"{name_of(names, data['fighter'])} throws {data['die']} for recovery",
    "ended": _ended,
    **TURN_SENTENCES,
}
