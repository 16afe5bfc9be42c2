"""Events of the Move Phase beside shots and spells: moves, actions, orders, things, checks, water."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rulebook.systems.en_garde.play.events import COMBATANT, SIDE, TEXT, Pips
from rulebook.systems.en_garde.table.moving import Gait, Order, Terrain
from rulebook.systems.en_garde.table.shooting import Cover
from rulebook.systems.en_garde.table.surroundings import Place
from rulebook.systems.en_garde.turns.event_parts import Activation, Few, Fighters, Inches, TurnEvent, TwoDice


class Moved(Activation, frozen=True, kw_only=True):
    """A fighter moves. ``contacts`` are the enemies that it touches afterwards; none leaves contact.

    ``inches`` are those walked; a jump comes on top of them, a climb goes up (inches each). A jump of more than 1 inch,
    a climb and a leap from deck to deck take ``dexterity`` dice; who fails falls ``falls`` inches, a climber as many as
    it has climbed, by ``fall_dice``. ``closes_up`` is the small move of who is Engaged to touch a friend, in the
    simplified procedure.
    """

    label: ClassVar[str] = "Move"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    gait: Annotated[Gait, Meta(title="How")] = Gait.NORMAL
    terrain: Annotated[Terrain, Meta(title="Worst ground")] = Terrain.OPEN
    inches: Annotated[Inches | None, Meta(title="Inches", extra={"kind": "number"})] = None
    contacts: Annotated[Fighters, Meta(title="In contact with")] = ()
    passes_enemy: Annotated[bool, Meta(title="Passes within 1 inch of an enemy")] = False
    place: Annotated[Place, Meta(title="Where")] = Place.FIELD
    extra_turns: Annotated[Few, Meta(title="Turns on the spot beyond the free one")] = 0
    doors: Annotated[Few, Meta(title="Doors and windows opened or closed")] = 0
    locked: Annotated[bool, Meta(title="One of them is locked")] = False
    jumps: Annotated[Inches, Meta(title="Inches jumped", extra={"kind": "number"})] = 0
    climbs: Annotated[Inches, Meta(title="Inches climbed", extra={"kind": "number"})] = 0
    leaps_aboard: Annotated[bool, Meta(title="Leaps to a ship or boat")] = False
    falls: Annotated[Inches, Meta(title="Inches to fall", extra={"kind": "number"})] = 0
    in_water: Annotated[bool, Meta(title="Ends in the water")] = False
    undergrowth: Annotated[bool, Meta(title="Through a spell's Undergrowth")] = False
    enters_ground: Annotated[bool, Meta(title="Enters the duelling ground")] = False
    in_wagon: Annotated[bool, Meta(title="In a drawn wagon")] = False
    gun: Annotated[str, Meta(title="Takes a gun along", max_length=60, extra=TEXT)] = ""
    closes_up: Annotated[bool, Meta(title="Engaged, closes up to a friend (simplified procedure)")] = False
    handler_away: Annotated[bool, Meta(title="Hound more than 12 inches from its handler")] = False
    leash: Annotated[Pips | None, Meta(title="Die of a hound without handler")] = None
    nerve: Annotated[Pips | None, Meta(title="Die against the Terrifying")] = None
    dexterity: Annotated[TwoDice, Meta(title="Dice of Dexterity")] = ()
    fall_dice: Annotated[TwoDice, Meta(title="Dice of the fall")] = ()
    die: Annotated[Pips | None, Meta(title="Die for a large body")] = None
    words: Annotated[str, Meta(title="In words", max_length=300, extra=TEXT)] = ""


class Acted(Activation, frozen=True, kw_only=True):
    """A fighter does something else with its turn."""

    label: ClassVar[str] = "Action"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    what: Annotated[
        Literal["reload", "aim", "hide", "rest", "mount", "dismount", "special"],
        Meta(title="What"),
    ]
    weapon: Annotated[str, Meta(title="Weapon", max_length=60, extra=TEXT)] = ""
    cover: Annotated[Cover | None, Meta(title="Cover that it hides in")] = None
    die: Annotated[Pips | None, Meta(title="Die for wet powder")] = None
    words: Annotated[str, Meta(title="In words", max_length=300, extra=TEXT)] = ""


class Ordered(Activation, frozen=True, kw_only=True):
    """A Commander has others do the same as he says. For a Shoot order, ``target`` is the nominated enemy and ``near``
    those within 3 inches of it.
    """

    label: ClassVar[str] = "Order"

    commander: Annotated[str, Meta(title="Commander", extra=COMBATANT)]
    order: Annotated[Order, Meta(title="Order")]
    target: Annotated[str, Meta(title="Nominated target", extra=COMBATANT)] = ""
    near: Annotated[Fighters, Meta(title="Within 3 inches of it")] = ()
    fighters: Annotated[Fighters, Meta(title="Who")]
    inches: Annotated[Inches | None, Meta(title="Inches to the farthest of them", extra={"kind": "number"})] = None


class ObjectHandled(Activation, frozen=True, kw_only=True):
    """Something is picked up or dropped."""

    label: ClassVar[str] = "Object"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    what: Annotated[str, Meta(title="What", min_length=1, max_length=60, extra=TEXT)]
    how: Annotated[Literal["taken", "dropped"], Meta(title="How")] = "taken"
    heavy: Annotated[bool, Meta(title="Heavy")] = False


class DexterityChecked(TurnEvent, frozen=True, kw_only=True):
    """A Dexterity Check, and the inches that a failure drops the fighter."""

    label: ClassVar[str] = "Dexterity Check"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    falls: Annotated[Inches, Meta(title="Inches to fall", extra={"kind": "number"})] = 0
    fall_dice: Annotated[TwoDice, Meta(title="Dice of the fall")] = ()
    die: Annotated[Pips | None, Meta(title="Die for a large body")] = None
    words: Annotated[str, Meta(title="What for", max_length=300, extra=TEXT)] = ""


class InWater(TurnEvent, frozen=True, kw_only=True):
    """A fighter enters a river (``entering``), or rolls against drowning because it is Stunned in the water.

    ``drift`` are the dice of the inches that the river sweeps it downstream.
    """

    label: ClassVar[str] = "Water"

    fighter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    entering: Annotated[bool, Meta(title="Enters the river")] = False
    die: Annotated[Pips | None, Meta(title="Die")] = None
    drift: Annotated[TwoDice, Meta(title="Dice of the drift downstream")] = ()
    drowning: Annotated[Pips | None, Meta(title="Die against drowning")] = None


class SideDone(TurnEvent, frozen=True, kw_only=True):
    """A side lets its opportunity in the Move Phase go: the phase is over for it (Ruling B33)."""

    label: ClassVar[str] = "Passes in the Move Phase"

    side: Annotated[str, Meta(title="Side", extra=SIDE)]
