"""The opponents of a warband in a one-off battle, and of a fighter for odds."""

from collections.abc import Sequence
from itertools import groupby
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, Exists, OuterRef, Q, When
from django.utils.translation import gettext, ngettext
from msgspec import Struct

from campaigns.models import Enrolment
from core.display_names import display_name
from core.queries import ids_of_any
from core.users import User
from rulebook.registry import RULESETS, system_name
from rulebook.ruleset import Ruleset
from warbands.models import Fighter, Warband

MAX_WARBANDS = 40
"""The maximum number of warbands that are offered.

Warbands of the same campaign; outside a campaign the player's own first, then by name.
"""
GONE = ("dead", "retired")


class Party(Struct, frozen=True):
    """A warband's members to choose from: their ids as text, and their names."""

    name: str
    members: tuple[tuple[str, str], ...]


def opponents_of(
    fighter: Fighter, user: User | AnonymousUser, chosen: Fighter | None = None
) -> tuple[Party, ...]:
    """Return the fighters that a reader can compare with this fighter, by warband.

    Fighters of the same warband are left out, and in a campaign those of warbands outside it.
    ``chosen`` is always included. Two queries, whatever the number of warbands; ``warband`` should
    be selected with the fighter.
    """
    warbands = _nearest(fighter.warband, user)
    rows = Fighter.objects.filter(warband__in=warbands).exclude(fate__in=GONE)
    fighter_rows = rows.order_by("warband", "place", "id").values_list("warband_id", "pk", "name")
    by_warband = {
        warband: tuple((str(key), name) for _, key, name in members)
        for warband, members in groupby(fighter_rows, key=lambda row: row[0])
    }
    parties = (
        Party(warband.name, by_warband[warband.pk])
        for warband in warbands
        if warband.pk in by_warband
    )
    return _with(chosen, tuple(parties))


def _nearest(warband: Warband, user: User | AnonymousUser) -> Sequence[Warband]:
    rows = Warband.objects.listed_for(user).filter(
        ruleset=warband.ruleset, edition=warband.edition, archived_at__isnull=True
    )
    rows = rows.exclude(pk=warband.pk)
    if campaign := warband.state.get("campaign"):
        together = Enrolment.objects.current().filter(warband=OuterRef("pk"), campaign=campaign)
        rows = rows.filter(Exists(together))
    is_own = Exists(Warband.objects.filter(pk=OuterRef("pk"), owner=user.pk, owner__isnull=False))
    return list(rows.annotate(own=is_own).order_by("-own", "name", "id")[:MAX_WARBANDS])


def _with(chosen: Fighter | None, parties: tuple[Party, ...]) -> tuple[Party, ...]:
    if chosen is None or any(
        str(chosen.pk) == key for party in parties for key, _ in party.members
    ):
        return parties
    return (Party(chosen.warband.name, ((str(chosen.pk), chosen.name),)), *parties)


MAX_OFFERED = 300
MAX_EXCLUDED = 100
STEP = 50
"""Points limits are suggested in steps of this number of points."""


class Opponent(Struct, frozen=True, kw_only=True):
    """A warband for a one-off battle, with only those data of a private warband that may be shown.

    ``points`` is None if its rule system has none. ``in_campaign`` says that the battle will be
    friendly. ``reason`` says why it cannot be chosen, "" if it can.
    """

    warband: UUID
    name: str
    player: str
    ruleset: str
    ruleset_name: str
    points: int | None
    yours: bool
    in_campaign: bool
    reason: str = ""

    @property
    def in_a_choice(self) -> str:
        """Its label in a list of choices."""
        parts = [self.name, *([self.player] if self.player and not self.yours else [])]
        if self.points is not None:
            count = ngettext("%(points)s point", "%(points)s points", self.points)
            parts.append(count % {"points": self.points})
        return ", ".join(parts)


class Opponents(Struct, frozen=True):
    """The warbands that a one-off battle can be planned with, and those that cannot be chosen.

    The user's own come first.
    """

    offered: tuple[Opponent, ...]
    excluded: tuple[Opponent, ...]

    @property
    def own(self) -> tuple[Opponent, ...]:
        """The user's own warbands."""
        return tuple(each for each in self.offered if each.yours)

    @property
    def others(self) -> tuple[Opponent, ...]:
        """The warbands of other players."""
        return tuple(each for each in self.offered if not each.yours)


def opponents(user: User, rules: Ruleset) -> Opponents:
    """Return the warbands for a one-off battle of a rule system, and those that cannot be chosen.

    The user's own come first, then those of club mates, then public ones. Two queries.
    """
    mine = Q(owner=user) | Q(keeper=user)
    rows = Warband.objects.select_related("owner", "keeper").defer("story")
    here = rows.filter(ruleset=rules.key, archived_at=None)
    near = ids_of_any(Warband.objects.listed_for(user), Warband.objects.of_club_mates(user))
    listed = here.filter(pk__in=near)
    of_mates = Q(pk__in=Warband.objects.of_club_mates(user).values("pk"))
    nearness = Case(When(mine, then=0), When(of_mates, then=1), default=2)
    offered = listed.alias(nearness=nearness).order_by("nearness", "name", "pk")[:MAX_OFFERED]
    # Only its owner sees an archived warband.
    elsewhere = ~Q(ruleset=rules.key) & Q(archived_at=None) & (mine | of_mates)
    put_away = Q(archived_at__isnull=False) & mine
    near = ids_of_any(Warband.objects.filter(mine), Warband.objects.of_club_mates(user))
    excluded = rows.filter(elsewhere | put_away, pk__in=near).order_by("name", "pk")[:MAX_EXCLUDED]
    return Opponents(
        tuple(_opponent(row, user) for row in offered),
        tuple(_opponent(row, user, reason=_reason(row)) for row in excluded),
    )


def own_system(user: User) -> str:
    """Return the key of the rule system of the user's newest warband, otherwise the first of all.

    One query.
    """
    mine = Warband.objects.filter(
        Q(owner=user) | Q(keeper=user), archived_at=None, ruleset__in=RULESETS
    )
    return mine.order_by("-created_at").values_list("ruleset", flat=True).first() or next(
        iter(RULESETS)
    )


def suggested_limit(met: Opponents) -> int | None:
    """Return the points limit that a form starts with, so that the user's first warband fits.

    None if nothing has points.
    """
    points = met.own[0].points if met.own else None
    return -(-points // STEP) * STEP if points else None


def _opponent(row: Warband, user: User, reason: str = "") -> Opponent:
    return Opponent(
        warband=row.pk,
        name=row.name,
        player=display_name(row.owner or row.keeper),
        ruleset=row.ruleset,
        ruleset_name=system_name(row.ruleset),
        points=row.points if row.shown.points else None,
        yours=user.pk in (row.owner_id, row.keeper_id),
        in_campaign=row.state.get("campaign") is not None,
        reason=reason,
    )


def _reason(row: Warband) -> str:
    """Return why a warband of the user or of a club mate cannot be chosen."""
    if row.archived_at is not None:
        return gettext("In your archive")
    return gettext("Uses the rules of %(system)s") % {"system": system_name(row.ruleset)}
