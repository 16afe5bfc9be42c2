"""The rows of all tables that concern a member.

Every model is declared here or left out with a reason in ``exchange/registry.py``, and every column
that refers to a user is named here; a test finds omissions. They have the columns of the models
except those that the registry leaves out.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from core.queries import ids_of_any
from exchange.registry import exported_fields


class ExportedTable(Struct, frozen=True):
    """A table whose rows about a member are in that member's archive."""

    model: str
    """"app.Model"."""
    file: str
    title: Any
    """The title for people, in their language."""
    by: tuple[str, ...]
    """Lookups from a row to a user. A row concerns the users at the end of any of them."""
    beside: tuple[str, ...] = ()
    """Columns of related rows that make a row readable."""
    line: tuple[str, ...] = ()
    """The columns that the overview shows of the first rows."""

    @property
    def table(self) -> type[Model]:
        """The model of the table."""
        return apps.get_model(self.model)

    def rows(self, user: User) -> QuerySet[Any]:
        """Return the rows that concern a user. One query for any number of lookups."""
        every = self.table._default_manager
        # A union of ids: each lookup uses its own index, and a row that several lookups find comes
        # only once.
        ways = (every.filter(**{way: user.pk}) for way in self.by)
        return every.filter(pk__in=ids_of_any(*ways)).order_by("pk")

    def columns(self) -> Iterator[str]:
        """Yield the names of the exported columns."""
        for field in exported_fields(self.table, "own_data"):
            yield field.attname
        yield from self.beside


