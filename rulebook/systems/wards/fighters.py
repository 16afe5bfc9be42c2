"""Units and Generals as play sees them: quality, frontage, what saves them, which are the better
ones.

Sheet: "Generals", "Saves", "Better units". Rulings W-S1, W-S3, W-F1, W-U2.
"""

from msgspec import Struct

from rulebook.systems.wards.book import book, figures

GUNS = ("heavy-gun", "light-gun")
FOOT = ("foot", "hand-gunners")
GENERAL = ("general",)
WITHOUT_BASES = (*GENERAL, *GUNS)
GUNNERS = ("hand-gunners",)


class Fighter(Struct, frozen=True):
    """One row of an army: the canonical form of a build.

    ``bases`` are whole ones, ``half`` is one half more. ``ward`` names the Ward and ``place``
    its position in it. ``attributes``, ``others`` (in his player's words) and ``unreliable``
    describe a General.
    """

    arm: str = "foot"
    quality: str = "retinue"
    bases: int = 4
    half: bool = False
    ward: str = ""
    place: str = "front"
    attributes: tuple[str, ...] = ()
    others: str = ""
    unreliable: bool = False

    @property
    def general(self) -> bool:
        """Return whether it is a General."""
        return self.arm == "general"

    @property
    def gun(self) -> bool:
        """Return whether it is a gun, heavy or light."""
        return self.arm in GUNS

    @property
    def without_bases(self) -> bool:
        """Return whether it is a General or a gun, which stand on no bases."""
        return self.arm in WITHOUT_BASES

    @property
    def halves(self) -> int:
        """Return its bases at full strength, counted in halves; a General and a gun have none."""
        return 0 if self.without_bases else 2 * self.bases + self.half


class Standing(Struct, frozen=True):
    """A unit in a battle: ``halves`` left, whether a General is with it and whether it
    wins its fights."""

    fighter: Fighter
    halves: int
    general: bool = False
    winning: bool = False

    @property
    def quality(self) -> str:
        """Return its quality, a step better with a General; Household stays Household. Ruling
        W-S3."""
        steps = list(book().quality)
        return steps[min(steps.index(self.fighter.quality) + self.general, len(steps) - 1)]

    @property
    def frontage(self) -> float:
        """Bases abreast: those it has, and one more with a General. Ruling W-U2."""
        return self.halves / 2 + self.general

    @property
    def whole(self) -> int:
        """Return its bases, half a base counted as one that is begun. Ruling W-H4."""
        return -(-self.halves // 2)

    @property
    def save(self) -> int:
        """Return the lowest die that saves one of its casualties. Sheet: "Saves"."""
        return book().arm[self.fighter.arm].save or book().quality[self.quality].save

    @property
    def better(self) -> bool:
        """Return whether it is one of the better units: winning, broad, or Household. Sheet:
        "Better units"."""
        broad = self.frontage >= figures("better")["frontage"]
        return not self.fighter.gun and (self.winning or broad or self.quality == "household")


def general_save(*, risked: bool) -> int:
    """Return the lowest die that saves a General who is hit. Ruling W-S1."""
    general = book().arm["general"]
    return general.risked if risked else general.save


def bases_in_words(halves: int) -> str:
    """Half bases as people count them: "3½", "½", "0"."""
    if halves == 0:
        return "0"
    whole = str(halves // 2 or "")
    return f"{whole}½" if halves % 2 else whole
