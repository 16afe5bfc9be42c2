"""Rounds of hand-to-hand combat are opened in the log, and who comes into contact by it brings
itself to do so.

Rule book: "Combat phase", "Combat procedure", "Mounted combat", "Ride-by attacks", "Initiating a
new combat", "Wavering", "Routing", "Terrifying", "Lucky", "Appendix A: Simplified attack
procedure". Ruling B16.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Annotated, Self

from msgspec.structs import replace

from rulebook.at_table.sentences import all_of, dice_in
from rulebook.battle_log.kinds import (
    CombatantNames,
    Die,
    FighterId,
    FighterIds,
    ReplayStep,
    field_meta,
    kind,
)
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.book import problem, violation
from rulebook.systems.en_garde.play.checking import (
    civilians_idle,
    named_twice,
    out_of_action,
    side_of,
    unknown_person,
)
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import TurnTable, with_contacts
from rulebook.systems.en_garde.table import combatant, rounds
from rulebook.systems.en_garde.table.morale import Morale, needs_resolve, resolve_holds
from rulebook.systems.en_garde.table.moving import attackers_through
from rulebook.systems.en_garde.turns import opportunities, turn_event
from rulebook.systems.en_garde.turns.duels import in_a_duel, in_duel_with
from rulebook.systems.en_garde.turns.fighters import (
    grip_of,
    hands_violations,
    present,
    unknown_weapon,
    weapon_now,
)
from rulebook.systems.en_garde.turns.nerve import run_off
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation, join_names
from rulebook.values.remembering import remembered
from rulebook.values.table import EventOutcome

BESIDE = (
    "in_river",
    "moved_on",
    "doorway",
    "window",
    "lucky",
    "rider",
    "initiative_by",
    "behind",
    "hands",
)
"""Fields of a combat that name fighters besides those of its two sides."""


@remembered
def _initiative(
    state: PlayState,
    fighter: str,
    weapon: str,
    hands: str,
    indoors: bool,
    rides_by: bool,
    in_river: bool,
) -> int:
    """Return a fighter's Initiative with everything that is added to its die."""
    fighter_now = present(state, fighter)
    settings = state.settings
    grip = grip_of(state, fighter, weapon, hands, indoors)
    modifiers = combatant.initiative_modifiers(
        fighter_now, grip, ride_by=rides_by, in_river=in_river, settings=settings
    )
    return combatant.present_numbers(fighter_now, settings).initiative + combatant.total(modifiers)


def _ties(scores: Mapping[str, tuple[int, ...]]) -> tuple[str, ...]:
    every = list(scores.values())
    return tuple([fighter for fighter, score in scores.items() if every.count(score) > 1])


