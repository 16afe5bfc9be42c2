"""Invitations: create, show as often as organisers like, and accept."""

from functools import partial
from typing import Any
from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.account.views import SignupView
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.forms.clubs import InvitationForm, JoiningForm
from clubs.forms.joining import InvitedSignupForm
from clubs.models import Club, Invitation, Membership, Role
from clubs.services.invitations import (
    accept_invitation,
    already_member,
    find_invitation,
    invite,
    revoke_invitation,
)
from core.errors import InvalidInput, MusterError
from core.qr_codes import qr_code
from core.secret_links import join_path
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    post_data,
    public_page,
    question,
    render_form,
    run_service,
)
from pictures.selectors.pictures import picture_of
from pictures.subjects import PictureKind


@require_safe
@login_required_page
def invitations(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """List the invitations of a club: open ones with their links, then those that have ended."""
    club = get_editable_or_404(Club.objects, request.user, pk)
    now = timezone.now()
    rows = list(club.invitations.select_related("seat", "created_by"))
    context = {
        "club": club,
        "club_picture": picture_of(PictureKind.CLUB, pk),
        "organises": True,
        "section": "clubs",
        "tab": "invitations",
        "open": [shown(request, row) for row in rows if row.usable(now)],
        "closed": [row for row in rows if not row.usable(now)],
    }
    return render(request, "clubs/invitations.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def invite_people(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Create a link into the club. `?seat=` offers to take over a player without an account.

    `?role=` suggests a role.
    """
    club = get_editable_or_404(Club.objects, request.user, pk)
    form = InvitationForm(post_data(request), club=club, initial=_initial(request))
    if form.is_valid() and form.submit(
        partial(invite, club_id=pk, user=request.user, **form.cleaned_data)
    ):
        return redirect("clubs:invitation", form.answer.invitation.pk)
    return render_form(request, "clubs/invite.html", form, club=club, section="clubs")


@require_safe
@login_required_page
def invitation(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show one invitation in large: its link and its QR code, to copy, share or show."""
    row = get_visible_or_404(Invitation.objects.select_related("club", "seat"), request.user, pk)
    context = {"club": row.club, "invitation": row, "one": shown(request, row), "section": "clubs"}
    return render(
        request, "clubs/invitation.html", {**context, "usable": row.usable(timezone.now())}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def revoke(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Revoke a link, after a confirmation."""
    row = get_visible_or_404(Invitation.objects, request.user, pk)
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Revoke this invitation?"),
            lines=[
                gettext(
                    "Its link and QR code stop working. People who have not joined yet need a new"
                    " one."
                )
            ],
            button=gettext("Revoke invitation"),
            back=reverse("clubs:invitation", args=[pk]),
            section="clubs",
        )
    run_service(
        request,
        partial(revoke_invitation, invitation_id=pk, user=request.user),
        gettext("Invitation revoked."),
    )
    return redirect("clubs:invitations", row.club_id)


@require_safe
@public_page
def join(request: HttpRequest) -> HttpResponse:
    """Show what a link offers, and one form to join, with an account or without."""
    secret = request.GET.get("secret", "")
    try:
        offered = find_invitation(secret)
    except MusterError as error:
        return dead_link(request, error)
    if request.user.is_authenticated:
        member = offered.club.memberships.filter(user=request.user).first()
        context = offer(offered) | {
            "known": member,
            "already": already_member(offered, member) if member else "",
        }
        form = with_name_if_needed(JoiningForm(initial={"secret": secret}), offered)
        return render_form(request, "clubs/join.html", form, **context)
    form = with_name_if_needed(InvitedSignupForm(initial={"secret": secret}), offered)
    return render(
        request, "clubs/join.html", {"form": form, **way_in(request, secret), **offer(offered)}
    )


@require_POST
@login_required_page
def accept(request: AuthenticatedRequest) -> HttpResponse:
    """Accept an invitation."""
    secret = request.POST.get("secret", "")
    try:
        offered = find_invitation(secret)
    except MusterError as error:
        return dead_link(request, error)
    form = with_name_if_needed(JoiningForm(request.POST), offered)
    if form.is_valid() and form.submit(
        partial(accept_invitation, user=request.user, **form.cleaned_data)
    ):
        return welcome(request, offered)
    return render_form(request, "clubs/join.html", form, **offer(offered))


class InvitedSignup(SignupView):
    """The view to create an account and join a club with one form: both succeed or neither."""

    form_class = InvitedSignupForm
    template_name = "clubs/join.html"

    def get_form_class(self) -> type[InvitedSignupForm]:
        return self.form_class

    def get_form(self, form_class: Any = None) -> Any:
        return with_name_if_needed(
            super().get_form(form_class), find_invitation(self.request.POST.get("secret", ""))
        )

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            answer: HttpResponse = super().form_valid(form)
        except MusterError as error:
            form.add_error(None, error.sentence)
            return self.form_invalid(form)
        messages.success(
            self.request, gettext("Welcome to %(name)s.") % {"name": form.invitation.club.name}
        )
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=400)

    def get_next_url(self) -> None:
        """Return None, so that the view goes to the club."""

    def get_context_data(self, **named: Any) -> dict[str, Any]:
        secret = self.request.POST.get("secret", "")
        return {
            **super().get_context_data(**named),
            **way_in(self.request, secret),
            **offer(find_invitation(secret)),
        }


@require_POST
@public_page
def sign_up(request: HttpRequest) -> HttpResponse:
    """Create an account and accept an invitation in one step."""
    try:
        offered = find_invitation(request.POST.get("secret", ""))
    except MusterError as error:
        return dead_link(request, error)
    if request.user.is_authenticated:
        return redirect(join_path(request.POST["secret"]))
    return InvitedSignup.as_view(success_url=reverse("home:club", args=[offered.club_id]))(request)


def dead_link(request: HttpRequest, error: MusterError) -> HttpResponse:
    """Return a page that says why a link does not work: 410 if it once worked, else 404."""
    gone = isinstance(error, InvalidInput)
    return render(
        request, "clubs/join.html", {"refusal": error.sentence}, status=410 if gone else 404
    )


def with_name_if_needed(form: Any, offered: Invitation) -> Any:
    """Return the form, without a name if it comes with the guest player who is taken over."""
    if offered.seat is not None:
        form.fields.pop("name", None)
    return form


def welcome(request: HttpRequest, offered: Invitation) -> HttpResponse:
    """Redirect a new member to the club."""
    messages.success(request, gettext("Welcome to %(name)s.") % {"name": offered.club.name})
    return redirect("home:club", offered.club_id)


def shown(request: HttpRequest, row: Invitation) -> dict[str, Any]:
    """Return an invitation with its link and QR code, both "" if its secret was not stored."""
    link = request.build_absolute_uri(join_path(row.secret)) if row.secret else ""
    return {"invitation": row, "link": link, "code": qr_code(link) if link else ""}


def way_in(request: HttpRequest, secret: str) -> dict[str, Any]:
    """Return what a visitor who is not signed in can do with a link.

    They can sign in or, if the site is open for sign-up, create an account.
    """
    return {
        "may_sign_up": get_adapter(request).is_open_for_signup(request),
        "sign_in_next": join_path(secret),
    }


def offer(offered: Invitation) -> dict[str, Any]:
    """Return who invites to what, for the page of a link. Three queries."""
    inviting = Membership.objects.filter(club=offered.club, user=offered.created_by).values_list(
        "name", flat=True
    )
    return {
        "offered": offered,
        "inviting": inviting.first() or gettext("An organiser"),
        "campaigns": offered.club.campaigns.running().order_by("name")[:5],
        "members": offered.club.memberships.present().count(),
    }


def _initial(request: HttpRequest) -> dict[str, str]:
    """Return what the address suggests: a guest player's seat, or the role of organiser."""
    role = request.GET.get("role", "")
    suggested = {"seat_id": request.GET.get("seat", "")}
    return suggested | ({"role": role} if role in Role.values else {})
