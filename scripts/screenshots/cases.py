"""Cases that the demonstration lacks: open battles, and campaigns that are hard to lay out."""

from collections.abc import Callable, Mapping
from functools import partial

from campaigns.models import Campaign
from scripts.prints.hard_cases import long_names, many_tongues, sixty_battles
from scripts.prints.playing import PLAYED_BY, Play

MANY = 200


def an_evening(ruleset: str) -> Campaign:
    """Play a campaign with a battle in each state, from planned to confirmed."""
    play = Play("An Evening of Four Tables", ruleset, ("plain", "others"))
    play.fight(title="Over and Done")
    play.plan(title="Planned")
    play.field(play.plan(title="Fielded"))
    play.begin(play.field(play.plan(title="Begun")))
    logged = play.begin(play.field(play.plan(title="Logged")))
    play.log(logged)
    return play.campaign


CASES: Mapping[str, Callable[[], Campaign]] = {
    **{f"evening-{ruleset}": partial(an_evening, ruleset) for ruleset in PLAYED_BY},
    **{f"long-names-{ruleset}": partial(long_names, ruleset) for ruleset in PLAYED_BY},
    "right-to-left": many_tongues,
    "many-battles": partial(sixty_battles, MANY),
}
"""Every case, by the name of its folder."""
