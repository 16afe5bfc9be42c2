"""The forms of a webhook."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from core.forms import PageForm
from core.input_forms import form_class, like, radio
from outbox.models import Webhook, WebhookKind
from outbox.services.webhooks import NewWebhook, WebhookEdit

WebhookForm = form_class(
    NewWebhook, PageForm, kind=radio(WebhookKind.choices, initial=WebhookKind.DISCORD)
)


class ChangeForm(PageForm):
    """The name, address and language of a webhook.

    The present address is never shown: the path can be a secret.
    """

    def __init__(self, *arguments: Any, webhook: Webhook, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if webhook.kind != WebhookKind.DISCORD:
            del self.fields["language"]

    def changes(self) -> dict[str, Any]:
        """Return the fields to change. An empty address keeps the present one."""
        return {name: value for name, value in self.cleaned_data.items() if value}


WebhookEditForm = form_class(
    WebhookEdit,
    ChangeForm,
    without=("active",),
    name=like(required=True),
    address=like(label=_("New address"), help_text=_("Empty keeps the address."), required=False),
    language=like(required=True),
)
