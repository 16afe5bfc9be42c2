"""The live log of a battle: the state of both sides, due tasks, available actions, and the feed."""

import json
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Battle, BattleEvent, BattleState, Side
from battles.rulebook_values import ruleset_of_battle, scenario_of, terms_of
from battles.selectors.battle_rows import name_of
from battles.selectors.log_sentences import EventLine, Wording
from battles.selectors.shown_battle import load_sides
from battles.selectors.sides import player_of, seats_of, with_substitute
from battles.selectors.table_prompts import TablePrompts, prompts_of
from battles.stored_play import LoadedPlay, load_battle_play, outcomes_at
from core.compiled_queries import CompiledQuery, Reader
from core.signatures import digest
from rulebook.battle_log.corrections import CORRECTION
from rulebook.ruleset import Action, EventOutcome, Post, Ruleset, TableView, VisibleNumbers, Words
from rulebook.values.table import Due, FighterView, GroupView, LightWay, SideView

Asker = User | AnonymousUser
NEWEST = 12
"""The number of feed entries that are shown at first."""
OWN_PLACE = ("note", "ended")
"""Actions of nobody in particular that have a link of their own on the page."""
LEAF = 30
"""The number of feed entries on a page of older ones: few enough to scroll on a phone."""


class FeedLine(Struct, frozen=True):
    """An entry of the log with its outcome; ``struck`` says that a later entry has cancelled it.

    ``instead`` is the sentence of its correction, "" otherwise; ``version`` is the battle's version
    after it, the same for all entries that were logged in one request.
    """

    line: EventLine
    outcome: EventOutcome | None
    struck: bool
    instead: str = ""
    version: int = 0

    @property
    def corrigible(self) -> bool:
        """Return whether it can be corrected: it counts, and is not a correction itself."""
        return not self.struck and self.line.kind != CORRECTION


class Token(Struct, frozen=True):
    """A fighter on the table.

    ``number`` counts it among its side; ``acts`` says that it has something due now.
    """

    view: FighterView
    number: int
    acts: bool


class GroupTable(Struct, frozen=True):
    """A group of a side with its fighters, those who are out last; the name is "" without a group.

    ``view`` is the group if it acts as one, and ``acts`` says that it has something due now.
    """

    name: str
    tokens: tuple[Token, ...]
    view: GroupView | None = None
    acts: bool = False

    @property
    def fighters(self) -> tuple[FighterView, ...]:
        """All fighters in it."""
        return tuple(each.view for each in self.tokens)

    @property
    def standing(self) -> int:
        """The number of fighters who are not out."""
        return sum(not each.out for each in self.fighters)


class SideTable(Struct, frozen=True):
    """A side with its fighters by group, those without a group first."""

    view: SideView
    colour: str
    player: str
    groups: tuple[GroupTable, ...]
    posts: tuple[Post, ...]

    @property
    def fighters(self) -> tuple[FighterView, ...]:
        """All fighters, group by group."""
        return tuple(each for group in self.groups for each in group.fighters)


class Offer(Struct, frozen=True):
    """The actions of a whole side, or those of nobody in particular: ``who`` is "" then."""

    who: str
    name: str
    actions: tuple[Action, ...]


class SecretChoices(Struct, frozen=True):
    """Secret choices: the names of sides that have chosen and of those that have not.

    ``mine`` is the field of the one side that the user plays, "" if they play none or several;
    ``made`` is whether its choice is stored.
    """

    occasion: str
    mine: str
    made: bool
    chosen: tuple[str, ...]
    open: tuple[str, ...]


class PendingChoices(Struct, frozen=True):
    """Secret choices that wait for a side, with the fighter and the action for which it chooses."""

    choices: SecretChoices
    who: str
    do: str


def choices_of(battle: Battle, action: Action, user: Asker) -> SecretChoices | None:
    """Return the state of an action's secret choices; None without secrets. Two queries."""
    if not action.secrets or not user.is_authenticated:
        return None
    occasion = occasion_of(action)
    made = set(battle.secret_choices.filter(occasion=occasion).values_list("field", flat=True))
    names = {side.key: side.warband.name for side in battle.sides.all()}
    played = set(Side.objects.played_by(user).filter(battle=battle).values_list("key", flat=True))
    secret_fields = [field for field, side in action.secrets.items() if side in played]
    mine = secret_fields[0] if len(secret_fields) == 1 else ""
    return SecretChoices(
        occasion=occasion,
        mine=mine,
        made=mine in made,
        chosen=tuple(names[side] for field, side in action.secrets.items() if field in made),
        open=tuple(names[side] for field, side in action.secrets.items() if field not in made),
    )


