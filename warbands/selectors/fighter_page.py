"""A fighter as its page, its document and the API show it."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q
from msgspec import Struct

from core.compiled_queries import CompiledQuery
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.ruleset import RankUp, Ruleset
from warbands.models import Fighter, Warband
from warbands.roster_rules import forbidden, rank_ups_of
from warbands.rulebook_values import faction_name, ruleset_of_warband, warband_state
from warbands.selectors.access import WarbandPermissions, rights_of
from warbands.selectors.chronicle_log import LedgerRow, ledger_entries, ledger_lines
from warbands.selectors.fighter_card import FighterCard, fighter_card
from warbands.selectors.service_record import CareerPart, ServiceLine, service_record


class RankUpChoice(Struct, frozen=True):
    """A legal step, and whether the fighter can take it now.

    ``short_by`` is the experience that is missing, 0 if none. A step that its problems forbid
    cannot be taken.
    """

    step: RankUp
    affordable: bool
    short_by: int


class FighterPage(Struct, frozen=True):
    """Everything that a fighter's page shows.

    ``ledger`` and ``record`` are newest first. Send ``sequence`` with a change: it is refused if
    someone else changed the warband first.
    """

    card: FighterCard
    warband: UUID
    warband_name: str
    faction_name: str
    sequence: int
    locked: bool
    ledger: tuple[LedgerRow, ...]
    record: tuple[ServiceLine, ...]
    rank_ups: tuple[RankUpChoice, ...]
    rights: WarbandPermissions


class RankUpList(Struct, frozen=True):
    """Every legal step of a fighter, including those it cannot afford.

    Send ``sequence`` with a choice. ``prepared`` says whether the stored offer is up to date with
    the chronicle. The steps are right either way.
    """

    fighter: UUID
    experience: int
    sequence: int
    steps: tuple[RankUpChoice, ...]
    prepared: bool


def fighter_page(
    fighter: Fighter,
    user: User | AnonymousUser,
    part: CareerPart | None = None,
    rights: WarbandPermissions | None = None,
) -> FighterPage:
    """Return the page of a fighter for this reader.

    With a ``part``, its record and ledger are limited to that part. Four queries, whatever its
    history, or three with the reader's ``rights``; select ``warband`` with the fighter. Raises
    RulesError if this installation no longer has the warband's edition.
    """
    warband = fighter.warband
    state, rows = _company(warband)
    rules = ruleset_of_warband(warband)
    fighter_state = state.fighters[str(fighter.pk)]
    lines = ledger_entries(warband).filter(fighter=fighter)
    if part is not None:
        between = Q(sequence__gte=part.since, sequence__lt=part.before) & ~Q(
            sequence__in=part.elsewhere
        )
        lines = lines.filter(between | Q(sequence__in=part.battles))
    ledger = ledger_lines(lines)
    row = next(row for row in rows if row.pk == fighter.pk)
    return FighterPage(
        card=fighter_card(rules, state, fighter_state, row),
        warband=warband.id,
        warband_name=warband.name,
        faction_name=faction_name(warband),
        sequence=warband.sequence,
        locked=warband.locked,
        ledger=ledger,
        record=service_record(
            warband, rules, fighter.pk, ledger, None if part is None else part.battles
        ),
        rank_ups=rank_up_choices(rules, state, fighter_state),
        rights=rights or rights_of(warband, user),
    )


def rank_up_list(fighter: Fighter) -> RankUpList:
    """Return the steps of a fighter. One query; select ``warband`` with the fighter."""
    warband = fighter.warband
    state, rows = _company(warband)
    fighter_state = state.fighters[str(fighter.pk)]
    offer = next(
        (
            row.rank_up_offer
            for row in rows
            if row.pk == fighter.pk and hasattr(row, "rank_up_offer")
        ),
        None,
    )
    return RankUpList(
        fighter=fighter.pk,
        experience=fighter_state.experience,
        sequence=warband.sequence,
        steps=rank_up_choices(ruleset_of_warband(warband), state, fighter_state),
        prepared=offer is not None and offer.sequence == warband.sequence,
    )


def rank_up_choices(
    rules: Ruleset, state: WarbandState, fighter: FighterState
) -> tuple[RankUpChoice, ...]:
    """Return every legal step of a fighter, including those it cannot afford. No query.

    Steps that the rules offer first come first.
    """
    steps = sorted(rank_ups_of(rules, state, fighter), key=lambda step: not step.offered_first)
    wanting = [max(0, step.cost - fighter.experience) for step in steps]
    return tuple(
        RankUpChoice(step, short_by == 0 and not forbidden(step), short_by)
        for step, short_by in zip(steps, wanting, strict=True)
    )


COMPANY: CompiledQuery[Fighter] = CompiledQuery(
    lambda key, _: (
        Fighter.objects.filter(warband=key).select_related("rank_up_offer").order_by("place", "id")
    )
)


def _company(warband: Warband) -> tuple[WarbandState, Sequence[Fighter]]:
    """Return a warband's state and the rows of its fighters. One query."""
    rows = COMPANY.rows(warband.pk)
    fighters = {str(row.pk): msgspec.convert(row.state, FighterState) for row in rows}
    return warband_state(warband, fighters), rows
