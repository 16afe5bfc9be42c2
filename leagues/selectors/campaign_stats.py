"""Statistics of a campaign's fighters, read once from its battles' results."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any
from uuid import UUID

from msgspec import Struct

from battles.selectors.results import BattleWithResult
from drawings.bars import BarMark
from rulebook.chronicle.states import FighterState
from rulebook.ruleset import Fate, Record, Ruleset


class Appearance(Struct, frozen=True):
    """A fighter in a battle: its mark, the experience earned, the number of opponents killed."""

    battle: UUID
    mark: BarMark
    earned: int = 0
    felled: int = 0


class Kill(Struct, frozen=True):
    """A victim, its killer (ids of fighters) and the battle."""

    battle: UUID
    killer: str
    victim: str


class Annals(Struct, frozen=True):
    """Each warband's battles in order, every fighter's appearances, and the encounters of fighters.

    Every deed against a fighter counts, whatever its effect and on whichever side. Battle reports
    count only harm to another side, so they read a result themselves
    (``documents.content.highlights``). ``encounters`` counts the deeds of a fighter against each
    victim. Friendly battles do not count.
    """

    fought: Mapping[UUID, tuple[UUID, ...]]
    stints: Mapping[str, tuple[Appearance, ...]]
    slayings: tuple[Kill, ...]
    encounters: Mapping[tuple[str, str], int]

    def strip(self, fighter: str, warband: UUID) -> tuple[BarMark, ...]:
        """Return a fighter's marks for its warband's battles, from its first to its last.

        The mark is "away" for a battle without the fighter.
        """
        marks = {stint.battle: stint.mark for stint in self.stints.get(fighter, ())}
        marks_in_order: list[BarMark] = [
            marks.get(battle, "away") for battle in self.fought.get(warband, ())
        ]
        present = [place for place, each in enumerate(marks_in_order) if each != "away"]
        return tuple(marks_in_order[present[0] : present[-1] + 1]) if present else ()

    def died_in(self, fighter: str) -> UUID | None:
        """Return the battle in which a fighter was killed, or None."""
        return next(
            (
                stint.battle
                for stint in reversed(self.stints.get(fighter, ()))
                if stint.mark == "dead"
            ),
            None,
        )

    def experience(self, fighter: str) -> tuple[int, ...]:
        """Return a fighter's total experience after each of its battles, starting with 0."""
        return tuple(
            accumulate((stint.earned for stint in self.stints.get(fighter, ())), initial=0)
        )


def campaign_stats(battles: Iterable[BattleWithResult], *, earnings: bool = True) -> Annals:
    """Return the statistics of battles, given in order of play. No queries.

    Without ``earnings`` the experience of every appearance is 0.
    """
    fought: dict[UUID, list[UUID]] = {}
    stints: dict[str, list[Appearance]] = {}
    slayings: list[Kill] = []
    encounters: Counter[tuple[str, str]] = Counter()
    for played in (each for each in battles if not each.battle.friendly):
        for side in played.sides:
            fought.setdefault(side.warband_id, []).append(played.battle.pk)
        for fighter, stint in _stints(played, earnings):
            stints.setdefault(fighter, []).append(stint)
        slayings += _slayings(played)
        deeds = (deed for side in played.result.sides for deed in side.deeds if deed.victim)
        encounters.update(
            (deed.fighter, deed.victim or "") for deed in deeds if deed.fighter != deed.victim
        )
    return Annals(
        fought={warband: tuple(of_it) for warband, of_it in fought.items()},
        stints={fighter: tuple(of_it) for fighter, of_it in stints.items()},
        slayings=tuple(slayings),
        encounters=encounters,
    )


def mark(rules: Ruleset, record: Record) -> BarMark:
    """Return the mark for a fighter at the end of a battle: the worst that applies."""
    if record.fate is Fate.DEAD:
        return "dead"
    if record.captured or record.routed or record.fate is Fate.CAPTURED:
        return "gone"
    if record.fate is Fate.RECOVERING:
        return "out"
    return "hurt" if record.losses or rules.wound_phrase(record.wounds) else "well"


def _stints(played: BattleWithResult, earnings: bool) -> Iterator[tuple[str, Appearance]]:
    rules, settings, battle = played.rules, played.battle.house_rules, played.battle.pk
    for side in played.result.sides:
        felled = Counter(deed.fighter for deed in side.deeds if deed.killed)
        earned: Counter[str] = Counter()
        for award in (
            rules.progression.awards(side.records, side.deeds, settings) if earnings else ()
        ):
            earned[award.fighter] += max(award.amount, 0)
        for record in played.records(side):
            of_it = Appearance(
                battle, mark(rules, record), earned[record.fighter], felled[record.fighter]
            )
            yield record.fighter, of_it


def _slayings(played: BattleWithResult) -> Iterator[Kill]:
    """Yield each victim with its last attacker: nobody is killed twice in a battle."""
    deeds = [
        deed for side in played.result.sides for deed in side.deeds if deed.killed and deed.victim
    ]
    for victim, killer in {deed.victim: deed.fighter for deed in deeds if deed.victim}.items():
        yield Kill(played.battle.pk, killer, victim)


def veterans_order(rules: Ruleset, fighter: FighterState) -> tuple[Any, ...]:
    """Return a sort key for veterans: experience earned, then rank, tallies and name.

    The last tally of the rules weighs most.
    """
    done = (-fighter.tallies.get(tally.key, 0) for tally in reversed(rules.tallies))
    return (-fighter.earned, -fighter.rank, *done, fighter.name)
