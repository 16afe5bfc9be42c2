"""How recruits are told apart: their ids and their names."""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol
from uuid import UUID, uuid4, uuid5

from rulebook.chronicle.states import WarbandState


class Wanted(Protocol):
    """What is asked for: so many fighters under an id of the client's."""

    @property
    def count(self) -> int: ...

    @property
    def client_id(self) -> UUID | None: ...


def fighter_ids(warband_id: UUID, wanted: Iterable[Wanted]) -> list[UUID]:
    """An id for each new fighter. Those that a client has named follow from its id, and from the warband: the same
    request gives the same fighters, and nobody can name somebody else's."""
    return [_fighter_id(warband_id, one.client_id, number) for one in wanted for number in range(one.count)]


def _fighter_id(warband_id: UUID, client_id: UUID | None, number: int) -> UUID:
    return uuid4() if client_id is None else uuid5(warband_id, f"{client_id}/{number}")


def fighter_names(state: WarbandState, wanted: Sequence[tuple[str, bool]], counts: Sequence[int]) -> list[str]:
    """A name for each new fighter. ``wanted`` says for each group its name, and whether it is taken as it is;
    otherwise a number follows it, the next one that is free on the roster."""
    taken = [fighter.name for fighter in state.fighters.values()]
    names: list[str] = []
    for (name, alone), count in zip(wanted, counts, strict=True):
        names += [name] if alone else _numbered(name, count, [*taken, *names])
    return names


def _numbered(name: str, count: int, taken: Iterable[str]) -> list[str]:
    found = (re.fullmatch(re.escape(name) + r" (\d{1,6})", each) for each in taken)
    last = max((int(number[1]) for number in found if number), default=0)
    return [f"{name[:90]} {number}" for number in range(last + 1, last + count + 1)]
