"""The form of a campaign's house rules, built from the settings that its rule system offers."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from django import forms
from msgspec.structs import replace

from campaigns.house_rules import in_words
from campaigns.models import Campaign
from campaigns.services.house_rules import HouseRulesEdit
from core.forms import PageForm
from core.input_forms import form_class, hidden, like
from core.ruleset_forms import form_field
from core.ruleset_words import rules_text
from rulebook.ruleset import HouseRule, Ruleset


class Line(NamedTuple):
    """A house rule with its form field, and its default as text."""

    rule: HouseRule
    field: forms.BoundField
    default: str


class RulesForm(PageForm):
    """A field for each house rule."""

    def __init__(self, *args: Any, campaign: Campaign, rules: Ruleset, **named: Any) -> None:
        super().__init__(*args, **{"initial": {"version": campaign.version}, **named})
        self.rules = rules.house_rules()
        self.stored = campaign.house_rules
        for rule in self.rules:
            self.fields[rule.key] = form_field(
                replace(rule, default=self.stored.get(rule.key, rule.default))
            )

    def place_of(self, field: str) -> str | None:
        """Return the form field for a field of the services, which name it "house_rules.prices"."""
        return super().place_of(field.removeprefix("house_rules."))

    @property
    def settings(self) -> Mapping[str, Any]:
        """The submitted house rules by key."""
        return {rule.key: self.cleaned_data[rule.key] for rule in self.rules}

    @property
    def changed_rules(self) -> list[Line]:
        """The house rules that differ from their defaults, are being changed, or have errors."""
        return [line for line in self._lines() if self._is_changed(line.rule)]

    @property
    def default_rules(self) -> list[tuple[str, list[Line]]]:
        """The house rules that keep their defaults, by group."""
        lines = [line for line in self._lines() if not self._is_changed(line.rule)]
        return [
            (group, list(rules))
            for group, rules in groupby(lines, key=lambda line: line.rule.group)
        ]

    def _lines(self) -> Iterator[Line]:
        return (
            Line(rule, self[rule.key], rules_text(in_words(rule, rule.default)))
            for rule in self.rules
        )

    def _is_changed(self, rule: HouseRule) -> bool:
        if self.stored.get(rule.key, rule.default) != rule.default:
            return True
        return self.is_bound and (rule.key in self.changed_data or rule.key in self.errors)


HouseRulesForm = form_class(
    HouseRulesEdit,
    RulesForm,
    version=hidden(required=True),
    reason=like(required=False),
    without=("house_rules",),
)
