"""The history of each warband in a campaign: battles, recruits, rank-ups, wounds, captives.

Every entry of a warband's chronicle while it was in the campaign is in it, by its number, as in the
campaign's log: without new orders of the roster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext, gettext_noop
from msgspec import Struct

from battles.selectors.results import BattleWithResult
from campaigns.models import Campaign, Enrolment
from core.ruleset_words import rules_text
from documents.content.battles import DEAD, casualty_outcome
from documents.content.documents import HistoryItem, HistoryLine, HistoryStep
from documents.content.labels import translated
from documents.content.memorial import HonourLists
from documents.content.structs import BattleNarrative, Label
from documents.prose.variation import capital
from rulebook.chronicle.facts import AnyFact, Corrected, Fought, decode_json
from rulebook.chronicle.facts.campaigns import Enrolled, Withdrawn
from rulebook.chronicle.facts.experience import Adjusted, RankedUp
from rulebook.chronicle.facts.rosters import Arranged, Left, Recruited
from rulebook.chronicle.replay import effective_at
from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import Fate, Record
from warbands.fact_sentences import TranslatedWording
from warbands.models import ChronicleEntry, ExperienceEntry, Warband
from warbands.rule_changes import Changes, rule_changes
from warbands.rulebook_values import post_names, ruleset_of_warband

ORDER = ("fallen", "captured", "hurt", "joined", "rank-ups", "left", "also")
"""The kinds of lines below a battle, in the order in which they are printed."""


ENDED = gettext_noop("The campaign has ended.")
"""The reason with which a warband leaves a finished campaign; facts store it in English."""


class BookWording(TranslatedWording, frozen=True):
    """The wording of facts for a book, which names everybody."""

    def list_names(self, names: Iterable[str]) -> str:
        return self.join_names(names)


class Chronicle(Struct, frozen=True):
    """The part of a warband's chronicle that belongs to a campaign.

    ``facts`` are those that count today, in order of play, each with its number; ``corrections``
    are recorded ones. ``steps`` has the result of each rank-up by its number, "Rank 3".
    ``last_entry_at`` is the time of the last entry, in this campaign or after it.
    """

    entries: tuple[ChronicleEntry, ...]
    facts: tuple[tuple[int, AnyFact], ...]
    corrections: tuple[tuple[int, Corrected], ...]
    steps: Mapping[int, str]
    last_entry_at: datetime | None = None

    @property
    def in_order(self) -> list[tuple[int, AnyFact]]:
        """The facts in order of play, with each correction behind those recorded before it."""
        ordered = list(self.facts)
        for sequence, correction in self.corrections:
            before = [place for place, (number, _) in enumerate(ordered) if number < sequence]
            ordered.insert(before[-1] + 1 if before else 0, (sequence, correction))
        return ordered


def chronicles_of(campaign: Campaign, warbands: Sequence[Warband]) -> Mapping[UUID, Chronicle]:
    """Return the chronicles of the warbands in a campaign. Three queries."""
    every: dict[UUID, list[ChronicleEntry]] = {warband.pk: [] for warband in warbands}
    rows = ChronicleEntry.objects.filter(warband__in=every).order_by("warband", "sequence")
    for entry in _with_facts(rows):
        every[entry.warband_id].append(entry)
    steps: dict[UUID, dict[int, str]] = {warband.pk: {} for warband in warbands}
    rank_ups = ExperienceEntry.objects.filter(warband__in=every, code="rank-up")
    for warband_id, sequence, sentence in rank_ups.values_list("warband", "sequence", "sentence"):
        steps[warband_id][sequence] = sentence
    enrolments = Enrolment.objects.filter(campaign=campaign, warband__in=every)
    return {
        row.warband_id: _chronicle(every[row.warband_id], row, steps[row.warband_id])
        for row in enrolments.only("warband_id", "enrolled_at", "left_at")
    }


def whole_chronicle(warband: Warband) -> Chronicle:
    """Return everything that happened to a warband, in any campaign and without one.

    Two queries.
    """
    rows = ChronicleEntry.objects.filter(warband=warband).order_by("sequence")
    every = list(_with_facts(rows))
    rank_ups = ExperienceEntry.objects.filter(warband=warband, code="rank-up")
    return _chronicle(every, None, dict(rank_ups.values_list("sequence", "sentence")))


def _with_facts(rows: QuerySet[ChronicleEntry]) -> QuerySet[ChronicleEntry]:
    """Return the entries with their facts as text: as data they take several times the memory."""
    columns = rows.only("warband_id", "sequence", "kind", "recorded_at")
    return columns.annotate(fact=Cast("payload", TextField()))


def _chronicle(
    every: Sequence[ChronicleEntry], enrolment: Enrolment | None, steps: Mapping[int, str]
) -> Chronicle:
    """Return the part of a chronicle during an enrolment, or all of it without one."""
    entries = tuple(
        entry
        for entry in every
        if enrolment is None
        or (
            entry.recorded_at >= enrolment.enrolled_at
            and (enrolment.left_at is None or entry.recorded_at <= enrolment.left_at)
        )
    )
    numbers = {entry.sequence for entry in entries}
    # Each text is dropped with its last use: together they take several megabytes.
    recorded = [(entry.sequence, decode_json(vars(entry).pop("fact"))) for entry in every]
    return Chronicle(
        entries=entries,
        facts=tuple(each for each in effective_at(recorded) if each[0] in numbers),
        corrections=tuple(
            (sequence, fact)
            for sequence, fact in recorded
            if isinstance(fact, Corrected) and sequence in numbers
        ),
        steps=steps,
        last_entry_at=every[-1].recorded_at if every else None,
    )


def changes_of(campaign: Campaign, chronicles: Mapping[UUID, Chronicle]) -> Changes:
    """Return the changed house rules of all entries. One query, none without such an entry."""
    entries = [entry for chronicle in chronicles.values() for entry in chronicle.entries]
    return rule_changes(entries, campaign.ruleset, campaign.edition)


def rises_of(chronicle: Chronicle) -> Mapping[str, tuple[int, ...]]:
    """Return the rank-ups of each fighter: the number of the warband's battles before each."""
    rises: dict[str, tuple[int, ...]] = {}
    battles = 0
    for _, fact in chronicle.facts:
        battles += isinstance(fact, Fought) and not fact.friendly
        for fighter in fact.promoted:
            rises[fighter] = (*rises.get(fighter, ()), battles)
    return rises


