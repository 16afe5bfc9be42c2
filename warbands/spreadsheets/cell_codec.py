"""The codec between a cell of a spreadsheet and a field of the rules.

It reads many spellings and writes plain words.
"""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import chain
from typing import Any

from django.utils.translation import gettext

from core.csv_files import escape_formula, plain, unescape_cell
from rulebook.values.fields import FALSE, TRUE, Field, UnreadableValue, as_text, read_value, wanted

YES = TRUE | {"y", "x", "ja", "j", "wahr", "✓", "✔", "√"}
NO = FALSE | {"n", "nein", "falsch"}
NOTHING = frozenset({"none", "nothing", "no", "-", "keine", "keiner", "keins", "nichts", "nein"})
"""Words for "nothing", in contrast to an empty cell, which means the default."""
SEVERAL = re.compile(r"[;|\n\r]+")
TIMES = re.compile(r"([0-9]{1,2}) ?x ?(.+)")
WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:[.,]0+)?")
CHOSEN = frozenset({"choice", "picks", "numbers", "combatant", "side"})
SEVERAL_OF = ("list", "picks", "numbers")
MAX_NAMED = 8


class CellProblem(Exception):
    """A cell that cannot be used: a stable code, a sentence, and the nearest valid value."""

    def __init__(self, code: str, sentence: str, nearest: str = "") -> None:
        self.code, self.sentence, self.nearest = code, sentence, nearest
        super().__init__(sentence)


