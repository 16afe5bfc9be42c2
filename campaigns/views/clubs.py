"""Clubs: one's own, one, founding and changing them."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.forms.clubs import ClubForm, FoundingForm
from campaigns.models import Club, Invitation, Membership
from campaigns.services.clubs import edit_club, found_club
from config.pages.lookup import MemberRequest, editable, may_edit, visible
from config.pages.responses import bound_data, form_page, members_only, numbered, open_to_all


@require_safe
@members_only
def clubs(request: MemberRequest) -> HttpResponse:
    """The clubs that one belongs to."""
    mine = Membership.objects.present().filter(user=request.user).select_related("club").order_by("club__name")
    members = Count("club__memberships", filter=Q(club__memberships__left_at=None), distinct=True)
    counted = mine.annotate(members=members, campaigns=Count("club__campaigns", distinct=True))
    return render(request, "campaigns/clubs.html", {"section": "clubs", "page": numbered(request, counted)})


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def found(request: MemberRequest) -> HttpResponse:
    """Found a club."""
    form = FoundingForm(bound_data(request))
    if form.is_valid() and form.submit(partial(found_club, user=request.user, **form.cleaned_data)):
        messages.success(request, f"{form.answer.name} is founded. Invite the others, then plan a campaign.")
        return redirect("campaigns:club", form.answer.pk)
    return form_page(request, "campaigns/found.html", form, section="clubs")


@require_safe
@open_to_all
def club(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A club: who belongs to it, what it plays, and for organisers who is invited."""
    found = visible(Club.objects, request.user, pk)
    organises = may_edit(found, request.user)
    members = list(found.memberships.present().select_related("user"))
    context = {
        "section": "clubs",
        "club": found,
        "organises": organises,
        "members": members,
        "me": next((one for one in members if one.user_id and one.user_id == request.user.pk), None),
        "invitations": Invitation.objects.visible_to(request.user).filter(club=found).select_related("seat"),
        "page": numbered(request, found.campaigns.listed_for(request.user)),
    }
    return render(request, "campaigns/club.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def change_club(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Change a club's name, story and openness."""
    row = editable(Club.objects, request.user, pk)
    initial = {"name": row.name, "story": row.story, "visibility": row.visibility}
    form = ClubForm(bound_data(request), initial=initial)
    change = partial(edit_club, club_id=pk, user=request.user)
    if form.is_valid() and form.submit(lambda: change(**form.cleaned_data)):
        return redirect("campaigns:club", pk)
    return form_page(request, "campaigns/change_club.html", form, club=row, section="clubs")