def joined_after(chronicle: Chronicle) -> Mapping[str, str]:
    """Return the battle after which each recruit of the campaign joined, "" before the first."""
    joined: dict[str, str] = {}
    last = ""
    for _, fact in chronicle.facts:
        if isinstance(fact, Fought):
            last = fact.battle
        elif isinstance(fact, Recruited):
            joined |= {recruit.fighter: last for recruit in fact.recruits}
    return joined


def steps_of(
    rolls: HonourLists,
    chronicle: Chronicle,
    warband: Warband,
    state: WarbandState,
    battles: Mapping[str, tuple[BattleWithResult, BattleNarrative]],
    changes: Changes,
    words: Label,
) -> tuple[HistoryStep, ...]:
    """Return the history of a warband: what came before its first battle, then a step for each.

    ``battles`` has the battles of the campaign by id.
    """
    writer = _writer(rolls, chronicle, warband, state, battles, changes, words)
    return _steps(writer, chronicle.in_order)


def sections_of(
    rolls: HonourLists,
    chronicle: Chronicle,
    warband: Warband,
    state: WarbandState,
    battles: Mapping[str, tuple[BattleWithResult, BattleNarrative]],
    changes: Changes,
    words: Label,
) -> tuple[tuple[str, tuple[HistoryStep, ...]], ...]:
    """Return the history of a warband in sections: the name of a campaign, and its steps.

    The name is "" for the time before, between and after campaigns.
    """
    writer = _writer(rolls, chronicle, warband, state, battles, changes, words)
    sections: list[tuple[str, list[tuple[int, AnyFact]]]] = [("", [])]
    for sequence, fact in chronicle.in_order:
        if isinstance(fact, Enrolled):
            sections.append((fact.campaign_name, []))
        sections[-1][1].append((sequence, fact))
        if isinstance(fact, Withdrawn):
            sections.append(("", []))
    written = ((name, _steps(writer, facts)) for name, facts in sections)
    return tuple((name, steps) for name, steps in written if steps)


def _writer(
    rolls: HonourLists,
    chronicle: Chronicle,
    warband: Warband,
    state: WarbandState,
    battles: Mapping[str, tuple[BattleWithResult, BattleNarrative]],
    changes: Changes,
    words: Label,
) -> "_Writer":
    names = {key: fighter.name for key, fighter in state.fighters.items()}
    return _Writer(
        rolls,
        chronicle,
        warband,
        state,
        battles,
        {**post_names(warband.ruleset, warband.edition), **names},
        {entry.sequence: changes.get(entry.pk, ()) for entry in chronicle.entries},
        words,
    )


def _steps(writer: "_Writer", ordered: Iterable[tuple[int, AnyFact]]) -> tuple[HistoryStep, ...]:
    steps = [HistoryStep()]
    lines: list[dict[str, HistoryLine]] = [{}]
    for sequence, fact in ordered:
        if isinstance(fact, Fought):
            steps.append(writer.battle(sequence, fact))
            lines.append({})
        for kind, items in writer.items(sequence, fact):
            line = lines[-1].get(kind) or HistoryLine(kind, writer.label(kind))
            entries = () if isinstance(fact, Fought) else (sequence,)
            lines[-1][kind] = HistoryLine(
                kind, line.label, (*line.items, *items), (*line.entries, *entries)
            )
    return tuple(
        HistoryStep(
            title=step.title,
            at=step.at,
            number=step.number,
            day=step.day,
            outcome=step.outcome,
            score=step.score,
            against=step.against,
            entries=step.entries,
            lines=tuple(of_step[kind] for kind in ORDER if kind in of_step),
        )
        for step, of_step in zip(steps, lines, strict=True)
        if step.title or of_step
    )


