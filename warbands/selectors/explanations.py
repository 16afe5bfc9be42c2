"""The reason for every number of a fighter: the lines of its sum, its facts and its rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext, gettext_noop
from msgspec import Struct

from core.display_names import display_name
from core.ruleset_words import state_label, translated_tallies, translated_words
from rulebook.chronicle.facts import decode
from rulebook.chronicle.replay import Change, trace
from rulebook.chronicle.states import FighterState
from rulebook.registry import find_ruleset
from rulebook.ruleset import (
    CampaignTerms,
    ConditionLine,
    PriceLine,
    RulesError,
    Ruleset,
    Sheet,
    VisibleNumbers,
)
from warbands.fact_sentences import Names, phrase
from warbands.models import ChronicleEntry, Fighter, Warband
from warbands.rulebook_values import post_names, ruleset_of_warband, terms_of_row
from warbands.selectors.chronicle_log import LedgerRow, ledger_entries, ledger_lines
from warbands.selectors.fighter_page import FighterPage, fighter_page


class Reason(Struct, frozen=True):
    """A fact behind a number: its entry, who recorded it, when, and its effect on the number."""

    sequence: int
    at: datetime
    who: str
    phrase: str
    before: str
    after: str
    rule: str = ""


class Explanation(Struct, frozen=True):
    """A number of a fighter as text, the lines of its sum, and its facts, oldest first.

    ``rule`` defines such a number, if the rule system has a rule for it.
    """

    key: str
    label: str
    value: str
    lines: tuple[PriceLine, ...]
    facts: tuple[Reason, ...]
    rule: str = ""


class ExplainedFighter(FighterPage, frozen=True):
    """A fighter's page and, if it was asked for, the reason for every number."""

    explanation: tuple[Explanation, ...] | None = None


Read = Callable[[FighterState, CampaignTerms], str]
PLAIN: Mapping[str, tuple[str, Read]] = {
    "rank": (gettext_noop("Rank"), lambda fighter, terms: str(fighter.rank)),
    "points": (gettext_noop("Points"), lambda fighter, terms: str(fighter.points)),
    "fate": (
        gettext_noop("Fate"),
        lambda fighter, terms: (
            gettext("%(fate)s, misses %(games)s")
            % {"fate": state_label(fighter.fate), "games": fighter.misses}
            if fighter.misses
            else state_label(fighter.fate)
        ),
    ),
    "battles": (gettext_noop("Battles"), lambda fighter, terms: str(fighter.battles)),
}


def _risen(fighter: FighterState, terms: CampaignTerms) -> str:
    return str(fighter.promotions)


def explain_fighter(fighter: Fighter) -> tuple[Explanation, ...]:
    """Return every number of a fighter with its reasons.

    Three queries and a replay; select ``warband`` with the fighter. Raises RulesError if this
    installation does not have an edition that the chronicle names.
    """
    warband = fighter.warband
    entries = list(
        ChronicleEntry.objects.filter(warband=warband)
        .select_related("recorded_by")
        .order_by("sequence")
    )
    changes = tuple(
        trace([decode(entry.payload) for entry in entries], find_ruleset, str(fighter.pk))
    )
    rows = ledger_lines(ledger_entries(warband).filter(fighter=fighter).reverse())
    names = {**post_names(warband.ruleset, warband.edition)}
    names |= {
        str(key): name
        for key, name in Fighter.objects.filter(warband=warband).values_list("pk", "name")
    }
    reason = partial(_reason, {entry.sequence: entry for entry in entries}, names)
    return _explained(warband, *_last(changes), changes, rows, reason)


def numbers_of(fighter: Fighter) -> tuple[Explanation, ...]:
    """Return every present number of a fighter, without the facts behind it.

    They are in the order of ``explain_fighter``. No query; select ``warband`` with the fighter.
    """
    now = msgspec.convert(fighter.state, FighterState)
    return _explained(fighter.warband, now, terms_of_row(fighter.warband))


def _explained(
    warband: Warband,
    now: FighterState,
    terms: CampaignTerms,
    changes: tuple[Change, ...] = (),
    rows: tuple[LedgerRow, ...] = (),
    reason: Callable[..., Reason] = Reason,
) -> tuple[Explanation, ...]:
    rules, shown = ruleset_of_warband(warband), warband.shown
    return (
        *_plain(rules, shown, now, terms, changes, rows, reason),
        *((_experience(now, changes, rows, reason),) if shown.experience else ()),
        *_characteristics(rules, now, terms, changes, reason),
        *_condition(rules, now, terms, changes, reason),
    )


def explained_page(
    fighter: Fighter, user: User | AnonymousUser, *, explain: bool
) -> ExplainedFighter:
    """Return the page of a fighter for this reader, with reasons if asked for.

    Four queries, or seven with reasons.
    """
    page = fighter_page(fighter, user)
    explanation = explain_fighter(fighter) if explain else None
    return ExplainedFighter(**msgspec.structs.asdict(page), explanation=explanation)


def _reason(
    entries: Mapping[int, ChronicleEntry],
    names: Names,
    change: Change,
    before: str,
    after: str,
    rule: str = "",
) -> Reason:
    entry = entries[change.sequence]
    who = display_name(entry.recorded_by)
    return Reason(
        change.sequence, entry.recorded_at, who, phrase(change.fact, names), before, after, rule
    )


