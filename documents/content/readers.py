"""The readers of a document about a warband, and so the battles that it may show."""

from django.db.models import Q

from battles.models import Battle, BattleQuerySet, BattleState
from campaigns.models import Enrolment
from core.users import Visibility
from warbands.models import Warband


def open_battles(warband: Warband) -> BattleQuerySet:
    """Return the confirmed battles of a warband that everybody who may see it may see, in order.

    Everybody may see battles of public and unlisted campaigns. A private warband is only seen by
    its player and the members of its campaigns' clubs. If it has been in one club only, they also
    see the battles of that club's private campaigns, and if it has been in none, its player sees
    its battles without a campaign. One query besides that for the battles.
    """
    enrolments = Enrolment.objects.filter(warband=warband).order_by()
    clubs = set(enrolments.values_list("campaign__club", flat=True))
    readable = Q(campaign__isnull=False) & ~Q(campaign__visibility=Visibility.PRIVATE)
    if warband.visibility == Visibility.PRIVATE and len(clubs) == 1:
        readable |= Q(campaign__club__in=clubs)
    elif warband.visibility == Visibility.PRIVATE and not clubs:
        readable |= Q(campaign__isnull=True)
    battles = Battle.objects.filter(
        readable, sides__warband=warband, state=BattleState.CONFIRMED, result__isnull=False
    )
    return battles.in_order_of_play()
