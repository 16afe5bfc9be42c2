"""Reopen a finished campaign: undo everything that its end did, as far as possible."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct

from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign, CampaignState, Enrolment
from campaigns.services.permissions import organised_campaign
from core.errors import InvalidInput
from core.ruleset_words import state_label
from rulebook.chronicle.facts import Corrected
from warbands.models import ChronicleEntry, Warband
from warbands.news import announce
from warbands.services.chronicle import correct_facts, preview_corrections
from warbands.services.locking import lock_warbands
from warbands.services.rank_up_offers import queue_offers
from warbands.signed import save_signed, update_signed


class Returning(Struct, frozen=True, kw_only=True):
    """A warband that played to the campaign's end, and whether it returns.

    ``stays_out`` is "" for one that returns, else "elsewhere", "archived", "player-left" or
    "conflict"; ``sentence`` is the reason for users.
    """

    enrolment: UUID
    warband: UUID
    name: str
    stays_out: str = ""
    sentence: str = ""


class Reopening(Struct, frozen=True):
    """The effect of reopening a campaign: which warbands return, and which do not."""

    warbands: tuple[Returning, ...]

    @property
    def staying_out(self) -> tuple[Returning, ...]:
        """The warbands that do not return."""
        return tuple(each for each in self.warbands if each.stays_out)


@transaction.atomic
def preview_reopening(*, campaign_id: UUID, user: User) -> Reopening:
    """Return which warbands would return to a finished campaign. Writes nothing.

    Raises the errors of ``reopen_campaign``.
    """
    campaign = _finished(campaign_id, user)
    return _reopening(campaign, user)[0]


@transaction.atomic
def reopen_campaign(*, campaign_id: UUID, user: User, version: int | None = None) -> Campaign:
    """Reopen the campaign with the warbands that played to its end.

    Their withdrawals are removed from their chronicles by corrections, so that they continue as if
    the campaign had never ended. A warband stays out, with its past battles kept, if it has entered
    another campaign, is archived, or its player has left the club. Raises NotFound, Forbidden,
    StateConflict "stale-version", InvalidInput "not-finished".
    """
    campaign = _finished(campaign_id, user, version)
    reopening, facts = _reopening(campaign, user)
    correct_facts(facts, user=user)
    back = [each.enrolment for each in reopening.warbands if not each.stays_out]
    update_signed(Enrolment.objects.filter(pk__in=back), left_at=None)
    campaign.state, campaign.finished_at, campaign.reopened_at = (
        CampaignState.RUNNING,
        None,
        timezone.now(),
    )
    campaign.version += 1
    save_signed(campaign, "state", "finished_at", "reopened_at", "version")
    queue_offers([*facts])
    record(Verb.CAMPAIGN_REOPENED, campaign, user=user, club=campaign.club_id, campaign=campaign.pk)
    announce("campaign", campaign.pk)
    return campaign


def _finished(campaign_id: UUID, user: User, version: int | None = None) -> Campaign:
    campaign = organised_campaign(campaign_id, user, version)
    if campaign.state != CampaignState.FINISHED:
        sentence = gettext("You can only reopen a campaign that has ended. This one is %(state)s.")
        raise InvalidInput(
            "not-finished", sentence % {"state": state_label(campaign.state)}, field="state"
        )
    return campaign


def _reopening(campaign: Campaign, user: User) -> tuple[Reopening, dict[UUID, Corrected]]:
    """Return the preview, and the corrections of the warbands that return.

    Locks the warbands, so that none of them can enter another campaign meanwhile. Takes a fixed
    number of queries.
    """
    rows = campaign.enrolments.filter(left_at=campaign.finished_at).select_related(
        "warband", "player"
    )
    enrolments = list(rows.order_by("enrolled_at", "pk"))
    warbands = lock_warbands(row.warband_id for row in enrolments)
    elsewhere = _elsewhere(warbands)
    places = _places_of_leaving(campaign, warbands)
    reason = gettext("Campaign reopened.")
    facts = {
        row.warband_id: Corrected(target=places[row.warband_id], reason=reason)
        for row in enrolments
        if row.warband_id in places and row.warband_id not in elsewhere
    }
    previews = preview_corrections(facts)
    conflicts = {
        key: preview.new_conflicts[0].sentence
        for key, preview in previews.items()
        if preview.new_conflicts
    }
    seen = set(
        Campaign.objects.visible_to(user).filter(pk__in=[each.pk for each in elsewhere.values()])
    )
    returning = tuple(
        _returning(
            row,
            warbands[row.warband_id],
            elsewhere.get(row.warband_id),
            seen,
            conflicts.get(row.warband_id),
        )
        for row in enrolments
    )
    staying = {each.warband for each in returning if each.stays_out}
    return Reopening(returning), {key: fact for key, fact in facts.items() if key not in staying}


def _elsewhere(warbands: Iterable[UUID]) -> dict[UUID, Campaign]:
    """Return the campaigns that these warbands are in now. One query."""
    rows = Enrolment.objects.current().filter(warband__in=[*warbands]).select_related("campaign")
    return {row.warband_id: row.campaign for row in rows}


def _places_of_leaving(campaign: Campaign, warbands: Mapping[UUID, Warband]) -> dict[UUID, int]:
    """Return the place in its chronicle where each warband last left the campaign. One query."""
    rows = ChronicleEntry.objects.filter(
        warband__in=[*warbands], kind="withdrawn", subject=campaign.pk
    )
    return dict(rows.order_by().values_list("warband").annotate(last=Max("sequence")))


def _returning(
    row: Enrolment,
    warband: Warband,
    elsewhere: Campaign | None,
    seen: Iterable[Campaign],
    conflict: str | None,
) -> Returning:
    why, sentence = "", ""
    if elsewhere is not None:
        where = elsewhere.name if elsewhere in seen else gettext("another campaign")
        why, sentence = (
            "elsewhere",
            gettext("It has entered %(where)s.") % {"where": where},
        )
    elif warband.archived_at is not None:
        why, sentence = "archived", gettext("It is archived.")
    elif row.player.left_at is not None:
        why, sentence = "player-left", gettext("Its player has left the club.")
    elif conflict is not None:
        why, sentence = "conflict", conflict
    return Returning(
        enrolment=row.pk,
        warband=row.warband_id,
        name=warband.name,
        stays_out=why,
        sentence=sentence,
    )
