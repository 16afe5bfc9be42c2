"""The form of everything that a database stores as structs: facts, events, states, results.

A release keeps it as JSON schemas. What one release has stored, every later one must read, with
the same meaning: see "Compatibility from 1.0.0 on" in docs/decisions/code.md.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

import msgspec

from battles.services.correction_differences import CorrectionDifference
from campaigns.scoring import Scoring
from rulebook.chronicle.facts import AnyFact
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.registry import RULESETS
from rulebook.values.battles import BattleResult
from rulebook.values.rosters import RosterFigure
from rulebook.values.table import EventOutcome
from warbands.drafts.values import Draft

Schema = Mapping[str, Any]
STORED: Mapping[str, Any] = {
    "fact": AnyFact,
    "state of a warband": WarbandState,
    "state of a fighter": FighterState,
    "result of a battle": BattleResult,
    "outcome of an event": EventOutcome,
    "figure of a side": RosterFigure,
    "difference of a correction": CorrectionDifference,
    "scoring of a campaign": Scoring,
    "draft of a roster": Draft,
}
"""Structs that rows keep as JSON, in addition to events, by what people call them."""
AT_MOST = ("maximum", "maxLength", "maxItems", "exclusiveMaximum")
AT_LEAST = ("minimum", "minLength", "minItems", "exclusiveMinimum")
CHOICES = re.compile(r"\^\((.*)\)\$")
PART = "#"
WORDS = ("title", "description")
WHAT_TO_DO = (
    "Databases and archives of that release contain this. Keep tags, fields and their defaults. Add "
    "a new field with a default that means what was true before, or a new kind under a new tag "
    '(docs/decisions/code.md, "Compatibility from 1.0.0 on").'
)


def storedtypes_of() -> dict[str, Any]:
    """Return every stored struct by its name, with each kind of event of each edition."""
    events = {
        f"event {key} of {system} {edition}": kind
        for system, editions in RULESETS.items()
        for edition, ruleset in editions.items()
        for key, kind in ruleset.log.kinds.items()
    }
    return {**STORED, **events}


def form_of_stored() -> dict[str, Any]:
    """Return the form of the current code: the schema of each stored struct by its name, and of each
    of their parts by "#" and the name of its class."""
    types = storedtypes_of()
    schemas, parts = msgspec.json.schema_components(types.values(), ref_template=PART + "{name}")
    stored = dict(zip(types, schemas, strict=True))
    form: dict[str, Any] = without_words(
        {**stored, **{f"{PART}{name}": schema for name, schema in parts.items()}}
    )
    return form


def without_words(value: Any) -> Any:
    """Return schemas without the texts for people, which may change."""
    if isinstance(value, list | tuple):
        return [without_words(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: without_words(each)
        for key, each in value.items()
        # A field may have such a name too; its schema is not a text.
        if key not in WORDS or not isinstance(each, str)
    }


def unreadable(old: Schema, new: Schema) -> list[str]:
    """Return why the new form does not read what the old one stored; nothing if it does."""
    return list(FormComparison(old, new).compare_all())


class FormComparison:
    """A comparison of two forms from their roots down: the new one reads what fits the old one.

    Names of classes do not matter, because only tags are stored.
    """

    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old, new
        self._compared: set[tuple[str, str]] = set()

    def compare_all(self) -> Iterator[str]:
        for name, schema in self._old.items():
            if name.startswith(PART):
                continue
            if name in self._new:
                yield from self._compare(name, schema, self._new[name])
            else:
                yield f"{name} is gone"

    def _compare(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        old, new = _resolved(old, self._old), _resolved(new, self._new)
        # Facts and rosters contain each other, so a pair of parts is compared once.
        pair = (old.get("part", ""), new.get("part", ""))
        if all(pair):
            if pair in self._compared:
                return
            self._compared.add(pair)
        if _choices(old) or _choices(new):
            yield from self._compare_choices(where, old, new)
            return
        yield from self._compare_values(where, old, new)
        yield from self._compare_fields(where, old, new)
        for part in ("items", "additionalProperties"):
            if isinstance(old.get(part), dict) and isinstance(new.get(part), dict):
                yield from self._compare(f"{where}[]", old[part], new[part])
        places = zip(old.get("prefixItems", ()), new.get("prefixItems", ()), strict=False)
        for place, (before, now) in enumerate(places):
            yield from self._compare(f"{where}[{place}]", before, now)

    def _compare_fields(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        if "properties" not in old:
            return
        before, now = old["properties"], new.get("properties", {})
        needed = set(new.get("required", ()))
        for name, schema in before.items():
            if name not in now:
                yield f"{where}: field {name!r} is gone, or has another name"
                continue
            if name in needed and name not in old.get("required", ()):
                yield f"{where}: field {name!r} has lost its default"
            # Defaults are not stored, so another default gives stored rows another meaning.
            elif schema.get("default") != now[name].get("default"):
                yield f"{where}: field {name!r} has another default"
            yield from self._compare(f"{where}.{name}", schema, now[name])
        for name in sorted(needed - before.keys()):
            yield f"{where}: field {name!r} is new, and has no default"

    def _compare_choices(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        """Compare unions: by their tags, else each old choice with the new ones."""
        choices = [_resolved(each, self._new) for each in _choices(new) or [new]]
        for each in _choices(old) or [old]:
            before = _resolved(each, self._old)
            tag = _tag(before)
            place = f"{where} {tag!r}" if tag else where
            same = [choice for choice in choices if _kind(choice) == _kind(before)]
            if not same:
                yield f"{place} is gone" if tag else f"{place} was also {_kind(before)}"
            elif len(same) == 1:
                yield from self._compare(place, before, same[0])

    def _compare_values(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        """Compare types, tags, choices and bounds."""
        before, now = types_of(old), types_of(new)
        if before and now and not before <= now | ({"integer"} if "number" in now else set()):
            yield f"{where} was {in_words(before)} and is {in_words(now)}"
        lost = [each for each in old.get("enum", ()) if each not in new.get("enum", old["enum"])]
        if lost:
            yield f"{where} no longer takes {', '.join(map(repr, lost))}"
        narrower = [name for name in AT_MOST if new.get(name, inf) < old.get(name, inf)]
        narrower += [name for name in AT_LEAST if new.get(name, -inf) > old.get(name, -inf)]
        if not _takes_texts(new.get("pattern"), old.get("pattern")):
            narrower.append("pattern")
        for name in narrower:
            yield f"{where}: {name} was {old.get(name)} and is {new.get(name)}"


def _resolved(schema: Schema, parts: Schema) -> Schema:
    """Return a schema with the content of the part that it refers to, and the name of the part."""
    for each in schema.get("allOf", ()):
        schema = {**_resolved(each, parts), **schema}
    reference = schema.get("$ref")
    return {**_resolved(parts[reference], parts), "part": reference} if reference else schema


def _choices(schema: Schema) -> Sequence[Schema]:
    """Return the schemas of a union, or nothing."""
    choices: Sequence[Schema] = schema.get("anyOf") or schema.get("oneOf") or ()
    return choices


def types_of(schema: Schema) -> set[str]:
    """Return the JSON types that a schema allows, or nothing if it names none."""
    types = schema.get("type", [])
    return {types} if isinstance(types, str) else {*types}


def in_words(types: set[str]) -> str:
    """Return types as a text, such as "null or string"."""
    return " or ".join(sorted(types))


def _takes_texts(new: str | None, old: str | None) -> bool:
    """Return whether a pattern takes the texts of another one: as ``choice_meta`` writes them, it
    may have more choices."""
    if new is None or new == old:
        return True
    both = [CHOICES.fullmatch(pattern or "") for pattern in (old, new)]
    before, now = ({*match[1].split("|")} if match else None for match in both)
    return before is not None and now is not None and before <= now


def _tag(schema: Schema) -> str:
    """Return the tag of a kind, or ""."""
    kind = schema.get("properties", {}).get("kind", {})
    values = kind.get("enum", ())
    return str(values[0]) if len(values) == 1 else ""


def _kind(schema: Schema) -> str:
    """Return what tells the choices of a union apart."""
    return _tag(schema) or str(schema.get("type", "any"))
