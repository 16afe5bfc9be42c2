"""The page to order a roster: move groups and fighters up and down, and change groups."""

from functools import partial
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from core.ruleset_words import translated_words
from core.views import AuthenticatedRequest, login_required_page, post_data, render_form
from warbands.forms.roster_order import ArrangeForm
from warbands.selectors.roster_sections import sections
from warbands.services.roster_order import arrange_warband
from warbands.views.building import open_workshop


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def arrange(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show and change the order of a roster. The button "done" returns to the warband."""
    shop = open_workshop(request, pk)
    serving = [each for each in shop.state.fighters.values() if not each.gone]
    form = ArrangeForm(
        post_data(request),
        initial={"sequence": shop.warband.sequence},
        standing=sections(shop.rules.groups(shop.state.roster), serving),
        group=translated_words(shop.rules.words).group,
    )
    if form.is_valid() and form.submit(partial(_arrange, request, pk, form)):
        return redirect("warbands:warband" if "done" in request.POST else "warbands:arrange", pk)
    return render_form(
        request, "warbands/arrange.html", form, grouped=bool(shop.rules.group_field), **shop.context
    )


def _arrange(request: AuthenticatedRequest, pk: UUID, form: ArrangeForm) -> None:
    sequence = form.cleaned_data["sequence"]
    arrange_warband(warband_id=pk, groups=form.arrangement, user=request.user, sequence=sequence)
