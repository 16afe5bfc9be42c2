from django.apps import AppConfig


class ExchangeConfig(AppConfig):
    """Archives and passports that leave or enter this installation, and the keys that it trusts."""

    name = "exchange"

    def ready(self) -> None:
        # Models must be loaded before they can be imported.
        from exchange import page_rows  # noqa: F401, PLC0415