class _Writer(Struct, frozen=True):
    """The data from which the steps of a warband are written.

    ``names`` has the names of fighters and warband roles; ``changes`` are house rules, by the
    numbers of entries.
    """

    rolls: HonourLists
    chronicle: Chronicle
    warband: Warband
    state: WarbandState
    battles: Mapping[str, tuple[BattleWithResult, BattleNarrative]]
    names: Mapping[str, str]
    changes: Mapping[int, tuple[str, ...]]
    words: Label

    def label(self, kind: str) -> str:
        # Units of Wards and Avant-garde are not hurt, but have losses.
        has_people = ruleset_of_warband(self.warband).words.lost == DEAD
        labels = {
            "fallen": capital(self.words.lost),
            "captured": gettext("Captured"),
            "hurt": gettext("Hurt") if has_people else capital(self.words.harmed),
            "joined": gettext("Joined"),
            "rank-ups": capital(self.words.steps),
            "left": gettext("Left"),
            "also": gettext("Also"),
        }
        return labels[kind]

    def battle(self, sequence: int, fact: Fought) -> HistoryStep:
        played = self.battles.get(fact.battle)
        score = (fact.victory_points, fact.victory_points_against)
        return HistoryStep(
            title=played[1].title if played else fact.title or fact.scenario,
            at=f"battle-{fact.battle}" if played else "",
            number=played[1].number if played else 0,
            day=fact.fought_on,
            outcome=str(fact.outcome),
            score=score if any(score) and self.words.shown.victory_points else (),
            against=fact.against,
            entries=(sequence,),
        )

    def items(self, sequence: int, fact: AnyFact) -> Iterator[tuple[str, tuple[HistoryItem, ...]]]:
        """Yield the items of a fact, by the kind of their line."""
        match fact:
            case Fought():
                yield from self._casualties(fact)
            case Arranged() if not fact.moved:
                return
            case Recruited() if not fact.reason:
                yield "joined", tuple(self._item(each.fighter) for each in fact.recruits)
            case RankedUp():
                step = rules_text(self.chronicle.steps.get(sequence, ""))
                yield "rank-ups", (self._item(fact.fighter, step),)
            case Withdrawn():
                note = capital(translated(fact.reason) or fact.phrase(BookWording()))
                yield "left", (HistoryItem(note=note),)
            case _:
                wording = BookWording(self.names, self.changes.get(sequence, ()))
                kind = "left" if isinstance(fact, Left) else "also"
                yield kind, (HistoryItem(note=capital(fact.phrase(wording))),)

    def _item(self, fighter: str, note: str = "") -> HistoryItem:
        unknown = gettext("a fighter")
        return HistoryItem(self.names.get(fighter, unknown), self.rolls.place(fighter), note=note)

    def _casualties(self, fact: Fought) -> Iterator[tuple[str, tuple[HistoryItem, ...]]]:
        played = self.battles.get(fact.battle)
        if played is None or fact.friendly:
            return
        battle = played[0]
        keys = {side.key for side in battle.sides if side.warband_id == self.warband.pk}
        own = next((side for side in battle.result.sides if side.side in keys), None)
        before: Sequence[Record] = own.records if own else ()
        after: Sequence[Record] = battle.records(own) if own else ()
        by_kind: dict[str, list[HistoryItem]] = {}
        for logged, record in zip(before, after, strict=True):
            if record.fate is Fate.DEAD:
                by_kind.setdefault("fallen", []).append(self._item(record.fighter))
            elif record.captured or record.fate is Fate.CAPTURED:
                item = self._item(record.fighter, self._way_home(record.fighter, fact))
                by_kind.setdefault("captured", []).append(item)
            elif (outcome := casualty_outcome(battle, logged, record)).harm:
                note = ", ".join(filter(None, (outcome.harm, outcome.after)))
                by_kind.setdefault("hurt", []).append(self._item(record.fighter, note))
        for kind, items in by_kind.items():
            yield kind, tuple(items)

    def _way_home(self, fighter: str, captured_in: Fought) -> str:
        """Return how a captive came home: set free by somebody, or by when it fought again."""
        later = [fact for _, fact in self.chronicle.facts]
        later = later[later.index(captured_in) + 1 :]
        missed = 0
        for fact in later:
            if isinstance(fact, Adjusted) and fact.fighter == fighter and fact.fate is Fate.FIT:
                return gettext("set free: %(reason)s") % {"reason": fact.reason}
            if not isinstance(fact, Fought) or fact.friendly:
                continue
            if any(record.fighter == fighter for record in fact.records):
                return self._back_for(fact, missed)
            missed += 1
        state = self.state.fighters.get(fighter)
        if state is None or state.gone:
            return ""
        return gettext("still a prisoner") if state.fate is Fate.CAPTURED else gettext("came home")

    def _back_for(self, fact: Fought, missed: int) -> str:
        played = self.battles.get(fact.battle)
        about = {
            "battle": played[1].named if played else fact.title or fact.scenario,
            "missed": missed,
        }
        if not missed:
            return gettext("back for “%(battle)s”") % about
        if missed == 1:
            return gettext("missed a battle, back for “%(battle)s”") % about
        return gettext("missed %(missed)s battles, back for “%(battle)s”") % about
