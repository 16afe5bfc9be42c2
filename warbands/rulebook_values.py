"""Reads of stored states, chronicles and rules, for services and selectors."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import Q, QuerySet, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from core.compiled_queries import CompiledQuery
from core.ruleset_words import rules_text
from rulebook.chronicle.facts import AnyFact, decode_json
from rulebook.chronicle.replay import state_before
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import CampaignTerms, ConditionLine, RulesError, Ruleset
from warbands.models import ChronicleEntry, Fighter, Warband

FIGHTER_COLUMNS = (
    "name",
    "profile_name",
    "rank",
    "points",
    "experience",
    "fate",
    "battles",
    "place",
    "condition",
)
"""The columns of a fighter that are copied from its state."""


def _states(key: UUID, _: Any) -> QuerySet[Any, Any]:
    rows = Fighter.objects.filter(warband=key).order_by("place", "id")
    return rows.values_list("state", flat=True)


STATES: CompiledQuery[Any] = CompiledQuery(_states)
"""The stored states of a warband's fighters."""


def ruleset_of_warband(warband: Warband) -> Ruleset:
    """Return a warband's rule system, in the warband's edition.

    Raises RulesError if this installation no longer has it.
    """
    return find_ruleset(warband.ruleset, warband.edition)


def read_states(warbands: Iterable[Warband]) -> dict[UUID, WarbandState]:
    """Return the stored states of warbands, by id. One query."""
    warbands = list(warbands)
    fighters: dict[UUID, dict[str, FighterState]] = {warband.id: {} for warband in warbands}
    rows = (
        Fighter.objects.filter(warband__in=warbands)
        .order_by("place", "id")
        .values_list("warband_id", "state")
    )
    for warband_id, state in rows:
        fighter = msgspec.convert(state, FighterState)
        fighters[warband_id][fighter.id] = fighter
    return {warband.id: warband_state(warband, fighters[warband.id]) for warband in warbands}


def last_played(warband: Warband) -> tuple[str, str]:
    """Return when a warband's latest battle was played (``Fought.played``). No query."""
    day, place = warband.state.get("last_played", ("", ""))
    return day, place


def read_states_at(
    warbands: Iterable[Warband], played: tuple[str, str]
) -> dict[UUID, WarbandState]:
    """Return the states of warbands before a battle played then (``Fought.played``), by id.

    One query. Warbands with later battles are replayed up to that place, with one query more.
    """
    warbands = list(warbands)
    states = read_states(warbands)
    later = [warband.pk for warband in warbands if states[warband.pk].last_played > played]
    if later:
        chronicles = read_chronicles(later)
        states |= {key: state_before(chronicles[key], find_ruleset, played) for key in later}
    return states


def fighter_row(warband_id: UUID, fighter: FighterState) -> Fighter:
    """Return an unsaved row for a fighter's state. No query."""
    columns = {column: getattr(fighter, column) for column in FIGHTER_COLUMNS}
    return Fighter(
        id=UUID(fighter.id), warband_id=warband_id, state=msgspec.to_builtins(fighter), **columns
    )


def read_chronicles(warband_ids: Iterable[UUID]) -> dict[UUID, list[AnyFact]]:
    """Return the chronicles of several warbands: every fact in the order of entry. One query."""
    ids = list(warband_ids)
    numbered = _read_numbered(ids, Q(warband__in=ids))
    return {warband_id: [fact for _, fact in facts] for warband_id, facts in numbered.items()}


def read_corrected(targets: Mapping[UUID, int]) -> dict[UUID, list[tuple[int, AnyFact]]]:
    """Return one fact of each warband and all corrections, with their places. One query."""
    needed = Q(warband__in=targets, kind="corrected")
    for warband_id, sequence in targets.items():
        needed |= Q(warband=warband_id, sequence=sequence)
    return _read_numbered(targets, needed)


def read_facts_before(targets: Mapping[UUID, int]) -> dict[UUID, list[tuple[int, AnyFact]]]:
    """Return the facts before a place in each chronicle, without corrections. One query."""
    needed = Q(pk__in=())
    for warband_id, sequence in targets.items():
        needed |= Q(warband=warband_id, sequence__lt=sequence)
    return _read_numbered(targets, needed & ~Q(kind="corrected"))


