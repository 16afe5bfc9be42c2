"""What a kind of card is: a class says what waits, and how its cards read. Its definition is all
that it takes."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import ClassVar, Generic, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Exists, Model, OuterRef, QuerySet
from msgspec import Struct
from msgspec.structs import replace

from battles.models import BattleState
from campaigns.models import CampaignState
from home.models import Dismissal

AnyRow = TypeVar("AnyRow", bound=Model)
MOST = 50
"""So many cards of a kind are read at most; the number counts all."""
OPEN = (BattleState.PLANNED, BattleState.UNDER_WAY, BattleState.SUBMITTED, BattleState.DISPUTED)
GOING = (CampaignState.PLANNED, CampaignState.RUNNING)


class Card(Struct, frozen=True):
    """Something that waits: what of, what is to be done, and the button that opens it.

    ``kind`` and ``subject`` name it, and ``occasion`` tells apart how often it came to wait.
    ``url`` is the path of a page of this site. ``others_wait`` says whether somebody cannot go on
    before; ``dismissible`` whether it can be sent away for good. ``deadline`` is the last day for
    it, ``since`` when it came to wait, where anybody notes that.
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

    @property
    def pressing(self) -> bool:
        """Whether it stands with those that cannot wait for a free evening."""
        return self.others_wait or self.deadline is not None


class CardKind(ABC):
    """A kind of card. A subclass with a ``kind`` is one of ``KINDS`` as soon as it is defined."""

    kind: ClassVar[str]
    """Its name in the API, and in what was told and dismissed."""
    own_action: ClassVar[bool] = False
    """Whether it follows from what a member does: no letter is written at once for one of these
    alone."""
    dismissed_by: ClassVar[str] = ""
    """The column that is the ``subject`` of its cards, if a member can send them away for good;
    else ""."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" in cls.__dict__:
            KINDS[cls.kind] = cls()

    @abstractmethod
    def number(self, user: User, today: date) -> int:
        """Return how many cards there are for a member."""

    @abstractmethod
    def read(self, user: User, today: date) -> Iterable[Card]:
        """Return the cards of a member, ``MOST`` at most, by a fixed number of queries."""


KINDS: dict[str, CardKind] = {}
"""Every kind of card by its name. ``home.selectors.waiting`` imports the modules that define
them."""


class CardOfRows(CardKind, Generic[AnyRow]):
    """A kind whose cards are rows of the database, which counts them together with all others in
    one query."""

    @abstractmethod
    def rows(self, user: User, today: date) -> QuerySet[AnyRow]:
        """Return what waits for a member, also what was dismissed.

        The SQL is kept for the day, with another member in it (``waiting.numbers_waiting``): it may
        depend on the day in any way, but of the member it may only compare the id.
        """

    @abstractmethod
    def cards(self, rows: QuerySet[AnyRow], user: User) -> Iterator[Card]:
        """Return the cards of these rows."""

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
        """Return whether there is such a card for a member, and it may be sent away for good."""
        column = self.dismissed_by
        return bool(column) and self.waiting(user, today).filter(**{column: subject}).exists()

    def number(self, user: User, today: date) -> int:
        return self.waiting(user, today).count()

    def read(self, user: User, today: date) -> Iterator[Card]:
        for card in self.cards(self.waiting(user, today), user):
            yield replace(card, dismissible=bool(self.dismissed_by))


def moment_text(moment: datetime | None) -> str:
    """Return the ``occasion`` of a card that comes to wait again at another moment."""
    return moment.isoformat() if moment else ""
