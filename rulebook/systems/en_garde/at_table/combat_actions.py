"""Actions of a fighter in the Combat Phase: combats that wait to be fought, and opportunities in
the open one.

Rule book: "Combat phase", "Combat procedure", "Ploys".
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec.structs import replace

from rulebook.at_table.offers import offered
from rulebook.systems.en_garde.play.checking import side_of
from rulebook.systems.en_garde.play.offers import FOLLOW_FORCED, FOLLOW_ROUND, enemies_of, people
from rulebook.systems.en_garde.play.play_state import PlayState, action_of
from rulebook.systems.en_garde.table import blows, rounds
from rulebook.systems.en_garde.table.combatant import Combatant, Grip
from rulebook.systems.en_garde.turns.attacks import (
    Attacked,
    holds_empty_pistol,
    ploy_choices,
    targets_in_combat,
)
from rulebook.systems.en_garde.turns.combats import CombatOpened
from rulebook.systems.en_garde.turns.fighters import grip_of, present, weapon_now
from rulebook.systems.en_garde.turns.opportunities import (
    Passed,
    WeaponSwitched,
    either_handed,
    fight_of,
    going_on_violations,
    may_attack,
    weapon_choices,
)
from rulebook.systems.en_garde.turns.owed import PendingCombat, pending_combats
from rulebook.systems.en_garde.turns.turn_event import lucky_choices
from rulebook.values.fields import Choices, Field
from rulebook.values.problems import join_names
from rulebook.values.table import Action

PLENTY = 99
"""Counters enough for any Ploy, to see which of them a fighter could use at all."""


def combat_phase(state: PlayState, fighter: str) -> Iterator[Action]:
    """Yield the opportunities of a fighter in the open combat, then the ways to open one."""
    fight = fight_of(state, fighter)
    if fight is not None and not fight.fencer(fighter).out:
        yield from _opportunities(state, fighter)
    pending = next(
        (
            each
            for each in pending_combats(state)
            if any(fighter in those for those in each.values())
        ),
        None,
    )
    if pending is not None:
        under_way = state.table.fight is not None and not state.table.fight.over
        hurdle = "another combat is open" if under_way else ""
        if state.settings.dice != "table":
            yield replace(_whole_combat(state, pending), hurdle=hurdle)
        yield replace(_combat(state, pending), hurdle=hurdle)
        yield replace(_simplified(state, pending), key="simplified", hurdle=hurdle)
    last = state.table.last_round_of(fighter)
    if last is not None and not any(going_on_violations(state, fighter)):
        yield _goes_on(state, last, fighter)
    if present(state, fighter).mounted and not state.table.engaged(fighter):
        yield _ride_by(state, fighter)
    if last is None and not state.table.engaged(fighter):
        yield from _finishes(state, fighter)


# What opens a combat.


def _combat(state: PlayState, pending: PendingCombat) -> Action:
    """Return the combat of those who touch; each side chooses its counters before it knows the
    other's."""
    fighters = list(chain.from_iterable(pending.values()))
    # The form leaves out what belongs to other ways of opening a combat.
    opened = action_of(
        CombatOpened,
        state,
        "Fight step by step",
        {"fighters": {side: list(those) for side, those in pending.items()}},
        without=("ride_by", "rider", "moved_on", "simplified", "initiative_by", "resolve", "nerve"),
        choices={each: people(state, fighters) for each in ("in_river", "doorway", "window")}
        | {"lucky": lucky_choices(state, fighters)},
        secrets={f"counters.{side}": side for side in pending},
        help="Choose counters in secret: pass the phone round, or show your counters at the same "
        "time.",
        rule='Rule book: "Combat procedure"',
        follow=FOLLOW_FORCED,
    )
    # The counters come first, and the dice, which are seldom typed, last.
    counters = tuple(_split(state, side, those) for side, those in pending.items())
    more = (
        *_weapons(state, fighters),
        *_hands(state, fighters),
        *opened.fields,
        *_initiative(state, fighters),
    )
    return replace(opened, fields=(*counters, *more))


