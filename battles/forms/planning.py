"""Forms for planning and setting up a battle, for line-ups and for substitutes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from battles.services.fielding import Force
from battles.services.planning import BattlePlan, Description, PlannedSide
from battles.services.substitutes import BattleSubstitute, FixtureSubstitute
from campaigns.models import Enrolment
from clubs.models import Membership
from core.forms import PageForm, choices_of
from core.input_forms import chosen, field_for, form_class, hidden, like, story_area, ticks
from core.ruleset_forms import POST, filled_values, form_field, post_fields, posts_of
from rulebook.ruleset import Group, Post, Posts, Scenario
from rulebook.values.battles import ScenarioRole
from rulebook.values.fields import Field, nested
from warbands.models import Fighter
from warbands.selectors.roster_sections import Section, sections

MAX_TILES = 24
"""With more opponents a list is quicker to use."""


class SidesForm(PageForm):
    """A scenario with a warband for each of its roles.

    The form may be sent twice and plans one battle.
    """

    field_order = ("client_id", "fought_on", "points_limit", "title", "friendly", "roll")
    places = {"sides": "", "scenario": ""}
    roll = forms.BooleanField(
        label=gettext_lazy("Roll the table, the weather and the hour at once"),
        required=False,
        help_text=gettext_lazy("You can also do it later, or type in what you roll yourselves."),
    )

    def __init__(
        self,
        *args: Any,
        scenario: Scenario,
        warbands: Iterable[tuple[UUID, str]],
        campaign: UUID | None,
        points: bool,
        laid_out: bool,
        own_warband: UUID | None = None,
        against: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.scenario, self.campaign = scenario, campaign
        self.parts = [*parts_of(scenario)]
        offered = [(str(key), called) for key, called in warbands]
        others = [(key, called) for key, called in offered if key != str(own_warband)]
        for place, (name, role, needed) in enumerate(self.parts):
            self.fields[name] = forms.TypedChoiceField(
                label=role.name,
                choices=choices_of(offered, "–"),
                coerce=UUID,
                required=needed,
                empty_value=None,
            )
            if own_warband and place < 2 and role is self.parts[1 - place][1]:
                self.fields[name].label = (gettext("Yours"), gettext("Against"))[place]
            if own_warband and place == 0:
                self.fields[name].initial = str(own_warband)
            elif own_warband and place == 1 and len(others) <= MAX_TILES:
                # One tap chooses the opponent; the player's own warband comes last, in case they
                # take the other role.
                last = [each for each in offered if each[0] == str(own_warband)]
                self.fields[name].widget = forms.RadioSelect()
                self.fields[name].choices = [*others, *last]  # type: ignore[attr-defined]
                self.fields[name].initial = against or (others[0][0] if len(others) == 1 else None)
        if campaign:
            del self.fields["friendly"]
        if not points:
            del self.fields["points_limit"]
        if not laid_out:
            del self.fields["roll"]

    def clean_roll(self) -> bool:
        """Return whether the set-up is rolled at once, which needs a points limit."""
        roll: bool = self.cleaned_data["roll"]
        if (
            roll
            and "points_limit" in self.fields
            and not self.campaign
            and not self.cleaned_data.get("points_limit")
        ):
            raise forms.ValidationError(
                gettext("How much ground there is follows from the points: give a points limit.")
            )
        return roll

    def place_of(self, field: str) -> str | None:
        """Return the field for a side as the service counts it: "sides.1.warband"."""
        parts = field.split(".")
        if len(parts) > 1 and parts[0] == "sides" and parts[1].isdecimal():
            filled = [name for name, _, _ in self.parts if self.cleaned_data.get(name)]
            return filled[int(parts[1])] if int(parts[1]) < len(filled) else None
        return super().place_of(field)

    @property
    def sides(self) -> list[forms.BoundField]:
        """The fields for the warbands."""
        return [self[name] for name, _, _ in self.parts]

    @property
    def plan(self) -> BattlePlan:
        """The plan as the service takes it."""
        data = self.cleaned_data
        sides = (
            PlannedSide(warband=data[name], role=role.key)
            for name, role, _ in self.parts
            if data.get(name)
        )
        return BattlePlan(
            scenario=self.scenario.key,
            sides=tuple(sides),
            fought_on=data["fought_on"],
            campaign=self.campaign,
            points_limit=data.get("points_limit"),
            friendly=bool(data.get("friendly")),
            title=data["title"],
            client_id=data["client_id"],
        )


PlanForm = form_class(
    BattlePlan,
    SidesForm,
    client_id=hidden(initial=uuid4, required=True),
    fought_on=like(initial=timezone.localdate),
    without=("campaign", "scenario", "sides", "story", "fixture", "set_up", "part"),
)


def parts_of(scenario: Scenario) -> Iterator[tuple[str, ScenarioRole, bool]]:
    """Yield the field name and role of each possible side, and whether it is required."""
    for role in scenario.roles:
        for place in range(role.most):
            yield f"{role.key}.{place}", role, place < role.least


class CountInForm(PageForm):
    """A form that makes a battle count in a campaign."""

    campaign_id = forms.UUIDField(widget=forms.HiddenInput)
    version = forms.IntegerField(widget=forms.HiddenInput)


class DatedForm(PageForm):
    """The name, story and, until it is confirmed, the day of a battle."""

    field_order = ("fought_on", "title", "story", "version")
    fought_on = field_for(BattlePlan, "fought_on")
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, dated: bool = True, **named: Any) -> None:
        super().__init__(*args, **named)
        # A form that was opened before the day was part of it does not change the day.
        if not dated or (self.is_bound and "fought_on" not in self.data):
            del self.fields["fought_on"]


DescribeForm = form_class(Description, DatedForm, story=story_area(8))


class ForceLine(NamedTuple):
    """A fighter who can be in the line-up, by its id, and its checkbox."""

    key: str
    fighter: Fighter
    box: Any


class ForceForm(PageForm):
    """The line-up of one side, and the holders of its posts."""

    fighters = field_for(Force, "fighters", ticks())
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        fighters: Sequence[Fighter],
        groups: Iterable[Group],
        posts: Iterable[Post],
        usual: Callable[[Iterable[str]], Posts],
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.rows, self.groups = fighters, groups
        choices = [(str(row.pk), row.name) for row in fighters]
        self.fields["fighters"].choices = choices  # type: ignore[attr-defined]
        # The default holders of posts depend on the ticked fighters.
        self.fields.update(post_fields(posts, choices, usual(str(row.pk) for row in self.chosen)))

    def place_of(self, field: str) -> str | None:
        """Return the field for a problem: services name "fighters.3", or a post by its key."""
        return super().place_of(f"{POST}{field}") or super().place_of(field.partition(".")[0])

    @property
    def sections(self) -> tuple[Section[ForceLine], ...]:
        """The fighters with their checkboxes, by group."""
        lines = (
            ForceLine(str(row.pk), row, box)
            for row, box in zip(self.rows, self["fighters"], strict=True)
        )
        return sections(self.groups, lines)

    @property
    def chosen(self) -> list[Fighter]:
        """The ticked fighters, as far as they are valid."""
        ticked = {str(key) for key in self["fighters"].value() or ()}
        return [row for row in self.rows if str(row.pk) in ticked]

    @property
    def force(self) -> Force:
        """The line-up as the service takes it."""
        data = self.cleaned_data
        return Force(fighters=tuple(data["fighters"]), posts=posts_of(data))

    @property
    def force_as_ticked(self) -> Force:
        """The line-up as it is ticked now, complete or not."""
        named = {name: self[name].value() for name in self.fields if name.startswith(POST)}
        chosen = {str(row.pk): row.pk for row in self.rows}
        posts = {name: chosen.get(str(value)) for name, value in named.items()}
        return Force(fighters=tuple(row.pk for row in self.chosen), posts=posts_of(posts))

    @property
    def posts_to_fill(self) -> list[forms.BoundField]:
        """The fields of the posts."""
        return [self[name] for name in self.fields if name.startswith(POST)]


ROLL_IT = gettext_noop("Leave it to Muster")


class SetUpForm(PageForm):
    """The set-up of a battle: empty fields are rolled, or follow from the rules."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, rules_fields: Iterable[Field], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules_fields = [*rules_fields]
        for field in self.rules_fields:
            self.fields[field.key] = form_field(
                field, tiles=not field.group, empty=gettext(ROLL_IT)
            )

    @property
    def typed(self) -> Mapping[str, Any]:
        """The typed values, as the rules take them."""
        return nested(
            filled_values(
                {field.key: self.cleaned_data.get(field.key) for field in self.rules_fields}
            )
        )

    @property
    def questions(self) -> list[forms.BoundField]:
        """The fields that are shown."""
        return [self[field.key] for field in self.rules_fields]


class SubstituteForm(PageForm):
    """The member who plays a side of a battle for the warband's player."""

    player = field_for(BattleSubstitute, "player_id", chosen())

    def __init__(self, *args: Any, members: Iterable[Membership], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = choices_of(
            ((str(row.pk), row.name) for row in members), gettext("Nobody: the player plays")
        )
        self.fields["player"].choices = choices  # type: ignore[attr-defined]


class FixtureSubstituteForm(SubstituteForm):
    """The member who plays a fixture for the player of one of its warbands."""

    field_order = ("enrolment", "player")
    enrolment = field_for(FixtureSubstitute, "enrolment_id", chosen())

    def __init__(self, *args: Any, enrolments: Iterable[Enrolment], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [(str(row.pk), row.warband.name) for row in enrolments]
        self.fields["enrolment"].choices = choices  # type: ignore[attr-defined]
