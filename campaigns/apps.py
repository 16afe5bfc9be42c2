from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        # Models are loaded now, and not before.
        from campaigns.pictures import register_subjects  # noqa: PLC0415

        register_subjects()
