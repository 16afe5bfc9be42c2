"""A warband as its page, its document and the API show it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext
from msgspec import Struct

from core.display_names import display_name
from core.ruleset_words import translated_words
from core.users import Visibility
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.ruleset import (
    BattleSetup,
    FieldedFighter,
    FieldedSide,
    Group,
    PriceLine,
    Problem,
    RosterFigure,
    RosterPurpose,
    RosterTotals,
    RulesError,
    Ruleset,
    SetUpLine,
    Severity,
    VisibleNumbers,
    Words,
)
from rulebook.values.described import closed
from warbands.links import CampaignLink, campaign_links
from warbands.models import Fighter, Warband
from warbands.rulebook_values import faction_name, read_state, ruleset_of_warband, warband_state
from warbands.selectors.access import WarbandPermissions, rights_of
from warbands.selectors.fighter_card import FighterCard, cards_of, fighter_card
from warbands.selectors.roster_sections import Section, sections


class ProblemList(Struct, frozen=True):
    """The problems of a roster. A roster without problems is legal."""

    points: int
    sequence: int
    problems: tuple[Problem, ...]


class Recruits(Struct, frozen=True):
    """New fighters, and the roster with them."""

    fighters: tuple[FighterCard, ...]
    points: int
    sequence: int
    problems: tuple[Problem, ...]


def problem_list(warband: Warband) -> ProblemList:
    """Return the problems of a warband's roster. One query."""
    problems = problems_of(ruleset_of_warband(warband), warband, read_state(warband))
    return ProblemList(warband.points, warband.sequence, problems)


def problems_of(rules: Ruleset, warband: Warband, state: WarbandState) -> tuple[Problem, ...]:
    """Return the problems of a roster, as one that is being built or one that is in play."""
    purpose = RosterPurpose.CARRY_ON if warband.locked else RosterPurpose.BUILD
    return (*rules.roster_problems(state.roster, purpose), *_debts(state))


def _debts(state: WarbandState) -> Iterator[Problem]:
    """Yield a warning for each fighter that has spent more experience than it has.

    This happens after a correction that keeps later rank-ups. The fighter need not pay it
    back.
    """
    for fighter in state.fighters.values():
        if fighter.experience < 0 and not fighter.gone:
            sentence = gettext(
                "%(fighter)s has %(experience)s experience: after a correction, more is spent than "
                "earned."
            ) % {"fighter": fighter.name, "experience": fighter.experience}
            yield Problem("experience-overspent", sentence, Severity.WARNS, (fighter.id,))


def roster_cards(warband: Warband, rows: Iterable[Fighter]) -> tuple[FighterCard, ...]:
    """Return the cards of some of a warband's fighters, in the order of the rows.

    One query besides the one for the rows.
    """
    state, rules = read_state(warband), ruleset_of_warband(warband)
    return tuple(fighter_card(rules, state, state.fighters[str(row.pk)], row) for row in rows)


def recruits_page(warband: Warband, joined: Sequence[UUID]) -> Recruits:
    """Return the new fighters in the order of these ids, and the roster's problems. Two queries."""
    fighters = Fighter.objects.select_related("rank_up_offer").in_bulk(joined)
    rows = [fighters[pk] for pk in joined]
    state, rules = read_state(warband), ruleset_of_warband(warband)
    return Recruits(
        fighters=tuple(
            fighter_card(rules, state, state.fighters[str(row.pk)], row) for row in rows
        ),
        points=warband.points,
        sequence=warband.sequence,
        problems=problems_of(rules, warband, state),
    )


class PostPage(Struct, frozen=True):
    """A post of a warband with the ids of its holders, at most ``most``.

    Posts that are ``open`` can be filled now.
    """

    key: str
    name: str
    most: int
    open: bool
    holders: tuple[UUID, ...]


