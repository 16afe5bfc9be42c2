"""The draft of a roster as its page and the API show it: fighters, sums and problems."""

from collections.abc import Iterable, Iterator, Mapping
from random import SystemRandom
from typing import Any
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from rulebook.book.names import suggested_name
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.ruleset import (
    BuildData,
    Group,
    Problem,
    Roster,
    RosterFighter,
    RosterFigure,
    RosterPurpose,
    RulesError,
    Ruleset,
    Sheet,
)
from rulebook.values.fields import Field, Purchase
from warbands.drafts.values import Draft, drafted, facts_of, limit_of, still_possible
from warbands.models import RosterDraft, RosterTemplate, Warband
from warbands.roster_rules import new_problems
from warbands.rulebook_values import open_lists, read_state, ruleset_of_warband
from warbands.selectors.offered import kit_line
from warbands.selectors.roster_sections import sections


class DraftFighter(Struct, frozen=True):
    """A fighter on a drafted roster.

    ``joins`` is true for recruits; ``named`` if it has a name of its own; ``open`` if its build can
    still be changed. ``kit`` is the equipment on its card.
    """

    id: str
    name: str
    named: bool
    profile_name: str
    rank: int
    points: int
    build: BuildData
    kit: str
    group: str
    posts: tuple[str, ...]
    joins: bool
    open: bool

    @property
    def key(self) -> str:
        """The fighter's id in the form that the rule system knows."""
        return self.id


class DraftLot(Struct, frozen=True):
    """Fighters of one build, whose number can be changed step by step."""

    fighters: tuple[DraftFighter, ...]

    @property
    def first(self) -> DraftFighter:
        """The fighter that identifies the lot."""
        return self.fighters[0]

    @property
    def points(self) -> int:
        """The points of all of them together."""
        return sum(each.points for each in self.fighters)


class DraftSection(Struct, frozen=True):
    """A group of a drafted roster with its lots; ``group`` is None for fighters without a group."""

    group: Group | None
    lots: tuple[DraftLot, ...]


class DraftPost(Struct, frozen=True):
    """A post that can be filled by ``least`` to ``most`` of the fighters in ``able``."""

    key: str
    name: str
    short: str
    sign: str
    least: int
    most: int
    able: tuple[str, ...]


class DraftPage(Struct, frozen=True):
    """A drafted roster.

    ``points`` are its points including purchases, ``limit`` is the points limit, None without one;
    ``figures`` are sums that only its rule system knows.

    ``changes`` counts the facts that saving it would write, ``joining`` the recruits.
    ``problems`` concern the roster as drafted or, in play, only the recruits. Send
    ``version`` with a change that depends on what was seen. ``said`` is the message of the last
    change.
    """

    warband: UUID
    version: int
    sequence: int
    locked: bool
    changes: int
    joining: int
    can_undo: bool
    points: int
    limit: int | None
    fighters: int
    figures: tuple[RosterFigure, ...]
    extras: Mapping[str, Any]
    problems: tuple[Problem, ...]
    posts: tuple[DraftPost, ...]
    sections: tuple[DraftSection, ...]
    said: str = ""

    @property
    def everybody(self) -> Iterator[DraftFighter]:
        """All fighters on it, in order."""
        return (
            fighter for section in self.sections for lot in section.lots for fighter in lot.fighters
        )

    @property
    def forbidden(self) -> bool:
        """Return whether a problem forbids, instead of only warning."""
        return any(problem.severity == "forbids" for problem in self.problems)

    @property
    def nameless(self) -> int:
        """The number of recruits without a name of their own."""
        return sum(each.joins and not each.named for each in self.everybody)

    @property
    def over(self) -> bool:
        """Return whether it costs more than its limit."""
        return self.limit is not None and self.points > self.limit


class TemplateLine(Struct, frozen=True):
    """A saved roster of a member."""

    id: UUID
    name: str
    ruleset: str
    faction: str
    points: int


class PricedBuild(Struct, frozen=True):
    """A build's card with its points for a warband, and the roster's ``problems`` if it joined."""

    build: BuildData
    sheet: Sheet
    problems: tuple[Problem, ...]


