"""Wounds in the log, however they came about: logged as such, or the outcome of a blow, a shot, a
spell or a mishap.

Rule book: "Wounds", "Wound Table", "Large Models", "Subdue", "Thrown riders", "Poison".
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from rulebook.at_table.sentences import name_of
from rulebook.battle_log.kinds import (
    Casualty,
    CombatantNames,
    Die,
    FighterId,
    Text,
    Words,
    field_meta,
    kind,
)
from rulebook.systems.en_garde.book import broken, problem
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.play import checking
from rulebook.systems.en_garde.play.offers import on_table, people
from rulebook.systems.en_garde.play.play_state import (
    CombatantState,
    Event,
    PlayState,
    outfit,
    wound_table,
)
from rulebook.systems.en_garde.play.words import RESULTS
from rulebook.systems.en_garde.rosters.assembled_roster import BANNER
from rulebook.systems.en_garde.table.wounds import (
    UNHURT,
    WoundResult,
    WoundState,
    WoundTable,
    converted,
    needs_die,
    remove_stunned,
    suffer,
    third_stun,
    thrown_off,
    throws_rider,
)
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.values.answers import ReasonLine
from rulebook.values.battles import Deed, LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation


class WoundCause(StrEnum):
    """Ways to deal a wound."""

    MELEE = "melee"
    SHOOTING = "shooting"
    ORDNANCE = "ordnance"
    SPELL = "spell"
    RIPOSTE = "riposte"
    FREE_ATTACK = "free-attack"
    FALL = "fall"
    DROWNING = "drowning"
    POISON = "poison"
    MOUNT = "mount"
    OTHER = "other"


WOUND_TABLE = 'Rule book: "Wound Table"'
HAND_TO_HAND = (WoundCause.MELEE, WoundCause.RIPOSTE, WoundCause.FREE_ATTACK)
NOBODYS = (WoundCause.FALL, WoundCause.DROWNING, WoundCause.POISON)
"""Ways to be hurt that are nobody's attack (Rulings X3, B27)."""

DEATH_BY: Mapping[WoundCause, str] = {
    WoundCause.MELEE: "a blow",
    WoundCause.SHOOTING: "a shot",
    WoundCause.ORDNANCE: "a gun",
    WoundCause.SPELL: "a spell",
    WoundCause.RIPOSTE: "a riposte",
    WoundCause.FREE_ATTACK: "a free attack",
    WoundCause.FALL: "a fall",
    WoundCause.DROWNING: "drowning",
    WoundCause.POISON: "poison",
    WoundCause.MOUNT: "a horse's hooves",
    WoundCause.OTHER: "a mishap",
}
"""Causes of death in a service record, where nobody is named for it."""
VERBS: Mapping[WoundCause, str] = {
    WoundCause.MELEE: "struck",
    WoundCause.SHOOTING: "shot",
    WoundCause.ORDNANCE: "fired on",
    WoundCause.SPELL: "cast a spell on",
    WoundCause.RIPOSTE: "riposted against",
    WoundCause.FREE_ATTACK: "made a free attack on",
    WoundCause.MOUNT: "rode down",
}
MISHAPS: Mapping[WoundCause, str] = {
    WoundCause.FALL: "fell:",
    WoundCause.DROWNING: "was drowning:",
    WoundCause.POISON: "was poisoned:",
}


