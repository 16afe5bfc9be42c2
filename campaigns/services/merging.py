"""Merge two members of a club who are the same person, and undo a merge.

Only a member without a usable account can be merged into another, so that no account loses its
membership.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from msgspec import Struct

from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import (
    Campaign,
    Enrolment,
    Fixture,
    HandOver,
    JournalEntry,
    TableGame,
)
from campaigns.services.table_games import release_player
from clubs.models import (
    UNDO_WITHIN,
    Answer,
    Attendance,
    Club,
    Evening,
    ForbiddenPair,
    Membership,
    Merge,
    Role,
)
from clubs.services.members import free_variant
from clubs.services.permissions import expect_organiser, find, locked
from core.cleaning import field_error
from core.errors import InvalidInput, StateConflict
from rulebook.ruleset import Problem
from warbands.models import Warband
from warbands.news import announce
from warbands.signed import create_signed, save_signed, update_signed


class MovedWarband(Struct, frozen=True):
    """A warband that moves with the member, and the campaigns in which it is or was."""

    id: UUID
    name: str
    campaigns: tuple[str, ...]
    new_owner: bool
    """True if it gets another owner; a warband whose owner can sign in keeps that owner."""


class MergePreview(Struct, frozen=True):
    """The effect of a merge, and the problems that prevent it."""

    seat: UUID
    """The member that the merge removes."""
    seat_name: str
    member: UUID
    """The member who stays."""
    member_name: str
    warbands: tuple[MovedWarband, ...]
    enrolments: int
    answers: int
    """The number of answers to club nights."""
    journal_entries: int
    notices: tuple[str, ...]
    problems: tuple[Problem, ...]
    """Why they cannot be merged, each with a way to fix it; empty if they can."""


def preview_merge(*, seat_id: UUID, into: UUID, user: User) -> MergePreview:
    """Return what merging one member into another would do. Writes nothing.

    Raises NotFound, Forbidden "organisers-only", InvalidInput "has-account" and "same-member".
    """
    seat, member = _found(seat_id, into, user)
    enrolments = list(
        seat.enrolments.select_related("warband", "campaign").order_by("enrolled_at", "pk")
    )
    changing = set(_vacant_warbands(seat).values_list("pk", flat=True))
    campaigns: dict[UUID, list[str]] = {}
    for enrolment in enrolments:
        campaigns.setdefault(enrolment.warband_id, []).append(enrolment.campaign.name)
    names = {enrolment.warband_id: enrolment.warband.name for enrolment in enrolments}
    return MergePreview(
        seat=seat.pk,
        seat_name=seat.name,
        member=member.pk,
        member_name=member.name,
        warbands=tuple(
            MovedWarband(key, name, tuple(campaigns[key]), key in changing)
            for key, name in names.items()
        ),
        enrolments=len(enrolments),
        answers=seat.attendances.exclude(pk__in=_doubled(seat, member).values("pk")).count(),
        journal_entries=seat.journal_entries.count(),
        notices=tuple(_notices(seat, member)),
        problems=tuple(_problems(seat, member)),
    )


@transaction.atomic
def merge_members(*, seat_id: UUID, into: UUID, user: User) -> Merge:
    """Move everything of a member without an account to another member, and delete the first.

    Raises the errors of ``preview_merge``, and InvalidInput "members-clash" with a problem for each
    thing that prevents the merge.
    """
    seat, member = _found(seat_id, into, user, lock=True)
    # After the club, its coming nights with a game of the guest: nobody changes pairings meanwhile.
    list(locked(_nights_of(seat)).order_by("pk"))
    problems = list(_problems(seat, member))
    if problems:
        raise InvalidInput(
            "members-clash", " ".join(problem.sentence for problem in problems), problems=problems
        )

    # Step 1: record everything that an undo must restore.
    #
    # After the club, warbands are locked in the order of their ids, as everywhere, to avoid
    # deadlocks.
    warbands = list(locked(_vacant_warbands(seat)).order_by("pk"))
    doubled = list(_doubled(seat, member))
    moved: dict[str, Any] = {
        "enrolments": _ids(seat.enrolments),
        "journal": _ids(seat.journal_entries),
        "answers": [answer.pk for answer in seat.attendances.all() if answer not in doubled],
        "doubled": [_stored_answer(each) for each in doubled],
        "arrived": _arrived_as_guest(doubled, member),
        "warbands": {
            str(warband.pk): [warband.owner_id, warband.keeper_id] for warband in warbands
        },
        "owner": member.user_id,
        "given": _ids(seat.given_warbands),
        "taken": _ids(HandOver.objects.filter(receiver_seat=seat)),
        "sides": _ids(seat.substituted_sides),
        "fixtures": _ids(seat.substituted_fixtures),
        "apart": _ids_apart_from(seat),
        "past": [each.pk for each in seat.past_facts.all()],
        "past_games": [each.pk for each in seat.past_games.all()],
    }
    # Nobody can be at two tables of a club night: the member's game stays unless only the guest's
    # has begun, and the other opponent sits out. Only after that do we know which games move.
    _release_from_double_games(seat, member)
    moved["first_games"] = _ids(TableGame.objects.filter(first=seat).exclude(second=member))
    moved["second_games"] = _ids(TableGame.objects.filter(second=seat).exclude(first=member))
    moved["newly_apart"] = _keep_apart(member, moved["apart"])
    merge = create_signed(
        Merge,
        club=seat.club,
        member=member,
        role_before=member.role,
        seat=seat.pk,
        seat_user=seat.user,
        name=seat.name,
        role=seat.role,
        joined_at=seat.joined_at,
        moved=moved,
        merged_by=user,
        merged_at=timezone.now(),
    )
    record(Verb.MEMBERS_MERGED, member, user=user, club=seat.club_id, seat=seat.name)

    # Step 2: move it.
    for warband in warbands:
        warband.owner, warband.keeper = (
            member.user,
            None if member.user else (warband.keeper or user),
        )
        save_signed(warband, "owner", "keeper")
    campaigns = _campaigns(seat)
    Attendance.objects.filter(pk__in=moved["answers"]).update(member=member)
    for before in moved["arrived"]:
        # The guest was there, so the member was, whatever the member had answered.
        here = Attendance.objects.filter(member=member, evening=before["evening"])
        here.update(arrived_at=before["arrived"], no_show=False, answer=Answer.COMING)
    update_signed(seat.journal_entries.all(), author=member)
    update_signed(seat.enrolments.all(), player=member)
    update_signed(seat.given_warbands.all(), giver_seat=member)
    update_signed(HandOver.objects.filter(receiver_seat=seat), receiver_seat=member)
    update_signed(seat.substituted_sides.all(), substitute=member)
    update_signed(seat.substituted_fixtures.all(), player=member)
    TableGame.objects.filter(pk__in=moved["first_games"]).update(first=member)
    TableGame.objects.filter(pk__in=moved["second_games"]).update(second=member)
    seat.past_facts.update(member=member)
    seat.past_games.update(opponent_member=member)
    seat.delete()
    if member.role == Role.SPECTATOR and moved["enrolments"]:
        member.role = Role.PLAYER
        save_signed(member, "role")
    _announce(member, campaigns)
    return merge


@transaction.atomic
def undo_merge(*, merge_id: UUID, user: User) -> Membership:
    """Undo a merge, and return the restored member with everything that came from them.

    Battles that their warbands have fought since stay with the warbands. A game of a club night
    from which the merge took them is not restored: they wait for a game there. Raises NotFound
    "unknown-merge", StateConflict "merge-undone", InvalidInput "merge-too-old" (after 30 days) and
    "merge-overtaken".
    """
    merge = find(Merge.objects.visible_to(user), merge_id, "merge")
    club = find(locked(Club.objects.all()), merge.club_id, "club")
    # Read again after the lock: another request may have undone it meanwhile.
    merge = Merge.objects.select_related("member", "seat_user").get(pk=merge_id)
    member, moved = merge.member, merge.moved
    _expect_undoable(merge)
    warbands = list(locked(Warband.objects.filter(pk__in=moved["warbands"])).order_by("pk"))
    enrolments = Enrolment.objects.filter(
        Q(pk__in=moved["enrolments"]) | Q(warband__in=warbands, player=member)
    )
    _expect_unmoved(merge, warbands)

    seat = create_signed(
        Membership,
        pk=merge.seat,
        club=club,
        user=merge.seat_user,
        name=free_variant(club.pk, merge.name),
        role=merge.role,
    )
    # ``joined_at`` is auto_now_add, so the insert has set it to the present.
    Membership.objects.filter(pk=seat.pk).update(joined_at=merge.joined_at)
    for warband in warbands:
        owner, keeper = moved["warbands"][str(warband.pk)]
        organises = club.memberships.filter(user=keeper, role=Role.ORGANISER).exists()
        # A former keeper may no longer be an organiser: then the user who undoes the merge keeps
        # the guest's warband.
        warband.owner_id = owner
        warband.keeper_id = keeper if owner is not None or organises else user.pk
        save_signed(warband, "owner", "keeper")
    update_signed(enrolments, player=seat)
    update_signed(JournalEntry.objects.filter(pk__in=moved["journal"], author=member), author=seat)
    Attendance.objects.filter(pk__in=moved["answers"], member=member).update(member=seat)
    update_signed(member.given_warbands.filter(pk__in=moved["given"]), giver_seat=seat)
    taken = HandOver.objects.filter(pk__in=moved["taken"], receiver_seat=member)
    update_signed(taken, receiver_seat=seat)
    update_signed(member.substituted_sides.filter(pk__in=moved["sides"]), substitute=seat)
    update_signed(member.substituted_fixtures.filter(pk__in=moved["fixtures"]), player=seat)
    for side in ("first", "second"):
        games = TableGame.objects.filter(pk__in=moved.get(f"{side}_games", ()))
        games.filter(**{side: member}).update(**{side: seat})
    member.past_facts.filter(pk__in=moved.get("past", ())).update(member=seat)
    member.past_games.filter(pk__in=moved.get("past_games", ())).update(opponent_member=seat)
    _answer_again(seat, moved["doubled"])
    _undo_arrivals(member, moved.get("arrived", ()))
    ForbiddenPair.objects.filter(pk__in=moved.get("newly_apart", ())).delete()
    _keep_apart(seat, moved.get("apart", ()))
    if (
        merge.role_before == Role.SPECTATOR
        and member.role == Role.PLAYER
        and not member.enrolments.exists()
    ):
        member.role = Role.SPECTATOR
        save_signed(member, "role")
    merge.undone_at = timezone.now()
    save_signed(merge, "undone_at")
    record(Verb.MERGE_UNDONE, member, user=user, club=club.pk, seat=seat.name)
    _announce(member, _campaigns(seat))
    return seat


def _found(
    seat_id: UUID, into: UUID, user: User, *, lock: bool = False
) -> tuple[Membership, Membership]:
    """Return the two members, read after locking the club if ``lock`` is set."""
    seat = find(Membership.objects.visible_to(user), seat_id, "member")
    if lock:
        find(locked(Club.objects.all()), seat.club_id, "club")
    seats = Membership.objects.with_accounts().select_related("club").filter(club=seat.club_id)
    seat = find(seats, seat_id, "member")
    expect_organiser(seat.club_id, user)
    member = seats.present().filter(pk=into).first()
    if member is None:
        raise field_error(
            "into", "unknown-member", gettext("Choose a member of the same club."), str(into)
        )
    if member.pk == seat.pk:
        raise field_error(
            "into",
            "same-member",
            gettext("Choose a member other than %(name)s.") % {"name": seat.name},
        )
    if not seat.vacant:
        raise field_error(
            "member",
            "has-account",
            gettext(
                "%(name)s has an account. Only a member without an account can be merged into "
                "another."
            )
            % {"name": seat.name},
        )
    return seat, member


def _vacant_warbands(seat: Membership) -> QuerySet[Warband]:
    """Return the warbands of a member without an owner who can sign in."""
    nobody = Q(owner=None) if seat.user is None else Q(owner=None) | Q(owner=seat.user)
    return Warband.objects.filter(nobody, pk__in=seat.enrolments.values("warband"))


def _doubled(seat: Membership, member: Membership) -> QuerySet[Attendance]:
    """Return the member's answers to club nights that the other member has answered as well."""
    return seat.attendances.filter(evening__in=member.attendances.values("evening"))


