"""The state of play that a battle's log leads to, and the base class of its events."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from rulebook.at_table.actions import action_fields
from rulebook.at_table.offers import OfferedEvent
from rulebook.battle_log.forms import AnyKind
from rulebook.ruleset import BattleSetup, Deed, FieldedFighter, FieldedSide
from rulebook.systems.en_garde.book.house_rules import HOUSE_RULES, HouseRules
from rulebook.systems.en_garde.book.scenarios import ScenarioFacts, find_scenario
from rulebook.systems.en_garde.play.turn_state import OnTable, TurnTable
from rulebook.systems.en_garde.rosters.builds import Build, from_json
from rulebook.systems.en_garde.rosters.forces import civilians_in
from rulebook.systems.en_garde.rosters.loadouts import Loadout, loadout
from rulebook.systems.en_garde.table.wounds import UNHURT, Wound, WoundState, WoundTable
from rulebook.values.fields import Choices
from rulebook.values.remembering import RemembersAnswers, remembered, remembered_property
from rulebook.values.table import BESIDE, Action


class CombatantState(RemembersAnswers, frozen=True):
    """A fighter in a battle. ``edge`` is the edge by which it left, ``captor`` the id of who
    captured it.

    ``killed_by`` is text; ``out_since`` the event that put it out of action, ``out_turn`` the turn
    of that, and ``died_turn`` the turn of its death, which may come later. ``summoned`` is a
    fighter that a spell has called up for this battle (Ruling B32).
    """

    fighter: FieldedFighter
    side: str
    wounds: WoundState = UNHURT
    mount: WoundState = UNHURT
    thrown: bool = False
    routed: bool = False
    edge: str = ""
    captor: str = ""
    killed_by: str = ""
    out_since: int | None = None
    out_turn: int | None = None
    died_turn: int | None = None
    summoned: bool = False

    @property
    def build(self) -> Build:
        """Return what it is made of. Raises RulesError if that makes no sense."""
        return build_of(self.fighter)

    @property
    def dead(self) -> bool:
        """Return whether it was killed in this battle."""
        return self.wounds.dead

    # The rules ask these two of everybody at every event, and few fighters change by one.
    @remembered_property
    def on_table(self) -> bool:
        """Return whether it is alive and has neither been taken nor left. It may be unconscious."""
        return not (self.routed or self.edge or self.captor or self.wounds.dead)

    @remembered_property
    def standing(self) -> bool:
        """Return whether it is on the table and able to act. Ruling B6."""
        return not self.wounds.out and not (self.routed or self.edge or self.captor)

    @property
    def lost(self) -> bool:
        """Return whether it was killed, routed off the table or captured. Ruling S2."""
        return self.dead or self.routed or bool(self.captor)

    @property
    def why_out(self) -> str:
        """Return why it can do nothing more, in a word or two; "" if it can."""
        if self.dead:
            return "dead"
        if self.captor:
            return "captured"
        if self.routed or self.edge:
            return "off the table"
        return "unconscious" if self.wounds.unconscious else ""


class CivilianState(Struct, frozen=True):
    """A Civilian in a battle: ``outcome`` is what somebody has said of it, "" if nobody has."""

    key: str
    side: str
    wounds: WoundState = UNHURT
    outcome: str = ""
    by: str | None = None

    @property
    def name(self) -> str:
        """Return what people call it: "Civilian 1"."""
        return self.key.replace("-", " ").capitalize()

    @property
    def dead(self) -> bool:
        """Return whether it was killed in this battle."""
        return self.wounds.dead or self.outcome == "killed"

    @property
    def on_table(self) -> bool:
        """Return whether it is alive and has neither been taken nor left. It may be unconscious."""
        return not (self.dead or self.outcome in ("taken", "escorted"))

    @property
    def standing(self) -> bool:
        """Return whether it is on the table and able to act."""
        return self.on_table and not self.wounds.unconscious

    @property
    def why_out(self) -> str:
        """Return why it can do nothing more, in a word or two; "" if it can."""
        if self.dead:
            return "dead"
        if not self.on_table:
            return "off the table"
        return "unconscious" if self.wounds.unconscious else ""

    @property
    def unharmed(self) -> bool:
        """Return whether it is on the table with no wound but Stunned counters. Ruling S9."""
        return self.outcome in ("", "unharmed") and self.wounds.worst in ("", "stunned")


Somebody = CombatantState | CivilianState


class RolledObjective(Struct, frozen=True):
    """A side's minor objective: the die, whether it was said to be achieved, and whose die it
    is."""

    rolled: int | None = None
    achieved: bool | None = None
    thrown: str = ""


class ObjectiveControl(Struct, frozen=True):
    """The control of the objective: the side, its fighters with the holder first, how, and what it
    is."""

    side: str
    by: tuple[str, ...] = ()
    how: str = ""
    what: str = ""


class AgreedPoints(Struct, frozen=True):
    """Victory points that the players agreed upon, with their reason."""

    side: str
    amount: int
    reason: str


class PlayState(RemembersAnswers, frozen=True):
    """Everything that a log has come to: combatants and Civilians by their ids, and what the
    scenario asks for.

    ``banners`` maps the side whose banner was captured to the captor's id, ``ground`` each side to
    its fighters on the ground that scores, ``offences`` each offence of a Duel to the side that
    committed it first. ``recovery`` maps fighters to dice thrown at the table after the battle.
    ``table`` is what a log turn by turn knows besides.
    """

    setup: BattleSetup
    settings: HouseRules
    scenario: ScenarioFacts
    combatants: Mapping[str, CombatantState]
    civilians: Mapping[str, CivilianState] = {}
    deeds: tuple[Deed, ...] = ()
    rolled: Mapping[str, RolledObjective] = {}
    control: ObjectiveControl | None = None
    banners: Mapping[str, str] = {}
    ground: Mapping[str, tuple[str, ...]] = {}
    offences: Mapping[str, str] = {}
    extra: tuple[AgreedPoints, ...] = ()
    conceded: tuple[str, ...] = ()
    withdrew: tuple[str, ...] = ()
    recovery: Mapping[str, int] = {}
    ended: bool = False
    turns: int | None = None
    table: TurnTable = TurnTable()

    @property
    def light(self) -> bool:
        """Return whether this turn is logged in the light way, by its casualties alone."""
        return self.table.light

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the keys of the sides, in their order."""
        return tuple(self.setup.sides_by_key)

    def side(self, key: str) -> FieldedSide:
        """Return the side of that key. Raises KeyError."""
        return self.setup.sides_by_key[key]

    def side_of(self, fighter: str) -> str:
        """Return the key of a combatant's side. Raises KeyError."""
        return self.combatants[fighter].side

    def with_role(self, role: str) -> str:
        """Return the key of the first side in that role. Raises StopIteration if there is none."""
        return next(side.key for side in self.setup.sides if side.role == role)

    @remembered
    def own(self, side: str) -> tuple[CombatantState, ...]:
        """Return a side's combatants in the order in which they were fielded, without those who
        were summoned."""
        return tuple(
            [each for each in self.combatants.values() if each.side == side and not each.summoned]
        )

    def enemies(self, side: str) -> tuple[CombatantState, ...]:
        """Return the combatants of the other sides, the summoned included."""
        return tuple([each for each in self.combatants.values() if each.side != side])

    def somebody(self, key: str) -> Somebody:
        """Return a combatant or a Civilian. Raises KeyError."""
        return self.civilians.get(key) or self.combatants[key]

    def named(self, fighter: str) -> str:
        """Return what people call a combatant or a Civilian. Raises KeyError."""
        if fighter in self.civilians:
            return self.civilians[fighter].name
        return self.combatants[fighter].fighter.name

    def with_table(self, **changes: object) -> "PlayState":
        """Return the state with these changes of the table."""
        return replace(self, table=replace(self.table, **changes))

    def with_fighter(
        self, fighter: str, *marks: str, undone: Collection[str] = (), **changes: object
    ) -> "PlayState":
        """Return the state with these marks and changes of what the table knows of a fighter."""
        return self.knowing(fighter, self.table.of(fighter).does(*marks, undone=undone, **changes))

    def knowing(self, fighter: str, on_table: OnTable) -> "PlayState":
        """Return the state with what the table knows of a fighter as it is now."""
        return replace(self, table=self.table.knowing(fighter, on_table))

    def with_combatant(self, combatant: CombatantState) -> "PlayState":
        """Return the state with this combatant as it is now."""
        return replace(self, combatants={**self.combatants, combatant.fighter.id: combatant})

    def with_civilian(self, civilian: CivilianState) -> "PlayState":
        """Return the state with this Civilian as it is now."""
        return replace(self, civilians={**self.civilians, civilian.key: civilian})


