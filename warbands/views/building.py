"""Pages that build a roster: recruit, equip, buy for the warband, assign roles."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods
from msgspec import Struct
from msgspec.structs import replace

from core.ruleset_forms import posts_initial
from core.ruleset_words import translated_words
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    login_required_page,
    post_data,
    render_form,
)
from rulebook.chronicle.states import GONE, WarbandState
from rulebook.ruleset import (
    AS_RECRUITED,
    BuildData,
    Condition,
    RosterTotals,
    RulesError,
    Ruleset,
    Sheet,
)
from rulebook.values.reference import ListSection
from warbands.forms.fighters import BuildForm, EquipForm, RecruitForm
from warbands.forms.warbands import FurnishForm, PostsForm
from warbands.models import Fighter, Warband
from warbands.rulebook_values import open_lists, read_state, ruleset_of_warband
from warbands.selectors.access import rights_of
from warbands.selectors.roster_sections import posts_to_fill
from warbands.services.locking import warband_of
from warbands.services.posts import appoint, furnish_warband
from warbands.services.roster import NewFighter, equip_fighter, recruit_fighters


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def recruit(request: AuthenticatedRequest, pk: UUID, faction: str, profile: str) -> HttpResponse:
    """Recruit fighters of one profile. The button "look" shows the price and writes nothing.

    `?like=` fills the form with the build of a present fighter: after a recruit has joined, the
    form keeps its values.
    """
    shop = open_workshop(request, pk)
    chosen = keyed(shop.lists, faction)
    entry = keyed(chosen["profiles"], profile)
    overrules = shop.warband.locked and rights_of(shop.warband, request.user).overrule
    like = shop.state.fighters.get(request.GET.get("like", ""))
    build = like.build if like else shop.rules.starting_build(chosen["key"], entry["key"])
    form = RecruitForm(
        post_data(request),
        build=build,
        rules_fields=shop.rules.build_fields(build, shop.state.terms),
        rules=shop.rules,
        overrules=overrules,
    )
    sheet = shop.look(form)
    if (
        sheet
        and form.is_bound
        and "look" not in request.POST
        and form.submit(partial(_recruit, request, pk, form))
    ):
        number = len(form.answer)
        messages.success(
            request,
            gettext("1 fighter added.")
            if number == 1
            else gettext("%(number)s fighters added.") % {"number": number},
        )
        return redirect(f"{request.path}?{urlencode({'like': form.answer[-1]})}")
    return render_form(
        request, "warbands/recruit.html", form, profile=entry, sheet=sheet, **shop.context
    )


def _recruit(request: AuthenticatedRequest, pk: UUID, form: RecruitForm) -> object:
    data = form.cleaned_data
    new_fighter = NewFighter(
        build=form.build, name=data["name"], count=data["count"], client_id=data["client_id"]
    )
    return recruit_fighters(
        warband_id=pk, fighters=[new_fighter], user=request.user, overrule=data.get("overrule", "")
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def equip(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change a fighter's build."""
    shop = open_workshop(request, warband_of(pk))
    fighter = shop.state.fighters[str(pk)]
    form = EquipForm(
        post_data(request),
        initial={"sequence": shop.warband.sequence},
        build=fighter.build,
        rules_fields=shop.rules.build_fields(fighter.build, shop.state.terms),
        rules=shop.rules,
        locked=shop.warband.locked,
    )
    sheet = (
        shop.look(form, fighter.condition)
        if form.is_bound
        else shop.sheet_of(fighter.build, fighter.condition)
    )
    if (
        sheet
        and form.is_bound
        and "look" not in request.POST
        and form.submit(partial(_equip, request, pk, form))
    ):
        return redirect("warbands:fighter", pk)
    return render_form(
        request, "warbands/equip.html", form, fighter=fighter, sheet=sheet, **shop.context
    )


