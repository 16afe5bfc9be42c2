"""Forms of campaigns: the terms, the scoring of the standings, and entering a warband."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, Format
from campaigns.scoring import IN_WORDS, Scoring, criteria_under, scoring_under
from campaigns.services.campaigns import CampaignEdit, CampaignPlan, FollowUp
from campaigns.services.enrolments import PALETTE, Enrol
from clubs.models import Membership, Role
from core.forms import PageForm, choices_of
from core.input_forms import Maker, chosen, form_class, hidden, like, radio, story_area
from core.ruleset_words import translated_words
from core.templatetags.muster import pennant
from core.users import Visibility
from rulebook.registry import rulesets
from rulebook.ruleset import Ruleset, Words
from warbands.models import Warband

VISIBILITIES = [
    (Visibility.PRIVATE.value, _("Private: club members only")),
    (Visibility.UNLISTED.value, _("Unlisted: anyone with the link")),
    (Visibility.PUBLIC.value, _("Public: anyone")),
]
FORMATS = [
    (Format.LINKED.value, _("Campaign with experience: plan battles as you like")),
    (Format.TABLE.value, _("League: everyone plays rounds of fixtures")),
    (Format.CLASSIC.value, Format.CLASSIC.label),
]
"""The formats as a choice. Standings and experience are part of the first two."""
COLOURS = (
    _("Madder red"),
    _("Woad blue"),
    _("Forest green"),
    _("Old gold"),
    _("Purple"),
    _("Sea green"),
    _("Tawny"),
    _("Iron"),
)


OWN: dict[str, Maker] = {
    "story": story_area(5),
    "format": radio(FORMATS, initial=Format.LINKED),
    "visibility": radio(VISIBILITIES, initial=Visibility.PRIVATE),
}


class RulesetForm(PageForm):
    """The terms of a new campaign under a rule system, which the page's address names."""

    field_order = ("name", "ruleset", "points", "games", "format", "visibility", "story")

    def __init__(self, *args: Any, rules: Ruleset, **named: Any) -> None:
        super().__init__(*args, **named)
        ruleset = self.fields["ruleset"]
        ruleset.choices = [(each.key, each.name) for each in rulesets()]  # type: ignore[attr-defined]
        ruleset.widget, ruleset.initial = forms.HiddenInput(), rules.key
        self.fields["points"].initial = rules.points.suggested
        self.fields["games"].label = _battles_of_each(rules.words)
        limit_to_rules(self, rules)


def limit_to_rules(form: PageForm, rules: Ruleset) -> None:
    """Leave out what a rule system does not have: points, and the classic format."""
    if not rules.points.counted:
        del form.fields["points"]
    if rules.classic is None:
        formats = form.fields["format"]
        kept = [choice for choice in FORMATS if choice[0] != Format.CLASSIC]
        formats.choices = kept  # type: ignore[attr-defined]


def _battles_of_each(words: Words) -> str:
    return gettext("Battles for each %(warband)s") % {"warband": translated_words(words).warband}


PlanForm = form_class(
    CampaignPlan,
    RulesetForm,
    ruleset=chosen(),
    without=("club_id", "house_rules", "scoring"),
    **OWN,
)


class TermsForm(PageForm):
    """The terms of an existing campaign; points and format are fixed once a warband is enrolled."""

    field_order = ("name", "story", "points", "games", "format", "visibility")

    def __init__(self, *args: Any, campaign: Campaign, bound: bool, **named: Any) -> None:
        now = {name: getattr(campaign, name) for name in self.base_fields}
        super().__init__(*args, **{"initial": now, **named})
        rules = ruleset_of_campaign(campaign)
        self.fields["games"].label = _battles_of_each(rules.words)
        limit_to_rules(self, rules)
        for name in {"points", "format"} & {*self.fields} if bound else ():
            self.fields[name].disabled = True
            self.fields[name].help_text = gettext(
                "Fixed, because %(warbands)s have already entered."
            ) % {"warbands": campaign.words.warbands.capitalize()}


ChangeForm = form_class(CampaignEdit, TermsForm, version=hidden(), without=("scoring",), **OWN)


class FormerTermsForm(PageForm):
    """The terms of a finished campaign, which can be changed for the next season."""

    field_order = ("name", "points", "games", "format", "visibility", "story")

    def __init__(self, *args: Any, campaign: Campaign, **named: Any) -> None:
        terms = {
            name: getattr(campaign, name) for name in ("points", "games", "format", "visibility")
        }
        super().__init__(*args, **{"initial": terms, **named})
        rules = ruleset_of_campaign(campaign)
        self.fields["games"].label = _battles_of_each(rules.words)
        limit_to_rules(self, rules)


FollowForm = form_class(FollowUp, FormerTermsForm, without=("house_rules", "scoring"), **OWN)


class StepForm(PageForm):
    """Confirmation of an important step, with the version of the campaign that was shown."""

    version = forms.IntegerField(widget=forms.HiddenInput)


