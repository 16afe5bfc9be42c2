"""The ticker of a campaign: recent deaths, rank-ups and journal entries."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from uuid import UUID

from django.utils import timezone
from django.utils.text import Truncator
from msgspec import Struct
from msgspec.structs import replace

from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, JournalEntry
from campaigns.selectors.log import log_entries
from core.compiled_queries import CompiledQuery
from core.history import join_lines
from core.ruleset_words import end_label
from rulebook.chronicle.facts import Death, Fact, Fought, decode
from rulebook.ruleset import Fate, Ruleset
from warbands.models import ChronicleEntry, Fighter

KINDS = ("fought", "ranked-up", "adjusted", "corrected")
READ, SHOWN, NAMED = 40, 8, 3
WRITTEN, LONGEST = 2, 30
"""The limits of the ticker.

These are chronicle entries to read, lines, and names in each line; then journal entries, and words
of each.
"""


class TickerPerson(Struct, frozen=True):
    """A fighter in the ticker. For the dead also how they fell and, if known, who killed them."""

    id: UUID
    name: str
    how: str = ""
    by: str = ""


class TickerLine(Struct, frozen=True):
    """A line of the ticker about fighters of one warband: ``kind`` is "death" or "rank-up".

    Deaths in battle name the battle. A line of the kind "journal" has a text and its author
    instead.
    """

    kind: str
    at: datetime
    day: date
    warband: UUID | None = None
    warband_name: str = ""
    people: tuple[TickerPerson, ...] = ()
    battle: UUID | None = None
    battle_name: str = ""
    text: str = ""
    author_name: str = ""
    entry: UUID | None = None
    battles_since: int = 0
    """The number of the warband's battles after it: rank-ups on both sides of one stay apart."""

    @property
    def named(self) -> tuple[TickerPerson, ...]:
        """The fighters that the line names: the first few."""
        return self.people[: NAMED + (len(self.people) == NAMED + 1)]

    @property
    def others(self) -> int:
        """The number of fighters that the line does not name."""
        return len(self.people) - len(self.named)


def casualty_feed(campaign: Campaign) -> tuple[TickerLine, ...]:
    """Return deaths, rank-ups and journal entries, newest first. Three queries.

    Leaves out fighters that a correction has brought back. A line that a correction repeats keeps
    the place of its first entry.
    """
    facts = _fact_lines(campaign, FACTS.rows(campaign.pk))
    lines = [*facts, *_journal_lines(JOURNAL.rows(campaign.pk))]
    return tuple(sorted(lines, key=lambda line: (line.day, line.at), reverse=True)[:SHOWN])


FACTS: CompiledQuery[ChronicleEntry] = CompiledQuery(
    lambda key, _: log_entries(key).filter(kind__in=KINDS)[:READ]
)
JOURNAL: CompiledQuery[JournalEntry] = CompiledQuery(
    lambda key, _: (
        JournalEntry.objects.filter(campaign=key, removed_at__isnull=True)
        .select_related("author")
        .order_by("-written_at")[:WRITTEN]
    )
)


def _fact_lines(campaign: Campaign, entries: Iterable[ChronicleEntry]) -> tuple[TickerLine, ...]:
    """Return deaths and rank-ups; rank-ups of a warband on a day share a line. One query.

    Unlike the log, this does not load the names of fighters that it does not show.
    """
    # Corrections come last: a fighter who died has a line already, which is dated by its first
    # entry.
    in_order = sorted(entries, key=lambda entry: entry.kind == "corrected")
    facts = [
        (entry, fact) for entry in in_order if (fact := decode(entry.payload).effective) is not None
    ]
    people = _people(fact for _, fact in facts)
    killers = {deed.victim: deed.fighter for _, fact in facts for deed in fact.kills if deed.victim}
    lines = _lines(ruleset_of_campaign(campaign), facts, people, killers)
    return join_lines(
        lines,
        lambda line: (
            (line.warband, line.day, line.battles_since) if line.kind == "rank-up" else None
        ),
        lambda first, later: replace(first, people=(*first.people, *later.people)),
    )


