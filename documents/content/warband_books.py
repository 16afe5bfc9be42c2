"""The content of a warband's history: a book about all of its battles and fighters."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext
from msgspec.structs import replace

from battles.models import Battle
from battles.selectors.results import battles_with_results
from core.errors import InvalidInput
from documents.content.battles import battle_narratives
from documents.content.documents import CampaignCounts, WarbandBook, WarbandHistory
from documents.content.histories import Chronicle, rises_of, sections_of, whole_chronicle
from documents.content.labels import label
from documents.content.lives import lives_of, with_epitaphs
from documents.content.memorial import HonourLists, memorial, veterans
from documents.content.people import CampaignService, players_of
from documents.content.readers import open_battles
from documents.content.records import records
from documents.content.rosters import roster_sheet
from documents.content.structs import Person
from documents.content.visible_pictures import album, fighters_of, open_like
from leagues.selectors.campaign_stats import campaign_stats
from pictures.subjects import PictureKind
from rulebook.chronicle.facts import Fought
from rulebook.chronicle.states import GONE
from rulebook.ruleset import Fate
from warbands.models import Warband
from warbands.rule_changes import rule_changes
from warbands.rulebook_values import faction_name, read_states, ruleset_of_warband
from warbands.selectors.chronicle_heads import heads_of


def warband_book_content(warband: Warband) -> WarbandBook:
    """Return the content of a warband's history, in all of its campaigns. At most 18 queries.

    The timeline has everything from the chronicle. Battles with their stories, and enemies, are
    those that everybody who may see the warband may see. The warband should be selected with its
    owner. Raises InvalidInput (`nothing-to-print`) before its first battle.
    """
    # Step 1: the chronicle, the battles and everybody in them.
    chronicle = whole_chronicle(warband)
    fights = [fact for _, fact in chronicle.facts if isinstance(fact, Fought)]
    if not fights:
        sentence = gettext("No history to print yet. It begins with the first battle.")
        raise InvalidInput("nothing-to-print", sentence, field="subject")
    battles = list(open_battles(warband).prefetch_related("revisions"))
    fought = battles_with_results(battles)
    warbands = {side.warband_id: side.warband for each in fought for side in each.sides}
    warbands[warband.pk] = warband
    states = read_states(warbands.values())
    state, rules = states[warband.pk], ruleset_of_warband(warband)
    people = {
        fighter.id: CampaignService(fighter, each, states[each.pk].terms)
        for each in warbands.values()
        for fighter in states[each.pk].fighters.values()
    }
    own = {key: each for key, each in people.items() if each.warband.pk == warband.pk}
    dead = {key for key, each in own.items() if each.fighter.fate is Fate.DEAD}
    # A document shows the same to all readers, so it has no pictures of private opponents.
    shown = [key for key, each in warbands.items() if key == warband.pk or open_like(None, each)]
    pictures = album(
        {
            PictureKind.WARBAND: shown,
            PictureKind.FIGHTER: fighters_of([warband]),
            PictureKind.BATTLE: [battle.pk for battle in battles],
        }
    )
    # Step 2: narratives, lives and epitaphs.
    players = players_of(warbands.values())
    narratives = battle_narratives(
        fought, None, places=frozenset(own), remembered=dead, pictures=pictures, players=players
    )
    battles_by_id = {
        str(each.battle.pk): (each, narrative)
        for each, narrative in zip(fought, narratives, strict=True)
        if not each.battle.friendly
    }
    rolls = HonourLists(
        rules,
        people,
        players,
        campaign_stats(fought),
        frozenset(own),
        pictures,
        rises_of(chronicle),
    )
    lives = lives_of(rolls, battles_by_id, {warband.pk: chronicle}, over=False)
    fallen = memorial(rolls, fought, narratives)
    own_places = {rolls.place(key) for key in own}
    own_fallen = [each for each in fallen if each.at in own_places]
    killed = tuple(
        each
        for each in fallen
        if each.at not in own_places and each.killer and each.killer.at in own_places
    )
    own_rolls = replace(rolls, people=own)
    words = label(rules, state.settings)
    # Step 3: the book.
    changes = rule_changes(chronicle.entries, warband.ruleset, warband.edition)
    sections = sections_of(rolls, chronicle, warband, state, battles_by_id, changes, words)
    player = players[warband.pk]
    left = tuple(
        Person(each.fighter.name, rolls.place(key))
        for key, each in own.items()
        if each.fighter.fate is Fate.RETIRED
    )
    return WarbandBook(
        title=warband.name,
        subtitle=gettext("Warband history"),
        dated=_dated(chronicle, battles),
        ruleset=rules.name,
        club="",
        state="",
        format="",
        words=words,
        points=None,
        counts=CampaignCounts(battles=len(fights), dead=len(dead)),
        began=min(fact.fought_on for fact in fights),
        ended=max(fact.fought_on for fact in fights),
        story=warband.story,
        battles=narratives,
        veterans=veterans(own_rolls, None),
        records=records(own_rolls, words, narratives),
        memorial=with_epitaphs(lives, own_fallen),
        rosters=(
            replace(roster_sheet(warband, state, player, pictures=pictures), left=left, story=""),
        ),
        crest=pictures.of(warband.pk),
        heads=heads_of([warband]),
        player=player.name,
        faction=faction_name(warband),
        arms=str(warband.pk),
        colour=player.colour,
        histories=tuple(
            WarbandHistory(id=f"{warband.pk}-{place}", name=name, player="", steps=steps)
            for place, (name, steps) in enumerate(sections)
        ),
        killed=killed,
        opponents=tuple((each.name, players[key].colour) for key, each in warbands.items()),
        destroyed=not any(each.fighter.fate not in GONE for each in own.values()),
    )


def _dated(chronicle: Chronicle, battles: Sequence[Battle]) -> str:
    """Return the day (ISO) of the latest change in the book."""
    moments: list[datetime | None] = [chronicle.last_entry_at]
    moments += [battle.confirmed_at for battle in battles]
    moments += [revision.made_at for battle in battles for revision in battle.revisions.all()]
    return max(moment.date().isoformat() for moment in moments if moment)
