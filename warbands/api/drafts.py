"""`warbands/{id}/draft/` and `roster-templates/`: planned changes of a roster, and templates."""

from typing import Any, get_args
from uuid import UUID

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_serializer,
)
from msgspec.structs import fields, replace
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.inputs import serializer_class
from core.api.views import struct_response
from core.cleaning import clean_json, field_error
from core.errors import InvalidInput
from rulebook.ruleset import Problem
from warbands.api.base import WARBAND_KEY, Endpoint, with_digest
from warbands.api.examples import DRAFT_CHANGES, DRAFT_PAGE, NAMES, PRICED, TEMPLATE, WARBAND_PAGE
from warbands.drafts.changes import AnyChange, DraftChange
from warbands.models import RosterDraft, RosterTemplate
from warbands.selectors.draft_page import (
    DraftPage,
    PricedBuild,
    SuggestedNames,
    TemplateLine,
    priced_build,
    read_draft,
    suggested_names,
    templates_of,
)
from warbands.selectors.warband_page import WarbandPage, warband_page
from warbands.services.drafts import (
    ChosenTemplate,
    DraftChanges,
    DraftRecord,
    DraftUndo,
    NewPrice,
    NewTemplate,
    carry_out_draft,
    change_draft,
    delete_template,
    save_template,
    undo_draft,
    use_template,
)
from warbands.services.locking import expect_editor

CHANGES = {str(each.__struct_config__.tag): each for each in get_args(AnyChange)}
"""The kinds of change by what they ``do``."""
MAX_NAMES = 50


ChangeSerializer = serializer_class(DraftChanges, name="ChangeSerializer")
UndoDraftSerializer = serializer_class(DraftUndo, name="UndoDraftSerializer")
RecordSerializer = serializer_class(DraftRecord, name="RecordSerializer")
UseTemplateSerializer = serializer_class(ChosenTemplate, name="UseTemplateSerializer")
SaveTemplateSerializer = serializer_class(NewTemplate, name="SaveTemplateSerializer")
PriceSerializer = serializer_class(NewPrice, name="PriceSerializer")
PAGE = OpenApiExample("Draft", DRAFT_PAGE, response_only=True)
# A warband has one draft: what its address answers is an object, though the router calls reading it
# "list".
extend_schema_serializer(many=False)(DraftPage)


