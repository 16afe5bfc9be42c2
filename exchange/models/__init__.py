"""Signing and trusted keys, received passports, and the jobs of exports and imports."""

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
