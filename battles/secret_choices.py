"""Choices that the sides of a battle make before they see each other's: kept under seal until all of them are in."""

import uuid

from django.conf import settings
from django.db import models


class SecretChoice(models.Model):
    """What one side has chosen for something that is about to be logged."""

    id = models.BigAutoField(primary_key=True)
    battle = models.ForeignKey("battles.Battle", models.CASCADE, related_name="secret_choices")
    occasion = models.CharField(max_length=64)
    """Names what is about to be logged: the same for everybody who chooses for it."""
    field = models.CharField(max_length=60)
    turn = models.PositiveSmallIntegerField(default=0)
    sealed = models.BinaryField()
    client_id = models.UUIDField(default=uuid.uuid4)
    """That of the entry, if this choice was the first of its occasion."""
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("battle", "occasion", "field"), name="secret_choice_made_once"),)

    def __str__(self) -> str:
        return f"{self.field} under seal"
