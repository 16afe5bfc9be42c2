"""Events that strike from afar: shots and spells."""

from typing import Annotated, ClassVar

from msgspec import Meta

from rulebook.battle_log.kinds import Die, FighterId, FighterIds, Inches, Text, TwoDice
from rulebook.systems.en_garde.table.shooting import Cover
from rulebook.systems.en_garde.table.sight import Sight
from rulebook.systems.en_garde.table.surroundings import Shelter
from rulebook.systems.en_garde.turns.turn_event import (
    Activation,
    DieAgainstBeguiling,
    LargeDie,
    LuckyDie,
    LuckyOne,
    RiderDie,
)


class ShotFired(Activation, frozen=True, kw_only=True):
    """A shot with hand weapon or gun. ``wide_of`` names whom a missed shot into combat was meant for, ``beside`` at
    whom a blast or spray was fired that strikes this target too: a blast by the same dice, a spray by its own.
    ``between`` names those whose bases the line of sight crosses.
    """

    key: ClassVar[str] = "shot"
    label: ClassVar[str] = "Shot"
    phase: ClassVar[str] = "move"
    about: ClassVar[str] = "shooter"
    always_rolls: ClassVar[bool] = True
    shoots: ClassVar[bool] = True

    shooter: Annotated[FighterId, Meta(title="Who")]
    target: Annotated[FighterId, Meta(title="At whom")]
    weapon: Annotated[Text, Meta(title="Weapon", max_length=60)]
    inches: Annotated[Inches, Meta(title="Range in inches")]
    cover: Annotated[Cover, Meta(title="Cover", description="What the target stands behind.")] = Cover.NONE
    shelter: Annotated[Shelter, Meta(title="Stands behind", description="A wall, a window, a doorway.")] = Shelter.NONE
    sight: Annotated[Sight, Meta(title="Line of sight")] = Sight.CLEAR
    between: Annotated[
        FighterIds, Meta(title="Who stands in between", description="Those whose bases the line of sight crosses.")
    ] = ()
    foliage: Annotated[
        Inches,
        Meta(title="Inches of light cover in between", description="Light cover that the line of sight crosses."),
    ] = 0
    moved: Annotated[
        bool, Meta(title="With a short move", description="A short move goes with a shot, and makes it harder.")
    ] = False
    twice: Annotated[
        bool,
        Meta(title="One of an Archer's two", description="An Archer with a bow may shoot twice, each at one less."),
    ] = False
    from_behind: Annotated[bool, Meta(title="From behind", description="Then a shield does not count.")] = False
    grapeshot: Annotated[bool, Meta(title="Grapeshot")] = False
    at_point: Annotated[
        bool,
        Meta(
            title="At a point of the table, near the target",
            description="Whom it reaches is the target; the inches are those to the point.",
        ),
    ] = False
    wide_of: Annotated[
        FighterId,
        Meta(
            title="Meant for", description="A miss into a combat may strike somebody else there: whom it was meant for."
        ),
    ] = ""
    beside: Annotated[
        FighterId,
        Meta(
            title="By the same blast or spray as",
            description="A blast or spray strikes everybody near: the one at whom it was fired.",
        ),
    ] = ""
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    reroll: Annotated[
        Die | None, Meta(title="Sharpshooter's new die", description="Only if a die is thrown again.")
    ] = None
    rider_die: RiderDie = None
    die: LargeDie = None
    nerve: DieAgainstBeguiling = None
    lucky: LuckyOne = ""
    luck: LuckyDie = None

    @property
    def actor(self) -> str:
        """The shooter; what follows from a shot takes no activation."""
        return "" if self.wide_of or self.beside else self.shooter

    @property
    def aggressor(self) -> str:
        """The shooter, if it has thrown."""
        return self.shooter if self.dice else ""


class SpellCast(Activation, frozen=True, kw_only=True):
    """A Magician tries a spell. ``victims`` are those whom Stun reaches, each with its D3 in ``counters``.

    A Power Blast is a shot: the Beguiling ask for ``nerve``, riders for ``rider_die``. ``named`` is what somebody
    summoned is called.
    """

    key: ClassVar[str] = "spell"
    label: ClassVar[str] = "Spell"
    phase: ClassVar[str] = "move"
    about: ClassVar[str] = "magician"
    always_rolls: ClassVar[bool] = True

    magician: Annotated[FighterId, Meta(title="Who")]
    spell: Annotated[Text, Meta(title="Spell", max_length=40)]
    target: Annotated[FighterId | None, Meta(title="At whom")] = None
    inches: Annotated[Inches, Meta(title="Inches")] = 0
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    resisted_by: Annotated[
        FighterId | None, Meta(title="Resisted by", description="The target itself, or an enemy Magician.")
    ] = None
    resisting_dice: Annotated[TwoDice, Meta(title="Resisting dice")] = ()
    sight: Annotated[Sight, Meta(title="Line of sight")] = Sight.CLEAR
    nerve: DieAgainstBeguiling = None
    blast_dice: Annotated[TwoDice, Meta(title="Dice of a Power Blast")] = ()
    rider_die: RiderDie = None
    victims: Annotated[
        FighterIds, Meta(title="Whom Stun reaches", description="Everybody within 6 inches of the Magician.")
    ] = ()
    counters: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=3)], ...],
        Meta(title="Their D3", description="Half a die for each of them, rounded up.", max_length=60),
    ] = ()
    die: LargeDie = None
    lucky: LuckyOne = ""
    luck: LuckyDie = None
    named: Annotated[
        Text, Meta(title="What the summoned is called", description="For somebody summoned.", max_length=60)
    ] = ""

    @property
    def actor(self) -> str:
        """The Magician."""
        return self.magician

    @property
    def aggressor(self) -> str:
        """The Magician, if a blast was thrown."""
        return self.magician if self.blast_dice else ""
