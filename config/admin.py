"""What the admin site shows of accounts' second factors: that there are some, and nothing by which to use them."""

from typing import Any

from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.http import HttpRequest

admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class SecondFactorAdmin(AuthenticatorAdmin):
    """Somebody who has lost the second factor can be rid of it here; nobody can read or set one."""

    fields = ("user", "type", "created_at", "last_used_at")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