def _read_numbered(warband_ids: Iterable[UUID], needed: Q) -> dict[UUID, list[tuple[int, AnyFact]]]:
    """Return facts in the order of entry by warband. One query."""
    numbered: dict[UUID, list[tuple[int, AnyFact]]] = {warband_id: [] for warband_id in warband_ids}
    # Sort here: the database would move the payloads, megabytes of a long chronicle, to its disk.
    rows = (
        ChronicleEntry.objects.filter(needed)
        .order_by()
        .values_list("warband_id", "sequence", Cast("payload", TextField()))
    )
    for warband_id, sequence, payload in sorted(rows, key=itemgetter(1)):
        numbered[warband_id].append((sequence, decode_json(payload)))
    return numbered


def days_entered_after(targets: Mapping[UUID, int]) -> dict[UUID, list[tuple[str, str]]]:
    """Return when the battles were played that come after a place in each chronicle.

    The times come from ``Fought.played``. One query.
    """
    days: dict[UUID, list[tuple[str, str]]] = {warband_id: [] for warband_id in targets}
    later = Q(pk__in=())
    for warband_id, sequence in targets.items():
        later |= Q(warband=warband_id, sequence__gt=sequence)
    rows = ChronicleEntry.objects.filter(later, kind="fought").order_by()
    for warband_id, day, place in rows.values_list(
        "warband_id", KT("payload__fought_on"), KT("payload__place_in_day")
    ):
        days[warband_id].append((day or "", place or ""))
    return days


def read_state(warband: Warband) -> WarbandState:
    """Return the stored state of one warband. One query."""
    states = STATES.rows(warband.id)
    fighters = [msgspec.convert(state, FighterState) for state in states]
    return warband_state(warband, {fighter.id: fighter for fighter in fighters})


def warband_state(warband: Warband, fighters: Mapping[str, FighterState]) -> WarbandState:
    """Return the state of a warband from its row and its fighters' states. No query."""
    return msgspec.structs.replace(msgspec.convert(warband.state, WarbandState), fighters=fighters)


def condition_of(
    rules: Ruleset, state: WarbandState, fighter: FighterState
) -> tuple[ConditionLine, ...]:
    """Return the fighter's condition line by line.

    Empty if it has none, or if the rules cannot read its build.
    """
    try:
        return rules.condition_lines(fighter.build, state.terms, fighter.condition)
    except RulesError:
        return ()


def terms_of_row(warband: Warband) -> CampaignTerms:
    """Return the campaign terms of a warband from its row alone. No query."""
    return warband_state(warband, {}).terms


@lru_cache(maxsize=64)
def faction_names(ruleset: str, edition: str) -> Mapping[str, str]:
    """Return the names of a rule system's factions, by key."""
    factions: Iterable[Mapping[str, Any]] = find_ruleset(ruleset, edition).catalogue({})["factions"]
    return {faction["key"]: faction["name"] for faction in factions}


@lru_cache(maxsize=64)
def post_names(ruleset: str, edition: str) -> Mapping[str, str]:
    """Return the names of a rule system's posts by key, in the active language."""
    return {
        post.key: rules_text(post.name)
        for post in find_ruleset(ruleset, edition).posts(CampaignTerms(faction=""))
    }


def faction_name(warband: Warband) -> str:
    """Return the name of a warband's faction."""
    return faction_names(warband.ruleset, warband.edition).get(warband.faction, warband.faction)


def open_lists(catalogue: Mapping[str, Any], faction: str) -> list[Mapping[str, Any]]:
    """Return the lists from which a faction recruits, its own first, with the profiles open to it.

    Empty for a faction that the catalogue does not know.
    """
    by_key = {each["key"]: each for each in catalogue["factions"]}
    if faction not in by_key:
        return []
    sources = by_key[faction].get("recruits_from")
    if sources is None:
        return [by_key[faction]]
    return [
        {
            **entry,
            "profiles": [each for each in entry["profiles"] if each["key"] in source["profiles"]],
        }
        for source in sources
        for entry in [by_key[source["list"]]]
    ]
