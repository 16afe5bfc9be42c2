"""What comes next when nothing waits for a member."""

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from battles.models import Battle, BattleState, Side
from battles.selectors.battle_rows import name_of
from campaigns.models import Campaign, CampaignState, Membership
from inbox.selectors.waiting import OPEN


def what_comes_next(user: User) -> str:
    """A sentence or two. Three queries at most."""
    mine = Battle.objects.filter(pk__in=Side.objects.played_by(user).values("battle"), state__in=OPEN)
    battle = mine.order_by("fought_on", "created_at").first()
    if battle is not None:
        return _of_battle(battle)
    club = Membership.objects.present().filter(user=user).select_related("club").first()
    if club is None:
        return gettext("Start a club, or ask for an invitation; meanwhile you can muster a warband.")
    running = Campaign.objects.filter(club__memberships__user=user).exclude(state=CampaignState.FINISHED)
    campaign = running.order_by("created_at").first()
    if campaign is None:
        return gettext("Next: a campaign of %(club)s. An organiser plans it, and it will be offered to you here.") % {
            "club": club.club
        }
    if campaign.state == CampaignState.PLANNED:
        return gettext("Next: %(campaign)s begins as soon as an organiser says so.") % {"campaign": campaign}
    return gettext("Next: %(campaign)s goes on. What it asks of you will stand here.") % {"campaign": campaign}


def _of_battle(battle: Battle) -> str:
    """What an open battle of one's own waits for, as it is not oneself."""
    day = date_format(battle.fought_on, gettext("j F"))
    if battle.state == BattleState.PLANNED:
        if battle.fought_on > timezone.localdate():
            return gettext("Next: %(battle)s on %(day)s. You are ready for it.") % {
                "battle": name_of(battle),
                "day": day,
            }
        return gettext("Next: %(battle)s, once the other side has chosen who takes the field.") % {
            "battle": name_of(battle)
        }
    return gettext("Next: %(battle)s of %(day)s will count once the others have had their say.") % {
        "battle": name_of(battle),
        "day": day,
    }
