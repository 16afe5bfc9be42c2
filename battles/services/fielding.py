"""Choose the line-up of a side, and start a battle."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import Struct
from msgspec.structs import replace

from audit.verbs import Verb
from battles.chronicle_facts import played_at
from battles.models import Battle, BattleState, Combatant, Side
from battles.rulebook_values import (
    combatants_in_order,
    fielded_fighter,
    read_log,
    read_result,
    read_setup,
    ruleset_of_battle,
    sides_of,
    terms_of,
)
from battles.selectors.permissions import choosable_sides
from battles.services.classic_forces import extras_of, force_problems, may_fight
from battles.services.locking import (
    BEFORE_SUBMISSION,
    expect_logger,
    expect_state,
    expect_version,
    find_side,
    lock_battle,
    record_battle,
    save_battle,
)
from core.errors import Forbidden, InvalidInput, StaleVersion, problems_within
from core.inputs import field
from core.ruleset_words import state_label
from rulebook.battle_log.play import replay
from rulebook.chronicle.states import FighterState, WarbandState, roster_fighter
from rulebook.ruleset import BattleSetup, Fate, FieldedSide, Problem, Roster, RulesError, Severity
from warbands.models import Fighter
from warbands.rulebook_values import fighter_row, post_names, read_states_at
from warbands.signed import save_signed

AS_IT_STANDS = ("name", "rank", "points", "build", "condition")
"""The columns of a combatant that are copied from the roster."""

MAX_FIGHTERS = 200


FIELDED = ("extras", "figures", "version")
"""The columns of a side that its line-up sets."""


class Force(Struct, frozen=True):
    """The fighters in a side's line-up, in order, and the holders of its posts.

    A post without a named holder is filled by those who hold it on the roster, if they are in the
    line-up.
    """

    fighters: Annotated[
        tuple[UUID, ...], field(_("Line-up"), min_length=1, max_length=MAX_FIGHTERS)
    ]
    posts: Mapping[str, tuple[UUID, ...]] = {}


@transaction.atomic
def field_combatants(
    *, battle_id: UUID, side: str, force: Force, user: User, version: int | None = None
) -> tuple[Problem, ...]:
    """Replace a side's line-up, and return the rules' warnings.

    Each fighter is copied as it is when the battle is played, now or at the place of a late battle:
    build, rank, points and condition. Possible until the log is submitted, as long as the log so
    far stays legal. Raises InvalidInput "illegal-force" with every problem; InvalidInput
    "log-needs-them" if the log mentions fighters who are left out; StateConflict "stale-version" if
    this side's line-up has changed after that version; Forbidden.
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    expect_state(battle, *BEFORE_SUBMISSION)
    sides = sides_of(battle)
    fielded = find_side(sides, side)
    _expect_choice_of(battle, fielded, user)
    _expect_line_up(battle, fielded, version)
    state = _state_at(battle, fielded)
    fighters = _fighters(battle, fielded, state, force)
    demands = tuple(force_problems(battle, fielded, fighters, state))
    _refuse(demands)
    force = _furnish(battle, fielded, state, fighters, force)
    Combatant.objects.filter(side=fielded).delete()
    Combatant.objects.bulk_create(
        _combatant(fielded, fighter, place, force) for place, fighter in enumerate(fighters)
    )
    fielded.version = battle.version + 1
    save_signed(fielded, *FIELDED)
    warned = _warnings(battle, sides_of(battle), fielded.key)
    # The other sides choose at the same time: this side's choice does not conflict with theirs.
    save_battle(battle, shared=False)
    record_battle(
        Verb.FORCE_FIELDED, battle, user, warband=fielded.warband.name, number=len(fighters)
    )
    return (*demands, *warned, *fates_pending(battle, force.fighters))


def field_all(battle: Battle, sides: list[Side], forces: Sequence[Force], user: User) -> None:
    """Write the line-ups of all sides of a locked battle that has none, and begin the battle.

    ``forces`` has one line-up for each side, in the same order. The fighters are copied as they are
    when the battle is played. The caller saves the battle (``state``, ``place_in_day``) and the
    sides (``FIELDED``). Three queries, four for a one-off battle, one more for a late battle.
    Raises InvalidInput "illegal-force" with every problem of the first side that has any, whose
    fields lie in ``forces.N``; Forbidden.
    """
    battle.state = BattleState.UNDER_WAY
    battle.place_in_day = battle.place_in_day or timezone.now()
    states = read_states_at([side.warband for side in sides], played_at(battle))
    combatants: list[Combatant] = []
    for place, (side, force) in enumerate(zip(sides, forces, strict=True)):
        with problems_within(f"forces.{place}"):
            _expect_choice_of(battle, side, user)
            state = states[side.warband_id]
            fighters = _fighters(battle, side, state, force)
            _refuse(force_problems(battle, side, fighters, state))
        furnished = _furnish(battle, side, state, fighters, force)
        combatants += [
            _combatant(side, each, number, furnished) for number, each in enumerate(fighters)
        ]
        side.version = battle.version + 1
    Combatant.objects.bulk_create(combatants)
    prefetch_related_objects(sides, combatants_in_order())
    setup = read_setup(battle, sides)
    for place, side in enumerate(sides):
        with problems_within(f"forces.{place}"):
            _refuse(_problems_of_force(battle, setup, side.key))
    _refuse(ruleset_of_battle(battle).force_problems(setup))


