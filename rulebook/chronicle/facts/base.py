"""The base of all kinds of facts: the effect on a warband, the fighters concerned, the wording."""

from typing import ClassVar

from msgspec import Struct

from rulebook.chronicle.state_draft import StateDraft
from rulebook.chronicle.states import WarbandState
from rulebook.chronicle.wording import Wording
from rulebook.ruleset import Deed

VERSION = 1


class Death(Struct, frozen=True):
    """The death of a fighter, by the fighter's id.

    ``wounds`` is None if it did not die in battle. ``killed_by`` is the killer as in the log.
    """

    fighter: str
    wounds: str | None = None
    killed_by: str = ""


class Fact(Struct, frozen=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True):
    """The base of all facts.

    A new kind is a subclass with its own tag, listed in ``AnyFact``. It has fields, ``label``,
    ``apply`` and ``phrase``, and overrides what differs from this class.
    """

    label: ClassVar[str] = ""
    """The name of the kind in filters of a log, marked for translation but not translated."""
    concerns_everybody: ClassVar[bool] = False
    """True if it concerns every fighter of the warband, as changed campaign terms do."""
    correctable: ClassVar[bool] = True
    """True if a correction can replace or void it."""
    undoable: ClassVar[bool] = False
    """True if a correction of an earlier fact can void it too, if that makes it impossible. Battles
    cannot be voided this way: they are corrected themselves or stay in force."""

    version: int = VERSION

    def apply(self, draft: StateDraft) -> None:
        """Change the state of the warband, write ledger lines, and record conflicts."""
        raise NotImplementedError

    def phrase(self, wording: Wording) -> str:
        """Return what the warband did, or what happened to it, without a full stop.

        Example: "won The Old Mill, 5 to 2".
        """
        raise NotImplementedError

    def rules_key(self, state: WarbandState) -> tuple[str, str]:
        """Return the rule system and edition that apply this fact to a warband in this state."""
        return state.ruleset, state.edition

    def campaign_name_after(self, before: str) -> str:
        """Return the name of the warband's campaign after this fact, "" for none.

        ``before`` is the name until now.
        """
        return before

    @property
    def effective(self) -> "Fact | None":
        """Return the fact itself.

        A correction returns the fact that replaces another one, or None if it voids that fact.
        """
        return self

    @property
    def battle(self) -> str:
        """Return the id of the fact's battle, or ""."""
        return ""

    @property
    def campaign(self) -> str:
        """Return the id of the fact's campaign, or ""."""
        return ""

    @property
    def subject(self) -> str:
        """Return the id of the fact's battle or campaign, or ""."""
        return self.battle or self.campaign

    @property
    def fighters(self) -> tuple[str, ...]:
        """Return the ids of the fighters in its phrase, the main one first."""
        return ()

    @property
    def fighter_names(self) -> dict[str, str]:
        """Return the names that the fact gives to fighters, by their ids."""
        return {}

    @property
    def fought_on(self) -> str:
        """Return the day of the fact's battle, or ""."""
        return ""

    @property
    def against(self) -> tuple[str, ...]:
        """Return the names of the other sides of the fact's battle."""
        return ()

    @property
    def promoted(self) -> tuple[str, ...]:
        """Return the ids of the fighters who rank up in this fact."""
        return ()

    @property
    def deaths(self) -> tuple[Death, ...]:
        """Return the deaths in this fact."""
        return ()

    @property
    def kills(self) -> tuple[Deed, ...]:
        """Return the deeds in this fact that killed a fighter."""
        return ()


class CampaignFact(Fact, frozen=True):
    """A fact about a campaign of the warband, by the campaign's id."""

    campaign: str = ""


class FighterFact(Fact, frozen=True):
    """A fact about one fighter, by the fighter's id."""

    fighter: str = ""

    @property
    def fighters(self) -> tuple[str, ...]:
        return (self.fighter,) if self.fighter else ()