OWN_DATA_TABLES = (
    ExportedTable(
        "auth.User",
        "account",
        _("Account"),
        ("pk",),
        line=("username", "email", "date_joined", "last_login"),
    ),
    ExportedTable(
        "account.EmailAddress",
        "e-mail-addresses",
        _("E-mail addresses"),
        ("user",),
        line=("email", "verified"),
    ),
    ExportedTable(
        "mfa.Authenticator",
        "second-factors",
        _("Two-factor settings, without the secrets"),
        ("user",),
        line=("type", "created_at", "last_used_at"),
    ),
    ExportedTable(
        "socialaccount.SocialAccount",
        "accounts-elsewhere",
        _("Accounts elsewhere that you sign in with"),
        ("user",),
        line=("provider", "uid", "last_login"),
    ),
    ExportedTable(
        "knox.AuthToken",
        "tokens",
        _("API tokens, only their first characters"),
        ("user",),
        line=("token_key", "created", "expiry"),
    ),
    ExportedTable(
        "core.TokenDetails",
        "token-details",
        _("Names and permissions of API tokens"),
        ("token__user",),
        line=("name", "scope", "last_used_at"),
    ),
    ExportedTable(
        "clubs.HistoryImport",
        "history-imports",
        _("Spreadsheets of old seasons that you imported"),
        ("made_by",),
        line=("made_at", "number"),
    ),
    ExportedTable(
        "clubs.PastFact",
        "imported-history",
        _("Results from before Muster that an organiser imported"),
        ("member__user", "opponent_member__user"),
        line=("season", "kind", "player", "opponent"),
    ),
    ExportedTable(
        "home.Device",
        "devices",
        _("Devices with notifications"),
        ("user",),
        line=("name", "added_at", "told_at"),
    ),
    ExportedTable(
        "outbox.DiscordAccount",
        "discord",
        _("Link to Discord"),
        ("user",),
        line=("name", "linked_at"),
    ),
    ExportedTable(
        "home.DeviceNotice", "device-notices", _("Notifications shown"), ("device__user",)
    ),
    ExportedTable(
        "home.Preferences",
        "preferences",
        _("Notification settings, time zone and language"),
        ("user",),
        line=("mail", "language"),
    ),
    ExportedTable(
        "home.Letter",
        "letters",
        _("E-mails sent, without their text"),
        ("user",),
        line=("kind", "day"),
    ),
    ExportedTable(
        "core.SentRequest",
        "sent-requests",
        _("Requests of the last two days, kept to avoid duplicates"),
        ("user",),
        line=("path", "created_at"),
    ),
    ExportedTable("home.Notice", "notices", _("Tasks in these e-mails"), ("user",)),
    ExportedTable("home.Dismissal", "dismissed-cards", _("Dismissed tasks"), ("user",)),
    ExportedTable(
        "clubs.CalendarLink",
        "calendar-address",
        _("Calendar address, without the address itself"),
        ("user",),
        line=("made_at",),
    ),
    ExportedTable(
        "clubs.Membership",
        "memberships",
        _("Clubs"),
        ("user",),
        beside=("club__name",),
        line=("club__name", "name", "role", "joined_at"),
    ),
    ExportedTable(
        "clubs.Merge",
        "merged-members",
        _("Merged members"),
        ("member__user", "seat_user", "merged_by"),
        beside=("club__name",),
        line=("club__name", "name", "merged_at"),
    ),
    ExportedTable(
        "clubs.Invitation",
        "invitations",
        _("Invitations created"),
        ("created_by", "seat__user"),
        beside=("club__name",),
        line=("club__name", "role", "created_at"),
    ),
    ExportedTable(
        "clubs.Evening",
        "evenings",
        _("Club nights added"),
        ("created_by",),
        beside=("club__name",),
        line=("club__name", "starts_at", "place"),
    ),
    ExportedTable(
        "clubs.Attendance",
        "answers-to-evenings",
        _("Answers to club nights"),
        ("member__user",),
        beside=("evening__starts_at", "evening__club__name"),
        line=("evening__club__name", "evening__starts_at", "answer"),
    ),
    ExportedTable(
        "campaigns.Enrolment",
        "enrolments",
        _("Campaigns played"),
        ("player__user", "warband__owner", "warband__keeper"),
        beside=("campaign__name", "warband__name"),
        line=("campaign__name", "warband__name", "enrolled_at"),
    ),
    ExportedTable(
        "campaigns.HandOver",
        "hand-overs",
        _("Warbands offered and transferred"),
        ("giver", "receiver", "made_by"),
        beside=("warband__name",),
        line=("warband__name", "state", "made_at"),
    ),
    ExportedTable(
        "campaigns.Substitute",
        "substitutes",
        _("Fixtures played for someone else"),
        ("player__user",),
        beside=("enrolment__warband__name",),
        line=("enrolment__warband__name",),
    ),
    ExportedTable(
        "campaigns.Fixture",
        "decided-fixtures",
        _("Fixtures decided"),
        ("decided_by",),
        line=("decided_at", "reason"),
    ),
    ExportedTable(
        "campaigns.JournalEntry",
        "journal",
        _("Campaign journal entries"),
        ("author__user",),
        beside=("campaign__name",),
        line=("campaign__name", "on"),
    ),
    ExportedTable(
        "campaigns.SealedOrder",
        "sealed-orders",
        _("Sealed orders (the plan is included only after all orders have been opened)"),
        ("sealed_by",),
        line=("sealed_at", "revealed_at"),
    ),
    ExportedTable(
        "warbands.Warband",
        "warbands",
        _("Warbands owned or managed"),
        ("owner", "keeper"),
        line=("name", "ruleset", "faction", "created_at"),
    ),
    ExportedTable(
        "warbands.Fighter",
        "fighters",
        _("Fighters of these warbands"),
        ("warband__owner", "warband__keeper"),
        beside=("warband__name",),
        line=("warband__name", "name", "profile_name"),
    ),
    ExportedTable(
        "warbands.ChronicleEntry",
        "chronicles",
        _("Histories of these warbands, and your entries in others"),
        ("recorded_by", "warband__owner", "warband__keeper"),
        beside=("warband__name",),
    ),
    ExportedTable(
        "warbands.ExperienceEntry",
        "experience",
        _("Experience ledger of these warbands"),
        ("warband__owner", "warband__keeper"),
    ),
    ExportedTable(
        "warbands.RosterDraft",
        "drafts",
        _("Roster drafts"),
        ("warband__owner", "warband__keeper"),
        beside=("warband__name",),
        line=("warband__name", "changed_at"),
    ),
    ExportedTable(
        "warbands.RosterTemplate",
        "templates",
        _("Saved rosters"),
        ("owner",),
        line=("name", "ruleset"),
    ),
    ExportedTable(
        "battles.Battle",
        "battles",
        _("Battles planned, submitted or played"),
        ("created_by", "submitted_by", "sides__warband__owner", "sides__warband__keeper"),
        line=("fought_on", "title", "scenario", "state"),
    ),
    ExportedTable(
        "battles.Side",
        "sides",
        _("Sides played, confirmed or disputed"),
        ("decided_by", "warband__owner", "warband__keeper", "substitute__user"),
        beside=("warband__name",),
    ),
    ExportedTable(
        "battles.BattleEvent",
        "events",
        _("Battle log entries recorded"),
        ("recorded_by",),
    ),
    ExportedTable(
        "battles.Revision",
        "corrections",
        _("Battle corrections"),
        ("made_by",),
        line=("made_at", "reason"),
    ),
    ExportedTable(
        "battles.Dispute",
        "disputes",
        _("Disputes raised and decided"),
        ("raised_by", "answered_by"),
        line=("raised_at", "reason"),
    ),
    ExportedTable(
        "battles.SecretChoice",
        "secret-choices",
        _("Secret choices, without what is still secret"),
        ("made_by",),
    ),
    ExportedTable(
        "pictures.Picture",
        "pictures",
        _("Uploaded pictures, with their files"),
        ("added_by",),
        line=("caption",),
    ),
    ExportedTable(
        "documents.Document",
        "documents",
        _("Documents requested"),
        ("asked_by",),
        line=("title", "asked_at"),
    ),
    ExportedTable(
        "audit.AuditEntry",
        "acts",
        _("Your activity in clubs, and changes that affect you"),
        ("actor", "person"),
        line=("at", "verb", "subject_name"),
    ),
    ExportedTable(
        "exchange.Export",
        "exports",
        _("Archives exported"),
        ("asked_by",),
        line=("name", "asked_at"),
    ),
    ExportedTable(
        "exchange.Import",
        "imports",
        _("Archives imported"),
        ("asked_by",),
        line=("name", "asked_at"),
    ),
    ExportedTable(
        "exchange.ArchivedPerson",
        "archived-people",
        _("Your references in club archives, and people from imported archives"),
        ("user", "brought_by"),
        line=("reference", "name"),
    ),
    ExportedTable(
        "exchange.TrustedKey",
        "trusted-keys",
        _("Trusted keys of other sites"),
        ("trusted_by", "withdrawn_by"),
        line=("name", "trusted_at"),
    ),
    ExportedTable(
        "exchange.ReceivedPassport",
        "passports",
        _("Uploaded passports"),
        ("user",),
        line=("name", "received_at"),
    ),
    ExportedTable(
        "core.AccountSession",
        "sessions",
        _("Sessions and when they end"),
        ("account",),
        line=("expire_date",),
    ),
    ExportedTable(
        "admin.LogEntry",
        "administration",
        _("Changes made in the administration"),
        ("user",),
        line=("action_time",),
    ),
)
