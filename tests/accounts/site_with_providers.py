"""A site on which people sign in with accounts elsewhere, tried in a process of its own.

The providers are read when Django starts. `test_accounts_elsewhere.py` runs this module and reads
what it prints: a JSON object with the answers. The OpenID Connect server is a small one of our own.
"""

import base64
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PERSON = {"sub": "4711", "preferred_username": "erna", "email": "erna@example.org"}
DISCORD_PAGES = ("/account/", "/account/discord/")
NONCES: dict[str, str] = {}


class OpenIdServer(BaseHTTPRequestHandler):
    """An OpenID Connect server that knows one person."""

    def do_GET(self) -> None:
        site = f"http://{self.headers['Host']}"
        if self.path.endswith("/openid-configuration"):
            names = ("authorization", "token", "userinfo")
            places = {f"{name}_endpoint": f"{site}/{name}" for name in names}
            self.answer({"issuer": site, "jwks_uri": f"{site}/keys", **places})
        elif self.path.startswith("/userinfo"):
            self.answer(PERSON)
        else:
            numbers = KEY.public_key().public_numbers()
            texts = {
                name: base64.urlsafe_b64encode(
                    number.to_bytes((number.bit_length() + 7) // 8, "big")
                )
                .rstrip(b"=")
                .decode()
                for name, number in (("n", numbers.n), ("e", numbers.e))
            }
            self.answer({"keys": [{"kty": "RSA", "kid": "1", "alg": "RS256", **texts}]})

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        assert sent["code"] == ["a-code"] and sent["code_verifier"]
        now = int(time.time())
        claims = {
            **PERSON,
            "iss": f"http://{self.headers['Host']}",
            "aud": "muster",
            "iat": now,
            "exp": now + 60,
            **NONCES,
        }
        token = jwt.encode(claims, KEY, algorithm="RS256", headers={"kid": "1"})
        self.answer({"access_token": "access", "token_type": "Bearer", "id_token": token})

    def answer(self, content: Any) -> None:
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing: the output of this process is read."""


def sign_in(client: Any, next_page: str = "/account/") -> Any:
    """Return the answer at the end of signing in with the OpenID Connect server."""
    begun = client.post(f"/accounts/oidc/oidc/login/?next={next_page}")
    query = parse_qs(urlsplit(begun["Location"]).query)
    NONCES.clear()
    if "nonce" in query:
        NONCES["nonce"] = query["nonce"][0]
    state = query["state"][0]
    return client.get(f"/accounts/oidc/oidc/login/callback/?code=a-code&state={state}")


def main() -> None:
    """Try everything, and print the answers."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), OpenIdServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "OIDC_URL": f"http://127.0.0.1:{server.server_port}",
        "OIDC_NAME": "The Guild",
        "OIDC_CLIENT_ID": "muster",
        "OIDC_CLIENT_SECRET": "secret",
        **{
            f"{name}_{what}": "given"
            for name in ("GOOGLE", "DISCORD")
            for what in ("CLIENT_ID", "CLIENT_SECRET")
        },
        "PASSKEYS": "yes",
        "DISCORD_PUBLIC_KEY": "00" * 32,
        "ALLOWED_HOSTS": "testserver",
    }
    import django

    django.setup()
    from allauth.socialaccount.models import SocialAccount
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client

    call_command("migrate", verbosity=0)
    answers: dict[str, Any] = {}
    page = Client().get("/accounts/login/")
    answers["login page"] = page.content.decode()
    answers["policy"] = page["Content-Security-Policy"]
    for name in ("google", "discord"):
        client = Client()
        answers[f"{name} asks first"] = client.get(f"/accounts/{name}/login/").status_code
        answers[name] = client.post(f"/accounts/{name}/login/")["Location"]

    client = Client()
    made = sign_in(client)
    answers["new"] = [made.status_code, made["Location"]]
    erna = User.objects.get()
    answers["account"] = [erna.username, erna.email, erna.has_usable_password()]
    answers["connections"] = client.get("/accounts/3rdparty/").content.decode()
    answers["to connect"] = [client.get(page).content.decode() for page in DISCORD_PAGES]
    connect = client.post("/accounts/discord/login/?process=connect&next=/account/discord/")
    answers["connect"] = connect["Location"]
    SocialAccount.objects.create(
        user=erna, provider="discord", uid="42", extra_data={"id": "42", "username": "erna_plays"}
    )
    answers["connected"] = [client.get(page).content.decode() for page in DISCORD_PAGES]
    again = Client()
    sign_in(again)
    answers["same account"] = [
        User.objects.count(),
        again.get("/api/v1/me/").json()["username"],
    ]

    # The same address elsewhere does not open an account that has it here.
    SocialAccount.objects.all().delete()
    stranger = Client()
    sign_in(stranger)
    me = stranger.get("/api/v1/me/").json()
    answers["same address"] = [me["email"], me["id"] == erna.pk]
    answers["passkeys"] = client.get("/accounts/2fa/").content.decode()
    sys.stdout.write(json.dumps(answers))


if __name__ == "__main__":
    main()