@kind(
    "wound",
    "Wound",
    'Rule book: "Wounds", "Wound Table"',
    rows=3,
    help="The result of one attack. Muster adds it to earlier wounds.",
    about="attacker",
    hurts=True,
    casualty=Casualty(
        victim="victim", what=("result",), by="attacker", how="means", without=("scratch",)
    ),
    ends=("victim",),
    offered_to="victim",
    offered_as="Add wound by hand",
    asked_first=("result", "means", "attacker"),
)
class WoundEvent(Event, frozen=True, kw_only=True):
    """One attack or mishap that had an effect, with its own result; the log adds it to what went
    before."""

    victim: Annotated[FighterId, field_meta("Victim")]
    result: Annotated[WoundResult, field_meta("Result")]
    means: Annotated[WoundCause, field_meta("How")] = WoundCause.MELEE
    attacker: Annotated[
        str | None,
        field_meta(
            "Attacker", "Leave blank for falls, drowning and poison.", extra={"kind": "combatant"}
        ),
    ] = None
    weapon: Annotated[Text, field_meta("Weapon", max_length=60)] = ""
    subdue: Annotated[bool, field_meta("Subdue", "To knock out, not to kill.")] = False
    third_stun: Annotated[
        bool,
        field_meta("Third Stunned counter", "The Light wound came from a third Stunned counter."),
    ] = False
    on_mount: Annotated[bool, field_meta("The mount was hit", "Not its rider.")] = False
    friendly: Annotated[bool, field_meta("Friendly fire", "By the victim's own side.")] = False
    die: Annotated[
        Die | None,
        field_meta("Die", "For a Critical wound on a large body. It kills on 4 or more."),
    ] = None
    overruled: Annotated[Words, field_meta("Overruled because")] = ""

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a fighter on the table, or a Civilian."""
        on_the_table = actor in state.combatants and state.combatants[actor].on_table
        return on_the_table or actor in state.civilians

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        return {"attacker": people(state, (each for each in on_table(state) if each != actor))}

    def may_end(self, state: PlayState, logged: LoggedEvent) -> Iterable[tuple[str, str]]:
        """Yield the victim if the wound kills. A lighter wound may have come before the end, and be
        logged later."""
        return super().may_end(state, logged) if _kills(state, self, logged) else ()

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        yield from (
            _civilian_hit(state, self)
            if self.victim in state.civilians
            else _victim(state, self, logged)
        )
        yield from _attacker(state, self, logged)
        if self.third_stun and (self.result is not WoundResult.LIGHT or self.on_mount):
            yield problem("no-third-stun", value="true")
        if self.subdue and self.means not in (WoundCause.MELEE, WoundCause.OTHER):
            yield problem("no-subduing", value="true", means=self.means)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterable[Violation]:
        """Return the violation of a fighter who attacks himself. Harm without an enemy has a cause
        instead."""
        return broken((self.attacker == self.victim, "wounds-itself"))

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after a wound that was logged as such; turn by turn a poisoned weapon
        goes on to stun."""
        if self.attacker == self.victim:  # In old logs, or overruled: a mishap, and nobody's deed.
            return replace(self, attacker=None, friendly=False, overruled="").apply(state, logged)
        after = take_wound(state, self, logged)
        return _poisoned(state, after, self) if state.table.turn else after

    def sentence(self, names: CombatantNames) -> str:
        victim = name_of(names, self.victim) + ("’s mount" if self.on_mount else "")
        remarks = (
            (" (subdued)", self.subdue),
            (" (friendly fire)", self.friendly),
            (" (the third Stunned counter)", self.third_stun),
        )
        result = RESULTS[self.result] + "".join(words for words, applies in remarks if applies)
        if self.attacker is None:
            return f"{victim} {MISHAPS.get(self.means, 'was hurt:')} {result}"
        weapon = f" with {self.weapon}" if self.weapon else ""
        return (
            f"{name_of(names, self.attacker)} {VERBS.get(self.means, 'hit')} {victim}{weapon}: "
            f"{result}"
        )


