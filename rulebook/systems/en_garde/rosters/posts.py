"""The posts of a warband: its Leader, and the bearer of its banner."""

from rulebook.ruleset import BuildData, Post, Posts, Problem, Roster, Terms
from rulebook.systems.en_garde.rosters.assembled_roster import LEADER
from rulebook.systems.en_garde.rosters.builds import from_json
from rulebook.systems.en_garde.rosters.composition import default_leader
from rulebook.systems.en_garde.rosters.loadouts import loadout

BANNER = "banner"


def posts(terms: Terms) -> tuple[Post, ...]:
    """The Leader, and the bearer of a banner if the warband has bought one. Rulings P25, P26."""
    return (
        Post(LEADER, "Leader", "Leader", "leader", least=1, source="Ruling P26"),
        Post(
            BANNER,
            "Bearer of the banner",
            "Banner",
            "banner",
            open=bool(terms.extras.get(BANNER)),
            formerly="bearer",
            source="Ruling P25",
        ),
    )


def post_problem(post: str, build: BuildData, terms: Terms) -> Problem | None:
    """Whoever leads must be able to (Ruling P26); anybody may bear the banner. Raises RulesError."""
    if post != LEADER or loadout(from_json(build)).profile.leads:
        return None
    sentence = "A fighter of this profile cannot lead a warband: choose another Leader."
    return Problem("cannot-lead", sentence, field=LEADER, source="Ruling P26")


def default_posts(roster: Roster) -> Posts:
    """The roster's posts; if nobody is named, the highest Rank leads, of equals the dearest. Rulings C11, P26."""
    leader = None if roster.posts.get(LEADER) else default_leader(roster)
    return roster.posts if leader is None else {**roster.posts, LEADER: (leader,)}
