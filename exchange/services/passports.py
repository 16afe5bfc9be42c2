"""Issue a passport, receive one, and import its warband (docs/decisions/exchange.md)."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle
from campaigns.models import Campaign
from core.errors import InvalidInput, NotFound
from core.users import expect_person
from exchange.models import ReceivedPassport
from exchange.passports.file_format import (
    FORMAT,
    MAX_BYTES,
    VERSION,
    Entry,
    OpenedFile,
    Passport,
    PassportWarband,
    Provenance,
    body_of,
    file_of,
    open_file,
)
from exchange.passports.replay import ReplayedPassport, log_history
from exchange.passports.verification import (
    broken_entry,
    first_difference,
    signature_holds,
    told_entries,
)
from exchange.selectors.keys import KeyTrust, standing_of
from exchange.signing import public_key, sign
from rulebook.chronicle.facts import FIRST_SEAL, AnyFact, Corrected, Withdrawn, decode
from rulebook.chronicle.replay import trace
from rulebook.registry import find_ruleset
from warbands.models import ChronicleEntry, Warband
from warbands.services.chronicle import append_facts, recorded_of, subject_of
from warbands.services.import_chronicle import adopt_warband
from warbands.services.locking import expect_editor, warband_of
from warbands.services.rank_up_offers import queue_offers
from warbands.signed import create_signed, save_signed

KEPT = timedelta(days=7)
"""The time for which an uploaded passport is kept if its warband is not imported."""
MAX_KEPT = 20


def issue_warband(*, warband_id: UUID, user: User) -> bytes:
    """Return the passport of a warband as a file.

    Its owner, its keeper and the organisers of its campaign may have it. Raises NotFound,
    Forbidden, InvalidInput (`passport-too-large`) and Unavailable (`signing-key-locked`).
    """
    return _issue(warband_id, "", user)


def issue_fighter(*, fighter_id: UUID, user: User) -> bytes:
    """Return the passport of a fighter as a file.

    Entries that concern only other fighters are included as seals only. Raises the errors of
    ``issue_warband``.
    """
    return _issue(warband_of(fighter_id), str(fighter_id), user)


def receive_passport(*, content: bytes, user: User) -> ReceivedPassport:
    """Keep an uploaded passport for a week, so that the user can read it and import its warband.

    Raises InvalidInput: `not-a-passport`, `newer-passport`, `passport-too-large`, or
    `passport-forged` with the first entry that does not hold. Raises Forbidden "people-only" for
    a bot.
    """
    expect_person(user)
    opened = open_file(content)
    expect_unforged(opened)
    mine = ReceivedPassport.objects.filter(user=user, warband__isnull=True)
    mine.filter(received_at__lt=timezone.now() - KEPT).delete()
    kept_ids = mine.order_by("-received_at").values_list("pk", flat=True)[: MAX_KEPT - 1]
    mine.exclude(pk__in=list(kept_ids)).delete()
    values = {"name": opened.passport.name[:100], "origin": opened.passport.origin[:200]}
    return create_signed(
        ReceivedPassport, user=user, content=content, fingerprint=opened.key.fingerprint, **values
    )


def expect_unforged(opened: OpenedFile) -> None:
    """Check the signature and the chain of a passport, with any signing key.

    Raises InvalidInput (`passport-forged`).
    """
    broken, signed = broken_entry(opened.passport), signature_holds(opened)
    if broken is None and signed:
        return
    if broken is not None:
        sentence = gettext("This passport is forged. Entry %(sequence)s is not valid: %(why)s.")
        sentence %= {"sequence": broken.sequence, "why": broken.sentence}
    else:
        sentence = gettext(
            "This passport is forged. Its entries match, but its signature does not."
        )
    raise InvalidInput("passport-forged", sentence)


@transaction.atomic
def take_on(*, passport_id: UUID, user: User) -> Warband:
    """Import the warband of a passport with its history. The user becomes its owner.

    Every holder of a passport may do this, but only once per warband. Raises NotFound,
    InvalidInput (`passport-of-a-fighter`, `unknown-signer`, `passport-differs`, `known-here`,
    `fighter-here`) and StateConflict (`warband-here`).
    """
    # Two requests at the same time wait for each other: the second one finds the warband of the
    # first.
    received = (
        ReceivedPassport.objects.select_for_update().filter(pk=passport_id, user=user).first()
    )
    if received is None:
        raise NotFound(
            "unknown-passport",
            gettext("Passport not found, or you don't have access."),
        )
    opened = open_file(bytes(received.content))
    expect_unforged(opened)
    passport = opened.passport
    if passport.fighter:
        sentence = gettext(
            "This is the passport of one fighter. To import a warband, use the passport of the "
            "warband."
        )
        raise InvalidInput("passport-of-a-fighter", sentence)
    # Replay the history only if its signer is trusted: otherwise anyone could have written it.
    _expect_trusted(opened, user)
    entries = list(told_entries(passport))
    _expect_foreign([each.fact for each in entries])
    difference = first_difference(passport)
    if difference:
        sentence = gettext(
            "With the rules on this site, the history gives other values: %(where)s."
        )
        raise InvalidInput("passport-differs", sentence % {"where": difference})
    warband = Warband(id=passport.warband.id, owner=user)
    result = adopt_warband(warband=warband, entries=[each.entry for each in entries])
    # Its campaign is on the other installation: withdraw the warband, so that it can play here.
    if result.state.campaign is not None:
        fact = Withdrawn(campaign=result.state.campaign, reason=gettext("imported elsewhere"))
        append_facts({warband.pk: fact}, user=user)
    queue_offers([warband.pk])
    record(
        Verb.WARBAND_TAKEN_ON,
        warband,
        user=user,
        origin=passport.origin,
        fingerprint=opened.key.groups,
    )
    received.warband, received.taken_on_at, received.length = warband, timezone.now(), len(entries)
    save_signed(received, "warband", "taken_on_at", "length")
    warband.refresh_from_db()
    return warband


def _issue(warband_id: UUID, fighter: str, user: User) -> bytes:
    with transaction.atomic():
        warband = Warband.objects.filter(pk=warband_id).first()
        if warband is None:
            raise NotFound("unknown-warband", gettext("Warband not found."))
        expect_editor(warband, user)
        passport = _passport(warband, fighter, user)
    body = body_of(passport)
    content = file_of(body, public_key(), sign(body))
    if len(content) > MAX_BYTES:
        sentence = gettext(
            "The history is too long for a passport (limit: %(most)s bytes). Export an archive of "
            "the warband instead."
        )
        raise InvalidInput("passport-too-large", sentence % {"most": MAX_BYTES})
    return content


def _passport(warband: Warband, fighter: str, user: User) -> Passport:
    rows = list(ChronicleEntry.objects.filter(warband=warband).order_by("sequence"))
    facts = [decode(row.payload) for row in rows]
    clubs = _clubs(facts, warband)
    whole = log_history(enumerate(facts, start=1), fighter, clubs)
    shown = _shown(facts, fighter, whole, clubs)
    return Passport(
        format=FORMAT,
        version=VERSION,
        subject="fighter" if fighter else "warband",
        fighter=fighter,
        origin=settings.SITE_URL,
        issued_at=timezone.now().replace(microsecond=0).isoformat(),
        issued_by=user.get_username(),
        warband=PassportWarband(
            warband.pk, warband.name, warband.ruleset, warband.edition, warband.faction
        ),
        fighters=whole.fighters,
        battles=whole.battles,
        ledger=whole.ledger,
        stations=_stations(warband),
        entries=tuple(
            Entry(row.seal, _text(row) if row.sequence in shown else None) for row in rows
        ),
    )


def _text(row: ChronicleEntry) -> str:
    """Return the exact text that was sealed (``rulebook.chronicle.facts.seal``)."""
    previous = row.previous_seal or FIRST_SEAL
    sealed_values = [previous, str(row.warband_id), row.sequence, row.payload, recorded_of(row)]
    return msgspec.json.encode(sealed_values, order="deterministic").decode()


def _shown(
    facts: Sequence[AnyFact], fighter: str, whole: ReplayedPassport, clubs: dict[str, str]
) -> set[int]:
    """Return the places of the entries whose text is disclosed.

    For a warband these are all entries; for a fighter those that made it what it is. If a replay
    of the latter differs from a replay of the whole chronicle, all entries are disclosed.
    """
    every = set(range(1, len(facts) + 1))
    if not fighter:
        return every
    shown = {change.sequence for change in trace(facts, find_ruleset, fighter)}
    shown |= {battle.sequence for battle in whole.battles} | {
        line.sequence for line in whole.ledger
    }
    shown |= {at for at, fact in enumerate(facts, 1) if _concerns(fact, fighter)}
    for at, fact in enumerate(facts, 1):
        # Disclose every correction of a disclosed entry, and every entry that a disclosed
        # correction changes.
        if isinstance(fact, Corrected) and ({fact.target, *fact.undone} & shown or at in shown):
            shown |= {at, fact.target, *fact.undone}
    part = log_history(((at, facts[at - 1]) for at in sorted(shown)), fighter, clubs)
    same = (part.battles, part.ledger, part.fighters) == (
        whole.battles,
        whole.ledger,
        whole.fighters,
    )
    return shown if same else every


def _concerns(fact: AnyFact, fighter: str) -> bool:
    current = fact.effective
    return current is not None and (current.concerns_everybody or fighter in current.fighters)


def _clubs(facts: Iterable[AnyFact], warband: Warband) -> dict[str, str]:
    """Return the clubs of battles by battle id, from battles here and received passports."""
    clubs = {
        battle.battle: battle.club
        for received in ReceivedPassport.objects.filter(warband=warband)
        for battle in open_file(bytes(received.content)).passport.battles
    }
    battle_ids = [subject for fact in facts if (subject := subject_of(fact))]
    here = Battle.objects.filter(pk__in=battle_ids, campaign__isnull=False).values_list(
        "pk", "campaign__club__name"
    )
    return clubs | {str(key): club for key, club in here}


def _stations(warband: Warband) -> tuple[Provenance, ...]:
    """Return the installations that had the warband before this one."""
    received = ReceivedPassport.objects.filter(warband=warband).first()
    if received is None:
        return ()
    passport = open_file(bytes(received.content)).passport
    return (
        *passport.stations,
        Provenance(len(passport.entries), passport.origin, received.fingerprint),
    )


def _expect_trusted(opened: OpenedFile, user: User) -> None:
    standing = standing_of(opened.key, user)
    if standing.standing not in (KeyTrust.OWN, KeyTrust.TRUSTED):
        sentence = gettext(
            "Nobody here trusts the key %(key)s, which signed this passport. An organiser of "
            "your club can trust it after comparing it with the Keys page of the other site."
        )
        raise InvalidInput("unknown-signer", sentence % {"key": opened.key.groups})


def _expect_foreign(facts: Iterable[AnyFact]) -> None:
    """Check that a history names no battle or campaign of this installation.

    This installation already knows what happened here, so such a history must be wrong. Raises
    InvalidInput (`known-here`).
    """
    subjects = {subject for fact in facts if (subject := subject_of(fact))}
    happened_here = (
        Battle.objects.filter(pk__in=subjects).exists()
        or Campaign.objects.filter(pk__in=subjects).exists()
    )
    if happened_here:
        sentence = gettext(
            "Its history has a battle or campaign of this site, where the warband is unknown."
        )
        raise InvalidInput("known-here", sentence)
