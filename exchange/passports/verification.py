"""Verify a passport: its signature, its chain of seals, and what follows from its facts."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from core.errors import InvalidInput
from core.signatures import digest, verify
from exchange.passports.file_format import OpenedFile, Passport, strict_json
from exchange.passports.replay import ReplayedPassport, log_history
from rulebook.chronicle.facts import FIRST_SEAL, AnyFact, decode
from rulebook.ruleset import RulesError
from warbands.services.import_chronicle import (
    BrokenEntry,
    RecordedElsewhere,
    first_broken,
    recorded_at,
)

PARTS = 5
"""The number of parts of a sealed text.

These are the previous seal, the warband, the place, the fact, and the time and author of its
recorded.
"""


class PassportEntry(Struct, frozen=True):
    """An entry whose text is in the passport: its place, its fact, and its record with the seal."""

    sequence: int
    fact: AnyFact
    entry: RecordedElsewhere

    @property
    def at(self) -> datetime:
        """When the entry was recorded, according to its seal."""
        return recorded_at(self.entry.recorded)


def signature_holds(opened: OpenedFile) -> bool:
    """Return whether the key that the file names has signed exactly these bytes."""
    return verify(opened.body, opened.signature, opened.key.public)


def broken_entry(passport: Passport) -> BrokenEntry | None:
    """Return the first broken entry; None if all entries hold.

    The SHA-256 of a text must be its seal, and the text must name the seal before it. Of an entry
    without a text only the seal is known, and the next entry's text confirms it.
    """
    previous = FIRST_SEAL
    for place, entry in enumerate(passport.entries, start=1):
        if entry.text is not None:
            why = _why_broken(passport, place, previous)
            if why:
                return BrokenEntry(place, why)
        previous = entry.seal
    if all(entry.text is not None for entry in passport.entries):
        # Seal the entries again: a text that this Muster would write differently is refused, even
        # if its digest is right.
        return first_broken(passport.warband.id, [item.entry for item in told_entries(passport)])
    return None


def told_entries(passport: Passport) -> Iterator[PassportEntry]:
    """Yield the entries that have a text.

    Raises InvalidInput or RulesError for a text that cannot be read.
    """
    for place, entry in enumerate(passport.entries, start=1):
        if entry.text is not None:
            _, _, _, payload, recorded = strict_json(entry.text)
            yield PassportEntry(
                place, decode(payload), RecordedElsewhere(payload, recorded, entry.seal)
            )


def replay_passport(passport: Passport) -> ReplayedPassport:
    """Replay the facts of the passport by the rules of this Muster.

    Raises RulesError if this Muster does not have the rules.
    """
    clubs = {battle.battle: battle.club for battle in passport.battles}
    return log_history(
        ((item.sequence, item.fact) for item in told_entries(passport)), passport.fighter, clubs
    )


def first_difference(passport: Passport) -> str:
    """Return the first place where the passport differs from the replay of its facts, as text.

    Return "" if there is no difference.
    """
    try:
        proper = replay_passport(passport)
    except RulesError as error:
        return gettext("this site does not have the rules (%(why)s)") % {"why": error}
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Facts of other installations have the right shape, but may hold what no rule system
        # writes.
        return gettext("the rules cannot read it (%(why)s)") % {"why": type(error).__name__}
    stated = (passport.battles, passport.ledger, passport.fighters)
    names = (gettext("battles"), gettext("experience ledger"), gettext("fighters"))
    for name, stated_values, follows in zip(
        names, stated, (proper.battles, proper.ledger, proper.fighters), strict=True
    ):
        if stated_values != follows:
            place = next(
                (
                    at
                    for at, pair in enumerate(zip(stated_values, follows, strict=False), 1)
                    if pair[0] != pair[1]
                ),
                0,
            )
            where = place or min(len(stated_values), len(follows)) + 1
            return gettext("%(what)s, line %(line)s") % {"what": name, "line": where}
    if not passport.fighter and passport.warband != replace(
        passport.warband,
        name=proper.state.name,
        ruleset=proper.state.ruleset,
        edition=proper.state.edition,
    ):
        return gettext("name or rules of the warband")
    return ""


def _why_broken(passport: Passport, place: int, previous: str) -> str:
    """Return why the text of an entry is not what was sealed at this place; "" if it is."""
    entry = passport.entries[place - 1]
    text = entry.text or ""
    if digest(text.encode()) != entry.seal:
        return gettext("its seal does not match its content")
    try:
        parts: Any = strict_json(text)
    except InvalidInput as error:
        return error.sentence
    if not isinstance(parts, list) or len(parts) != PARTS or not isinstance(parts[4], str):
        return gettext("it is not a sealed entry")
    if parts[0] != previous:
        return gettext("it does not follow the previous entry")
    if parts[1] != str(passport.warband.id) or parts[2] != place or not isinstance(parts[3], dict):
        return gettext("it was sealed for a different position")
    try:
        decode(parts[3])
        recorded_at(parts[4])
    except (RulesError, ValueError, OverflowError) as error:
        return gettext("it cannot be read (%(why)s)") % {"why": str(error)[:200]}
    return ""
