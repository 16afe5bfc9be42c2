"""Who is named in an event: everybody has to take part in the battle."""

from collections.abc import Collection, Iterator
from typing import Any

from rulebook.battle_log.forms import event_fields
from rulebook.battle_log.kinds import EventKind
from rulebook.values.problems import Problem


def unknown_names(event: EventKind[Any], fighters: Collection[str], sides: Collection[str]) -> Iterator[Problem]:
    """The problem of each fighter and side that an event names and that is not in the battle; "" names nobody."""
    for field in event_fields(type(event)):
        named = getattr(event, field.key)
        known = sides if field.kind == "side" else fighters
        if field.kind not in ("combatant", "side", "list") or field.choices:
            continue
        for each in named if isinstance(named, tuple) else (named,):
            if each and each not in known:
                sentence = f"{each!r} is not in this battle. There are {', '.join(known)}."
                yield Problem("unknown-combatant", sentence, field=field.key, value=str(each))