def _problems(seat: Membership, member: Membership) -> Iterator[Problem]:
    named = {"seat": seat.name, "member": member.name}
    playing = member.enrolments.current().values("campaign")
    for enrolment in (
        seat.enrolments.current().filter(campaign__in=playing).select_related("campaign")
    ):
        sentence = gettext(
            "%(seat)s and %(member)s both play in %(campaign)s. Withdraw one of their warbands "
            "first, or wait until "
            "the campaign has ended."
        )
        yield Problem(
            "both-play",
            sentence % {**named, "campaign": enrolment.campaign},
            value=str(enrolment.campaign_id),
        )
    for game, other in _double_games(seat, member):
        if game.started_at and other.started_at:
            day = date_format(game.evening.local_start, gettext("j F Y"))
            sentence = gettext(
                "%(seat)s and %(member)s both have a game at the club night on %(day)s that has "
                "begun, so they are two people. Mark one as not begun if it is a mistake."
            )
            yield Problem("paired", sentence % {**named, "day": day}, value=str(game.evening_id))
    for campaign in _met_in(seat, member):
        sentence = gettext(
            "%(seat)s and %(member)s have been paired with each other in %(campaign)s, so they are "
            "two people. "
            "Delete that fixture or battle first if it is a mistake."
        )
        yield Problem("paired", sentence % {**named, "campaign": campaign}, value=str(campaign.pk))


