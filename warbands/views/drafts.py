"""The page to build a roster: profiles, the drafted roster, its sum, and a button to record it."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4, uuid5

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from core.errors import Forbidden, MusterError, NotFound, StateConflict
from core.views import (
    AuthenticatedRequest,
    local_page,
    login_required_page,
    run_service,
    sentences,
)
from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import RulesError
from warbands.drafts.autofill import can_fill
from warbands.forms.drafts import (
    joining_at_once,
    joining_group,
    known_id,
    placeholders,
    pressed,
    whole_number,
    with_kit_of,
)
from warbands.forms.drafts import sent_text as said_in
from warbands.forms.fighters import BuildForm
from warbands.forms.warbands import FurnishForm
from warbands.models import RosterDraft
from warbands.selectors.access import rights_of
from warbands.selectors.draft_page import (
    DraftFighter,
    DraftPage,
    choices_to_give,
    draft_of,
    draft_page,
    drafted_state,
    templates_of,
)
from warbands.selectors.offered import builds_on_offer, offered_lists
from warbands.services.drafts import (
    carry_out_draft,
    change_draft,
    delete_template,
    save_template,
    undo_draft,
    use_template,
)
from warbands.views.building import RosterContext, open_workshop

WHOLE_DRAFT = ("fill", "undo", "discard", "record", "give_chosen", "group_chosen", "kit")
"""Buttons that depend on the draft as it was seen: they fail if it has changed meanwhile."""
KEPT = ("open", "chosen", "many", "into", "next")
"""Fields of the page that keep their values after a button."""
NUMBERS = (1, 2, 3, 4, 6)
"""The numbers of fighters of a build that can join with one tap."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def build(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show and change the draft; the button "record" writes it into the chronicle."""
    shop = open_workshop(request, pk)
    if request.method != "POST":
        return _page(request, shop)
    refused, message = _submit(request, shop)
    if refused is None and "record" in request.POST:
        messages.success(request, message)
        where = reverse("warbands:warband", args=[pk])
        if following := local_page(request.POST, "next"):
            where = f"{following}?{urlencode({'warband': pk})}"
        return HttpResponseClientRedirect(where) if request.htmx else redirect(where)  # type: ignore[attr-defined]
    if refused is None and not request.htmx and "choose" not in request.POST:  # type: ignore[attr-defined]
        if message:
            messages.success(request, message)
        query = {key: request.POST.getlist(key) for key in KEPT if request.POST.getlist(key)}
        return redirect(f"{request.path}?{urlencode(query, doseq=True)}" if query else request.path)
    return _page(request, shop, message=message, refused=refused)


def _submit(
    request: AuthenticatedRequest, shop: RosterContext
) -> tuple[RulesError | MusterError | None, str]:
    """Carry out the button; return the error, or None and the message."""
    try:
        return None, _change(request, shop)
    except (Forbidden, NotFound):
        raise
    except (RulesError, MusterError) as error:
        return error, ""


def _change(request: AuthenticatedRequest, shop: RosterContext) -> str:
    """Carry out the buttons and fields of the page, in as few steps as possible."""
    data, pk, kwargs = request.POST, shop.warband.pk, placeholders(request.POST)
    rests = any(key in data for key in WHOLE_DRAFT)
    version = whole_number(said_in(data, "version")) if rests else None
    if "undo" in data or "discard" in data:
        undo_draft(
            warband_id=pk, user=request.user, version=version, all_of_it="discard" in data, **kwargs
        )
        return ""
    page, row = _drafted(shop)
    kit = (
        _kit_form(shop, row, with_kit_of(page, said_in(data, "open")), data)
        if "kit" in data
        else None
    )
    bought = _extras_form(shop, row, data) if "extras-shown" in data else None
    offered = builds_on_offer(shop.rules, shop.state)
    pressed_changes = [*pressed(data, page, offered, kit, bought, shop.rules.group_field)]
    message = (
        change_draft(
            warband_id=pk, user=request.user, changes=pressed_changes, version=version, **kwargs
        )
        if pressed_changes
        else ""
    )
    if "save_template" in data:
        template = save_template(
            warband_id=pk, user=request.user, name=said_in(data, "template_name")
        )
        return gettext("Saved as the template “%(template)s”.") % {"template": template.name}
    if "use_template" in data and (wished := known_id(said_in(data, "template"))):
        use_template(warband_id=pk, template_id=wished, user=request.user)
    if "record" in data:
        once = uuid5(kwargs["client_id"], "record") if kwargs["client_id"] else None
        joined = carry_out_draft(
            warband_id=pk,
            user=request.user,
            client_id=once,
            version=None if pressed_changes else version,
            overrule=said_in(data, "overrule"),
        )
        return (
            ngettext("%(joined)s added to the roster.", "%(joined)s added to the roster.", joined)
            % {"joined": joined}
            if joined
            else gettext("Roster saved.")
        )
    return message


