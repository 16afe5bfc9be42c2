"""Changes of house rules as text: each rule with its new value and the one before it."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext

from rulebook.registry import find_ruleset
from rulebook.ruleset import HouseRule
from rulebook.values.problems import Settings
from warbands.models import ChronicleEntry

Changes = Mapping[int, tuple[str, ...]]
"""The changes by chronicle entries, by the entries' keys."""
SETTLING = ("enrolled", "rules-changed")
"""Kinds of fact that set the house rules."""


def rule_changes(entries: Iterable[ChronicleEntry], ruleset: str, edition: str) -> Changes:
    """Return the changes by each of these entries that changes house rules.

    One query, none if there is no such entry. Each fact holds all house rules that apply after
    it. The rules before it follow from the previous fact that set them.
    """
    warband_of = {entry.pk: entry.warband_id for entry in entries if entry.kind == "rules-changed"}
    if not warband_of:
        return {}
    rows = ChronicleEntry.objects.filter(warband__in=set(warband_of.values()), kind__in=SETTLING)
    rules = find_ruleset(ruleset, edition).house_rules()
    changes: dict[int, tuple[str, ...]] = {}
    settings: dict[object, Settings] = {}
    for pk, warband, payload in rows.order_by("warband", "sequence").values_list(
        "pk", "warband", "payload"
    ):
        after = payload.get("settings", {})
        if pk in warband_of:
            changes[pk] = changed_rules(rules, settings.get(warband, {}), after)
        settings[warband] = after
    return changes


def changed_rules(rules: Iterable[HouseRule], before: Settings, after: Settings) -> tuple[str, ...]:
    """Return each rule that differs, such as "Experience for a kill: 2 (was: 1)"."""
    values = (
        (rule, *(settings.get(rule.key, rule.default) for settings in (before, after)))
        for rule in rules
    )
    return tuple(
        changed_value(rule.label, in_words(rule, old), in_words(rule, new))
        for rule, old, new in values
        if old != new
    )


def changed_value(label: str, before: str, after: str) -> str:
    """Return a changed value as text, the new one first."""
    return gettext("%(label)s: %(after)s (was: %(before)s)") % {
        "label": label,
        "before": before,
        "after": after,
    }


def in_words(rule: HouseRule, value: str | bool | int | None) -> str:
    """Return a value as text: the choice's label, yes or no, the number, or "not set"."""
    if value is None:
        return gettext("not set")
    if rule.kind == "flag":
        return gettext("yes") if value else gettext("no")
    return dict(rule.choices).get(str(value), str(value))
