"""Prove that no entry of the activity log was edited, inserted or removed, and sign its chains."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from audit.chains import CHAINS, chain_is_signed, seal_of, sign_chain
from audit.models import AuditChain, AuditEntry

BATCH = 500
SEVERAL = "chains"


class Forgery(NamedTuple):
    """A place where the activity log was changed: where, the stored and the proper value."""

    where: str
    stored: str
    proper: str
    group: str = ""
    """The name of a group of similar forgeries, of which the check lists only a few."""


def check_audit() -> Iterator[Forgery]:
    """Yield each entry that was edited, inserted, moved or removed since it was recorded.

    Each chain is locked during its check, so that nothing is written to it. No stored value stops
    the check: errors are reported as forgeries.
    """
    for number in range(CHAINS):
        try:
            with transaction.atomic():
                forgeries = list(_check_chain(number))
        except Exception as error:
            # A broken chain must not hide the others.
            forgeries = [
                Forgery(
                    f"chain {number} of the activity log",
                    _text(error),
                    "a chain that can be read",
                    SEVERAL,
                )
            ]
        yield from forgeries
    outside = AuditEntry.objects.filter(Q(chain=None) | ~Q(chain__in=range(CHAINS)) | Q(place=None))
    for key in outside.order_by("pk").values_list("pk", flat=True):
        yield Forgery(f"activity log entry {key}", "in no chain", "an entry that Muster recorded")


def sign_audit(*, trusting: bool) -> int:
    """Sign the ends of all chains that are signed by some key, with the current key.

    With ``trusting``, sign all chains. Return the number of chains that were left unsigned.
    """
    lost = 0
    for number in range(CHAINS):
        with transaction.atomic():
            chain = AuditChain.objects.select_for_update().filter(pk=number).first()
            if trusting and chain is None:
                chain = AuditChain(pk=number)
            if chain is None or not (trusting or chain_is_signed(chain)):
                lost += 1
                continue
            sign_chain(chain)
            chain.save()
    return lost


def _check_chain(number: int) -> Iterator[Forgery]:
    """Yield the forgeries in one chain.

    Each entry is compared with the seal before it, so an edited entry does not invalidate the
    others.
    """
    where = f"chain {number} of the activity log"
    chain = AuditChain.objects.select_for_update().filter(pk=number).first()
    if chain is None:
        yield Forgery(where, "its end is missing", "the end of each chain", SEVERAL)
        chain = AuditChain(pk=number)
    elif not chain_is_signed(chain):
        stored = chain.signature or "no signature"
        yield Forgery(f"end of {where}", stored, "the signature of this installation", SEVERAL)
    place, seal, before = 0, "", f"the start of {where}"
    for key, entry in _entries(number):
        name = f"activity log entry {key}"
        if entry is None:
            yield Forgery(name, "cannot be read", "an entry as Muster recorded it")
            place, seal = place + 1, _stored_seal(key)
            continue
        name = f"{name} ({entry.verb}, {str(entry.at)[:16]})"
        if entry.place is None or entry.place > chain.length or entry.place <= place:
            yield Forgery(name, "inserted", f"the {chain.length} entries of {where}")
            continue
        if entry.place > place + 1:
            # The seal of this entry depends on a missing one, so only the next seal can prove this
            # entry.
            yield _missing(entry.place - place - 1, before)
        elif entry.seal != seal_of(entry, seal):
            yield Forgery(name, "edited", "an entry that fits its seal")
        place, seal, before = entry.place, entry.seal or "", name
    if place < chain.length:
        yield _missing(chain.length - place, before, "" if place else SEVERAL)
    elif seal != chain.seal:
        yield Forgery(f"end of {where}", chain.seal or "no seal", seal or "no seal", SEVERAL)


def _entries(number: int) -> Iterator[tuple[int, AuditEntry | None]]:
    """Yield the entries of a chain in order, with None for those that cannot be read."""
    rows = AuditEntry.objects.filter(chain=number)
    keys = list(rows.exclude(place=None).order_by("place", "pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        try:
            entries = AuditEntry.objects.in_bulk(batch)
        except Exception:
            # SQLite accepts any text in any column: read the other entries one by one.
            entries = {key: entry for key in batch if (entry := _readable(key)) is not None}
        for key in batch:
            yield key, entries.get(key)


def _readable(key: int) -> AuditEntry | None:
    try:
        return AuditEntry.objects.get(pk=key)
    except Exception:
        return None


def _stored_seal(key: int) -> str:
    return AuditEntry.objects.filter(pk=key).values_list("seal", flat=True).first() or ""


def _missing(number: int, before: str, group: str = "") -> Forgery:
    entries = "1 entry" if number == 1 else f"{number} entries"
    return Forgery(f"activity log, after {before}", f"{entries} missing", "", group)


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
