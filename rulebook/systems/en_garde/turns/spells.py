"""Spells in the log: their casting, what resists it, and what each does.

A Power Blast is a shot by magic, with nerve, sight, mounts and luck, and without modifiers. Rule
book: "Appendix B: The fantastical", "Spells", "Shooting at mounted models", "Beguiling", "Lucky".
Rulings B30, B31, B32, B34.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Self

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.sentences import dice_in, dice_line, name_of
from rulebook.battle_log.kinds import (
    CombatantNames,
    FighterId,
    FighterIds,
    ReplayStep,
    Text,
    TwoDice,
    field_meta,
    kind,
)
from rulebook.calculators.wording import reasoned
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.book import broken, problem, violation
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.checking import acts, once_a_turn, out_of_action, same_side
from rulebook.systems.en_garde.play.offers import enemies_of, on_table, people
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState
from rulebook.systems.en_garde.table import magic, shooting
from rulebook.systems.en_garde.table.shooting import Sight
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns import turn_event
from rulebook.systems.en_garde.turns.alternation import activation_hurdle
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import WoundCause, WoundEvent, die_wanted, harm
from rulebook.systems.en_garde.turns.shots import is_hidden, seen_to
from rulebook.systems.en_garde.turns.turn_event import Inches
from rulebook.values.answers import ReasonLine
from rulebook.values.battles import FieldedFighter, LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import EventOutcome

AIMED = frozenset({"armour", "drain-life", "heal", "power-blast", "transfix"})
"""Spells with one target."""
BLAST = "power-blast"
HARMING = frozenset({BLAST, "drain-life"})
"""Spells that wound their target."""
RULED = {"transfix": "Ruling B34"}
"""Rulings that decide where the words of a spell leave something open."""


@kind(
    "spell",
    "Spell",
    'Rule book: "Casting a spell"',
    phase="move",
    about="magician",
    always_rolls=True,
    fighters_only=("magician",),
    offered_to="magician",
    offered_as="Cast a spell",
    asked_first=("spell", "target", "inches", "resisted_by"),
)
class SpellCast(turn_event.Attack, turn_event.Activation, frozen=True, kw_only=True):
    """A Magician tries a spell. ``victims`` are those that Stun reaches, each with its D3 in
    ``counters``.

    A Power Blast is a shot: the Beguiling ask for ``nerve``, riders for ``rider_die``. ``named`` is
    what somebody summoned is called.
    """

    magician: Annotated[FighterId, field_meta("Magician")]
    spell: Annotated[Text, field_meta("Spell", max_length=40)]
    target: Annotated[FighterId | None, field_meta("Target")] = None
    inches: Annotated[Inches | None, field_meta("Inches")] = None
    dice: Annotated[TwoDice, field_meta("Dice")] = ()
    resisted_by: Annotated[
        FighterId | None, field_meta("Resisted by", "The target itself, or an enemy Magician.")
    ] = None
    resisting_dice: Annotated[TwoDice, field_meta("Resisting dice")] = ()
    sight: Annotated[Sight, field_meta("Line of sight")] = Sight.CLEAR
    nerve: turn_event.DieAgainstBeguiling = None
    blast_dice: Annotated[TwoDice, field_meta("Dice of a Power Blast")] = ()
    rider_die: turn_event.RiderDie = None
    victims: Annotated[
        FighterIds,
        field_meta("Fighters affected by Stun", "Everyone within 6 inches of the Magician."),
    ] = ()
    counters: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=3)], ...],
        field_meta("Their D3", "A D3 for each of them.", max_length=60),
    ] = ()
    die: turn_event.LargeDie = None
    lucky: turn_event.LuckyOne = ""
    luck: turn_event.LuckyDie = None
    named: Annotated[
        Text, field_meta("Name of the summoned fighter", "For a summoned fighter.", max_length=60)
    ] = ""

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a Magician who can act."""
        return super().is_open_to(state, actor) and present(state, actor).has("magician")

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        spells = catalogue().spells
        present_people = on_table(state)
        able = magic.spells_known(present(state, actor))
        return {
            "spell": tuple(
                (key, f"{spells[key].name}, {spells[key].magic_points} points") for key in able
            ),
            "target": people(state, present_people),
            "resisted_by": people(state, enemies_of(state, actor)),
            "victims": people(state, (each for each in present_people if each != actor)),
            "lucky": turn_event.lucky_choices(state, present_people),
        }

    @classmethod
    def hurdle_for(cls, state: PlayState, actor: str) -> str:
        return activation_hurdle(state, actor, goes_with_step=True)

    @property
    def actor(self) -> str:
        return self.magician

    def may_end(self, state: PlayState, logged: LoggedEvent) -> Iterable[tuple[str, str]]:
        return super().may_end(state, logged) if self.spell in HARMING else ()

    @property
    def own_dice(self) -> tuple[int, ...]:
        return self.blast_dice

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        if self.spell not in catalogue().spells:
            spell_keys = ", ".join(catalogue().spells)
            yield problem("unknown-spell", value=self.spell, known=spell_keys)
            return
        if self.spell in AIMED and self.target is None:
            yield problem("spell-needs-target")
            return
        twice = dict.fromkeys(each for each in self.victims if self.victims.count(each) > 1)
        yield from (problem("stunned-twice", value=each) for each in twice)

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        """Yield the dice of nerve, of the attempt and of its resistance, and those of what the
        spell does."""
        yield {"nerve": int(self.needs_nerve_die(state))}
        if self.passes_nerve(state):
            yield {"dice": 2, "resisting_dice": 2 if self.resisted_by else 0}
            worked = self.casting(state).cast
            yield {"counters": len(self.victims) if worked and self.spell == "stun" else 0}
            yield {"blast_dice": 2 if worked and self.spell == BLAST else 0}
            yield {"luck": int(self.spends_luck(state))}
            yield {"rider_die": int(self.needs_rider_die(state))}
            yield {"die": int(self.needs_large_die(state))}

    def violations(self, state: PlayState, logged: LoggedEvent) -> tuple[Violation, ...]:
        on_table = state.table.of(self.magician)
        magician = present(state, self.magician)
        spares = self.spell == "stun" and self.magician in self.victims
        close = self.spell == "stun" or self.target == self.magician
        forbidden = magic.cast_violations(
            magician,
            self.spell,
            magic.magic_points(magician) - on_table.magic,
            inches=0 if close and self.inches is None else self.inches,
            engaged=state.table.engaged(self.magician),
            cast_this_turn=on_table.has("cast"),
        )
        return (
            *out_of_action(state, self.magician),
            *(() if forbidden else once_a_turn(state, self.magician, after_step=True)),
            *forbidden,
            *self._resistance(state),
            *broken((spares, "stuns-itself")),
            *self._unseen(state),
            *turn_event.lucky_violations(state, self.lucky, self.magician, self.target or ""),
        )

    def _resistance(self, state: PlayState) -> Iterator[Violation]:
        if self.resisted_by is None:
            return
        able = magic.may_resist(
            present(state, self.resisted_by),
            is_target=self.spell in AIMED and self.resisted_by == self.target,
            of_enemy=not same_side(state, self.resisted_by, self.magician),
        )
        if not able:
            yield violation("may-not-resist")

    def _unseen(self, state: PlayState) -> Iterator[Violation]:
        """Yield the violations of a Power Blast, which is a shot, at a target that is not seen."""
        if self.spell != BLAST or self.target is None:
            return
        far = seen_to(state)
        yield from broken(
            (self.sight is Sight.BLOCKED, "no-line-of-sight"),
            (is_hidden(state, self.target), "target-hidden"),
            (far is not None and (self.inches or 0) > far, "too-dark-to-cast"),
        )

    def throw(self, state: PlayState, cup: Cup) -> Self:
        """Return the dice in their order; those of Stun are D3, half a die each."""
        fresh = replace(self, counters=())
        event = super(SpellCast, fresh).throw(state, cup)
        return replace(event, counters=tuple((die + 1) // 2 for die in event.counters))

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after the attempt: points are gone, the spell does its work if it was
        cast.

        Who does not dare to blast the Beguiling has spent its action and no points (Ruling B16).
        """
        on_table = state.table.of(self.magician)
        step = () if on_table.has("short") else ("may-step",)
        if not self.passes_nerve(state):
            return acts(state, self.magician, *step)
        attempt = self.casting(state)
        state = acts(
            state, self.magician, "cast", *step, magic=on_table.magic + attempt.points_spent
        )
        work = WORKS.get(self.spell)
        if not attempt.cast or work is None:
            return state
        state = turn_event.luck_used(state, self.lucky)
        if self.blast_dice and self.target:
            # A blast is an attack on its target.
            state = self.having_struck(state)
        return work(state, self, logged)

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        name = step.before.named(self.magician)
        if not self.passes_nerve(step.before):
            return EventOutcome(
                (f"{name} fails the roll and cannot harm the target.",), (), (turn_event.BEGUILING,)
            )
        attempt = self.casting(step.before)
        rank = ReasonLine(attempt.score - sum(self.dice), f"Rank of {name}", self.rule)
        sums = [reasoned("Casting", dice_line(self.dice, self.rule), rank)]
        if attempt.resistance is not None:
            more = ReasonLine(attempt.resistance - sum(self.resisting_dice), "Rank", self.rule)
            sums.append(reasoned("Resistance", dice_line(self.resisting_dice, self.rule), more))
        sentence = "The spell works." if attempt.cast else "The spell is resisted."
        ruled = (RULED[self.spell],) if attempt.cast and self.spell in RULED else ()
        return EventOutcome((sentence,), tuple(sums), (self.rule, 'Rule book: "Spells"', *ruled))

    def sentence(self, names: CombatantNames) -> str:
        at = f" at {name_of(names, self.target)}" if self.target else ""
        at = f"{at}: {self.named}" if self.named else at
        resisted = f", resisted by {name_of(names, self.resisted_by)}" if self.resisted_by else ""
        spells = catalogue().spells
        spell = spells[self.spell].name if self.spell in spells else self.spell
        dice = dice_in(self.dice, self.resisting_dice, self.blast_dice)
        return f"{name_of(names, self.magician)} casts {spell}{at}{resisted}{dice}"

    # What it comes to with its dice.

    def needs_nerve_die(self, state: PlayState) -> bool:
        """Return whether the target makes the Magician roll first, which only a Power Blast asks
        for."""
        return self.spell == BLAST and self.target is not None and super().needs_nerve_die(state)

    def casting(self, state: PlayState) -> magic.Casting:
        """Return the attempt with its dice."""
        first, second = self.dice
        resisting = present(state, self.resisted_by) if self.resisted_by else None
        against = (self.resisting_dice[0], self.resisting_dice[1]) if self.resisting_dice else None
        return magic.resolve_casting(
            present(state, self.magician), self.spell, (first, second), resisting, against
        )

    def _counted_dice(self) -> tuple[int, int]:
        """Return the two dice of the blast as they count, with luck's new one."""
        first, second = turn_event.with_luck(
            self.blast_dice, self.luck, own=self.lucky == self.magician
        )
        return first, second

    def hits(self, state: PlayState) -> bool:
        magician = present(state, self.magician)
        return bool(self.blast_dice) and magic.blast_hits(
            magician, self._counted_dice(), state.settings
        )

    def needs_rider_die(self, state: PlayState) -> bool:
        """Return whether a hit has to be drawn between mount and rider."""
        return self.hits(state) and self.target is not None and present(state, self.target).mounted

    def hits_mount(self, state: PlayState) -> bool:
        """Return whether the mount has been hit, and not its rider."""
        return self.needs_rider_die(state) and shooting.hits_mount(self.rider_die)

    def blast_result(self, state: PlayState) -> WoundResult | None:
        """Return what a Power Blast does, None for a miss."""
        magician = present(state, self.magician)
        target = present(state, self.target or "")
        return magic.blasted(
            magician, target, self._counted_dice(), state.settings, on_mount=self.hits_mount(state)
        )

    def needs_large_die(self, state: PlayState) -> bool:
        """Return whether a Power Blast on a large body asks for a die."""
        if self.spell != BLAST or not self.blast_dice or self.target is None:
            return False
        result = self.blast_result(state)
        return result is not None and die_wanted(
            state, self.target, result, on_mount=self.hits_mount(state)
        )

    def wound(self, victim: str, result: WoundResult) -> WoundEvent:
        """Return the result on one of those that it harms."""
        return WoundEvent(
            victim=victim,
            result=result,
            means=WoundCause.SPELL,
            attacker=self.magician,
            weapon=self.spell,
            die=self.die,
        )


# What spells do once they are cast.


def _heal(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    target = event.target or ""
    wounds = magic.healed(present(state, target))
    if target in state.civilians:
        return state.with_civilian(replace(state.civilians[target], wounds=wounds))
    patient = replace(state.combatants[target], wounds=wounds)
    return state.with_combatant(
        replace(patient, out_since=None, out_turn=None) if patient.standing else patient
    )


def _blast(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    result = event.blast_result(state)
    if result is None:
        return state
    return harm(
        state,
        logged,
        replace(event.wound(event.target or "", result), on_mount=event.hits_mount(state)),
    )


def _stun(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    for victim, counters in zip(event.victims, event.counters, strict=True):
        for _ in range(counters):
            if state.somebody(victim).on_table:
                state = harm(state, logged, event.wound(victim, WoundResult.STUNNED))
    return state


def _summon(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    """Return the state with a fighter of this battle alone, who is on no roster and goes with the
    battle.

    Ruling B32.
    """
    number = sum(combatant.summoned for combatant in state.combatants.values()) + 1
    name = event.named.strip() or f"Summoned {number}"
    newcomer = FieldedFighter(f"summoned-{number}", name, magic.SUMMONED, rank=1, points=0)
    side = state.side_of(event.magician)
    return state.with_combatant(CombatantState(fighter=newcomer, side=side, summoned=True))


WORKS: Mapping[str, Callable[[PlayState, SpellCast, LoggedEvent], PlayState]] = {
    "armour": lambda state, event, _: state.with_fighter(
        event.target or "", armoured_until=state.table.turn + 1
    ),
    "transfix": lambda state, event, _: state.with_fighter(event.target or "", "transfixed"),
    "mist": lambda state, event, _: state.with_table(mist_until=state.table.turn + 1),
    "undergrowth": lambda state, event, _: state.with_table(undergrowth_until=state.table.turn + 1),
    "drain-life": lambda state, event, at: harm(
        state, at, event.wound(event.target or "", magic.DRAINED)
    ),
    "heal": _heal,
    "power-blast": _blast,
    "stun": _stun,
    "summon": _summon,
}
"""The effect of each spell. Where an Undergrowth lies is the players' to see; a move says that it
leads through it."""
