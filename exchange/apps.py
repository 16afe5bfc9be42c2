from django.apps import AppConfig


class ExchangeConfig(AppConfig):
    """What leaves this installation, what comes from others, and whose word is trusted."""

    name = "exchange"
