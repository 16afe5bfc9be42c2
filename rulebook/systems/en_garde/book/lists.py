"""The shapes of army lists: profiles, options, composition; and of the calculator behind custom
warbands."""

from typing import Literal

from msgspec import Struct, field

from rulebook.book.data import BookEntry

Share = tuple[int, int]
"""A fraction: numerator and denominator."""


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """One option line of a profile.

    ``kind``: "exchange" gives up the item ``gives_up`` for one of ``items``; "add" adds up to
    ``most`` of them; "mount" puts the fighter on one of them; "attributes" gives up to ``most`` of
    ``attributes`` (of all, if that is empty, less ``excluded``) at the Attribute's own price;
    "crew" lets the fighter serve one of ``guns``. ``items`` are keys with what each costs here.
    Conditions: ``alone`` no other paid option (Ruling P16); ``if_mounted``; ``if_attribute`` the
    fighter has that Attribute; ``if_all_mounted`` every other fighter rides (Ruling P23); ``share``
    at most that part of the fighters of this profile may take it (Rulings P12, P13), or, if
    ``share_of`` names an Attribute, may take that one.
    """

    key: str
    kind: Literal["exchange", "add", "mount", "attributes", "crew"]
    items: dict[str, int] = {}
    gives_up: str = ""
    most: int = 1
    attributes: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    guns: tuple[str, ...] = ()
    share: Share | None = None
    share_of: str = ""
    alone: bool = False
    if_mounted: bool = False
    if_attribute: str = ""
    if_all_mounted: bool = False


class Profile(BookEntry, frozen=True):
    """One profile of a list, as printed; ``points`` is the printed price.

    ``choice`` is the free choice of a weapon. ``duellist_included`` and ``fast_included`` say that
    the printed numbers hold that Attribute's bonus already (Rulings P2, P3); ``waived`` names
    Attributes that are not charged for. ``leads`` may be the Leader, ``promotes`` may be promoted,
    ``fighters_per_handler`` how many of them one handler minds (0: needs none).
    """

    rank: int
    move: str
    combat_pool: int
    initiative: int
    fight: int
    shoot: int
    armour_rating: int
    points: int
    equipment: tuple[str, ...] = ()
    choice: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    unique: bool = False
    leads: bool = True
    promotes: bool = True
    fighters_per_handler: int = 0
    duellist_included: bool = False
    fast_included: bool = False
    waived: tuple[str, ...] = ()
    note: str = ""

    @property
    def listed_equipment(self) -> tuple[str, ...]:
        """Return its equipment with the first of a free choice."""
        return (*self.choice[:1], *self.equipment)


class Composition(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of a list on the warband as a whole.

    ``ranks`` are alternatives of which one must hold: "half-low" at least half are of Rank 1 or 2,
    "all-high" none is, "all-mounted" everybody rides. ``missile_weapons`` names the weapons that
    the limit counts, where the list does; ``guns`` what may be bought, ``most_guns`` how many in
    all. ``masters`` may each have one of ``servants``.
    """

    ranks: tuple[Literal["half-low", "all-high", "all-mounted"], ...] = ()
    most_rank_5: int | None = None
    missile_share: Share | None = None
    missile_weapons: tuple[str, ...] = ()
    guns: tuple[str, ...] = ()
    most_guns: int | None = None
    allies: str = ""
    allies_share: Share | None = None
    servants: str = ""
    masters: tuple[str, ...] = ()
    templates: bool = False


class Faction(BookEntry, frozen=True):
    """An army list. ``kind`` is "list", "variant", "custom" or "fantastical"; ``banner`` whether it
    may have one.

    ``morale_choices`` are the Morale Ratings it may take (only ``morale``, if empty).
    ``item_points`` are prices of this list that differ from the tables. ``fearless_while`` names
    profiles that keep everybody Fearless.
    """

    summary: str
    source: str
    morale: int
    composition: Composition
    kind: Literal["list", "variant", "custom", "fantastical"] = "list"
    variant_of: str = ""
    morale_choices: tuple[int, ...] = ()
    banner: bool = False
    item_points: dict[str, int] = {}
    fearless_while: tuple[str, ...] = ()
    profiles: tuple[Profile, ...] = ()


class BaseProfile(Struct, frozen=True, forbid_unknown_fields=True):
    """The most that a custom fighter of a Rank should have. Rule book: "Base profiles"."""

    rank: int
    combat_pool: int
    initiative: int
    fight: int
    shoot: int
    armour_rating: int
    points: int
    attributes: int
    attributes_share: Share | None = None


class MoralePrices(Struct, frozen=True, forbid_unknown_fields=True):
    """The cost of a Morale Rating for each fighter, in points. Rule book: "Warband Morale"."""

    standard: int
    least: int
    most: int
    surcharge: dict[int, int] = field(default_factory=dict)


class Template(BookEntry, frozen=True):
    """A warband type. Rule book: "Standard warbands", "Elite warbands"."""

    ranks: tuple[Literal["half-low", "all-high", "all-mounted"], ...]
    more_rank_3_than_4: bool
    most_rank_5: int


class Customisation(Struct, frozen=True, forbid_unknown_fields=True):
    """The calculator's rates, in points. Rule book: "Customisation"."""

    characteristic: int
    initiative_per_point: int
    movement_step: int
    poison: int
    attribute: int
    banner: int
    most_fighters: int
    missile_share: Share
    morale: MoralePrices
    templates: tuple[Template, ...]
