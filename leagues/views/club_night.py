"""Pages of a club night's pairings: draw, change, publish; check in, and the poster at the door."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles.views.reporting import Reported, expect_player, result_page
from campaigns.models import Campaign, CampaignState, TableGame
from clubs.models import Attendance, Club, Evening, Loan, Membership
from clubs.services.check_in import (
    Absence,
    CheckIn,
    KeepApart,
    WalkIn,
    Wishes,
    add_walk_in,
    allow_pair,
    check_in,
    edit_wishes,
    forbid_pair,
)
from core.forms import PageForm
from core.input_forms import form_class
from core.qr_codes import qr_code
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    run_service,
    way_back,
)
from leagues.selectors.club_night import (
    NightPairings,
    days_of,
    night_pairings,
    results_of,
    warbands_of,
)
from leagues.services.club_night import (
    Draw,
    GameStart,
    PlayerSwap,
    TableMove,
    draw_pairings,
    mark_no_show,
    move_game,
    pair_late_comers,
    publish_pairings,
    remove_walk_in,
    start_game,
    swap_players,
)

DrawForm = form_class(Draw, PageForm)
SwapForm = form_class(PlayerSwap, PageForm)
TableForm = form_class(TableMove, PageForm)
StartForm = form_class(GameStart, PageForm)
CheckInForm = form_class(CheckIn, PageForm)
AbsenceForm = form_class(Absence, PageForm)
WalkInForm = form_class(WalkIn, PageForm)
WishesForm = form_class(Wishes, PageForm)
KeepApartForm = form_class(KeepApart, PageForm)


@require_safe
@login_required_page
def pairings(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show the pairings of a club night: to organisers with the draft, to members once published.

    Who is not a member sees neither names nor games.
    """
    row = _members_evening(request, pk)
    night = night_pairings(row, request.user)
    context = {"club": row.club, "evening": row, "night": night, "section": "clubs"}
    if night.organises:
        form = DrawForm(initial=_settings(night))
        context |= {
            "form": form,
            "members": row.club.memberships.present().order_by("name", "pk"),
            "next_seed": night.seed + 1,
            "takes_check_ins": row.takes_check_ins(timezone.now()),
        }
    return render(request, "leagues/pairings.html", context)


