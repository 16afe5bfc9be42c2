"""The battle page: all data of a battle, for the page, the PDF and the API."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext
from msgspec import Struct, field
from msgspec.structs import asdict

from battles.days import day_problems
from battles.models import Answer, Battle, BattleEvent, BattleState, Dispute, Revision, Side
from battles.rulebook_values import (
    read_result,
    read_setup,
    ruleset_of_battle,
    scenario_of,
)
from battles.selectors.awards import FighterAwards, awards_of_battle, awards_of_battles
from battles.selectors.battle_card import BattleCard, battle_card
from battles.selectors.battle_rows import Badge, badges_of, name_of
from battles.selectors.log_sentences import EventLine, Wording
from battles.selectors.permissions import BattlePermissions, battle_permissions
from battles.selectors.shown_battle import ShownBattle, load_sides, shown_battle
from battles.selectors.sides import Seats, SidePage, seats_of, side_pages
from core.compiled_queries import CompiledQuery, set_related
from core.display_names import display_name
from core.ruleset_words import translated_tallies
from core.users import User
from rulebook.ruleset import Problem, Tally, VisibleNumbers, Words
from rulebook.values.described import closed


class RevisionLine(Struct, frozen=True):
    """A correction after confirmation: who made it, why, and what it changed.

    ``difference`` is a ``CorrectionDifference`` as JSON.
    """

    number: int
    reason: str
    made_by: str
    made_at: datetime
    difference: Mapping[str, Any]


class DisputeLine(Struct, frozen=True):
    """A dispute: its side and reason, and the answer with its author and reason.

    ``answer`` is "" while it is open, otherwise "as-logged", "reopened", "withdrawn" or "voided";
    ``answer_label`` is its label.
    """

    side: str
    warband_name: str
    reason: str
    raised_by: str
    raised_at: datetime
    answer: Annotated[str, closed("DisputeAnswer", filter(None, Answer), blank=True)]
    answer_label: str
    answer_reason: str
    answered_by: str
    answered_at: datetime | None


class BattlePage(Struct, frozen=True):
    """A battle in full.

    ``verdict`` is a sentence that says who won and by how much. It is "" before submission and if
    the battle does not count: then ``standing`` says that it is disputed or void. ``decision`` is
    the organiser's reason for a decision or for voiding the battle. ``problems`` concern the
    line-ups and the day before submission. ``tallies`` is what is counted of each fighter.
    ``set_up`` is what was rolled or agreed for the table.
    """

    id: UUID
    name: str
    title: str
    story: str
    ruleset: str
    ruleset_name: str
    edition: str
    words: Words
    scenario: str
    scenario_name: str
    campaign: UUID | None
    campaign_name: str
    state: Annotated[str, closed("BattleState", BattleState)]
    badges: tuple[Badge, ...] = field(name="chips")
    friendly: bool
    fought_on: date
    place_in_day: datetime | None
    points_limit: int | None
    set_up: Mapping[str, Any]
    verdict: str
    shown: VisibleNumbers
    tallies: tuple[Tally, ...]
    turns: int | None
    winner: str | None
    decision: str
    version: int
    revision: int
    created_by: str
    created_at: datetime
    submitted_by: str
    submitted_at: datetime | None
    confirmed_at: datetime | None
    problems: tuple[Problem, ...]
    sides: tuple[SidePage, ...]
    log: tuple[EventLine, ...]
    revisions: tuple[RevisionLine, ...]
    disputes: tuple[DisputeLine, ...]
    standing: str


class OpenBattle(BattlePage, frozen=True):
    """A battle in full, and what the user can do with it now."""

    permissions: BattlePermissions = field(name="doors")
    card: BattleCard | None = None


def open_battle(battle_id: UUID, user: User, *, log: bool = True) -> OpenBattle:
    """Return the page of one battle for this user, with its card until it is confirmed or void.

    One query more for the log, and at most four before confirmation. Without ``log`` its log is
    empty. Raises Battle.DoesNotExist.
    """
    return open_shown(shown_battle(battle_id, user), user, log=log)


def open_shown(shown: ShownBattle, user: User, *, log: bool = True) -> OpenBattle:
    """Return the page of a battle for this user, as ``open_battle``."""
    battle = shown.battle
    if log:
        set_related(battle, "events", EVENTS.rows(battle.pk))
    permissions = battle_permissions(battle, user, shown.rights)
    card = battle_card(battle, permissions)
    return OpenBattle(**asdict(shown_page(shown, log=log)), permissions=permissions, card=card)


def event_rows(battle: UUID) -> QuerySet[BattleEvent, BattleEvent]:
    """Return the log with what its lines show."""
    columns = ("battle", "sequence", "client_id", "kind", "data", "turn", "revision")
    author = ("recorded_by__username", "recorded_by__first_name")
    rows = BattleEvent.objects.filter(battle=battle).order_by("sequence")
    return rows.select_related("recorded_by").only(*columns, *author, "recorded_at")


EVENTS = CompiledQuery(lambda key, _: event_rows(key))


def battle_pages(battles: Iterable[Battle], *, logs: bool = True) -> tuple[BattlePage, ...]:
    """Return the pages of battles loaded by ``for_pages``. Three queries, whatever their number.

    Without ``logs`` the logs are empty: a log may have thousands of entries, of which a page shows
    a few (``log_page``).
    """
    battles = list(battles)
    seats, awards = seats_of(battles), awards_of_battles(battles)
    return tuple(_page(battle, seats, awards[battle.pk], logs) for battle in battles)


def shown_page(shown: ShownBattle, *, log: bool = False) -> BattlePage:
    """Return the page of a battle. At most one query if the log is loaded or not shown."""
    return _page(shown.battle, shown.seats, awards_of_battle(shown.battle), logs=log)


def _page(battle: Battle, seats: Seats, awards: FighterAwards, logs: bool) -> BattlePage:
    sides, result = list(battle.sides.all()), read_result(battle)
    return BattlePage(
        id=battle.pk,
        name=name_of(battle),
        title=battle.title,
        story=battle.story,
        ruleset=battle.ruleset,
        ruleset_name=ruleset_of_battle(battle).name,
        edition=battle.edition,
        words=battle.words,
        scenario=battle.scenario,
        scenario_name=scenario_of(battle).name,
        campaign=battle.campaign_id,
        campaign_name=battle.campaign.name if battle.campaign else "",
        state=battle.state,
        badges=badges_of(battle),
        friendly=battle.friendly,
        fought_on=battle.fought_on,
        place_in_day=battle.place_in_day,
        points_limit=battle.points_limit,
        set_up=battle.set_up,
        verdict=result.verdict if result and battle.stands else "",
        shown=battle.shown,
        tallies=translated_tallies(ruleset_of_battle(battle).tallies),
        turns=result.turns if result else None,
        winner=result.winner if result and battle.stands else None,
        decision=battle.decision,
        version=battle.version,
        revision=battle.revision,
        created_by=display_name(battle.created_by),
        created_at=battle.created_at,
        submitted_by=display_name(battle.submitted_by),
        submitted_at=battle.submitted_at,
        confirmed_at=battle.confirmed_at,
        problems=_problems(battle, sides),
        sides=side_pages(battle, sides, result, awards, seats),
        log=log_lines(battle, sides) if logs else (),
        revisions=revision_lines(battle.revisions.all()),
        disputes=tuple(_dispute(each) for each in battle.disputes.all()),
        standing=_standing(battle),
    )


def _standing(battle: Battle) -> str:
    """Return why the result of a battle is not shown; "" if it is shown."""
    if battle.state == BattleState.VOID:
        return gettext("This battle is void. It does not count.")
    if battle.state == BattleState.DISPUTED:
        return gettext("This result is disputed. It does not count until it is decided.")
    return ""


def _dispute(dispute: Dispute) -> DisputeLine:
    return DisputeLine(
        side=dispute.side.key,
        warband_name=dispute.side.warband.name,
        reason=dispute.reason,
        raised_by=display_name(dispute.raised_by),
        raised_at=dispute.raised_at,
        answer=dispute.answer,
        answer_label=str(Answer(dispute.answer).label),
        answer_reason=dispute.answer_reason,
        answered_by=display_name(dispute.answered_by),
        answered_at=dispute.answered_at,
    )


def wording_of(battle: Battle) -> Wording:
    """Load the sides of a battle, and return the wording for its events. Two queries."""
    load_sides(battle)
    return Wording(ruleset_of_battle(battle), read_setup(battle, battle.sides.all()))


def log_lines(battle: Battle, sides: Iterable[Side]) -> tuple[EventLine, ...]:
    """Return the log of a battle loaded by ``for_pages`` as sentences. No queries."""
    wording = Wording(ruleset_of_battle(battle), read_setup(battle, sides))
    return tuple(wording.line(event) for event in battle.events.all())


def _problems(battle: Battle, sides: list[Side]) -> tuple[Problem, ...]:
    """Return the warnings about the day and the line-ups, as long as these can be corrected."""
    if battle.state not in (BattleState.PLANNED, BattleState.UNDER_WAY):
        return ()
    return (
        *day_problems(battle),
        *ruleset_of_battle(battle).force_problems(read_setup(battle, sides)),
    )


def revision_lines(revisions: Iterable[Revision]) -> tuple[RevisionLine, ...]:
    """Return the corrections in their order. No queries if their authors are loaded."""
    return tuple(_revision(revision) for revision in revisions)


def _revision(revision: Revision) -> RevisionLine:
    return RevisionLine(
        number=revision.number,
        reason=revision.reason,
        made_by=display_name(revision.made_by),
        made_at=revision.made_at,
        difference=revision.difference,
    )
