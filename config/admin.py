"""What the admin site does differently: second factors are shown, but not used, and odd ids break nothing."""

from typing import Any, NoReturn

from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.http import Http404, HttpRequest

admin.site.unregister(Authenticator)
admin.site.site_title = admin.site.site_header = "Muster"


@admin.register(Authenticator)
class SecondFactorAdmin(AuthenticatorAdmin):
    """Somebody who has lost the second factor can be rid of it here; nobody can read or set one."""

    fields = ("user", "type", "created_at", "last_used_at")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def view_on_site(request: HttpRequest, content_type_id: str, object_id: str) -> NoReturn:
    """Answer that there is no such page.

    Django would redirect to the page of a row by its ``get_absolute_url``, which no model here has, and fails before
    it finds that out where the id is not one of the row's type.
    """
    raise Http404(object_id)
