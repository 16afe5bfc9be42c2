"""The warbands of a user whose account is deleted (docs/decisions/campaigns.md)."""

from collections.abc import Mapping
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from audit.services.recording import record
from audit.verbs import Verb
from core.users import Visibility
from warbands.models import Fighter, RosterDraft, RosterTemplate, Warband
from warbands.services.locking import lock_warbands
from warbands.signed import save_signed


def warbands_of(user: User) -> QuerySet[Warband]:
    """Return the warbands that a user owns or keeps."""
    return Warband.objects.filter(Q(owner=user) | Q(keeper=user))


def never_played(user: User) -> QuerySet[Warband]:
    """Return the warbands of a user that have never been in a campaign or a battle.

    Nobody else's history needs them.
    """
    return warbands_of(user).filter(sides__isnull=True, enrolments__isnull=True)


@transaction.atomic
def leave_warbands(*, user: User, keepers: Mapping[UUID, int]) -> None:
    """Give each warband of a user to the keeper named for it, or archive it.

    ``keepers`` maps ids of warbands to ids of users. A warband without a keeper is archived, unless
    it is in a campaign. Warbands that have never played become private and lose their stories;
    their chronicles stay, because a chronicle is never deleted. Drafts and templates are deleted.
    """
    RosterTemplate.objects.filter(owner=user).delete()
    RosterDraft.objects.filter(warband__in=warbands_of(user)).delete()
    warbands = lock_warbands(warbands_of(user).values_list("pk", flat=True))
    alone = set(never_played(user).values_list("pk", flat=True))
    Fighter.objects.filter(warband__in=alone).update(story="")
    now = timezone.now()
    for warband in warbands.values():
        campaign = warband.state.get("campaign")
        if warband.pk in keepers:
            warband.owner_id, warband.keeper_id = None, keepers[warband.pk]
            record(
                Verb.WARBAND_HANDED_OVER,
                warband,
                user=user,
                campaign=campaign,
                person=keepers[warband.pk],
            )
        elif campaign is None:
            warband.archived_at = warband.archived_at or now
        if warband.pk in alone:
            warband.visibility, warband.story = Visibility.PRIVATE, ""
        save_signed(warband, "owner", "keeper", "archived_at", "visibility", "story")
