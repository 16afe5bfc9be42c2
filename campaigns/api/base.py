"""Base of the endpoints of this app."""

from typing import TypeVar

from django.db.models import Model

from campaigns.models import Campaign
from clubs.api import base
from clubs.services.permissions import find

AnyRow = TypeVar("AnyRow", bound=Model)


class Endpoint(base.Endpoint[AnyRow]):
    """An endpoint about campaigns."""

    def campaign(self) -> Campaign:
        """Return the campaign of the address, with its club. Raises NotFound."""
        campaigns = Campaign.objects.visible_to(self.asker).select_related("club")
        return find(campaigns, self.kwargs["campaign_id"], "campaign")
