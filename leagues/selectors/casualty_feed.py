"""The ticker of a campaign: who has died and who has risen in rank of late, and what people wrote
of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from uuid import UUID

from django.utils.text import Truncator
from msgspec import Struct
from msgspec.structs import replace

from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, JournalEntry
from campaigns.selectors.log import log_entries
from core.history import History, join_lines
from core.ruleset_words import end_label
from rulebook.chronicle.facts import Death, Fact, Fought, decode
from rulebook.ruleset import Fate, Ruleset
from warbands.models import ChronicleEntry, Fighter

KINDS = ("fought", "ranked-up", "adjusted", "corrected")
READ, SHOWN, NAMED = 40, 8, 3
WRITTEN, LONGEST = 2, 30
"""How many entries of chronicles are looked through, how many lines the ticker has, and how many
people each names. Then how many entries of the journal, and how many words of each."""


class TickerPerson(Struct, frozen=True):
    """Somebody in the ticker: of the dead also how they fell, and by whom as far as that is
    known."""

    id: UUID
    name: str
    how: str = ""
    by: str = ""


class TickerLine(Struct, frozen=True):
    """What befell people of one warband: ``kind`` is "death" or "rank-up". Deaths in battle name
    it.

    A line of the kind "journal" has a text and its author instead.
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

    @property
    def named(self) -> tuple[TickerPerson, ...]:
        """The first of them, who are named."""
        return self.people[: NAMED + (len(self.people) == NAMED + 1)]

    @property
    def others(self) -> int:
        """How many more there are."""
        return len(self.people) - len(self.named)


def casualty_feed(campaign: Campaign) -> tuple[TickerLine, ...]:
    """Deaths, rank-ups and entries of the journal, newest first. Three queries, whatever the number
    of battles.

    Of the dead it tells only as long as they are dead: a correction may have brought them back.
    What a correction says anew has its place where it was first told.
    """
    facts = History(
        entries=log_entries(campaign).filter(kind__in=KINDS), read=partial(_fact_lines, campaign)
    )
    written = (
        campaign.journal.filter(removed_at__isnull=True)
        .select_related("author")
        .order_by("-written_at")
    )
    journal = History(entries=written, read=_journal_lines)
    lines = [*facts.newest(READ), *journal.newest(WRITTEN)]
    return tuple(sorted(lines, key=lambda line: (line.day, line.at), reverse=True)[:SHOWN])


def _fact_lines(campaign: Campaign, entries: Iterable[ChronicleEntry]) -> tuple[TickerLine, ...]:
    """Return deaths and rank-ups; all who rose in a warband on one day share a line. One query.

    Unlike the log, this reads no names of fighters whom it does not show, but their fates.
    """
    # Corrections come last: who died already has a line by then, which is dated by its first entry.
    in_order = sorted(entries, key=lambda entry: entry.kind == "corrected")
    facts = [
        (entry, fact) for entry in in_order if (fact := decode(entry.payload).effective) is not None
    ]
    people = _people(fact for _, fact in facts)
    slayers = {deed.victim: deed.fighter for _, fact in facts for deed in fact.kills if deed.victim}
    lines = _lines(ruleset_of_campaign(campaign), facts, people, slayers)
    return join_lines(
        lines,
        lambda line: (line.warband, line.day) if line.kind == "rank-up" else None,
        lambda first, later: replace(first, people=(*first.people, *later.people)),
    )


def _journal_lines(entries: Iterable[JournalEntry]) -> Iterator[TickerLine]:
    for entry in entries:
        text, name = Truncator(entry.text).words(LONGEST), entry.author.name
        yield TickerLine(
            "journal", entry.written_at, entry.on, text=text, author_name=name, entry=entry.pk
        )


def _people(facts: Iterable[Fact]) -> Mapping[str, Fighter]:
    """Everybody of whom the facts may tell, as they are now. One query."""
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
    slayers: Mapping[str, str],
) -> Iterator[TickerLine]:
    mourned: set[str] = set()
    for entry, fact in facts:
        day = entry.recorded_at.date()
        line = TickerLine("death", entry.recorded_at, day, entry.warband_id, entry.warband.name)
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
            _fallen(rules, death, people[death.fighter], people.get(slayers.get(death.fighter, "")))
            for death in deaths
            if people[death.fighter].fate == Fate.DEAD
        )
        mourned.update(death.fighter for death in deaths)
        if fallen and isinstance(fact, Fought):
            fought = date.fromisoformat(fact.fought_on) if fact.fought_on else day
            yield replace(
                line, people=fallen, day=fought, battle=UUID(fact.battle), battle_name=fact.title
            )
        elif fallen:
            yield replace(line, people=fallen)


def _fallen(rules: Ruleset, death: Death, fighter: Fighter, slayer: Fighter | None) -> TickerPerson:
    """Somebody who has died: how, if it was in battle, and by whom as far as that is known."""
    how = "" if death.wounds is None else end_label(rules.loss_phrase(death.wounds))
    return TickerPerson(fighter.pk, fighter.name, how, slayer.name if slayer else death.killed_by)
