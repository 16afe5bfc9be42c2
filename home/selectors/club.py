"""A club for its home page and the API.

It has the next club nights, latest results, open tasks by member, and all-time records.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Battle, BattleState, Side
from battles.selectors.battle_rows import battle_row
from battles.selectors.sides import player_of, seats_of
from campaigns.models import Campaign, Enrolment
from clubs.models import Club, Evening, Membership, Role
from clubs.selectors.history import PastRecord, past_records
from core.csv_files import plain
from core.ruleset_words import translated_tallies
from home.selectors.evenings import EveningCard, club_evening_cards, opponents
from home.selectors.member_tasks import MemberNeeds, member_needs
from leagues.selectors.dashboard import ScoreCard, ScoreSide
from leagues.selectors.fixtures import open_fixtures, open_fixtures_of_club
from rulebook.registry import find_ruleset, system_name
from rulebook.ruleset import Outcome, RulesError
from rulebook.values.described import closed
from rulebook.values.rosters import Tally
from warbands.models import Fighter

LATEST = 4
MAX_AHEAD = 3
MAX_CHAMPIONS = 3


class MemberRecord(Struct, frozen=True):
    """A member's results in all campaigns of the club, without friendly battles.

    ``here`` is False for a former member. ``imported`` is the number of battles among them that
    were imported from before Muster. ``member`` is None if only those name the player.
    """

    member: UUID | None
    name: str
    here: bool
    won: int
    drawn: int
    lost: int
    imported: int = 0

    @property
    def played(self) -> int:
        """The number of battles."""
        return self.won + self.drawn + self.lost


class Champion(Struct, frozen=True):
    """A fighter who holds a record."""

    fighter: UUID
    name: str
    warband: UUID
    warband_name: str


class FighterRecord(Struct, frozen=True):
    """A record: its label, its count, its first holders, and the number of other holders.

    ``ruleset_name`` is the name of the rule system that counts it; "" if all are counted together.
    """

    label: str
    ruleset_name: str
    count: int
    holders: tuple[Champion, ...]
    others: int = 0


class ClubRecords(Struct, frozen=True):
    """All-time records of a club, from the confirmed battles that the reader may see."""

    members: tuple[MemberRecord, ...]
    fighters: tuple[FighterRecord, ...]


class ClubHome(Struct, frozen=True):
    """A club's home page for one reader.

    ``evenings`` are the next ones. ``needs`` is filled for organisers only.
    """

    id: UUID
    name: str
    story: str
    time_zone: str
    role: Annotated[str, closed("ClubRole", Role, blank=True)]
    evenings: tuple[EveningCard, ...]
    latest: tuple[ScoreCard, ...]
    needs: tuple[MemberNeeds, ...]
    records: ClubRecords

    @property
    def next(self) -> tuple[EveningCard, ...]:
        """The next club nights, up to the first that is not cancelled."""
        on = [place for place, evening in enumerate(self.evenings) if not evening.cancelled]
        return self.evenings[: on[0] + 1] if on else self.evenings

    @property
    def later(self) -> tuple[EveningCard, ...]:
        """The club nights after those of ``next``."""
        return self.evenings[len(self.next) :]


def members_of(club: Club) -> list[Membership]:
    """Return the present members of a club with their accounts, by name. One query."""
    members = Membership.objects.present().with_accounts().filter(club=club)
    members = members.select_related("user__club_bot")
    return list(members.order_by("name", "pk"))


def people_of(members: Iterable[Membership]) -> list[Membership]:
    """Return the members without the club's bot, from rows of ``members_of``."""
    return [each for each in members if each.user is None or not hasattr(each.user, "club_bot")]


def club_home(
    club: Club, user: User | AnonymousUser, members: Sequence[Membership] | None = None
) -> ClubHome:
    """Return the home page of a club for this reader, by a fixed number of queries.

    ``members`` is the result of ``members_of``, if it is loaded already.
    """
    today = timezone.localdate()
    members = members_of(club) if members is None else members
    me = next((member for member in members if user.pk and member.user_id == user.pk), None)
    organises = me is not None and me.role == Role.ORGANISER
    fixtures = open_fixtures_of_club(club, today) if organises else ()
    campaigns = Campaign.objects.filter(club=club).listed_in_club(user)
    confirmed = Battle.objects.filter(campaign__in=campaigns, state=BattleState.CONFIRMED)
    evenings = list(Evening.objects.filter(club=club).ahead(timezone.now())[:MAX_AHEAD])
    for evening in evenings:
        evening.club = club
    if organises:
        own_fixtures = [each for player, each in fixtures if player == user.pk]
    else:
        own_fixtures = [*open_fixtures(user, today)] if me and evenings else []
    owed = opponents(own_fixtures, {me.pk} if me else set())
    return ClubHome(
        id=club.pk,
        name=club.name,
        story=club.story,
        time_zone=club.time_zone,
        role=me.role if me else "",
        evenings=club_evening_cards(evenings, user, members, owed),
        latest=score_cards(confirmed.for_rows().latest_played_first()[:LATEST]),
        needs=member_needs(club, people_of(members), fixtures) if organises else (),
        records=ClubRecords(
            _with_past(_member_records(campaigns), past_records(club)),
            _fighter_records(campaigns),
        ),
    )