def _whole_combat(state: PlayState, pending: PendingCombat) -> Action:
    """Return the same on one form: both sides' counters, and how everybody fights until the round
    is over."""
    opened = _combat(state, pending)
    fighters = list(chain.from_iterable(pending.values()))
    counters = {f"counters.{side}" for side in pending}
    fields = (
        replace(each, default=_even(each)) if each.key in counters else each
        for each in opened.fields
    )
    return replace(
        opened,
        key="round",
        label="Fight the whole round",
        fields=tuple(fields),
        secrets={},
        follow=FOLLOW_ROUND,
        plan=tuple(_plan(state, fighters)),
        help="Both sides show their counters at once. You can enter their choices too. Muster "
        "rolls Initiative and every attack until the round is over. Fighters use Ploys as long as "
        "the rules and the counters allow it.",
    )


def _even(counters: Field) -> str:
    """Return the most even split of a side's counters, with one Attack counter more if the number
    is odd."""
    return counters.choices[len(counters.choices) // 2 - int(len(counters.choices) % 2 == 0)][0]


def _plan(state: PlayState, fighters: Iterable[str]) -> Iterator[Field]:
    """Yield the fields for how each of these fights a round: its target, its Ploys, and whether it
    strikes at all."""
    everybody = tuple(fighters)
    several = len({side_of(state, each) for each in everybody}) < len(everybody)
    for fighter in everybody:
        able, name = present(state, fighter), state.named(fighter)
        if able.wounds.out:
            continue
        grip = grip_of(state, fighter, "", "", False)
        foes = people(
            state, (each for each in everybody if side_of(state, each) != side_of(state, fighter))
        )
        if several and len(foes) > 1:
            yield Field(
                f"{fighter}.target",
                f"{name} attacks first",
                "choice",
                False,
                foes,
                default=foes[0][0],
            )
        ploys = ploy_choices(_usable(able, grip, state))
        if ploys and not able.civilian:
            yield Field(f"{fighter}.ploys", f"{name} uses", "list", False, ploys)
        answers = _named_answers(able, grip, state)
        if len(answers) > 1:
            yield Field(
                f"{fighter}.answers",
                f"{name} answers with",
                "choice",
                False,
                answers,
                default=answers[0][0],
            )
        yield Field(f"{fighter}.holds", f"{name} does not attack", "flag", False, group="more")


def _usable(able: Combatant, grip: Grip, state: PlayState) -> Iterator[blows.Ploy]:
    """Return the Ploys that a fighter may strike with, if it has enough counters."""
    for ploy in (each for each in blows.Ploy if each not in blows.DEFENDERS):
        stance = blows.Stance(grip, frozenset({ploy}), attack_counters=PLENTY)
        if not blows.attacker_violations(able, stance, state.settings):
            yield ploy


def _named_answers(able: Combatant, grip: Grip, state: PlayState) -> Choices:
    """Return how a fighter may answer blows in a whole round, the likeliest first; "" if it cannot
    answer."""
    answers: list[tuple[str, str]] = []
    for key, label in (
        ("parry", "Parry, while counters last"),
        ("riposte", "Riposte once, then parry"),
    ):
        stance = blows.Stance(grip, frozenset({blows.Ploy(key)}), defence_counters=PLENTY)
        if not blows.defender_violations(able, stance, state.settings):
            answers.append((key, label))
    return (*answers, ("none", "No Ploy"))


def _simplified(state: PlayState, pending: PendingCombat) -> Action:
    """Return the same combat by the simplified procedure, with its own way to count.

    Rule book: "Appendix A".
    """
    fighters = list(chain.from_iterable(pending.values()))
    opened = action_of(
        CombatOpened,
        state,
        "Fight, simplified",
        {"fighters": {side: list(those) for side, those in pending.items()}, "simplified": True},
        without=(
            "ride_by",
            "rider",
            "moved_on",
            "in_river",
            "doorway",
            "window",
            "resolve",
            "nerve",
        ),
        choices={"initiative_by": people(state, fighters), "lucky": lucky_choices(state, fighters)},
        rule='Rule book: "Appendix A: Simplified attack procedure"',
        follow=FOLLOW_FORCED,
    )
    help_text = "One fighter’s Combat Pool, plus a counter for each other fighter in the combat."
    counters = chain.from_iterable(_two(state, side, help_text) for side in pending)
    more = (*_behind(state, fighters), *opened.fields, *_initiative(state, fighters))
    return replace(opened, fields=(*counters, *more))


def _behind(state: PlayState, fighters: list[str]) -> Iterator[Field]:
    """Yield the question which friend a fighter stands behind: spears and pikes reach past a
    friend."""
    for fighter in fighters:
        friends = [
            each
            for each in fighters
            if each != fighter and side_of(state, each) == side_of(state, fighter)
        ]
        if friends and {"spear", "pike"} & {*present(state, fighter).weapons}:
            label = f"{state.named(fighter)} stands behind"
            yield Field(
                f"behind.{fighter}", label, "choice", False, people(state, friends), group="more"
            )


def _split(state: PlayState, side: str, fighters: tuple[str, ...]) -> Field:
    """Return the field for the counters of a side: every split into Attack and Defence, all attack
    first.

    Rule book: "Combat procedure", "Multiple combats", "Civilians", "Relentless", "Warhound".
    """
    everybody = tuple(present(state, each) for each in fighters)
    size = rounds.pool_size(everybody)
    least = size - rounds.pool_size(
        tuple(each for each in everybody if not blows.never_defends(each))
    )
    most = rounds.pool_size(tuple(each for each in everybody if not each.civilian))
    splits = ((up, size - up) for up in range(most, least - 1, -1))
    choices = tuple((f"{up},{down}", f"{up} Attack, {down} Defence") for up, down in splits)
    names = join_names(state.named(each) for each in fighters)
    return Field(f"counters.{side}", f"Counters of {names}", "numbers", choices=choices)


def _weapons(state: PlayState, fighters: list[str]) -> Iterator[Field]:
    """Yield the question for the weapon in each fighter's hand, where there is a choice."""
    for fighter in fighters:
        choices = weapon_choices(state, fighter)
        now = weapon_now(state, fighter)
        if len(choices) > 1:
            label = f"Weapon of {state.named(fighter)}"
            yield Field(
                f"weapons.{fighter}", label, "choice", False, choices, default=now, group="more"
            )


def _hands(state: PlayState, fighters: list[str]) -> Iterator[Field]:
    """Yield the question for one hand or both, of those who carry a weapon that takes either."""
    choices = (("one", "One hand"), ("two", "Both hands"))
    help_text = "Only for a weapon used in one or two hands. Otherwise both hands if they are free."
    for fighter in (each for each in fighters if either_handed(state, each)):
        label = f"Hands on the weapon of {state.named(fighter)}"
        yield Field(
            f"hands.{fighter}", label, "choice", False, choices, help=help_text, group="more"
        )


def _initiative(state: PlayState, fighters: list[str]) -> Iterator[Field]:
    help_text = "After a tie, add the new dice after the first: 4,2."
    for fighter in fighters if state.settings.dice != "app" else ():
        label = f"Initiative die of {state.named(fighter)}"
        yield Field(f"initiative.{fighter}", label, "dice", False, help=help_text, group="dice")


def _goes_on(state: PlayState, last: rounds.Round, fighter: str) -> Action:
    """Return a short move to new opponents, with the counters that are left.

    Rule book: "Initiating a new combat".
    """
    left = rounds.moved_on(last, fighter)
    side = side_of(state, fighter)
    given = {
        "moved_on": fighter,
        "fighters": {side: [fighter]},
        "counters": {side: [left.attack, left.defence]},
    }
    without = ("ride_by", "rider", "simplified", "initiative_by", "resolve", "nerve")
    return replace(_picking(state, fighter, "Move to another enemy", given, without), key="go-on")


def _ride_by(state: PlayState, fighter: str) -> Action:
    """Return a ride-by attack on an enemy to be chosen. Rule book: "Ride-by attacks"."""
    own = rounds.fighter_pool(present(state, fighter), ride_by=True)
    side = side_of(state, fighter)
    given = {"ride_by": True, "rider": fighter, "fighters": {side: [fighter]}}
    opened = _picking(
        state,
        fighter,
        "Ride-by attack",
        given,
        ("moved_on", "simplified", "initiative_by", "indoors"),
    )
    counters = _two(state, side, f"{state.named(fighter)} has {own} in total.")
    return replace(
        opened, key="ride-by", fields=(*opened.fields[:1], *counters, *opened.fields[1:])
    )


def _finishes(state: PlayState, fighter: str) -> Iterator[Action]:
    """Yield blows at unconscious enemies, who engage nobody and draw no counters.

    Rule book: "Ploys" (Subdue).
    """
    side = side_of(state, fighter)
    foes = [each for each in state.enemies(side) if each.on_table and not each.standing]
    for foe in foes:
        given = {
            "fighters": {side: [fighter], foe.side: [foe.fighter.id]},
            "counters": {foe.side: [0, 0]},
        }
        without = (
            "ride_by",
            "rider",
            "moved_on",
            "simplified",
            "initiative_by",
            "in_river",
            "doorway",
            "window",
        )
        label = f"Attack the unconscious {foe.fighter.name}"
        opened = action_of(
            CombatOpened, state, label, given, without=without, key=f"finish-{foe.fighter.id}"
        )
        yield replace(opened, fields=(_split(state, side, (fighter,)), *opened.fields))


def _picking(
    state: PlayState, fighter: str, label: str, given: Mapping[str, Any], without: tuple[str, ...]
) -> Action:
    """Return a combat whose other side is still to be chosen, in two-sided battles."""
    hidden = (*without, "in_river", "doorway", "window")
    opened = action_of(CombatOpened, state, label, given, without=hidden, follow=FOLLOW_FORCED)
    foes = enemies_of(state, fighter)
    other = side_of(state, foes[0]) if foes else ""
    choices = people(state, (each for each in foes if side_of(state, each) == other))
    whom = Field(f"fighters.{other}", "Opponents", "list", choices=choices)
    return replace(
        opened,
        fields=(
            whom,
            *_two(state, other, "As many counters as their Combat Pools."),
            *opened.fields,
        ),
    )


def _two(state: PlayState, side: str, help_text: str) -> tuple[Field, ...]:
    """Return the fields for both counters of a side as numbers."""
    name = state.side(side).name if side else ""
    return (
        Field(
            f"counters.{side}.0",
            f"Attack counters, {name}",
            "number",
            help=help_text,
            least=0,
            most=60,
        ),
        Field(f"counters.{side}.1", f"Defence counters, {name}", "number", least=0, most=60),
    )


# What a fighter can do with an opportunity in the open combat.


def _opportunities(state: PlayState, fighter: str) -> Iterator[Action]:
    """Yield the attack, alone or with the rest of the round, another weapon, passing, and the
    warhorse's own blow."""
    if (
        may_attack(state, fighter)
        and state.settings.dice != "table"
        and not holds_empty_pistol(state, fighter)
    ):
        yield _whole_round(state, fighter)
    yield from offered((Attacked, WeaponSwitched, Passed), state, fighter)
    yield from Attacked.offers_by_mount(state, fighter)


def _whole_round(state: PlayState, fighter: str) -> Action:
    """Return the next blow, and with it all the others of the round, on one form."""
    fight = fight_of(state, fighter)
    fencers = () if fight is None else fight.fencers
    blow = Attacked.offer(state, fighter)
    return replace(
        blow,
        key="round",
        label="Fight the rest of the round",
        given={**blow.given, "target": targets_in_combat(state, fighter)[0]},
        fields=tuple(field for field in blow.fields if field.key in ("ploys", "answers")),
        follow=FOLLOW_ROUND,
        plan=tuple(_plan(state, [fencer.id for fencer in fencers if not fencer.out])),
        help="The next attack, and then all the others. You can enter their choices too.",
    )
