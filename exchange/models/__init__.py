"""Keys that vouch, passports that came here, and archives on their way out and in."""

from exchange.models.archives import ArchiveKind, Export, ExportState, Import, ImportState
from exchange.models.keys import ArchivedPerson, SigningKey, TrustedKey
from exchange.models.passports import ReceivedPassport

__all__ = [
    "ArchiveKind",
    "ArchivedPerson",
    "Export",
    "ExportState",
    "Import",
    "ImportState",
    "ReceivedPassport",
    "SigningKey",
    "TrustedKey",
]
