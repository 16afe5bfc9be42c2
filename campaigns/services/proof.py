"""Proving what the rows of campaigns say of each other: enrolments and chronicles, sealed orders
and commitments."""

from collections.abc import Iterator
from functools import partial
from uuid import UUID

from campaigns.models import Campaign, Enrolment, SealedOrder
from campaigns.order_seals import opened
from rulebook.dice.committed import commitment
from warbands.models import ChronicleEntry, Warband
from warbands.services.verification import ProjectionMismatch, guarded, keys_of


def check_campaigns() -> Iterator[ProjectionMismatch]:
    """What enrolments say and chronicles do not, or the other way round, and orders that were
    exchanged."""
    for model, check in ((Enrolment, _enrolment), (SealedOrder, _order), (Warband, _campaign_of)):
        keys, broken = keys_of(model._default_manager.all())
        yield from broken
        for key in keys:
            yield from guarded(f"{model._meta.verbose_name} {key}", partial(check, key))


def _enrolment(key: UUID) -> Iterator[ProjectionMismatch]:
    """Whether the chronicle of a warband says that it is in the campaign, as long as it is. One
    query."""
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
    """Whether a warband is, or was, enrolled in the campaigns that its chronicle names. Three
    queries."""
    state = Warband.objects.filter(pk=key).values_list("state", flat=True).first()
    campaign = (state or {}).get("campaign")
    if campaign and not Enrolment.objects.current().filter(warband=key, campaign=campaign).exists():
        yield ProjectionMismatch(
            f"warband {key}: enrolment", "none", f"in campaign {campaign}, as the chronicle says"
        )
    # A campaign that was cancelled is gone, and what was elsewhere has stayed there.
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
    """Whether the text of an order, under its seal and once it is open, is that of its commitment.
    One query."""
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
