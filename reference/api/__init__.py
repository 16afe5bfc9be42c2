"""`rulesets/` and calculators in the API."""

from rest_framework.routers import BaseRouter

from reference.api import calculators
from reference.api.rulesets import RulesetViewSet


def register(router: BaseRouter) -> None:
    """Add this app's endpoints."""
    router.register("rulesets", RulesetViewSet, basename="ruleset")
    calculators.register(router)
