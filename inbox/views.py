"""Preferences of a member, cards that are sent away, and the link that stops letters."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from config.pages.lookup import MemberRequest
from config.pages.responses import attempt, bound_data, form_page, members_only, open_to_all
from inbox.forms import HERE, PreferencesForm, hour_in
from inbox.services import preferences as verbs
from inbox.services.preferences import mail_address, prefer, preferences_of, subscriber


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def preferences(request: MemberRequest) -> HttpResponse:
    """When to be written to, where, and by which clock times are shown."""
    known = preferences_of(request.user)
    form = PreferencesForm(bound_data(request), initial={"mail": known.mail, "time_zone": known.time_zone or HERE})
    if form.is_valid():
        prefer(user=request.user, mail=form.cleaned_data["mail"], time_zone=form.cleaned_data["time_zone"])
        messages.success(request, "Saved.")
        return redirect("inbox:preferences")
    context = {"address": mail_address(request.user), "hour": hour_in(known.zone, timezone.now())}
    return form_page(request, "inbox/preferences.html", form, **context)


@require_POST
@members_only
def dismiss(request: MemberRequest) -> HttpResponse:
    """Send a card away for good."""
    try:
        subject = UUID(request.POST.get("subject", ""))
    except ValueError as error:
        raise Http404 from error
    kind = request.POST.get("kind", "")
    attempt(request, lambda: verbs.dismiss(user=request.user, kind=kind, subject=subject), "It is gone.")
    return redirect("home")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@open_to_all
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the letters: asked first, done by one POST, which mail programs send by themselves (RFC 8058).

    Whoever has the link need not be signed in, and sends no cookie.
    """
    if request.method == "POST":
        verbs.unsubscribe(token)
    else:
        subscriber(token)
    return render(request, "inbox/unsubscribe.html", {"done": request.method == "POST"})
