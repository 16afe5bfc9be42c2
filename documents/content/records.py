"""Records of a campaign, for any rule system: service, enemies, battles."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext

from documents.content.documents import Honour, HonourHolder
from documents.content.memorial import HonourLists
from documents.content.structs import BattleNarrative, Label

MAX_HOLDERS = 3
"""The most holders that may share a record."""
TWO, THREE = 2, 3
"""The minimum counts of some records."""


def best(
    label: str, counted: Iterable[tuple[HonourHolder, int]], least: int = 1
) -> Iterator[Honour]:
    """Yield the honour with the highest count.

    There is none if the count is below ``least``, or if too many or all share it.
    """
    counts = list(counted)
    most = max((count for _, count in counts), default=0)
    holders = tuple(holder for holder, count in counts if count == most)
    if (
        most >= least
        and len(holders) <= MAX_HOLDERS
        and (len(holders) < len(counts) or len(counts) == 1)
    ):
        yield Honour(label, most, holders)


def records(
    rolls: HonourLists, words: Label, battles: Sequence[BattleNarrative]
) -> tuple[Honour, ...]:
    """Return the records of fighters and battles that every rule system has.

    Records that nobody clearly holds are left out.
    """
    chapters = (
        _of_service(rolls, words),
        _of_enmity(rolls),
        _of_battles(words, battles) if len(battles) > 1 else (),
    )
    return tuple(honour for honours in chapters for honour in honours)


def _of_service(rolls: HonourLists, words: Label) -> Iterator[Honour]:
    people = {
        fighter_id: each.fighter
        for fighter_id, each in rolls.people.items()
        if each.fighter.battles
    }
    served = ((rolls.holder(fighter_id), fighter.battles) for fighter_id, fighter in people.items())
    yield from best(gettext("Battles fought"), served, TWO)
    if words.shown.experience:
        earned = (
            (rolls.holder(fighter_id), fighter.earned) for fighter_id, fighter in people.items()
        )
        yield from best(gettext("Experience earned"), earned, TWO)
    unhurt = (
        (rolls.holder(fighter_id), len(stints))
        for fighter_id, stints in rolls.annals.stints.items()
        if fighter_id in people and all(stint.mark == "well" for stint in stints)
    )
    yield from best(gettext("Battles without a scratch"), unhurt, TWO)


def _of_enmity(rolls: HonourLists) -> Iterator[Honour]:
    """Yield who brought down most fighters of one warband, and who fought one enemy most often."""
    slain = Counter(
        (slaying.killer, rolls.people[slaying.victim].warband.name)
        for slaying in rolls.annals.slayings
        if slaying.killer in rolls.people and slaying.victim in rolls.people
    )
    brought_down = (
        (rolls.holder(fighter_id, enemy), count) for (fighter_id, enemy), count in slain.items()
    )
    yield from best(gettext("Most casualties of one opponent"), brought_down, TWO)
    met = (
        (rolls.holder(fighter_id, rolls.people[enemy].fighter.name), count)
        for (fighter_id, enemy), count in rolls.annals.encounters.items()
        if fighter_id in rolls.people and enemy in rolls.people
    )
    yield from best(gettext("Most deeds against one enemy"), met, TWO)


def _of_battles(words: Label, battles: Sequence[BattleNarrative]) -> Iterator[Honour]:
    lasting = [battle for battle in battles if not battle.friendly]
    fell = (
        (_battle(each), sum(side.marks.count("dead") for side in each.sides)) for each in lasting
    )
    yield from best(gettext("Fallen in one battle"), fell, TWO)
    if words.shown.victory_points:
        apart = ((_battle(each), _margin(each)) for each in lasting)
        yield from best(gettext("The clearest victory, in points"), apart, TWO)
    yield from best(
        gettext("The longest battle, in turns"),
        ((_battle(each), each.turns or 0) for each in lasting),
        THREE,
    )


def _margin(battle: BattleNarrative) -> int:
    """Return the winner's lead in victory points, or 0 without a single winner."""
    won = [side.victory_points for side in battle.sides if side.outcome == "won"]
    others = [side.victory_points for side in battle.sides if side.outcome != "won"]
    return won[0] - max(others) if len(won) == 1 and others else 0


def _battle(battle: BattleNarrative) -> HonourHolder:
    return HonourHolder(
        battle.named, f"battle-{battle.id}", " · ".join(side.warband for side in battle.sides)
    )
