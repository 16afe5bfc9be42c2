"""Pages of clubs: list them, show one, and create and edit them."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe
from msgspec.structs import replace

from campaigns.models import Campaign, CampaignState
from clubs.forms.clubs import ClubForm, FoundingForm
from clubs.models import Club, Membership, Role
from clubs.page_rows import CLUB_ROWS
from clubs.selectors.history import past_seasons
from clubs.services.clubs import edit_club, found_club
from core.compiled_queries import CompiledQuery
from core.page_cache import cached_page, computed_with_rows
from core.views import (
    PAGE_SIZE,
    AuthenticatedRequest,
    get_editable_or_404,
    is_editable,
    login_required_page,
    paginate,
    post_data,
    public_page,
    render_form,
    visible_row_or_404,
)
from home.selectors.club import club_home, members_of
from home.services.preferences import preferences_of
from leagues.selectors.seasons import seasons as seasons_of
from pictures.selectors.pictures import picture_of
from pictures.subjects import PictureKind

MAX_RUNNING = 50
SEASONS_ON_A_PAGE = 10
CLUB: CompiledQuery[Club] = CompiledQuery(
    lambda key, user: Club.objects.visible_to(user).filter(pk=key)
)
NOT_FINISHED: CompiledQuery[Campaign] = CompiledQuery(
    lambda key, user: (
        Campaign.objects.filter(club=key)
        .listed_in_club(user)
        .exclude(state=CampaignState.FINISHED)[:MAX_RUNNING]
    )
)
FIRST_FINISHED: CompiledQuery[Campaign] = CompiledQuery(
    lambda key, user: (
        Campaign.objects.filter(club=key)
        .listed_in_club(user)
        .filter(state=CampaignState.FINISHED)[: PAGE_SIZE + 1]
    )
)


@require_safe
@login_required_page
def clubs(request: AuthenticatedRequest) -> HttpResponse:
    """List the clubs of the user."""
    mine = (
        Membership.objects.present()
        .filter(user=request.user)
        .select_related("club")
        .order_by("club__name")
    )
    members = Count("club__memberships", filter=Q(club__memberships__left_at=None), distinct=True)
    counted = mine.annotate(members=members, campaigns=Count("club__campaigns", distinct=True))
    return render(
        request, "home/clubs.html", {"section": "clubs", "page": paginate(request, counted)}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def create_club(request: AuthenticatedRequest) -> HttpResponse:
    """Create a club."""
    form = FoundingForm(
        post_data(request), initial={"time_zone": preferences_of(request.user).zone.key}
    )
    if form.is_valid() and form.submit(partial(found_club, user=request.user, **form.cleaned_data)):
        messages.success(
            request,
            gettext("%(name)s created. Next: invite members, then create a campaign.")
            % {"name": form.answer.name},
        )
        return redirect("home:club", form.answer.pk)
    return render_form(request, "home/found.html", form, section="clubs")


@require_safe
@public_page
@cached_page(CLUB_ROWS)
def club(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the home page of a club.

    It has the next club nights, latest results, campaigns, records and members; organisers also
    see the open tasks of members.
    """
    club = visible_row_or_404(CLUB, request.user, pk)
    members = members_of(club)
    # The club's story may change without anything else.
    about = (pk, club.name, club.time_zone, club.visibility, club.battles_run_by)
    home = computed_with_rows(
        request,
        "club-home",
        about,
        Club._meta.db_table,
        lambda: club_home(club, request.user, members),
    )
    home = replace(home, story=club.story)
    finished = club.campaigns.listed_in_club(request.user).filter(state=CampaignState.FINISHED)
    organises = home.role == Role.ORGANISER
    usable = club.invitations.filter(uses_left__gt=0, expires_at__gt=timezone.now())
    context = {
        "section": "clubs",
        "tab": "home",
        "club": club,
        "club_picture": picture_of(PictureKind.CLUB, pk),
        "home": home,
        "organises": organises,
        "members": members,
        "me": next(
            (member for member in members if member.user_id and member.user_id == request.user.pk),
            None,
        ),
        "alone": organises and sum(member.role == Role.ORGANISER for member in members) == 1,
        "open_invitations": usable.count() if organises else 0,
        "campaigns": NOT_FINISHED.rows(pk, request.user),
        "page": paginate(
            request, finished, first_rows=lambda: FIRST_FINISHED.rows(pk, request.user)
        ),
    }
    return render(request, "home/club.html", context)


@require_safe
@public_page
def seasons(request: HttpRequest, pk: UUID) -> HttpResponse:
    """List the finished campaigns of a club with their champions and standings, latest first."""
    club = visible_row_or_404(CLUB, request.user, pk)
    finished = club.campaigns.listed_in_club(request.user).filter(state=CampaignState.FINISHED)
    page = paginate(request, finished.order_by("-finished_at", "pk"), SEASONS_ON_A_PAGE)
    context = {
        "section": "clubs",
        "club": club,
        "page": page,
        "seasons": seasons_of(list(page.object_list)),
        "past_seasons": past_seasons(club) if page.number == page.paginator.num_pages else (),
        "organises": is_editable(club, request.user),
    }
    return render(request, "home/seasons.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def change_club(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Edit the name, story and visibility of a club."""
    row = get_editable_or_404(Club.objects, request.user, pk)
    initial = {name: getattr(row, name) for name in ClubForm.base_fields}
    form = ClubForm(post_data(request), initial=initial)
    change = partial(edit_club, club_id=pk, user=request.user)
    if form.is_valid() and form.submit(lambda: change(**form.cleaned_data)):
        return redirect("home:club", pk)
    return render_form(request, "home/change_club.html", form, club=row, section="clubs")
