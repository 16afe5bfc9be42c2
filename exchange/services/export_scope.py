"""Select the rows of an archive: those that belong to its subject and that the user may see."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext
from msgspec import Struct

from audit.models import AuditEntry
from battles.models import (
    Battle,
    BattleEvent,
    BattleState,
    Combatant,
    Dispute,
    Revision,
    SecretChoice,
    Side,
)
from campaigns.models import (
    Campaign,
    Enrolment,
    Fixture,
    HandOver,
    JournalEntry,
    Round,
    SealedOrder,
)
from clubs.models import Attendance, Club, Evening, Membership
from core.errors import Forbidden, NotFound
from exchange.archive_structs import Omission
from pictures.models import Picture
from pictures.subjects import PictureKind
from warbands.models import ChronicleEntry, Fighter, Warband

OPEN = "is_open"
"""The name of the annotation that says whether a row's secret columns may be exported."""
SETTLED = (BattleState.CONFIRMED, BattleState.VOID)


class Scope(Struct, frozen=True):
    """The rows to export by table, and what is left out."""

    kind: str
    subject: UUID
    name: str
    rows: Mapping[str, QuerySet[Any, Any]]
    left_out: tuple[Omission, ...]


def scope_of(kind: str, subject_id: UUID, user: User) -> Scope:
    """Return what the archive of a warband, a campaign or a club holds for the user.

    The user needs to be allowed to edit the warband, or to be a member of the club; a member gets
    only what they may see. Raises NotFound (`unknown-subject`) and Forbidden
    (`not-yours-to-export`).
    """
    subject = _found(kind, subject_id, user)
    clubs, campaigns, memberships = _clubs(kind, subject_id)
    enrolled = Enrolment.objects.filter(campaign__in=campaigns.values("pk"))
    chosen = Q(pk=subject_id) if kind == "warband" else Q(pk__in=enrolled.values("warband"))
    of_scope = Warband.objects.filter(chosen)
    warbands = Warband.objects.filter(chosen, pk__in=Warband.objects.visible_to(user).values("pk"))
    battles = _battles(kind, campaigns, warbands, user)
    acts = _acts(kind, subject_id, clubs)
    rows = _rows(clubs, campaigns, memberships, warbands, battles, whole_club=kind == "club")
    # Only organisers may see the activity log, and this applies to archives too.
    organised = Club.objects.editable_by(user).values("pk")
    rows["audit"] = acts.filter(club__in=organised)
    left_out = _left_out(of_scope, acts.exclude(club__in=organised), rows)
    return Scope(kind, subject_id, str(subject), rows, tuple(left_out))


