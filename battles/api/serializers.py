"""The input of the endpoints of battles."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from rest_framework import serializers

from battles.services.correction_conflicts import ConflictAnswers, LetStandAnswer, Undo
from battles.services.corrections import Correction
from battles.services.days import NewDay
from battles.services.fielding import Force
from battles.services.late_battles import Consent
from battles.services.logbook import MAX_EVENTS, NewEvent
from battles.services.planning import MAX_SIDES, BattlePlan, Description, PlannedSide
from battles.services.reporting import MAX_SCORE, Report
from battles.services.review import Dispute, Ruling
from core.api.inputs import field_for, serializer_class
from core.api.post_fields import PostsField
from core.api.strict_input import ExactSerializer, Path, pointer
from core.cleaning import MAX_REASON
from core.inputs import parse

MAX_ANSWERS = 200


class BattleVersionSerializer(ExactSerializer):
    """The version that every change can name."""

    version = serializers.IntegerField(
        min_value=1,
        required=False,
        help_text="The version of the battle that you have seen: 409 if it has changed since.",
    )


PlanSerializer = serializer_class(BattlePlan, name="PlanSerializer", without=("part",))


class UndoSerializer(ExactSerializer):
    """A later entry of a warband's chronicle to undo."""

    warband = serializers.UUIDField()
    sequence = serializers.IntegerField(min_value=1)


class StandSerializer(UndoSerializer):
    """A later entry to keep although it has become impossible, with a reason."""

    reason = serializers.CharField(max_length=MAX_REASON)


class AnswersSerializer(BattleVersionSerializer):
    """The dry run, and the answers to later choices that become impossible."""

    dry_run = serializers.BooleanField(
        default=False, help_text="Return the changes, and write nothing."
    )
    undo = serializers.ListField(child=UndoSerializer(), required=False, max_length=MAX_ANSWERS)
    stand = serializers.ListField(child=StandSerializer(), required=False, max_length=MAX_ANSWERS)


class NewDaySerializer(AnswersSerializer):
    """A new day of a battle, or another place in it."""

    fought_on = serializers.DateField(
        required=False, help_text="The day on which it is or was played."
    )
    played_before = serializers.UUIDField(
        required=False,
        help_text="For organisers: a battle of that day that was played directly after this one.",
    )
    played_after = serializers.UUIDField(
        required=False,
        help_text="For organisers: a battle of that day that was played directly before this one.",
    )


class DayAndReasonSerializer(NewDaySerializer):
    """A new day, with a reason if that is a correction."""

    reason = serializers.CharField(
        max_length=MAX_REASON, required=False, allow_blank=True, default=""
    )


DescribeSerializer = serializer_class(
    Description,
    DayAndReasonSerializer,
    name="DescribeSerializer",
    doc="""The title, the story and the day of a battle. Absent values do not change.

    Another day of a confirmed battle is a correction: for organisers, with a `reason`, and
    answers as there.
    """,
)


class CountInSerializer(BattleVersionSerializer):
    """The campaign in which a one-off battle counts."""

    campaign = serializers.UUIDField()


class ForceSerializer(BattleVersionSerializer):
    """The line-up of a side, in order."""

    fighters = field_for(Force, "fighters")
    posts = PostsField(
        required=False,
        help_text="The holders of posts. Absent: those of the roster who are in the line-up.",
    )
    dry_run = serializers.BooleanField(
        default=False,
        help_text="Write nothing: `warnings` lists all problems of this line-up.",
    )

    def names(self) -> set[str]:
        """Return the names of the fields, and of posts that are sent by their keys."""
        return super().names() | set(self.context.get("beside", ()))


def report_of(data: Mapping[str, Any]) -> Report:
    """The battle that was played, as it was sent."""
    sides = data["sides"]
    planned = [{"warband": side["warband"], "role": side["role"]} for side in sides]
    return Report(
        plan=parse(BattlePlan, {**data, "sides": planned}),
        forces=tuple(force_of(side, {}, ()) for side in sides),
        events=events_of(data),
        score=data["score"],
        winner=data["winner"],
    )


def place_in_report(path: Path) -> str:
    """The JSON pointer to what a service calls a value of a report: line-ups lie in its sides."""
    if path[:1] != ("forces",):
        return place_of_data({"events": ()}, path)
    within = path[2:]
    if within and within[0] not in ReportedSideSerializer().fields:
        within = ("posts", *within)
    return pointer(("sides", *path[1:2], *within))


def force_of(
    validated: Mapping[str, Any], data: Mapping[str, Any], post_keys: Collection[str]
) -> Force:
    """Return the line-up that was sent, with posts that were sent by their keys.

    Raises ValidationError.
    """
    beside = PostsField().run_validation({key: data[key] for key in post_keys if key in data})
    named = {**beside, **validated.get("posts", {})}
    holders = {
        key: (value,) if isinstance(value, UUID) else tuple(value or ())
        for key, value in named.items()
    }
    return Force(tuple(validated["fighters"]), holders)


NewEventSerializer = serializer_class(
    NewEvent, doc="An event. The kinds and their data are the rule system's: see its catalogue."
)


class EventsSerializer(BattleVersionSerializer):
    """Events to log in this order: all of them, or none."""

    events = serializers.ListField(
        child=NewEventSerializer(), allow_empty=False, max_length=MAX_EVENTS
    )


