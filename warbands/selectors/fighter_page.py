"""A fighter as its page, its document and the API show it."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q
from msgspec import Struct

from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.ruleset import RankUp, Ruleset
from warbands.models import Fighter, Warband
from warbands.roster_rules import forbidden, rank_ups_of
from warbands.rulebook_values import faction_name, ruleset_of_warband, warband_state
from warbands.selectors.chronicle_log import LedgerRow, ledger_entries, ledger_lines
from warbands.selectors.fighter_card import FighterCard, fighter_card
from warbands.selectors.service_record import CareerPart, ServiceLine, service_record
from warbands.selectors.warband_page import WarbandPermissions, rights_of


class RankUpChoice(Struct, frozen=True):
    """A legal step, and whether the fighter may take it now: ``short_by`` is the experience that is
    wanting, 0 if none is. A step that its problems forbid cannot be taken by anybody."""

    step: RankUp
    affordable: bool
    short_by: int


class FighterPage(Struct, frozen=True):
    """Everything that a fighter's page shows. ``ledger`` and ``record`` are newest first. Send
    ``sequence`` with a change, and it is refused if somebody else was quicker."""

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
    """What a fighter may become: every legal step, dear ones too. ``sequence`` is to be sent with a
    choice.

    ``prepared`` says whether a worker has stored what the fighter can pay for since the chronicle
    last went on. The steps are right either way.
    """

    fighter: UUID
    experience: int
    sequence: int
    steps: tuple[RankUpChoice, ...]
    prepared: bool


def fighter_page(
    fighter: Fighter, user: User | AnonymousUser, part: CareerPart | None = None
) -> FighterPage:
    """The page of a fighter for this reader; if a ``part`` is given, with no more of its record and
    its ledger than that. Five queries, whatever its history; ``warband`` should be selected with
    the fighter. Raises RulesError if this Muster does not know the warband's edition any more."""
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
        rights=rights_of(warband, user),
    )


def rank_up_list(fighter: Fighter) -> RankUpList:
    """What a fighter may become. One query; ``warband`` should be selected with the fighter."""
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
    """Every legal step of a fighter, dear ones too, those that the rules offer first at the head.
    No query."""
    steps = sorted(rank_ups_of(rules, state, fighter), key=lambda step: not step.offered_first)
    wanting = [max(0, step.cost - fighter.experience) for step in steps]
    return tuple(
        RankUpChoice(step, short_by == 0 and not forbidden(step), short_by)
        for step, short_by in zip(steps, wanting, strict=True)
    )


def _company(warband: Warband) -> tuple[WarbandState, Sequence[Fighter]]:
    """A warband's state and the rows of its fighters. One query."""
    rows = list(
        Fighter.objects.filter(warband=warband)
        .select_related("rank_up_offer")
        .order_by("place", "id")
    )
    fighters = {str(row.pk): msgspec.convert(row.state, FighterState) for row in rows}
    return warband_state(warband, fighters), rows
