"""Pairings of a club night: draw a draft, change it, publish it, pair late comers.

Every change locks the club night. A game that has begun is never changed.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import TableGame
from campaigns.pairings.club_night import (
    Pair,
    TableWish,
    club_night_pairs,
    pair_key,
    tables_of,
)
from campaigns.services.table_games import release_player
from clubs.models import Attendance, Evening, Membership
from clubs.services import check_in as arrivals
from clubs.services.members import remove_member
from clubs.services.permissions import expect_organiser, find, locked, organised_club
from core.cleaning import field_error
from core.errors import Forbidden, StaleVersion, StateConflict
from core.inputs import Input, field, validate_fields
from leagues.selectors.club_night import GameState, games_of, results_of, state_of
from leagues.selectors.club_night_players import (
    Contest,
    NightPlayers,
    expected,
    new_guests,
    night_players,
)
from warbands.news import announce

MAX_TABLES = 200
MAX_SEED = 999_999
VERSION = field(api="The version you read; 409 if it has changed since.", ge=0, null=False)


class Draw(Input, frozen=True, kw_only=True):
    """The tables of a club night, and the seed of its draft; absent values stay."""

    tables: Annotated[
        int | None,
        field(
            _("Number of tables"),
            _("0 for as many as you need."),
            ge=0,
            le=MAX_TABLES,
            null=False,
        ),
    ] = None
    large_tables: Annotated[
        int | None,
        field(
            _("Large tables"),
            _("The first tables. They go to the largest games."),
            ge=0,
            le=MAX_TABLES,
            null=False,
        ),
    ] = None
    seed: Annotated[
        int | None,
        field(
            _("Draft number"),
            _("The same number gives the same draft."),
            ge=1,
            le=MAX_SEED,
            null=False,
        ),
    ] = None


class PlayerSwap(
    Input, frozen=True, kw_only=True, rename={"first_id": "first", "second_id": "second"}
):
    """Two members who change places."""

    version: Annotated[int | None, VERSION] = None
    first_id: Annotated[UUID, field(_("Player"))]
    second_id: Annotated[UUID, field(_("Changes places with"))]


class TableMove(Input, frozen=True, kw_only=True, rename={"game_id": "game"}):
    """A game and its new table; a game that is there changes places with it."""

    version: Annotated[int | None, VERSION] = None
    game_id: Annotated[UUID, field(_("Game"))]
    table: Annotated[int, field(_("Table"), ge=1, le=MAX_TABLES)]


class GameStart(Input, frozen=True, kw_only=True, rename={"game_id": "game"}):
    """A game, and whether it has begun."""

    game_id: Annotated[UUID, field(_("Game"))]
    begun: Annotated[bool, field(_("Begun"))] = True


@transaction.atomic
def draw_pairings(
    *,
    evening_id: UUID,
    user: User,
    tables: int | None = None,
    large_tables: int | None = None,
    seed: int | None = None,
) -> Evening:
    """Draw all pairings of a club night again, except games that have begun. Return it.

    The same people, tables and seed give the same pairings. Raises NotFound, Forbidden,
    InvalidInput, StateConflict "evening-cancelled", "evening-over" or "too-few-players"
    (fewer than two).
    """
    evening = _organised_evening(evening_id, user)
    sent = {"tables": tables, "large_tables": large_tables, "seed": seed}
    changes = validate_fields(
        Draw, {key: value for key, value in sent.items() if value is not None}
    )
    evening.tables = changes.get("tables", evening.tables)
    evening.large_tables = changes.get("large_tables", evening.large_tables)
    evening.pairing_seed = changes.get("seed", evening.pairing_seed)

    # Step 1: who plays, without those whose games have begun.
    rows = games_of(evening)
    begun = _begun(rows)
    busy = _members_of(begun)
    people = [each.member_id for each in expected(evening) if each.member_id not in busy]
    if len(people) + len(busy) < 2:
        raise StateConflict(
            "too-few-players",
            gettext("Pairings need at least 2 players who are going or have checked in."),
        )

    # Step 2: pair the others, and give the tables out again.
    TableGame.objects.filter(pk__in=[row.pk for row in rows if row not in begun]).delete()
    night = night_players(evening, people)
    pairs = club_night_pairs(night.players, night.links, evening.pairing_seed)
    games = [_game(evening, pair, night) for pair in pairs]
    _seat([*begun, *games], begun, evening, night)
    TableGame.objects.bulk_create(games)
    _audit(Verb.PAIRINGS_DRAWN, evening, user)
    return _save(evening, "tables", "large_tables", "pairing_seed")


@transaction.atomic
def pair_late_comers(*, evening_id: UUID, user: User) -> Evening:
    """Pair those who have no game yet with each other and with those who sit out.

    Nobody else's game is touched. Return the club night. Raises NotFound, Forbidden, StateConflict
    "evening-cancelled", "evening-over" or "nobody-waits".
    """
    evening = _organised_evening(evening_id, user)
    rows = games_of(evening)
    playing = _members_of([row for row in rows if row.second_id])
    people = [each.member_id for each in expected(evening) if each.member_id not in playing]
    unpaired = [row for row in rows if row.second_id is None]
    if not people or set(people) == _members_of(unpaired):
        raise StateConflict("nobody-waits", gettext("Nobody is waiting for a game."))
    TableGame.objects.filter(pk__in=[row.pk for row in unpaired]).delete()
    night = night_players(evening, people)
    pairs = club_night_pairs(night.players, night.links, evening.pairing_seed)
    games = [_game(evening, pair, night) for pair in pairs]
    kept = [row for row in rows if row.second_id]
    _seat([*kept, *games], kept, evening, night)
    TableGame.objects.bulk_create(games)
    _audit(Verb.PAIRINGS_CHANGED, evening, user)
    return _save(evening)


@transaction.atomic
def swap_players(
    *, evening_id: UUID, user: User, first_id: UUID, second_id: UUID, version: int | None = None
) -> Evening:
    """Let two players change places; either may sit out. Return the club night.

    Raises NotFound, Forbidden, InvalidInput "same-member", "not-paired" or "same-game",
    StateConflict "game-begun" or "stale-version".
    """
    evening = _organised_evening(evening_id, user)
    _expect_version(evening, version)
    if first_id == second_id:
        raise field_error("second", "same-member", gettext("Choose two different members."))
    rows = games_of(evening)
    game, other = _game_of(rows, first_id, "first"), _game_of(rows, second_id, "second")
    if game.pk == other.pk:
        raise field_error("second", "same-game", gettext("These two already play each other."))
    if _begun((game, other)):
        raise StateConflict("game-begun", gettext("A game that has begun cannot be changed."))
    _replace(game, first_id, second_id)
    _replace(other, second_id, first_id)
    people = _members_of(rows)
    night = night_players(evening, people)
    for row in (game, other):
        _connect(row, night)
        row.save(update_fields=["first", "second", "fixture", "campaign"])
    _audit(Verb.PAIRINGS_CHANGED, evening, user)
    return _save(evening)


@transaction.atomic
def move_game(
    *, evening_id: UUID, user: User, game_id: UUID, table: int, version: int | None = None
) -> Evening:
    """Move a game to a table. A game there gets its old table. Return the club night.

    Raises NotFound, Forbidden, InvalidInput "out-of-range" or "sits-out", StateConflict
    "game-begun" or "stale-version".
    """
    evening = _organised_evening(evening_id, user)
    _expect_version(evening, version)
    table = validate_fields(TableMove, {"table": table})["table"]
    rows = games_of(evening)
    game = find(evening.games.all(), game_id, "game")
    if game.second_id is None:
        raise field_error("game", "sits-out", gettext("This player sits out and needs no table."))
    displaced = [row for row in rows if row.table == table and row.pk != game.pk]
    if _begun([game, *displaced]):
        raise StateConflict("game-begun", gettext("A game that has begun cannot be changed."))
    for row in displaced:
        row.table = game.table
        row.save(update_fields=["table"])
    game.table = table
    game.save(update_fields=["table"])
    _audit(Verb.PAIRINGS_CHANGED, evening, user)
    return _save(evening)


@transaction.atomic
def publish_pairings(*, evening_id: UUID, user: User) -> Evening:
    """Show the pairings to all members, and notify the players. Return the club night.

    Later changes are shown at once. Raises NotFound, Forbidden, StateConflict "no-pairings".
    """
    evening = _organised_evening(evening_id, user)
    if not evening.games.exists():
        raise StateConflict("no-pairings", gettext("Draw the pairings first."))
    if evening.published_at is None:
        evening.published_at = timezone.now()
        _audit(Verb.PAIRINGS_PUBLISHED, evening, user)
        announce("evening", evening.pk)
    return _save(evening, "published_at")


@transaction.atomic
def start_game(*, evening_id: UUID, user: User, game_id: UUID, begun: bool = True) -> Evening:
    """Mark a game as begun, or not begun. Return the club night.

    For organisers and both players. Raises NotFound, Forbidden "not-your-game".
    """
    evening = find(
        locked(Evening.objects.visible_to(user).select_related("club")), evening_id, "evening"
    )
    game = find(TableGame.objects.visible_to(user).filter(evening=evening), game_id, "game")
    players = Membership.objects.filter(pk__in=_members_of([game]))
    if not players.filter(user=user).exists() and not (
        TableGame.objects.editable_by(user).filter(pk=game.pk).exists()
    ):
        raise Forbidden("not-your-game", gettext("Only its players and organisers can do this."))
    game.started_at = timezone.now() if begun else None
    game.save(update_fields=["started_at"])
    _audit(Verb.PAIRINGS_CHANGED, evening, user)
    return _save(evening)


@transaction.atomic
def mark_no_show(*, evening_id: UUID, user: User, member_id: UUID) -> None:
    """Mark a member as a no-show. The opponent sits out until paired again.

    A game that has begun stays. Raises NotFound "unknown-evening" or "unknown-member" (neither
    expected nor paired), Forbidden.
    """
    games = TableGame.objects.visible_to(user).filter(evening=evening_id)
    is_paired = games.filter(Q(first=member_id) | Q(second=member_id)).exists()
    answers = Attendance.objects.filter(evening=evening_id, member=member_id)
    # Who has left the club has no answer any more, but may still be in a game.
    has_answer = answers.exists() or not is_paired
    if has_answer:
        arrivals.mark_absent(evening_id=evening_id, user=user, member_id=member_id)
    evening = _organised_evening(evening_id, user)
    rows = [row for row in games_of(evening) if member_id in (row.first_id, row.second_id)]
    begun = _begun(rows)
    release_player([row for row in rows if row not in begun], member_id)
    if rows:
        _save(evening)
    if not has_answer:
        _audit(Verb.PAIRINGS_CHANGED, evening, user)


@transaction.atomic
def remove_walk_in(*, evening_id: UUID, user: User, member_id: UUID) -> None:
    """Remove a guest player who was added by mistake. The opponent sits out until paired again.

    Raises NotFound "unknown-evening" or "unknown-member" (not expected), Forbidden, InvalidInput
    "not-a-new-guest" (has an account, has played, or was at another club night), StateConflict
    "game-begun".
    """
    club_id = find(Evening.objects.visible_to(user), evening_id, "evening").club_id
    # The club is locked before its club night, as when a walk-in is added.
    organised_club(club_id, user)
    evening = _organised_evening(evening_id, user)
    member = find(Membership.objects.filter(attendances__evening=evening), member_id, "member")
    if member.pk not in new_guests(evening, [member.pk]):
        raise field_error(
            "member",
            "not-a-new-guest",
            gettext(
                "%(name)s is not new to the club. Mark a no-show instead, or remove the member on "
                "the club page."
            )
            % {"name": member.name},
            str(member_id),
        )
    rows = [row for row in games_of(evening) if member.pk in (row.first_id, row.second_id)]
    if _begun(rows):
        raise StateConflict("game-begun", gettext("A game that has begun cannot be changed."))
    release_player(rows, member.pk)
    remove_member(member_id=member.pk, user=user)
    if rows:
        _save(evening)


def _organised_evening(evening_id: UUID, user: User) -> Evening:
    """Return the club night, locked, for an organiser. Raises StateConflict if it is over."""
    rows = Evening.objects.visible_to(user).select_related("club")
    evening = find(locked(rows), evening_id, "evening")
    expect_organiser(evening.club_id, user)
    if evening.cancelled_at is not None:
        raise StateConflict("evening-cancelled", gettext("This club night is cancelled."))
    if evening.ends_at <= timezone.now():
        raise StateConflict("evening-over", gettext("This club night is over."))
    return evening


def _expect_version(evening: Evening, version: int | None) -> None:
    if version is not None and version != evening.pairing_version:
        raise StaleVersion(
            gettext("Someone else changed the pairings. Look at them and try again."),
            evening.pairing_version,
        )


def _begun(rows: Sequence[TableGame]) -> list[TableGame]:
    """Return the games that have begun, by their battles or as marked."""
    played = results_of(rows)
    return [row for row in rows if state_of(row, played.get(row.pk)) is not GameState.OPEN]


def _members_of(rows: Collection[TableGame]) -> set[UUID]:
    return {key for row in rows for key in (row.first_id, row.second_id) if key is not None}


def _game(evening: Evening, pair: Pair, night: NightPlayers) -> TableGame:
    first, second = pair
    game = TableGame(
        evening=evening, first_id=UUID(first), second_id=UUID(second) if second else None
    )
    _connect(game, night)
    return game


def _contest_of(game: TableGame, contests: Mapping[Pair, Contest]) -> Contest | None:
    if game.second_id is None:
        return None
    return contests.get(pair_key(str(game.first_id), str(game.second_id)))


def _connect(game: TableGame, night: NightPlayers) -> None:
    """Set the due fixture and the campaign of a game."""
    contest = _contest_of(game, night.contests)
    game.campaign_id = contest.campaign if contest else None
    game.fixture_id = contest.fixture.id if contest and contest.fixture else None


def _seat(
    games: Sequence[TableGame], seated: Collection[TableGame], evening: Evening, night: NightPlayers
) -> None:
    """Give tables to the games, due fixtures first. Those in ``seated`` keep theirs."""
    playing = [game for game in games if game.second_id is not None]
    keeping = {game.pk for game in seated}
    playing.sort(key=lambda game: game.fixture_id is None)
    wishes = []
    for game in playing:
        contest = _contest_of(game, night.contests)
        points = contest.points if contest else 0
        table = game.table if game.pk in keeping else None
        wishes.append(TableWish(key=str(game.pk), points=points, table=table))
    tables = tables_of(wishes, evening.tables, evening.large_tables)
    for game in playing:
        if game.pk not in keeping:
            game.table = tables[str(game.pk)]


def _game_of(rows: Sequence[TableGame], member: UUID, name: str) -> TableGame:
    game = next((row for row in rows if member in (row.first_id, row.second_id)), None)
    if game is None:
        raise field_error(name, "not-paired", gettext("This member is not in the pairings."))
    return game


def _replace(game: TableGame, leaving: UUID, coming: UUID) -> None:
    if game.first_id == leaving:
        game.first_id = coming
    else:
        game.second_id = coming


def _save(evening: Evening, *fields: str) -> Evening:
    evening.pairing_version += 1
    evening.save(update_fields=["pairing_version", *fields])
    if evening.published_at is not None and "published_at" not in fields:
        announce("evening", evening.pk)
    return evening


def _audit(verb: Verb, evening: Evening, user: User) -> None:
    day = evening.local_start.date().isoformat()
    record(verb, evening, user=user, club=evening.club_id, name=day)