def _met_in(seat: Membership, member: Membership) -> list[Campaign]:
    """Return the campaigns in which the two have a fixture or a battle against each other.

    Includes void battles, which can be restored.
    """
    paired = Fixture.objects.filter(
        Q(home__player=seat, away__player=member) | Q(home__player=member, away__player=seat)
    )
    battle = "warband__sides__battle"
    met = seat.enrolments.filter(
        **{
            f"{battle}__campaign": F("campaign"),
            f"{battle}__sides__warband__enrolments__player": member,
            f"{battle}__sides__warband__enrolments__campaign": F("campaign"),
        }
    )
    of_both = Q(pk__in=met.values("campaign")) | Q(pk__in=paired.values("round__campaign"))
    for first, second in ((seat, member), (member, seat)):
        # A substitute for a player, or against them, must be another person.
        substituted = first.substituted_sides.filter(
            battle__sides__warband__enrolments__player=second,
            battle__sides__warband__enrolments__campaign=F("battle__campaign"),
        )
        of_both |= Q(pk__in=substituted.values("battle__campaign"))
    return list(Campaign.objects.filter(of_both).order_by("name", "pk"))


def _notices(seat: Membership, member: Membership) -> Iterator[str]:
    named = {"seat": seat.name, "member": member.name}
    if number := _doubled(seat, member).count():
        yield ngettext(
            "Both have answered for %(number)s club night: the answer of %(member)s counts.",
            "Both have answered for %(number)s club nights: the answers of %(member)s count.",
            number,
        ) % {**named, "number": number}
    if member.role == Role.SPECTATOR and seat.enrolments.exists():
        yield gettext("%(member)s becomes a player.") % named
    if seat.invitations.exists():
        yield gettext("Invitations for %(seat)s stop working.") % named


