"""An uploaded passport for its reader: the checks and their results, and the history."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext, ngettext
from msgspec import Struct

from exchange.models import ReceivedPassport
from exchange.passports.file_format import (
    OpenedFile,
    Passport,
    PassportBattle,
    PassportFighter,
    PassportLedgerLine,
    Provenance,
    open_file,
)
from exchange.passports.verification import (
    PassportEntry,
    broken_entry,
    first_difference,
    signature_holds,
    told_entries,
)
from exchange.selectors.keys import KeyTrust, Signer, standing_of
from rulebook.registry import find_ruleset
from rulebook.ruleset import RulesError
from warbands.fact_sentences import phrase
from warbands.models import Warband
from warbands.rulebook_values import post_names


class Check(Struct, frozen=True):
    """A check of a passport: a stable key, whether it holds, and a sentence.

    ``holds`` is None if the check could not be made.
    """

    key: str
    holds: bool | None
    sentence: str


class HistoryLine(Struct, frozen=True):
    """An entry as a sentence, with its place, time, installation and campaign.

    If ``hidden`` is not 0, the line stands for this many entries from ``sequence`` on, of which
    only the seals are known, and ``phrase`` is empty.
    """

    sequence: int
    at: datetime | None
    origin: str
    campaign: str
    phrase: str
    hidden: int = 0


class PassportReading(Struct, frozen=True):
    """A passport with its checks.

    ``may_take_on`` says whether this reader can import its warband. ``warband_here`` is the
    warband that was imported with it. ``already_here`` says whether this site has the warband from
    elsewhere; ``known_here`` is then its id if the reader can see it.
    """

    id: UUID
    subject: str
    name: str
    warband: str
    ruleset: str
    ruleset_name: str
    edition: str
    faction: str
    origin: str
    issued_at: str
    issued_by: str
    received_at: datetime
    signer: Signer
    checks: tuple[Check, ...]
    fighters: tuple[PassportFighter, ...]
    battles: tuple[PassportBattle, ...]
    ledger: tuple[PassportLedgerLine, ...]
    stations: tuple[Provenance, ...]
    entries: int
    history: tuple[HistoryLine, ...]
    may_take_on: bool
    warband_here: UUID | None
    already_here: bool
    known_here: UUID | None
    taken_on_at: datetime | None


def read_passport(
    received: ReceivedPassport, user: AbstractBaseUser | AnonymousUser
) -> PassportReading:
    """Return the passport for this reader. Six queries at most.

    The rules are replayed only if the reader's clubs or the installation trust the signer. Raises
    InvalidInput if the stored file is not a passport.
    """
    opened = open_file(bytes(received.content))
    passport, signer = opened.passport, standing_of(opened.key, user)
    checks = tuple(_checks(opened, signer))
    taken = received.warband_id
    here = (
        taken or Warband.objects.filter(pk=passport.warband.id).values_list("pk", flat=True).first()
    )
    warband_here = None
    if here and not taken:
        visible = Warband.objects.visible_to(user).filter(pk=here)
        warband_here = visible.values_list("pk", flat=True).first()
    return PassportReading(
        id=received.pk,
        subject=passport.subject,
        name=passport.name,
        warband=passport.warband.name,
        ruleset=passport.warband.ruleset,
        ruleset_name=_ruleset_name(passport),
        edition=passport.warband.edition,
        faction=passport.warband.faction,
        origin=passport.origin,
        issued_at=passport.issued_at,
        issued_by=passport.issued_by,
        received_at=received.received_at,
        signer=signer,
        checks=checks,
        fighters=passport.fighters,
        battles=passport.battles,
        ledger=passport.ledger,
        stations=passport.stations,
        entries=len(passport.entries),
        history=tuple(_history(passport)),
        may_take_on=not passport.fighter
        and not here
        and received.user_id == user.pk
        and all(check.holds for check in checks),
        warband_here=taken,
        already_here=bool(here) and not taken,
        known_here=warband_here,
        taken_on_at=received.taken_on_at,
    )


def _ruleset_name(passport: Passport) -> str:
    """Return the name of the rule system, or its key if this Muster does not know it."""
    try:
        return find_ruleset(passport.warband.ruleset, passport.warband.edition).name
    except RulesError:
        return passport.warband.ruleset


def _checks(opened: OpenedFile, signer: Signer) -> Iterator[Check]:
    """Yield the checks in the order of their dependency: signature, signer, chain, rules."""
    passport, signed, broken = (
        opened.passport,
        signature_holds(opened),
        broken_entry(opened.passport),
    )
    key = {"key": signer.fingerprint}
    yield Check(
        "signature",
        signed,
        gettext("The key %(key)s signed this passport.") % key
        if signed
        else gettext("The key %(key)s did not sign this passport.") % key,
    )
    yield Check("signer", signer.standing != KeyTrust.UNKNOWN, _about(signer))
    if broken is not None:
        values = {"sequence": broken.sequence, "why": broken.sentence}
        yield Check("chain", False, gettext("Entry %(sequence)s is not valid: %(why)s.") % values)
    else:
        yield Check("chain", True, _about_chain(passport))
    if signer.standing == KeyTrust.UNKNOWN or broken is not None or not signed:
        sentence = gettext(
            "The history was not checked against the rules, because this site does not trust the "
            "key."
        )
        yield Check("rules", None, sentence)
        return
    difference = first_difference(passport)
    sentence = gettext("The history gives exactly the values in this passport.")
    if difference:
        sentence = gettext(
            "With the rules on this site, the history gives other values: %(where)s."
        )
        sentence %= {"where": difference}
    yield Check("rules", not difference, sentence)


def _about(signer: Signer) -> str:
    if signer.standing == KeyTrust.OWN:
        return gettext("This is the key of this site.")
    if signer.standing == KeyTrust.UNKNOWN:
        return gettext(
            "Nobody here has marked this key as trusted. If you know whose it is, phone them to "
            "check that it matches. An organiser of your club can then mark it as trusted."
        )
    if signer.club:
        sentence = gettext("%(club)s trusts this key. It belongs to %(name)s.")
        return sentence % {"club": signer.club, "name": signer.name}
    return gettext("This site trusts this key. It belongs to %(name)s.") % {"name": signer.name}


def _about_chain(passport: Passport) -> str:
    whole = len(passport.entries)
    with_text = sum(entry.text is not None for entry in passport.entries)
    if with_text == whole:
        sentence = ngettext(
            "The entry has a valid seal.",
            "All %(whole)s entries have valid seals, each one built on the one before.",
            whole,
        )
    else:
        sentence = gettext(
            "%(complete)s of %(whole)s entries are complete. The others have only their seals."
        )
    return sentence % {"complete": with_text, "whole": whole}


def _history(passport: Passport) -> Iterator[HistoryLine]:
    """Yield the entries as sentences, oldest first. Hidden entries in a row share a line."""
    by_sequence = {each.sequence: each for each in told_entries(passport)}
    names = _names(by_sequence, passport)
    campaign, hidden = "", 0
    for place in range(1, len(passport.entries) + 1):
        entry = by_sequence.get(place)
        if entry is None:
            hidden += 1
            continue
        if hidden:
            yield HistoryLine(place - hidden, None, "", "", "", hidden)
            hidden = 0
        campaign = entry.fact.campaign_name_after(campaign)
        yield HistoryLine(
            place, entry.at, _origin(passport, place), campaign, phrase(entry.fact, names)
        )
    if hidden:
        yield HistoryLine(len(passport.entries) - hidden + 1, None, "", "", "", hidden)


def _origin(passport: Passport, place: int) -> str:
    """Return the address of the installation on which an entry was recorded."""
    return next(
        (station.origin for station in passport.stations if place <= station.until), passport.origin
    )


def _names(entries: Mapping[int, PassportEntry], passport: Passport) -> dict[str, str]:
    """Return the last names of the fighters by id, and the names of posts by key."""
    try:
        names = {**post_names(passport.warband.ruleset, passport.warband.edition)}
    except RulesError:
        names = {}
    for entry in entries.values():
        current = entry.fact.effective
        if current is not None:
            names |= current.fighter_names
    return names