class SuggestedNames(Struct, frozen=True):
    """Names that are still free in the warband."""

    names: tuple[str, ...]


def draft_of(warband: Warband) -> RosterDraft:
    """Return the row of a warband's draft, new if nothing was ever drafted. One query."""
    return RosterDraft.objects.filter(warband=warband).first() or RosterDraft(warband=warband)


def read_draft(warband: Warband) -> DraftPage:
    """Return the present draft of a warband. Two queries besides the one for the row."""
    return draft_page(ruleset_of_warband(warband), warband, read_state(warband), draft_of(warband))


def drafted_state(state: WarbandState, row: RosterDraft) -> tuple[Draft, WarbandState]:
    """Return the draft and the warband with it carried out. No queries.

    Changes that the chronicle has made impossible are left out.
    """
    draft = still_possible(msgspec.convert(row.content, Draft), state)
    return draft, drafted(draft, state)


def draft_page(
    rules: Ruleset, warband: Warband, state: WarbandState, row: RosterDraft
) -> DraftPage:
    """Return the drafted roster of a warband in this state. No queries."""
    draft, after = drafted_state(state, row)
    limit = limit_of(draft, state)
    roster = replace(after.roster, points_limit=limit)
    joining = {each.id: bool(each.name) for each in draft.joining}
    totals = rules.roster_totals(roster)
    posts = _posts(rules, after)
    groups = rules.groups(roster)
    standing = {fighter_id: group.name for group in groups for fighter_id in group.fighters}

    def shown(fighter: FighterState) -> DraftFighter:
        return DraftFighter(
            id=fighter.id,
            name=fighter.name,
            named=joining.get(fighter.id, True),
            profile_name=fighter.profile_name,
            rank=fighter.rank,
            points=fighter.points,
            build=fighter.build,
            kit=_kit(rules, after, fighter),
            group=standing.get(fighter.id, ""),
            posts=after.posts_of(fighter.id),
            joins=fighter.id in joining,
            open=fighter.id in joining or not warband.locked,
        )

    serving = [shown(each) for each in after.fighters.values() if not each.gone]
    return DraftPage(
        warband=warband.pk,
        version=row.version,
        sequence=state.sequence,
        locked=warband.locked,
        changes=len(facts_of(draft, state)),
        joining=len(joining),
        can_undo=bool(row.undo),
        points=totals.points,
        limit=limit,
        fighters=totals.fighters,
        figures=totals.figures,
        extras=after.extras,
        problems=_problems(rules, warband, state, roster, joining),
        posts=posts,
        sections=tuple(
            DraftSection(each.group, _lots(fighter for fighter, _ in each.fighters))
            for each in sections(groups, serving)
        ),
    )


