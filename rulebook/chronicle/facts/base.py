"""What every kind of fact answers: what it does to a warband, whom it is about, and how it is
worded."""

from typing import ClassVar

from msgspec import Struct

from rulebook.chronicle.state_draft import StateDraft
from rulebook.chronicle.states import WarbandState
from rulebook.chronicle.wording import Wording
from rulebook.ruleset import Deed

VERSION = 1


class Death(Struct, frozen=True):
    """Somebody who dies by a fact: the fighter's id, its wounds (None: it did not fall in battle),
    and by whom as the log says it."""

    fighter: str
    wounds: str | None = None
    killed_by: str = ""


class Fact(Struct, frozen=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True):
    """What every fact has and answers. A new kind is a subclass with a tag of its own that
    ``AnyFact`` names: its fields, ``label``, ``apply``, ``phrase``, and what it answers in another
    way than this class."""

    label: ClassVar[str] = ""
    """What its kind is called where a log is filtered, marked and not translated."""
    concerns_everybody: ClassVar[bool] = False
    """Whether it concerns every fighter of the warband, as the terms do on which all serve."""
    correctable: ClassVar[bool] = True
    """Whether a correction can replace it or strike it out."""
    undoable: ClassVar[bool] = False
    """Whether the correction of an earlier fact that makes it impossible can strike it out as well.
    Another battle is corrected itself, or stands."""

    version: int = VERSION

    def apply(self, draft: StateDraft) -> None:
        """Change the state of the warband, write the lines of the ledger, and note what cannot be
        true."""
        raise NotImplementedError

    def phrase(self, wording: Wording) -> str:
        """Return what the warband did, or what was done to it, without a full stop: "won The Old
        Mill, 5 to 2"."""
        raise NotImplementedError

    def rules_key(self, state: WarbandState) -> tuple[str, str]:
        """Return the rule system and the edition by which it is applied to a warband in this
        state."""
        return state.ruleset, state.edition

    def campaign_name_after(self, before: str) -> str:
        """The name of the campaign in which the warband serves from here on, "" for none;
        ``before`` is that until now."""
        return before

    @property
    def effective(self) -> "Fact | None":
        """Return the fact itself.

        For a correction: the fact that replaces another one, None if it voids that.
        """
        return self

    @property
    def battle(self) -> str:
        """Return the id of the battle that it is about, "" if it is about none."""
        return ""

    @property
    def campaign(self) -> str:
        """Return the id of the campaign that it is about, "" if it is about none."""
        return ""

    @property
    def subject(self) -> str:
        """Return the id of the battle or campaign that it is about, "" if it is about neither."""
        return self.battle or self.campaign

    @property
    def fighters(self) -> tuple[str, ...]:
        """Return the ids of the fighters that its phrase speaks of, the chief one first."""
        return ()

    @property
    def fighter_names(self) -> dict[str, str]:
        """Return the names that it gives to fighters, by their ids."""
        return {}

    @property
    def fought_on(self) -> str:
        """Return the day of the battle that it is about, "" if it is about none."""
        return ""

    @property
    def against(self) -> tuple[str, ...]:
        """Return the names of the other sides of the battle that it is about."""
        return ()

    @property
    def promoted(self) -> tuple[str, ...]:
        """Return the ids of those who rise in rank by it."""
        return ()

    @property
    def deaths(self) -> tuple[Death, ...]:
        """Return those who die by it."""
        return ()

    @property
    def kills(self) -> tuple[Deed, ...]:
        """Return the deeds in it by which somebody was killed."""
        return ()


class CampaignFact(Fact, frozen=True):
    """A fact about a campaign of the warband, by its id."""

    campaign: str = ""


class FighterFact(Fact, frozen=True):
    """A fact about one fighter, by its id."""

    fighter: str = ""

    @property
    def fighters(self) -> tuple[str, ...]:
        return (self.fighter,) if self.fighter else ()
