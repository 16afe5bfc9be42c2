"""Events of the Move Phase beside shots and spells: moves, actions, orders, things, checks, water."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rulebook.battle_log.kinds import Die, Few, FighterId, FighterIds, Inches, SideKey, Text, TwoDice
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.table.moving import Gait, Order, Terrain
from rulebook.systems.en_garde.table.shooting import Cover
from rulebook.systems.en_garde.table.surroundings import Place
from rulebook.systems.en_garde.turns.riding import rides_on
from rulebook.systems.en_garde.turns.turn_event import Activation, DieAgainstTerrifying, LargeDie, TurnEvent


class Moved(Activation, frozen=True, kw_only=True):
    """A fighter moves. ``contacts`` are the enemies that it touches afterwards; none leaves contact.

    ``inches`` are those walked; a jump comes on top of them, a climb goes up (inches each). A jump of more than 1 inch,
    a climb and a leap from deck to deck take ``dexterity`` dice; who fails falls ``falls`` inches, a climber as many as
    it has climbed, by ``fall_dice``. ``closes_up`` is the small move of who is Engaged to touch a friend, in the
    simplified procedure.
    """

    key: ClassVar[str] = "move"
    label: ClassVar[str] = "Move"
    phase: ClassVar[str] = "move"
    rule: ClassVar[str] = 'Rule book: "Move"'

    fighter: Annotated[FighterId, Meta(title="Who")]
    gait: Annotated[Gait, Meta(title="How")] = Gait.NORMAL
    terrain: Annotated[Terrain, Meta(title="Worst ground", description="The worst that it crosses.")] = Terrain.OPEN
    inches: Annotated[Inches | None, Meta(title="Inches")] = None
    contacts: Annotated[FighterIds, Meta(title="In contact with")] = ()
    passes_enemy: Annotated[
        bool,
        Meta(title="Passes within 1 inch of an enemy", description="Then it goes no faster than at a normal move."),
    ] = False
    place: Annotated[Place, Meta(title="Where", description="Where it moves: the field, a building, a ship.")] = (
        Place.FIELD
    )
    extra_turns: Annotated[
        Few,
        Meta(
            title="Turns on the spot beyond the free one",
            description="For ships, wagons and mounts that turn on the spot.",
        ),
    ] = 0
    doors: Annotated[
        Few, Meta(title="Doors and windows opened or closed", description="Each takes some of the move.")
    ] = 0
    locked: Annotated[bool, Meta(title="One of them is locked")] = False
    jumps: Annotated[
        Inches,
        Meta(
            title="Inches jumped", description="On top of the inches walked. More than 1 inch takes a Dexterity Check."
        ),
    ] = 0
    climbs: Annotated[
        Inches,
        Meta(title="Inches climbed", description="Takes a Dexterity Check; who fails falls as far as it has climbed."),
    ] = 0
    leaps_aboard: Annotated[bool, Meta(title="Leaps to a ship or boat")] = False
    falls: Annotated[Inches, Meta(title="Inches to fall", description="How deep it would fall.")] = 0
    in_water: Annotated[bool, Meta(title="Ends in the water", description="Who is Stunned there may drown.")] = False
    undergrowth: Annotated[bool, Meta(title="Through a spell's Undergrowth", description="The spell slows it.")] = False
    enters_ground: Annotated[
        bool,
        Meta(title="Enters the duelling ground", description="In a Duel, whoever does it first pays victory points."),
    ] = False
    in_wagon: Annotated[bool, Meta(title="In a drawn wagon")] = False
    gun: Annotated[
        Text, Meta(title="Takes a gun along", description="The gun that it pushes along.", max_length=60)
    ] = ""
    closes_up: Annotated[bool, Meta(title="Engaged, closes up to a friend (simplified procedure)")] = False
    handler_away: Annotated[
        bool,
        Meta(
            title="Hound more than 12 inches from its handler",
            description="A hound more than 12 inches from its handler moves on a 4 or more only.",
        ),
    ] = False
    leash: Annotated[
        Die | None,
        Meta(title="Die of a hound without handler", description="For a hound without its handler: 4 or more."),
    ] = None
    nerve: DieAgainstTerrifying = None
    dexterity: Annotated[
        TwoDice, Meta(title="Dice of Dexterity", description="Two dice, for a jump, a climb or a leap aboard.")
    ] = ()
    fall_dice: Annotated[TwoDice, Meta(title="Dice of the fall", description="Two dice, if the check failed.")] = ()
    die: LargeDie = None
    words: Annotated[Text, Meta(title="In words", description="Whatever is worth telling.", max_length=300)] = ""

    @property
    def activated(self) -> tuple[str, ...]:
        """The mover; closing up to a friend activates nobody."""
        return () if self.closes_up else (self.fighter,)

    @property
    def mover(self) -> str:
        """The fighter."""
        return self.fighter

    @property
    def touching(self) -> tuple[str, ...]:
        """The enemies in contact with it."""
        return self.contacts

    def intruder(self, state: PlayState) -> str:
        """The fighter, if it has entered the duelling ground."""
        moved = state.table.of(self.fighter).moved == state.table.turn
        return self.fighter if self.enters_ground and moved else ""

    def turn_phase(self, state: PlayState) -> TurnPhase | None:
        """The Move Phase; riding on after a ride-by attack belongs to the Combat Phase."""
        return TurnPhase.COMBAT if rides_on(state, self.fighter) else TurnPhase.MOVE


class Acted(Activation, frozen=True, kw_only=True):
    """A fighter does something else with its turn."""

    key: ClassVar[str] = "action"
    label: ClassVar[str] = "Action"
    phase: ClassVar[str] = "move"
    rule: ClassVar[str] = 'Rule book: "Move phase"'

    fighter: Annotated[FighterId, Meta(title="Who")]
    what: Annotated[
        Literal["reload", "aim", "hide", "rest", "mount", "dismount", "special"],
        Meta(title="What"),
    ]
    weapon: Annotated[Text, Meta(title="Weapon", max_length=60)] = ""
    cover: Annotated[
        Cover | None, Meta(title="Cover that it hides in", description="Whoever hides is in cover of some sort.")
    ] = None
    die: Annotated[Die | None, Meta(title="Die for wet powder", description="Only if the result asks for one.")] = None
    words: Annotated[Text, Meta(title="In words", description="Whatever is worth telling.", max_length=300)] = ""

    @property
    def actor(self) -> str:
        """The fighter."""
        return self.fighter


class Ordered(Activation, frozen=True, kw_only=True):
    """A Commander has others do the same as he says. For a Shoot order, ``target`` is the nominated enemy and ``near``
    those within 3 inches of it.
    """

    key: ClassVar[str] = "order"
    label: ClassVar[str] = "Order"
    phase: ClassVar[str] = "move"
    rule: ClassVar[str] = 'Rule book: "Issue an order"'
    about: ClassVar[str] = "fighters"

    commander: Annotated[FighterId, Meta(title="Commander")]
    order: Annotated[Order, Meta(title="Order")]
    target: Annotated[
        FighterId, Meta(title="Nominated target", description="The enemy at whom those ordered may shoot.")
    ] = ""
    near: Annotated[FighterIds, Meta(title="Within 3 inches of it", description="They may be shot at as well.")] = ()
    fighters: Annotated[FighterIds, Meta(title="Who")]
    inches: Annotated[
        Inches | None,
        Meta(
            title="Inches to the farthest of them", description="3 at most, to the farthest of those who are ordered."
        ),
    ] = None

    @property
    def actor(self) -> str:
        """The Commander."""
        return self.commander

    @property
    def activated(self) -> tuple[str, ...]:
        """The Commander and those who are ordered."""
        return tuple(dict.fromkeys((self.commander, *self.fighters)))


class ObjectHandled(Activation, frozen=True, kw_only=True):
    """Something is picked up or dropped."""

    key: ClassVar[str] = "object"
    label: ClassVar[str] = "Object"
    rule: ClassVar[str] = 'Rule book: "Objects"'

    fighter: Annotated[FighterId, Meta(title="Who")]
    what: Annotated[Text, Meta(title="What", min_length=1, max_length=60)]
    how: Annotated[Literal["taken", "dropped"], Meta(title="How")] = "taken"
    heavy: Annotated[bool, Meta(title="Heavy", description="A heavy thing takes an action and both hands.")] = False

    @property
    def actor(self) -> str:
        """Who takes what is heavy; light things, and dropping, take no activation."""
        return self.fighter if self.heavy and self.how == "taken" else ""

    def turn_phase(self, state: PlayState) -> TurnPhase | None:
        """The Move Phase for what takes an action; else any."""
        return TurnPhase.MOVE if self.actor else None


class DexterityChecked(TurnEvent, frozen=True, kw_only=True):
    """A Dexterity Check, and the inches that a failure drops the fighter."""

    key: ClassVar[str] = "dexterity"
    label: ClassVar[str] = "Dexterity Check"
    rule: ClassVar[str] = 'Rule book: "Dexterity Check"'
    always_rolls: ClassVar[bool] = True

    fighter: Annotated[FighterId, Meta(title="Who")]
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    falls: Annotated[Inches, Meta(title="Inches to fall")] = 0
    fall_dice: Annotated[TwoDice, Meta(title="Dice of the fall")] = ()
    die: LargeDie = None
    words: Annotated[Text, Meta(title="What for", description="Whatever is worth telling.", max_length=300)] = ""


class InWater(TurnEvent, frozen=True, kw_only=True):
    """A fighter enters a river (``entering``), or rolls against drowning because it is Stunned in the water.

    ``drift`` are the dice of the inches that the river sweeps it downstream.
    """

    key: ClassVar[str] = "water"
    label: ClassVar[str] = "Water"
    rule: ClassVar[str] = 'Rule book: "Terrain"'
    drowning_told: ClassVar[bool] = True

    fighter: Annotated[FighterId, Meta(title="Who")]
    entering: Annotated[bool, Meta(title="Enters the river")] = False
    die: Annotated[Die | None, Meta(title="Die", description="Only if the result asks for one.")] = None
    drift: Annotated[
        TwoDice, Meta(title="Dice of the drift downstream", description="Two dice, if the river sweeps it on.")
    ] = ()
    drowning: Annotated[
        Die | None, Meta(title="Die against drowning", description="For who is Stunned in the water.")
    ] = None


class SideDone(TurnEvent, frozen=True, kw_only=True):
    """A side lets its opportunity in the Move Phase go: the phase is over for it (Ruling B33)."""

    key: ClassVar[str] = "done"
    label: ClassVar[str] = "Passes in the Move Phase"
    phase: ClassVar[str] = "move"
    rule: ClassVar[str] = 'Rule book: "Move phase"'
    about: ClassVar[str] = "side"

    side: Annotated[SideKey, Meta(title="Side")]
