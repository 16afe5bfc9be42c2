from django.apps import AppConfig


class PicturesConfig(AppConfig):
    """Pictures of fighters, warbands, clubs and battles."""

    name = "pictures"

    def ready(self) -> None:
        # Models must be loaded before they can be imported.
        from core.quotas import StoredRows, register_rows  # noqa: PLC0415
        from pictures.models import Picture  # noqa: PLC0415

        register_rows("pictures", StoredRows(rows=Picture.objects.all, maker="added_by"))
