"""Pages of a campaign's fixtures: the tab, creating rounds, and changing rounds and fixtures."""

from functools import partial
from itertools import chain
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec.structs import replace

from battles.models import Battle
from battles.selectors.battle_rows import name_of
from battles.selectors.fixture_results import FixtureState
from campaigns.models import Campaign, CampaignState, Enrolment, Fixture, Format, Round
from clubs.models import BattlesRunBy
from clubs.selectors.roles import role_of
from core.forms import PageForm
from core.inputs import parse
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    post_data,
    public_page,
    render_form,
    run_service,
)
from leagues.forms import (
    AddFixtureForm,
    ChallengeForm,
    FixtureForm,
    LinkForm,
    RoundForm,
    RoundsForm,
    SwapForm,
    WalkoverForm,
)
from leagues.selectors.fixtures import (
    FixtureRow,
    FixtureSide,
    FixturesPage,
    RoundRow,
    campaign_fixtures,
    enrolled,
    fixture_of,
    fixtures_page,
    who_comes,
)
from leagues.services.fixtures import (
    FixtureImpact,
    add_fixture,
    add_latecomer,
    challenge,
    delete_fixture,
    delete_round,
    edit_fixture,
    edit_round,
    give_walkover,
    link_battle,
    linkable_battles,
    preview_walkover,
    swap_entrants,
)
from leagues.services.rounds import RoundsDraft, RoundTerms, draft_rounds, make_rounds


