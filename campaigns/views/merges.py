"""Pages for merging two members of a club."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from campaigns.services.merging import MergePreview, merge_members, preview_merge, undo_merge
from clubs.forms.clubs import MergeForm
from clubs.models import UNDO_WITHIN, Membership, Merge
from core.forms import PageForm
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    is_editable,
    local_page,
    login_required_page,
    post_data,
    render_form,
)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def merge(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Merge a member without an account into another member.

    `?into=` shows a preview; `?back=` is the page to return to, such as a club night's pairings.
    """
    row = get_editable_or_404(Membership.objects.select_related("club"), request.user, pk)
    if not is_editable(row.club, request.user):
        raise PermissionDenied
    form = MergeForm(
        post_data(request) or (request.GET if "into" in request.GET else None), seat=row
    )
    back = local_page(request.POST or request.GET, "back")
    preview: MergePreview | None = None
    if form.is_valid():
        pair = {"seat_id": pk, "into": form.cleaned_data["into"], "user": request.user}
        if request.method == "POST" and form.submit(partial(merge_members, **pair)):
            messages.success(
                request,
                gettext("%(name)s merged. You can undo this for %(days)s days.")
                % {"name": row.name, "days": UNDO_WITHIN.days},
            )
            return redirect(back or reverse("clubs:member", args=[form.answer.member_id]))
        preview = form.answer if form.submit(partial(preview_merge, **pair)) else None
    context = {"member": row, "preview": preview, "back": back, "section": "clubs"}
    return render_form(request, "campaigns/merge.html", form, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def undo(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Undo a merge, after a confirmation."""
    row = get_visible_or_404(Merge.objects.select_related("club", "member"), request.user, pk)
    form = PageForm(post_data(request))
    if form.is_valid() and form.submit(partial(undo_merge, merge_id=pk, user=request.user)):
        sentence = gettext("Merge undone. %(name)s is a member again.") % {"name": form.answer.name}
        messages.success(request, sentence)
        return redirect("clubs:member", form.answer.pk)
    return render_form(request, "campaigns/undo_merge.html", form, merge=row, section="clubs")