class BeginForm(PageForm):
    """The scenarios of a classic campaign whose players choose them."""

    places = {"scenarios": "scenario_0"}

    def __init__(self, *args: Any, rules: Ruleset, games: int, **named: Any) -> None:
        super().__init__(*args, **named)
        choices = choices_of(
            ((each.key, each.name) for each in rules.scenarios()), gettext("Choose…")
        )
        for place in range(games):
            label = gettext("Small battle %(number)s") % {"number": place + 1}
            self.fields[f"scenario_{place}"] = forms.ChoiceField(label=label, choices=choices)

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The keys of the scenarios in the order of the games, as the service expects them."""
        return tuple(self.cleaned_data.values())


class TableForm(PageForm):
    """The scoring of a campaign's standings, limited to what its rules support."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, campaign: Campaign, **named: Any) -> None:
        scoring = scoring_under(campaign.scoring, campaign.shown)
        super().__init__(*args, **{"initial": _flat(scoring, campaign.version), **named})
        usable = criteria_under(campaign.shown)
        criteria = choices_of(((key.value, gettext(IN_WORDS[key])) for key in usable), "–")
        for name in () if campaign.shown.victory_points else ("clear_win", "margin"):
            del self.fields[name]
        for place in range(len(usable)):
            label = gettext("First tie-breaker") if place == 0 else gettext("Next tie-breaker")
            self.fields[f"tie_{place}"] = forms.ChoiceField(
                label=label, choices=criteria, required=False
            )

    def place_of(self, field: str) -> str | None:
        """Return the form field for a field of the services.

        They name it "scoring.win"; errors of the tie-breakers' order appear at the first
        tie-breaker.
        """
        name = field.removeprefix("scoring.")
        return super().place_of("tie_0" if name == "tie_breakers" else name)

    @property
    def scoring(self) -> Mapping[str, Any]:
        """The settings as the service expects them."""
        data = dict(self.cleaned_data)
        ties = [data.pop(f"tie_{place}", "") for place in range(len(IN_WORDS))]
        data.pop("version")
        if data["bye"] is None:
            data.pop("bye")
        return {**data, "tie_breakers": [tie for tie in ties if tie]}


ScoringForm = form_class(Scoring, TableForm, bye=like(required=False), without=("tie_breakers",))


def _flat(scoring: Scoring, version: int) -> dict[str, Any]:
    figures = {
        key: getattr(scoring, key) for key in ("win", "draw", "loss", "clear_win", "margin", "bye")
    }
    ties = {f"tie_{place}": str(tie) for place, tie in enumerate(scoring.tie_breakers)}
    return {**figures, **ties, "version": version}


def painted() -> list[tuple[str, str]]:
    """Return the colours of the palette as choices, each with its pennant."""
    swatches = zip(PALETTE, COLOURS, strict=True)
    return [(colour, format_html("{} {}", pennant(colour), name)) for colour, name in swatches]


class ColourForm(PageForm):
    """A new colour for a warband in a campaign."""

    colour = forms.ChoiceField(label=_("Colour"), choices=painted, widget=forms.RadioSelect)


class ComersForm(PageForm):
    """The warbands that can enter a campaign; for organisers also the player and the override."""

    def __init__(
        self,
        *args: Any,
        words: Words,
        warbands: Iterable[Warband],
        members: Iterable[Membership],
        organises: bool,
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.fields["warband_id"].label = words.warband.capitalize()
        rows = list(warbands)
        named_warbands = [(str(row.pk), row.in_a_choice) for row in rows]
        self._choose("warband_id", choices_of(named_warbands, gettext("Choose…")))
        self._choose_player(members, rows, words)
        self._choose("colour", [("", gettext("Next free colour")), *painted()])
        if not organises:
            del self.fields["player_id"], self.fields["overrule"]

    def _choose_player(
        self, members: Iterable[Membership], warbands: Sequence[Warband], words: Words
    ) -> None:
        """Ask who plays. Only the warband of a guest player has no owner who plays by default."""
        player = self.fields["player_id"]
        owned = any(row.owner_id is not None for row in warbands)
        ownerless = any(row.owner_id is None for row in warbands)
        player.required = ownerless and not owned
        player.needed = ownerless  # type: ignore[attr-defined]
        if ownerless and owned:
            player.help_text = gettext(
                "Choose the player of a guest player's %(warband)s: it has no owner."
            ) % {"warband": words.warband}
        nobody = gettext("Its owner") if owned else gettext("Choose…")
        choices = ((str(row.pk), row.name) for row in members)
        self._choose("player_id", choices_of(choices, nobody))

    def _choose(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]


EnrolForm = form_class(
    Enrol, ComersForm, warband_id=chosen(), player_id=chosen(), colour=radio((), required=False)
)


def players(members: Iterable[Membership]) -> list[Membership]:
    """Return the members who can play a warband: all except spectators."""
    return [member for member in members if member.role != Role.SPECTATOR]
