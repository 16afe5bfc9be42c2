"""The content of a link card: a campaign, club, warband or fighter as a picture in a chat.

It has only what strangers may read on the page that it stands for.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext, npgettext
from msgspec import Struct

from battles.models import Battle, BattleState
from battles.selectors.standings import standings
from campaigns.models import Campaign, Enrolment
from clubs.models import Club
from core.ruleset_words import rules_text
from documents.content.structs import PrintedPicture
from documents.content.visible_pictures import album
from pictures.subjects import PictureKind
from rulebook.registry import find_ruleset
from rulebook.ruleset import Fate
from warbands.models import Fighter, Warband
from warbands.rulebook_values import faction_name, ruleset_of_warband
from warbands.selectors.access import latest_colour


class LinkSubject(StrEnum):
    """The subject of a link card."""

    CAMPAIGN = "campaign"
    CLUB = "club"
    WARBAND = "warband"
    FIGHTER = "fighter"


class CardFigure(Struct, frozen=True):
    """A number with its label."""

    value: str
    label: str


class LinkCard(Struct, frozen=True, kw_only=True):
    """A link card. ``kicker`` is above the title, ``line`` below the figures.

    The arms of ``arms_name`` are drawn in ``colour``, unless ``crest`` is an uploaded picture. They
    follow from ``arms``, or from the name if it is "".
    """

    title: str
    kicker: str
    foot: str
    figures: tuple[CardFigure, ...] = ()
    line: str = ""
    arms_name: str = ""
    colour: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None
    dated: str = ""

    @property
    def subtitle(self) -> str:
        """The text after the title in the picture's metadata."""
        return self.kicker

    @property
    def ruleset(self) -> str:
        """The keyword of the document."""
        return self.foot


def link_card(subject: LinkSubject, key: UUID) -> LinkCard | None:
    """Return the card of a row, in the active language; None if strangers may not see the row.

    Eight queries at most.
    """
    rows, maker = MAKERS[subject]
    row = rows().filter(pk=key).first()
    return None if row is None else maker(row)


def _campaign(campaign: Campaign) -> LinkCard:
    counted = Battle.objects.filter(campaign=campaign, state=BattleState.CONFIRMED).count()
    warbands = Enrolment.objects.filter(campaign=campaign, left_at=None).count()
    table = standings(campaign).rows if counted else ()
    best = table[0] if table else None
    line = ""
    if best is not None and not best.shared and best.points:
        text = ngettext(
            "1st: %(name)s, %(points)s point", "1st: %(name)s, %(points)s points", best.points
        )
        line = text % {"name": best.name, "points": best.points}
    open_club = Club.objects.visible_to(AnonymousUser()).filter(pk=campaign.club_id).exists()
    return LinkCard(
        title=campaign.name,
        kicker=campaign.club.name,
        foot=find_ruleset(campaign.ruleset, campaign.edition).name,
        figures=(
            CardFigure(str(warbands), npgettext("below a number", "Warband", "Warbands", warbands)),
            _battles(counted),
        ),
        line=line,
        arms_name=campaign.club.name,
        crest=_crest(PictureKind.CLUB, campaign.club_id) if open_club else None,
    )


def _club(club: Club) -> LinkCard:
    campaigns = Campaign.objects.listed_for(AnonymousUser()).filter(club=club)
    battles = Battle.objects.filter(campaign__in=campaigns, state=BattleState.CONFIRMED).count()
    number = campaigns.count()
    running = campaigns.running().order_by("-created_at", "pk").first()
    return LinkCard(
        title=club.name,
        kicker=gettext("Club"),
        foot=gettext("Campaigns and club nights"),
        figures=(
            CardFigure(str(number), npgettext("below a number", "Campaign", "Campaigns", number)),
            _battles(battles),
        ),
        line=running.name if running else "",
        arms_name=club.name,
        crest=_crest(PictureKind.CLUB, club.pk),
    )


