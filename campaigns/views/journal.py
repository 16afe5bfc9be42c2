"""Pages for the journal of a campaign: write, change and remove entries."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from campaigns.forms.log import EntryForm
from campaigns.models import Campaign, JournalEntry
from campaigns.services.journal import edit_entry, remove_entry, write_entry
from clubs.models import Role
from clubs.selectors.roles import role_of
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    post_data,
    question,
    render_form,
    run_service,
)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def write(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Write an entry in the journal of a campaign."""
    campaign = get_visible_or_404(Campaign.objects, request.user, pk)
    if role_of(request.user, campaign.club_id) not in (Role.ORGANISER, Role.PLAYER):
        raise PermissionDenied
    form = EntryForm(post_data(request))
    write = partial(write_entry, campaign_id=pk, user=request.user)
    if form.is_valid() and form.submit(
        lambda: write(text=form.cleaned_data["text"], on=form.cleaned_data["on"])
    ):
        messages.success(request, gettext("Entry saved."))
        return redirect("leagues:log", pk)
    return render_form(
        request, "campaigns/journal.html", form, campaign=campaign, section="campaigns"
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def change(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change an entry of a journal."""
    entry = get_editable_or_404(
        JournalEntry.objects.select_related("campaign", "author"), request.user, pk
    )
    initial = {"text": entry.text, "on": entry.on, "version": entry.version}
    form = EntryForm(post_data(request), initial=initial)
    edit = partial(edit_entry, entry_id=pk, user=request.user)
    if form.is_valid() and form.submit(
        lambda: edit(**form.cleaned_data | {"version": form.version_of(entry)})
    ):
        return redirect("leagues:log", entry.campaign_id)
    return render_form(
        request,
        "campaigns/journal.html",
        form,
        campaign=entry.campaign,
        entry=entry,
        section="campaigns",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def remove(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Remove an entry of a journal, after a confirmation."""
    entry = get_editable_or_404(JournalEntry.objects, request.user, pk)
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Remove this journal entry?"),
            lines=[
                entry.text,
                gettext("The text cannot be restored. The log says that there was an entry."),
            ],
            button=gettext("Remove entry"),
            back=reverse("campaigns:change-entry", args=[pk]),
            section="campaigns",
        )
    run_service(
        request,
        partial(remove_entry, entry_id=pk, user=request.user),
        gettext("Entry removed."),
    )
    return redirect("leagues:log", entry.campaign_id)
