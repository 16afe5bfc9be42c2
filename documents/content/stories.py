"""Stories in documents: sentences made from facts, and journal entries that members wrote."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from msgspec.structs import replace

from campaigns.models import Campaign, JournalEntry
from documents.content.battle_plan import Ending, battle_plan
from documents.content.highlights import BattleAccount, of_battle, unhurt
from documents.content.labels import day
from documents.content.narratives import tell
from documents.content.structs import BattleNarrative, Note, Sentence, Story, Written
from documents.prose import prose
from documents.prose.facts import BattleFact, CampaignFact, Fact
from documents.prose.variation import capital, name
from rulebook.values.moments import BattleMoments

NO_POINTS: Mapping[str, int] = MappingProxyType({})
SENTENCES_OF_RESULT = 2
"""The most sentences about a battle that was typed in without a log."""


def sentence(fact: Fact) -> str:
    """Return a fact as a sentence in the active language."""
    text: str = getattr(prose(), str(fact.__struct_config__.tag))(fact)
    return capital(text)


def battle_story(
    account: BattleAccount,
    moments: BattleMoments | None = None,
    *,
    points: Mapping[str, int] = NO_POINTS,
    used: Collection[str] = (),
) -> tuple[Story, Collection[str]]:
    """Return the story of a battle, and the wordings that it uses.

    It follows the ``moments`` of the log, turn by turn. Without a log of turns it has one or
    two sentences from the result. ``points`` are the victory points by the key of the side, empty
    without a score; ``used`` are the wordings of stories near by.
    """
    ending = Ending(
        frozenset(fighter for party in account.parties for fighter in party.dead),
        account.mortal,
        points,
    )
    plan = battle_plan(moments, ending) if moments else ()
    telling = tell(plan, account.key, used)
    if telling.sentences:
        return Story((telling.sentences,)), telling.wordings
    facts = of_battle(account)[:SENTENCES_OF_RESULT] or unhurt(account)
    paragraph = tuple(Sentence(sentence(fact), (_in_log(fact),)) for fact in facts)
    return (Story((paragraph,)) if paragraph else Story()), ()


def campaign_story(
    paragraphs: Iterable[Sequence[CampaignFact]], battles: Sequence[BattleNarrative]
) -> Story:
    """Return the highlights of a campaign, with end-notes that link to its battles."""
    notes = {battle.id: Note(_battle(battle), f"battle-{battle.id}") for battle in battles}
    return Story(
        tuple(
            tuple(
                Sentence(sentence(fact), tuple(notes[key] for key in fact.battles))
                for fact in paragraph
            )
            for paragraph in paragraphs
        )
    )


def _in_log(fact: BattleFact) -> Note:
    return Note(prose().in_turns(fact.turns) if fact.turns else prose().on_result_sheet())


def _battle(battle: BattleNarrative) -> str:
    return f"{battle.number}. {name(battle.title)}, {day(battle.fought_on)}"


def journal_of(campaign: Campaign) -> list[JournalEntry]:
    """Return the entries that are not removed, by the days that they are about. One query."""
    entries = campaign.journal.filter(removed_at__isnull=True).select_related("author")
    return list(entries.order_by("on", "written_at", "id"))


def with_journal(
    battles: Sequence[BattleNarrative], entries: Iterable[JournalEntry]
) -> tuple[tuple[BattleNarrative, ...], tuple[Written, ...]]:
    """Return the battles with their journal entries, and the entries after the last battle.

    Each battle gets the entries about the days since the battle before. Entries about the day of a
    battle come after it.
    """
    written = [Written(entry.on.isoformat(), entry.author.name, entry.text) for entry in entries]
    days = ["", *(battle.fought_on for battle in battles)]
    with_entries = tuple(
        replace(battle, journal=tuple(each for each in written if before <= each.on < day))
        for battle, (before, day) in zip(battles, pairwise(days), strict=True)
    )
    return with_entries, tuple(each for each in written if each.on >= days[-1])
