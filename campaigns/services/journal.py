"""Write, change and remove entries of a campaign's journal."""

from datetime import date
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign, JournalEntry
from clubs.models import Membership, Role
from clubs.services.permissions import find, locked
from core.cleaning import MAX_STORY, field_error
from core.errors import Forbidden, StaleVersion, StateConflict
from core.inputs import Input, field, validate
from warbands.signed import create_signed, save_signed

FIRST_YEAR, YEARS_AHEAD = 1900, 10
"""Days of other years are refused as typing errors, as for days of battles."""
TEXT = field(_("What happened"), min_length=1, max_length=MAX_STORY, null=False)


class NewEntry(Input, frozen=True, kw_only=True):
    """A new entry of the journal."""

    text: Annotated[str, TEXT]
    on: Annotated[
        date | None,
        field(
            _("Day"),
            _("Leave blank for today."),
            api="The day that it is about; by default today.",
            null=False,
        ),
    ] = None


class EntryEdit(Input, frozen=True, kw_only=True):
    """Changes of an entry, and the version that was read."""

    version: Annotated[
        int,
        field(api=("The version that you read. If it has changed since, the answer is 409."), ge=1),
    ]
    text: Annotated[str | None, TEXT] = None
    on: Annotated[date | None, field(_("Day"), null=False)] = None


@transaction.atomic
def write_entry(
    *, campaign_id: UUID, user: User, text: str, on: date | None = None
) -> JournalEntry:
    """Write an entry as a player or an organiser, about today unless it names another day.

    Raises NotFound, Forbidden "players-only", InvalidInput "too-short", "too-long",
    "unstorable-text", and "out-of-range" for a day that is years away.
    """
    campaign = find(Campaign.objects.visible_to(user), campaign_id, "campaign")
    author = (
        Membership.objects.filter(club=campaign.club_id, user=user)
        .exclude(role=Role.SPECTATOR)
        .first()
    )
    if author is None:
        raise Forbidden(
            "players-only",
            gettext("Only players and organisers of the club can write in the journal."),
        )
    day = _clean_day(on or timezone.localdate())
    entry = validate(NewEntry(text=text))
    record(Verb.ENTRY_WRITTEN, campaign, user=user, club=campaign.club_id, campaign=campaign_id)
    return create_signed(
        JournalEntry,
        campaign=campaign,
        author=author,
        text=entry.text,
        on=day,
        written_at=timezone.now(),
    )


@transaction.atomic
def edit_entry(
    *, entry_id: UUID, user: User, version: int, text: str | None = None, on: date | None = None
) -> JournalEntry:
    """Change the text or the day of an entry. For its author and organisers.

    Raises NotFound, Forbidden "not-your-entry", StateConflict "stale-version", "entry-removed", and
    InvalidInput as ``write_entry``.
    """
    entry = _own_entry(entry_id, user)
    if version != entry.version:
        sentence = gettext(
            "Someone else changed this entry. Reload and try again (version %(version)s)."
        ) % {"version": entry.version}
        raise StaleVersion(sentence, entry.version)
    edit = validate(EntryEdit(version=version, text=text))
    entry.text = entry.text if edit.text is None else edit.text
    entry.on = _clean_day(on) if on and on != entry.on else entry.on
    entry.edited_at = timezone.now()
    _audit(Verb.ENTRY_CHANGED, entry, user)
    return _stored(entry)


@transaction.atomic
def remove_entry(*, entry_id: UUID, user: User) -> JournalEntry:
    """Remove the text of an entry; the journal still shows that there was one.

    For its author and organisers.

    Raises NotFound, Forbidden "not-your-entry", StateConflict "entry-removed".
    """
    entry = _own_entry(entry_id, user)
    entry.text, entry.removed_at = "", timezone.now()
    _audit(Verb.ENTRY_REMOVED, entry, user)
    return _stored(entry)


def _audit(verb: Verb, entry: JournalEntry, user: User) -> None:
    campaign = entry.campaign
    record(verb, campaign, user=user, club=campaign.club_id, campaign=campaign.pk)


def _clean_day(day: date) -> date:
    if FIRST_YEAR <= day.year <= timezone.localdate().year + YEARS_AHEAD:
        return day
    sentence = gettext("%(day)s is too far from today. Check the year.") % {
        "day": date_format(day, gettext("j F Y"))
    }
    raise field_error("on", "out-of-range", sentence, day.isoformat())


def _own_entry(entry_id: UUID, user: User) -> JournalEntry:
    """Lock and return the entry, if the user can change it."""
    entries = JournalEntry.objects.visible_to(user).select_related("campaign")
    entry = find(locked(entries), entry_id, "entry")
    if entry.removed_at is not None:
        raise StateConflict("entry-removed", gettext("The entry has been removed."))
    if not JournalEntry.objects.editable_by(user).filter(pk=entry_id).exists():
        raise Forbidden(
            "not-your-entry", gettext("Only its author or an organiser can change this entry.")
        )
    return entry


def _stored(entry: JournalEntry) -> JournalEntry:
    entry.version += 1
    save_signed(entry, "text", "on", "edited_at", "removed_at", "version")
    return entry
