"""Campaigns that are hard to print, played in the configured database.

Their common part is in ``playing``.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random

from campaigns.models import Campaign
from campaigns.services.campaigns import finish_campaign
from rulebook.ruleset import BattleSetup, LoggedEvent
from scripts.prints.playing import PLAYED_BY, Play

EN_GARDE = "en-garde"
STORY = """The fog lay thick over the mill-race when they came down it, lanterns shuttered.

> "Gentlemen," said the captain, "you will oblige me by being alive at breakfast."

They were, most of them. **Nobody** had counted on the bridge: it was "repaired" in the spring -- badly."""
LONG_TITLE = (
    "The Lamentable and True Relation of How Two Companies Fared at the Lower Farm on Candlemas "
    "Night"
)


def long_names(ruleset: str) -> Campaign:
    """Play two battles of full warbands, in which everybody has a very long name."""
    size = 20 if ruleset == EN_GARDE else 0
    play = Play(LONG_TITLE, ruleset, ("long", "plain"), size=size)
    play.fight(title=LONG_TITLE, story=STORY)
    play.raise_ranks()
    play.fight(title="The Reckoning")
    return play.campaign


def one_battle(ruleset: str) -> Campaign:
    """Play a campaign with one battle."""
    play = Play("One Evening", ruleset, ("plain", "others"))
    play.fight(title="The Only One", story=STORY)
    return play.campaign


def many_tongues() -> Campaign:
    """Play battles of four sides with names in left-to-right and right-to-left scripts."""
    play = Play("Four at the Ford", EN_GARDE, ("hungarian", "hebrew", "arabic", "turkish"), size=14)
    magyars, hebrews, arabs, turks = play.warbands
    play.fight(title="الجسر المكسور", story=STORY)
    play.raise_ranks()
    play.fight(arabs, magyars, title="Az egri vár kapuja")
    play.fight(turks, hebrews, title="İki Köprü")
    play.fight(title="Everybody Against Everybody")
    return finish_campaign(campaign_id=play.campaign.pk, user=play.user)


def nobody_left() -> Campaign:
    """Play two battles, of which the second leaves nobody alive on either side."""
    play = Play("The Last Ditch", EN_GARDE, ("plain", "others"), size=8)
    play.fight(title="A Skirmish")
    play.fight(title="Nobody Left", referee=_annihilation)
    return finish_campaign(campaign_id=play.campaign.pk, user=play.user)


def _annihilation(setup: BattleSetup, luck: Random) -> Sequence[LoggedEvent]:
    """Return a log that kills all fighters of both sides."""
    first, other = ([each.id for each in side.fighters] for side in setup.sides)
    blows = [(first[0], each) for each in other[1:]] + [
        (other[0], each) for each in [*first[1:], first[0]]
    ]
    wounds = [
        {"attacker": attacker, "victim": victim, "result": "critical"} for attacker, victim in blows
    ]
    wounds.append({"victim": other[0], "result": "critical", "means": "fall"})
    events = [
        LoggedEvent(place, "wound", data, 1 + place // 6)
        for place, data in enumerate(wounds, start=1)
    ]
    return [
        *events,
        LoggedEvent(len(events) + 1, "ended", {"turn": 1 + len(events) // 6, "how": "destroyed"}),
    ]


def all_tied() -> Campaign:
    """Play three warbands with draws only, so that no tie-breaker separates them."""
    play = Play("Honours Even", EN_GARDE, ("plain", "others", "third"), size=8)
    first, other, third = play.warbands
    for pair in ((first, other), (other, third), (third, first)):
        play.fight(
            *pair,
            referee=lambda setup, luck: [LoggedEvent(1, "ended", {"turn": 6, "how": "last-turn"})],
        )
    return finish_campaign(campaign_id=play.campaign.pk, user=play.user)


def sixty_battles(battles: int = 60) -> Campaign:
    """Play many battles of four warbands, so that the book is rendered in parts."""
    play = Play("The Thirty Years", EN_GARDE, ("plain", "others", "third", "turkish"))
    for number in range(battles):
        pair = [play.warbands[(number + step * (1 + number % 3)) % 4] for step in range(2)]
        play.fight(*pair, story=STORY if number % 3 == 0 else "")
        play.raise_ranks()
        play.reinforce()
    return finish_campaign(campaign_id=play.campaign.pk, user=play.user)


def league() -> Campaign:
    """Play two battles of a league, with another one planned, all rounds paired, and a club night.

    A warband and a player have very long names, and another one is written from right to left.
    """
    called = ("plain", "others", "third", "turkish", "long", "arabic")
    play = Play("The League of the Six Tables", EN_GARDE, called, size=5)
    play.pair()
    first, other, third, fourth, *_ = play.warbands
    play.fight(first, other)
    play.fight(third, fourth)
    play.plan(first, third)
    play.meet()
    return play.campaign


CASES: Mapping[str, Callable[[], Campaign]] = {
    **{f"long-names-{ruleset}": partial(long_names, ruleset) for ruleset in PLAYED_BY},
    **{f"one-battle-{ruleset}": partial(one_battle, ruleset) for ruleset in PLAYED_BY},
    "four-sides": many_tongues,
    "nobody-left": nobody_left,
    "all-tied": all_tied,
    "sixty-battles": sixty_battles,
    "league": league,
}
"""Every case, by the name of its folder.

Rule systems without a referee of the demonstration have none.
"""
