from django.apps import AppConfig

from accounts.sign_ins import watch_sign_ins


class AccountsConfig(AppConfig):
    """The app for a user's own account: sign-in, second factors, tokens, own data and deletion."""

    name = "accounts"

    def ready(self) -> None:
        watch_sign_ins()