def _equip(request: AuthenticatedRequest, pk: UUID, form: EquipForm) -> None:
    kwargs = {
        key: form.cleaned_data[key] for key in ("reason", "sequence") if key in form.cleaned_data
    }
    equip_fighter(fighter_id=pk, build=form.build, user=request.user, **kwargs)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def furnish(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Buy for the warband as a whole. Raises Http404 if the rules offer nothing."""
    shop = open_workshop(request, pk)
    fields = shop.rules.extras_fields(shop.state.roster)
    if not fields:
        raise Http404
    form = FurnishForm(
        post_data(request), initial={"sequence": shop.warband.sequence}, rules_fields=fields
    )
    if form.is_valid() and form.submit(partial(_furnish, request, pk, form)):
        # A purchase may ask for more, such as its crew.
        further = shop.rules.extras_fields(open_workshop(request, pk).state.roster)
        asks_more = {field.key for field in further} - {field.key for field in fields}
        return redirect("warbands:furnish" if asks_more else "warbands:warband", pk)
    return render_form(request, "warbands/furnish.html", form, **shop.context)


def _furnish(request: AuthenticatedRequest, pk: UUID, form: FurnishForm) -> None:
    kwargs = {key: form.cleaned_data[key] for key in ("reason", "sequence")}
    furnish_warband(warband_id=pk, extras=form.extras, user=request.user, **kwargs)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def posts(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Fill the posts of the warband. Raises Http404 if the rules have no posts."""
    shop = open_workshop(request, pk)
    open_posts = posts_to_fill(shop.rules, shop.state)
    if not open_posts:
        raise Http404
    form = PostsForm(
        post_data(request),
        posts=open_posts,
        usual=shop.rules.default_posts(shop.state.roster),
        initial=posts_initial(shop.state.posts),
        fighters=Fighter.objects.filter(warband=pk)
        .exclude(fate__in=GONE)
        .order_by("-rank", "place"),
    )
    if form.is_valid() and form.submit(
        partial(appoint, warband_id=pk, user=request.user, posts=form.posts)
    ):
        return redirect("warbands:warband", pk)
    return render_form(request, "warbands/posts.html", form, **shop.context)


Entry = Mapping[str, Any]


class RosterContext(Struct, frozen=True):
    """A warband whose roster is built: its row, its state, its rules and their catalogue."""

    warband: Warband
    state: WarbandState
    rules: Ruleset
    catalogue: Entry

    @property
    def lists(self) -> list[Entry]:
        """The lists from which it recruits, its own first, each with the profiles open to it."""
        return open_lists(self.catalogue, self.warband.faction)

    @property
    def sections(self) -> list[ListSection]:
        """The lists with the profiles open to it, as people browse them."""
        by_key = {
            section.key: section for section in self.rules.reference(self.state.settings).lists
        }
        sections = []
        for entry in self.lists:
            section, open_to_it = (
                by_key[entry["key"]],
                {profile["key"] for profile in entry["profiles"]},
            )
            profiles = tuple(profile for profile in section.profiles if profile.key in open_to_it)
            sections.append(replace(section, profiles=profiles))
        return sections

    @property
    def totals(self) -> RosterTotals:
        """The roster's sums."""
        return self.rules.roster_totals(self.state.roster)

    @property
    def context(self) -> dict[str, Any]:
        """The context that all pages for building share."""
        shown = {
            "warband": self.warband,
            "state": self.state,
            "totals": self.totals,
            "words": translated_words(self.rules.words),
            "shown": self.rules.visible_numbers(self.state.settings),
        }
        return {**shown, "section": "warbands"}

    def sheet_of(self, build: BuildData, condition: Condition = AS_RECRUITED) -> Sheet:
        """Return the sheet of a fighter with this build in this condition.

        Raises RulesError with every problem of the build.
        """
        terms = self.state.terms
        return self.rules.sheet(self.rules.clean_build(build, terms), terms, condition)

    def look(self, form: BuildForm, condition: Condition = AS_RECRUITED) -> Sheet | None:
        """Return the sheet of the form's build, or of its first values if nothing was sent.

        Returns None if the build is invalid.
        """
        if form.is_bound and not form.is_valid():
            return None
        try:
            return self.sheet_of(form.build if form.is_bound else form.initial_build, condition)
        except RulesError as error:
            form.add_errors(error)
            return None


def open_workshop(request: AuthenticatedRequest, pk: UUID) -> RosterContext:
    """Return the context to build a warband.

    Raises Http404 if it is hidden, PermissionDenied if the user may not change it.
    """
    warband = get_editable_or_404(Warband.objects, request.user, pk)
    state = read_state(warband)
    rules = ruleset_of_warband(warband)
    return RosterContext(warband, state, rules, rules.catalogue(state.settings))


def keyed(entries: Iterable[Entry], key: str) -> Entry:
    """Return the entry with this key. Raises Http404."""
    entry = next((each for each in entries if each["key"] == key), None)
    if entry is None:
        raise Http404
    return entry
