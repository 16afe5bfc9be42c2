"""Seal copied clubs, whose ids differ from the template's, and prove them."""

from django.core.management import call_command
from django.db import connection, transaction

from audit.chains import extend_chain
from audit.models import AuditChain, AuditEntry
from rulebook.chronicle.facts import FIRST_SEAL
from warbands.models import ChronicleEntry, Warband
from warbands.services.chronicle import seal_of


def prove_copies() -> None:
    """Seal and sign everything, and run `check_chronicle`.

    Raises CommandError with what is wrong.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # Chronicle and activity log only grow: triggers refuse changes.
        cursor.execute("SET LOCAL session_replication_role = replica")
        _seal()
    call_command("sign_chronicles", verbosity=0)
    call_command("check_chronicle", verbosity=0)


def _seal() -> None:
    for warband in Warband.objects.prefetch_related("chronicle"):
        seal = FIRST_SEAL
        for entry in sorted(warband.chronicle.all(), key=lambda each: each.sequence):
            before, seal = seal, seal_of(entry, seal)
            ChronicleEntry.objects.filter(pk=entry.pk).update(previous_seal=before, seal=seal)
        Warband.objects.filter(pk=warband.pk).update(head_seal=seal)
    for chain in AuditChain.objects.all():
        chain.length, chain.seal = 0, ""
        entries = list(AuditEntry.objects.filter(chain=chain.pk).order_by("place"))
        extend_chain(chain, entries)
        AuditEntry.objects.bulk_update(entries, ["place", "seal"])
        chain.save()
