"""A club for its home page and the API.

It has the next club nights, latest results, open tasks by member, and all-time records.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.models import LONG, Battle, BattleQuerySet, BattleState, Side
from battles.selectors.battle_rows import battle_row, with_sides
from campaigns.models import Campaign, CampaignQuerySet, Enrolment
from clubs.models import Club, Evening, Membership, Role
from clubs.selectors.history import PastRecord, past_records
from core.compiled_queries import CompiledQuery, Reader
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
    return MEMBERS.rows(club.pk)


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
        latest=_latest_cards(club, user),
        needs=member_needs(club, people_of(members), fixtures) if organises else (),
        records=ClubRecords(
            _with_past(_member_records(club, user), past_records(club)),
            _fighter_records(club, user),
        ),
    )


def _listed(key: UUID, user: Reader) -> CampaignQuerySet:
    """Return the campaigns of the club that the reader may see listed."""
    return Campaign.objects.filter(club=key).listed_in_club(user)


def _latest(key: UUID, user: Reader) -> BattleQuerySet:
    """Return the latest confirmed battles of the club that the reader may see listed."""
    confirmed = Battle.objects.filter(campaign__in=_listed(key, user), state=BattleState.CONFIRMED)
    return confirmed.latest_played_first()[:LATEST]


MEMBERS: CompiledQuery[Membership] = CompiledQuery(
    lambda key, _: (
        Membership.objects.present()
        .with_accounts()
        .filter(club=key)
        .select_related("user__club_bot")
        .order_by("name", "pk")
    )
)
LATEST_BATTLES: CompiledQuery[Battle] = CompiledQuery(
    lambda key, user: _latest(key, user).select_related("campaign").defer(*LONG)
)
LATEST_SIDES: CompiledQuery[Side] = CompiledQuery(
    lambda key, user: Side.objects.for_rows().filter(battle__in=_latest(key, user).values("pk"))
)
LATEST_COLOURS: CompiledQuery[tuple[UUID | None, UUID, str]] = CompiledQuery(
    lambda key, user: Enrolment.objects.filter(
        campaign__in=_latest(key, user).values("campaign")
    ).values_list("campaign", "warband", "colour")
)


def _latest_cards(club: Club, user: User | AnonymousUser) -> tuple[ScoreCard, ...]:
    """Return cards of the latest battles, in the colours of their campaigns. Three queries."""
    battles = LATEST_BATTLES.rows(club.pk, user)
    if not battles:
        return ()
    colours = {
        (campaign, warband): colour
        for campaign, warband, colour in LATEST_COLOURS.rows(club.pk, user)
    }
    return tuple(
        ScoreCard(
            row := battle_row(battle),
            tuple(
                ScoreSide(side, colours.get((battle.campaign_id, side.warband), ""))
                for side in row.sides
            ),
        )
        for battle in with_sides(battles, LATEST_SIDES.rows(club.pk, user))
    )


def _counted_results(key: UUID, user: Reader) -> QuerySet[Side, Any]:
    """Return the numbers of won, drawn and lost battles of each member."""
    player = "warband__enrolments__player"
    return (
        Side.objects.filter(
            battle__campaign__in=_listed(key, user),
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


COUNTED_RESULTS = CompiledQuery(_counted_results)


def _member_records(club: Club, user: User | AnonymousUser) -> tuple[MemberRecord, ...]:
    """Return the results of every member who has fought, most wins first. One query."""
    rows = (
        MemberRecord(
            row["member"], row["name"], row["left"] is None, row["won"], row["drawn"], row["lost"]
        )
        for row in COUNTED_RESULTS.rows(club.pk, user)
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


def _careers(key: UUID, user: Reader) -> QuerySet[Fighter, Any]:
    """Return the numbers of battles and the tallies of all fighters who have fought."""
    warbands = Enrolment.objects.filter(campaign__in=_listed(key, user)).values("warband")
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
    fought: QuerySet[Fighter, Any] = rows.values(*names, tallies=F("state__tallies"))
    return fought


CAREERS = CompiledQuery(_careers)


def _fighter_records(club: Club, user: User | AnonymousUser) -> tuple[FighterRecord, ...]:
    """Return the longest career and the best fighters of each tally of the rule systems.

    One query.
    """
    fought = CAREERS.rows(club.pk, user)
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
