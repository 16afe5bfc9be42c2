"""Where people can have an account to sign in with: Google, Discord, any OpenID Connect server."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config import environment as env


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


def sign_in_providers() -> tuple[Provider, ...]:
    """Return the providers whose variables are set.

    Raises ImproperlyConfigured if some but not all variables of a provider are set.
    """
    providers = []
    if google := _client("GOOGLE"):
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
    if discord := _client("DISCORD"):
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
    if oidc := _client("OIDC"):
        address = env.text("OIDC_URL", "")
        parts = urlsplit(address)
        if parts.scheme not in ("https", "http") or not parts.netloc:
            raise ImproperlyConfigured(
                "OIDC_URL must be the address of the OpenID Connect server, such as "
                f"https://id.example.org, not {address!r}."
            )
        providers.append(
            Provider(
                key="openid_connect",
                name=env.text("OIDC_NAME", parts.hostname or ""),
                app="allauth.socialaccount.providers.openid_connect",
                origin=f"{parts.scheme}://{parts.netloc}",
                client_id=oidc[0],
                secret=oidc[1],
                app_options={
                    "provider_id": "oidc",
                    "settings": {"server_url": address, "oauth_pkce_enabled": True},
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


def _client(name: str) -> tuple[str, str] | None:
    client_id = env.text(f"{name}_CLIENT_ID", "")
    secret = env.secret(f"{name}_CLIENT_SECRET", "")
    if not client_id and not secret:
        return None
    if not client_id or not secret:
        raise ImproperlyConfigured(
            f"Set both {name}_CLIENT_ID and {name}_CLIENT_SECRET, or neither."
        )
    return client_id, secret