@require_POST
@login_required_page
def draw(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Draw the pairings, for the tables and the draft number of the form.

    Published pairings are replaced only if the form says so.
    """
    row = get_editable_or_404(Evening.objects, request.user, pk)
    # People are playing: a slip of the thumb must not give them other opponents.
    if row.published_at and "replace" not in request.POST:
        messages.error(
            request,
            gettext(
                "The pairings are published. To draw again, tick “Replace the published pairings”."
            ),
        )
        return redirect("leagues:pairings", pk)
    return _change(
        request, pk, DrawForm, draw_pairings, gettext("Pairings drawn. Change or publish them.")
    )


@require_POST
@login_required_page
def late(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Pair late comers and those who sit out."""
    return _change(request, pk, PageForm, pair_late_comers, gettext("Late comers paired."))


@require_POST
@login_required_page
def swap(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Let two players change places."""
    return _change(request, pk, SwapForm, swap_players)


@require_POST
@login_required_page
def table(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Move a game to another table."""
    return _change(request, pk, TableForm, move_game)


@require_POST
@login_required_page
def publish(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Publish the pairings."""
    return _change(
        request,
        pk,
        PageForm,
        publish_pairings,
        gettext("Pairings published. Every player has them now."),
    )


@require_POST
@login_required_page
def begin(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Mark a game as begun or not begun."""
    return _change(request, pk, StartForm, start_game, by_members=True)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def game_result(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Enter the result of a game of a club night in one step, also without a fixture."""
    rows = TableGame.objects.select_related("evening__club", "campaign__club")
    game: TableGame = get_visible_or_404(rows, request.user, pk)
    if game.fixture_id:
        return redirect("battles:fixture-result", game.fixture_id)
    back = reverse("leagues:pairings", args=[game.evening_id])
    campaign, warbands = game.campaign, warbands_of([game])
    if campaign is None or campaign.state != CampaignState.RUNNING or len(warbands) != 2:
        messages.error(
            request,
            gettext("Results need a running campaign in which both play. Plan a battle instead."),
        )
        return redirect(back)
    get_visible_or_404(Campaign.objects, request.user, campaign.pk)
    expect_player(request, campaign)
    result = results_of([game]).get(pk)
    if result is not None:
        return redirect("battles:battle", result.battle)
    members = (game.first_id, game.second_id)
    first, last = days_of(game.evening)
    reported = Reported(
        campaign=campaign,
        warbands=[warbands[campaign.pk, member].pk for member in members if member],
        day=min(max(timezone.localdate(timezone=game.evening.club.zone), first), last),
        key=pk,
        back=back,
    )
    return result_page(request, reported)


@require_POST
@login_required_page
def absent(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Mark a member as a no-show."""
    return _change(request, pk, AbsenceForm, mark_no_show)


@require_POST
@login_required_page
def walk_in(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Add a guest player who walked in."""
    return _change(request, pk, WalkInForm, add_walk_in, gettext("Added and checked in."))


@require_POST
@login_required_page
def remove_guest(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Remove a guest player who was added by mistake."""
    return _change(request, pk, AbsenceForm, remove_walk_in, gettext("Guest player removed."))


@require_POST
@login_required_page
def wishes(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Store whether the user looks for an opponent, and needs or lends a warband."""
    return _change(request, pk, WishesForm, edit_wishes, gettext("Saved."), by_members=True)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def arrive(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Check in: one button, which the QR code at the door opens. Organisers check in anybody."""
    row = _members_evening(request, pk)
    if request.method == "POST":
        return _change(request, pk, CheckInForm, check_in, by_members=True)
    mine = Attendance.objects.filter(evening=row, member__user=request.user).first()
    context = {
        "club": row.club,
        "evening": row,
        "mine": mine,
        "open": row.takes_check_ins(timezone.now()),
        "loans": Loan.choices,
        "night": night_pairings(row, request.user),
        "section": "clubs",
    }
    return render(request, "leagues/check_in.html", context)


@require_safe
@login_required_page
def door(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show the poster for the door: the QR code of the check-in."""
    row = get_editable_or_404(Evening.objects.select_related("club"), request.user, pk)
    address = request.build_absolute_uri(reverse("leagues:check-in", args=[pk]))
    context = {
        "club": row.club,
        "evening": row,
        "address": address,
        "code": qr_code(address),
        "section": "clubs",
    }
    return render(request, "leagues/door.html", context)


@require_POST
@login_required_page
def forbid(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Keep two members apart at club nights."""
    get_editable_or_404(Club.objects, request.user, pk)
    form = KeepApartForm(request.POST)
    if not form.is_valid():
        messages.error(request, gettext("Choose two members."))
    else:
        values = form.cleaned_data
        run_service(
            request,
            partial(forbid_pair, club_id=pk, user=request.user, **values),
            gettext("Saved. The next draw keeps the two apart."),
        )
    return redirect(way_back(request, reverse("home:club", args=[pk])))


@require_POST
@login_required_page
def allow(request: AuthenticatedRequest, pk: UUID, pair_id: UUID) -> HttpResponse:
    """Let two members be paired again."""
    get_editable_or_404(Club.objects, request.user, pk)
    run_service(request, partial(allow_pair, club_id=pk, user=request.user, pair_id=pair_id))
    return redirect(way_back(request, reverse("home:club", args=[pk])))


def _members_evening(request: AuthenticatedRequest, pk: UUID) -> Evening:
    """Return the club night for a member of its club. Raises Http404 or PermissionDenied."""
    row: Evening = get_visible_or_404(Evening.objects.select_related("club"), request.user, pk)
    if not Membership.objects.present().filter(club=row.club_id, user=request.user).exists():
        raise PermissionDenied
    return row


def _change(
    request: AuthenticatedRequest,
    pk: UUID,
    form_of: type[PageForm],
    service: Callable[..., object],
    done: str = "",
    *,
    by_members: bool = False,
) -> HttpResponse:
    """Read the form, call the service, and return to the page of the form.

    Only for organisers, unless it is ``by_members`` too.
    """
    if by_members:
        _members_evening(request, pk)
    else:
        get_editable_or_404(Evening.objects, request.user, pk)
    form = form_of(request.POST)
    if form.is_valid():
        sent = {
            name: value
            for name, value in form.cleaned_data.items()
            if name in request.POST and value is not None
        }
        run_service(request, partial(service, evening_id=pk, user=request.user, **sent), done)
    else:
        for field, errors in form.errors.items():
            label = form.fields[field].label if field in form.fields else ""
            messages.error(request, f"{label}: {' '.join(map(str, errors))}".lstrip(": "))
    return redirect(way_back(request, reverse("leagues:pairings", args=[pk])))


def _settings(night: NightPairings) -> dict[str, Any]:
    return {"tables": night.tables, "large_tables": night.large_tables, "seed": night.seed}
