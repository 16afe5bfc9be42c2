"""Events that strike from afar: shots and spells."""

from typing import Annotated, ClassVar

from msgspec import Meta

from rulebook.systems.en_garde.play.events import COMBATANT, TEXT, Pips
from rulebook.systems.en_garde.table.shooting import Cover
from rulebook.systems.en_garde.table.sight import Sight
from rulebook.systems.en_garde.table.surroundings import Shelter
from rulebook.systems.en_garde.turns.event_parts import Activation, Fighters, Inches, TwoDice


class ShotFired(Activation, frozen=True, kw_only=True):
    """A shot with hand weapon or gun. ``wide_of`` names whom a missed shot into combat was meant for, ``beside`` at
    whom a blast or spray was fired that strikes this target too: a blast by the same dice, a spray by its own.
    ``between`` names those whose bases the line of sight crosses.
    """

    label: ClassVar[str] = "Shot"

    shooter: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    target: Annotated[str, Meta(title="At whom", extra=COMBATANT)]
    weapon: Annotated[str, Meta(title="Weapon", max_length=60, extra=TEXT)]
    inches: Annotated[Inches, Meta(title="Range in inches", extra={"kind": "number"})]
    cover: Annotated[Cover, Meta(title="Cover")] = Cover.NONE
    shelter: Annotated[Shelter, Meta(title="Stands behind")] = Shelter.NONE
    sight: Annotated[Sight, Meta(title="Line of sight")] = Sight.CLEAR
    between: Annotated[Fighters, Meta(title="Who stands in between")] = ()
    foliage: Annotated[Inches, Meta(title="Inches of light cover in between", extra={"kind": "number"})] = 0
    moved: Annotated[bool, Meta(title="With a short move")] = False
    twice: Annotated[bool, Meta(title="One of an Archer's two")] = False
    from_behind: Annotated[bool, Meta(title="From behind")] = False
    grapeshot: Annotated[bool, Meta(title="Grapeshot")] = False
    at_point: Annotated[bool, Meta(title="At a point of the table, near the target")] = False
    wide_of: Annotated[str, Meta(title="Meant for", extra=COMBATANT)] = ""
    beside: Annotated[str, Meta(title="By the same blast or spray as", extra=COMBATANT)] = ""
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    reroll: Annotated[Pips | None, Meta(title="Sharpshooter's new die")] = None
    rider_die: Annotated[Pips | None, Meta(title="Die for mount or rider")] = None
    die: Annotated[Pips | None, Meta(title="Die for a large body")] = None
    nerve: Annotated[Pips | None, Meta(title="Die against the Beguiling")] = None
    lucky: Annotated[str, Meta(title="Lucky re-roll by", extra=COMBATANT)] = ""
    luck: Annotated[Pips | None, Meta(title="Die that luck threw again")] = None


class SpellCast(Activation, frozen=True, kw_only=True):
    """A Magician tries a spell. ``victims`` are those whom Stun reaches, each with its D3 in ``counters``.

    A Power Blast is a shot: the Beguiling ask for ``nerve``, riders for ``rider_die``. ``named`` is what somebody
    summoned is called.
    """

    label: ClassVar[str] = "Spell"

    magician: Annotated[str, Meta(title="Who", extra=COMBATANT)]
    spell: Annotated[str, Meta(title="Spell", max_length=40, extra=TEXT)]
    target: Annotated[str | None, Meta(title="At whom", extra=COMBATANT)] = None
    inches: Annotated[Inches, Meta(title="Inches", extra={"kind": "number"})] = 0
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    resisted_by: Annotated[str | None, Meta(title="Resisted by", extra=COMBATANT)] = None
    resisting_dice: Annotated[TwoDice, Meta(title="Resisting dice")] = ()
    sight: Annotated[Sight, Meta(title="Line of sight")] = Sight.CLEAR
    nerve: Annotated[Pips | None, Meta(title="Die against the Beguiling")] = None
    blast_dice: Annotated[TwoDice, Meta(title="Dice of a Power Blast")] = ()
    rider_die: Annotated[Pips | None, Meta(title="Die for mount or rider")] = None
    victims: Annotated[Fighters, Meta(title="Whom Stun reaches")] = ()
    counters: Annotated[tuple[Annotated[int, Meta(ge=1, le=3)], ...], Meta(title="Their D3", max_length=60)] = ()
    die: Annotated[Pips | None, Meta(title="Die for a large body")] = None
    lucky: Annotated[str, Meta(title="Lucky re-roll by", extra=COMBATANT)] = ""
    luck: Annotated[Pips | None, Meta(title="Die that luck threw again")] = None
    named: Annotated[str, Meta(title="What the summoned is called", max_length=60, extra=TEXT)] = ""