@require_safe
@public_page
def fixtures(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the current round first, then open fixtures of earlier rounds, earlier and later rounds.

    `?warband=` filters by an enrolment, `?round=` shows another round instead of the current one.
    """
    campaign = _campaign(request, pk)
    only = _asked_for(request, "warband")
    page = fixtures_page(campaign, timezone.localdate(), only, shown=_asked_for(request, "round"))
    role = role_of(request.user, campaign.club_id)
    mine = _mine(request, campaign) if role else set()
    context = {
        "section": "campaigns",
        "tab": "fixtures",
        "campaign": campaign,
        "page": page,
        "only": only,
        "mine": mine,
        "organises": role == "organiser",
        "plays": role in ("organiser", "player"),
        "plannable": _plannable(campaign, page, role, mine),
    }
    return render(request, "leagues/fixtures.html", {**context, "dares": _dares(page.rounds, mine)})


def _campaign(request: HttpRequest, pk: UUID) -> Campaign:
    campaign: Campaign = get_visible_or_404(
        Campaign.objects.select_related("club"), request.user, pk
    )
    if campaign.format == Format.CLASSIC:
        raise Http404
    return campaign


def _asked_for(request: HttpRequest, name: str) -> UUID | None:
    try:
        return UUID(request.GET.get(name, ""))
    except ValueError:
        return None


def _mine(request: HttpRequest, campaign: Campaign) -> set[UUID]:
    """Return the enrolments that the user plays, or whose warband they own or keep. One query."""
    user = request.user.pk
    hands = Q(player__user=user) | Q(warband__owner=user) | Q(warband__keeper=user)
    return set(campaign.enrolments.current().filter(hands).values_list("pk", flat=True))


def _plannable(campaign: Campaign, page: FixturesPage, role: str, mine: set[UUID]) -> set[UUID]:
    """Return the open fixtures for which the user can plan a battle.

    For a fixture that exceeds the agreed number of games, the page shows that instead.
    """
    if campaign.state != CampaignState.RUNNING or role not in ("organiser", "player"):
        return set()
    every = role == "organiser" or campaign.club.battles_run_by == BattlesRunBy.EVERY_PLAYER
    shown = chain(page.outstanding, *(row.fixtures for row in page.rounds))
    open_fixtures = (each for each in shown if each.state == FixtureState.OPEN)
    return {
        each.id for each in open_fixtures if every or mine & {side.enrolment for side in each.sides}
    }


def _dares(
    rounds: tuple[RoundRow, ...], mine: set[UUID]
) -> dict[UUID, list[tuple[FixtureSide, FixtureSide]]]:
    """Return the challenges that the user can make on each ladder, as (own side, opponent)."""
    challenges: dict[UUID, list[tuple[FixtureSide, FixtureSide]]] = {}
    for row in rounds:
        busy = {side.enrolment for each in row.fixtures if each.unsettled for side in each.sides}
        for place, challenger in enumerate(row.ladder):
            if challenger.enrolment in mine and challenger.enrolment not in busy:
                above = row.ladder[max(0, place - (row.reach or 1)) : place]
                challenges.setdefault(row.id, []).extend(
                    (challenger, each) for each in above if each.enrolment not in busy
                )
    return challenges


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def make(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Create rounds: first show the pairings, then save them."""
    campaign = get_editable_or_404(Campaign.objects.select_related("club"), request.user, pk)
    form = RoundsForm(
        post_data(request), enrolled=enrolled(campaign), initial={"method": "round-robin"}
    )
    draft: RoundsDraft | None = None
    terms = parse(RoundTerms, form.cleaned_data) if form.is_valid() else None
    if terms and "commit" in request.POST:
        expected = form.cleaned_data["fingerprint"]
        if form.submit(
            lambda: make_rounds(
                campaign_id=pk, user=request.user, terms=terms, fingerprint=expected
            )
        ):
            messages.success(request, gettext("Rounds created."))
            return redirect("leagues:fixtures", pk)
    elif terms:
        fresh = replace(terms, seed="")
        if form.submit(lambda: draft_rounds(campaign_id=pk, user=request.user, terms=fresh)):
            draft = form.answer
            # Keep the seed of the preview in the form, so that saving does not draw the lots again.
            form.data = {
                **request.POST.dict(),
                "entrants": request.POST.getlist("entrants"),
                "seed": draft.seed,
            }
            form.data["fingerprint"] = draft.fingerprint
    context = {
        "campaign": campaign,
        "draft": draft,
        "rounds": _drafted(draft),
        "section": "campaigns",
    }
    return render_form(request, "leagues/make_rounds.html", form, **context)


def _drafted(draft: RoundsDraft | None) -> list[dict[str, Any]]:
    """Return the rounds of a draft with the names of the entrants."""
    if draft is None:
        return []
    return [
        {
            "name": name or gettext("Round %(place)s") % {"place": draft.number + place},
            "deadline": deadline,
            "pairs": [
                (each.group, *(_called(draft, each, side) for side in ("home", "away")))
                for each in draft_round.fixtures
            ],
        }
        for place, (draft_round, name, deadline) in enumerate(
            zip(draft.rounds, draft.names, draft.deadlines, strict=True)
        )
    ]


def _called(draft: RoundsDraft, fixture: Any, side: str) -> str:
    if getattr(fixture, side):
        return draft.entrants[getattr(fixture, side)]
    source = getattr(fixture, f"{side}_from")
    if source is None:
        return ""
    return who_comes(fixture.of_losers, draft.rounds[source[0]].name, source[1] + 1)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def change_round(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Rename a round and move its deadline. The page also adds fixtures to it."""
    row = _round(request, pk)
    initial = {"name": row.name, "deadline": row.deadline, "version": row.version}
    form = RoundForm(post_data(request), initial=initial)
    if form.is_valid() and form.submit(
        partial(edit_round, round_id=pk, user=request.user, **form.cleaned_data)
    ):
        messages.success(request, gettext("%(round)s saved.") % {"round": form.answer})
        return redirect("leagues:fixtures", row.campaign_id)
    return _round_page(request, row, form, None)


@require_POST
@login_required_page
def add(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Add a fixture to a round, or a bye."""
    row = _round(request, pk)
    form = AddFixtureForm(request.POST, enrolled=enrolled(row.campaign))
    if form.is_valid() and form.submit(
        partial(add_fixture, round_id=pk, user=request.user, **form.cleaned_data)
    ):
        messages.success(request, gettext("Fixture added."))
        return redirect("leagues:fixtures", row.campaign_id)
    return _round_page(request, row, None, form)


def _round_page(
    request: AuthenticatedRequest, row: Round, form: PageForm | None, more: PageForm | None
) -> HttpResponse:
    initial = {"name": row.name, "deadline": row.deadline, "version": row.version}
    shown: PageForm = form or RoundForm(initial=initial)
    context = {
        "round": row,
        "campaign": row.campaign,
        "round_form": shown,
        "more": more or AddFixtureForm(enrolled=enrolled(row.campaign)),
        "section": "campaigns",
    }
    return render_form(request, "leagues/round.html", more or shown, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def delete(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Delete a round without battles: first show its fixtures."""
    row = _round(request, pk)
    if request.method == "POST":
        if run_service(
            request,
            partial(delete_round, round_id=pk, user=request.user),
            gettext("Round deleted."),
        ):
            return redirect("leagues:fixtures", row.campaign_id)
        return redirect("leagues:round", pk)
    rounds = campaign_fixtures(row.campaign, timezone.localdate())
    shown = next(each for each in rounds if each.id == pk)
    context = {"campaign": row.campaign, "round": shown, "section": "campaigns"}
    return render(request, "leagues/delete_round.html", context)


@require_POST
@login_required_page
def dare(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Challenge an opponent on a ladder."""
    row = get_visible_or_404(Round.objects, request.user, pk)
    form = ChallengeForm(request.POST)
    if form.is_valid():
        verb = partial(challenge, round_id=pk, user=request.user, **form.cleaned_data)
        run_service(request, verb, gettext("Challenge sent. Next: plan the battle."))
    return redirect("leagues:fixtures", row.campaign_id)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def change_fixture(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Move the deadline of a fixture. The page can also decide, swap and delete it."""
    campaign = _fixture(request, pk)
    row, fixture = _row(campaign, pk)
    own_deadline = Fixture.objects.values_list("deadline", flat=True).get(pk=pk)
    initial = {"deadline": own_deadline, "postponed": fixture.postponed, "version": fixture.version}
    form = FixtureForm(post_data(request), initial=initial)
    if form.is_valid() and form.submit(
        partial(edit_fixture, fixture_id=pk, user=request.user, **form.cleaned_data)
    ):
        messages.success(request, gettext("Deadline saved."))
        return redirect("leagues:fixtures", campaign.pk)
    return _fixture_page(request, campaign, row, fixture, deadline=form)


@require_POST
@login_required_page
def walkover(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Set a result without a battle, or remove it."""
    campaign = _fixture(request, pk)
    row, fixture = _row(campaign, pk)
    form = WalkoverForm(request.POST, fixture=fixture, auto_id="walkover_%s")
    impact = None
    if form.is_valid():
        kwargs = {"fixture_id": pk, "user": request.user, **form.cleaned_data}
        if "commit" not in request.POST and form.submit(partial(preview_walkover, **kwargs)):
            # Ask for confirmation only if the result disturbs other fixtures.
            impact = form.answer if any(each.disturbs for each in form.answer.fixtures) else None
        if impact is None and not form.errors and form.submit(partial(give_walkover, **kwargs)):
            done = gettext("Result saved.") if form.answer.walkover else gettext("Result removed.")
            messages.success(request, done)
            return redirect("leagues:fixtures", campaign.pk)
    return _fixture_page(request, campaign, row, fixture, impact, walkover=form)


@require_POST
@login_required_page
def swap(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Exchange an entrant of the fixture for another one of the round."""
    campaign = _fixture(request, pk)
    row, fixture = _row(campaign, pk)
    form = SwapForm(request.POST, fixture=fixture, others=_others(row, fixture), auto_id="swap_%s")
    if form.is_valid() and form.submit(
        partial(swap_entrants, fixture_id=pk, user=request.user, **form.cleaned_data)
    ):
        messages.success(request, gettext("Pairings swapped."))
        return redirect("leagues:fixtures", campaign.pk)
    return _fixture_page(request, campaign, row, fixture, swap=form)


def _fixture_page(
    request: AuthenticatedRequest,
    campaign: Campaign,
    row: RoundRow,
    fixture: FixtureRow,
    impact: FixtureImpact | None = None,
    **bound: PageForm,
) -> HttpResponse:
    """Return the page of a fixture with its three forms.

    ``bound`` is the submitted form, if any. ``impact`` asks for confirmation of a result.
    """
    version = {"version": fixture.version}
    decided = {**version, "walkover": fixture.walkover, "reason": fixture.reason}
    others = _others(row, fixture)
    shown = {
        "deadline": FixtureForm(
            initial={**version, "deadline": fixture.deadline, "postponed": fixture.postponed}
        ),
        "walkover": WalkoverForm(fixture=fixture, initial=decided, auto_id="walkover_%s"),
        "swap": SwapForm(fixture=fixture, others=others, initial=version, auto_id="swap_%s"),
        **bound,
    }
    name, main_form = next(iter(bound.items()))
    context = {
        "campaign": campaign,
        "round": row,
        "fixture": fixture,
        "section": "campaigns",
        "others": others,
    }
    context["impact"] = impact
    # A form that was submitted from an outdated page may no longer have a place on the page.
    missing = {
        "walkover": not fixture.away or fixture.begun_battle,
        "swap": not (fixture.untouched and others),
    }
    context["says_why"] = missing.get(name, False)
    return render_form(
        request,
        "leagues/fixture.html",
        main_form,
        **context,
        **{f"{name}_form": form for name, form in shown.items()},
    )


def _others(row: RoundRow, fixture: FixtureRow) -> list[FixtureSide]:
    """Return the sides of the round that can still be exchanged."""
    return [
        side
        for each in row.fixtures
        if each.id != fixture.id and each.untouched
        for side in each.sides
        if side.enrolment and not side.withdrawn
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def link(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Choose the battle that was played for a fixture. For players and organisers of the club."""
    fixture: Fixture = get_visible_or_404(
        Fixture.objects.select_related("round__campaign__club"), request.user, pk
    )
    campaign = fixture.round.campaign
    if role_of(request.user, campaign.club_id) not in ("organiser", "player"):
        raise PermissionDenied
    row = _row(campaign, pk)[1]
    battles = [(each.pk, _battle_label(each)) for each in linkable_battles(fixture, request.user)]
    form = LinkForm(post_data(request), battles=battles)
    if form.is_valid() and form.submit(
        partial(link_battle, fixture_id=pk, user=request.user, **form.cleaned_data)
    ):
        messages.success(request, gettext("Battle linked to the fixture."))
        return redirect("leagues:fixtures", campaign.pk)
    context = {"campaign": campaign, "fixture": row, "battles": battles, "section": "campaigns"}
    return render_form(request, "leagues/link.html", form, **context)


def _battle_label(battle: Battle) -> str:
    return (
        f"{name_of(battle)} · {date_format(battle.fought_on, gettext('j M Y'))} · "
        f"{battle.get_state_display()}"
    )


@require_POST
@login_required_page
def strike(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Delete a fixture that nobody has played."""
    campaign = _fixture(request, pk)
    if run_service(
        request,
        partial(delete_fixture, fixture_id=pk, user=request.user),
        gettext("Fixture deleted."),
    ):
        return redirect("leagues:fixtures", campaign.pk)
    return redirect("leagues:fixture", pk)


@require_POST
@login_required_page
def late(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Create the fixtures of a latecomer to a round robin."""
    row = get_visible_or_404(Enrolment.objects, request.user, pk)
    run_service(
        request,
        partial(add_latecomer, enrolment_id=pk, user=request.user),
        gettext("Fixtures created."),
    )
    return redirect("leagues:fixtures", row.campaign_id)


def _round(request: AuthenticatedRequest, pk: UUID) -> Round:
    round_row: Round = get_editable_or_404(
        Round.objects.select_related("campaign__club"), request.user, pk
    )
    return round_row


def _fixture(request: AuthenticatedRequest, pk: UUID) -> Campaign:
    """Return the campaign of a fixture that the user can change.

    Raises Http404, PermissionDenied.
    """
    fixture: Fixture = get_editable_or_404(
        Fixture.objects.select_related("round__campaign__club"), request.user, pk
    )
    return fixture.round.campaign


def _row(campaign: Campaign, pk: UUID) -> tuple[RoundRow, FixtureRow]:
    rows = fixture_of(campaign, pk, timezone.localdate())
    if rows is None:
        raise Http404
    return rows