def _journal_lines(entries: Iterable[JournalEntry]) -> Iterator[TickerLine]:
    for entry in entries:
        text, name = Truncator(entry.text).words(LONGEST), entry.author.name
        yield TickerLine(
            "journal", entry.written_at, entry.on, text=text, author_name=name, entry=entry.pk
        )


def _people(facts: Iterable[Fact]) -> Mapping[str, Fighter]:
    """Return all fighters that the facts can name, in their present state. One query."""
    ids: set[str] = set()
    for fact in facts:
        ids.update(fact.promoted)
        ids.update(death.fighter for death in fact.deaths)
        ids.update(deed.fighter for deed in fact.kills)
    fighters = Fighter.objects.filter(pk__in=ids).only("pk", "name", "fate")
    return {str(fighter.pk): fighter for fighter in fighters}


def _lines(
    rules: Ruleset,
    facts: Sequence[tuple[ChronicleEntry, Fact]],
    people: Mapping[str, Fighter],
    killers: Mapping[str, str],
) -> Iterator[TickerLine]:
    mourned: set[str] = set()
    days, battles_since = _days(facts), _battles_since(facts)
    for entry, fact in facts:
        line = TickerLine(
            "death",
            entry.recorded_at,
            days[entry.pk],
            entry.warband_id,
            entry.warband.name,
            battles_since=battles_since[entry.pk],
        )
        risen = [people[key] for key in fact.promoted if key in people]
        if risen:
            yield replace(
                line,
                kind="rank-up",
                people=tuple(TickerPerson(each.pk, each.name) for each in risen),
            )
        deaths = [
            each for each in fact.deaths if each.fighter in people and each.fighter not in mourned
        ]
        fallen = tuple(
            _fallen(rules, death, people[death.fighter], people.get(killers.get(death.fighter, "")))
            for death in deaths
            if people[death.fighter].fate == Fate.DEAD
        )
        mourned.update(death.fighter for death in deaths)
        if fallen and isinstance(fact, Fought):
            yield replace(line, people=fallen, battle=UUID(fact.battle), battle_name=fact.title)
        elif fallen:
            yield replace(line, people=fallen)


def _days(facts: Sequence[tuple[ChronicleEntry, Fact]]) -> Mapping[int, date]:
    """Return the day of each entry, as in the campaign's log (``campaigns.selectors.log``).

    A battle has the day of play. Anything else has the day on which it was recorded, but not one
    after the warband's next battle or before its last one.
    """
    in_order = sorted(facts, key=lambda each: each[0].pk)
    played = {
        entry.pk: date.fromisoformat(fact.fought_on)
        for entry, fact in facts
        if isinstance(fact, Fought) and fact.fought_on
    }
    days = {
        entry.pk: played.get(entry.pk, timezone.localtime(entry.recorded_at).date())
        for entry, _ in facts
    }
    for pick, entries in ((min, reversed(in_order)), (max, in_order)):
        battles: dict[UUID, date] = {}
        for entry, _ in entries:
            if entry.pk not in played:
                days[entry.pk] = pick(days[entry.pk], battles.get(entry.warband_id, days[entry.pk]))
            elif entry.kind == "fought":
                battles[entry.warband_id] = played[entry.pk]
    return days


def _battles_since(facts: Iterable[tuple[ChronicleEntry, Fact]]) -> Mapping[int, int]:
    """Return the number of battles that follow each entry in its warband's chronicle."""
    counts: Counter[UUID] = Counter()
    since: dict[int, int] = {}
    for entry, _ in sorted(facts, key=lambda each: -each[0].pk):
        since[entry.pk] = counts[entry.warband_id]
        counts[entry.warband_id] += entry.kind == "fought"
    return since


def _fallen(rules: Ruleset, death: Death, fighter: Fighter, killer: Fighter | None) -> TickerPerson:
    """Return a dead fighter, with the kind of death in battle and, if known, the killer."""
    how = "" if death.wounds is None else end_label(rules.loss_phrase(death.wounds))
    return TickerPerson(fighter.pk, fighter.name, how, killer.name if killer else death.killed_by)
