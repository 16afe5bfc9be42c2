"""Shooting, guns, fights, charges, and Generals who are struck: the kinds of event in which
somebody is hurt."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec.structs import replace

from rulebook.battle_log.kinds import (
    CombatantNames,
    FighterId,
    FighterIds,
    ReplayStep,
    TwoDice,
    choice_meta,
    field_meta,
)
from rulebook.calculators.wording import reasoned
from rulebook.dice.pools import successes
from rulebook.systems.wards.book import CAVALRY, book, broken, figures
from rulebook.systems.wards.dice import (
    DIRECTIONS,
    MODES,
    Party,
    assaulter_wins,
    fight_dice,
    fight_lines,
    needs,
    width_dice,
)
from rulebook.systems.wards.events import (
    Dice,
    Pool,
    TurnEvent,
    WardKey,
    held_by_morale,
    in_turn,
    kind,
    names_of,
)
from rulebook.systems.wards.fighters import GENERAL, GUNNERS, GUNS, general_save
from rulebook.systems.wards.state import (
    Combatant,
    State,
    has_enemies,
    side_of,
    ward_name,
    ward_title,
    wards_of,
)
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation, plural
from rulebook.values.table import Action, Due

Again = Annotated[Pool, field_meta("Rerolled dice")]
EACH = "A unit for each hit, guns too; else the units in turn (W-S4)."
WardHit = Annotated[FighterIds, field_meta("Units of the Ward that are hit", EACH)]
TargetHit = Annotated[FighterIds, field_meta("Units of the target that are hit", EACH)]
Reroll = Annotated[bool, field_meta("A General rerolls failed dice", "Once (W-G5).")]
Saves = Annotated[Pool, field_meta("Saves", "A die for each hit, in the order of the units hit.")]

HALTED = ("stand", "rout")
"""Outcomes of a test of morale after which a Ward does not go to assault."""


def hit_in(state: State, ward: str, hits: int, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the id of the unit that takes each hit on a Ward. Ruling W-S4."""
    return in_turn({each.id: hits for each in state.ranks(ward)}, hits, named)


def unspread(state: State, ward: str, hit: tuple[str, ...]) -> bool:
    """Return whether one has more than two hits while another has none. Ruling W-S4."""
    return max(Counter(hit).values(), default=0) > 2 and any(
        each.id not in hit for each in state.ranks(ward)
    )


def unsaved(
    state: State, hit: tuple[str, ...], saved: tuple[str, ...], saves: tuple[int, ...]
) -> Counter[str]:
    """Return what is left of hits without those that were ``saved`` from among them, each by one of
    the ``saves``."""
    hits = Counter(hit)
    hits.subtract(
        combatant_id
        for combatant_id, die in zip(saved, saves, strict=True)
        if die >= state.standing(state.combatants[combatant_id]).save
    )
    return +hits


def enemies_of(state: State, side: str) -> list[Combatant]:
    """Return the enemies of a side who stand on the table."""
    return [each for each in state.combatants.values() if each.side != side and each.on_table]


def targets_of(state: State, side: str) -> Mapping[str, Choices]:
    """Return the Wards that a side can attack, and their units that it can hit."""
    own = wards_of(state, side)
    return {
        "target": tuple(
            (key, ward_title(key, state.sides)) for key in wards_of(state) if key not in own
        ),
        "target_hit": names_of(
            each for each in enemies_of(state, side) if not each.fighter.general
        ),
    }


def shooters_of(state: State, ward: str) -> list[Combatant]:
    """Return the units of a Ward that can still shoot in this turn."""
    ranks = state.ranks(ward)
    return [
        each
        for each in ranks
        if each.fighter.arm == "foot" and f"shoot {each.id}" not in state.done
    ]


def hits_in_ward(state: State, ward: str) -> Choices:
    """Return who of a Ward can be hit, its guns too."""
    return names_of((*state.ranks(ward), *state.guns(ward)))