def choices_to_give(
    rules: Ruleset, after: WarbandState, page: DraftPage
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return the choices that several fighters can be given at once, by the label of their field.

    The choices are "field=choice" with labels. A label includes the price if it is the same for all
    fighters. No queries.
    """
    choices_by_label: dict[str, dict[str, set[str]]] = {}
    lots = [lot.first for section in page.sections for lot in section.lots if lot.first.open]
    for fighter in lots:
        for field in rules.build_fields(fighter.build, after.terms):
            for choice, label in _choices(field):
                priced = field.prices.get(choice) if isinstance(field, Purchase) else None
                text = label if not priced else f"{label} +{priced}"
                choices_by_label.setdefault(field.label, {}).setdefault(
                    f"{field.key}={choice}", set()
                ).add(text)
    return tuple(
        (label, tuple((key, min(texts, key=len)) for key, texts in choices.items()))
        for label, choices in choices_by_label.items()
    )


def templates_of(user: User, ruleset: str = "", faction: str = "") -> tuple[TemplateLine, ...]:
    """Return the templates of a member, by name, optionally of one rule system and faction.

    One query.
    """
    rows = RosterTemplate.objects.filter(owner=user).order_by("name", "pk")
    conditions = {
        key: value for key, value in (("ruleset", ruleset), ("faction", faction)) if value
    }
    return tuple(
        TemplateLine(row.pk, row.name, row.ruleset, row.faction, row.points)
        for row in rows.filter(**conditions)
    )


def priced_build(warband: Warband, build: BuildData) -> PricedBuild:
    """Return the points of a build, and the problems of the roster if it joined now. One query.

    Raises RulesError with every problem of the build.
    """
    rules, state = ruleset_of_warband(warband), read_state(warband)
    cleaned = rules.clean_build(build, state.terms)
    sheet, roster = rules.sheet(cleaned, state.terms), state.roster
    joined = RosterFighter("new", sheet.profile_name, cleaned, recruited_after=state.games_played)
    after = replace(roster, fighters=(*roster.fighters, joined))
    purpose = RosterPurpose.RECRUIT if warband.locked else RosterPurpose.BUILD
    return PricedBuild(cleaned, sheet, new_problems(rules, roster, after, purpose, {"new"}))


def suggested_names(warband: Warband, count: int, profile: str = "") -> SuggestedNames:
    """Return ``count`` names for fighters of a profile, "list/profile". One query.

    Without a known profile, the first one is used.
    """
    rules, state = ruleset_of_warband(warband), read_state(warband)
    lists = open_lists(rules.catalogue(state.settings), state.faction)
    by_path = {
        f"{each['key']}/{profile_entry['key']}": (each["key"], profile_entry["key"])
        for each in lists
        for profile_entry in each["profiles"]
    }
    if not by_path:
        return SuggestedNames(())
    build = rules.bare_build(*by_path.get(profile, next(iter(by_path.values()))))
    taken, generator = {each.name for each in state.fighters.values()}, SystemRandom()
    names: list[str] = []
    for _ in range(count):
        name = suggested_name(rules.names, state.faction, build, {*taken, *names}, generator)
        names += [name] if name else []
    return SuggestedNames(tuple(names))


def _choices(field: Field) -> Iterable[tuple[str, str]]:
    """Return the choices of a field that several fighters can be given at once."""
    if field.kind == "flag":
        return (("true", gettext("Yes")), ("false", gettext("No")))
    return field.choices if field.kind in ("choice", "picks", "list") else ()


def _problems(
    rules: Ruleset,
    warband: Warband,
    state: WarbandState,
    roster: Roster,
    joining: Mapping[str, bool],
) -> tuple[Problem, ...]:
    """Return the problems of the drafted roster; in play, only those that its recruits cause."""
    if not warband.locked:
        return rules.roster_problems(roster, RosterPurpose.BUILD)
    before = replace(state.roster, points_limit=roster.points_limit)
    return (
        new_problems(rules, before, roster, RosterPurpose.RECRUIT, joining.keys())
        if joining
        else ()
    )


def _posts(rules: Ruleset, after: WarbandState) -> tuple[DraftPost, ...]:
    """Return the posts that can be filled, with the fighters that may hold them."""
    serving = [each for each in after.fighters.values() if not each.gone]
    return tuple(
        DraftPost(
            *(
                post.key,
                post.name,
                post.short or post.name,
                post.sign or "star",
                post.least,
                post.most,
            ),
            tuple(each.id for each in serving if _may(rules, after, post.key, each)),
        )
        for post in rules.posts(after.terms)
        if post.open or post.key in after.posts
    )


def _may(rules: Ruleset, after: WarbandState, post: str, fighter: FighterState) -> bool:
    try:
        return rules.post_problem(post, fighter.build, after.terms) is None
    except RulesError:
        return False


def _kit(rules: Ruleset, after: WarbandState, fighter: FighterState) -> str:
    """Return a fighter's equipment and Attributes as one line."""
    try:
        return kit_line(rules.sheet(fighter.build, after.terms, fighter.condition))
    except RulesError:
        return ""


def _lots(fighters: Iterable[DraftFighter]) -> tuple[DraftLot, ...]:
    """Return fighters of the same build together, in the order of the first of each.

    Fighters in play form lots of their own.
    """
    lots: list[list[DraftFighter]] = []
    for fighter in fighters:
        same = next(
            (lot for lot in lots if lot[0].build == fighter.build and lot[0].open == fighter.open),
            None,
        )
        if same is None:
            lots.append([fighter])
        else:
            same.append(fighter)
    return tuple(DraftLot(tuple(lot)) for lot in lots)