def _expect_undoable(merge: Merge) -> None:
    if merge.undone_at is not None:
        raise StateConflict("merge-undone", gettext("This merge has been undone already."))
    if timezone.now() > merge.merged_at + UNDO_WITHIN:
        raise InvalidInput(
            "merge-too-old",
            gettext("A merge can be undone for %(days)s days. Transfer the warbands instead.")
            % {"days": UNDO_WITHIN.days},
        )


def _expect_unmoved(merge: Merge, warbands: list[Warband]) -> None:
    """Raise InvalidInput unless everything is where the merge put it.

    An undo restores all or nothing.
    """
    member, moved = merge.member, merge.moved
    problems = [
        Problem(
            "merge-overtaken",
            gettext("%(name)s has changed hands since the merge. Transfer it back first.")
            % {"name": warband.name},
            value=str(warband.pk),
        )
        for warband in warbands
        if warband.owner_id != moved["owner"]
    ]
    others = (
        Enrolment.objects.filter(pk__in=moved["enrolments"])
        .exclude(player=member)
        .select_related("warband")
    )
    problems += [
        Problem(
            "merge-overtaken",
            gettext("Someone else has played %(name)s since the merge.")
            % {"name": enrolment.warband.name},
            value=str(enrolment.warband_id),
        )
        for enrolment in others
    ]
    if (
        merge.seat_user is not None
        and Membership.objects.filter(club=merge.club_id, user=merge.seat_user).exists()
    ):
        sentence = gettext("Another import has added %(name)s to the club again.") % {
            "name": merge.name
        }
        problems.append(Problem("merge-overtaken", sentence))
    if problems:
        raise InvalidInput(
            "merge-overtaken", " ".join(problem.sentence for problem in problems), problems=problems
        )


def _stored_answer(answer: Attendance) -> dict[str, Any]:
    """Return an answer as JSON, by the names of ``_answer_again``."""
    return {
        "evening": str(answer.evening_id),
        "answer": answer.answer,
        "at": answer.answered_at.isoformat(),
        "by_organiser": answer.by_organiser,
        "arrived": answer.arrived_at.isoformat() if answer.arrived_at else None,
        "no_show": answer.no_show,
        "seeks_opponent": answer.seeks_opponent,
        "loan": answer.loan,
    }


