"""Members of a club."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from clubs.forms.clubs import GuestsForm, MemberForm, RoleForm
from clubs.models import UNDO_WITHIN, Club, Membership, Role
from clubs.services.members import (
    add_guests,
    change_role,
    preview_removal,
    remove_member,
    rename_member,
)
from core.forms import PageForm
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    is_editable,
    login_required_page,
    post_data,
    render_form,
    run_service,
)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def guest(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Add players who have no account."""
    club = get_editable_or_404(Club.objects, request.user, pk)
    form = GuestsForm(post_data(request))
    if form.is_valid() and form.submit(
        partial(add_guests, club_id=pk, user=request.user, names=form.names)
    ):
        return redirect("home:club", pk)
    return render_form(request, "clubs/guest.html", form, club=club, section="clubs")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def member(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Rename a member; for organisers also role and leaving."""
    row = get_editable_or_404(
        Membership.objects.with_accounts().select_related("club"), request.user, pk
    )
    form = MemberForm(post_data(request), initial={"name": row.name})
    if form.is_valid() and form.submit(
        partial(rename_member, member_id=pk, user=request.user, name=form.cleaned_data["name"])
    ):
        return redirect("home:club", row.club_id)
    organises = is_editable(row.club, request.user)
    since = timezone.now() - UNDO_WITHIN
    context = {
        "member": row,
        "organises": organises,
        "role": RoleForm(initial={"role": row.role}, prefix="to"),
        "merges": row.merges.standing().filter(merged_at__gte=since) if organises else [],
        "undo_days": UNDO_WITHIN.days,
    }
    return render_form(request, "clubs/member.html", form, section="clubs", **context)


@require_POST
@login_required_page
def role(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change a member's role."""
    row = get_editable_or_404(Membership.objects.select_related("club"), request.user, pk)
    form = RoleForm(request.POST, prefix="to")
    new_role = form.cleaned_data["role"] if form.is_valid() else ""
    if run_service(request, partial(change_role, member_id=pk, user=request.user, role=new_role)):
        sentences = {
            Role.ORGANISER: gettext("%(name)s is now an organiser of %(club)s."),
            Role.PLAYER: gettext("%(name)s is now a player in %(club)s."),
            Role.SPECTATOR: gettext("%(name)s is now a spectator in %(club)s."),
        }
        messages.success(
            request, sentences[Role(new_role)] % {"name": row.name, "club": row.club.name}
        )
        return redirect("home:club", row.club_id)
    return redirect("clubs:member", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def remove(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show the effect of a member's leaving or removal, and carry it out."""
    row = get_editable_or_404(Membership.objects.select_related("club"), request.user, pk)
    form = PageForm(post_data(request))
    if form.is_valid() and form.submit(partial(remove_member, member_id=pk, user=request.user)):
        messages.success(request, gettext("%(name)s has left the club.") % {"name": row.name})
        stays = Club.objects.visible_to(request.user).filter(pk=row.club_id).exists()
        return redirect("home:club", row.club_id) if stays else redirect("home:clubs")
    preview = preview_removal(member_id=pk, user=request.user)
    return render_form(
        request, "clubs/remove_member.html", form, member=row, preview=preview, section="clubs"
    )
