"""The content of certificates: for the champion of a campaign, and for the holders of honours."""

from collections.abc import Collection, Iterator

from django.utils.translation import gettext
from msgspec.structs import replace

from campaigns.models import Campaign
from core.errors import InvalidInput
from documents.content.campaign_history import honours
from documents.content.campaign_people import CampaignPeople, campaign_people
from documents.content.documents import AwardedTo, Certificates
from documents.content.labels import label
from documents.content.lives import champions_of
from documents.content.people import place_of
from documents.content.records import records
from documents.models import DocumentOption
from warbands.models import Warband


def certificate_content(campaign: Campaign, options: Collection[str] = ()) -> Certificates:
    """Return the certificates of a campaign's champion and, if chosen, of the holders of honours.

    At most 18 queries. ``campaign.club`` should be selected with the campaign. Raises InvalidInput
    (`nothing-to-print`) if the campaign is not over, or nobody has earned a certificate.
    """
    people = campaign_people(campaign, stories=False)
    if not people.over:
        sentence = gettext("No certificates yet. Finish the campaign first.")
        raise InvalidInput("nothing-to-print", sentence, field="subject")
    champions = tuple(_champions(people))
    with_honours = DocumentOption.HONOURS in options
    awards = (*champions, *(_honours(people, campaign) if with_honours else ()))
    if not awards:
        sentence = (
            gettext("Nobody won this campaign, and nobody holds an honour.")
            if with_honours
            else gettext("Nobody won this campaign. You can print the honours instead.")
        )
        raise InvalidInput("nothing-to-print", sentence, field="subject")
    days = [each.battle.fought_on.isoformat() for each in people.fought]
    entries = (chronicle.last_entry_at for chronicle in people.chronicles.values())
    moments = [campaign.created_at, campaign.finished_at, *entries]
    return Certificates(
        title=campaign.name,
        subtitle=gettext("Certificate"),
        dated=max(moment.date().isoformat() for moment in moments if moment),
        ruleset=people.rolls.rules.name,
        club=campaign.club.name,
        words=label(people.rolls.rules, campaign.house_rules),
        awards=awards,
        began=min(days, default=""),
        ended=max(days, default=""),
        shared=len(champions) > 1,
        crest=people.rolls.pictures.of(campaign.club_id),
    )


def _champions(people: CampaignPeople) -> Iterator[AwardedTo]:
    keys = champions_of(people.table, people.won)
    for warband in people.warbands:
        if warband.pk in keys:
            yield _award(people, warband)


def _honours(people: CampaignPeople, campaign: Campaign) -> Iterator[AwardedTo]:
    """Yield a certificate for each fighter who holds an honour of the book.

    Those of battles are nobody's.
    """
    # Everybody has a place here, by which the holders of an honour are found again.
    rolls = replace(people.rolls, places=frozenset(people.rolls.people))
    of_places = {place_of(key): each for key, each in rolls.people.items()}
    words = label(rolls.rules, campaign.house_rules)
    for honour in (*honours(rolls), *records(rolls, words, ())):
        for holder in honour.holders:
            of = of_places[holder.at]
            yield replace(
                _award(people, of.warband),
                name=holder.name,
                warband=of.warband.name,
                honour=honour.label,
                count=honour.count,
                against=holder.against,
            )


def _award(people: CampaignPeople, warband: Warband) -> AwardedTo:
    player = people.rolls.players[warband.pk]
    return AwardedTo(
        name=warband.name,
        player=player.name,
        colour=player.colour,
        arms=str(warband.pk),
        crest=people.rolls.pictures.of(warband.pk),
    )