def struck(state: State, ward: str, hits: int, *, leads: bool = False) -> State:
    """Return the state in which a Ward's attached General is to be saved, once for each fifth hit.

    Rulings W-F6, W-U5.
    """
    general = next(iter(state.attached_to(ward)), None)
    if general is None:
        return state
    times = hits // int(figures("fight")["general_hit"])
    return replace(state, struck=state.struck + ((general.id, leads),) * times)


def casualties_told(state: State, lost: Mapping[str, int]) -> str:
    """Return casualties as text."""
    counts = []
    for combatant_id, count in lost.items():
        combatant = state.combatants[combatant_id]
        # A gun that is hit is gone, and has no markers. Ruling W-A4.
        if not combatant.fighter.gun:
            counts.append(f"{combatant.name} {count}")
    return f"Casualties: {', '.join(counts)}." if counts else "No casualties."


class _Shooting(TurnEvent, frozen=True, kw_only=True):
    """A shot at a Ward: hits, the units that take them, saves, disorder."""

    target: Annotated[WardKey, field_meta("Target")]
    target_hit: TargetHit = ()
    dice: Annotated[Pool, field_meta("Dice")] = ()
    again: Again = ()
    saves: Saves = ()
    disorder: Annotated[Pool, field_meta("Dice against disorder", "One for each casualty.")] = ()

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return targets_of(state, side_of(state, actor))

    def hits(self, state: State) -> int:
        """Return how many dice hit."""
        raise NotImplementedError

    def taken(self, state: State) -> tuple[str, ...]:
        """Return who takes each hit."""
        return hit_in(state, self.target, self.hits(state), self.target_hit)

    def saved(self, state: State) -> tuple[str, ...]:
        """Return the hits that may be saved: all of them."""
        return self.taken(state)

    def casualties(self, state: State) -> Counter[str]:
        """Return the casualties of each unit of the target, and guns that are hit."""
        return unsaved(state, self.taken(state), self.saved(state), self.saves)

    def shaken(self, state: State) -> tuple[str, ...]:
        """Return the units that throw a die against disorder, once for each casualty. Ruling
        W-H3."""
        ranks = {
            combatant_id: count
            for combatant_id, count in self.casualties(state).items()
            if not state.combatants[combatant_id].fighter.gun
        }
        return tuple(Counter(ranks).elements())

    def disordered(self, state: State) -> tuple[str, ...]:
        """Return units that fall out of order by their casualties."""
        need = figures("shooting")["disorder_on"]
        pairs = zip(self.shaken(state), self.disorder, strict=True)
        return tuple(dict.fromkeys(combatant_id for combatant_id, die in pairs if die >= need))

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        return broken(
            (self.actor(state) == self.target.split("/")[0], "own-side"),
            (unspread(state, self.target, self.taken(state)), "unspread"),
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        lost, out = self.casualties(state), self.disordered(state)
        return (
            struck(state, self.target, self.hits(state))
            .hurt(lost, getattr(self, "fighter", ""))
            .disordered(out)
        )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        before, hits = step.before, self.hits(step.before)
        yield f"{plural(hits, 'hit')}."
        yield casualties_told(before, self.casualties(before))
        if out := self.disordered(before):
            yield f"Out of order: {', '.join(before.combatants[each].name for each in out)}."


@kind("shoot", "Shoot", 'Sheet: "Shooting"', steps=("shooting",), proposal="{name} may shoot.")
class WardShot(_Shooting, frozen=True, kw_only=True):
    """Units of a Ward shoot at another Ward, each once a turn."""

    ward: Annotated[WardKey, field_meta("Which Ward")]
    who: Annotated[
        FighterIds, field_meta("Units that shoot", "Blank: all foot units that have not shot.")
    ] = ()
    mode: Annotated[str, choice_meta(MODES), field_meta("How")] = "normal"
    direction: Annotated[str, choice_meta(DIRECTIONS), field_meta("Position of the target")] = ""
    reroll: Reroll = False
    low: Annotated[Pool, field_meta("Arrows after intense shooting", "A die a unit.")] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return super().is_open_to(state, actor) and ward_name(actor) != CAVALRY

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {**super().choices_for(state, actor), "who": names_of(shooters_of(state, actor))}

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        if hurdle := super().hurdle_for(state, actor):
            return hurdle
        if state.ward(actor).morale == "rout":
            return "it routs"
        return "" if shooters_of(state, actor) else "nobody in it shoots"

    def shooters(self, state: State) -> tuple[Combatant, ...]:
        """Return the units that shoot: those that are named, else all on foot that have not shot in
        this turn."""
        if self.who:
            return tuple(each for each in state.ranks(self.ward) if each.id in self.who)
        return tuple(shooters_of(state, self.ward))

    def marks(self, state: State) -> tuple[str, ...]:
        return tuple(f"shoot {each.id}" for each in self.shooters(state))

    def rolled(self, state: State) -> tuple[int, ...]:
        """Return what each die has to show, in the order in which the dice are thrown."""
        rolled: list[int] = []
        for combatant in self.shooters(state):
            number = width_dice("shooting", state.standing(combatant).frontage)
            rolled += [needs(self.mode, low=combatant.low)] * number
        return tuple(rolled)

    def missed(self, state: State) -> tuple[int, ...]:
        """Return what the dice that missed had to show."""
        return tuple(
            need for need, die in zip(self.rolled(state), self.dice, strict=False) if die < need
        )

    def hits(self, state: State) -> int:
        missed = self.missed(state)
        return (
            len(self.dice)
            - len(missed)
            + sum(die >= need for need, die in zip(missed, self.again, strict=False))
        )

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.rolled(state))}
        yield {"again": len(self.missed(state)) if self.reroll else 0}
        yield {"saves": len(self.saved(state))}
        # After intense shooting each unit throws one die for its arrows. Ruling W-H1.
        arrows = len(self.shooters(state)) if self.mode == "intense" else 0
        yield {"disorder": len(self.shaken(state)), "low": arrows}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        shooters, alone = self.shooters(state), state.general_of(self.ward) is None
        yield from super().violations(state, logged)
        yield from broken(
            (state.ward(self.ward).morale == "rout", "routs"),
            (not shooters, "nobody-shoots"),
            (any(each.fighter.arm != "foot" for each in shooters), "no-archers"),
            (self.mode == "intense" and self.direction in ("side", "apart"), "intense-sideways"),
            (self.mode == "intense" and any(each.low for each in shooters), "low-on-arrows"),
            (self.reroll and alone and not state.settings.free_rerolls, "no-reroll"),
            name=ward_name(self.ward),
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        short = zip(self.shooters(state), self.low, strict=False)
        runs_low = tuple(each.id for each, die in short if die <= figures("shooting")["low_on"])
        state = super().apply(state, logged)
        return state.updating(*(replace(state.combatants[each], low=True) for each in runs_low))

    def sentence(self, names: CombatantNames) -> str:
        how = "shoots intensely" if self.mode == "intense" else "shoots"
        return f"{ward_title(self.ward, names)} {how} at {ward_title(self.target, names)}"


@kind(
    "gun",
    "Fire a gun",
    'Sheet: "Artillery"',
    "{fighter} fires at {target}",
    steps=("shooting",),
    arms=GUNS,
    proposal="{name} may fire.",
)
class GunShot(_Shooting, frozen=True, kw_only=True):
    """A gun shoots: each 6 is a casualty without a save, guns apart (W-A4); failed dice are thrown
    again once."""

    fighter: Annotated[FighterId, field_meta("Which gun")]

    def hits(self, state: State) -> int:
        return successes((*self.dice, *self.again), figures("artillery")["hits_on"])

    def saved(self, state: State) -> tuple[str, ...]:
        return tuple(each for each in self.taken(state) if state.combatants[each].fighter.gun)

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": book().arm[state.combatants[self.fighter].fighter.arm].dice}
        yield {"again": len(self.dice) - successes(self.dice, figures("artillery")["hits_on"])}
        yield {"saves": len(self.saved(state))}
        yield {"disorder": len(self.shaken(state))}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        full, gun = state.settings.full_load, state.combatants[self.fighter]
        yield from super().violations(state, logged)
        yield from broken((gun.fired and gun.faces < full, "not-loaded"), name=gun.name, full=full)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = super().apply(state, logged)
        turned = figures("artillery")["shot_turns"]
        return state.updating(replace(state.combatants[self.fighter], faces=turned, fired=True))


@kind(
    "hand-gunners",
    "Hand gunners",
    'Sheet: "Hand gunners"',
    "{fighter} shoot at {at}",
    steps=("shooting",),
    arms=GUNNERS,
    proposal="{name} may shoot.",
)
class HandGunnersShot(TurnEvent, frozen=True, kw_only=True):
    """Hand gunners shoot: one die for each of their bases, and each 6 kills half a base."""

    fighter: Annotated[FighterId, field_meta("Who")]
    at: Annotated[FighterId, field_meta("Target")]
    dice: Annotated[Pool, field_meta("Dice")] = ()

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {
            "at": names_of(each for each in enemies_of(state, side_of(state, actor)) if each.halves)
        }

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        routs = state.ward(state.combatants[actor].key).morale == "rout"
        return super().hurdle_for(state, actor) or ("it routs" if routs else "")

    @property
    def killed(self) -> int:
        """Half-bases that are killed."""
        return successes(self.dice, figures("hand_gunners")["kills_on"])

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": state.standing(state.combatants[self.fighter]).whole}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        target = state.combatants[self.at]
        if not target.halves and not target.gone:
            yield Problem(
                "no-unit", f"{target.name} has no bases. Choose a unit.", field="at", value=self.at
            )

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        gunners, target = state.combatants[self.fighter], state.combatants[self.at]
        routs = state.ward(gunners.key).morale == "rout"
        return broken(
            (gunners.side == target.side, "own-side"), (routs, "routs"), name=ward_name(gunners.key)
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.losing(self.at, self.killed, self.fighter) if self.killed else state

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        name = step.before.combatants[self.at].name
        noun = "half-base" if self.killed == 1 else "half-bases"
        yield f"{name} loses {self.killed or 'no'} {noun}."


@kind(
    "fight",
    "Fight",
    'Sheet: "Fight D6", "Fight result"',
    "{ward} assaults {target}",
    steps=("fights",),
    proposal="{name} may fight.",
    demand="{name} is assaulting: log the fight.",
)
class Fought(TurnEvent, frozen=True, kw_only=True):
    """A Ward assaults another: dice of both, hits, saves, a winner, and what follows from it."""

    charge: ClassVar[bool] = False

    ward: Annotated[WardKey, field_meta("Attacker")]
    target: Annotated[WardKey, field_meta("Target")]
    leading: Annotated[int, field_meta("Its General leads from the front", ge=0, le=2)] = 0
    target_leading: Annotated[
        int, field_meta("The enemy's General leads from the front", ge=0, le=2)
    ] = 0
    into_ground: Annotated[bool, field_meta("Into scenery", "Wood, hedge, stream, hill ...")] = (
        False
    )
    reroll: Reroll = False
    target_reroll: Annotated[
        bool, field_meta("The enemy's General rerolls failed dice", "Once (W-G5).")
    ] = False
    ward_hit: WardHit = ()
    target_hit: TargetHit = ()
    unreliable: Annotated[TwoDice, field_meta("An unreliable General", "2–4: no fight.")] = ()
    dice: Annotated[Pool, field_meta("Dice")] = ()
    again: Again = ()
    target_dice: Annotated[Pool, field_meta("The enemy's dice")] = ()
    target_again: Annotated[Pool, field_meta("The enemy's rerolled dice")] = ()
    saves: Saves = ()
    target_saves: Annotated[Pool, field_meta("The enemy's saves", "A die for each hit.")] = ()
    order: Annotated[
        Pool, field_meta("The winner restores order", "A die a unit; none for cavalry.")
    ] = ()
    leaves: Annotated[
        Pool, field_meta("Losers after a charge", "A die a unit: 5, 6 destroyed.")
    ] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether it is for this Ward: cavalry charges, foot fights."""
        return super().is_open_to(state, actor) and (ward_name(actor) == CAVALRY) == cls.charge

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {**targets_of(state, side_of(state, actor)), "ward_hit": hits_in_ward(state, actor)}

    @classmethod
    def owed_by(cls, state: State) -> list[str]:
        """Return the Wards of the active side that have gone to assault in this turn and have yet
        to fight.

        They owe it while an enemy is left to fight. An assault that the table overruled, of cavalry
        or out of turn, can be fought by overruling alone: nobody owes it. Sheet: "Turn sequence".
        """
        if not state.active or not has_enemies(state, state.active):
            return []
        on_foot = (each for each in wards_of(state, state.active) if ward_name(each) != CAVALRY)
        unfought = (each for each in on_foot if f"{cls.key} {each}" not in state.done)
        assaulting = (each for each in unfought if state.ward(each).moved.startswith("assault"))
        return [
            each
            for each in assaulting
            if state.ranks(each, "front") and state.ward(each).morale not in HALTED
        ]

    @classmethod
    def is_owed(cls, state: State, actor: str) -> bool:
        return actor in cls.owed_by(state)

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        if hurdle := super().hurdle_for(state, actor) or held_by_morale(state, actor):
            return hurdle
        moved = state.ward(actor).moved
        elsewhere = bool(moved) and not moved.startswith("assault") and not cls.charge
        return "it has moved otherwise" if elsewhere else ""

    def parties(self, state: State) -> tuple[Party, Party]:
        """Return both sides as the sheet sees them."""
        return (
            state.party(
                self.ward, assaults=True, leading=self.leading, into_ground=self.into_ground
            ),
            state.party(self.target, assaults=False, leading=self.target_leading),
        )

    def judges(self, state: State) -> str:
        """Return the unreliable General who has yet to throw, "" for none. Rulings W-U1, W-U3."""
        generals = state.generals_of(self.ward)
        return next(
            (
                each.id
                for each in generals
                if each.fighter.unreliable and each.id not in state.judged
            ),
            "",
        )

    @property
    def refuses(self) -> bool:
        """Return whether the unreliable General does not fight."""
        return bool(self.unreliable) and sum(self.unreliable) <= figures("unreliable")["no_fight"]

    @property
    def unsettles(self) -> bool:
        """Return whether his dice put the enemy out of order."""
        return bool(sum(self.unreliable) >= figures("unreliable")["disorder_from"])

    def hits(self) -> tuple[int, int]:
        """Return the hits of both."""
        need = figures("fight")["hits_on"]
        return successes((*self.dice, *self.again), need), successes(
            (*self.target_dice, *self.target_again), need
        )

    def winner_and_loser(self) -> tuple[str, str]:
        """Return the Ward that wins, and the other."""
        return (
            (self.ward, self.target) if assaulter_wins(*self.hits()) else (self.target, self.ward)
        )

    def taken(self, state: State) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return who takes the hits, of both sides."""
        own, other = self.hits()
        return hit_in(state, self.ward, other, self.ward_hit), hit_in(
            state, self.target, own, self.target_hit
        )

    def casualties(self, state: State) -> Counter[str]:
        """Return the casualties of both sides."""
        taken, other = self.taken(state)
        return unsaved(state, taken, taken, self.saves) + unsaved(
            state, other, other, self.target_saves
        )

    def dice_wanted(self, state: State) -> Dice:
        # First the unreliable General: he may not fight at all. Ruling W-U1.
        yield {"unreliable": 2 if self.judges(state) else 0}
        if self.refuses:
            return

        # Then both fight, and throw failed dice again.
        own, other = self.parties(state)
        yield {"dice": fight_dice(own, other), "target_dice": fight_dice(other, own)}
        need = figures("fight")["hits_on"]
        missed = len(self.dice) - successes(self.dice, need)
        other_missed = len(self.target_dice) - successes(self.target_dice, need)
        yield {
            "again": missed if self.reroll else 0,
            "target_again": other_missed if self.target_reroll else 0,
        }

        # Then both save, and the winner is known.
        taken, other_taken = self.taken(state)
        yield {"saves": len(taken), "target_saves": len(other_taken)}
        winner, loser = self.winner_and_loser()

        # Cavalry that has won its charge goes to the reserves instead of restoring order.
        rides_off = self.charge and winner == self.ward
        yield {
            "order": 0 if rides_off else len(state.ranks(winner)),
            "leaves": len(state.ranks(loser)) if self.charge else 0,
        }

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if self.ward.split("/")[0] == self.target.split("/")[0]:
            yield Problem(
                "same-side",
                "Both are on the same side. Choose an enemy.",
                field="target",
                value=self.target,
            )
        if self.charge != (ward_name(self.ward) == CAVALRY):
            sentence = "Cavalry charges, and Wards on foot fight. Log the other kind."
            yield Problem("wrong-kind-of-fight", sentence, field="ward", value=self.ward)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        ward, parties = state.ward(self.ward), self.parties(state)
        hit = zip((self.ward, self.target), self.taken(state), strict=True)
        led = zip(parties, (self.reroll, self.target_reroll), strict=True)
        leading = ((self.ward, self.leading), (self.target, self.target_leading))
        allowed = state.settings.free_rerolls
        return broken(
            (ward.morale in ("stand", "rout"), "stands"),
            (not parties[0].frontages, "no-front-to-fight"),
            (
                bool(ward.moved) and not ward.moved.startswith("assault") and not self.charge,
                "no-assault",
            ),
            (self.charge and self.into_ground, "no-ground-for-cavalry"),
            (any(dice and not state.attached_to(each) for each, dice in leading), "nobody-leads"),
            (
                any(again and each.general != "attribute" and not allowed for each, again in led),
                "no-reroll",
            ),
            (any(unspread(state, *each) for each in hit), "unspread"),
            name=ward_name(self.ward),
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        if judge := self.judges(state):
            state = replace(state, judged=(*state.judged, judge))
        if self.refuses:
            return state
        own, other = self.hits()
        winner, loser = self.winner_and_loser()

        # Casualties are counted before anything changes: they depend on who stands where.
        lost = self.casualties(state)

        # Each fifth hit strikes a General, of the winner too. Ruling W-F6.
        state = struck(state, self.ward, other, leads=bool(self.leading))
        state = struck(state, self.target, own, leads=bool(self.target_leading)).hurt(lost)

        # A fight puts everybody out of order, and ends what was won before.
        for combatant in (*state.ranks(winner), *state.ranks(loser)):
            state = state.updating(replace(combatant, out_of_order=True, winning=False))

        # The winner restores order, loses its markers (W-F9), and wins the marker of its front
        # (W-F11).
        ranks, need = state.ranks(winner), figures("turn")["order_on"]
        for combatant, die in zip(ranks, self.order or (need,) * len(ranks), strict=True):
            state = state.updating(
                replace(
                    combatant,
                    out_of_order=die < need,
                    casualties=0,
                    winning=combatant.place == "front",
                )
            )
        return self.after(state.fights_won(winner, ward_name(loser)), winner, loser)

    def after(self, state: State, winner: str, loser: str) -> State:
        """Return what else follows from a fight: nothing, on foot."""
        return state

    def sums(self, step: ReplayStep[State]) -> Iterable[ReasonedSum]:
        own, other = self.parties(step.before)
        if self.refuses:
            return
        for ward, lines in (
            (self.ward, fight_lines(own, other)),
            (self.target, fight_lines(other, own)),
        ):
            yield reasoned(f"Dice of {ward_title(ward, step.before.sides)}", *lines)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        before, after = step.before, step.after
        name, target = ward_title(self.ward, before.sides), ward_title(self.target, before.sides)
        if self.refuses:
            yield f"{name} does not fight (Ruling W-U1)."
            return
        if self.unsettles:
            yield f"{target} is out of order before the fight."

        # Who wins, and where both are afterwards.
        own, other = self.hits()
        winner, _ = self.winner_and_loser()
        wins = winner == self.ward
        yield f"Hits {own} to {other}: {name if wins else target} wins."
        if self.charge:
            back = any(
                not after.combatants[combatant.id].gone for combatant in before.ranks(self.ward)
            )
            yield "The cavalry rides back." if back else "No cavalry is left to ride back."
        elif wins:
            yield f"{target} falls back, and {name} moves into its place."
        else:
            yield f"{name} stays."

        # What it cost.
        yield casualties_told(before, self.casualties(before))
        if self.charge:
            # Who joined the cavalry goes back to the Ward that he came from. Ruling W-C2.
            for general in before.attached_to(self.ward):
                ward = after.combatants[general.id].ward
                yield f"{general.name} returns to {ward or 'his earlier place'}."
        for combatant_id, _ in dict.fromkeys(after.struck[len(before.struck) :]):
            yield f"{before.combatants[combatant_id].name} is hit."


@kind(
    "charge",
    "Cavalry charges",
    'Sheet: "Cavalry"',
    "The cavalry charges {target}",
    steps=("cavalry",),
    charge=True,
    proposal="{name} may charge.",
)
class Charged(Fought, frozen=True, kw_only=True):
    """Cavalry charges a Ward. Losing units may be destroyed; the cavalry goes to the reserves with
    half a base less."""

    def after(self, state: State, winner: str, loser: str) -> State:
        attackers = state.ranks(winner, "front")
        by = attackers[0].id if len(attackers) == 1 else ""
        for combatant, die in zip(state.ranks(loser), self.leaves, strict=True):
            if die >= figures("cavalry")["destroyed_on"]:
                state = state.gone(combatant.id, "destroyed", by)
        for combatant in state.ranks(self.ward):
            state = state.to_reserve(combatant.id)
        return state


@kind(
    "fall-back",
    "Fall back",
    'Sheet: "Cavalry"',
    "{ward} falls back before cavalry",
    anybody=True,
    steps=("cavalry",),
    proposal="{name} may fall back before a charge.",
)
class FellBack(TurnEvent, frozen=True, kw_only=True):
    """A Ward falls back before cavalry: four hits, out of order, and each unit may be destroyed."""

    ward: Annotated[WardKey, field_meta("Which Ward")]
    ward_hit: WardHit = ()
    saves: Saves = ()
    leaves: Annotated[Pool, field_meta("A die a unit", "5, 6 destroyed.")] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether it is a Ward whose enemy acts and has cavalry."""
        enemy_rides = side_of(state, actor) != state.active and bool(
            state.ranks(f"{state.active}/{CAVALRY}")
        )
        return super().is_open_to(state, actor) and enemy_rides

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {"ward_hit": hits_in_ward(state, actor)}

    def taken(self, state: State) -> tuple[str, ...]:
        """Return who takes the four hits, saved as usual."""
        return hit_in(state, self.ward, figures("cavalry")["falls_back_hits"], self.ward_hit)

    def dice_wanted(self, state: State) -> Dice:
        yield {"saves": len(self.taken(state)), "leaves": len(state.ranks(self.ward))}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        charged = state.ranks(f"{state.active}/{CAVALRY}") and not self.ward.startswith(
            f"{state.active}/"
        )
        name, taken = ward_name(self.ward), self.taken(state)
        return broken(
            (not charged, "not-charged"), (unspread(state, self.ward, taken), "unspread"), name=name
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        ranks, taken = state.ranks(self.ward), self.taken(state)
        state = state.hurt(unsaved(state, taken, taken, self.saves)).disordered(
            each.id for each in ranks
        )
        for combatant, die in zip(ranks, self.leaves, strict=True):
            if die >= figures("cavalry")["destroyed_on"]:
                state = state.gone(combatant.id, "destroyed")
        return state

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        taken = self.taken(step.before)
        yield "Four hits, saved as usual (Ruling W-A5)."
        yield casualties_told(step.before, unsaved(step.before, taken, taken, self.saves))


@kind(
    "general-hit",
    "A General is hit",
    'Sheet: "Generals", "Saves"',
    "{fighter} is hit",
    once=False,
    arms=GENERAL,
    in_light=True,
)
class GeneralStruck(TurnEvent, frozen=True, kw_only=True):
    """The fifth hit strikes a General: saved or dead; then his unit has casualties, and his Ward
    may melt."""

    fighter: Annotated[FighterId, field_meta("Which General")]
    dice: Annotated[Pool, field_meta("Die")] = ()
    leaves: Annotated[
        Pool, field_meta("A die for each unit of his Ward", "6: to the reserves.")
    ] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return super().is_open_to(state, actor) and any(who == actor for who, _ in state.struck)

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        """Return the action, which belongs to whatever step play has come to."""
        return replace(super().offer(state, actor), phase=cls.turn_steps[state.step])

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if not any(general == actor for general, _ in state.struck):
            return
        yield Due(
            sentence=f"{state.combatants[actor].name} is hit: roll the save.",
            who=actor,
            do=cls.key,
            rule="Ruling W-F6",
            button="Save him",
            at_once=True,
            rolls=True,
        )

    def entry(self, state: State) -> tuple[str, bool] | None:
        """Return the hit that is saved, with whether he led from the front; None if nobody has hit
        him."""
        return next((each for each in state.struck if each[0] == self.fighter), None)

    def dies(self, state: State) -> bool:
        """Return whether he is not saved."""
        entry = self.entry(state)
        return bool(self.dice) and self.dice[0] < general_save(risked=bool(entry and entry[1]))

    def followers(self, state: State) -> tuple[Combatant, ...]:
        """Return the units of his Ward."""
        fighter = state.combatants.get(state.combatants[self.fighter].stands_with)
        return state.ranks(fighter.key) if fighter else ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}
        yield {"leaves": len(self.followers(state)) if self.dies(state) else 0}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        return broken(
            (self.entry(state) is None, "not-struck"), name=state.combatants[self.fighter].name
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        general, rules = state.combatants[self.fighter], figures("turn")["dead_general"]
        dies, ranks = self.dies(state), self.followers(state)

        # The hit has had its throw: one of several alone, each with a throw of its own.
        hits = list(state.struck)
        if entry := self.entry(state):
            hits.remove(entry)
        state = replace(state, struck=tuple(hits))

        # Hand gunners of his Ward lose bases by the hit, whether or not he is saved.
        if gunners := next(
            (combatant for combatant in ranks if combatant.fighter.arm == "hand-gunners"), None
        ):
            state = state.losing(gunners.id, figures("hand_gunners")["halves_for_general"])
        if not dies:
            return state

        # His unit is hurt before he goes: then he stands with nobody any more.
        combatant = state.combatants.get(general.stands_with)
        if combatant is not None and not combatant.gone:
            state = state.hurt({combatant.id: rules["casualties"]})
        state = state.gone(self.fighter, "killed")
        for follower, die in zip(ranks, self.leaves, strict=True):
            if die >= rules["leaves_on"] and not state.combatants[follower.id].gone:
                state = state.to_reserve(follower.id)
        return state

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        saved = "not saved" if self.dies(step.before) else "saved"
        yield f"{step.before.combatants[self.fighter].name} is {saved} (Ruling W-S1)."