@kind(
    "combat",
    "Combat",
    'Rule book: "Combat procedure"',
    phase="combat",
    about="fighters",
    always_rolls=True,
)
class CombatOpened(turn_event.TurnEvent, frozen=True, kw_only=True):
    """A round of hand-to-hand combat: who fights, the counters of each side, dice of initiative,
    weapons in hand.

    ``rider`` names who rides by; with one rider only that could, it goes without saying.
    ``initiative`` holds each fighter's die and, after ties, the dice of its roll-offs. ``moved_on``
    names the fighter who comes from a combat of this turn with the counters that are left,
    ``in_river`` those in the water who fight somebody on dry ground. A rider who rides by may have
    to roll its ``resolve`` (Wavering, Routing), and a fighter who comes into contact its ``nerve``
    (the Terrifying): if that fails, there is no combat.

    In the simplified procedure ``initiative_by`` names one fighter of each side who rolls (else the
    first of each), and ``behind`` maps those with spear or pike to the friend that they stand
    behind.
    """

    fighters: Annotated[dict[str, FighterIds], field_meta("Fighters by side")]
    counters: Annotated[
        dict[str, tuple[int, int]], field_meta("Attack and Defence counters by side")
    ]
    initiative: Annotated[dict[str, tuple[Die, ...]], field_meta("Dice of initiative")] = {}
    weapons: Annotated[dict[str, str], field_meta("Weapons in hand")] = {}
    ride_by: Annotated[bool, field_meta("Ride-by attack")] = False
    rider: Annotated[
        FighterId, field_meta("Rider", "The fighter who rides by, if several could.")
    ] = ""
    resolve: turn_event.DieOfResolve = None
    nerve: turn_event.DieAgainstTerrifying = None
    indoors: turn_event.Indoors = False
    doorway: Annotated[
        FighterId, field_meta("In a doorway", "At most two enemies can fight it.")
    ] = ""
    window: Annotated[FighterId, field_meta("At a window", "Only one enemy can fight it.")] = ""
    simplified: Annotated[bool, field_meta("Simplified procedure")] = False
    initiative_by: Annotated[FighterIds, field_meta("Initiative rolls (simplified procedure)")] = ()
    behind: Annotated[dict[str, str], field_meta("Behind which friend (simplified procedure)")] = {}
    moved_on: Annotated[
        FighterId,
        field_meta(
            "Comes from another combat", "The fighter brings its remaining counters, less one."
        ),
    ] = ""
    in_river: Annotated[
        FighterIds,
        field_meta(
            "In the river against dry ground", "Fighters in the water are at a disadvantage."
        ),
    ] = ()
    lucky: turn_event.LuckyOne = ""
    hands: Annotated[dict[str, turn_event.HandsOnWeapon], field_meta("Hands on the weapon")] = {}

    @property
    def acting(self) -> tuple[str, ...]:
        return tuple(chain.from_iterable(self.fighters.values()))

    def sides_acting(self, state: PlayState) -> Iterable[str]:
        return self.fighters

    def foes_of(self, fighter: str) -> tuple[str, ...]:
        """Return everybody in the combat on the other side."""
        return opportunities.foes_in(self.fighters, fighter)

    def riders(self, state: PlayState) -> tuple[str, ...]:
        """Return who rides by: the one who is named, else those who are mounted, free, and have
        not moved this turn.
        """
        if not self.ride_by:
            return ()
        return tuple(
            each
            for each in self.acting
            if (each == self.rider if self.rider else opportunities.may_ride_by(state, each))
        )

    def joining_fighter(self, state: PlayState) -> str:
        """Return the fighter who comes into contact by this combat: from another combat, or riding
        by.

        "" if nobody.
        """
        return self.moved_on or next(iter(self.riders(state)), "")

    @property
    def rollers(self) -> tuple[str, ...]:
        """Return who rolls Initiative: in the simplified procedure one of each side, the first if
        nobody is named."""
        if not self.simplified:
            return self.acting
        return (
            self.initiative_by
            or tuple(self.initiative)
            or tuple(each[0] for each in self.fighters.values())
        )

    def shaken(self, state: PlayState) -> bool:
        """Return whether the rider has to roll before it rides into contact.

        It is activated for it, who goes on is not.
        """
        rider = self.joining_fighter(state) if self.ride_by else ""
        if rider not in state.combatants:
            return False
        morale = state.table.morale_of(state.side_of(rider))
        if morale is Morale.ROUTING and state.table.of(rider).has("resolved"):
            return False
        return needs_resolve(present(state, rider), morale, into_contact=True)

    def frightened(self, state: PlayState) -> bool:
        """Return whether somebody Terrifying is among those that it comes to."""
        who = self.joining_fighter(state)
        if not who:
            return False
        return any(
            rounds.needs_nerve(present(state, foe)) == "terrifying" for foe in self.foes_of(who)
        )

    def resolved(self, state: PlayState) -> bool:
        """Return whether the rider's resolve holds, if it was rolled."""
        return self.resolve is None or resolve_holds(
            present(state, self.joining_fighter(state)).rank, self.resolve
        )

    def comes(self, state: PlayState) -> bool:
        """Return whether it comes into contact, by the dice that were asked for."""
        if not self.resolved(state):
            return False
        return self.nerve is None or turn_event.passes_nerve(
            state, self.joining_fighter(state), self.nerve
        )

    def grip(self, state: PlayState, fighter: str) -> combatant.Grip:
        """Return how a fighter of the combat fights: with the weapon declared, else with that in
        its hand."""
        weapon = self.weapons.get(fighter, "")
        hands = self.hands.get(fighter, "")
        return grip_of(state, fighter, weapon, hands, self.indoors)

    def scores(self, state: PlayState) -> dict[str, tuple[int, ...]]:
        """Return everybody's score of initiative, and the dice of roll-offs after it: higher goes
        first."""
        return self._with_dice(self._initiatives(state))

    def _initiatives(self, state: PlayState) -> dict[str, int]:
        """Return the Initiative of everybody who rolls, with what is added to the die."""
        riders = self.riders(state)
        river = state.scenario.key == "hold-the-bridge"
        initiatives: dict[str, int] = {}
        for fighter in self.rollers:
            in_river = fighter in self.in_river or (river and self._below_a_foe(state, fighter))
            weapon = self.weapons.get(fighter, "")
            hands = self.hands.get(fighter, "")
            initiatives[fighter] = _initiative(
                state, fighter, weapon, hands, self.indoors, fighter in riders, in_river
            )
        return initiatives

    def _with_dice(self, initiatives: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """Return the scores of these fighters with their dice."""
        scores: dict[str, tuple[int, ...]] = {}
        for fighter, own in initiatives.items():
            first, *later = self.initiative[fighter]
            scores[fighter] = (own + first, *later)
        return scores

    def _below_a_foe(self, state: PlayState, fighter: str) -> bool:
        """Return whether it stands in the water, and a foe of it on dry ground."""
        table = state.table
        return table.of(fighter).in_water and not all(
            table.of(foe).in_water for foe in self.foes_of(fighter)
        )

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        acting = self.acting
        wrong = (
            *self._strangers(state),
            *named_twice("fighters", acting),
            *self._elsewhere(acting),
        )
        yield from wrong or self._unclear_rider(state)

    def misnamed(self, state: PlayState) -> Iterator[Problem]:
        """Yield the problems of its two sides, and of those it names who are in neither."""
        if len(self.fighters) != 2 or not all(self.fighters.values()):
            yield problem("wrong-sides")
            return
        for fighter in self.acting:
            if fighter not in state.combatants:
                yield from unknown_person(state, "fighters", fighter)

    def dice_wanted(self, state: PlayState) -> tuple[Mapping[str, int], ...]:
        """Return the dice of who comes into contact; those of Initiative are thrown until nobody
        ties."""
        return ({"resolve": int(self.shaken(state)), "nerve": int(self.frightened(state))},)

    def dice_errors(self, state: PlayState) -> Iterator[Problem]:
        """Yield the errors of dice and counters; who does not come into contact needs no more of
        them."""
        lacking = tuple(super().dice_errors(state))
        yield from lacking
        if lacking or not self.comes(state):
            return
        if set(self.counters) != set(self.fighters):
            yield problem("wrong-sides-of-counters")
        yield from self._initiative_errors(state)

    def _strangers(self, state: PlayState) -> Iterator[Problem]:
        for side, fighters in self.fighters.items():
            strangers = [each for each in fighters if side_of(state, each) != side]
            if strangers:
                yield problem("fights-for-other-side", fighters=tuple(strangers), side=side)
        for fighter, weapon in self.weapons.items():
            yield from unknown_weapon(weapon, "weapons", fighter)
        yield from civilians_idle(state, "moved_on", self.moved_on)

    def _elsewhere(self, acting: tuple[str, ...]) -> Iterator[Problem]:
        """Yield the problems of fighters who are named besides the two sides and belong to
        neither."""
        for field in BESIDE:
            named = getattr(self, field)
            fighters = [named] if isinstance(named, str) else [*named]
            fighters += self.behind.values() if field == "behind" else ()
            strangers = [each for each in fighters if each and each not in acting]
            if strangers:
                yield problem("not-in-combat", field=field, value=", ".join(strangers))

    def _unclear_rider(self, state: PlayState) -> Iterator[Problem]:
        if self.rider and not self.ride_by:
            yield problem("no-ride-by", value=self.rider)
        riders = self.riders(state)
        if len(riders) > 1:
            yield problem("rider-needed", riders=join_names(map(state.named, riders)))

    def _initiative_errors(self, state: PlayState) -> Iterator[Problem]:
        everybody, sides = self.rollers, self.fighters.values()
        if self.simplified and any(
            len([each for each in everybody if each in those]) != 1 for those in sides
        ):
            yield problem("one-initiative-a-side", value=", ".join(everybody))
            return
        if set(self.initiative) != set(everybody) or not all(self.initiative.values()):
            yield problem(
                "wrong-initiative-dice", names=", ".join(state.named(each) for each in everybody)
            )
            return
        if tied := self.tied(state):
            yield problem("tied-initiative", value=join_names(map(state.named, tied)))

    def tied(self, state: PlayState) -> tuple[str, ...]:
        """Return those whose scores of initiative are the same as somebody else's."""
        return _ties(self.scores(state))

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        yield from self._ride_by_violations(state)
        if self.moved_on:
            yield from opportunities.going_on_violations(state, self.moved_on)
            side = state.side_of(self.moved_on)
            if side in self.counters:
                yield from opportunities.brought_violations(
                    state, self.moved_on, self.fighters, self.counters[side]
                )
        yield from self._opening_violations()
        if self.simplified:
            yield from opportunities.rank_violations(state, self.fighters, self.behind)
        else:
            yield from opportunities.crowd_violations(state, self.fighters)
        for fighter in self.acting:
            if not self._meets(state, fighter):
                yield violation("touches-no-enemy", name=state.named(fighter))
        yield from turn_event.lucky_violations(state, self.lucky, *self.acting)
        if not self.comes(state):
            return
        for side, fighters in self.fighters.items():
            yield from self._counter_violations(state, side)
            for fighter in fighters:
                yield from self._fighter_violations(state, fighter)

    def _ride_by_violations(self, state: PlayState) -> Iterator[Violation]:
        """Yield what forbids a ride-by attack: it takes one rider who is free, has not moved and
        has not wavered."""
        riders = self.riders(state)
        if self.ride_by and not any(opportunities.may_ride_by(state, rider) for rider in riders):
            yield violation("no-rider")
        if any(state.table.of(rider).has("shied") for rider in riders):
            yield violation("rider-wavered")
        if self.ride_by and self.simplified:
            yield violation("no-ride-by")

    def _opening_violations(self) -> Iterator[Violation]:
        """Yield the violations at openings: two at most fight somebody in a doorway, and one at a
        window.

        Rule book: "Buildings".
        """
        for opening, fighter in (("doorway", self.doorway), ("window", self.window)):
            most = attackers_through(opening)
            if fighter and len(self.foes_of(fighter)) > most:
                yield violation("too-many-at-opening", opening=opening, most=most)

    def _meets(self, state: PlayState, fighter: str) -> bool:
        """Return whether it touches an enemy of this combat, or need not.

        Who rides by or goes on comes into contact by it, and the unconscious engage nobody.
        """
        who = self.joining_fighter(state)
        if fighter == who or fighter in self.behind or not state.somebody(fighter).standing:
            return True
        contacts = state.table.of(fighter).contacts
        return any(
            foe == who or foe in contacts or not state.somebody(foe).standing
            for foe in self.foes_of(fighter)
        )

    def _counter_violations(self, state: PlayState, side: str) -> Iterable[Violation]:
        if self.moved_on in self.fighters[side]:
            return ()
        counters = rounds.Split(*self.counters[side])
        if self.simplified:
            return opportunities.simplified_pool_violations(state, self.fighters[side], counters)
        fighters = tuple(present(state, fighter) for fighter in self.fighters[side])
        return rounds.split_violations(fighters, counters, ride_by=self.ride_by)

    def _fighter_violations(self, state: PlayState, fighter: str) -> Iterator[Violation]:
        if not present(state, fighter).wounds.unconscious:
            yield from out_of_action(state, fighter)
        fresh = self.moved_on and fighter in (self.moved_on, *self.foes_of(self.moved_on))
        if state.table.of(fighter).has("fought") and not fresh:
            yield violation("fought-already", name=state.named(fighter))
        duel_foe = in_duel_with(state, fighter)
        if duel_foe and set(self.acting) != {fighter, duel_foe}:
            yield in_a_duel(state, fighter, duel_foe)
        grip = self.grip(state, fighter)
        yield from combatant.grip_violations(present(state, fighter), grip)
        yield from hands_violations(grip.weapon, self.hands.get(fighter, ""))

    def throw(self, state: PlayState, cup: Cup) -> Self:
        """Return the dice of who comes into contact, then those of initiative until nobody ties."""
        event = super().throw(state, cup)
        if event.initiative or not event.comes(state):
            return event
        event = replace(event, initiative={fighter: (cup.one(),) for fighter in event.rollers})
        if event.lucky:
            event = event._with_luck(state, cup)
        # Roll-offs change the dice alone.
        initiatives = event._initiatives(state)
        while tied := _ties(event._with_dice(initiatives)):
            more = {fighter: (*event.initiative[fighter], cup.one()) for fighter in tied}
            event = replace(event, initiative={**event.initiative, **more})
        return event

    def _with_luck(self, state: PlayState, cup: Cup) -> Self:
        """Return the event with the Lucky's second die of Initiative, if the first was not the
        highest.

        Else luck is kept.
        """
        scores = self.scores(state)
        if self.lucky not in scores or scores[self.lucky] == max(scores.values()):
            return replace(self, lucky="")
        return replace(self, initiative={**self.initiative, self.lucky: cup.some(1)})

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        if not self.comes(state):
            return self._stays_away(state)
        riders, table = self.riders(state), self._in_contact(state)
        # Everybody has fought, with the weapon in its hand; who rides by has moved by it.
        on_table, grips = dict(table.fighters), dict(table.grips)
        for fighter in self.acting:
            rode = ("rides-on", "acted", "moved") if fighter in riders else ()
            on_table[fighter] = table.of(fighter).does("fought", *rode, hidden=False)
            grips[fighter] = self.weapons.get(fighter) or weapon_now(state, fighter)
        # A grip with one hand or two is for the weapon with which it was chosen.
        held = table.hands.items()
        kept = {
            each: hands
            for each, hands in held
            if self.weapons.get(each) in (None, table.grips.get(each))
        }
        # Who goes on takes its counters out of the round that it leaves.
        left = table.last_round_of(self.moved_on) if self.moved_on else None
        if left is not None:
            table = table.with_round(left, rounds.after_moving_on(left, self.moved_on))
        table = replace(
            table,
            fighters=on_table,
            fight=self._round(state),
            earlier=table.earlier if table.fight is None else (*table.earlier, table.fight),
            ride_by=self.ride_by,
            indoors=self.indoors,
            simplified=self.simplified,
            grips=grips,
            hands={**kept, **self.hands},
        )
        return turn_event.luck_used(replace(state, table=table), self.lucky)

    def _stays_away(self, state: PlayState) -> PlayState:
        """Return the state after an approach that came to nothing: the opportunity is gone, and who
        Routs runs."""
        who = self.joining_fighter(state)
        if self.moved_on:
            left = state.table.last_round_of(self.moved_on)
            made = left and state.table.with_round(left, rounds.with_move_made(left, self.moved_on))
            return replace(state, table=made or state.table)
        if not self.resolved(state) and state.table.morale_of(state.side_of(who)) is Morale.ROUTING:
            return run_off(state, who)
        return state.with_fighter(who, "shied")

    def _in_contact(self, state: PlayState) -> TurnTable:
        """Return the table with everybody in contact with its opponents, but for the
        unconscious, who engage nobody.
        """
        table = state.table
        reach = opportunities.reaches(state, self.fighters, self.behind) if self.simplified else {}
        able = [
            fighter for fighter in self.acting if not state.somebody(fighter).wounds.unconscious
        ]
        for fighter in able:
            contacts = table.of(fighter).contacts
            foes = reach.get(fighter) or self.foes_of(fighter)
            new = [foe for foe in foes if foe not in contacts and foe in able]
            if new and fighter not in self.behind:
                table = with_contacts(table, fighter, (*contacts, *new))
        return table

    def _round(self, state: PlayState) -> rounds.Round:
        scores = self.scores(state)
        rolled = sorted(scores, key=scores.__getitem__)
        ranked = (
            [*(each for each in self.acting if each not in rolled), *rolled]
            if self.simplified
            else rolled
        )
        sides: dict[str, str] = {}
        for side, fighters in self.fighters.items():
            sides |= dict.fromkeys(fighters, side)
        places = tuple(
            [
                (present(state, fighter), sides[fighter], place)
                for place, fighter in enumerate(ranked)
            ]
        )
        pools = {side: rounds.Split(*counters) for side, counters in self.counters.items()}
        reach = (
            opportunities.reaches(state, self.fighters, self.behind) if self.simplified else None
        )
        fight = rounds.open_round(
            places,
            pools,
            ride_by=self.ride_by,
            simplified=self.simplified,
            reach=reach,
            scores={fighter: score[0] for fighter, score in scores.items()},
        )
        fencers = tuple([self._with_what_is_used_up(state, each) for each in fight.fencers])
        return replace(fight, fencers=fencers)

    def _with_what_is_used_up(self, state: PlayState, fencer: rounds.Fencer) -> rounds.Fencer:
        """Return the fencer with what it has done this turn of what is done once.

        A fighter who moves on keeps its used actions.
        """
        on_table = state.table.of(fencer.id)
        if not on_table.has("fought"):
            return replace(fencer, moved_on=True) if fencer.id == self.moved_on else fencer
        before = state.table.last_round_of(fencer.id)
        fencer = replace(
            fencer,
            feinted="feinted" in on_table.done,
            riposted="riposted" in on_table.done,
            doubled="doubled" in on_table.done,
            moved_on=fencer.id == self.moved_on
            or (before is not None and before.fencer(fencer.id).moved_on),
        )
        if before is None or fencer.id != self.moved_on or self.simplified:
            return fencer
        was = before.fencer(fencer.id)
        return replace(fencer, attacks=was.attacks, passes=was.passes)

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        """Return the order of initiative, or that somebody does not dare to come."""
        fight = step.after.table.fight
        if fight is None or not self.comes(step.before):
            name = step.before.named(self.joining_fighter(step.before))
            return EventOutcome(
                (f"{name} fails the roll and does not move into contact.",), (), (self.rule,)
            )
        order = ", ".join(
            f"{step.after.named(each.id)}{self._rolled(each)}" for each in fight.fencers
        )
        return EventOutcome((f"Order of initiative: {order}.",), (), (self.rule,))

    def _rolled(self, fencer: rounds.Fencer) -> str:
        """Return the total of a fencer's Initiative and its dice; "" if another fighter of its side
        has rolled."""
        dice = self.initiative.get(fencer.id, ())
        return f" {fencer.score}{dice_in(dice)}" if dice else ""

    def sentence(self, names: CombatantNames) -> str:
        counters_of = {
            side: f" ({attack} Attack, {defence} Defence)"
            for side, (attack, defence) in self.counters.items()
        }
        return " against ".join(
            all_of(names, those) + counters_of.get(side, "")
            for side, those in self.fighters.items()
        )
