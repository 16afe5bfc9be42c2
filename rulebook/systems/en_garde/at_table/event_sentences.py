"""The events of a log as people would tell them: "Athos struck Jussac: a Light wound."

Nothing is worked out here: the sentence says what the event says. ``names`` maps ids of fighters and keys of sides to
what they are called.
"""

from collections.abc import Callable, Mapping

from rulebook.ruleset import LoggedEvent
from rulebook.systems.en_garde.at_table.sentence_parts import Data, Names
from rulebook.systems.en_garde.at_table.turn_sentences import TURN_SENTENCES


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


SENTENCES: Mapping[str, Callable[[Data, Names], str]] = TURN_SENTENCES
