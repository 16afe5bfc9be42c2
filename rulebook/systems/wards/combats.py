"""Shooting, guns, fights, charges, and Generals who are struck: the kinds of event in which somebody is hurt."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import FighterId, FighterIds, Names, ReplayStep, TwoDice, one_of
from rulebook.calculators.wording import reasoned
from rulebook.systems.wards.book import broken, figures
from rulebook.systems.wards.events import Dice, Pool, TurnEvent, WardKey, in_turn
from rulebook.systems.wards.fights import Party, assaulter_wins, fight_dice, fight_lines, general_hits
from rulebook.systems.wards.pools import successes
from rulebook.systems.wards.shooting import MODES, gun_dice, needs, unit_dice
from rulebook.systems.wards.state import Combatant, State, ward_name
from rulebook.systems.wards.units import general_save
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import EventOutcome

Reroll = Annotated[bool, Meta(title="A General lets failed dice be thrown again", description="Once (W-G5).")]
Hit = Annotated[FighterIds, Meta(title="Who is hit", description="A name for each hit; else the units in turn (W-S4).")]
Saves = Annotated[Pool, Meta(title="Saves", description="A die for each hit, in the order of who is hit.")]


def unsaved(state: State, hit: tuple[str, ...], saves: tuple[int, ...]) -> Counter[str]:
    """The casualties of each unit: its hits without those that it saved."""
    found: Counter[str] = Counter()
    for one, die in zip(hit, saves, strict=True):
        found[one] += die < state.standing(state.combatants[one]).save
    return +found


def struck(state: State, ward: str, hits: int) -> State:
    """The state in which a Ward's General is to be saved, once for each fifth hit. Ruling W-F6."""
    general = state.general_of(ward)
    return state if general is None else replace(state, struck=(*state.struck, *(general.id,) * general_hits(hits)))


def casualties_told(state: State, lost: Mapping[str, int]) -> str:
    """Casualties in words."""
    told = ", ".join(f"{state.combatants[one].name} {count}" for one, count in lost.items())
    return f"Casualties: {told}." if told else "No casualties."


class _Shooting(TurnEvent, frozen=True, kw_only=True):
    """What shots at a Ward have in common: hits, who takes them, saves, disorder."""

    phase: ClassVar[str] = "shooting"
    always_rolls: ClassVar[bool] = True

    target: Annotated[WardKey, Meta(title="At which Ward")]
    hit: Hit = ()
    dice: Annotated[Pool, Meta(title="Dice")] = ()
    again: Annotated[Pool, Meta(title="Failed dice thrown again")] = ()
    saves: Saves = ()
    disorder: Annotated[Pool, Meta(title="Dice against disorder", description="One for each casualty.")] = ()

    def hits(self, state: State) -> int:
        """How many dice hit."""
        raise NotImplementedError

    def casualties(self, state: State) -> Counter[str]:
        """The casualties of each unit of the target."""
        raise NotImplementedError

    def taken(self, state: State) -> tuple[str, ...]:
        """The unit that takes each hit."""
        return in_turn(state, self.target, self.hits(state), self.hit)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        units = {each.id for each in state.units(self.target)}
        if wrong := [each for each in self.hit if each not in units]:
            sentence = f"{state.combatants[wrong[0]].name} is no unit of {ward_name(self.target)}. Leave it out."
            yield Problem("not-in-ward", sentence, field="hit", value=wrong[0])

    def disordered(self, state: State) -> tuple[str, ...]:
        """Units that fall out of order by their casualties. Ruling W-H3."""
        one_each = [one for one, count in self.casualties(state).items() for _ in range(count)]
        need = figures("shooting")["disorder_on"]
        return tuple(one for one, die in zip(one_each, self.disorder, strict=True) if die >= need)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        hits, out = self.hits(state), self.disordered(state)
        return struck(state, self.target, hits).marked(self.casualties(state)).disordered(out)

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        before, hits = step.before, self.hits(step.before)
        told = [f"{hits} hit{'s' * (hits != 1)}.", casualties_told(before, self.casualties(before))]
        if out := dict.fromkeys(self.disordered(before)):
            told.append(f"Out of order: {', '.join(before.combatants[each].name for each in out)}.")
        return EventOutcome(tuple(told), (), (self.rule,))


