"""The details of an audit entry as text: its reason, and values before and after a change."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign, Method, Walkover
from campaigns.scoring import IN_WORDS, Scoring, TieBreaker
from clubs.models import Answer, Club, Evening
from core.ruleset_words import rules_text, state_label
from rulebook.ruleset import HouseRule
from warbands.rule_changes import changed_value, in_words

FIELDS = {
    "name": _("Name"),
    "story": _("Story"),
    "visibility": _("Visibility"),
    "time_zone": _("Time zone"),
    "battles_run_by": _("Who can run battles"),
    "format": _("Format"),
    "points": _("Points"),
    "games": _("Games"),
    "scoring": _("Scoring"),
    "colour": _("Colour"),
    "starts_at": _("Start"),
    "ends_at": _("End"),
    "place": _("Place"),
    "note": _("Note"),
    "role": _("Role"),
    "quota_documents": _("Limit of documents"),
    "quota_pictures": _("Limit of pictures"),
    "quota_megabytes": _("Limit of megabytes"),
}
"""Labels of settings whose column has no ``verbose_name``."""
SCORING = {
    "win": _("Points for a win"),
    "draw": _("Points for a draw"),
    "loss": _("Points for a defeat"),
    "bye": _("Points for a bye"),
    "clear_win": _("Extra points for a clear win"),
    "margin": _("Victory points ahead for a clear win"),
    "tie_breakers": _("Tie-breakers"),
}
"""The labels of the scoring's numbers."""
PLACES = {field: place for place, field in enumerate(FIELDS)}
COLUMNS: Mapping[str, Any] = {
    field.name: field for model in (Evening, Campaign, Club) for field in model._meta.fields
}
"""The columns whose changes are logged, with their names and choices."""
CHOICES = {
    "visibility": {"private": _("private"), "unlisted": _("unlisted"), "public": _("public")},
}
"""Names of values that are not called as their column calls them."""
MOMENTS = ("starts_at", "ends_at")


def facts_of(details: Mapping[str, Any], rules: Mapping[str, HouseRule]) -> tuple[str, ...]:
    """Return each detail as text, in the order of the page.

    ``rules`` are the house rules of its campaign.
    """
    sentences = [
        fact
        for key, tell in TELLERS.items()
        if key in details
        for fact in (tell(details[key]),)
        if fact
    ]
    return (*sentences, *_changes(details.get("changes") or {}, rules))


def changed_terms(changes: Mapping[str, Any], rules: Mapping[str, HouseRule]) -> tuple[str, ...]:
    """Return changed terms and house rules for members: "Points for a win: 3, before 2"."""
    pairs = ((label, pair) for label, pair in _changed_values(changes, rules) if pair)
    return tuple(changed_value(label, *pair) for label, pair in pairs)


def _changes(changes: Mapping[str, Any], rules: Mapping[str, HouseRule]) -> Iterator[str]:
    for label, pair in _changed_values(changes, rules):
        if pair is None:
            yield gettext("%(field)s: changed") % {"field": label}
            continue
        before, after = pair
        yield gettext("%(field)s: %(before)s → %(after)s") % {
            "field": label,
            "before": before,
            "after": after,
        }


def _changed_values(
    changes: Mapping[str, Any], rules: Mapping[str, HouseRule]
) -> Iterator[tuple[str, tuple[str, str] | None]]:
    """Yield each label with its values before and after as text, or None for a long text.

    Each number of the scoring has its own label.
    """
    # One of the supported databases does not keep the order of keys.
    for key in sorted(changes, key=lambda each: (PLACES.get(each, len(PLACES)), each)):
        pair = changes[key]
        rule = rules.get(key) if key not in FIELDS else None
        label = rules_text(rule.label) if rule else _label(key)
        if key == "scoring" and pair is not None and all(isinstance(value, dict) for value in pair):
            yield from _changed_scoring(*pair)
            continue
        yield (
            label,
            None
            if pair is None
            else (_in_words(key, pair[0], rule), _in_words(key, pair[1], rule)),
        )


def _label(key: str) -> str:
    """Return the label of a changed setting: by default the ``verbose_name`` of its column."""
    named = FIELDS.get(key) or (COLUMNS[key].verbose_name if key in COLUMNS else key)
    return capfirst(str(named))


def _changed_scoring(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, tuple[str, str]]]:
    usual = msgspec.to_builtins(Scoring())
    for key, label in SCORING.items():
        pair = tuple(scoring.get(key, usual[key]) for scoring in (before, after))
        if pair[0] != pair[1]:
            old, new = (_scored(value) for value in pair)
            yield str(label), (old, new)


def _scored(value: int | list[str]) -> str:
    if isinstance(value, int):
        return str(value)
    return ", ".join(gettext(IN_WORDS[TieBreaker(each)]) for each in value) or "–"


def _in_words(key: str, value: Any, rule: HouseRule | None) -> str:
    if rule is not None:
        return rules_text(in_words(rule, rule.default if value is None else value))
    if value in (None, "", {}, []):
        return "–"
    if key in MOMENTS:
        return date_format(timezone.localtime(datetime.fromisoformat(value)), gettext("j F Y, H:i"))
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if key == "role":
        return state_label(value)
    choices = CHOICES.get(key) or (dict(COLUMNS[key].flatchoices) if key in COLUMNS else {})
    return str(choices.get(str(value), value))


def _events(numbers: list[int]) -> str:
    listed = ", ".join(str(number) for number in numbers)
    return ngettext("Entry %(numbers)s", "Entries %(numbers)s", len(numbers)) % {"numbers": listed}


def _series(number: int) -> str:
    if number < 2:
        return ""
    return gettext("%(number)s club nights") % {"number": number}


def _uses(number: int) -> str:
    return ngettext("for %(number)s person", "for %(number)s people", number) % {"number": number}


def _days(number: int) -> str:
    return ngettext("for %(number)s day", "for %(number)s days", number) % {"number": number}


def _joined(number: int) -> str:
    return ngettext("%(number)s joined", "%(number)s joined", number) % {"number": number}


TELLERS: Mapping[str, Callable[[Any], str]] = {
    "role": lambda role: gettext("as %(role)s") % {"role": state_label(role)},
    "uses": _uses,
    "days": _days,
    "round": lambda number: gettext("Round %(number)s") % {"number": number},
    "method": lambda method: str(Method(method).label),
    "walkover": lambda walkover: str(Walkover(walkover).label),
    "answer": lambda answer: str(Answer(answer).label),
    "warband": str,
    "joined": _joined,
    "evenings": _series,
    "leaving": state_label,
    "experience": lambda amount: gettext("Experience: %(amount)s") % {"amount": f"{amount:+d}"},
    "fate": state_label,
    "events": _events,
    "overruled": lambda reason: gettext("Rules overridden: %(reason)s") % {"reason": reason},
    "reason": lambda reason: gettext("Reason: %(reason)s") % {"reason": reason},
}
"""Functions that show each detail. Details that the sentence itself contains are left out."""
