"""Members of a club."""

from functools import partial
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.forms.clubs import GuestForm, MemberForm, RoleForm
from campaigns.models import Club, Membership
from campaigns.services.members import add_guest, change_role, remove_member, rename_member
from config.pages.lookup import MemberRequest, editable, may_edit
from config.pages.responses import attempt, bound_data, form_page, members_only


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
    if not attempt(
        request,
        partial(remove_member, member_id=pk, user=request.user),
        gettext("%(name)s has left the club.") % {"name": row.name},
    ):
        return redirect("campaigns:member", pk)
    stays = Club.objects.visible_to(request.user).filter(pk=row.club_id).exists()
    return redirect("campaigns:club", row.club_id) if stays else redirect("campaigns:clubs")
