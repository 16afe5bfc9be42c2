"""The players of a campaign, the graph of their meetings, and the index of persons."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from unicodedata import combining, normalize

from battles.selectors.results import BattleWithResult
from battles.selectors.standings import Standings
from campaigns.models import JournalEntry
from documents.content.documents import EncounterEntry, IndexEntry, PlayerEntry
from documents.content.memorial import HonourLists
from documents.content.structs import BattleNarrative, Person
from rulebook.ruleset import Fate, Outcome
from warbands.models import Warband
from warbands.rulebook_values import faction_name


def players_page(
    table: Standings,
    warbands: Sequence[Warband],
    rolls: HonourLists,
    journal: Iterable[JournalEntry],
) -> tuple[PlayerEntry, ...]:
    """Return the players with their warbands, in the order of the table. No queries."""
    written = Counter(entry.author_id for entry in journal)
    rows = {row.warband: row for row in table.rows}
    entries = []
    for warband in warbands:
        row, player = rows[warband.pk], rolls.players[warband.pk]
        entries.append(
            PlayerEntry(
                name=row.player_name,
                warband=warband.name,
                at=f"warband-{warband.pk}",
                colour=player.colour,
                faction=faction_name(warband),
                arms=str(warband.pk),
                crest=rolls.pictures.of(warband.pk),
                position=row.position if row.played else 0,
                won=row.won,
                drawn=row.drawn,
                lost=row.lost,
                written=written[row.player],
            )
        )
    return tuple(entries)


def encounters_of(
    table: Standings, fought: Sequence[BattleWithResult], tales: Sequence[BattleNarrative]
) -> tuple[EncounterEntry, ...]:
    """Return each battle with the places of its warbands in the table, in order of play."""
    places = {row.warband: place for place, row in enumerate(table.rows)}
    met = []
    for of, tale in zip(fought, tales, strict=True):
        won = {each.side for each in of.result.sides if each.outcome is Outcome.WON}
        present = [side for side in of.sides if side.warband_id in places]
        met.append(
            EncounterEntry(
                number=tale.number,
                day=tale.fought_on,
                rows=tuple(sorted(places[side.warband_id] for side in present)),
                won=tuple(sorted(places[side.warband_id] for side in present if side.key in won)),
            )
        )
    return tuple(met)


def index_of_persons(
    rolls: HonourLists, battles: Mapping[str, tuple[BattleWithResult, BattleNarrative]]
) -> tuple[IndexEntry, ...]:
    """Return everybody who fought in the campaign or has an entry in the book, by name.

    Those who died or left elsewhere have none.
    """
    entries = []
    for key, of in rolls.people.items():
        stints = rolls.annals.stints.get(key, ())
        elsewhere = of.fighter.fate is Fate.RETIRED or (of.fighter.gone and of.fighter.battles)
        if not stints and (key not in rolls.places or elsewhere):
            continue
        tales = [battles[str(stint.battle)][1] for stint in stints]
        entries.append(
            IndexEntry(
                name=of.fighter.name,
                at=rolls.place(key),
                note=of.warband.name,
                battles=tuple(Person(str(tale.number), f"battle-{tale.id}") for tale in tales),
            )
        )
    return tuple(sorted(entries, key=lambda entry: (sort_key(entry.name), entry.note)))


def sort_key(name: str) -> str:
    """Return a name without accents and capitals, by which an index is sorted."""
    plain = normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if not combining(letter))