def _drafted(shop: RosterContext) -> tuple[DraftPage, RosterDraft]:
    row = draft_of(shop.warband)
    return draft_page(shop.rules, shop.warband, shop.state, row), row


def _kit_form(
    shop: RosterContext, row: RosterDraft, some: Sequence[DraftFighter], data: Any = None
) -> BuildForm | None:
    """Return the form for the build of the fighters whose equipment is open."""
    if not some:
        return None
    build = some[0].build
    terms = drafted_state(shop.state, row)[1].terms
    return BuildForm(
        data, build=build, rules_fields=shop.rules.build_fields(build, terms), rules=shop.rules
    )


def _extras_form(shop: RosterContext, row: RosterDraft, data: Any = None) -> FurnishForm | None:
    fields = shop.rules.extras_fields(drafted_state(shop.state, row)[1].roster)
    form = (
        FurnishForm(data, initial={"sequence": shop.warband.sequence}, rules_fields=fields)
        if fields
        else None
    )
    for name in ("sequence", "reason") if form else ():
        del form.fields[name]  # type: ignore[union-attr]
    return form


def _page(
    request: AuthenticatedRequest,
    shop: RosterContext,
    *,
    message: str = "",
    refused: RulesError | MusterError | None = None,
) -> HttpResponse:
    """Render the page, or for htmx the parts of it that change."""
    data = request.POST if request.method == "POST" else request.GET
    page, row = _drafted(shop)
    after = drafted_state(shop.state, row)[1]
    opened = with_kit_of(page, said_in(data, "open"))
    context = {
        **shop.context,
        "page": page,
        "limit": page.limit or whole_number(said_in(data, "limit")),
        "said": message,
        "refused": sentences(refused) if refused else (),
        "outrun": isinstance(refused, StateConflict),
        "opened": opened,
        "open": said_in(data, "open") if opened else "",
        "kit": _kit_form(shop, row, opened),
        "chosen": _chosen(data, page),
        "gifts": choices_to_give(shop.rules, after, page),
        "group_field": shop.rules.group_field,
        "groups": [section.group.name for section in page.sections if section.group],
        "buys": None if page.locked else _extras_form(shop, row),
        "fills": can_fill(shop.rules, after.roster),
        "suggests_names": bool(shop.rules.names),
        "templates": templates_of(request.user, shop.warband.ruleset, shop.warband.faction),
        "overrules": page.locked
        and page.forbidden
        and rights_of(shop.warband, request.user).overrule,
        "client_id": uuid4(),
    }
    status = 200
    if refused is not None:
        status = 409 if context["outrun"] else 400
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "warbands/build_changed.html", context, status=status)
    context |= {
        "lists": shop.sections,
        "offered": offered_lists(shop.rules, after, shop.sections),
        "numbers": NUMBERS,
        "many": joining_at_once(data),
        "into": joining_group(data),
        "next": local_page(data, "next"),
        "group_name": _group_name(shop, after),
    }
    return render(request, "warbands/build.html", context, status=status)


def _group_name(shop: RosterContext, after: WarbandState) -> str:
    """Return the rule system's name for groups (Brigade, Ward), "" if it has none.

    It is read from a form of a build.
    """
    for ready_build in builds_on_offer(shop.rules, shop.state).values():
        for field in shop.rules.build_fields(ready_build.build, after.terms):
            if field.key == shop.rules.group_field:
                return field.label
    return ""


def _chosen(data: QueryDict, page: DraftPage) -> frozenset[str]:
    """Return the ids of the fighters whose boxes are ticked."""
    if "choose" in data:
        return frozenset(
            each.id for each in page.everybody if each.open and data["choose"] == "all"
        )
    return frozenset(each.id for each in page.everybody if each.id in data.getlist("chosen"))


@require_POST
@login_required_page
def drop_template(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Delete one of the user's templates."""
    run_service(
        request,
        partial(delete_template, template_id=pk, user=request.user),
        gettext("Template deleted."),
    )
    return redirect("warbands:warbands")