@extend_schema(parameters=[WARBAND_KEY])
class DraftViewSet(Endpoint[RosterDraft]):
    """The draft of a roster: changes that are saved only with `record/`."""

    queryset = RosterDraft.objects.none()
    filter_backends = []
    pagination_class = None

    @extend_schema(summary="Read the draft of a roster", responses=DraftPage, examples=[PAGE])
    def list(self, request: Request, warband_id: UUID) -> Response:
        """The roster with all drafted changes, its points and problems. For users who can change
        the warband."""
        return self._page(warband_id)

    @extend_schema(
        summary="Change the draft of a roster",
        request=ChangeSerializer,
        responses=DraftPage,
        examples=[
            OpenApiExample("Add two, then Auto-fill", DRAFT_CHANGES, request_only=True),
            PAGE,
        ],
    )
    def create(self, request: Request, warband_id: UUID) -> Response:
        """Changes by what they `do`: "add", "copy", "fewer", "remove", "name", "name-all", "equip",
        "give", "appoint", "buy", "limit", "fill". `said` is the message of the last change."""
        data = self.validated(ChangeSerializer, request)
        data["changes"] = [_change(place, each) for place, each in enumerate(data["changes"])]
        message = change_draft(
            warband_id=warband_id, user=self.asker, **with_digest("change", data)
        )
        return self._page(warband_id, message)

    @extend_schema(
        summary="Undo changes of a draft",
        request=UndoDraftSerializer,
        responses=DraftPage,
        examples=[OpenApiExample("Undo all", {"all_of_it": True}, request_only=True), PAGE],
    )
    @action(detail=False, methods=["post"])
    def undo(self, request: Request, warband_id: UUID) -> Response:
        """Undo the last change, or all of them. The last 20 can be undone."""
        data = self.validated(UndoDraftSerializer, request)
        undo_draft(warband_id=warband_id, user=self.asker, **with_digest("undo", data))
        return self._page(warband_id)

    @extend_schema(
        summary="Save the draft of a roster",
        request=RecordSerializer,
        responses=WarbandPage,
        examples=[
            OpenApiExample("With version", {"version": 3}, request_only=True),
            OpenApiExample("Warband", WARBAND_PAGE, response_only=True),
        ],
    )
    @action(detail=False, methods=["post"])
    def record(self, request: Request, warband_id: UUID) -> Response:
        """Save all changes or none. In a campaign, the rules decide about recruits."""
        data = self.validated(RecordSerializer, request)
        carry_out_draft(warband_id=warband_id, user=self.asker, **with_digest("record", data))
        return struct_response(warband_page(self.warband(warband_id), self.asker))

    @extend_schema(
        summary="Use a template",
        request=UseTemplateSerializer,
        responses=DraftPage,
        examples=[
            OpenApiExample("My template", {"template": TEMPLATE["id"]}, request_only=True),
            PAGE,
        ],
    )
    @action(detail=False, methods=["post"], url_path="use-template")
    def use_template(self, request: Request, warband_id: UUID) -> Response:
        """Add all fighters of the template. An empty roster also gets its roles and purchases."""
        data = self.validated(UseTemplateSerializer, request)
        use_template(warband_id=warband_id, user=self.asker, **data)
        return self._page(warband_id)

    @extend_schema(
        summary="Save a roster as a template",
        request=SaveTemplateSerializer,
        responses={201: TemplateLine},
        examples=[
            OpenApiExample("Save", {"name": "Core"}, request_only=True),
            OpenApiExample("Saved", TEMPLATE, response_only=True, status_codes=["201"]),
        ],
    )
    @action(detail=False, methods=["post"], url_path="save-template")
    def save_template(self, request: Request, warband_id: UUID) -> Response:
        """Save the drafted roster without names. A template of the same name is replaced."""
        data = self.validated(SaveTemplateSerializer, request)
        row = save_template(warband_id=warband_id, user=self.asker, name=data["name"])
        return struct_response(
            TemplateLine(row.pk, row.name, row.ruleset, row.faction, row.points), 201
        )

    @extend_schema(
        summary="Price a build",
        request=PriceSerializer,
        responses=PricedBuild,
        examples=[
            OpenApiExample(
                "With a halberd", {"build": DRAFT_CHANGES["changes"][0]["build"]}, request_only=True
            ),
            OpenApiExample("Priced", PRICED, response_only=True),
        ],
    )
    @action(detail=False, methods=["post"])
    def price(self, request: Request, warband_id: UUID) -> Response:
        """Return its card and price, and the roster's problems if it joined. Saves nothing."""
        build = clean_json("build", self.validated(PriceSerializer, request)["build"])
        return struct_response(priced_build(self.warband(warband_id), build))

    @extend_schema(
        summary="Suggest names",
        responses=SuggestedNames,
        parameters=[
            OpenApiParameter(
                "count", OpenApiTypes.INT, description=f"Number of names, at most {MAX_NAMES}."
            ),
            OpenApiParameter(
                "profile",
                OpenApiTypes.STR,
                description="Keys of list and profile: reds/guard.",
            ),
        ],
        examples=[OpenApiExample("Names", NAMES, response_only=True)],
    )
    @action(detail=False)
    def names(self, request: Request, warband_id: UUID) -> Response:
        """Unused names of the faction; empty if the rule system has no names."""
        count_text = request.query_params.get("count", "5")
        count = (
            min(int(count_text), MAX_NAMES)
            if count_text.isascii() and count_text.isdecimal() and len(count_text) < 4
            else 5
        )
        return struct_response(
            suggested_names(
                self.warband(warband_id), count, request.query_params.get("profile", "")
            )
        )

    def _page(self, warband_id: UUID, message: str = "") -> Response:
        warband = self.warband(warband_id)
        expect_editor(warband, self.asker)
        return struct_response(replace(read_draft(warband), said=message))


class TemplateViewSet(Endpoint[RosterTemplate]):
    """Saved rosters of a member."""

    queryset = RosterTemplate.objects.none()
    filter_backends = []
    pagination_class = None

    @extend_schema(
        summary="List your roster templates",
        responses=TemplateLine,
        examples=[OpenApiExample("Template", TEMPLATE, response_only=True)],
    )
    def list(self, request: Request) -> Response:
        """In alphabetical order."""
        return Response(msgspec.to_builtins(templates_of(self.asker)))

    @extend_schema(summary="Delete a template", responses={204: None})
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Delete one of your templates."""
        delete_template(template_id=pk, user=self.asker)
        return Response(status=204)


def _change(place: int, data: dict[str, Any]) -> DraftChange:
    """A change as it was sent. Raises InvalidInput "required" for what is missing,
    "unreadable-change"."""
    where = f"changes.{place}"
    change = clean_json(where, data)
    kind = CHANGES.get(str(change.get("do", "")))
    needed = [each.name for each in fields(kind) if each.required] if kind else []
    if "do" not in change:
        needed = ["do"]
    missing = [name for name in needed if name not in change]
    if missing:
        does = (
            f"A change that does “{change['do']}”"
            if kind
            else f"A change (“do” is one of {', '.join(CHANGES)})"
        )
        problems = [
            Problem("required", f"{does} needs “{name}”.", field=f"{where}.{name}")
            for name in missing
        ]
        raise InvalidInput("required", problems[0].sentence, problems=problems)
    try:
        return msgspec.convert(change, AnyChange)
    except msgspec.ValidationError as error:
        raise field_error(
            where, "unreadable-change", f"This change cannot be read: {error}."
        ) from error