@kind(
    "removed_stun",
    "Stunned counters removed",
    'Rule book: "Remove stunned counters"',
    hurts=True,
    offered_to="fighter",
    offered_as="Remove Stunned counters by hand",
    asked_first=("counters",),
)
class StunRemoved(Event, frozen=True, kw_only=True):
    """A fighter shakes off Stunned counters."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    counters: Annotated[int, field_meta("Counters", ge=1, le=2)] = 1

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        return super().is_open_to(state, actor) and state.combatants[actor].wounds.stunned > 0

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        unknown = tuple(checking.combatant_problems(state, self.fighter, "fighter"))
        yield from unknown
        borne = 0 if unknown else state.combatants[self.fighter].wounds.stunned
        if not unknown and self.counters > borne:
            yield problem(
                "no-such-counters", value=self.counters, name=state.named(self.fighter), borne=borne
            )

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        fighter = state.combatants[self.fighter]
        return state.with_combatant(
            replace(fighter, wounds=remove_stunned(fighter.wounds, self.counters))
        )

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} removes {self.counters} Stunned"


def harm(state: PlayState, logged: LoggedEvent, wound: WoundEvent) -> PlayState:
    """Return the state after the result of one attack or mishap; a scratch changes nothing.

    Whether it was friendly fire is worked out here, and a die that the victim's body does not need
    is left out.
    """
    if wound.result is WoundResult.SCRATCH:
        return state
    own = wound.attacker is not None and checking.same_side(state, wound.attacker, wound.victim)
    spare = wound.die is not None and not die_wanted(
        state, wound.victim, wound.result, on_mount=wound.on_mount
    )
    if spare or own is not wound.friendly:
        wound = replace(wound, friendly=own, die=None if spare else wound.die)
    return _poisoned(state, take_wound(state, wound, logged), wound)


def die_wanted(
    state: PlayState, victim: str, result: WoundResult, *, on_mount: bool = False
) -> bool:
    """Return whether this result on this victim asks for the die of a large body."""
    if victim in state.civilians:
        return False
    table = WoundTable.LARGE if on_mount else wound_table(state.combatants[victim].fighter)
    return needs_die(result, table)


def armour_line(rating: int) -> tuple[ReasonLine, ...]:
    """Return the line of a Wound Score's sum for the victim's armour, if it has any."""
    return (ReasonLine(-rating, "Armour Rating", 'Rule book: "Armour"'),) if rating else ()


# What is wrong with one.


def _victim(state: PlayState, event: WoundEvent, logged: LoggedEvent) -> Iterator[Problem]:
    unknown = list(checking.combatant_problems(state, event.victim, "victim"))
    if unknown:
        yield from unknown
        return
    victim = state.combatants[event.victim]
    if not victim.on_table and not checking.happened_before(victim, logged):
        yield checking.already_out(victim, "victim")
    if event.on_mount and (victim.thrown or not outfit(victim.fighter).mounted):
        yield problem(
            "hits-no-mount", fighters=(event.victim,), value="true", name=victim.fighter.name
        )
    yield from _die(event, WoundTable.LARGE if event.on_mount else wound_table(victim.fighter))


def _civilian_hit(state: PlayState, event: WoundEvent) -> Iterator[Problem]:
    civilian = state.civilians[event.victim]
    if civilian.dead or civilian.outcome in ("taken", "escorted"):
        yield problem(
            "civilian-out-of-action",
            value=event.victim,
            name=civilian.name,
            fate=civilian.outcome or "dead",
        )
    if event.on_mount:
        yield problem("civilian-on-foot", value="true")
    yield from _die(event, WoundTable.STANDARD)


def _die(event: WoundEvent, table: WoundTable) -> Iterator[Problem]:
    needed = needs_die(event.result, table)
    if needed and event.die is None:
        yield problem("die-needed")
    if not needed and event.die is not None:
        yield problem("no-die-needed", value=event.die)


def _attacker(state: PlayState, event: WoundEvent, logged: LoggedEvent) -> Iterator[Problem]:
    if event.attacker is None:
        return
    if event.means in NOBODYS:
        yield problem("nobodys-attack", value=event.attacker, means=event.means)
    unknown = list(checking.combatant_problems(state, event.attacker, "attacker"))
    yield from unknown
    if not unknown:
        # Who is out of action does nothing more, unless the turns show that this came first.
        attacker = state.combatants[event.attacker]
        if not attacker.standing and not checking.happened_before(attacker, logged):
            yield checking.already_out(attacker, "attacker")
    hit = state.civilians.get(event.victim) or state.combatants.get(event.victim)
    if unknown or hit is None:
        return
    same = hit.side == state.side_of(event.attacker)
    if same and not event.friendly:
        yield problem("wounds-own-side", value=event.attacker)
    if event.friendly and not same:
        yield problem("not-own-side", value="true")


# What it does.


class Effect(Struct, frozen=True):
    """The effect of an attack: the state after it, its own result after conversion, and what made
    it so."""

    wounds: WoundState
    result: WoundResult
    third_stun: bool = False
    subdued: bool = False


class Hit(Struct, frozen=True):
    """The victim as it stood before: ``fighter`` is None for one that is on no roster.

    A Civilian, whose Rank is 0 (Ruling X20), or somebody who was summoned (Ruling B32).
    """

    fighter: str | None
    name: str
    rank: int
    before: WoundState


def take_wound(state: PlayState, event: WoundEvent, logged: LoggedEvent) -> PlayState:
    """Return the state after a wound.

    Wounds on a mount are its own; a gravely hurt one throws its rider (Ruling B26).
    """
    if event.victim in state.civilians:
        civilian = state.civilians[event.victim]
        effect = effect_of(civilian.wounds, event, WoundTable.STANDARD, state.settings)
        deeds = _deeds(state, event, effect, logged, Hit(None, civilian.name, 0, civilian.wounds))
        return replace(state.with_civilian(replace(civilian, wounds=effect.wounds)), deeds=deeds)
    if event.on_mount:
        return _hurt_mount(state, event, logged)
    victim = state.combatants[event.victim]
    effect = effect_of(victim.wounds, event, wound_table(victim.fighter), state.settings)
    hurt = replace(victim, wounds=effect.wounds)
    killed = hurt.dead and not victim.dead
    if killed:
        killer = DEATH_BY[event.means]
        if event.attacker is not None:
            side = (
                "friendly fire"
                if event.friendly
                else state.side(state.side_of(event.attacker)).name
            )
            killer = f"{state.named(event.attacker)} ({side})"
        hurt = replace(hurt, killed_by=killer)
    victim_id = None if victim.summoned else victim.fighter.id
    deeds = _deeds(
        state,
        event,
        effect,
        logged,
        Hit(victim_id, victim.fighter.name, victim.fighter.rank, victim.wounds),
    )
    combatants = {**state.combatants, event.victim: _out(hurt, logged)}
    state = replace(state, combatants=combatants, deeds=deeds)
    # Under that house rule, whoever kills an enemy's bearer has captured the banner. Ruling B20.
    takes_it = killed and state.settings.banner_capture == "bearer-killed" and not event.friendly
    if takes_it and event.attacker and hurt.fighter.fills(BANNER):
        return replace(state, banners={**state.banners, hurt.side: event.attacker})
    return state


def effect_of(
    before: WoundState, event: WoundEvent, table: WoundTable, settings: HouseRules
) -> Effect:
    """Return what a wound event does to somebody in this state.

    The dead only keep the result: it came before their death.

    Rulings B15, B19, X4, X5.
    """
    result = converted(event.result, table, event.die)
    third = event.third_stun or (result is WoundResult.STUNNED and before.stunned == 2)
    result = WoundResult.LIGHT if third else result
    if before.dead:
        return Effect(before, result, third)
    subdue, kills = event.subdue, settings.subdue_kills
    if event.third_stun:
        after = third_stun(before, subdue=subdue, subdue_kills=kills)
    else:
        after = suffer(
            before, event.result, table=table, die=event.die, subdue=subdue, subdue_kills=kills
        )
    return Effect(after, result, third, subdued=after.unconscious and not before.unconscious)


def _kills(state: PlayState, event: WoundEvent, logged: LoggedEvent) -> bool:
    """Return whether a wound kills a fighter; if he is dead already, whether it is the wound that
    killed him.

    It is if he died of such a wound in the same turn, or cannot have borne it before he died. Which
    of the wounds before a death came first nobody knows: they are added up as gently as they can
    be.
    """
    victim = state.combatants.get(event.victim)
    if victim is None or event.on_mount:
        return False
    table = wound_table(victim.fighter)
    settings = state.settings
    if needs_die(event.result, table) and event.die is None:
        return False
    if not victim.dead:
        return effect_of(victim.wounds, event, table, settings).wounds.dead
    alone = effect_of(UNHURT, event, table, settings)
    if alone.wounds.dead or event.subdue:
        return alone.wounds.dead
    own = [each for each in state.deeds if each.victim == event.victim]
    if any(each.killed and (each.result, each.turn) == (alone.result, logged.turn) for each in own):
        return True
    earlier = (each.result for each in own if not each.killed)
    # A second death of an old log is none of the wounds before the first.
    results = [WoundResult(each) for each in earlier if each != WoundResult.CRITICAL]
    borne = UNHURT
    for result in sorted((*results, alone.result), key=[*WoundResult].index):
        borne = borne if borne.dead else suffer(borne, result)
    return borne.dead


def _out(combatant: CombatantState, logged: LoggedEvent) -> CombatantState:
    """Return the combatant, with the event that put it out of action and the turn of its death
    noted."""
    if combatant.standing:
        return combatant
    if combatant.dead and combatant.died_turn is None:
        combatant = replace(combatant, died_turn=logged.turn)
    if combatant.out_since is not None:
        return combatant
    return replace(combatant, out_since=logged.sequence, out_turn=logged.turn)


def _deeds(
    state: PlayState, event: WoundEvent, effect: Effect, logged: LoggedEvent, hit: Hit
) -> tuple[Deed, ...]:
    """Return all deeds: a Light wound or worse is a deed of its attacker, with the ranks of the
    hour (Ruling X6)."""
    if event.attacker is None or not effect.result.wounds:
        return state.deeds
    facts = {
        "third_stun": effect.third_stun,
        "subdued": effect.subdued,
        "unconscious": hit.before.unconscious,
        "weapon": event.weapon,
        "civilian": event.victim if event.victim.startswith("civilian-") else "",
    }
    deed = Deed(
        fighter=event.attacker,
        kind="wound",
        rank=state.combatants[event.attacker].fighter.rank,
        victim=hit.fighter,
        victim_name=hit.name,
        victim_rank=hit.rank,
        result=str(effect.result),
        means=str(event.means),
        killed=effect.wounds.dead and not hit.before.dead,
        turn=logged.turn,
        friendly=event.friendly,
        detail={key: value for key, value in facts.items() if value},
    )
    return (*state.deeds, deed)


def _hurt_mount(state: PlayState, event: WoundEvent, logged: LoggedEvent) -> PlayState:
    """Return the state after a wound of a mount; a gravely hurt one throws its rider.

    Rule book: "Thrown riders".
    """
    rider = state.combatants[event.victim]
    mount = suffer(rider.mount, event.result, table=WoundTable.LARGE, die=event.die)
    if not throws_rider(mount):
        return state.with_combatant(replace(rider, mount=mount))
    thrown = replace(rider, mount=mount, thrown=True)
    in_saddle = not (rider.dead or state.table.of(event.victim).dismounted)
    if in_saddle:
        horse_master = "horse-master" in outfit(rider.fighter).knows
        thrown = replace(thrown, wounds=thrown_off(rider.wounds, horse_master=horse_master))
    if thrown.dead and not rider.dead:
        thrown = replace(thrown, killed_by=DEATH_BY[WoundCause.FALL])
    return state.with_combatant(_out(thrown, logged))


# A poisoned weapon goes on to stun.


def _poisoned(before: PlayState, after: PlayState, wound: WoundEvent) -> PlayState:
    """Return the state after a wound from a poisoned weapon, which goes on to stun.

    Rule book: "Poison".
    """
    if wound.attacker is None or wound.on_mount:
        return after
    poisoned = present(before, wound.attacker).poisoned
    if (
        not poisoned
        or before.somebody(wound.victim).wounds.wound is after.somebody(wound.victim).wounds.wound
    ):
        return after
    # As it was told, else the one in hand if it was struck hand-to-hand.
    weapon = wound.weapon.strip().lower().replace(" ", "-")
    if not weapon and wound.means in HAND_TO_HAND:
        weapon = weapon_now(before, wound.attacker)
    return after.with_fighter(wound.victim, poisoned=True) if weapon in poisoned else after


def after_poison(state: PlayState, sequence: int = 0) -> PlayState:
    """Return the state after this turn's poison has worked: a Stunned counter for each victim.

    A log has no event for that moment: the first event of the End Phase, or the next turn, shows
    that the Combat Phase is over. ``sequence`` is that of this event. Rule book: "Poison". Ruling
    B27.
    """
    turn = state.table.turn
    if not turn or state.table.poison_worked:
        return state
    state = state.with_table(poison_worked=True)
    for victim, entry in state.table.fighters.items():
        if entry.poisoned and state.somebody(victim).on_table:
            tick = WoundEvent(victim=victim, result=WoundResult.STUNNED, means=WoundCause.POISON)
            state = harm(state, LoggedEvent(sequence, "wound", {}, turn), tick)
    return state
