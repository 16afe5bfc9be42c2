"""A fighter as its card shows it."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext
from msgspec import Struct

from core.ruleset_words import STATE_LABELS, end_label, translated_tallies
from rulebook.chronicle.states import GONE, FighterState, WarbandState
from rulebook.ruleset import ConditionLine, Fate, Post, RulesError, Ruleset, Sheet
from rulebook.values.rosters import AS_RECRUITED, Condition, TallyCount, counted
from warbands.models import Fighter, RankUpOffer
from warbands.roster_rules import affordable, next_cost
from warbands.rulebook_values import condition_of


class FighterCard(Struct, frozen=True):
    """Everything that a fighter's card prints, and its service in numbers.

    ``experience`` is the unspent part of ``earned``; ``next_cost`` is the price of the next Rank,
    None if there is none. ``misses`` counts games to sit out; ``end`` says how the fighter left or
    who killed it, ``end_phrase`` says the same as text; ``sheet`` is None if the rules cannot read
    the build. ``condition`` is what it carries from battle to battle, in rule systems that have
    this; ``carried`` is the same as its rule system stores it, empty for a fighter as recruited.
    """

    id: UUID
    name: str
    profile_name: str
    rank: int
    points: int
    build: Mapping[str, Any]
    sheet: Sheet | None
    experience: int
    earned: int
    next_cost: int | None
    can_rank_up: bool
    fate: Fate
    misses: int
    end: str
    end_phrase: str
    wounds: str
    battles: int
    tallies: tuple[TallyCount, ...]
    promotions: int
    posts: tuple[Post, ...]
    story: str
    condition: tuple[ConditionLine, ...] = ()
    carried: Condition = AS_RECRUITED

    @property
    def key(self) -> str:
        """The fighter's id in the form that the rule system knows."""
        return str(self.id)

    @property
    def gone(self) -> bool:
        """Return whether it is dead or has left."""
        return self.fate in GONE

    @property
    def counts(self) -> bool:
        """Return whether its points count: not if it is gone or captured."""
        return not self.gone and self.fate is not Fate.CAPTURED


def cards_of(
    rules: Ruleset, state: WarbandState, rows: Iterable[Fighter]
) -> tuple[FighterCard, ...]:
    """Return the cards of a warband's fighters in roster order, those that are gone last.

    ``rows`` supply stories and prepared offers.
    """
    rows_by_id = {str(row.pk): row for row in rows}
    cards = [
        fighter_card(rules, state, fighter, rows_by_id[fighter.id])
        for fighter in state.fighters.values()
    ]
    return tuple(sorted(cards, key=lambda card: card.gone))


def fighter_card(
    rules: Ruleset, state: WarbandState, fighter: FighterState, row: Fighter
) -> FighterCard:
    """Return the card of one fighter."""
    return FighterCard(
        id=UUID(fighter.id),
        name=fighter.name,
        profile_name=fighter.profile_name,
        rank=fighter.rank,
        points=fighter.points,
        build=fighter.build,
        sheet=sheet_of(rules, state, fighter),
        experience=fighter.experience,
        earned=fighter.earned,
        next_cost=next_cost(rules, state, fighter),
        can_rank_up=_can_rank_up(rules, state, fighter, row),
        fate=fighter.fate,
        misses=fighter.misses,
        end=fighter.end,
        end_phrase=end_phrase(rules, fighter.fate, fighter.wounds, fighter.end),
        wounds=fighter.wounds,
        battles=fighter.battles,
        tallies=counted(translated_tallies(rules.tallies), fighter.tallies),
        promotions=fighter.promotions,
        posts=held_posts(rules, state, fighter.id),
        story=row.story,
        condition=condition_of(rules, state, fighter),
        carried=fighter.condition,
    )


def end_phrase(rules: Ruleset, fate: Fate, wounds: str, end: str) -> str:
    """Return how a fighter was lost, such as "killed by Jussac" or "retired"; "" if it was not."""
    if fate is Fate.DEAD:
        phrase = end_label(rules.loss_phrase(wounds))
        return gettext("%(lost)s by %(end)s") % {"lost": phrase, "end": end} if end else phrase
    return (str(STATE_LABELS.get(end, end)) or gettext("gone")) if fate in GONE else ""


def held_posts(rules: Ruleset, state: WarbandState, fighter: str) -> tuple[Post, ...]:
    """Return the posts that a fighter holds."""
    keys = state.posts_of(fighter)
    return tuple(post for post in rules.posts(state.terms) if post.key in keys) if keys else ()


def sheet_of(rules: Ruleset, state: WarbandState, fighter: FighterState) -> Sheet | None:
    """Return the fighter's sheet, None if the rules cannot read its build."""
    try:
        return rules.sheet(fighter.build, state.terms, fighter.condition)
    except RulesError:
        return None


def _can_rank_up(rules: Ruleset, state: WarbandState, fighter: FighterState, row: Fighter) -> bool:
    """Return whether the fighter can pay for a step.

    The prepared offer is used unless it is out of date; then the rules are asked.
    """
    offer: RankUpOffer | None = getattr(row, "rank_up_offer", None)
    if offer is not None and offer.sequence == state.sequence:
        return bool(offer.steps)
    return bool(affordable(rules, state, fighter))