def _warband(warband: Warband) -> LinkCard:
    figures = [
        CardFigure(str(warband.state.get(key, 0)), label)
        for key, label in (
            ("won", gettext("Won")),
            ("drawn", gettext("Drawn")),
            ("lost", gettext("Lost")),
        )
    ]
    fighters = warband.fighter_count
    label = npgettext("below a number", "Fighter", "Fighters", fighters)
    figures.append(CardFigure(str(fighters), label))
    if warband.shown.points:
        figures.append(_points(warband.points))
    return LinkCard(
        title=warband.name,
        kicker=rules_text(faction_name(warband)),
        foot=ruleset_of_warband(warband).name,
        figures=tuple(figures),
        line=_place(warband),
        arms_name=warband.name,
        colour=_colour(warband.pk),
        arms=str(warband.pk),
        crest=_crest(PictureKind.WARBAND, warband.pk),
    )


def _fighter(fighter: Fighter) -> LinkCard:
    warband, shown = fighter.warband, fighter.warband.shown
    profile = rules_text(fighter.profile_name)
    name = fighter.name or profile
    figures = []
    if shown.ranks:
        figures.append(CardFigure(str(fighter.rank), gettext("Rank")))
    figures.append(_battles(fighter.battles))
    if shown.points:
        figures.append(_points(fighter.points))
    return LinkCard(
        title=f"† {name}" if fighter.fate == Fate.DEAD else name,
        kicker=warband.name,
        foot=ruleset_of_warband(warband).name,
        figures=tuple(figures),
        line=profile if fighter.name else "",
        arms_name=warband.name,
        colour=_colour(warband.pk),
        arms=str(warband.pk),
        crest=_crest(PictureKind.FIGHTER, fighter.pk) or _crest(PictureKind.WARBAND, warband.pk),
    )


def _battles(number: int) -> CardFigure:
    return CardFigure(str(number), npgettext("below a number", "Battle", "Battles", number))


def _points(number: int) -> CardFigure:
    return CardFigure(number_format(number, force_grouping=True), gettext("Points"))


def _place(warband: Warband) -> str:
    """Return the place of a warband in its campaign, if strangers may see that; else ""."""
    visible = Campaign.objects.visible_to(AnonymousUser())
    enrolment = (
        Enrolment.objects.filter(warband=warband, left_at=None, campaign__in=visible)
        .select_related("campaign")
        .first()
    )
    if enrolment is None:
        return ""
    rows = standings(enrolment.campaign).rows
    row = next((each for each in rows if each.warband == warband.pk), None)
    if row is None or not row.points:
        return enrolment.campaign.name
    text = gettext("Place %(position)s of %(number)s in %(campaign)s")
    campaign = enrolment.campaign.name
    return text % {"position": row.position, "number": len(rows), "campaign": campaign}


def _colour(warband: UUID) -> str:
    rows = Warband.objects.filter(pk=warband).order_by().annotate(colour=latest_colour())
    return str(rows.values_list("colour", flat=True).first() or "")


def _crest(kind: PictureKind, key: UUID) -> PrintedPicture | None:
    return album({kind: [key]}).of(key)


MAKERS: dict[LinkSubject, tuple[Callable[[], QuerySet[Any]], Callable[[Any], LinkCard]]] = {
    LinkSubject.CAMPAIGN: (
        lambda: Campaign.objects.visible_to(AnonymousUser()).select_related("club"),
        _campaign,
    ),
    LinkSubject.CLUB: (lambda: Club.objects.visible_to(AnonymousUser()), _club),
    LinkSubject.WARBAND: (lambda: Warband.objects.visible_to(AnonymousUser()), _warband),
    LinkSubject.FIGHTER: (
        lambda: Fighter.objects.filter(
            warband__in=Warband.objects.visible_to(AnonymousUser())
        ).select_related("warband"),
        _fighter,
    ),
}
"""By subject: the rows that strangers may see, and the maker of a row's card."""
