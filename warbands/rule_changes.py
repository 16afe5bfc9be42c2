"""What a change of house rules has changed: each rule with its new value and the one before it, in
words."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext

from rulebook.registry import find_ruleset
from rulebook.ruleset import HouseRule
from rulebook.values.problems import Settings
from warbands.models import ChronicleEntry

Changes = Mapping[int, tuple[str, ...]]
"""What changed by entries of chronicles, by their numbers."""
SETTLING = ("enrolled", "rules-changed")
"""Kinds of fact that say which house rules hold from then on."""


def rule_changes(entries: Iterable[ChronicleEntry], ruleset: str, edition: str) -> Changes:
    """What each of these entries that changes house rules has changed. One query, none if there is
    no such entry.

    A fact holds the rules as they are from then on. What they were follows from the fact before it
    that said so.
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
    """Each rule that differs: "Experience for a kill: 2, before 1"."""
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
    """A value that has changed, the new one first."""
    return gettext("%(label)s: %(after)s, before %(before)s") % {
        "label": label,
        "before": before,
        "after": after,
    }


def in_words(rule: HouseRule, value: str | bool | int | None) -> str:
    """A value as people read it: the choice's label, yes or no, the number, or that there is
    none."""
    if value is None:
        return gettext("not settled")
    if rule.kind == "flag":
        return gettext("yes") if value else gettext("no")
    return dict(rule.choices).get(str(value), str(value))
