"""`battles/{id}/narrative/`: the story of a battle, made from its log."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from msgspec import Struct
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from battles.api.base import BATTLE_KEY, Endpoint
from battles.models import Battle
from core.api.views import struct_response
from documents.content.structs import Sentence
from documents.selectors.battle_story import narrative_of

FIRST = "In turn 1, first blood went to Jack Storey, who wounded Oberst Haug."
NARRATIVE: dict[str, Any] = {
    "sentences": [{"text": FIRST, "clauses": [{"text": FIRST, "turn": 1, "events": [7]}]}]
}


class ClauseOfNarrative(Struct, frozen=True):
    """A part of a sentence. `events` are the sequences of the entries behind it.

    `turn` is null if it is about the whole battle.
    """

    text: str
    turn: int | None
    events: tuple[int, ...]


class SentenceOfNarrative(Struct, frozen=True):
    """A sentence. Without a log of turns it has no clauses."""

    text: str
    clauses: tuple[ClauseOfNarrative, ...]


class Narrative(Struct, frozen=True):
    """The story of a battle in English."""

    sentences: tuple[SentenceOfNarrative, ...]


class NarrativeViewSet(Endpoint[Battle]):
    """The story of a battle."""

    queryset = Battle.objects.none()
    filter_backends = ()
    pagination_class = None

    @extend_schema(
        operation_id="battles_narrative",
        summary="Read the story of a battle",
        parameters=[BATTLE_KEY],
        responses=Narrative,
        examples=[OpenApiExample("Story", NARRATIVE, response_only=True)],
    )
    @action(detail=False, methods=["get"])
    def narrative(self, request: Request, battle_id: UUID) -> Response:
        """The story that Muster writes for a confirmed battle; no sentences before.

        The story of a battle that was logged turn by turn follows its log: each clause names its
        entries. Any other has one or two sentences from its result.
        """
        sentences = narrative_of(self.battle(battle_id))
        return struct_response(Narrative(tuple(_sentence(each) for each in sentences)))


def _sentence(sentence: Sentence) -> SentenceOfNarrative:
    clauses = tuple(
        ClauseOfNarrative(each.text.strip(), each.turn or None, each.events)
        for each in sentence.clauses
    )
    return SentenceOfNarrative(sentence.sentence, clauses)
