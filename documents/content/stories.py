"""The stories that documents tell from facts: each fact a sentence in the active language, with where it stands."""

from collections.abc import Iterable, Sequence

from documents.content.highlights import Account, of_battle
from documents.content.pieces import BattleTale, Note, Story, Told
from documents.content.words import day
from documents.prose import prose
from documents.prose.facts import BattleFact, CampaignFact, Deaths, Fact
from documents.prose.wording import name


def sentence(fact: Fact) -> str:
    """A fact as the active language tells it."""
    told: str = getattr(prose(), str(fact.__struct_config__.tag))(fact)
    return told


def battle_story(account: Account, *, deaths: bool = True) -> Story:
    """What was remarkable about a battle; nothing where nothing was. ``deaths``: it tells who slew whom."""
    facts = [fact for fact in of_battle(account) if deaths or not isinstance(fact, Deaths)]
    told = tuple(Told(sentence(fact), (_in_log(fact),)) for fact in facts)
    return Story((told,)) if told else Story()


def campaign_story(paragraphs: Iterable[Sequence[CampaignFact]], battles: Sequence[BattleTale]) -> Story:
    """What was remarkable about a campaign; its end-notes lead to its battles."""
    notes = {battle.id: Note(_battle(battle), f"battle-{battle.id}") for battle in battles}
    return Story(
        tuple(
            tuple(Told(sentence(fact), tuple(notes[key] for key in fact.battles)) for fact in paragraph)
            for paragraph in paragraphs
        )
    )


def _in_log(fact: BattleFact) -> Note:
    return Note(prose().in_turns(fact.turns) if fact.turns else prose().on_result_sheet())


def _battle(battle: BattleTale) -> str:
    return f"{battle.number}. {name(battle.title)}, {day(battle.fought_on)}"
