"""What the admin site does differently: second factors are shown, but not used, odd ids break
nothing, and lists of accounts are read page by page."""

from typing import Any, NoReturn

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from knox.admin import AuthTokenAdmin
from knox.models import AuthToken

from core.admin import LargeTable

admin.site.unregister((Authenticator, AuthToken, EmailAddress, User))
admin.site.site_title = admin.site.site_header = "Muster"


@admin.register(Authenticator)
class SecondFactorAdmin(LargeTable, AuthenticatorAdmin):
    """Somebody who has lost the second factor can be rid of it here; nobody can read or set one."""

    fields = ("user", "type", "created_at", "last_used_at")
    readonly_fields = fields
    list_select_related = ("user",)
    ordering = ("-pk",)
    search_fields = ("user__username__istartswith", "user__email__istartswith")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(User)
class AccountAdmin(LargeTable, UserAdmin):
    """Accounts."""

    search_fields = (
        "username__istartswith",
        "first_name__istartswith",
        "last_name__istartswith",
        "email__istartswith",
    )


@admin.register(EmailAddress)
class AddressAdmin(LargeTable, EmailAddressAdmin):
    """Addresses of accounts."""

    list_select_related = ("user",)
    ordering = ("-pk",)
    search_fields = ("email__istartswith", "user__username__istartswith")

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return self.search_fields


@admin.register(AuthToken)
class TokenAdmin(LargeTable, AuthTokenAdmin):
    """Tokens of the API."""

    list_select_related = ("user",)
    ordering = ("pk",)
    search_fields = ("token_key", "user__username__istartswith")


def view_on_site(request: HttpRequest, content_type_id: str, object_id: str) -> NoReturn:
    """Answer that there is no such page.

    Django would redirect to the page of a row by its ``get_absolute_url``, which no model here has,
    and fails before it finds that out where the id is not one of the row's type.
    """
    raise Http404(object_id)
