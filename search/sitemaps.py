"""The public pages that search engines may list."""

from django.contrib.sitemaps import Sitemap
from django.db.models import Model, QuerySet
from django.urls import reverse

from battles.models import Battle, BattleState
from campaigns.models import Campaign
from clubs.models import Club
from rulebook.registry import RULESETS
from warbands.models import Warband

PAGE = 5000
"""The most addresses in one file."""


class PublicRows(Sitemap):  # type: ignore[type-arg]  # only its stubs are generic
    """The pages of the public rows of a model, in the order of their ids."""

    limit = PAGE
    page: str

    def location(self, item: Model) -> str:
        """Return the path of a row's page."""
        return reverse(self.page, args=[item.pk])


class Clubs(PublicRows):
    """Public clubs."""

    page = "clubs:club"

    def items(self) -> QuerySet[Club]:
        """Return the rows, with their ids alone."""
        return Club.objects.public().only("pk").order_by("pk")


class Campaigns(PublicRows):
    """Public campaigns."""

    page = "leagues:campaign"

    def items(self) -> QuerySet[Campaign]:
        """Return the rows, with their ids alone."""
        return Campaign.objects.public().only("pk").order_by("pk")


class Warbands(PublicRows):
    """Public warbands."""

    page = "warbands:warband"

    def items(self) -> QuerySet[Warband]:
        """Return the rows, with their ids alone."""
        return Warband.objects.public().only("pk").order_by("pk")


class Battles(PublicRows):
    """Confirmed battles of public campaigns."""

    page = "battles:battle"

    def items(self) -> QuerySet[Battle]:
        """Return the rows, with their ids alone."""
        confirmed = Battle.objects.public().filter(state=BattleState.CONFIRMED)
        return confirmed.only("pk").order_by("pk")


class Rules(Sitemap):  # type: ignore[type-arg]  # as above
    """The pages of rule systems."""

    def items(self) -> list[str]:
        """Return the keys of the rule systems."""
        return sorted(RULESETS)

    def location(self, item: str) -> str:
        """Return the path of a rule system's page."""
        return reverse("reference:rules", args=[item])


SITEMAPS = {
    "rules": Rules,
    "clubs": Clubs,
    "campaigns": Campaigns,
    "warbands": Warbands,
    "battles": Battles,
}