def occasion_of(action: Action) -> str:
    """Return a key for an action that is the same for all who look at the same table."""
    content = json.dumps([action.kind, action.given, action.turn], sort_keys=True)
    return digest(content.encode())


class TablePage(Struct, frozen=True):
    """A battle's live log.

    ``feed`` has the newest entry first; ``older`` counts those after its page. ``entries`` is the
    length of the log; ``next_leaf`` the query parameter for the entries before these. ``odds`` says
    whether its rules can compute odds in a battle. ``who`` is what the page shows: a fighter's id,
    a side's or a group's key, or ""; ``fighter`` is its view if it is a fighter, ``group`` if it is
    a group. ``offers`` are the actions of sides and of nobody in particular. ``choices_made``
    counts the secret choices that wait for those of other sides. ``latest_entry`` is
    the entry that was requested; ``undoable`` the newest entry that still counts; ``course`` are
    the entries that were logged with the requested one, oldest first; ``together`` are the numbers
    of those that were logged with ``undoable`` and count, including itself, as far as they are
    loaded. ``light`` describes how to log only turns and casualties.
    """

    id: UUID
    name: str
    scenario_name: str
    ruleset: str
    words: Words
    shown: VisibleNumbers
    odds: bool
    state: str
    version: int
    entries: int
    table: TableView
    prompts: TablePrompts
    sides: tuple[SideTable, ...]
    who: str
    who_name: str
    fighter: FighterView | None
    about: str
    feed: tuple[FeedLine, ...]
    older: int
    next_leaf: int
    latest_entry: FeedLine | None
    course: tuple[FeedLine, ...]
    undoable: FeedLine | None
    together: tuple[int, ...]
    light: LightWay
    group: GroupView | None = None
    offers: tuple[Offer, ...] = ()
    choices_made: int = 0

    @property
    def is_light(self) -> bool:
        """Return whether the present turn is logged by its casualties alone."""
        return self.light.now and not self.table.ended

    @property
    def owed(self) -> tuple[Due, ...]:
        """Return what is due in a light turn as well, in any phase."""
        due = (each for phase in self.table.phases for each in phase.due)
        return tuple(each for each in due if each.do in self.light.due_kinds)

    @property
    def next_turn(self) -> int:
        """Return the number of the next turn."""
        return self.table.turn + 1

    @property
    def full_turn(self) -> str:
        """Return the query string that starts the next turn in full, "" if no turn can begin."""
        kinds = {each.kind for each in self.light.turns}
        actions = [("", each) for each in self.table.actions]
        actions += [(offer.who, each) for offer in self.offers for each in offer.actions]
        return next(
            (
                f"?{urlencode({'who': who, 'do': each.key})}"
                for who, each in actions
                if each.kind in kinds
            ),
            "",
        )

    @property
    def under_way(self) -> bool:
        """Return whether anything can still be logged."""
        return self.state == BattleState.UNDER_WAY

    @property
    def offered(self) -> int:
        """The number of actions that are offered to sides or to nobody in particular."""
        return sum(len(offer.actions) for offer in self.offers)

    @property
    def names(self) -> dict[str, str]:
        """The names of all who can be shown: sides and groups by key, fighters by id."""
        return names_at(self.table)

    def action(self, key: str) -> Action | None:
        """Return the action with this key, None if it is not available now."""
        return next(
            (each for each in (*self.table.actions, *self.light.turns) if each.key == key), None
        )


class TableQuery(Struct, frozen=True):
    """The part of a live log that a page shows.

    ``who`` is a fighter, side or group, ``about`` filters the entries by a fighter, ``latest`` is
    an entry that was just logged. ``leaf`` is the page of the feed: 0 for the newest entries, 1 for
    the first full page, 2 for the next one.
    """

    who: str = ""
    about: str = ""
    latest: int | None = None
    leaf: int = 0


def _battle(key: UUID, user: Reader) -> QuerySet[Battle, Any]:
    rows = Battle.objects.visible_to(user).filter(pk=key).with_choices_made().order_by()
    return rows.select_related("campaign", "stored_play")


BATTLE: CompiledQuery[Battle] = CompiledQuery(_battle)


