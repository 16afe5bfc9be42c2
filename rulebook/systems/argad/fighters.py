"""A character as play sees him: class, clothing, mount, arms; what they amount to at the table."""

from msgspec import Struct

from rulebook.systems.argad.book import NO_FIREARM, book


class Fighter(Struct, frozen=True, rename={"class_": "class"}):
    """What one character is and carries: the canonical form of a build.

    ``length`` overrides the suggested length of his weapon, "" keeps it (Ruling A-M1). ``trained`` is at receiving
    cavalry with a pole weapon; ``group`` names those he stands with, ``role`` says who he is.
    """

    class_: int = 3
    clothing: str = "light"
    mount: str = "foot"
    firearm: str = NO_FIREARM
    weapon: str = "sword"
    length: str = ""
    trained: bool = False
    close_order: bool = False
    group: str = ""
    role: str = ""

    @property
    def armour(self) -> int:
        """0, 4 or 5; half-armour 4* is a 4. Rulings A-V1, A-M9."""
        return book().clothing[self.clothing].armour

    @property
    def on_foot(self) -> bool:
        """Is he on his own two feet?"""
        return self.mount == "foot"
