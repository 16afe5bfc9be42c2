from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    """Documents in print."""

    name = "documents"

    def ready(self) -> None:
        # Models must be loaded before they can be imported.
        from core.quotas import StoredRows, register_rows  # noqa: PLC0415
        from documents.models import Document  # noqa: PLC0415

        register_rows("documents", StoredRows(rows=Document.objects.all, maker="asked_by"))
