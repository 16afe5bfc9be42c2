"""The form for the order of a roster: buttons to move up or down, and a group for each fighter."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext

from core.forms import PageForm
from core.input_forms import field_for, hidden
from rulebook.chronicle.states import FighterState
from warbands.selectors.roster_sections import Section
from warbands.services.roster_order import Arrangement, Arranging

NEW = "new"
STEPS = {"up": -1, "down": 1}


class ArrangeForm(PageForm):
    """The order of the roster and the group of each fighter.

    ``step`` names a button: "up:" or "down:" and what it moves.
    """

    sequence = field_for(Arrangement, "sequence", hidden(required=True))
    new_group = field_for(Arranging, "name")

    def __init__(
        self, *args: Any, standing: Sequence[Section[FighterState]], group: str, **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self.standing = standing
        self.fields["new_group"].label = gettext("Name of the new %(group)s") % {"group": group}
        self.names = [section.group.key for section in standing if section.group]
        choices = [
            ("", gettext("no %(group)s") % {"group": group}),
            *((f"-{name}", name) for name in self.names),
            (NEW, gettext("a new %(group)s") % {"group": group}),
        ]
        for section in standing:
            suffix = f"-{section.group.key}" if section.group else ""
            for fighter, _ in section.fighters:
                field = forms.ChoiceField(
                    choices=choices, required=False, initial=suffix, label=fighter.name
                )
                self.fields[f"group-{fighter.key}"] = field

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        new = any(value == NEW for name, value in data.items() if name.startswith("group-"))
        if new and not data.get("new_group"):
            self.add_error("new_group", gettext("Enter a name."))
        return data

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The sections for the page: each fighter with its field and its possible moves."""
        groups = [section.group.key for section in self.standing if section.group]
        return [
            {
                "group": section.group,
                "up": section.group is not None and section.group.key != groups[0],
                "down": section.group is not None and section.group.key != groups[-1],
                "fighters": [
                    {
                        "fighter": fighter,
                        "place": place,
                        "field": self[f"group-{fighter.key}"],
                        "up": number > 0 and section.fighters[number - 1][1] == place,
                        "down": number + 1 < len(section.fighters)
                        and section.fighters[number + 1][1] == place,
                    }
                    for number, (fighter, place) in enumerate(section.fighters)
                ],
            }
            for section in self.standing
        ]

    @property
    def arrangement(self) -> tuple[Arranging, ...]:
        """The requested order: fighters in their chosen groups, then the step that was taken."""
        ids_of_group: dict[str, list[str]] = {"": [], **{name: [] for name in self.names}}
        for section in self.standing:
            for fighter, _ in section.fighters:
                ids_of_group.setdefault(self._group_of(fighter.key), []).append(fighter.key)
        way, _, what = self.data.get("step", "").partition(":")
        named = [name for name in ids_of_group if name]
        names = _stepped(named, what[1:], way) if what.startswith("-") else named
        orders = ((name, _stepped(ids_of_group[name], what, way)) for name in ("", *names))
        return tuple(Arranging(name, tuple(UUID(key) for key in order)) for name, order in orders)

    def _group_of(self, fighter: str) -> str:
        chosen: str = self.cleaned_data[f"group-{fighter}"]
        return (
            " ".join(self.cleaned_data["new_group"].split())
            if chosen == NEW
            else chosen.removeprefix("-")
        )


def _stepped(order: list[str], what: str, way: str) -> list[str]:
    """Return the order after one item moved up or down; unchanged if it cannot move."""
    if not what or way not in STEPS or what not in order:
        return order
    place = order.index(what)
    other = place + STEPS[way]
    if not 0 <= other < len(order):
        return order
    moved = [*order]
    moved[place], moved[other] = moved[other], moved[place]
    return moved