def last_turn(state: PlayState) -> int | None:
    """Return the last turn of the game: as it was rolled or agreed for the table, or as a roll
    at a turn's end has shown.

    None where nobody knows it yet.
    """
    if state.table.final:
        return state.table.final
    turns = state.setup.set_up.get("turns") or state.scenario.turns
    return int(turns) if turns else None


def opening(setup: BattleSetup) -> PlayState:
    """Return the state before the first event.

    Raises RulesError for an unknown scenario or a wrong setting.

    Fighters named in the set-up's ``wounds`` begin with a wound (the final of a classic campaign:
    Rulings C6, C7).
    """
    combatants: dict[str, CombatantState] = {}
    for side in setup.sides:
        for fighter in side.fighters:
            wounds = _wounds_at_start(setup, fighter.id)
            combatants[fighter.id] = CombatantState(fighter=fighter, side=side.key, wounds=wounds)
    return PlayState(
        setup=setup,
        settings=HOUSE_RULES.complete(setup.settings),
        scenario=find_scenario(setup.scenario),
        combatants=combatants,
        civilians=_civilians(setup),
    )


def _wounds_at_start(setup: BattleSetup, fighter: str) -> WoundState:
    """Return the wound that a fighter brings to the battle."""
    wounds = setup.set_up.get("wounds")
    wound = wounds.get(fighter) if isinstance(wounds, Mapping) else None
    return WoundState(wound=Wound(wound)) if wound in ("light", "grievous") else UNHURT


