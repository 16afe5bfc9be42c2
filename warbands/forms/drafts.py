"""The form on a draft's page: its button and its fields, as changes of the draft."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.http import QueryDict

from rulebook.ruleset import ReadyBuild
from warbands.drafts import changes
from warbands.drafts.changes import DraftChange
from warbands.forms.fighters import BuildForm
from warbands.forms.warbands import FurnishForm
from warbands.selectors.draft_page import DraftFighter, DraftPage

NAME = "name."
MAX_DIGITS = 9
LONGEST = 200
MAX_AT_ONCE = 50


def pressed(
    data: QueryDict,
    page: DraftPage,
    offered: Mapping[str, ReadyBuild],
    kit: BuildForm | None,
    bought: FurnishForm | None,
    group_field: str = "",
) -> Iterator[DraftChange]:
    """Yield every change that a form of the page asks for: first the fields, then the button.

    ``offered`` are the builds that can join, by the values of their buttons; ``group_field`` names
    the field of a build that holds its group.
    """
    names = {
        each.id: sent_text(data, NAME + each.id)
        for each in page.everybody
        if NAME + each.id in data
    }
    had = {each.id: each.name if each.named else "" for each in page.everybody}
    if renamed := {key: name for key, name in names.items() if name.strip() != had[key]}:
        yield changes.Name(renamed)
    if "limit" in data and (limit := whole_number(sent_text(data, "limit"))) != page.limit:
        yield changes.Limit(limit)
    if bought is not None and bought.is_valid():
        yield changes.Buy(bought.extras)
    if kit is not None and kit.is_valid():
        ticked = set(data.getlist("kit"))
        present = tuple(each.id for each in page.everybody if each.id in ticked)
        if present:
            yield changes.Equip(present, kit.build)
    if ready := offered.get(sent_text(data, "add")):
        group = joining_group(data) if group_field and ready.grouped else ""
        yield changes.Add(
            {**ready.build, **({group_field: group} if group else {})}, joining_at_once(data)
        )
    yield from _buttons(data, page)


def joining_at_once(data: QueryDict) -> int:
    """Return how many fighters of a build join with one tap."""
    return min(max(whole_number(sent_text(data, "many")) or 1, 1), MAX_AT_ONCE)


def joining_group(data: QueryDict) -> str:
    """Return the group (a brigade, a Ward) that new fighters join, "" for none."""
    return " ".join(sent_text(data, "into").split())


def _buttons(data: QueryDict, page: DraftPage) -> Iterator[DraftChange]:
    """Yield the change of the button that was pressed, if it concerns the draft's fighters."""
    chosen = tuple(each.id for each in page.everybody if each.id in data.getlist("chosen"))
    field, _, choice = sent_text(data, "give").partition("=")
    change_of_button: dict[str, Callable[[str], DraftChange]] = {
        "copy": changes.Duplicate,
        "fewer": changes.RemoveOne,
        "remove": lambda key: changes.Remove((key,)),
        "appoint": lambda key: changes.Appoint(key.partition(":")[0], key.partition(":")[2]),
        "dismiss": lambda key: changes.Appoint(
            key.partition(":")[0], key.partition(":")[2], holds=False
        ),
        "give_chosen": lambda _: changes.Give(chosen, field, choice),
        "group_chosen": lambda _: changes.Give(
            chosen, sent_text(data, "group_field"), sent_text(data, "group").strip()
        ),
        "names": lambda _: changes.NameAll(),
        "fill": lambda _: changes.Fill(),
    }
    yield from (
        made(sent_text(data, button)) for button, made in change_of_button.items() if button in data
    )


def sent_text(data: QueryDict, name: str) -> str:
    """Return the value of a field of the page, cut to the longest allowed."""
    return str(data.get(name, ""))[:LONGEST]


def whole_number(text: str) -> int | None:
    """Return the number in a text, or None."""
    digits = text.strip()
    return (
        int(digits)
        if digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS
        else None
    )


def known_id(text: str) -> UUID | None:
    """Return the id that a page sent, or None if it is not an id."""
    try:
        return UUID(text)
    except ValueError:
        return None


def with_kit_of(page: DraftPage, opened: str) -> tuple[DraftFighter, ...]:
    """Return the fighters whose equipment form is open.

    ``opened`` is the id of a fighter, or "all:" and an id for all fighters with its build.
    """
    whole, _, key = opened.rpartition(":")
    for section in page.sections:
        for lot in section.lots:
            if any(each.id == key and each.open for each in lot.fighters):
                return (
                    lot.fighters
                    if whole
                    else tuple(each for each in lot.fighters if each.id == key)
                )
    return ()


def placeholders(data: QueryDict) -> dict[str, Any]:
    """Return the fields that every change has in common."""
    return {"client_id": known_id(sent_text(data, "client_id"))}
