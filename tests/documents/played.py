"""Documents of campaigns that were really played (scripts/prints/hard_cases.py).

Tests compare the documents with the data. A case is played once per test run, in a transaction
that is rolled back. Its data is kept, and its documents are printed on demand. Several processes
share what one of them has made.
"""

import fcntl
import pickle
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.db import transaction

from battles.models import BattleState
from battles.rulebook_values import read_log, read_result
from campaigns.models import Campaign
from documents.content import print_jobs
from documents.content.documents import AnyContent
from documents.content.registry import read_content
from documents.languages import speaking
from documents.models import Language
from documents.printing import Printed
from documents.services.parts import print_whole
from rulebook.chronicle.facts import AnyFact
from rulebook.ruleset import BattleResult, LoggedEvent
from scripts.prints.hard_cases import CASES
from scripts.prints.press import wishes
from tests.documents.reading_pdfs import IDENTIFIER
from warbands.models import Warband
from warbands.services.chronicle import read_chronicle


@dataclass(frozen=True)
class Fought:
    """A battle with its data from the database."""

    id: str
    title: str
    fought_on: str
    warbands: tuple[str, ...]
    """The ids of the warbands, in the order of the sides."""
    result: BattleResult
    log: tuple[LoggedEvent, ...]


@dataclass(frozen=True)
class Played:
    """A played campaign: what its documents show, and the data they must agree with."""

    ruleset: str
    contents: dict[str, AnyContent]
    """The contents by the names of ``scripts.prints.press.wishes``."""
    chronicles: dict[str, list[AnyFact]]
    """The facts by the names of the warbands."""
    names: dict[str, str]
    """The names of the warbands by id."""
    battles: tuple[Fought, ...]


def play(case: str, language: str = Language.ENGLISH) -> Played:
    """Play a case in the current database, read its documents in a language, and roll it back."""
    with transaction.atomic():
        campaign = CASES[case]()
        with speaking(language):
            played = remembered(campaign)
        transaction.set_rollback(True)
    return played


def remembered(campaign: Campaign) -> Played:
    """Return the data of a campaign that tests need."""
    warbands = Warband.objects.filter(enrolments__campaign=campaign)
    battles = campaign.battles.filter(state=BattleState.CONFIRMED).order_by(
        "fought_on", "created_at"
    )
    return Played(
        campaign.ruleset,
        {
            each.name: read_content(each.kind, each.subject, each.options)
            for each in wishes(campaign)
        },
        {warband.name: read_chronicle(warband.pk) for warband in warbands},
        {str(warband.pk): warband.name for warband in warbands},
        tuple(_fought(battle) for battle in battles),
    )


def _fought(battle: Any) -> Fought:
    result = read_result(battle)
    assert result is not None
    warbands = tuple(
        str(key) for key in battle.sides.order_by("place").values_list("warband", flat=True)
    )
    return Fought(
        str(battle.pk),
        battle.title,
        battle.fought_on.isoformat(),
        warbands,
        result,
        read_log(battle),
    )


class Shelf:
    """The cases, and their documents on demand. The folder shares them between processes."""

    def __init__(self, folder: Path, database: Callable[[], AbstractContextManager[Any]]) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.database = database
        self.case = cache(self._case)
        self.printed = cache(self._printed)

    def _case(self, case: str, language: str = Language.ENGLISH) -> Played:
        def played() -> Played:
            with self.database():
                return play(case, language)

        return self._kept(f"{case}-{language}", played)

    def _printed(
        self,
        case: str,
        name: str,
        paper: str = "A4",
        *,
        apart: bool = False,
        language: str = Language.ENGLISH,
    ) -> Printed:
        """Print a document.

        ``apart`` sets it in several parts and binds them, as for large documents.
        """
        content = self.case(case, language).contents[name]
        most = 0 if apart else print_jobs.IN_ONE_GO

        def printed() -> Printed:
            with patch.object(print_jobs, "IN_ONE_GO", most), speaking(language):
                return print_whole(content, paper=paper, identifier=IDENTIFIER)

        return self._kept(f"{case}-{name}-{paper}-{apart}-{language}", printed)

    def _kept(self, name: str, make: Callable[[], Any]) -> Any:
        file = self.folder / f"{name}.pickle"
        with _alone(self.folder / f"{name}.lock"):
            if not file.exists():
                file.write_bytes(pickle.dumps(make()))
            return pickle.loads(file.read_bytes())


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
