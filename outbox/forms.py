"""The form of a new webhook."""

from core.forms import PageForm
from core.input_forms import form_class, radio
from outbox.models import WebhookKind
from outbox.services.webhooks import NewWebhook

WebhookForm = form_class(
    NewWebhook, PageForm, kind=radio(WebhookKind.choices, initial=WebhookKind.DISCORD)
)
