"""Sign a browser in without a form."""

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext

from campaigns.models import Campaign
from clubs.models import Role


def sign_in(context: BrowserContext, url: str, campaign: Campaign) -> None:
    """Sign the browser in at this address as the campaign's organiser."""
    client = Client()
    client.force_login(
        User.objects.filter(memberships__club=campaign.club_id, memberships__role=Role.ORGANISER)[0]
    )
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": url}])