class WardShot(_Shooting, frozen=True, kw_only=True):
    """The units of a Ward shoot at another."""

    key: ClassVar[str] = "shoot"
    label: ClassVar[str] = "Shoot"
    rule: ClassVar[str] = 'Sheet: "Shooting"'
    about: ClassVar[str] = "ward"
    wards: ClassVar[tuple[str, ...]] = ("ward", "target")

    ward: Annotated[WardKey, Meta(title="Which Ward")]
    units: Annotated[FighterIds, Meta(title="Which units shoot", description="Else all units of foot.")] = ()
    mode: Annotated[str, one_of(MODES), Meta(title="How")] = "normal"
    reroll: Reroll = False
    low: Annotated[Pool, Meta(title="Arrows after intense shooting", description="A die a unit.")] = ()

    def shooters(self, state: State) -> tuple[Combatant, ...]:
        """The units that shoot: those that are named, else all on foot."""
        units = state.units(self.ward)
        return tuple(each for each in units if (each.id in self.units if self.units else each.unit.arm == "foot"))

    def rolled(self, state: State) -> tuple[int, ...]:
        """What each die has to show, in the order in which the dice are thrown."""
        pairs = ((needs(self.mode, low=each.low), each) for each in self.shooters(state))
        return tuple(need for need, each in pairs for _ in range(unit_dice(state.standing(each).frontage)))

    def missed(self, state: State) -> tuple[int, ...]:
        """What the dice that missed had to show."""
        return tuple(need for need, die in zip(self.rolled(state), self.dice, strict=False) if die < need)

    def hits(self, state: State) -> int:
        first = len(self.rolled(state)) - len(self.missed(state)) if self.dice else 0
        return first + sum(die >= need for need, die in zip(self.missed(state), self.again, strict=False))

    def casualties(self, state: State) -> Counter[str]:
        return unsaved(state, self.taken(state), self.saves)

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.rolled(state))}
        yield {"again": len(self.missed(state)) * self.reroll}
        yield {"saves": len(self.taken(state))}
        yield {"disorder": self.casualties(state).total(), "low": len(self.shooters(state)) * (self.mode == "intense")}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        ward, shooters = state.ward(self.ward), self.shooters(state)
        return broken(
            ("shot" in ward.done, "shot-already"),
            (ward.morale == "rout", "routs"),
            (not shooters, "nobody-shoots"),
            (self.mode == "intense" and any(each.low for each in shooters), "low-on-arrows"),
            (self.ward.split("/")[0] == self.target.split("/")[0], "own-side"),
            name=ward_name(self.ward),
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        shooters = self.shooters(state)
        state = super().apply(state, logged).with_ward(self.ward, "shot")
        short = zip(shooters, self.low, strict=False)
        runs_low = (each.id for each, die in short if die <= figures("shooting")["low_on"])
        return state.with_(*(replace(state.combatants[each], low=True) for each in runs_low))

    def sentence(self, names: Names) -> str:
        how = "shoots intensely" if self.mode == "intense" else "shoots"
        return f"{ward_name(self.ward)} {how} at {ward_name(self.target)}"


class GunShot(_Shooting, frozen=True, kw_only=True):
    """A gun shoots: each 6 is a casualty without a save, failed dice are thrown again once, and it is empty then."""

    key: ClassVar[str] = "gun"
    label: ClassVar[str] = "Fire a gun"
    says: ClassVar[str] = "{fighter} fires at {target}"
    rule: ClassVar[str] = 'Sheet: "Artillery"'
    acting: ClassVar[tuple[str, ...]] = ("fighter",)
    wards: ClassVar[tuple[str, ...]] = ("target",)

    fighter: Annotated[FighterId, Meta(title="Which gun")]

    def hits(self, state: State) -> int:
        return successes((*self.dice, *self.again), figures("artillery")["hits_on"])

    def casualties(self, state: State) -> Counter[str]:
        return Counter(self.taken(state))

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": gun_dice(state.combatants[self.fighter].unit.arm)}
        yield {"again": len(self.dice) - successes(self.dice, figures("artillery")["hits_on"])}
        yield {"disorder": len(self.taken(state))}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        if not one.unit.gun:
            yield Problem("no-gun", f"{one.name} is no gun. Name one.", field="fighter", value=self.fighter)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        full, gun = state.settings.full_load, state.combatants[self.fighter]
        return broken((gun.fired and gun.faces < full, "not-loaded"), name=gun.name, full=full)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = super().apply(state, logged)
        return state.with_(replace(state.combatants[self.fighter], faces=0, fired=True))


class HandGunnersShot(TurnEvent, frozen=True, kw_only=True):
    """Hand gunners shoot: one die for each of their bases, and each 6 kills half a base."""

    key: ClassVar[str] = "hand-gunners"
    label: ClassVar[str] = "Hand gunners shoot"
    says: ClassVar[str] = "{fighter} shoot at {target}"
    phase: ClassVar[str] = "shooting"
    rule: ClassVar[str] = 'Sheet: "Hand gunners"'
    always_rolls: ClassVar[bool] = True
    acting: ClassVar[tuple[str, ...]] = ("fighter", "target")

    fighter: Annotated[FighterId, Meta(title="Who")]
    target: Annotated[FighterId, Meta(title="At which unit")]
    dice: Annotated[Pool, Meta(title="Dice")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": -(-state.combatants[self.fighter].halves // 2)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        if one.unit.arm != "hand-gunners":
            yield Problem("no-hand-gunners", f"{one.name} has no hand guns.", field="fighter", value=self.fighter)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        killed = successes(self.dice, figures("hand_gunners")["kills_on"])
        return state.losing(self.target, killed) if killed else state

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        killed = successes(self.dice, figures("hand_gunners")["kills_on"])
        name = step.before.combatants[self.target].name
        return EventOutcome((f"{name} loses {killed} half base{'s' * (killed != 1)}.",), (), (self.rule,))


class Fought(TurnEvent, frozen=True, kw_only=True):
    """A Ward assaults another: dice of both, hits, saves, a winner, and what follows from it."""

    key: ClassVar[str] = "fight"
    label: ClassVar[str] = "Fight"
    says: ClassVar[str] = "{ward} assaults {target}"
    phase: ClassVar[str] = "fights"
    rule: ClassVar[str] = 'Sheet: "Fight D6", "Fight result"'
    about: ClassVar[str] = "ward"
    always_rolls: ClassVar[bool] = True
    wards: ClassVar[tuple[str, ...]] = ("ward", "target")

    ward: Annotated[WardKey, Meta(title="Who assaults")]
    target: Annotated[WardKey, Meta(title="Whom")]
    leading: Annotated[int, Meta(title="Its General leads from the front", ge=0, le=2)] = 0
    target_leading: Annotated[int, Meta(title="The enemy's does", ge=0, le=2)] = 0
    into_ground: Annotated[bool, Meta(title="Into scenery", description="Wood, hedge, stream, hill ...")] = False
    reroll: Reroll = False
    target_reroll: Reroll = False
    hit: Hit = ()
    target_hit: Hit = ()
    unreliable: Annotated[TwoDice, Meta(title="An unreliable General", description="2-4 no fight.")] = ()
    dice: Annotated[Pool, Meta(title="Dice")] = ()
    again: Annotated[Pool, Meta(title="Failed dice thrown again")] = ()
    target_dice: Annotated[Pool, Meta(title="The enemy's dice")] = ()
    target_again: Annotated[Pool, Meta(title="The enemy's failed dice thrown again")] = ()
    saves: Saves = ()
    target_saves: Saves = ()
    order: Annotated[Pool, Meta(title="The winner restores order", description="A die a unit.")] = ()
    leaves: Annotated[Pool, Meta(title="Losers after a charge", description="A die a unit: 5, 6 destroyed.")] = ()

    def parties(self, state: State) -> tuple[Party, Party]:
        """Both sides as the sheet sees them."""
        return (
            state.party(self.ward, assaults=True, leading=self.leading, into_ground=self.into_ground),
            state.party(self.target, assaults=False, leading=self.target_leading),
        )

    def judges(self, state: State) -> str:
        """The unreliable General who has yet to throw, "" for none. Rulings W-U1, W-U3."""
        general = state.general_of(self.ward)
        return general.id if general and general.unit.unreliable and general.id not in state.judged else ""

    @property
    def refuses(self) -> bool:
        """Does the unreliable General fight not at all?"""
        return bool(self.unreliable) and sum(self.unreliable) <= figures("unreliable")["no_fight"]

    def hits(self) -> tuple[int, int]:
        """The hits of both."""
        need = figures("fight")["hits_on"]
        return successes((*self.dice, *self.again), need), successes((*self.target_dice, *self.target_again), need)

    def winner_and_loser(self) -> tuple[str, str]:
        """The Ward that wins, and the other."""
        return (self.ward, self.target) if assaulter_wins(*self.hits()) else (self.target, self.ward)

    def taken(self, state: State) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The units that take the hits, of both sides."""
        own, other = self.hits()
        return in_turn(state, self.ward, other, self.hit), in_turn(state, self.target, own, self.target_hit)

    def dice_wanted(self, state: State) -> Dice:
        yield {"unreliable": 2 * bool(self.judges(state))}
        if self.refuses:
            return
        need, (own, other) = figures("fight")["hits_on"], self.parties(state)
        yield {"dice": fight_dice(own, other), "target_dice": fight_dice(other, own)}
        missed, other_missed = (len(dice) - successes(dice, need) for dice in (self.dice, self.target_dice))
        yield {"again": missed * self.reroll, "target_again": other_missed * self.target_reroll}
        taken, other_taken = self.taken(state)
        yield {"saves": len(taken), "target_saves": len(other_taken)}
        winner, loser = self.winner_and_loser()
        yield {"order": len(state.units(winner)), "leaves": len(state.units(loser)) * self.charge}

    charge: ClassVar[bool] = False

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if self.ward.split("/")[0] == self.target.split("/")[0]:
            yield Problem("same-side", "They are on the same side. Name an enemy.", field="target", value=self.target)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        ward = state.ward(self.ward)
        return broken(
            ("fought" in ward.done, "fought-already"),
            (ward.morale in ("stand", "rout"), "stands"),
            (not state.units(self.ward, "front"), "no-front-to-fight"),
            name=ward_name(self.ward),
            ward=ward_name(self.ward),
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        if judge := self.judges(state):
            state = replace(state, judged=(*state.judged, judge))
        if self.refuses:
            return state
        own, other = self.hits()
        taken, other_taken = self.taken(state)
        lost = unsaved(state, taken, self.saves) + unsaved(state, other_taken, self.target_saves)
        state = struck(struck(state, self.ward, other), self.target, own).marked(lost)
        winner, loser = self.winner_and_loser()
        for ward in (self.ward, self.target):
            units = (replace(each, out_of_order=True, winning=False) for each in state.units(ward))
            state = state.with_(*units).with_ward(ward, "fought")
        need = figures("turn")["order_on"]
        for one, die in zip(state.units(winner), self.order, strict=True):
            won = one.place == "front"
            restored = replace(one, out_of_order=die < need, casualties=0, winning=won)
            state = state.with_(replace(restored, fights_won=one.fights_won + won))
        return self.after(state.with_ward(winner, fights_won=state.ward(winner).fights_won + 1), loser)

    def after(self, state: State, loser: str) -> State:
        """What else follows from a fight: nothing, of foot."""
        return state

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        state, (own, other) = step.before, self.hits()
        if self.refuses:
            return EventOutcome((f"{ward_name(self.ward)} does not fight.",), (), ("Ruling W-U1",))
        parties = self.parties(state)
        sums = tuple(
            reasoned(f"Dice of {ward_name(key)}", *fight_lines(*pair))
            for key, pair in zip((self.ward, self.target), (parties, parties[::-1]), strict=True)
        )
        taken, other_taken = self.taken(state)
        lost = unsaved(state, taken, self.saves) + unsaved(state, other_taken, self.target_saves)
        winner, loser = self.winner_and_loser()
        told = (
            f"{own} hits against {other}: {ward_name(winner)} wins.",
            f"{ward_name(loser)} {'falls back' if loser == self.target else 'stays where it is'}.",
            casualties_told(state, lost),
        )
        return EventOutcome(told, sums, (self.rule,))


class Charged(Fought, frozen=True, kw_only=True):
    """Cavalry charges a Ward. Losing units may be destroyed; the cavalry goes to the reserves with half a base less."""

    key: ClassVar[str] = "charge"
    label: ClassVar[str] = "Cavalry charges"
    says: ClassVar[str] = "The cavalry charges {target}"
    phase: ClassVar[str] = "cavalry"
    rule: ClassVar[str] = 'Sheet: "Cavalry"'
    charge: ClassVar[bool] = True

    def after(self, state: State, loser: str) -> State:
        need = figures("cavalry")["destroyed_on"]
        for one, die in zip(state.units(loser), self.leaves, strict=True):
            if die >= need:
                state = state.gone(one.id, "destroyed")
        general = state.general_of(self.ward)
        if general is not None:
            state = state.with_(replace(general, with_unit=""))
        for one in state.units(self.ward):
            state = state.to_reserve(one.id)
        return state


class FellBack(TurnEvent, frozen=True, kw_only=True):
    """A Ward falls back before cavalry: four hits, out of order, and each unit may be destroyed."""

    key: ClassVar[str] = "fall-back"
    label: ClassVar[str] = "Fall back before cavalry"
    says: ClassVar[str] = "{ward} falls back before cavalry"
    anybody: ClassVar[bool] = True
    phase: ClassVar[str] = "cavalry"
    rule: ClassVar[str] = 'Sheet: "Cavalry"'
    wards: ClassVar[tuple[str, ...]] = ("ward",)

    ward: Annotated[WardKey, Meta(title="Which Ward")]
    hit: Hit = ()
    saves: Saves = ()
    leaves: Annotated[Pool, Meta(title="A die a unit", description="5, 6 destroyed.")] = ()

    def taken(self, state: State) -> tuple[str, ...]:
        """The units that take the four hits, saved as usual. Ruling W-A5."""
        return in_turn(state, self.ward, figures("cavalry")["falls_back_hits"], self.hit)

    def dice_wanted(self, state: State) -> Dice:
        yield {"saves": len(self.taken(state)), "leaves": len(state.units(self.ward))}

    def apply(self, state: State, logged: LoggedEvent) -> State:
        units, lost = state.units(self.ward), unsaved(state, self.taken(state), self.saves)
        state = state.marked(lost).disordered(each.id for each in units)
        for one, die in zip(units, self.leaves, strict=True):
            if die >= figures("cavalry")["destroyed_on"]:
                state = state.gone(one.id, "destroyed")
        return state

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        lost = unsaved(step.before, self.taken(step.before), self.saves)
        return EventOutcome((casualties_told(step.before, lost),), (), (self.rule, "Ruling W-A5"))


class GeneralStruck(TurnEvent, frozen=True, kw_only=True):
    """The fifth hit strikes a General: saved or dead; then his unit has casualties, and his Ward may melt."""

    key: ClassVar[str] = "general-hit"
    label: ClassVar[str] = "A General is hit"
    says: ClassVar[str] = "{fighter} is hit"
    anybody: ClassVar[bool] = True
    rule: ClassVar[str] = 'Sheet: "Generals", "Saves"'
    always_rolls: ClassVar[bool] = True
    acting: ClassVar[tuple[str, ...]] = ("fighter",)

    fighter: Annotated[FighterId, Meta(title="Which General")]
    risked: Annotated[bool, Meta(title="He led from the front", description="Then he is saved on 3 or more.")] = False
    dice: Annotated[Pool, Meta(title="Die")] = ()
    leaves: Annotated[Pool, Meta(title="A die for each unit of his Ward", description="6: to the reserves.")] = ()

    @property
    def dies(self) -> bool:
        """Is he not saved?"""
        return bool(self.dice) and self.dice[0] < general_save(risked=self.risked)

    def ward(self, state: State) -> str:
        """His Ward."""
        unit = state.combatants.get(state.combatants[self.fighter].with_unit)
        return unit.key if unit else ""

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}
        yield {"leaves": len(state.units(self.ward(state))) if self.dies and self.ward(state) else 0}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        if not one.unit.general:
            yield Problem("no-general", f"{one.name} is no General.", field="fighter", value=self.fighter)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one, ward, known = state.combatants[self.fighter], self.ward(state), figures("turn")["dead_general"]
        left = list(state.struck)
        if self.fighter in left:
            left.remove(self.fighter)
        units, state = state.units(ward) if ward else (), replace(state, struck=tuple(left))
        gunners = next((each for each in units if each.unit.arm == "hand-gunners"), None)
        if gunners is not None:
            state = state.losing(gunners.id, 2)
        if not self.dies:
            return state
        state = state.gone(self.fighter, "killed")
        if one.with_unit:
            state = state.marked({one.with_unit: known["casualties"]})
        for unit, die in zip(units, self.leaves, strict=True):
            if die >= known["leaves_on"] and not state.combatants[unit.id].gone:
                state = state.to_reserve(unit.id)
        return state

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        name = step.before.combatants[self.fighter].name
        return EventOutcome((f"{name} {'is killed' if self.dies else 'is saved'}.",), (), (self.rule, "Ruling W-S1"))
