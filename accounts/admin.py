"""The admin for accounts: second factors without secrets, lists that read page by page, and no
errors for invalid ids."""

from typing import Any, NoReturn

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from allauth.socialaccount import admin as of_accounts_elsewhere  # noqa: F401
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from knox.admin import AuthTokenAdmin
from knox.models import AuthToken

from core.admin import LargeTable

admin.site.unregister((Authenticator, AuthToken, EmailAddress, User))
# Providers are settings, and tokens of theirs are not stored.
admin.site.unregister((SocialAccount, SocialApp, SocialToken))
admin.site.site_title = admin.site.site_header = "Muster"


@admin.register(Authenticator)
class SecondFactorAdmin(LargeTable, AuthenticatorAdmin):
    """The list of second factors. The staff can delete a lost one but not read or set one."""

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
    """The list of accounts."""

    search_fields = (
        "username__istartswith",
        "first_name__istartswith",
        "last_name__istartswith",
        "email__istartswith",
    )


@admin.register(EmailAddress)
class AddressAdmin(LargeTable, EmailAddressAdmin):
    """The list of the accounts' e-mail addresses."""

    list_select_related = ("user",)
    ordering = ("-pk",)
    search_fields = ("email__istartswith", "user__username__istartswith")

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return self.search_fields


@admin.register(AuthToken)
class TokenAdmin(LargeTable, AuthTokenAdmin):
    """The list of API tokens."""

    list_select_related = ("user",)
    ordering = ("pk",)
    search_fields = ("token_key", "user__username__istartswith")


def view_on_site(request: HttpRequest, content_type_id: str, object_id: str) -> NoReturn:
    """Raise Http404 for every address of Django's "view on site".

    Django would redirect to a row's ``get_absolute_url``, which no model here has, and would fail
    earlier if the id does not fit the model's key.
    """
    raise Http404(object_id)
