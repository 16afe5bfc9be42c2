"""Changing several things at once that are said of a warband or a fighter: all of them or none."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from warbands.services.mustering import rename_warband, show_warband, write_fighter_story, write_warband_story
from warbands.services.roster import rename_fighter


@transaction.atomic
def edit_warband(
    *,
    warband_id: UUID,
    user: User,
    name: str | None = None,
    story: str | None = None,
    visibility: str | None = None,
) -> None:
    """Change a warband's name, story, and who may look at it; None leaves a thing as it is.

    Raises NotFound, NotAllowed, Refused.
    """
    if name is not None:
        rename_warband(warband_id=warband_id, name=name, user=user)
    if story is not None:
        write_warband_story(warband_id=warband_id, story=story, user=user)
    if visibility is not None:
        show_warband(warband_id=warband_id, visibility=visibility, user=user)


@transaction.atomic
def edit_fighter(*, fighter_id: UUID, user: User, name: str | None = None, story: str | None = None) -> None:
    """Change a fighter's name and story; None leaves a thing as it is. Raises NotFound, NotAllowed, Refused."""
    if name is not None:
        rename_fighter(fighter_id=fighter_id, name=name, user=user)
    if story is not None:
        write_fighter_story(fighter_id=fighter_id, story=story, user=user)
