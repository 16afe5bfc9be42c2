"""What a chronicle tells of other installations: battles and campaigns that have no page here."""

from django.db.models import BooleanField, Exists, ExpressionWrapper, Model, OuterRef, Q

from battles.models import Battle
from campaigns.models import Campaign


def _is_here(*kinds: type[Model]) -> ExpressionWrapper:
    """Whether an entry was recorded here, or a row of these kinds that is here is its subject."""
    here = Q(recorded_as__isnull=True)
    for kind in kinds:
        here |= Q(Exists(kind._default_manager.filter(pk=OuterRef("subject"))))
    return ExpressionWrapper(here, output_field=BooleanField())


BATTLE_IS_HERE = _is_here(Battle)
"""Of an entry of a chronicle: whether the battle that it speaks of has a page here."""
SUBJECT_IS_HERE = _is_here(Battle, Campaign)
"""The same of a battle or campaign."""