def battle_at_table(key: UUID, user: Reader) -> Battle | None:
    """Return a battle with what ``for_table`` loads and its stored play; None if it is hidden.

    Three queries, whose SQL is built once.
    """
    battle = BATTLE.first(key, user)
    if battle is not None:
        load_sides(battle)
    return battle


def table_page(battle: Battle, glance: TableQuery) -> TablePage | None:
    """Return the live log of a battle loaded by ``for_table`` or ``battle_at_table``.

    None if its rule system does not log turn by turn. At most five queries, however long the log.
    Raises RulesError if the log does not add up.
    """
    sides = list(battle.sides.all())
    rules, in_play = ruleset_of_battle(battle), load_battle_play(battle, sides)
    table = rules.at_table(in_play.play, glance.who)
    if table is None:
        return None
    lines = _feed_lines(battle, in_play, glance)
    prompts = prompts_of(table)
    counting = [each for each in lines if not each.struck and each.line.kind != CORRECTION]
    entry = next((each for each in lines if each.line.sequence == glance.latest), None)
    course = [
        each for each in reversed(lines) if entry is not None and each.version == entry.version
    ]
    feed, older = _leaf(lines, battle.last_sequence, glance)
    return TablePage(
        id=battle.pk,
        name=name_of(battle),
        scenario_name=scenario_of(battle).name,
        ruleset=battle.ruleset,
        words=battle.words,
        shown=battle.shown,
        odds=any(each.about == "battle" for each in ruleset_of_battle(battle).calculators.all()),
        state=battle.state,
        version=battle.version,
        entries=battle.last_sequence,
        table=table,
        prompts=prompts,
        sides=tuple(_side_tables(battle, table, prompts)),
        who=glance.who,
        who_name=names_at(table).get(glance.who, ""),
        fighter=next((each for each in table.fighters if each.id == glance.who), None),
        about=glance.about,
        feed=tuple(feed),
        older=older,
        next_leaf=glance.leaf + 1,
        latest_entry=entry,
        course=tuple(course),
        undoable=counting[0] if counting else None,
        together=tuple(
            each.line.sequence for each in counting if each.version == counting[0].version
        ),
        light=rules.light_way(in_play.play),
        group=next((each for each in table.groups if each.key == glance.who), None),
        offers=tuple(_offers(rules, in_play, table)) if not glance.who else (),
        choices_made=getattr(battle, "choices_made", 0),
    )


def _offers(rules: Ruleset, in_play: LoadedPlay, table: TableView) -> Iterator[Offer]:
    """Yield the actions of nobody in particular and of each side.

    Actions that have a place of their own on the page are left out.
    """
    due = {(each.who, each.do) for phase in table.phases if phase.now for each in phase.due}
    for side in (None, *table.sides):
        who = side.key if side else ""
        view = rules.at_table(in_play.play, who) if who else table
        actions = view.actions if view else ()
        left = tuple(
            each
            for each in actions
            if (who, each.key) not in due and (who or each.key not in OWN_PLACE)
        )
        if left:
            yield Offer(who, side.name if side else "", left)


def actions_of(battle: Battle, who: Sequence[str]) -> dict[str, tuple[Action, ...]]:
    """Return the available actions of these fighters or groups, by id.

    One query, two if the play was not stored.
    """
    rules, play = (
        ruleset_of_battle(battle),
        load_battle_play(battle, list(battle.sides.all())).play if who else None,
    )
    tables = {each: rules.at_table(play, each) for each in who} if play is not None else {}
    return {each: table.actions for each, table in tables.items() if table is not None}


def pending_choices(battle: Battle, page: TablePage, user: Asker) -> PendingChoices | None:
    """Return the secret choices that somebody has made while others are missing; None without any.

    No queries where nobody has chosen in secret.
    """
    if not page.choices_made or not user.is_authenticated:
        return None
    occasions = set(battle.secret_choices.values_list("occasion", flat=True))
    played = set(Side.objects.played_by(user).filter(battle=battle).values_list("key", flat=True))
    own = tuple(each.id for each in page.table.fighters if each.side in played and not each.out)
    for who, actions in actions_of(battle, own).items():
        for action in actions:
            if not action.secrets or occasion_of(action) not in occasions:
                continue
            choices = choices_of(battle, action, user)
            if choices is not None and choices.mine:
                return PendingChoices(choices, who, action.key)
    return None