def score_cards(battles: Iterable[Battle]) -> tuple[ScoreCard, ...]:
    """Return cards of battles loaded by ``for_rows``, in the colours of their campaigns.

    Takes one query.
    """
    battles = list(battles)
    seats = seats_of(battles)
    return tuple(
        ScoreCard(
            row := battle_row(battle),
            tuple(
                ScoreSide(shown, player_of(battle, side, seats).colour)
                for shown, side in zip(row.sides, battle.sides.all(), strict=True)
            ),
        )
        for battle in battles
    )


def _member_records(campaigns: Any) -> tuple[MemberRecord, ...]:
    """Return the results of every member who has fought, most wins first. One query."""
    player = "warband__enrolments__player"
    counted = (
        Side.objects.filter(
            battle__campaign__in=campaigns,
            battle__state=BattleState.CONFIRMED,
            battle__friendly=False,
            warband__enrolments__campaign=F("battle__campaign"),
        )
        .order_by()
        .values(member=F(player), name=F(f"{player}__name"), left=F(f"{player}__left_at"))
        .annotate(
            won=Count("pk", filter=Q(outcome=Outcome.WON)),
            drawn=Count("pk", filter=Q(outcome=Outcome.DREW)),
            lost=Count("pk", filter=Q(outcome=Outcome.LOST)),
        )
    )
    rows = (
        MemberRecord(
            row["member"], row["name"], row["left"] is None, row["won"], row["drawn"], row["lost"]
        )
        for row in counted
    )
    return _by_wins(rows)


def _by_wins(rows: Iterable[MemberRecord]) -> tuple[MemberRecord, ...]:
    return tuple(sorted(rows, key=lambda row: (-row.won, -row.drawn, row.lost, row.name)))


def _with_past(
    records: tuple[MemberRecord, ...], past: Sequence[PastRecord]
) -> tuple[MemberRecord, ...]:
    """Return the records with imported results."""
    if not past:
        return records
    by_player: dict[Any, MemberRecord] = {row.member: row for row in records}
    for each in past:
        key = each.member or plain(each.name)
        row = by_player.get(key) or MemberRecord(each.member, each.name, each.here, 0, 0, 0)
        by_player[key] = replace(
            row,
            won=row.won + each.won,
            drawn=row.drawn + each.drawn,
            lost=row.lost + each.lost,
            imported=row.imported + each.won + each.drawn + each.lost,
        )
    return _by_wins(by_player.values())


def _fighter_records(campaigns: Any) -> tuple[FighterRecord, ...]:
    """Return the longest career and the best fighters of each tally of the rule systems.

    One query.
    """
    warbands = Enrolment.objects.filter(campaign__in=campaigns).values("warband")
    rows = Fighter.objects.filter(battles__gt=0, warband__in=warbands).order_by()
    names = (
        "pk",
        "name",
        "battles",
        "warband",
        "warband__name",
        "warband__ruleset",
        "warband__edition",
    )
    fought = list(rows.values(*names, tallies=F("state__tallies")))
    systems = sorted({(row["warband__ruleset"], row["warband__edition"]) for row in fought})
    records = [
        _best(gettext("Longest career, in battles"), "", fought, [row["battles"] for row in fought])
    ]
    for ruleset, edition in systems:
        mine = [
            row
            for row in fought
            if (row["warband__ruleset"], row["warband__edition"]) == (ruleset, edition)
        ]
        for tally in _tallies(ruleset, edition):
            counts = [(row["tallies"] or {}).get(tally.key, 0) for row in mine]
            records.append(_best(tally.label, system_name(ruleset), mine, counts))
    return tuple(record for record in records if record.count)


def _tallies(ruleset: str, edition: str) -> tuple[Tally, ...]:
    try:
        return translated_tallies(find_ruleset(ruleset, edition).tallies)
    except RulesError:
        return ()


def _best(
    label: str, ruleset: str, rows: Sequence[Mapping[str, Any]], counts: Sequence[int]
) -> FighterRecord:
    """Return the record of the highest count, with a few of its holders by name."""
    most = max(counts, default=0)
    best = [row for row, count in zip(rows, counts, strict=True) if count == most]
    best.sort(key=lambda row: (row["name"], row["pk"]))
    holders = (
        Champion(row["pk"], row["name"], row["warband"], row["warband__name"])
        for row in best[:MAX_CHAMPIONS]
    )
    return FighterRecord(label, ruleset, most, tuple(holders), max(0, len(best) - MAX_CHAMPIONS))
