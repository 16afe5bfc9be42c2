"""A campaign that is played in this process by the services, for prints and their tests.

The rosters come from the demonstration, the names come from ``data/names.toml``, and a referee
plays the battles.
"""

import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, partial
from itertools import cycle, product
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django.contrib.auth.models import User
from msgspec import Struct

from battles.models import Battle
from battles.rulebook_values import read_setup, sides_of
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from battles.services.review import submit_battle
from campaigns.models import Method
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Answer, Attendance, Evening, Membership, Role
from clubs.services.clubs import found_club
from leagues.services.rounds import RoundTerms, make_rounds
from rulebook.chronicle.states import WarbandState, roster_fighter
from rulebook.registry import find_ruleset
from rulebook.ruleset import BattleSetup, Fate, LoggedEvent, RankUp, Roster
from scripts.demo.campaigns import REFEREES, campaign_plan
from scripts.demo.plans import warband_plans
from scripts.demo.referees.quick_result import quick_result
from warbands.models import Warband
from warbands.roster_rules import affordable_rank_ups
from warbands.rulebook_values import read_state
from warbands.services.posts import appoint
from warbands.services.rank_ups import take_rank_up
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband
from warbands.signed import create_signed

NAMES = Path(__file__).parent / "data" / "names.toml"
COLOURS = ("#7a2e2e", "#2b4c7e", "#2f5d3a", "#b8860b")
FIRST_DAY = date(2026, 1, 8)
TOP = 5
REASON = "Needed for print."
IDLE = 7
"""Fighters attack this rarely in quick battles: as in the demonstration, most survive."""
Referee = Callable[[BattleSetup, Random], Sequence[LoggedEvent]]
PLAYED_BY: Mapping[str, Referee] = {
    "en-garde": partial(quick_result, idle=IDLE),
    **{ruleset: referee.battle for ruleset, referee in REFEREES.items()},
}


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a warband, its player, and the names of its fighters."""

    company: str
    player: str
    given: tuple[str, ...]
    family: tuple[str, ...]

    def all(self) -> Iterator[str]:
        """Return every full name; the given names change fastest."""
        return (f"{given} {family}" for family, given in product(self.family, self.given))


class Line(Struct, frozen=True):
    """A fighter of a roster: its build, and its warband roles."""

    build: Mapping[str, Any]
    posts: tuple[str, ...] = ()


class Roll(Struct, frozen=True):
    """A legal roster of the demonstration."""

    faction: str
    extras: Mapping[str, Any]
    lines: tuple[Line, ...]

    def of(self, size: int) -> tuple[Line, ...]:
        """Return ``size`` fighters: the first ones, or all with copies of the last one."""
        return (*self.lines, *(Line(self.lines[-1].build) for _ in range(size - len(self.lines))))[
            :size
        ]


@cache
def names_of(which: str) -> Names:
    """Return the names of a list."""
    return msgspec.convert(tomllib.loads(NAMES.read_text(encoding="utf-8"))[which], Names)


@cache
def rolls(ruleset: str) -> tuple[Roll, ...]:
    """Return the rosters of the demonstration's campaign."""
    if ruleset in REFEREES:
        return tuple(
            Roll(
                army.faction,
                army.extras,
                _lines((line.build, line.count, line.posts) for line in army.fighter),
            )
            for army in campaign_plan(ruleset).army
        )
    return tuple(
        Roll(
            plan.faction,
            plan.extras,
            _lines(
                (line.build, line.count, ("banner",) if line.bears else ())
                for line in plan.fighters
            ),
        )
        for plan in warband_plans()
    )


def _lines(planned: Iterable[tuple[Mapping[str, Any], int, tuple[str, ...]]]) -> tuple[Line, ...]:
    """Return a line for each fighter of the plan.

    The first of several fighters has their warband roles, and each role is filled once.
    """
    lines, filled = [], set[str]()
    for build, count, posts in planned:
        lines.append(Line(build, tuple(post for post in posts if post not in filled)))
        lines += [Line(build)] * (count - 1)
        filled.update(posts)
    return tuple(lines)