def with_open(table: str, rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    """Annotate rows of a table that has secrets with whether their secrets may be exported."""
    if table == "campaigns":
        revealed = SealedOrder.objects.filter(
            enrolment__campaign=OuterRef("pk"), revealed_at__isnull=False
        )
        return rows.annotate(**{OPEN: Exists(revealed)})
    return rows.annotate(**{OPEN: Q(state__in=SETTLED)}) if table == "battles" else rows


def _found(kind: str, subject_id: UUID, user: User) -> Model:
    """Return the subject if the user may have its archive. Raises NotFound or Forbidden."""
    models: dict[str, Any] = {"warband": Warband, "campaign": Campaign, "club": Club}
    visible = models[kind].objects.visible_to(user) if kind in models else Warband.objects.none()
    subject: Model | None = visible.filter(pk=subject_id).first()
    if subject is None:
        sentence = gettext("Not found, or you don't have access.")
        raise NotFound("unknown-subject", sentence, field="subject")
    members = Membership.objects.present().filter(user=user.pk, user__isnull=False)
    if isinstance(subject, Warband):
        allowed = Warband.objects.editable_by(user).filter(pk=subject_id).exists()
    else:
        club = subject.club_id if isinstance(subject, Campaign) else subject_id
        allowed = members.filter(club=club).exists()
    if not allowed:
        sentence = gettext(
            "Only members of the club, or the player who runs the warband, can export this."
        )
        raise Forbidden("not-yours-to-export", sentence)
    return subject


def _clubs(
    kind: str, subject_id: UUID
) -> tuple[QuerySet[Club], QuerySet[Campaign], QuerySet[Membership]]:
    """Return the club, the campaigns and the members to export.

    For one campaign, these are the members who play in it, write in its journal, are substitutes,
    or transferred a warband.
    """
    if kind == "club":
        campaigns = Campaign.objects.filter(club=subject_id)
        return (
            Club.objects.filter(pk=subject_id),
            campaigns,
            Membership.objects.filter(club=subject_id),
        )
    if kind == "campaign":
        campaigns = Campaign.objects.filter(pk=subject_id)
        playing = Q(pk__in=Enrolment.objects.filter(campaign=subject_id).values("player"))
        writing = Q(pk__in=JournalEntry.objects.filter(campaign=subject_id).values("author"))
        clubs = Club.objects.filter(pk__in=campaigns.values("club"))
        sides = Side.objects.filter(battle__campaign=subject_id, substitute__isnull=False)
        substituting = Q(pk__in=sides.values("substitute"))
        done = HandOver.objects.done().filter(campaign=subject_id)
        leading = Q(pk__in=done.values("giver_seat")) | Q(pk__in=done.values("receiver_seat"))
        return (
            clubs,
            campaigns,
            Membership.objects.filter(playing | writing | substituting | leading),
        )
    return Club.objects.none(), Campaign.objects.none(), Membership.objects.none()


def _acts(kind: str, subject_id: UUID, clubs: QuerySet[Club]) -> QuerySet[AuditEntry]:
    """Return the activity log of the club, or its entries about the campaign.

    A warband is exported without its club, and so without entries.
    """
    of_club = AuditEntry.objects.filter(club__in=clubs.values("pk"))
    return of_club.filter(campaign=subject_id) if kind == "campaign" else of_club


def _battles(
    kind: str, campaigns: QuerySet[Campaign], warbands: QuerySet[Warband], user: User
) -> QuerySet[Battle, Battle]:
    """Return the battles to export: those whose warbands are all exported.

    A battle cannot be verified without the chronicles of all its warbands.
    """
    if kind == "warband":
        return Battle.objects.none()
    sides = Side.objects.filter(battle=OuterRef("pk"))
    whole = Exists(sides) & ~Exists(sides.exclude(warband__in=warbands.values("pk")))
    of_it = Q(campaign__isnull=True) | Q(campaign__in=campaigns.values("pk"))
    return Battle.objects.filter(of_it, whole, pk__in=Battle.objects.visible_to(user).values("pk"))


def _rows(
    clubs: QuerySet[Club],
    campaigns: QuerySet[Campaign],
    memberships: QuerySet[Membership],
    warbands: QuerySet[Warband],
    battles: QuerySet[Battle],
    *,
    whole_club: bool,
) -> dict[str, QuerySet[Any, Any]]:
    """Return the rows of every table but the activity log."""
    evenings = (
        Evening.objects.filter(club__in=clubs.values("pk"))
        if whole_club
        else Evening.objects.none()
    )
    enrolments = Enrolment.objects.filter(
        campaign__in=campaigns.values("pk"), warband__in=warbands.values("pk")
    )
    rounds = Round.objects.filter(campaign__in=campaigns.values("pk"))
    fighters = Fighter.objects.filter(warband__in=warbands.values("pk"))
    sides = Side.objects.filter(battle__in=battles.values("pk"))
    shown = {
        PictureKind.FIGHTER: fighters,
        PictureKind.WARBAND: warbands,
        PictureKind.BATTLE: battles,
        PictureKind.CLUB: clubs,
    }
    pictured = Q(pk__in=())
    for kind, subjects in shown.items():
        pictured |= Q(kind=kind, subject__in=subjects.values("pk"))
    return {
        "clubs": clubs,
        "memberships": memberships,
        "evenings": evenings,
        "attendances": Attendance.objects.filter(evening__in=evenings.values("pk")),
        "campaigns": campaigns,
        "warbands": warbands,
        "chronicle": ChronicleEntry.objects.filter(warband__in=warbands.values("pk")),
        "fighters": fighters,
        "enrolments": enrolments,
        "hand-overs": HandOver.objects.done().filter(
            warband__in=warbands.values("pk"), campaign__in=campaigns.values("pk")
        ),
        "orders": SealedOrder.objects.filter(
            enrolment__in=enrolments.values("pk"), revealed_at__isnull=False
        ),
        "rounds": rounds,
        "fixtures": Fixture.objects.filter(round__in=rounds.values("pk")),
        "journal": JournalEntry.objects.filter(campaign__in=campaigns.values("pk")),
        "battles": battles,
        "sides": sides,
        "combatants": Combatant.objects.filter(side__in=sides.values("pk")),
        "events": BattleEvent.objects.filter(battle__in=battles.values("pk")),
        "revisions": Revision.objects.filter(battle__in=battles.values("pk")),
        "disputes": Dispute.objects.filter(battle__in=battles.values("pk")),
        "pictures": Picture.objects.filter(pictured),
    }


def _left_out(
    of_scope: QuerySet[Warband],
    unseen: QuerySet[AuditEntry],
    rows: Mapping[str, QuerySet[Any, Any]],
) -> Iterator[Omission]:
    """Count what belongs to the subject and is left out. A fixed number of queries."""
    warbands, battles = rows["warbands"], rows["battles"]
    fought = Battle.objects.filter(
        pk__in=Side.objects.filter(warband__in=warbands.values("pk")).values("battle")
    )
    enrolments = rows["enrolments"].values("pk")
    counted = (
        ("warbands", of_scope.exclude(pk__in=warbands.values("pk")), "not-yours-to-see"),
        ("battles", fought.exclude(pk__in=battles.values("pk")), "not-all-warbands-go"),
        (
            "orders",
            SealedOrder.objects.filter(enrolment__in=enrolments, revealed_at__isnull=True),
            "still-sealed",
        ),
        (
            "secret-choices",
            SecretChoice.objects.filter(battle__in=battles.values("pk")),
            "still-sealed",
        ),
        ("dice-seeds", battles.exclude(state__in=SETTLED), "battle-not-over"),
        ("audit", unseen, "not-yours-to-see"),
    )
    for what, rows_left, why in counted:
        if number := rows_left.count():
            yield Omission(what, number, why)