def _feed_lines(battle: Battle, in_play: LoadedPlay, glance: TableQuery) -> list[FeedLine]:
    """Return the entries that the page needs, newest first. At most three queries.

    These are the feed, the requested entry, and the last entry that counts.
    """
    rows = list(_feed_rows(battle, glance))
    outcomes = outcomes_at(battle, in_play, rows)
    if not any(row.sequence in outcomes for row in rows) and len(rows) < battle.last_sequence:
        rows = list(battle.events.select_related("recorded_by").order_by("-sequence"))
        outcomes = outcomes_at(battle, in_play, rows)
    wording = Wording(ruleset_of_battle(battle), in_play.play.setup)
    return [
        replace(feed_line(wording.line(row), outcomes.get(row.sequence)), version=row.version)
        for row in rows
    ]


def _feed_rows(battle: Battle, glance: TableQuery) -> QuerySet[BattleEvent]:
    rows = battle.events.select_related("recorded_by").order_by("-sequence")
    if glance.about:
        return rows
    newest = Q(sequence__gt=battle.last_sequence - NEWEST)
    if glance.leaf:
        first = battle.last_sequence - LEAF * (glance.leaf - 1)
        newest |= Q(sequence__lte=first, sequence__gt=first - LEAF)
    if glance.latest is None:
        return rows.filter(newest)
    # Entries of the same request have the same version, and are shown together.
    versions = battle.events.filter(sequence=glance.latest).values("version")
    return rows.filter(newest | Q(version__in=versions))


def _leaf(lines: list[FeedLine], entries: int, glance: TableQuery) -> tuple[list[FeedLine], int]:
    """Return the entries that a feed shows, and how many older ones there are."""
    size, past = (LEAF, LEAF * (glance.leaf - 1)) if glance.leaf else (NEWEST, 0)
    if glance.about:
        about = [each for each in lines if _mentions(each.line.data, glance.about)]
        past = LEAF * max(glance.leaf - 1, 0)
        return about[past : past + LEAF], max(len(about) - past - LEAF, 0)
    first = entries - past
    shown = [each for each in lines if first - size < each.line.sequence <= first]
    return shown, max(first - size, 0)


def feed_line(line: EventLine, outcome: EventOutcome | None) -> FeedLine:
    """Return an entry with its outcome; an entry without one was cancelled."""
    return FeedLine(line, outcome, struck=outcome is None and line.kind != CORRECTION)


def _mentions(data: object, key: str) -> bool:
    """Return whether an entry mentions a fighter anywhere in its data."""
    if not key or data == key:
        return True
    if isinstance(data, dict):
        return any(_mentions(each, key) for pair in data.items() for each in pair)
    return isinstance(data, list) and any(_mentions(each, key) for each in data)


def _side_tables(battle: Battle, table: TableView, prompts: TablePrompts) -> Iterator[SideTable]:
    seats = seats_of([battle])
    for side, view in zip(battle.sides.all(), table.sides, strict=True):
        player = player_of(battle, side, seats)
        tokens_by_group: dict[str, list[Token]] = {"": []}
        for number, each in enumerate(
            (each for each in table.fighters if each.side == view.key), 1
        ):
            tokens_by_group.setdefault(each.group, []).append(
                Token(each, number, each.id in prompts.acts)
            )
        acting = {each.name: each for each in table.groups if each.side == view.key}
        groups = tuple(
            GroupTable(
                name,
                tuple(sorted(some, key=_last)),
                acting.get(name),
                _acts(acting.get(name), prompts),
            )
            for name, some in tokens_by_group.items()
            if some
        )
        posts = ruleset_of_battle(battle).posts(terms_of(battle, side))
        name = with_substitute(player.name, side.substitute.name if side.substitute else "")
        yield SideTable(view, player.colour, name, groups, posts)


def _acts(group: GroupView | None, prompts: TablePrompts) -> bool:
    return group is not None and group.key in prompts.acts


def _last(token: Token) -> int:
    """Return the sort key of a fighter: those who can act first, the dead last."""
    return 2 if token.view.dead else int(bool(token.view.out))


def names_at(table: TableView) -> dict[str, str]:
    """Return the names of all at a table by key or id.

    Sides come first, then groups that act as one, then fighters.
    """
    sides = {side.key: side.name for side in table.sides}
    groups = {group.key: group.title for group in table.groups}
    return sides | groups | {fighter.id: fighter.name for fighter in table.fighters}
