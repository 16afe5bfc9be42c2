"""Check that enrolments match chronicles, and sealed orders their commitments."""

from collections.abc import Iterator
from functools import partial
from uuid import UUID

from campaigns.models import Campaign, Enrolment, SealedOrder
from campaigns.order_seals import opened
from rulebook.dice.committed import commitment
from warbands.models import ChronicleEntry, Warband
from warbands.services.verification import ProjectionMismatch, guarded, keys_of


def check_campaigns() -> Iterator[ProjectionMismatch]:
    """Yield contradictions between enrolments, chronicles, orders and commitments."""
    for model, check in ((Enrolment, _enrolment), (SealedOrder, _order), (Warband, _campaign_of)):
        keys, broken = keys_of(model._default_manager.all())
        yield from broken
        for key in keys:
            yield from guarded(f"{model._meta.verbose_name} {key}", partial(check, key))


def _enrolment(key: UUID) -> Iterator[ProjectionMismatch]:
    """Yield a mismatch if the chronicle of an enrolled warband does not name the campaign.

    One query.
    """
    row = Enrolment.objects.filter(pk=key).select_related("warband", "campaign").first()
    if row is None or row.left_at is not None:
        return
    stored, proper = row.warband.state.get("campaign"), str(row.campaign.pk)
    if stored != proper:
        yield ProjectionMismatch(
            f"enrolment {key}",
            f"in campaign {proper}",
            f"in campaign {stored}, as the chronicle says",
        )


def _campaign_of(key: UUID) -> Iterator[ProjectionMismatch]:
    """Yield a mismatch for each campaign in the warband's chronicle without an enrolment.

    Three queries.
    """
    state = Warband.objects.filter(pk=key).values_list("state", flat=True).first()
    campaign = (state or {}).get("campaign")
    if campaign and not Enrolment.objects.current().filter(warband=key, campaign=campaign).exists():
        yield ProjectionMismatch(
            f"warband {key}: enrolment", "none", f"in campaign {campaign}, as the chronicle says"
        )
    # Cancelled campaigns no longer exist, and imported facts name campaigns of another
    # installation.
    entered = ChronicleEntry.objects.filter(
        warband=key, kind="enrolled", recorded_as__isnull=True
    ).values("subject")
    enrolled = Enrolment.objects.filter(warband=key).values("campaign")
    for lost in (
        Campaign.objects.filter(pk__in=entered)
        .exclude(pk__in=enrolled)
        .values_list("pk", flat=True)
    ):
        yield ProjectionMismatch(
            f"warband {key}: enrolment", "none", f"one in campaign {lost}, as the chronicle says"
        )


def _order(key: UUID) -> Iterator[ProjectionMismatch]:
    """Yield a mismatch if the text of an order is not that of its commitment. One query.

    Checks the sealed text, and the published text once the order is revealed.
    """
    order = SealedOrder.objects.filter(pk=key).first()
    if order is None:
        return
    texts = {"under the seal": opened(order.sealed).text}
    if order.revealed_at is not None:
        texts["of the open order"] = order.text
    for what, text in texts.items():
        if commitment(text) != order.commitment:
            yield ProjectionMismatch(
                f"sealed order {key}: text {what}", "another one", "that of its commitment"
            )
