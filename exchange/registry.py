"""The columns and models that exports leave out: archives and a member's own data.

Every column of a model is exported by default, with a type that follows from its field
(``exchange/tables.py``). Only what is left out is listed here, with the reason. The other
declarations are about tables: ``TABLES`` in ``exchange/tables.py`` for archives,
``OWN_DATA_TABLES`` in ``accounts/data_export/tables.py`` for own data. Backups and
``operations/move_database.py`` copy every column of every model, and nothing is left out. What to
do for a new column or model: CONTRIBUTING.md, "Add a column".
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from django.db import models
from msgspec import Struct

from core.models import FoldedField

Export = Literal["archive", "own_data"]


class LeftOutColumn(Struct, frozen=True, kw_only=True):
    """Why a column or a model is left out of each export; "" if it is not left out."""

    archive: str = ""
    own_data: str = ""


def _local(reason: str) -> LeftOutColumn:
    """Leave out of archives: meaningless on other installations, and not a secret."""
    return LeftOutColumn(archive=reason)


def _private(reason: str) -> LeftOutColumn:
    """Leave out of own data only. Archives have other rules for the model or for the value."""
    return LeftOutColumn(own_data=reason)


def _secret(reason: str) -> LeftOutColumn:
    """Leave out of every export: anyone with the file could abuse it."""
    return LeftOutColumn(archive=reason, own_data=reason)


SIGNED = "Signed by a key of one installation, and signed again by the one that imports the row."
FOLDED = "Follows from the name; computed whenever a row is written."
GENERATED = "Computed by the database from other columns."
NUMBERED = "Numbers rows within one installation, and nothing refers to it."
CHAINED = "Chains the entries of one installation, in the order in which they came there."
REPLAYED = "The fold of the chronicle, rebuilt after the import."
OPEN_FORMS = "Belongs to forms that are open on one installation."
FINDS_LINK = "By it a secret link is found again."
CLAIMED = "Says which worker is at work on it."
STORED_FILE = "The name of a stored file."

RULES: tuple[tuple[Callable[[Any], bool], LeftOutColumn], ...] = (
    (lambda field: field.name == "row_signature", _secret(SIGNED)),
    (lambda field: isinstance(field, FoldedField), _secret(FOLDED)),
    (lambda field: bool(field.generated), _secret(GENERATED)),
    (lambda field: isinstance(field, models.AutoField), _local(NUMBERED)),
)
"""Columns that are left out of every model. The order is that of the schemas in archives."""

COLUMNS: Mapping[str, Mapping[str, LeftOutColumn]] = {
    "audit.AuditEntry": {
        "request": _local("Leads to the server's log of one installation."),
        "brought_by": _local("The origin of an entry on one installation."),
        "imported_at": _local("The origin of an entry on one installation."),
        "chain": _secret(CHAINED),
        "place": _secret(CHAINED),
        "seal": _secret(CHAINED),
    },
    "auth.User": {"password": _secret("Nobody gets it, not even as a hash.")},
    "battles.Battle": {
        "client_id": _local("Answers repeated requests of the planner on that installation."),
        "signature": _secret(SIGNED),
        "shared_version": _local(OPEN_FORMS),
        "follow_ups_due_since": _local("Work that one installation has yet to do."),
        "dice_seed": _private("Foretells the dice of a battle that is not over."),
        "log_seal": _private("Proves the log to the installation, and says nothing of the member."),
    },
    "battles.SecretChoice": {
        "sealed": _private("Stays under the seal until the choice is opened.")
    },
    "battles.Side": {"version": _local(OPEN_FORMS)},
    "campaigns.Campaign": {
        "example": _local("Each installation chooses what its front page shows.")
    },
    "campaigns.SealedOrder": {
        "sealed": LeftOutColumn(
            archive="Locked by a key of one installation; what was under the seal of an open order "
            "is text.",
            own_data="Stays under the seal until all orders are opened.",
        ),
    },
    "clubs.CalendarLink": {
        "digest": _secret(FINDS_LINK),
        "sealed": _secret("The secret address itself."),
    },
    "clubs.Invitation": {
        "digest": _secret(FINDS_LINK),
        "sealed": _secret("The secret link itself."),
    },
    "clubs.Membership": {"promotion": _local("Belongs to a card of one installation.")},
    "core.AccountSession": {
        "session_key": _secret("It signs its holder in."),
        "session_data": _secret("What the server remembers of a session, signed."),
    },
    "core.TokenDetails": {"token": _secret("The hash of a token.")},
    "core.SentRequest": {
        "key": _secret("It gives its holder the answer again."),
        "digest": _secret("Compares repeats of a request."),
        "answer": _secret("May hold links and tokens that were shown once."),
    },
    "documents.Document": {
        "content_hash": _private("Finds the same document again."),
        "file_hash": _private("Finds the same document again."),
        "audience": _private("Finds files that were made for other readers."),
        "pictures": _private("Finds files with a picture that was removed."),
        "file": _private(STORED_FILE),
        "claimed_by": _private(CLAIMED),
        "claimed_at": _private(CLAIMED),
    },
    "exchange.Export": {
        "file": _private(STORED_FILE),
        "claimed_by": _private(CLAIMED),
        "claimed_at": _private(CLAIMED),
    },
    "exchange.Import": {
        "file": _private(STORED_FILE),
        "claimed_by": _private(CLAIMED),
        "claimed_at": _private(CLAIMED),
    },
    "exchange.ReceivedPassport": {
        "content": _private("The file that the member has brought, and has.")
    },
    "home.Device": {
        "endpoint": _secret("It lets its holder send to the device."),
        "key": _secret("It lets its holder send to the device."),
        "secret": _secret("It lets its holder send to the device."),
    },
    "knox.AuthToken": {"digest": _secret("The hash of a token.")},
    "mfa.Authenticator": {"data": _secret("The secret of a second factor.")},
    "pictures.Picture": {
        "size": _local("Follows from the files."),
        "club": _local("Whose quota it counts against on one installation."),
    },
    "warbands.Fighter": {"state": _local(REPLAYED)},
    "warbands.Warband": {"state": _local(REPLAYED), "head_signature": _secret(SIGNED)},
}
"""By model and column, what is left out in addition to ``RULES``."""

MODELS: Mapping[str, LeftOutColumn] = {
    "account.EmailConfirmation": _private(
        "keys of letters that confirm an address: secrets, gone after a few days"
    ),
    "audit.AuditChain": LeftOutColumn(
        archive="The ends of the chains of one installation, under its key.",
        own_data="of the installation, and refers to nobody",
    ),
    "audit.Change": LeftOutColumn(
        archive=NUMBERED,
        own_data="numbers entries of the activity log, which are listed",
    ),
    "audit.ChangeCounter": LeftOutColumn(
        archive=NUMBERED,
        own_data="of the installation, and refers to nobody",
    ),
    "auth.Group": _private(
        "of the installation; to which somebody belongs is nothing of their own"
    ),
    "auth.Permission": _private("of the installation"),
    "battles.Combatant": _private(
        "fighters as they took the field: what the chronicles and the ledger tell as well"
    ),
    "battles.SecretChoice": _local("Under the seal of one installation until it is opened."),
    "battles.StoredOutcome": LeftOutColumn(
        archive="The fold of a log, rebuilt on request.",
        own_data="follows from the events",
    ),
    "battles.StoredPlay": LeftOutColumn(
        archive="The fold of a log, rebuilt on request.",
        own_data="follows from the events",
    ),
    "campaigns.Campaign": _private("of the club, and refers to nobody"),
    "campaigns.Round": _private("of the campaign, and refers to nobody"),
    "campaigns.Substitute": _local(
        "Named for a fixture that is to be played; a battle that was played has its own."
    ),
    "campaigns.TableGame": LeftOutColumn(
        archive="Arranged for one club night; a battle that was played has its own sides.",
        own_data="arranged by an organiser for one club night",
    ),
    "clubs.CalendarLink": _local("A secret address of one installation."),
    "clubs.Club": _private("of its members together, and refers to nobody"),
    "clubs.ClubBot": LeftOutColumn(
        archive="The account of programs of one installation.",
        own_data="of the club, and refers to no person",
    ),
    "clubs.HistoryImport": LeftOutColumn(
        archive="The spreadsheet of the organisers: it can be imported again.", own_data=""
    ),
    "clubs.PastFact": LeftOutColumn(
        archive="Rows of a spreadsheet of the organisers: it can be imported again.", own_data=""
    ),
    "clubs.ClubQuota": LeftOutColumn(
        archive="What a club may keep on one installation.",
        own_data="of the club, and refers to nobody",
    ),
    "clubs.ForbiddenPair": LeftOutColumn(
        archive="What organisers keep to themselves.",
        own_data="what organisers keep to themselves",
    ),
    "clubs.Invitation": _local("A secret link of one installation."),
    "clubs.Merge": _local("What an organiser of one installation can undo there."),
    "contenttypes.ContentType": _private("of the installation"),
    "documents.DocumentPart": _private("pieces of documents while they are printed"),
    "exchange.SigningKey": _private("of the installation"),
    "home.AccountLetter": _private("waits for minutes until it is sent, and is deleted then"),
    "outbox.Delivery": _private("of the club, and refers to nobody"),
    "outbox.DiscordPost": _private("of the club, and refers to nobody"),
    "outbox.Webhook": _private("of the club, and refers to nobody"),
    "socialaccount.SocialApp": _private("of the installation, and empty: they are settings"),
    "socialaccount.SocialToken": _private("is not stored"),
    "sessions.Session": _private("Django's own table, which is empty: see core.AccountSession"),
    "warbands.ChronicleRegister": LeftOutColumn(
        archive="Counts the chronicles of one installation, under its key.",
        own_data="of the installation, and refers to nobody",
    ),
    "warbands.ExperienceEntry": _local("The fold of the chronicles, rebuilt after the import."),
    "warbands.RankUpOffer": LeftOutColumn(
        archive="Prepared again from the roster.", own_data="follows from the chronicles"
    ),
    "warbands.RosterDraft": _local("What an owner means to do, for nobody else's eyes; no fact."),
    "warbands.RosterTemplate": _local("Belongs to a member alone, not to a club."),
    "warbands.UnsentTask": LeftOutColumn(
        archive="Waits until the queue answers.",
        own_data="waits until the queue answers, and names nothing but keys of rows",
    ),
}
"""The models of which an export has no rows."""

APPS: Mapping[str, LeftOutColumn] = {
    "account": _local("Addresses of accounts: an archive knows people by a reference and a name."),
    "admin": _local("Who changed what in the administration of one installation."),
    "auth": _local(
        "Accounts and roles of one installation: an archive knows people by a reference and a name."
    ),
    "contenttypes": _local("Numbers the models of one installation."),
    "core": _local("Sessions and repeated requests of one installation."),
    "documents": _local("Printed again from the rows."),
    "exchange": _local("Keys, references and files of one installation."),
    "home": _local("What accounts of one installation prefer, and what they were sent."),
    "knox": _local("Tokens of accounts."),
    "outbox": _local("Addresses and secrets of one installation, and what was sent there."),
    "mfa": _local("Second factors of accounts."),
    "sessions": _local("Sessions of one installation."),
    "socialaccount": _local("Accounts elsewhere by which people sign in to one installation."),
}
"""The apps of which an export has no rows. The models of all other apps are declared one by one.
"""


def left_out_columns(model: type[models.Model], export: Export) -> dict[str, str]:
    """Return the columns of a model that an export leaves out, with the reasons."""
    fields = model._meta.concrete_fields
    ruled = {field.name: omission for rule, omission in RULES for field in fields if rule(field)}
    omissions = ruled | dict(COLUMNS.get(model._meta.label, {}))
    reasons = {name: str(getattr(omission, export)) for name, omission in omissions.items()}
    return {name: reason for name, reason in reasons.items() if reason}


def exported_fields(model: type[models.Model], export: Export) -> "list[models.Field[Any, Any]]":
    """Return the fields of the columns that an export has, in the order of the model."""
    left_out = left_out_columns(model, export)
    return [field for field in model._meta.concrete_fields if field.name not in left_out]


def reason_left_out(model: type[models.Model], export: Export) -> str:
    """Return why an export has no rows of a model; "" if no reason is declared."""
    omissions = (MODELS.get(model._meta.label), APPS.get(model._meta.app_label))
    reasons = (str(getattr(omission, export)) for omission in omissions if omission)
    return next(filter(None, reasons), "")
