"""Where people can have an account to sign in with: Google, Discord, any OpenID Connect server."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


@dataclass(frozen=True, kw_only=True)
class Provider:
    """A place to sign in with.

    ``app`` is allauth's app for it, ``origin`` the site to which the sign-in form leads, and
    ``options`` allauth's settings.
    """

    key: str
    name: str
    app: str
    origin: str
    client_id: str
    secret: str
    options: dict[str, Any] = field(default_factory=dict)
    app_options: dict[str, Any] = field(default_factory=dict)


Client = tuple[str, str]
"""The id and the secret of a client; both are "" if there is none."""


def sign_in_providers(
    *,
    google: Client = ("", ""),
    discord: Client = ("", ""),
    oidc: Client = ("", ""),
    oidc_url: str = "",
    oidc_name: str = "",
) -> tuple[Provider, ...]:
    """Return the providers that have a client.

    Raises ImproperlyConfigured for half a client, or an invalid address.
    """
    providers = []
    if _is_set("GOOGLE", google):
        providers.append(
            Provider(
                key="google",
                name="Google",
                app="allauth.socialaccount.providers.google",
                origin="https://accounts.google.com",
                client_id=google[0],
                secret=google[1],
                options={"SCOPE": ["profile", "email"], "OAUTH_PKCE_ENABLED": True},
            )
        )
    if _is_set("DISCORD", discord):
        providers.append(
            Provider(
                key="discord",
                name="Discord",
                app="allauth.socialaccount.providers.discord",
                origin="https://discord.com",
                client_id=discord[0],
                secret=discord[1],
                options={"SCOPE": ["identify", "email"], "OAUTH_PKCE_ENABLED": True},
            )
        )
    if _is_set("OIDC", oidc):
        parts = urlsplit(oidc_url)
        if parts.scheme not in ("https", "http") or not parts.netloc:
            raise ImproperlyConfigured(
                "OIDC_URL must be the address of the OpenID Connect server, such as "
                f"https://id.example.org, not {oidc_url!r}."
            )
        providers.append(
            Provider(
                key="openid_connect",
                name=oidc_name or parts.hostname or "",
                app="allauth.socialaccount.providers.openid_connect",
                origin=f"{parts.scheme}://{parts.netloc}",
                client_id=oidc[0],
                secret=oidc[1],
                app_options={
                    "provider_id": "oidc",
                    "settings": {"server_url": oidc_url, "oauth_pkce_enabled": True},
                },
            )
        )
    return tuple(providers)


def settings_of(providers: Iterable[Provider]) -> dict[str, dict[str, Any]]:
    """Return allauth's ``SOCIALACCOUNT_PROVIDERS``."""
    return {
        each.key: {
            **each.options,
            "APPS": [
                {
                    "name": each.name,
                    "client_id": each.client_id,
                    "secret": each.secret,
                    "key": "",
                    **each.app_options,
                }
            ],
        }
        for each in providers
    }


def _is_set(name: str, client: Client) -> bool:
    if any(client) and not all(client):
        raise ImproperlyConfigured(
            f"Set both {name}_CLIENT_ID and {name}_CLIENT_SECRET, or neither."
        )
    return all(client)
