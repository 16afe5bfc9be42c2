"""Links to higher apps: the campaign of each warband and the subjects of chronicle entries.

Those apps register the links when Django starts (``ready`` of their configuration), so that this
app need not import them.
"""

from collections.abc import Callable, Iterable, Mapping
from uuid import UUID

from django.db.models import BooleanField, Exists, ExpressionWrapper, Model, OuterRef, Q
from msgspec import Struct

from core.users import User
from warbands.models import Warband


class CampaignLink(Struct, frozen=True):
    """The campaign of a warband, as far as the reader may see it."""

    id: UUID
    name: str
    colour: str
    player_name: str


CampaignsOf = Callable[[Iterable[Warband], User], Mapping[UUID, CampaignLink]]
_finders: list[CampaignsOf] = []
_subjects: dict[type[Model], bool] = {}
"""Each model whose rows are subjects of chronicle entries, and whether the rows are battles."""


def register_campaigns(find: CampaignsOf) -> None:
    """Register a function that returns the campaigns of warbands that a reader may see.

    The campaigns are keyed by the ids of the warbands.
    """
    _finders.append(find)


def register_subject(model: type[Model], *, battles: bool = False) -> None:
    """Register a model whose rows are subjects of chronicle entries."""
    _subjects[model] = battles


def campaign_links(warbands: Iterable[Warband], user: User) -> Mapping[UUID, CampaignLink]:
    """Return the campaigns of these warbands that the reader may see, by warband. One query."""
    links: dict[UUID, CampaignLink] = {}
    for find in _finders:
        links.update(find(warbands, user))
    return links


def subject_is_here(*, battles_only: bool = False) -> ExpressionWrapper:
    """Return a condition on chronicle entries: recorded here, or about a row that exists here.

    Battles and campaigns of another installation have no page here.
    """
    here = Q(recorded_as__isnull=True)
    for model, is_battle in _subjects.items():
        if is_battle or not battles_only:
            here |= Q(Exists(model._default_manager.filter(pk=OuterRef("subject"))))
    return ExpressionWrapper(here, output_field=BooleanField())