def check_force(*, battle_id: UUID, side: str, force: Force, user: User) -> tuple[Problem, ...]:
    """Return all problems and warnings of a line-up; nothing is written.

    Raises Forbidden, NotFound, StateConflict "wrong-state" once the log is submitted.
    """
    battle = Battle.objects.select_related("campaign").get(pk=battle_id)
    expect_logger(battle, user)
    expect_state(battle, *BEFORE_SUBMISSION)
    sides = sides_of(battle)
    fielded = find_side(sides, side)
    _expect_choice_of(battle, fielded, user)
    state = _state_at(battle, fielded)
    rows = _rows(state, fielded.warband_id, force)
    unlisted = tuple(_listing_problems(battle, force, rows))
    if unlisted:
        return unlisted
    fighters = [rows[fighter] for fighter in force.fighters]
    demands = tuple(force_problems(battle, fielded, fighters, state))
    force = _furnish(battle, fielded, state, fighters, force)
    combatants = (
        _combatant(fielded, fighter, place, force) for place, fighter in enumerate(fighters)
    )
    as_fielded = tuple(fielded_fighter(combatant) for combatant in combatants)
    setup = read_setup(battle, sides)
    furnished = tuple(
        replace(each, fighters=as_fielded) if each.key == side else each for each in setup.sides
    )
    own_problems = _problems_of_force(battle, replace(setup, sides=furnished), side)
    return (*demands, *own_problems, *fates_pending(battle, force.fighters))


@transaction.atomic
def start_battle(*, battle_id: UUID, user: User, version: int | None = None) -> Battle:
    """Start the battle; the line-ups are copied again as they are when the battle is played.

    Raises InvalidInput "illegal-force" if a side has no line-up, if a fighter is no longer fit, or
    if the rules forbid the line-ups; StateConflict, Forbidden.
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    expect_version(battle, version)
    expect_state(battle, BattleState.PLANNED)
    sides = sides_of(battle)
    battle.place_in_day = battle.place_in_day or timezone.now()
    states = read_states_at([side.warband for side in sides], played_at(battle))
    _refuse(_absences(battle, sides, states))
    _refresh(sides, states)
    _refuse(ruleset_of_battle(battle).force_problems(read_setup(battle, sides)))
    battle.state = BattleState.UNDER_WAY
    save_battle(battle, "state", "place_in_day")
    record_battle(Verb.BATTLE_STARTED, battle, user)
    return battle


def _expect_choice_of(battle: Battle, side: Side, user: User) -> None:
    """Check that the user may see the fighters of this side's warband.

    Raises Forbidden "hidden-roster".
    """
    if side.key not in choosable_sides(battle, [side], user):
        sentence = gettext("%(warband)s is private. Only its owner can choose its line-up.")
        raise Forbidden("hidden-roster", sentence % {"warband": side.warband.name})


def _expect_line_up(battle: Battle, side: Side, version: int | None) -> None:
    """Check that this side's line-up has not changed since the user's version.

    Raises StateConflict "stale-version".
    """
    if version is not None and not side.version <= version <= battle.version:
        sentence = gettext("Someone changed the line-up of %(warband)s after you opened this page.")
        raise StaleVersion(sentence % {"warband": side.warband.name}, battle.version)


def _state_at(battle: Battle, side: Side) -> WarbandState:
    """Return the side's warband at the time of the battle. One query, two for a late battle."""
    return read_states_at([side.warband], played_at(battle))[side.warband_id]


def _rows(state: WarbandState, warband_id: UUID, force: Force) -> dict[UUID, Fighter]:
    """Return the rows of the line-up's fighters who are in the warband at that time, by id."""
    named = {key: state.fighters.get(str(key)) for key in force.fighters}
    return {
        key: fighter_row(warband_id, fighter_state)
        for key, fighter_state in named.items()
        if fighter_state is not None
    }


