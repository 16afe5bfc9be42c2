"""Number committed changes, for programs that read on from the last one they have seen."""

from django.db import transaction

from audit.models import Change, ChangeCounter

MOST = 500
"""The most changes that one run numbers."""


@transaction.atomic
def number_changes() -> list[Change]:
    """Give the next numbers to committed changes that have none, and return them with entries.

    At most ``MOST``, in the order in which they were recorded. Four queries, two if there are none.
    """
    # One run at a time, until its transaction ends. A higher number is therefore never visible
    # before a lower one, and a reader who continues after a number misses nothing. Whatever
    # commits later gets a higher number, even if its entry has a lower id.
    counter = ChangeCounter.objects.select_for_update().filter(pk=1).first()
    if counter is None:
        ChangeCounter.objects.get_or_create(pk=1)
        counter = ChangeCounter.objects.select_for_update().get(pk=1)
    # By the id: "entry" alone would mean the order of entries in lists, which is newest first.
    waiting = Change.objects.filter(cursor=None).select_related("entry").order_by("entry_id")
    changes = list(waiting[:MOST])
    if not changes:
        return []
    for number, change in enumerate(changes, counter.last + 1):
        change.cursor = number
    Change.objects.bulk_update(changes, ["cursor"])
    counter.last += len(changes)
    counter.save(update_fields=["last"])
    return changes
