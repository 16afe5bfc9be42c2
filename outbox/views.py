"""The pages of a club's webhooks: add and change them, and see and repeat what was sent."""

from functools import partial
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.models import Club
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    paginate,
    post_data,
    question,
    render_form,
    run_service,
)
from home.selectors.audit_log import audit_lines
from outbox.failures import failure_sentence
from outbox.forms import WebhookEditForm, WebhookForm
from outbox.models import Delivery, DiscordAccount, Webhook
from outbox.selectors.discord_accounts import can_connect, connected_account
from outbox.services.deliveries import send_again
from outbox.services.discord_accounts import link_code, unlink_account
from outbox.services.webhooks import (
    add_webhook,
    edit_webhook,
    remove_webhook,
    set_webhook_active,
)
from pictures.selectors.pictures import picture_of
from pictures.subjects import PictureKind


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def webhooks(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """List the webhooks of a club, with a form that adds one."""
    club = get_editable_or_404(Club.objects, request.user, pk)
    form = WebhookForm(post_data(request))
    if form.is_valid() and form.submit(
        partial(add_webhook, club_id=pk, user=request.user, **form.cleaned_data)
    ):
        return redirect("outbox:webhook", form.answer.pk)
    context = {
        "section": "clubs",
        "tab": "webhooks",
        "club": club,
        "club_picture": picture_of(PictureKind.CLUB, pk),
        "organises": True,
        "webhooks": list(club.webhooks.all()),
    }
    return render_form(request, "outbox/webhooks.html", form, **context)


@require_safe
@login_required_page
def webhook(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show a webhook, its secret, and what was sent to it, newest first."""
    row = get_visible_or_404(Webhook.objects.select_related("club"), request.user, pk)
    page = paginate(request, row.deliveries.select_related("change__entry"))
    entries = [delivery.change.entry for delivery in page]
    lines = audit_lines(row.club, entries, request.user)
    for delivery, line in zip(page, lines, strict=True):
        delivery.webhook = row
        delivery.line, delivery.explanation = line, failure_sentence(delivery)
    context = {"club": row.club, "webhook": row, "page": page, "section": "clubs"}
    return render(request, "outbox/webhook.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def change(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change the name, address and language of a webhook."""
    row = get_visible_or_404(Webhook.objects.select_related("club"), request.user, pk)
    initial = {"name": row.name, "language": row.language}
    form = WebhookEditForm(post_data(request), initial=initial, webhook=row)
    if form.is_valid() and form.submit(
        partial(edit_webhook, webhook_id=pk, user=request.user, **form.changes())
    ):
        messages.success(request, gettext("Saved."))
        return redirect("outbox:webhook", pk)
    context = {"club": row.club, "webhook": row, "section": "clubs"}
    return render_form(request, "outbox/change_webhook.html", form, **context)


@require_POST
@login_required_page
def pause(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Pause a webhook, or resume it with `active=yes`."""
    get_visible_or_404(Webhook.objects, request.user, pk)
    active = request.POST.get("active") == "yes"
    done = gettext("Webhook resumed.") if active else gettext("Webhook paused.")
    verb = partial(set_webhook_active, webhook_id=pk, user=request.user, active=active)
    run_service(request, verb, done)
    return redirect("outbox:webhook", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def remove(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Remove a webhook, after a confirmation."""
    row = get_visible_or_404(Webhook.objects, request.user, pk)
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Remove this webhook?"),
            lines=[gettext("Nothing more is sent there, and the list of deliveries is deleted.")],
            button=gettext("Remove webhook"),
            back=reverse("outbox:webhook", args=[pk]),
            section="clubs",
        )
    verb = partial(remove_webhook, webhook_id=pk, user=request.user)
    run_service(request, verb, gettext("Webhook removed."))
    return redirect("outbox:webhooks", row.club_id)


@require_POST
@login_required_page
def again(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Send a delivery again."""
    mine = Delivery.objects.filter(webhook__in=Webhook.objects.visible_to(request.user))
    webhook_id = mine.filter(pk=pk).values_list("webhook", flat=True).first()
    done = gettext("Queued. It is sent within seconds.")
    run_service(request, partial(send_again, delivery_id=pk, user=request.user), done)
    return redirect("outbox:webhook", webhook_id)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def discord_account(request: AuthenticatedRequest) -> HttpResponse:
    """Show the user's account in Discord, or how to connect it: by signing in there, or by a code.

    A POST removes a link by code.
    """
    if request.method == "POST":
        unlink_account(user=request.user)
        messages.success(request, gettext("The link to Discord is removed."))
        return redirect("outbox:discord-account")
    linked = DiscordAccount.objects.filter(user=request.user).first()
    connected, connects = connected_account(request.user), can_connect()
    context = {
        "connected": connected,
        "connects": connects,
        "linked": linked,
        "code": "" if linked or connects else link_code(request.user),
        "available": bool(settings.DISCORD_PUBLIC_KEY),
    }
    return render(request, "outbox/discord_account.html", context)
