from django.apps import AppConfig


class ExchangeConfig(AppConfig):
    """Archives and passports that leave or enter this installation, and the keys that it trusts."""

    name = "exchange"
