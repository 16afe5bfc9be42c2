"""What a calculator is made of: its description, told as data, and the function that answers."""

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
"""What fields of a kind are unless they say otherwise."""


class Question(Struct, frozen=True):
    """A calculator and the function that answers it, from whom it is about and the values that were read."""

    calculator: Calculator
    answer: Callable[..., Answer]


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields of one group, their keys with a prefix; ``about`` limits them to calculators about that.

    Each is the name of a field or of a set of fields, or a field of its own.
    """

    fields: tuple[str | dict[str, Any], ...]
    group: str = ""
    prefix: str = ""
    about: str = ""


class Description(Struct, frozen=True, forbid_unknown_fields=True):
    """A calculator as a data file has it; it is asked about each of ``about``, see ``Calculator``.

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


class Descriptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A data file of calculators, with the fields and the sets of fields that several of them ask."""

    calculator: tuple[Description, ...]
    field: Mapping[str, dict[str, Any]] = {}
    set: Mapping[str, tuple[str, ...]] = {}

    def calculators(self, choices: Mapping[str, Choices], more_fields: Mapping[str, Field]) -> tuple[Calculator, ...]:
        """All of them: about numbers, about two fighters, about a battle.

        ``choices`` are the lists of choices that fields name, ``more_fields`` others that parts may name.
        """
        shared = {
            **more_fields,
            **{key: field_of({"key": key, **description}, choices) for key, description in self.field.items()},
        }

        def named(names: tuple[str | dict[str, Any], ...]) -> Iterator[Field]:
            for each in names:
                if isinstance(each, dict):
                    yield field_of(each, choices)
                else:
                    yield from named(self.set[each]) if each in self.set else (shared[each],)

        def asked(parts: tuple[Part, ...], about: str) -> Iterator[Field]:
            for part in parts:
                if part.about in ("", about):
                    yield from grouped(part.group, *named(part.fields), prefix=part.prefix)

        return tuple(
            Calculator(
                key=each.key,
                name=each.name,
                help=each.help,
                fields=tuple(asked(each.parts, about)),
                group=each.group,
                about=about,
                examples=each.examples if about == "numbers" else (),
                source=each.source,
            )
            for about in ("numbers", "fighters", "battle")
            for each in self.calculator
            if about in each.about
        )


def field_of(description: Mapping[str, Any], choices: Mapping[str, Choices]) -> Field:
    """A field as a data file has it: ``choices`` may be a name, ``nothing`` is what the choice of none is called."""
    attributes = {"required": False, **USUAL.get(description["kind"], {}), **description}
    offered = (
        choices[attributes["choices"]] if isinstance(attributes.get("choices"), str) else attributes.get("choices", ())
    )
    nothing = [("", attributes.pop("nothing"))] if "nothing" in attributes else []
    return msgspec.convert({**attributes, "choices": (*nothing, *offered)}, type=Field)


def grouped(group: str, *fields: Field, prefix: str = "") -> tuple[Field, ...]:
    """Fields that belong together, their keys with a prefix."""
    return tuple(replace(field, key=prefix + field.key, group=group) for field in fields)