def _answer_again(seat: Membership, answers: list[dict[str, Any]]) -> None:
    """Restore the answers that the merge dropped, for club nights that still exist."""
    evenings = seat.club.evenings.filter(pk__in=[each["evening"] for each in answers])
    existing = {str(key) for key in evenings.values_list("pk", flat=True)}
    Attendance.objects.bulk_create(
        Attendance(
            evening_id=UUID(each["evening"]),
            member=seat,
            answer=each["answer"],
            answered_at=datetime.fromisoformat(each["at"]),
            by_organiser=each.get("by_organiser", False),
            arrived_at=_moment(each.get("arrived")),
            no_show=each.get("no_show", False),
            seeks_opponent=each.get("seeks_opponent", False),
            loan=each.get("loan", ""),
        )
        for each in answers
        if each["evening"] in existing
    )


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _arrived_as_guest(doubled: list[Attendance], member: Membership) -> list[dict[str, Any]]:
    """Return the club nights at which only the guest had checked in, with the member's answers.

    ``arrived`` is when the guest checked in.
    """
    here = {each.evening_id: each.arrived_at.isoformat() for each in doubled if each.arrived_at}
    rows = member.attendances.filter(evening__in=here, arrived_at=None)
    return [
        {
            "evening": str(row.evening_id),
            "answer": row.answer,
            "no_show": row.no_show,
            "arrived": here[row.evening_id],
        }
        for row in rows
    ]


def _undo_arrivals(member: Membership, arrived: Iterable[dict[str, Any]]) -> None:
    """Restore the member's answers where only the guest had checked in."""
    for before in arrived:
        rows = Attendance.objects.filter(member=member, evening=before["evening"])
        rows.filter(arrived_at=_moment(before["arrived"])).update(
            arrived_at=None, no_show=before["no_show"], answer=before["answer"]
        )


def _nights_of(seat: Membership) -> QuerySet[Evening]:
    """Return the club nights that are not over, and at which the guest has a game."""
    games = TableGame.objects.filter(Q(first=seat) | Q(second=seat))
    nights = Evening.objects.filter(club=seat.club_id, ends_at__gt=timezone.now())
    return nights.filter(pk__in=games.values("evening"))


def _double_games(seat: Membership, member: Membership) -> list[tuple[TableGame, TableGame]]:
    """Return the games of both at club nights that are not over: the seat's and the member's."""
    rows = TableGame.objects.filter(evening__in=_nights_of(seat))
    pairs = []
    for game in rows.filter(Q(first=seat) | Q(second=seat)).select_related("evening__club"):
        others = rows.filter(Q(first=member) | Q(second=member), evening=game.evening_id)
        other = others.exclude(pk=game.pk).first()
        if other is not None:
            pairs.append((game, other))
    return pairs


def _release_from_double_games(seat: Membership, member: Membership) -> None:
    for game, other in _double_games(seat, member):
        if game.started_at is None:
            release_player([game], seat.pk)
        else:
            release_player([other], member.pk)
        nights = Evening.objects.filter(pk=game.evening_id)
        nights.update(pairing_version=F("pairing_version") + 1)


def _ids_apart_from(seat: Membership) -> list[str]:
    """Return the members that the member is never paired with at club nights."""
    rows = ForbiddenPair.objects.filter(Q(first=seat) | Q(second=seat)).order_by("pk")
    pairs = rows.values_list("first", "second")
    return [str(second if first == seat.pk else first) for first, second in pairs]


def _keep_apart(member: Membership, others: Iterable[str]) -> list[str]:
    """Keep a member apart from these, and return the ids of the pairs that are new."""
    created = []
    rows = Membership.objects.filter(club=member.club_id, pk__in=others).exclude(pk=member.pk)
    for other in rows.order_by("pk"):
        first, second = sorted((other, member), key=lambda each: each.pk)
        pair, is_new = ForbiddenPair.objects.get_or_create(
            first=first, second=second, defaults={"club_id": member.club_id}
        )
        if is_new:
            created.append(str(pair.pk))
    return created


def _ids(rows: Any) -> list[str]:
    return [str(key) for key in rows.values_list("pk", flat=True)]


def _campaigns(seat: Membership) -> list[UUID]:
    """Return the ids of campaigns in which the member plays at present."""
    return list(seat.enrolments.current().values_list("campaign", flat=True).distinct())


def _announce(member: Membership, campaigns: list[UUID]) -> None:
    announce("member", member.pk)
    for campaign in campaigns:
        announce("campaign", campaign)
