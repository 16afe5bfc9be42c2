"""The base classes of the kinds of cards.

A subclass says which rows need an action of a member, and what their cards show. It is registered
when it is defined.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from enum import IntEnum
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Exists, Model, OuterRef, QuerySet
from msgspec import Struct
from msgspec.structs import replace

from campaigns.models import CampaignState
from home.models import Dismissal

AnyRow = TypeVar("AnyRow", bound=Model)
MOST = 50
"""The number of cards of a kind that are read at most. The count includes all."""
GOING = (CampaignState.PLANNED, CampaignState.RUNNING)


class Urgency(IntEnum):
    """The groups of cards on the home page, most urgent first."""

    DISPUTE = 1
    RESULT = 2
    BATTLE = 3
    THIS_WEEK = 4
    """A card with a deadline in the next days, whatever its kind."""
    CLUB_NIGHT = 5
    REST = 6


class Card(Struct, frozen=True):
    """A task of a member: its title, what to do, and the button that opens it.

    ``kind`` and ``subject`` identify it, and ``occasion`` distinguishes repeated cards of the same
    subject. ``url`` is the path of a page of this site. ``others_wait`` says whether other people
    cannot continue before, and ``dismissible`` whether the card can be dismissed permanently.
    ``deadline`` is the last day for the task, and ``since`` the time from which it exists, if
    known.
    """

    kind: str
    subject: UUID
    title: str
    sentence: str
    button: str
    url: str
    occasion: str = ""
    others_wait: bool = False
    dismissible: bool = False
    deadline: date | None = None
    since: datetime | None = None


class Task(Protocol):
    """The fields that a card and a task of a club member have in common."""

    @property
    def kind(self) -> str:
        """The kind of card."""

    @property
    def deadline(self) -> date | None:
        """The last day for it, if there is one."""


class CardKind(ABC):
    """A kind of card. A subclass with a ``kind`` is added to ``KINDS`` when it is defined."""

    kind: ClassVar[str]
    """Its name in the API, in notices and in dismissals."""
    urgency: ClassVar[Urgency] = Urgency.REST
    """The group of its cards, unless their deadline makes them more urgent."""
    club_path: ClassVar[str] = ""
    """The lookup from its rows to a club whose organisers see who has its cards; "" for none."""
    folds: ClassVar[bool] = False
    """True if several later cards are shown as one, under ``folded_title``."""
    next_alone: ClassVar[bool] = False
    """True if the next of its cards is always shown alone."""
    own_action: ClassVar[bool] = False
    """True if it follows from the member's own actions.

    These cards alone cause no letter at once.
    """
    always_at_once: ClassVar[bool] = False
    """True if members who chose digests get it at once as well, because a digest may be too late.
    """
    dismissed_by: ClassVar[str] = ""
    """The column with the ``subject`` of its cards, if a member can dismiss them; else ""."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" in cls.__dict__:
            KINDS[cls.kind] = cls()

    def folded_title(self, tasks: Sequence[Task]) -> str:
        """Return the title under which several of its cards are shown as one."""
        return ""


KINDS: dict[str, CardKind] = {}
"""Every kind of card by its name.

``home.selectors.waiting`` imports the modules that define them.
"""


class ComputedCards(CardKind):
    """A kind whose cards the database cannot find."""

    needs: ClassVar[type[Model]]
    """The model without whose rows a member has none of these cards."""

    @abstractmethod
    def number(self, user: User, today: date) -> int:
        """Return how many cards there are for a member."""

    @abstractmethod
    def read(self, user: User, today: date) -> Iterable[Card]:
        """Return the cards of a member, ``MOST`` at most, by a fixed number of queries."""


class CardOfRows(CardKind, Generic[AnyRow]):
    """A kind whose cards are database rows. One query finds the rows of all these kinds."""

    @cached_property
    def model(self) -> type[AnyRow]:
        """The model of its rows."""
        return self.rows(User(pk=-1), date.min).model

    @abstractmethod
    def rows(self, user: User, today: date) -> QuerySet[AnyRow]:
        """Return the rows for a member, including dismissed ones.

        The SQL is cached for the day and reused for other members (``waiting.rows_waiting``).
        It may depend on the day in any way, but may only compare the id of the member.
        """

    @abstractmethod
    def cards(self, rows: QuerySet[AnyRow], user: User) -> Iterator[Card]:
        """Return the cards of these rows."""

    def annotated(self, rows: QuerySet[AnyRow]) -> QuerySet[AnyRow]:
        """Return rows with the columns that ``cards`` needs, if they need any.

        ``cards`` reads them by their ids alone, without the annotations of ``rows``.
        """
        return rows

    def waiting(self, user: User, today: date) -> QuerySet[AnyRow]:
        """Return the rows without those that the member has dismissed."""
        rows = self.rows(user, today)
        if not self.dismissed_by:
            return rows
        subject = OuterRef(self.dismissed_by)
        return rows.filter(
            ~Exists(Dismissal.objects.filter(user=user.pk, kind=self.kind, subject=subject))
        )

    def can_dismiss(self, user: User, subject: UUID, today: date) -> bool:
        """Return whether the member has such a card and can dismiss it."""
        column = self.dismissed_by
        return bool(column) and self.waiting(user, today).filter(**{column: subject}).exists()

    def cards_of(self, ids: Iterable[Any], user: User) -> Iterator[Card]:
        """Return the cards of the rows with these ids, ``MOST`` at most.

        ``waiting`` has found the ids. Its conditions are not checked again.
        """
        rows = self.annotated(self.model._default_manager.filter(pk__in=ids))
        for card in self.cards(rows, user):
            yield replace(card, dismissible=bool(self.dismissed_by))


def moment_text(moment: datetime | None) -> str:
    """Return the ``occasion`` of a card that appears again when its time changes."""
    return moment.isoformat() if moment else ""