def events_of(data: Mapping[str, Any]) -> tuple[NewEvent, ...]:
    """The events that were sent."""
    return tuple(NewEvent(**event) for event in data["events"])


class ReportedSideSerializer(ExactSerializer):
    """A side of a battle that was played: its warband, its role and its line-up."""

    warband = serializers.UUIDField()
    role = field_for(PlannedSide, "role")
    fighters = field_for(Force, "fighters")
    posts = PostsField(
        required=False,
        help_text="The holders of posts. Absent: those of the roster who are in the line-up.",
    )


class PlayedSerializer(ExactSerializer):
    """The sides of a battle, its events and its result."""

    sides = serializers.ListField(
        child=ReportedSideSerializer(), allow_empty=False, max_length=MAX_SIDES
    )
    events = serializers.ListField(
        child=NewEventSerializer(),
        default=list,
        max_length=MAX_EVENTS,
        help_text="What happened, in order. Casualties alone are enough.",
    )
    score = serializers.DictField(
        child=serializers.IntegerField(min_value=-MAX_SCORE, max_value=MAX_SCORE),
        default=dict,
        help_text="The final victory points by side: `a` is the first of `sides`, `b` the second. "
        "Absent: as they follow from the events.",
    )
    winner = serializers.CharField(
        default=None,
        allow_null=True,
        allow_blank=True,
        max_length=1,
        help_text="The side that won, empty for a draw. Absent: as it follows from the events.",
    )
    dry_run = serializers.BooleanField(
        default=False, help_text="Return the effects of confirming, and write nothing."
    )


ReportSerializer = serializer_class(
    BattlePlan,
    PlayedSerializer,
    name="ReportSerializer",
    doc="""A battle that was played: its plan, line-ups, events and result.

    The same `client_id` sent again returns the same battle.
    """,
    without=("part", "sides"),
)


class SideSerializer(BattleVersionSerializer):
    """The side that confirms or disputes."""

    side = serializers.CharField(
        max_length=20,
        required=False,
        help_text="Absent: all sides that you play. An organiser can name any side.",
    )


DisputeSerializer = serializer_class(Dispute, SideSerializer)


class ConsentSerializer(AnswersSerializer):
    """The answers to the changes that a late battle causes."""

    accept_changes = serializers.BooleanField(
        default=False,
        help_text="For a late battle: accept its changes for others.",
    )


DecideSerializer = serializer_class(Ruling, ConsentSerializer, name="DecideSerializer")


class ConfirmSerializer(ConsentSerializer):
    """The side that confirms, and the answers to the changes of a late battle."""

    side = serializers.CharField(
        max_length=20,
        required=False,
        help_text="Absent: all sides that you play. An organiser can name any side.",
    )


class VoidSerializer(AnswersSerializer):
    """The reason for voiding a battle, which is required once it is confirmed."""

    reason = serializers.CharField(
        max_length=MAX_REASON, required=False, allow_blank=True, default=""
    )


class RestoreSerializer(VoidSerializer):
    """The reason for restoring a battle; a dry run needs none."""


class CorrectionSerializer(NewDaySerializer):
    """Events that correct the log, or a new day, with a reason."""

    events = serializers.ListField(child=NewEventSerializer(), default=list, max_length=MAX_EVENTS)
    reason = field_for(Correction, "reason")


def answers_of(data: Mapping[str, Any]) -> ConflictAnswers:
    """The answers to later conflicts that were sent."""
    return ConflictAnswers(
        undo=tuple(Undo(**each) for each in data.get("undo", ())),
        stand=tuple(LetStandAnswer(**each) for each in data.get("stand", ())),
    )


def consent_of(data: dict[str, Any]) -> Consent:
    """The consent that was sent, which is taken out of what was sent."""
    answers = answers_of(data)
    for name in ("undo", "stand"):
        data.pop(name, None)
    return Consent(answers, data.pop("accept_changes"))


def correction_of(data: Mapping[str, Any]) -> Correction:
    """The correction that was sent."""
    return Correction(events_of(data), data["reason"], answers_of(data), day_of(data))


def day_of(data: Mapping[str, Any]) -> NewDay:
    """The day that was sent, and the place in it."""
    return NewDay(
        fought_on=data.get("fought_on"),
        before=data.get("played_before"),
        after=data.get("played_after"),
    )


def as_list(body: Any) -> Any:
    """One event or a bare list of them as the list that the serializer takes."""
    if isinstance(body, list):
        return {"events": body}
    return {"events": [body]} if isinstance(body, dict) and not _names_events(body) else body


def place_of_event(body: Any, path: Path) -> str:
    """The JSON pointer into what was sent, to what lies there in the list that the serializer
    takes."""
    if isinstance(body, list):
        return pointer(path[1:])
    return pointer(path if _names_events(body) else path[2:])


def place_of_data(body: Any, path: Path) -> str:
    """As above for what rule systems say: a field that is none of an event's own is one of its
    data."""
    place, event_fields = path[:2], NewEventSerializer().fields
    in_data = path[:1] == ("events",) and len(path) > 2 and path[2] not in event_fields
    return place_of_event(body, (*place, "data", *path[2:]) if in_data else path)


def _names_events(body: Any) -> bool:
    return isinstance(body, dict) and (
        "events" in body or not body.keys() & NewEventSerializer().fields.keys()
    )
