from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from campaigns import page_rows  # noqa: F401, PLC0415

        # Models can only be imported once all apps are loaded.
        from campaigns.models import Campaign  # noqa: PLC0415
        from campaigns.selectors.campaign_links import campaigns_of_warbands  # noqa: PLC0415
        from warbands.links import register_campaigns, register_subject  # noqa: PLC0415

        register_campaigns(campaigns_of_warbands)
        register_subject(Campaign)