def read_cell(field: Field, cell: str) -> Any:
    """Return what a cell says about a field, as JSON. Raises CellProblem."""
    text = unescape_cell(cell).strip()
    key = _key(field, text)
    if text and not key:
        # The cell says "nothing" explicitly, so do not use the default.
        if field.kind in SEVERAL_OF:
            return []
        return None if field.kind in ("number", "length") else ""
    try:
        value = read_value(field, key)
    except UnreadableValue as error:
        raise CellProblem(
            error.code, gettext("Enter %(wanted)s.") % {"wanted": in_words(field)}
        ) from error
    if isinstance(value, tuple):
        return list(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def write_cell(field: Field, usual: Field | None = None) -> str:
    """Return a field's value as text that ``read_cell`` understands.

    Returns "" if the value is that of ``usual``.
    """
    now, before = as_text(field.default), as_text(usual.default) if usual else ""
    labels = dict(field.choices)
    if field.kind == "flag":
        if now in TRUE:
            return "yes"
        return "no" if before in TRUE else ""
    if not now:
        return "none" if before else ""
    if field.kind == "list":
        return escape_formula("; ".join(labels.get(each, each) for each in now.split(",")))
    if field.kind in CHOSEN or field.choices:
        return escape_formula(labels.get(now, now))
    return (
        now if WHOLE.fullmatch(now) and field.kind in ("number", "length") else escape_formula(now)
    )


def is_nothing(text: str) -> bool:
    """Return whether a cell says that there is nothing."""
    return plain(text) in NOTHING


def names_of(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the keys by everything that people may write for them: key or label."""
    pairs = list(pairs)
    by_label = {plain(label): key for key, label in reversed(pairs)}
    return {**{plain(key): key for key, _ in pairs if key}, **by_label}


def found_in(key_of: Mapping[str, str], text: str, labels: Iterable[str]) -> str:
    """Return the key for a written name.

    Raises CellProblem with the nearest label, or with the known ones.
    """
    name = plain(text)
    if name in key_of:
        return key_of[name]
    values = {"found": text[:60]}
    near = nearest(text, labels)
    if near:
        sentence = gettext("Unknown value “%(found)s”. Did you mean “%(nearest)s”?") % {
            **values,
            "nearest": near,
        }
    else:
        few = [label for label in labels if label]
        some = ", ".join(few[:MAX_NAMED]) + (", …" if len(few) > MAX_NAMED else "")
        sentence = gettext("Unknown value “%(found)s”. Use one of: %(some)s.") % {
            **values,
            "some": some,
        }
    raise CellProblem("unknown-word", sentence, near)


def nearest(text: str, labels: Iterable[str]) -> str:
    """Return the label with the most similar spelling, "" if none is similar."""
    by_plain_name = {plain(label): label for label in labels if label}
    matches = get_close_matches(plain(text)[:100], by_plain_name, n=1)
    return by_plain_name[matches[0]] if matches else ""


def in_words(field: Field) -> str:
    """Return the values that a cell for this field accepts, as people write them."""
    labels = [label for key, label in field.choices if key]
    if field.kind == "flag":
        return gettext("yes or no")
    if field.kind == "list" and labels:
        return gettext("one or more, separated by “;”: %(some)s") % {"some": "; ".join(labels)}
    if labels:
        return gettext("one of these: %(some)s") % {"some": "; ".join(labels)}
    if field.kind == "text" and field.most is not None:
        return gettext("text of up to %(most)s characters") % {"most": field.most}
    if field.kind in ("number", "length") and field.most is not None:
        values = {"least": field.least or 0, "most": field.most}
        return gettext("a number from %(least)s to %(most)s") % values
    return wanted(field)


def several(cell: str) -> list[str]:
    """Return the parts of a cell with several values."""
    return [part for part in (each.strip() for each in SEVERAL.split(unescape_cell(cell))) if part]


def _key(field: Field, text: str) -> str:
    """Return a cell's value in the form that the field's reader takes. Raises CellProblem."""
    if not text:
        return ""
    if field.kind == "flag":
        return _flag(field, text)
    if field.choices:
        key_of, labels = names_of(field.choices), [label for _, label in field.choices]
        if (
            plain(text) not in key_of
            and is_nothing(text)
            and (field.kind == "list" or not field.required)
        ):
            return ""
        if field.kind == "list":
            return ",".join(found_in(key_of, each, labels) for each in _parts(text, key_of))
        return _chosen(text, key_of, labels)
    if field.kind in ("number", "length"):
        if is_nothing(text):
            return ""
        whole = WHOLE.fullmatch(text)
        return whole[1] if whole else text.replace(",", ".")
    return text


def _flag(field: Field, text: str) -> str:
    word = plain(text)
    if word in YES or word in NO or word in NOTHING:
        return "true" if word in YES else "false"
    # Fields that can be yes or no are often written by their own name.
    if word == plain(field.label):
        return "true"
    raise CellProblem(
        "not-a-flag", gettext("“%(found)s” is neither yes nor no.") % {"found": text[:60]}
    )


def _parts(text: str, key_of: Mapping[str, str]) -> list[str]:
    """Return the parts of a list. A comma separates too, if all parts are then known."""
    parts = [each.strip() for each in SEVERAL.split(text) if each.strip()]
    by_commas = [
        [each] if plain(each) in key_of else [part.strip() for part in each.split(",")]
        for each in parts
    ]
    return [
        part
        for each, pieces in zip(parts, by_commas, strict=True)
        for part in (pieces if all(plain(piece) in key_of for piece in pieces) else [each])
    ]


def _chosen(text: str, key_of: Mapping[str, str], labels: list[str]) -> str:
    """Return the key of one choice.

    A choice may be several values written out: "Shield; Shield" for "2 × Shield".
    """
    if plain(text) in key_of:
        return key_of[plain(text)]
    parts = list(
        chain.from_iterable(_repeated(each) for each in SEVERAL.split(text) if each.strip())
    )
    keys = [key_of.get(plain(each)) for each in parts]
    if all(keys):
        lists = {tuple(sorted(key.split(","))): key for key in key_of.values()}
        chosen = lists.get(tuple(sorted(key for each in keys if each for key in each.split(","))))
        if chosen is not None:
            return chosen
    return found_in(key_of, text, labels)


def _repeated(part: str) -> list[str]:
    counted = TIMES.fullmatch(plain(part))
    return [counted[2]] * int(counted[1]) if counted else [part]
