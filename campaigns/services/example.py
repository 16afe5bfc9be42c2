"""The campaign that the front page shows to strangers, chosen by whoever runs the installation."""

from uuid import UUID

from django.db import transaction

from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign
from core.errors import NotFound, Refused
from warbands.models import Visibility


@transaction.atomic
def choose_example(campaign_id: UUID | None) -> Campaign | None:
    """Make a public campaign the example in the place of another; None: there is none any more.

    Raises NotFound, or Refused "not-public": that a campaign can be read by everybody is for its organisers to decide.
    """
    wanted = None
    if campaign_id is not None:
        wanted = Campaign.objects.select_for_update().filter(pk=campaign_id).first()
        if wanted is None:
            raise NotFound("unknown-campaign", "There is no such campaign.")
        if wanted.visibility != Visibility.PUBLIC:
            raise Refused("not-public", f"{wanted.name} is not public. Its organisers can make it so in its settings.")
    Campaign.objects.filter(example=True).update(example=False)
    if wanted is not None:
        Campaign.objects.filter(pk=wanted.pk).update(example=True)
        record(Verb.EXAMPLE_CHOSEN, wanted, user=None, club=wanted.club_id, campaign=wanted.pk)
    return wanted
