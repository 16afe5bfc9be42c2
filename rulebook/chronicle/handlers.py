"""What each kind of fact does to a warband. Each function writes on the page that is being facts.

A fact that cannot be true becomes a conflict and is left out, unless somebody has let it stand.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.chronicle import facts
from rulebook.chronicle.battle_effects import fought
from rulebook.chronicle.draft import Page
from rulebook.chronicle.states import GONE, FighterState
from rulebook.ruleset import Fate, RulesError


def _mustered(page: Page, fact: facts.Mustered) -> None:
    page.state = replace(
        page.state,
        ruleset=fact.ruleset,
        edition=fact.edition,
        faction=fact.faction,
        name=fact.name,
        extras=fact.extras,
    )


def _enrolled(page: Page, fact: facts.Enrolled) -> None:
    if page.state.campaign is not None and page.refuses("already-enrolled", "The warband is in another campaign."):
        return
    page.state = replace(
        page.state,
        campaign=fact.campaign,
        agreed_points=fact.agreed_points,
        settings=fact.settings,
        games_played=0,
    )
    for fighter in list(page.fighters.values()):
        page.fighters[fighter.id] = replace(fighter, joined_after=0)
    _weigh_all(page)


def _withdrawn(page: Page, fact: facts.Withdrawn) -> None:
    if page.state.campaign != fact.campaign and page.refuses("not-enrolled", "The warband is not in this campaign."):
        return
    page.state = replace(page.state, campaign=None, agreed_points=None)


def _rules_changed(page: Page, fact: facts.RulesChanged) -> None:
    page.state = replace(page.state, settings=fact.settings)
    _weigh_all(page)


def _edition_adopted(page: Page, fact: facts.EditionAdopted) -> None:
    page.state = replace(page.state, edition=fact.edition)
    _weigh_all(page)


def _recruited(page: Page, fact: facts.Recruited) -> None:
    for recruit in fact.recruits:
        if recruit.fighter in page.fighters:
            page.refuses("already-recruited", f"{recruit.name} is on the roster already.", recruit.fighter)
            continue
        known = _built(page, recruit.build, recruit.fighter)
        if known is None:
            continue
        page.fighters[recruit.fighter] = FighterState(
            id=recruit.fighter,
            name=recruit.name,
            build=recruit.build,
            joined_after=page.state.games_played,
            place=page.state.recruited,
            **known,
        )
        page.state = replace(page.state, recruited=page.state.recruited + 1)


def _equipped(page: Page, fact: facts.Equipped) -> None:
    fighter = page.serving(fact.fighter)
    known = None if fighter is None else _built(page, fact.build, fact.fighter)
    if fighter is not None and known is not None:
        page.fighters[fighter.id] = replace(fighter, build=fact.build, **known)


def _furnished(page: Page, fact: facts.Furnished) -> None:
    page.state = replace(page.state, extras=fact.extras)
    _weigh_all(page)


def _appointed(page: Page, fact: facts.Appointed) -> None:
    for post in (fact.leader, fact.bearer):
        if post is not None and page.serving(post) is None:
            return
    page.state = replace(page.state, leader=fact.leader, bearer=fact.bearer)


def _renamed(page: Page, fact: facts.Renamed) -> None:
    if fact.fighter is None:
        page.state = replace(page.state, name=fact.name)
    elif fact.fighter not in page.fighters:
        page.refuses("unknown-fighter", "This fighter is not on the roster then.", fact.fighter)
    else:
        page.fighters[fact.fighter] = replace(page.fighters[fact.fighter], name=fact.name)


def _ranked_up(page: Page, fact: facts.RankedUp) -> None:
    fighter = page.serving(fact.fighter)
    if fighter is None:
        return
    try:
        taken = page.rules.take_rank_up(fighter.build, page.state.terms, fact.step, fact.picks)
    except RulesError as error:
        page.impossible("illegal-rank-up", str(error), fighter.id)
        return
    short = taken.cost - fighter.experience
    wanting = f"{fighter.name} has {fighter.experience} experience; {taken.name} costs {taken.cost}."
    if short > 0 and page.refuses("unaffordable-rank-up", wanting, fighter.id):
        return
    fighter = page.book(fighter, -taken.cost, "rank-up", f"Rank {taken.rank}: {taken.name}", 'Rule book: "Progression"')
    known = page.rules.fighter_facts(taken.build, page.state.terms)
    page.fighters[fighter.id] = replace(
        fighter,
        build=taken.build,
        rank=known.rank,
        points=known.points,
        profile_name=known.profile_name,
        promotions=fighter.promotions + 1,
    )


def _left(page: Page, fact: facts.Left) -> None:
    fighter = page.serving(fact.fighter)
    if fighter is None or fighter.gone:
        return
    struck = fact.reason == "struck"
    if struck and fighter.untried:
        del page.fighters[fighter.id]
    elif struck and page.refuses("struck-veteran", f"{fighter.name} has a record: retire instead.", fighter.id):
        return
    else:
        page.fighters[fighter.id] = replace(fighter, fate=Fate.RETIRED, end=fact.reason, misses=0)
    page.vacate()


def _adjusted(page: Page, fact: facts.Adjusted) -> None:
    fighter = page.fighters.get(fact.fighter)
    if fighter is None:
        page.refuses("unknown-fighter", "This fighter is not on the roster then.", fact.fighter)
        return
    wanting = f"{fighter.name} has only {fighter.experience} experience to take from."
    if fighter.experience + fact.experience < 0 and page.refuses("balance-below-zero", wanting, fighter.id):
        return
    if fact.experience:
        fighter = page.book(fighter, fact.experience, "adjusted", fact.reason, "Organiser's decision")
    if fact.fate is not None:
        end = fact.reason if fact.fate in GONE else ""
        misses = int(fact.fate is Fate.RECOVERING)
        page.fighters[fighter.id] = replace(fighter, fate=fact.fate, misses=misses, end=end)
    page.vacate()


# The smaller steps.


def _built(page: Page, build: Mapping[str, Any], fighter: str) -> dict[str, Any] | None:
    """Rank, points and profile of a build; None, and a conflict, where the rules cannot read it."""
    try:
        known = page.rules.fighter_facts(build, page.state.terms)
    except RulesError as error:
        page.impossible("unreadable-build", str(error), fighter)
        return None
    return {"rank": known.rank, "points": known.points, "profile_name": known.profile_name}


def _weigh_all(page: Page) -> None:
    """Points follow the terms: weigh everybody again."""
    for fighter in list(page.fighters.values()):
        known = _built(page, fighter.build, fighter.id)
        if known is not None:
            page.fighters[fighter.id] = replace(fighter, **known)


TELL: Mapping[type[facts.Fact], Callable[[Page, Any], None]] = {
    facts.Mustered: _mustered,
    facts.Enrolled: _enrolled,
    facts.Withdrawn: _withdrawn,
    facts.RulesChanged: _rules_changed,
    facts.EditionAdopted: _edition_adopted,
    facts.Recruited: _recruited,
    facts.Equipped: _equipped,
    facts.Furnished: _furnished,
    facts.Appointed: _appointed,
    facts.Renamed: _renamed,
    facts.Fought: fought,
    facts.RankedUp: _ranked_up,
    facts.Left: _left,
    facts.Adjusted: _adjusted,
}
