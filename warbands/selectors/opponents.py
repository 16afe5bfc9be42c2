"""Whom a fighter can be measured against, and who is in a battle: choices for the questions about two."""

from collections.abc import Sequence
from itertools import groupby

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef
from msgspec import Struct

from campaigns.models import Enrolment
from warbands.models import Fighter, Warband

MOST_WARBANDS = 40
"""So many warbands are offered: those of the same campaign; outside one, its player's others first, then by name."""
GONE = ("dead", "retired")


class Party(Struct, frozen=True):
    """A warband's members to choose from: their ids as text, and their names."""

    name: str
    members: tuple[tuple[str, str], ...]


def opponents_of(fighter: Fighter, user: User | AnonymousUser, chosen: Fighter | None = None) -> tuple[Party, ...]:
    """Those whom a reader may measure a fighter against, by warband; whoever is chosen already is always among them.

    Nobody of its own warband is, and in a campaign nobody who is in none or in another.
    Two queries, whatever the number of warbands; ``warband`` should be selected with the fighter.
    """
    warbands = _nearest(fighter.warband, user)
    rows = Fighter.objects.filter(warband__in=warbands).exclude(fate__in=GONE)
    told = rows.order_by("warband", "place", "id").values_list("warband_id", "pk", "name")
    by_warband = {
        warband: tuple((str(key), name) for _, key, name in members)
        for warband, members in groupby(told, key=lambda row: row[0])
    }
    parties = (Party(warband.name, by_warband[warband.pk]) for warband in warbands if warband.pk in by_warband)
    return _with(chosen, tuple(parties))


def _nearest(warband: Warband, user: User | AnonymousUser) -> Sequence[Warband]:
    rows = Warband.objects.listed_for(user).filter(
        ruleset=warband.ruleset, edition=warband.edition, archived_at__isnull=True
    )
    rows = rows.exclude(pk=warband.pk)
    if campaign := warband.state.get("campaign"):
        together = Enrolment.objects.current().filter(warband=OuterRef("pk"), campaign=campaign)
        rows = rows.filter(Exists(together))
    own = Exists(Warband.objects.filter(pk=OuterRef("pk"), owner=user.pk, owner__isnull=False))
    return list(rows.annotate(own=own).order_by("-own", "name", "id")[:MOST_WARBANDS])


def _with(chosen: Fighter | None, parties: tuple[Party, ...]) -> tuple[Party, ...]:
    if chosen is None or any(str(chosen.pk) == key for party in parties for key, _ in party.members):
        return parties
    return (Party(chosen.warband.name, ((str(chosen.pk), chosen.name),)), *parties)
