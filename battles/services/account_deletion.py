"""Void the unfinished one-off battles of a user whose account is deleted.

See docs/decisions/campaigns.md.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle, BattleState, Side
from battles.services.locking import BEFORE_SUBMISSION, UNDER_REVIEW, lock_battle, save_battle

UNSETTLED = (*BEFORE_SUBMISSION, *UNDER_REVIEW)


def unsettled_one_offs(user: User) -> QuerySet[Battle]:
    """Return the unsettled battles outside campaigns in which the user owns or keeps a warband.

    Nobody else could ever finish them.
    """
    played = Side.objects.filter(Q(warband__owner=user) | Q(warband__keeper=user))
    return Battle.objects.filter(campaign=None, state__in=UNSETTLED, pk__in=played.values("battle"))


@transaction.atomic
def give_up_battles(*, user: User) -> int:
    """Void the unsettled one-off battles of a user who leaves, and return how many.

    No chronicle mentions these battles. Battles of campaigns continue: an organiser decides them.
    """
    given_up = 0
    for battle_id in unsettled_one_offs(user).order_by("pk").values_list("pk", flat=True):
        battle = lock_battle(battle_id)
        if battle.state in UNSETTLED:
            battle.state = BattleState.VOID
            battle.decision = gettext("The players of this battle have left Muster.")
            save_battle(battle, "state", "decision")
            record(Verb.BATTLE_VOIDED, battle, user=user)
            given_up += 1
    return given_up
