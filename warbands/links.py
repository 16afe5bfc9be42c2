"""What apps above this one know of warbands: the campaign that each is in, and what entries of a
chronicle speak of.

They register it when Django starts (``ready`` of their configuration), so that no import runs up.
"""

from collections.abc import Callable, Iterable, Mapping
from uuid import UUID

from django.db.models import BooleanField, Exists, ExpressionWrapper, Model, OuterRef, Q
from msgspec import Struct

from core.users import User
from warbands.models import Warband


class CampaignLink(Struct, frozen=True):
    """The campaign that a warband is in, as far as the reader may know."""

    id: UUID
    name: str
    colour: str
    player_name: str


CampaignsOf = Callable[[Iterable[Warband], User], Mapping[UUID, CampaignLink]]
_finders: list[CampaignsOf] = []
_subjects: dict[type[Model], bool] = {}
"""Each model whose rows entries of chronicles have as their subject, and whether its rows are
battles."""


def register_campaigns(find: CampaignsOf) -> None:
    """Register what finds the campaigns of warbands, by the id of the warband, as far as a reader
    may see them."""
    _finders.append(find)


def register_subject(model: type[Model], *, battles: bool = False) -> None:
    """Register a model whose rows entries of chronicles have as their subject."""
    _subjects[model] = battles


def campaign_links(warbands: Iterable[Warband], user: User) -> Mapping[UUID, CampaignLink]:
    """Return the campaign of each of these warbands that is in one which the reader may see. One
    query."""
    links: dict[UUID, CampaignLink] = {}
    for find in _finders:
        links.update(find(warbands, user))
    return links


def subject_is_here(*, battles_only: bool = False) -> ExpressionWrapper:
    """Return a condition on entries of chronicles: recorded here, or about a row that this
    installation has.

    What happened on another installation has no page here.
    """
    here = Q(recorded_as__isnull=True)
    for model, is_battle in _subjects.items():
        if is_battle or not battles_only:
            here |= Q(Exists(model._default_manager.filter(pk=OuterRef("subject"))))
    return ExpressionWrapper(here, output_field=BooleanField())
