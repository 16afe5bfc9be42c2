"""House rules: what a campaign may settle for itself, as fields that are asked and as one typed
structure.

A rule system has a frozen structure with every house rule and its default, and a data file with
what people read of each: label, help, what can be chosen, and the heading or ruling behind the
default.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from rulebook.book.data import read_toml
from rulebook.values.fields import ECHOED, HouseRule, takes, wanted
from rulebook.values.problems import Problem, RulesError, Settings, shown

KINDS = {bool: "flag", int: "number", str: "choice", type(None): "number"}
"""The kind of a house rule by the type of its default; None is a number that nobody has settled."""


Settled = TypeVar("Settled", bound=Struct)
"""The house rules of a system as they stand for somebody, each an attribute; without a word each
has its default."""


class HouseRuleBook(Generic[Settled]):
    """All house rules of a rule system, read from its data file and its structure."""

    def __init__(self, path: Path, structure: type[Settled]) -> None:
        self.path, self.structure = path, structure
        self.usual = structure()
        self._settled = lru_cache(maxsize=4096, typed=True)(self._read)

    @cached_property
    def rules(self) -> tuple[HouseRule, ...]:
        """Return every house rule, in the order in which a page shows them.

        A rule without a group belongs to that of the one before it.
        """
        rules, group = [], ""
        for row in read_toml(self.path)["rule"]:
            usual = getattr(self.usual, row["key"])
            row["group"] = group = row.get("group", group)
            derived = {"kind": KINDS[type(usual)], "default": usual, "required": usual is not None}
            rules.append(msgspec.convert({**row, **derived}, HouseRule))
        return tuple(rules)

    def complete(self, raw: Settings) -> Settled:
        """These settings, defaults filled in. Raise RulesError with everything that is wrong with
        them."""
        problems = setting_problems(self.rules, raw)
        if problems:
            raise RulesError(*problems)
        return self.settled(raw)

    def settled(self, settings: Settings) -> Settled:
        """Return the values of all house rules under stored settings; keys of other systems are
        ignored.

        Raise RulesError "bad-setting" for a value of the wrong type.
        """
        if not settings:
            return self.usual
        try:
            return self._settled(*(part for item in settings.items() for part in item))
        except TypeError:
            return self._read(*(part for item in settings.items() for part in item))

    def _read(self, *parts: Any) -> Settled:
        try:
            return msgspec.convert(dict(zip(parts[::2], parts[1::2], strict=True)), self.structure)
        except msgspec.ValidationError as error:
            sentence = f"A house rule cannot be read: {error}."
            raise RulesError(
                Problem(code="bad-setting", sentence=sentence, field="settings")
            ) from error


def setting_problems(rules: Iterable[HouseRule], raw: Settings) -> tuple[Problem, ...]:
    """Return everything that is wrong with some settings; the empty tuple is good."""
    by_key = {rule.key: rule for rule in rules}
    unknown = [_unknown(key, raw[key]) for key in raw if key not in by_key]
    wrong = [
        _wrong_value(by_key[key], raw[key])
        for key in raw
        if key in by_key and not takes(by_key[key], raw[key])
    ]
    return tuple(unknown + wrong)


def house_rules_json(rules: Iterable[HouseRule]) -> list[dict[str, Any]]:
    """House rules as a catalogue tells them."""
    shown = (
        "key",
        "label",
        "help",
        "kind",
        "default",
        "choices",
        "least",
        "most",
        "source",
        "book",
    )
    return [{name: msgspec.to_builtins(getattr(rule, name)) for name in shown} for rule in rules]


def _unknown(key: str, value: object) -> Problem:
    sentence = (
        f"There is no house rule {key[:ECHOED]!r}. Leave it out, or choose one of the catalogue's."
    )
    return Problem("unknown-house-rule", sentence, field=key[:ECHOED], value=shown(value)[:ECHOED])


def _wrong_value(rule: HouseRule, value: object) -> Problem:
    nothing = "" if rule.required else ", or nothing"
    sentence = (
        f"The house rule {rule.key!r} cannot be {repr(value)[:ECHOED]}. Give "
        f"{wanted(rule)}{nothing}."
    )
    return Problem(
        "wrong-house-rule-value",
        sentence,
        field=rule.key,
        value=shown(value)[:ECHOED],
        source=rule.source,
    )
