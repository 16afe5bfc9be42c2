"""Calculators: the description of each, read from data, and the function that answers it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulebook.values.answers import Answer
from rulebook.values.battles import Calculator
from rulebook.values.fields import Choices, Field

Values = Mapping[str, Any]
USUAL: Mapping[str, Values] = {
    "number": {"least": 0, "most": 50},
    "length": {"least": 0, "most": 120},
    "flag": {"default": "false"},
}
"""The defaults for fields of each kind."""


class Question(Struct, frozen=True):
    """A calculator and the function that answers it, from its subject and the values that were
    read."""

    calculator: Calculator
    answer: Callable[..., Answer]


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields of one group, their keys with a prefix; ``about`` limits them to calculators about
    that.

    Each is the name of a field or of a set of fields, or a field of its own.
    """

    fields: tuple[str | dict[str, Any], ...]
    group: str = ""
    prefix: str = ""
    about: str = ""


class Description(Struct, frozen=True, forbid_unknown_fields=True):
    """A calculator in a data file; there is one for each of ``about``, see ``Calculator``.

    ``examples`` are of those about numbers.
    """

    key: str
    name: str
    help: str
    group: str
    source: str
    parts: tuple[Part, ...]
    about: tuple[str, ...] = ("numbers",)
    examples: tuple[Mapping[str, str], ...] = ()

    def calculator(self, about: str, fields: tuple[Field, ...]) -> Calculator:
        """Return the calculator about "numbers", "fighters" or a "battle" that asks these
        fields."""
        return Calculator(
            key=self.key,
            name=self.name,
            help=self.help,
            fields=fields,
            group=self.group,
            about=about,
            # Examples are numbers: they fit neither fighters nor a battle.
            examples=self.examples if about == "numbers" else (),
            source=self.source,
        )


class Descriptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A data file of calculators, with the fields and the sets of fields that several of them
    ask."""

    calculator: tuple[Description, ...]
    field: Mapping[str, dict[str, Any]] = {}
    set: Mapping[str, tuple[str, ...]] = {}

    def calculators(
        self, choices: Mapping[str, Choices], more_fields: Mapping[str, Field]
    ) -> tuple[Calculator, ...]:
        """Yield all of them: about numbers, about two fighters, about a battle.

        ``choices`` are the lists of choices that fields name, ``more_fields`` others that parts may
        name.
        """
        own_fields = {
            key: field_of({"key": key, **row}, choices) for key, row in self.field.items()
        }
        shared = {**more_fields, **own_fields}

        def fields_of(parts: tuple[Part, ...], about: str) -> Iterator[Field]:
            for part in parts:
                if part.about in ("", about):
                    yield from grouped(
                        part.group, *self._fields(part.fields, shared, choices), prefix=part.prefix
                    )

        calculators = []
        for about in ("numbers", "fighters", "battle"):
            for description in self.calculator:
                if about in description.about:
                    fields = tuple(fields_of(description.parts, about))
                    calculators.append(description.calculator(about, fields))
        return tuple(calculators)

    def _fields(
        self,
        names: tuple[str | dict[str, Any], ...],
        shared: Mapping[str, Field],
        choices: Mapping[str, Choices],
    ) -> Iterator[Field]:
        """Yield the fields of a part: those it describes itself, those of a set, or those that are
        shared."""
        for name in names:
            if isinstance(name, dict):
                yield field_of(name, choices)
            elif name in self.set:
                yield from self._fields(self.set[name], shared, choices)
            else:
                yield shared[name]


def field_of(description: Mapping[str, Any], choices: Mapping[str, Choices]) -> Field:
    """Return a field from its description in a data file.

    ``choices`` may be a name, ``nothing`` is what the choice of none is called.
    """
    attributes = {"required": False, **USUAL.get(description["kind"], {}), **description}
    offered = attributes.get("choices", ())
    if isinstance(offered, str):
        offered = choices[offered]
    nothing = [("", attributes.pop("nothing"))] if "nothing" in attributes else []
    return msgspec.convert({**attributes, "choices": (*nothing, *offered)}, type=Field)


def grouped(group: str, *fields: Field, prefix: str = "") -> tuple[Field, ...]:
    """Fields that belong together, their keys with a prefix."""
    return tuple(replace(field, key=prefix + field.key, group=group) for field in fields)
