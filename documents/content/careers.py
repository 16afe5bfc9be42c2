"""A fighter's career, battle by battle, from the warband's chronicle and the experience ledger."""

from collections.abc import Sequence

from django.utils.translation import gettext
from msgspec.structs import replace

from documents.content.documents import Chapter, FighterCareer
from documents.content.labels import harm, label, price_lines
from documents.content.rosters import POINTS, card, sources_of
from documents.content.structs import LedgerLine, Line
from documents.content.visible_pictures import album
from documents.prose import prose
from pictures.subjects import PictureKind
from rulebook.chronicle.facts import AnyFact, Fought, decode
from rulebook.chronicle.replay import effective_at
from rulebook.chronicle.states import FighterState
from rulebook.ruleset import Record, RosterTotals, Ruleset
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter
from warbands.rulebook_values import read_state, ruleset_of_warband

KINDS = ("fought", "ranked-up", "corrected")


def career_content(fighter: Fighter) -> FighterCareer:
    """Return the content of a fighter's career. Four queries.

    The warband should be selected with the fighter.
    """
    warband = fighter.warband
    state = read_state(warband)
    rules = ruleset_of_warband(warband)
    fighter_state = state.fighters[str(fighter.pk)]
    entries = list(
        ChronicleEntry.objects.filter(warband=warband, kind__in=KINDS).order_by("sequence")
    )
    ledger = list(ExperienceEntry.objects.filter(fighter=fighter).order_by("pk"))
    facts = effective_at((entry.sequence, decode(entry.payload)) for entry in entries)
    amounts = [line.amount for line in ledger]
    sheet = rules.sheet(fighter_state.build, state.terms, fighter_state.condition)
    portrait = album({PictureKind.FIGHTER: [fighter.pk]}).of(fighter.pk)
    points = rules.roster_totals(state.roster).sources.get(POINTS, "")
    return FighterCareer(
        title=fighter.name,
        subtitle=gettext("Career in %(warband)s") % {"warband": warband.name},
        dated=(entries[-1].recorded_at if entries else warband.created_at).date().isoformat(),
        ruleset=rules.name,
        card=replace(card(rules, state, fighter_state, sheet, fighter.story), picture=portrait),
        warband=warband.name,
        words=label(rules, state.settings),
        chapters=_chapters(rules, fighter_state, facts, ledger),
        ledger=tuple(LedgerLine(row.amount, row.sentence, row.rule, row.balance) for row in ledger),
        earned=sum(amount for amount in amounts if amount > 0),
        spent=-sum(amount for amount in amounts if amount < 0),
        price=price_lines(sheet),
        sources=sources_of(RosterTotals(0, 0, sources={POINTS: points}), [sheet]),
    )


def _chapters(
    rules: Ruleset,
    fighter: FighterState,
    facts: Sequence[tuple[int, AnyFact]],
    ledger: Sequence[ExperienceEntry],
) -> tuple[Chapter, ...]:
    """Return a chapter for each battle of the fighter.

    Rank-ups are added to the chapter of the battle before them.
    """
    chapters: list[Chapter] = []
    for sequence, fact in facts:
        lines = [line for line in ledger if line.sequence == sequence]
        left = chapters[-1].balance if chapters else 0
        if lines:
            left = lines[-1].balance
        if isinstance(fact, Fought):
            chapters += [
                replace(_chapter(rules, fact, record, lines), balance=left)
                for record in fact.records
                if record.fighter == fighter.id
            ]
        elif fighter.id in fact.promoted and chapters:
            risen = (*chapters[-1].rank_ups, *(line.sentence for line in lines))
            chapters[-1] = replace(chapters[-1], rank_ups=risen, balance=left)
    return tuple(chapters)


def _sentence(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]


def _chapter(
    rules: Ruleset, fact: Fought, record: Record, lines: Sequence[ExperienceEntry]
) -> Chapter:
    scenario = next(
        (each.name for each in rules.scenarios() if each.key == fact.scenario), fact.scenario
    )
    done = (each for each in fact.deeds if each.fighter == record.fighter)
    return Chapter(
        title=scenario if fact.title == fact.scenario else fact.title,
        fought_on=fact.fought_on,
        against=prose().join_names(fact.against),
        outcome=str(fact.outcome),
        fate=harm(rules, record) or gettext("came home fit"),
        deeds=tuple(_sentence(rules.deed_phrase(each)) for each in done),
        earned=tuple(Line(line.amount, line.sentence, line.rule) for line in lines),
    )