def _plain(
    rules: Ruleset,
    shown: VisibleNumbers,
    now: FighterState,
    terms: CampaignTerms,
    changes: tuple[Change, ...],
    rows: Iterable[LedgerRow],
    reason: Callable[..., Reason],
) -> Iterator[Explanation]:
    cited = {row.sequence: row.rule for row in rows if row.amount < 0}
    for key, (label, read) in _plain_numbers(rules, shown).items():
        facts = tuple(
            reason(change, before, after, cited.get(change.sequence, "") if key == "rank" else "")
            for change in changes
            for before, after in [_read(read, change)]
            if before != after
        )
        sheet = _sheet(rules, now, terms) if key == "points" else None
        lines = sheet.price.lines if sheet else ()
        yield Explanation(key, label, read(now, terms), lines, facts)


def _plain_numbers(rules: Ruleset, shown: VisibleNumbers) -> dict[str, tuple[str, Read]]:
    tallies = {
        tally.key: (tally.label, partial(_tally, tally.key))
        for tally in translated_tallies(rules.tallies)
    }
    visible = {"rank": shown.ranks, "promotions": shown.rises, "points": shown.points}
    words = translated_words(rules.words)
    rank = {"rank": (words.rank, PLAIN["rank"][1])}
    risen = {"promotions": (words.steps.capitalize(), _risen)}
    every: dict[str, tuple[str, Read]] = {
        **{key: (gettext(label), read) for key, (label, read) in PLAIN.items()},
        **rank,
        **tallies,
        **risen,
    }
    return {key: number for key, number in every.items() if visible.get(key, True)}


def _tally(key: str, fighter: FighterState, terms: CampaignTerms) -> str:
    return str(fighter.tallies.get(key, 0))


def _experience(
    now: FighterState,
    changes: tuple[Change, ...],
    rows: tuple[LedgerRow, ...],
    reason: Callable[..., Reason],
) -> Explanation:
    by_place = {change.sequence: change for change in changes}
    facts = tuple(
        reason(by_place[row.sequence], str(row.balance - row.amount), str(row.balance), row.rule)
        for row in rows
        if row.sequence in by_place
    )
    lines = tuple(PriceLine(row.sentence, row.amount, row.rule) for row in rows)
    return Explanation("experience", gettext("Experience"), str(now.experience), lines, facts)


def _characteristics(
    rules: Ruleset,
    now: FighterState,
    terms: CampaignTerms,
    changes: tuple[Change, ...],
    reason: Callable[..., Reason],
) -> Iterator[Explanation]:
    """Yield the numbers of the profile, read from the sheet whenever build or terms changed."""
    sheets = [
        (
            change,
            _sheet(rules, change.before, change.terms_before),
            _sheet(rules, change.after, change.terms_after),
        )
        for change in changes
        if _is_remade(change)
    ]
    present = _sheet(rules, now, terms)
    for number in present.characteristics if present else ():
        facts = tuple(
            reason(change, _value(before, number.key), _value(after, number.key))
            for change, before, after in sheets
            if _value(before, number.key) != _value(after, number.key)
        )
        lines = (PriceLine(number.note, 0),) if number.note else ()
        yield Explanation(number.key, number.label, number.value, lines, facts, number.source)


def _condition(
    rules: Ruleset,
    now: FighterState,
    terms: CampaignTerms,
    changes: tuple[Change, ...],
    reason: Callable[..., Reason],
) -> Iterator[Explanation]:
    """Yield what the fighter carries from battle to battle, with the facts that changed it."""
    remade = [
        (
            change,
            _lines(rules, change.before, change.terms_before),
            _lines(rules, change.after, change.terms_after),
        )
        for change in changes
        if _is_remade(change)
    ]
    for key, line in _lines(rules, now, terms).items():
        values = [
            (
                change,
                before[key].value if key in before else "",
                after[key].value if key in after else "",
            )
            for change, before, after in remade
        ]
        facts = tuple(
            reason(change, before, after) for change, before, after in values if before != after
        )
        yield Explanation(key, line.label, line.value, (), facts, line.rule)


def _lines(
    rules: Ruleset, fighter: FighterState | None, terms: CampaignTerms
) -> dict[str, ConditionLine]:
    if fighter is None:
        return {}
    try:
        return {
            line.key: line
            for line in rules.condition_lines(fighter.build, terms, fighter.condition)
        }
    except RulesError:
        return {}


def _is_remade(change: Change) -> bool:
    before, after = change.before, change.after
    same = before and after and before.build == after.build and before.condition == after.condition
    return not same or change.terms_before != change.terms_after


def _last(changes: tuple[Change, ...]) -> tuple[FighterState, CampaignTerms]:
    last = changes[-1]
    if last.after is None:
        raise ValueError("A removed fighter has no numbers to explain.")
    return last.after, last.terms_after


def _read(read: Read, change: Change) -> tuple[str, str]:
    before = read(change.before, change.terms_before) if change.before else ""
    after = read(change.after, change.terms_after) if change.after else ""
    return before, after


def _sheet(rules: Ruleset, fighter: FighterState | None, terms: CampaignTerms) -> Sheet | None:
    if fighter is None:
        return None
    try:
        return rules.sheet(fighter.build, terms, fighter.condition)
    except RulesError:
        return None


def _value(sheet: Sheet | None, key: str) -> str:
    return (
        next((number.value for number in sheet.characteristics if number.key == key), "")
        if sheet
        else ""
    )