def _fighters(battle: Battle, side: Side, state: WarbandState, force: Force) -> list[Fighter]:
    """Return the fighters of a line-up as rows, in its order.

    Raises InvalidInput with every problem.
    """
    rows = _rows(state, side.warband_id, force)
    _refuse([*_listing_problems(battle, force, rows)])
    return [rows[fighter] for fighter in force.fighters]


def _listing_problems(
    battle: Battle, force: Force, rows: Mapping[UUID, Fighter]
) -> Iterator[Problem]:
    for place, fighter in enumerate(force.fighters):
        field = f"fighters.{place}"
        if fighter not in rows:
            yield Problem(
                "unknown-fighter",
                gettext("This fighter is not in this warband."),
                field=field,
                value=str(fighter),
            )
        elif force.fighters.index(fighter) != place:
            yield Problem(
                "fielded-twice",
                gettext("%(fighter)s is listed twice.") % {"fighter": rows[fighter].name},
                field=field,
                value=str(fighter),
            )
        elif not may_fight(battle, rows[fighter].fate):
            yield _unfit(rows[fighter], field)
    names = post_names(battle.ruleset, battle.edition)
    for post, holders in force.posts.items():
        if post not in names:
            yield Problem("unknown-post", f"There is no post {post!r}.", field=post, value=post)
        for holder in holders:
            if holder not in force.fighters:
                sentence = gettext(
                    "%(post)s: this fighter is not in the line-up. Add the fighter or choose "
                    "another."
                ) % {"post": names.get(post, post)}
                yield Problem("not-fielded", sentence, field=post, value=str(holder))


def _unfit(fighter: Fighter, field: str = "") -> Problem:
    sentence = gettext("%(fighter)s is %(fate)s and cannot be in the line-up.") % {
        "fighter": fighter.name,
        "fate": fighter.fate,
    }
    return Problem(
        "not-fit", sentence, fighters=(str(fighter.pk),), field=field, value=str(fighter.pk)
    )


def _refuse(problems: Iterable[Problem]) -> None:
    forbidding = [problem for problem in problems if problem.severity is Severity.FORBIDS]
    if forbidding:
        raise InvalidInput("illegal-force", forbidding[0].sentence, problems=forbidding)


def _furnish(
    battle: Battle, side: Side, state: WarbandState, fighters: Sequence[Fighter], force: Force
) -> Force:
    """Copy the warband's extras, and its figures with these fighters; nothing is saved.

    Returns the line-up with open posts filled from the roster, or by the rules' default where the
    roster names nobody.
    """
    fielded = {str(fighter.pk) for fighter in fighters}
    named = {
        post: tuple(str(holder) for holder in holders)
        for post, holders in force.posts.items()
        if holders
    }
    present = {
        post: tuple(key for key in holders if key in fielded)
        for post, holders in state.posts.items()
    }
    posts = {post: holders for post, holders in {**present, **named}.items() if holders}
    side.extras = extras_of(battle, side, state.extras)
    serving = tuple(roster_fighter(state.fighters[str(fighter.pk)]) for fighter in fighters)
    rules, roster = ruleset_of_battle(battle), Roster(terms_of(battle, side), serving, posts)
    posts = {**rules.default_posts(roster)}
    figures = rules.roster_totals(replace(roster, posts=posts)).figures
    side.figures = [
        {"key": figure.key, "label": figure.label, "value": figure.value}
        for figure in figures
        if figure.brief
    ]
    return replace(
        force, posts={post: tuple(UUID(key) for key in holders) for post, holders in posts.items()}
    )


def _combatant(side: Side, fighter: Fighter, place: int, force: Force) -> Combatant:
    return Combatant(
        side=side,
        fighter=fighter,
        place=place,
        name=fighter.name,
        rank=fighter.rank,
        points=fighter.points,
        build=fighter.state["build"],
        condition=fighter.condition,
        posts=[post for post, holders in force.posts.items() if fighter.pk in holders],
    )


def _warnings(battle: Battle, sides: Sequence[Side], key: str) -> tuple[Problem, ...]:
    """Return the rules' warnings about one side's line-up.

    Raises InvalidInput for what the rules forbid, and "log-needs-them" for a log that becomes
    illegal.
    """
    setup, log = read_setup(battle, sides), read_log(battle)
    problems = _problems_of_force(battle, setup, key)
    _refuse(problems)
    try:
        replay(ruleset_of_battle(battle).log, setup, log)
    except RulesError as error:
        sentence = gettext(
            "The log mentions fighters who are not in this line-up. Add them, or remove "
            "their entries."
        )
        raise InvalidInput("log-needs-them", sentence, problems=error.problems) from error
    return problems