class WarbandPage(Struct, frozen=True):
    """Everything that a warband's page shows.

    ``points`` include what was ``bought`` as a whole, ``assets`` name the crews of the purchases;
    ``experience`` is the total that its fighters ever earned; ``sources`` names the rules for these
    sums by field, ``figures`` are sums that only its rule system knows. ``locked`` rosters are in
    play. Send ``sequence`` with a change: it is refused if someone else changed the warband first.
    """

    id: UUID
    name: str
    story: str
    ruleset: str
    ruleset_name: str
    edition: str
    words: Words
    faction: str
    faction_name: str
    owner: str
    keeper: str
    visibility: Annotated[str, closed("Visibility", Visibility)]
    archived: bool
    created_at: datetime
    sequence: int
    locked: bool
    campaign: CampaignLink | None
    house_rules: Mapping[str, Any]
    agreed_points: int | None
    points: int
    bought: tuple[PriceLine, ...]
    assets: tuple[SetUpLine, ...]
    extras: Mapping[str, Any]
    experience: int
    fighters_serving: int
    games_played: int
    won: int
    drawn: int
    lost: int
    figures: tuple[RosterFigure, ...]
    sources: Mapping[str, str]
    posts: tuple[PostPage, ...]
    groups: tuple[Group, ...]
    shown: VisibleNumbers
    rank_ups_waiting: int
    problems: tuple[Problem, ...]
    fighters: tuple[FighterCard, ...]
    rights: WarbandPermissions

    @property
    def sections(self) -> tuple[Section[FighterCard], ...]:
        """The cards of the fighters that are not gone, group by group."""
        return sections(self.groups, (each for each in self.fighters if not each.gone))

    @property
    def numbers(self) -> tuple[tuple[str, str, str], ...]:
        """The columns for profiles' numbers in a roster's list: key, label and abbreviation."""
        numbers = (
            number for each in self.fighters if each.sheet for number in each.sheet.characteristics
        )
        return tuple(
            {
                number.key: (number.key, number.label, number.abbreviation) for number in numbers
            }.values()
        )

    @property
    def list_columns(self) -> int:
        """The number of columns in a list of the roster."""
        shown = (self.shown.ranks, self.shown.experience, self.shown.points)
        return len(self.numbers) + 4 + sum(shown)

    @property
    def departed(self) -> tuple[FighterCard, ...]:
        """The cards of the fighters that are gone."""
        return tuple(each for each in self.fighters if each.gone)


def warband_page(
    warband: Warband, user: User | AnonymousUser, rights: WarbandPermissions | None = None
) -> WarbandPage:
    """Return the page of a warband for this reader.

    Three queries, whatever the number of fighters, or two with the reader's ``rights``; select
    ``owner`` and ``keeper`` with the warband. Raises RulesError if this
    installation no longer has the warband's edition.
    """
    rows = list(
        Fighter.objects.filter(warband=warband)
        .select_related("rank_up_offer")
        .order_by("place", "id")
    )
    state = warband_state(
        warband, {str(row.pk): msgspec.convert(row.state, FighterState) for row in rows}
    )
    rules = ruleset_of_warband(warband)
    cards = cards_of(rules, state, rows)
    totals = rules.roster_totals(state.roster)
    return WarbandPage(
        **_identity(warband, rules),
        **_standing(rules, state, totals),
        posts=post_pages(rules, state),
        groups=rules.groups(state.roster),
        shown=rules.visible_numbers(state.settings),
        sequence=warband.sequence,
        locked=warband.locked,
        campaign=campaign_links([warband], user).get(warband.pk),
        experience=warband.experience,
        rank_ups_waiting=sum(card.can_rank_up for card in cards),
        problems=problems_of(rules, warband, state),
        fighters=cards,
        rights=rights or rights_of(warband, user),
    )


def post_pages(rules: Ruleset, state: WarbandState) -> tuple[PostPage, ...]:
    """Return a warband's posts with their holders. No queries."""
    return tuple(
        PostPage(
            post.key,
            post.name,
            post.most,
            post.open,
            tuple(UUID(key) for key in state.posts.get(post.key, ())),
        )
        for post in rules.posts(state.terms)
    )


def _identity(warband: Warband, rules: Ruleset) -> dict[str, Any]:
    return {
        "id": warband.id,
        "name": warband.name,
        "story": warband.story,
        "ruleset": warband.ruleset,
        "ruleset_name": rules.name,
        "edition": warband.edition,
        "words": translated_words(rules.words),
        "faction": warband.faction,
        "faction_name": faction_name(warband),
        "owner": display_name(warband.owner),
        "keeper": display_name(warband.keeper),
        "visibility": warband.visibility,
        "archived": warband.archived_at is not None,
        "created_at": warband.created_at,
    }


def _assets(rules: Ruleset, state: WarbandState) -> tuple[SetUpLine, ...]:
    """Return the assets that the warband would bring to a battle, with their crews.

    Empty if the rules cannot read them.
    """
    fielded = (
        FieldedFighter(each.id, each.name, each.build, each.rank, each.points)
        for each in state.fighters.values()
        if not each.gone
    )
    side = FieldedSide("own", state.name, "", state.faction, tuple(fielded), state.extras)
    try:
        return rules.side_assets(BattleSetup("", (side,), state.settings)).get("own", ())
    except RulesError:
        return ()


def _standing(rules: Ruleset, state: WarbandState, totals: RosterTotals) -> dict[str, Any]:
    return {
        "house_rules": state.settings,
        "agreed_points": state.agreed_points,
        "points": totals.points,
        "bought": totals.lines,
        "assets": _assets(rules, state),
        "extras": state.extras,
        "fighters_serving": totals.fighters,
        "games_played": state.games_played,
        "won": state.won,
        "drawn": state.drawn,
        "lost": state.lost,
        "figures": totals.figures,
        "sources": totals.sources,
    }
