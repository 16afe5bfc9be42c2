"""Who may do what, asked once for all services: hidden rows are not found, others' rows are not touched."""

from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext

from campaigns.models import Campaign, Club, Membership, Role
from core.errors import Forbidden, InvalidInput, NotFound, StaleVersion
from rulebook.ruleset import Problem

MAX_NAMED = 20
"""Battles in the way that a refusal names."""
AnyRow = TypeVar("AnyRow", bound=Model)


def find(rows: QuerySet[AnyRow], key: UUID, what: str) -> AnyRow:
    """The row with this key among those that the asker may see. Raises NotFound "unknown-<what>"."""
    row = rows.filter(pk=key).first()
    if row is None:
        raise NotFound(
            f"unknown-{what}",
            gettext("There is no such %(what)s here, or it is not yours to see.") % {"what": what},
            field=what,
        )
    return row


def battles_open(sentence: str, battles: QuerySet[Any]) -> InvalidInput:
    """The refusal for battles that are not settled, with a problem for each: its value is the battle's id.

    Two queries.
    """
    rows = battles.order_by("fought_on", "pk").prefetch_related("sides__warband")
    problems = [
        Problem(
            "battle-open",
            gettext("%(sides)s, %(day)s: %(state)s")
            % {
                "sides": " v. ".join(str(side.warband) for side in battle.sides.all()),
                "day": date_format(battle.fought_on, gettext("j M Y")),
                "state": battle.get_state_display(),
            },
            field="battle",
            value=str(battle.pk),
        )
        for battle in rows[:MAX_NAMED]
    ]
    return InvalidInput("battles-open", sentence, problems=problems)


def organised_club(club_id: UUID, user: User) -> Club:
    """The club, locked. Raises NotFound if it is hidden from the user, Forbidden if the user is no organiser."""
    club = find(locked(Club.objects.visible_to(user)), club_id, "club")
    expect_organiser(club.pk, user)
    return club


def organised_campaign(campaign_id: UUID, user: User, version: int | None = None) -> Campaign:
    """The campaign, locked. With a version: only if it is still the present one.

    Raises NotFound if it is hidden from the user, Forbidden if the user is no organiser, StateConflict "stale-version".
    """
    campaign = find(locked(Campaign.objects.visible_to(user)), campaign_id, "campaign")
    expect_organiser(campaign.club_id, user)
    if version is not None and version != campaign.version:
        raise StaleVersion(
            gettext("Somebody changed the campaign meanwhile: it is at version %(version)s. Read it again and retry.")
            % {"version": campaign.version},
            campaign.version,
        )
    return campaign


def expect_organiser(club_id: UUID, user: User) -> None:
    """Let organisers of the club pass. Raises Forbidden."""
    if not Membership.objects.filter(club=club_id, user=user, role=Role.ORGANISER).exists():
        raise Forbidden("organisers-only", gettext("Only an organiser of the club may do this. Ask one of them."))


def locked(rows: QuerySet[AnyRow]) -> QuerySet[AnyRow]:
    """The rows, locked until the transaction ends against all but new rows that point to them."""
    return rows.select_for_update(of=("self",), no_key=True)