def _civilians(setup: BattleSetup) -> dict[str, CivilianState]:
    owner = find_scenario(setup.scenario).civilians
    side = next(
        (side.key for side in setup.sides if owner is not None and side.role == owner.role), None
    )
    if side is None:
        return {}
    keys = (f"civilian-{number}" for number in range(1, civilians_in(setup) + 1))
    return {key: CivilianState(key=key, side=side) for key in keys}


@remembered
def build_of(fighter: FieldedFighter) -> Build:
    """Return what a fighter is made of. Raises RulesError if that makes no sense."""
    return from_json(fighter.build)


@remembered
def outfit(fighter: FieldedFighter) -> Loadout:
    """Return what a fighter took the field with. Raises RulesError if its build makes no sense."""
    return loadout(build_of(fighter))


def wound_table(fighter: FieldedFighter) -> WoundTable:
    """Return the Wound Table that a fighter's body answers to."""
    return WoundTable.of(outfit(fighter).knows)


AS_GIVEN: Mapping[str, Any] = {"as_given": True}
"""The mark of events that are entered together: nobody knows the order in which the fighters
acted."""


def action_of(
    kind: AnyKind,
    state: PlayState,
    label: str,
    given: Mapping[str, Any],
    main: tuple[str, ...] = (),
    *,
    without: tuple[str, ...] = (),
    choices: Mapping[str, Choices] | None = None,
    **more: Any,
) -> Action:
    """Return an action of a kind; ``given`` is never asked for. ``more`` says what differs from its
    kind.

    By itself an action has the key and the phase of its kind, and neither hurdle nor help nor rule.
    """
    hidden = (*without, *AS_GIVEN)
    dice = state.settings.dice
    plain = Action(
        key=kind.key,
        kind=kind.key,
        label=label,
        phase=kind.phase or BESIDE,
        fields=action_fields(
            kind, given=given, main=main, without=hidden, choices=choices, dice=dice
        ),
        given=given,
        turn=state.table.turn or None,
        rolls=kind.always_rolls,
        together=AS_GIVEN if "as_given" in kind.__struct_fields__ else {},
    )
    return replace(plain, **more)


class Event(OfferedEvent[PlayState], frozen=True, kw_only=True):
    """An event of a log, of a result sheet or of a battle logged turn by turn.

    ``hurts`` marks kinds by which somebody is hurt or leaves: turn by turn, none comes after the
    end. ``rolls_for_drowning`` marks one that makes the roll against drowning itself.

    ``offered_to`` is the field that names who is offered it, "table" for what concerns nobody in
    particular, and "" for a kind that the forms of a combat offer. ``offered_as``, ``offered_help``
    and ``offered_rule`` are the label, the help and the source of that offer, ``follow`` the
    procedure that logs what follows from it.
    """

    hurts: ClassVar[bool] = False
    rolls_for_drowning: ClassVar[bool] = False
    offered_to: ClassVar[str] = ""
    offered_as: ClassVar[str] = ""
    offered_help: ClassVar[str] = ""
    offered_rule: ClassVar[str] = ""
    follow: ClassVar[str] = ""

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is for such an actor: the table, a side, or a fighter."""
        if cls.offered_to == "table":
            return not actor
        if cls.offered_to == "side":
            return actor in state.sides
        return bool(cls.offered_to) and actor in state.combatants

    @classmethod
    def actor_field(cls, state: PlayState, actor: str) -> str:
        return cls.offered_to

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        return action_of(
            cls,
            state,
            cls.offered_as or cls.label,
            {cls.actor_field(state, actor): actor} if actor else {},
            cls.asked_first,
            without=cls.fields_left_out(state, actor),
            choices=cls.choices_for(state, actor),
            hurdle=cls.hurdle_for(state, actor),
            help=cls.offered_help,
            rule=cls.offered_rule,
            follow=cls.follow,
        )

    @classmethod
    def fields_left_out(cls, state: PlayState, actor: str) -> tuple[str, ...]:
        """Return the fields that mean nothing for an actor now, and are not asked for."""
        return ()

    @classmethod
    def outlasts_phase(cls, state: PlayState, actor: str) -> bool:
        """Return whether the rules let an actor log it after its phase of the turn is over."""
        return False

    @property
    def ends_combat_phase(self) -> bool:
        """Return whether it shows that the Combat Phase of its turn is over."""
        return False