def _problems_of_force(battle: Battle, setup: BattleSetup, key: str) -> tuple[Problem, ...]:
    """Return the problems of one side's line-up that the battle does not have without it."""
    rules = ruleset_of_battle(battle)
    # Problems that exist without this line-up, such as an opponent who has not chosen yet, are not
    # its fault.
    without = replace(
        setup, sides=tuple(_emptied(side) if side.key == key else side for side in setup.sides)
    )
    others = set(rules.force_problems(without))
    return tuple(problem for problem in rules.force_problems(setup) if problem not in others)


def _emptied(side: FieldedSide) -> FieldedSide:
    return replace(side, fighters=())


def _absences(
    battle: Battle, sides: Sequence[Side], states: Mapping[UUID, WarbandState]
) -> Iterator[Problem]:
    """Yield why the sides cannot start.

    A line-up is empty, or a fighter is not fit at that time.
    """
    fielded = [(side, combatant) for side in sides for combatant in side.combatants.all()]
    for side in sides:
        if not side.combatants.all():
            yield Problem(
                "nobody-fielded",
                gettext("%(warband)s has no line-up.") % {"warband": side.warband.name},
                field=f"sides.{side.key}",
            )
    for side, combatant in fielded:
        fighter = states[side.warband_id].fighters.get(str(combatant.fighter_id))
        if fighter is None:
            sentence = gettext("%(combatant)s is no longer on the roster.") % {
                "combatant": combatant.name
            }
            yield Problem(
                "not-fit",
                sentence,
                fighters=(str(combatant.fighter_id),),
                field=f"sides.{side.key}",
            )
        elif not may_fight(battle, fighter.fate):
            yield _unfit(fighter_row(side.warband_id, fighter), f"sides.{side.key}")


def _refresh(sides: Iterable[Side], states: Mapping[UUID, WarbandState]) -> None:
    """Copy the present state of every combatant's fighter."""
    changed = []
    for side in sides:
        fighters = states[side.warband_id].fighters
        changed += [
            combatant
            for combatant in side.combatants.all()
            if _renew(combatant, fighters[str(combatant.fighter_id)])
        ]
    Combatant.objects.bulk_update(changed, AS_IT_STANDS)


def _renew(combatant: Combatant, now: FighterState) -> bool:
    """Copy the fighter's present state, and return whether that changes anything."""
    before = [getattr(combatant, column) for column in AS_IT_STANDS]
    combatant.name, combatant.rank, combatant.points = now.name, now.rank, now.points
    combatant.build, combatant.condition = dict(now.build), dict(now.condition)
    return before != [getattr(combatant, column) for column in AS_IT_STANDS]


UNSETTLED = (BattleState.UNDER_WAY, BattleState.SUBMITTED, BattleState.DISPUTED)


def fates_pending(battle: Battle, fighters: Iterable[UUID]) -> tuple[Problem, ...]:
    """Return a warning for each fighter who may be lost in an earlier, unfinished battle.

    One query. Players need not wait for a slow opponent before they play on, but a fighter who died
    in the earlier battle cannot have fought in this one.
    """
    others = Combatant.objects.filter(
        fighter__in=list(fighters), side__battle__state__in=UNSETTLED, side__battle__friendly=False
    ).exclude(side__battle=battle)
    here = played_at(battle)
    rows = others.select_related("side__battle").order_by("pk")
    pending = (
        _pending(combatant) for combatant in rows if played_at(combatant.side.battle) <= here
    )
    return tuple(problem for problem in pending if problem is not None)


def _pending(combatant: Combatant) -> Problem | None:
    battle = combatant.side.battle
    result, fighter = read_result(battle), str(combatant.fighter_id)
    if result is None:
        sentence = gettext("%(combatant)s is also in %(battle)s, which is still in progress.") % {
            "combatant": combatant.name,
            "battle": battle,
        }
        return Problem(
            "fielded-elsewhere", sentence, Severity.WARNS, (fighter,), value=str(battle.pk)
        )
    records = [
        record for side in result.sides for record in side.records if record.fighter == fighter
    ]
    fate = (
        ruleset_of_battle(battle).progression.fate_after(records[0], battle.house_rules)[0]
        if records
        else Fate.FIT
    )
    if fate is Fate.FIT:
        return None
    sentence = gettext(
        "%(combatant)s is %(fate)s after %(battle)s, which is not confirmed yet."
    ) % {
        "battle": battle,
        "combatant": combatant.name,
        "fate": state_label(fate),
    }
    return Problem("fate-pending", sentence, Severity.WARNS, (fighter,), value=str(battle.pk))
