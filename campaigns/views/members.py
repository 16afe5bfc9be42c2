"""Members and invitations of a club."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns.forms.clubs import GuestForm, InvitationForm, JoiningForm, MemberForm, RoleForm
from campaigns.models import Club, Invitation, Membership
from campaigns.services.invitations import accept_invitation, find_invitation, invite, revoke_invitation
from campaigns.services.members import add_guest, change_role, remove_member, rename_member
from config.pages.lookup import MemberRequest, editable, may_edit, visible
from config.pages.responses import attempt, bound_data, form_page, members_only, open_to_all
from warbands.errors import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def guest(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Give a seat to a player who has no account."""
    club = editable(Club.objects, request.user, pk)
    form = GuestForm(bound_data(request))
    if form.is_valid() and form.submit(
        partial(add_guest, club_id=pk, user=request.user, name=form.cleaned_data["name"])
    ):
        return redirect("campaigns:club", pk)
    return form_page(request, "campaigns/guest.html", form, club=club, section="clubs")


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def member(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Rename a member; for organisers also role and leaving."""
    row = editable(Membership.objects.select_related("club"), request.user, pk)
    form = MemberForm(bound_data(request), initial={"name": row.name})
    if form.is_valid() and form.submit(
        partial(rename_member, member_id=pk, user=request.user, name=form.cleaned_data["name"])
    ):
        return redirect("campaigns:club", row.club_id)
    organises = may_edit(row.club, request.user)
    role = RoleForm(initial={"role": row.role}, prefix="to")
    return form_page(
        request, "campaigns/member.html", form, member=row, organises=organises, role=role, section="clubs"
    )


@require_POST
@members_only
def role(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Give a member another role."""
    row = editable(Membership.objects, request.user, pk)
    form = RoleForm(request.POST, prefix="to")
    wanted = form.cleaned_data["role"] if form.is_valid() else ""
    if attempt(request, partial(change_role, member_id=pk, user=request.user, role=wanted)):
        return redirect("campaigns:club", row.club_id)
    return redirect("campaigns:member", pk)


@require_POST
@members_only
def remove(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Send a member away, or leave."""
    row = editable(Membership.objects, request.user, pk)
    if not attempt(request, partial(remove_member, member_id=pk, user=request.user), f"{row.name} has left the club."):
        return redirect("campaigns:member", pk)
    stays = Club.objects.visible_to(request.user).filter(pk=row.club_id).exists()
    return redirect("campaigns:club", row.club_id) if stays else redirect("campaigns:clubs")


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def invitation(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Make a link into the club. It is shown once, in the answer to the form."""
    club = editable(Club.objects, request.user, pk)
    form = InvitationForm(bound_data(request), club=club)
    if form.is_valid() and form.submit(partial(invite, club_id=pk, user=request.user, **form.cleaned_data)):
        link = f"{reverse('campaigns:join')}?{urlencode({'secret': form.answer.secret})}"
        context = {"club": club, "link": request.build_absolute_uri(link), "issued": form.answer.invitation}
        return render(request, "campaigns/invited.html", {**context, "section": "clubs"}, status=201)
    return form_page(request, "campaigns/invite.html", form, club=club, section="clubs")


@require_POST
@members_only
def revoke(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Make a link worthless."""
    row = visible(Invitation.objects, request.user, pk)
    attempt(request, partial(revoke_invitation, invitation_id=pk, user=request.user), "The link works no longer.")
    return redirect("campaigns:club", row.club_id)


@require_safe
@open_to_all
def join(request: HttpRequest) -> HttpResponse:
    """What a link offers, and the way in. The secret is in the query, since paths are logged."""
    secret = request.GET.get("secret", "")
    try:
        offered = find_invitation(secret)
    except Refused as refusal:
        return render(request, "campaigns/join.html", {"refusal": refusal.sentence}, status=410)
    return form_page(request, "campaigns/join.html", JoiningForm(initial={"secret": secret}), offered=offered)


@require_POST
@members_only
def accept(request: MemberRequest) -> HttpResponse:
    """Accept an invitation."""
    secret = request.POST.get("secret", "")
    try:
        offered = find_invitation(secret)
    except Refused as refusal:
        return render(request, "campaigns/join.html", {"refusal": refusal.sentence}, status=410)
    form = JoiningForm(request.POST)
    if form.is_valid() and form.submit(partial(accept_invitation, user=request.user, **form.cleaned_data)):
        messages.success(request, f"Welcome to {offered.club.name}.")
        return redirect("campaigns:club", offered.club_id)
    return form_page(request, "campaigns/join.html", form, offered=offered)