class Play:
    """A running campaign whose organiser keeps all warbands, and so confirms what they log."""

    def __init__(
        self, name: str, ruleset: str, called: Sequence[str], *, size: int = 0, seed: int = 1
    ) -> None:
        """Create the campaign with a warband for each list of names in ``called``.

        ``size`` is the number of fighters in each; 0 means as planned.
        """
        self.luck = Random(seed)  # noqa: S311 - a game, and repeatable
        self.user = User.objects.create(username=f"organiser-{User.objects.count() + 1}")
        self.club = found_club(
            user=self.user, name="The Society of the Long Table", member_name="Ottilie"
        )
        plan: dict[str, Any] = {}
        if ruleset in REFEREES:
            defaults = campaign_plan(ruleset)
            plan = {"house_rules": defaults.house_rules, **defaults.terms}
        else:
            plan = {"points": 600}
        self.campaign = plan_campaign(
            club_id=self.club.pk, user=self.user, name=name, ruleset=ruleset, **plan
        )
        rosters = cycle(rolls(ruleset))
        self.warbands = [self._muster(names_of(each), next(rosters), size) for each in called]
        for warband, each, colour in zip(self.warbands, called, cycle(COLOURS), strict=False):
            seat = create_signed(
                Membership, club=self.club, name=names_of(each).player, role=Role.PLAYER
            )
            seated: dict[str, Any] = {
                "player_id": seat.pk,
                "colour": colour,
                "overrule": REASON,
            }
            enrol_warband(
                campaign_id=self.campaign.pk, warband_id=warband.pk, user=self.user, **seated
            )
        self.campaign = start_campaign(campaign_id=self.campaign.pk, user=self.user)

    def _muster(self, names: Names, roll: Roll, size: int) -> Warband:
        kwargs: dict[str, Any] = {
            "faction": roll.faction,
            "name": names.company,
            "extras": roll.extras,
            "kept": True,
        }
        warband = muster_warband(user=self.user, ruleset=self.campaign.ruleset, **kwargs)
        lines = roll.of(size or len(roll.lines))
        new_fighters = [
            NewFighter(line.build, name)
            for line, name in zip(lines, cycle(names.all()), strict=False)
        ]
        joined = recruit_fighters(warband_id=warband.pk, fighters=new_fighters, user=self.user)
        posts = {
            post: fighter
            for line, fighter in zip(lines, joined, strict=True)
            for post in line.posts
        }
        if posts:
            appoint(warband_id=warband.pk, user=self.user, posts=posts)
        return warband

    def state(self, warband: Warband) -> WarbandState:
        """Return the present state of the warband."""
        return read_state(Warband.objects.get(pk=warband.pk))

    def fight(
        self, *warbands: Warband, title: str = "", story: str = "", referee: Referee | None = None
    ) -> Battle:
        """Play a battle from plan to confirmation between these warbands (all if none are named).

        Its day is a week after the last battle.
        """
        battle = self.begin(self.field(self.plan(*warbands, title=title, story=story)))
        self.log(battle, referee)
        return submit_battle(battle_id=battle.pk, user=self.user)

    def plan(self, *warbands: Warband, title: str = "", story: str = "") -> Battle:
        """Plan a battle between these warbands (all if none are named)."""
        rules = find_ruleset(self.campaign.ruleset, self.campaign.edition)
        fighting = warbands or self.warbands
        scenario = next(each for each in rules.scenarios() if each.roles[0].most >= len(fighting))
        sides = tuple(PlannedSide(each.pk, scenario.roles[0].key) for each in fighting)
        day = FIRST_DAY + timedelta(weeks=self.campaign.battles.count())
        plan = BattlePlan(
            scenario=scenario.key,
            sides=sides,
            fought_on=day,
            campaign=self.campaign.pk,
            title=title,
            story=story,
        )
        return plan_battle(user=self.user, plan=plan)

    def field(self, battle: Battle) -> Battle:
        """Set the line-up of each side to all fit fighters, and return the battle."""
        for side in battle.sides.select_related("warband").order_by("place"):
            field_combatants(
                battle_id=battle.pk, side=side.key, force=self._force(side.warband), user=self.user
            )
        return battle

    def begin(self, battle: Battle) -> Battle:
        """Start the battle and return it."""
        return start_battle(battle_id=battle.pk, user=self.user)

    def log(self, battle: Battle, referee: Referee | None = None) -> None:
        """Log the events of the referee."""
        battle_events = (referee or PLAYED_BY[self.campaign.ruleset])(
            read_setup(battle, sides_of(battle)), self.luck
        )
        events = [NewEvent(uuid4(), event.kind, event.data, event.turn) for event in battle_events]
        log_events(battle_id=battle.pk, events=events, user=self.user)

    def _force(self, warband: Warband) -> Force:
        """Return a line-up of all fit fighters, with warband roles by the rules."""
        state = self.state(warband)
        rules = find_ruleset(self.campaign.ruleset, self.campaign.edition)
        fit = [fighter for fighter in state.fighters.values() if fighter.fate is Fate.FIT]
        present = Roster(state.terms, tuple(roster_fighter(each) for each in fit), state.posts)
        keys = {each.id for each in fit}
        posts = {
            post: tuple(UUID(holder) for holder in holders if holder in keys)
            for post, holders in rules.default_posts(present).items()
        }
        return Force(
            tuple(UUID(each.id) for each in fit), {post: who for post, who in posts.items() if who}
        )

    def pair(self) -> None:
        """Make a round robin of all warbands, whose rounds have deadlines a week apart."""
        terms = RoundTerms(method=Method.ROUND_ROBIN, deadline=FIRST_DAY, days=7, seed="1")
        make_rounds(campaign_id=self.campaign.pk, user=self.user, terms=terms)

    def meet(self) -> Evening:
        """Add a club night to which all members come, and return it."""
        starts_at = datetime.combine(FIRST_DAY, time(19), UTC)
        evening = Evening.objects.create(
            club=self.club,
            starts_at=starts_at,
            ends_at=starts_at + timedelta(hours=4),
            place="The Long Table, upper room",
            note="Bring dice, and something to measure with.",
            changed_at=starts_at,
            created_by=self.user,
        )
        Attendance.objects.bulk_create(
            Attendance(evening=evening, member=member, answer=Answer.COMING, answered_at=starts_at)
            for member in self.club.memberships.order_by("name")
        )
        return evening

    def raise_ranks(self) -> None:
        """Take the first affordable rank-up of each fighter, with the first possible picks.

        Nobody reaches Rank V, because a side can often have only one such fighter.
        """
        for warband in self.warbands:
            seen: set[str] = set()
            while offer := self._offers(warband, seen):
                fighter, step = offer
                seen.add(fighter)
                picks = {
                    pick.key: [key for key, _ in pick.choices[: pick.least]]
                    for pick in step.picks
                    if pick.least
                }
                take_rank_up(fighter_id=UUID(fighter), step=step.key, user=self.user, picks=picks)

    def _offers(self, warband: Warband, seen: Collection[str]) -> tuple[str, RankUp] | None:
        state = self.state(warband)
        rules = find_ruleset(self.campaign.ruleset, self.campaign.edition)
        offers = affordable_rank_ups(rules, state).items()
        return next(
            ((who, steps[0]) for who, steps in offers if who not in seen and steps[0].rank < TOP),
            None,
        )

    def reinforce(self) -> None:
        """Recruit as many fighters as are gone, with the last builds of the roster."""
        for warband, roll in zip(self.warbands, cycle(rolls(self.campaign.ruleset)), strict=False):
            serving = [each for each in self.state(warband).fighters.values() if not each.gone]
            recruits = [NewFighter(line.build) for line in roll.lines[len(serving) :]]
            if recruits:
                recruit_fighters(
                    warband_id=warband.pk, fighters=recruits, user=self.user, overrule=REASON
                )
