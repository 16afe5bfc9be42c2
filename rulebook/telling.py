"""What each kind of fact does to a warband. Each function writes on the page that is being told.

A fact that cannot be true becomes a conflict and is left out, unless somebody has let it stand.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook import facts as told
from rulebook.ruleset import Award, Fate, Outcome, Record, RulesError, Ruleset
from rulebook.states import GONE, Conflict, FighterState, LedgerLine, Step, WarbandState


class Page:
    """The state while one fact is being told: the only mutable thing here, and it never leaves this module."""

    def __init__(self, state: WarbandState, sequence: int, rules: Ruleset, stands: str | None) -> None:
        self.state = state
        self.sequence = sequence
        self.rules = rules
        self.stands = stands
        self.fighters = dict(state.fighters)
        self.ledger: list[LedgerLine] = []
        self.conflicts: list[Conflict] = []

    def refuses(self, code: str, sentence: str, fighter: str | None = None) -> bool:
        """Note a conflict; True unless the fact stands all the same."""
        stands = self.stands is not None
        self.conflicts.append(Conflict(self.sequence, code, sentence, fighter, stands, self.stands or ""))
        return not stands

    def serving(self, fighter: str) -> FighterState | None:
        """The fighter if it is on the roster and alive; else None, and a conflict is noted."""
        known = self.fighters.get(fighter)
        if known is None:
            self.conflicts.append(
                Conflict(self.sequence, "unknown-fighter", "This fighter is not on the roster then.", fighter)
            )
            return None
        if known.fate in GONE and self.refuses("fighter-gone", f"{known.name} is {known.fate} by then.", fighter):
            return None
        return known

    def book(self, fighter: FighterState, amount: int, code: str, sentence: str, rule: str) -> FighterState:
        """Write a ledger line; returns the fighter with the new balance."""
        balance = fighter.experience + amount
        self.ledger.append(LedgerLine(self.sequence, fighter.id, amount, code, sentence, rule, balance))
        fighter = replace(fighter, experience=balance, earned=fighter.earned + max(amount, 0))
        self.fighters[fighter.id] = fighter
        return fighter

    def turned(self) -> Step:
        """The step that this page amounts to."""
        state = replace(self.state, sequence=self.sequence, fighters=self.fighters)
        return Step(state, tuple(self.ledger), tuple(self.conflicts))


def _mustered(page: Page, fact: told.Mustered) -> None:
    page.state = replace(
        page.state,
        ruleset=fact.ruleset,
        edition=fact.edition,
        faction=fact.faction,
        name=fact.name,
        extras=fact.extras,
    )


def _enrolled(page: Page, fact: told.Enrolled) -> None:
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


def _withdrawn(page: Page, fact: told.Withdrawn) -> None:
    if page.state.campaign != fact.campaign and page.refuses("not-enrolled", "The warband is not in this campaign."):
        return
    page.state = replace(page.state, campaign=None, agreed_points=None)


def _rules_changed(page: Page, fact: told.RulesChanged) -> None:
    page.state = replace(page.state, settings=fact.settings)
    _weigh_all(page)


def _edition_adopted(page: Page, fact: told.EditionAdopted) -> None:
    page.state = replace(page.state, edition=fact.edition)
    _weigh_all(page)


def _recruited(page: Page, fact: told.Recruited) -> None:
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


def _equipped(page: Page, fact: told.Equipped) -> None:
    fighter = page.serving(fact.fighter)
    known = None if fighter is None else _built(page, fact.build, fact.fighter)
    if fighter is not None and known is not None:
        page.fighters[fighter.id] = replace(fighter, build=fact.build, **known)


def _furnished(page: Page, fact: told.Furnished) -> None:
    page.state = replace(page.state, extras=fact.extras)
    _weigh_all(page)


def _appointed(page: Page, fact: told.Appointed) -> None:
    for post in (fact.leader, fact.bearer):
        if post is not None and page.serving(post) is None:
            return
    page.state = replace(page.state, leader=fact.leader, bearer=fact.bearer)


def _renamed(page: Page, fact: told.Renamed) -> None:
    if fact.fighter is None:
        page.state = replace(page.state, name=fact.name)
    elif fact.fighter not in page.fighters:
        page.refuses("unknown-fighter", "This fighter is not on the roster then.", fact.fighter)
    else:
        page.fighters[fact.fighter] = replace(page.fighters[fact.fighter], name=fact.name)


def _fought(page: Page, fact: told.Fought) -> None:
    if fact.friendly:
        return
    fielded = {record.fighter for record in fact.records}
    twice = "A fighter is in the records of this battle twice."
    if len(fielded) < len(fact.records) and page.refuses("fielded-twice", twice):
        return
    if not fact.parallel:
        _sit_out(page, fielded)
    records = fact.records
    allowed = {record.fighter for record in records if _return_from_battle(page, record, parallel=fact.parallel)}
    for award in page.rules.awards(fact.records, fact.deeds, page.state.settings):
        if award.fighter in allowed:
            _award(page, award)
    _praise(page, fact, allowed)
    page.state = replace(_tally(page.state, fact.outcome), games_played=page.state.games_played + 1)
    _vacate(page)


def _ranked_up(page: Page, fact: told.RankedUp) -> None:
    fighter = page.serving(fact.fighter)
    if fighter is None:
        return
    try:
        taken = page.rules.take_rank_up(fighter.build, page.state.terms, fact.step, fact.picks)
    except RulesError as error:
        page.conflicts.append(Conflict(page.sequence, "illegal-rank-up", str(error), fighter.id))
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


def _left(page: Page, fact: told.Left) -> None:
    fighter = page.serving(fact.fighter)
    if fighter is None or fighter.fate in GONE:
        return
    struck = fact.reason == "struck"
    if struck and fighter.untried:
        del page.fighters[fighter.id]
    elif struck and page.refuses("struck-veteran", f"{fighter.name} has a record: retire instead.", fighter.id):
        return
    else:
        page.fighters[fighter.id] = replace(fighter, fate=Fate.RETIRED, end=fact.reason, misses=0)
    _vacate(page)


def _adjusted(page: Page, fact: told.Adjusted) -> None:
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
    _vacate(page)


# The smaller steps.


def _built(page: Page, build: Mapping[str, Any], fighter: str) -> dict[str, Any] | None:
    """Rank, points and profile of a build; None, and a conflict, where the rules cannot read it."""
    try:
        known = page.rules.fighter_facts(build, page.state.terms)
    except RulesError as error:
        page.conflicts.append(Conflict(page.sequence, "unreadable-build", str(error), fighter))
        return None
    return {"rank": known.rank, "points": known.points, "profile_name": known.profile_name}


def _weigh_all(page: Page) -> None:
    """Points follow the terms: weigh everybody again."""
    for fighter in list(page.fighters.values()):
        known = _built(page, fighter.build, fighter.id)
        if known is not None:
            page.fighters[fighter.id] = replace(fighter, **known)


def _sit_out(page: Page, fielded: set[str]) -> None:
    """Who was to miss a game and did so is one game nearer to being fit."""
    for fighter in list(page.fighters.values()):
        if fighter.misses and fighter.id not in fielded:
            misses = fighter.misses - 1
            fate = fighter.fate if misses else Fate.FIT
            page.fighters[fighter.id] = replace(fighter, misses=misses, fate=fate)


def _return_from_battle(page: Page, record: Record, *, parallel: bool) -> bool:
    """Apply a record to its fighter; False, and a conflict, where the fighter cannot have been there.

    Where a battle is let stand although somebody was dead by then, it leaves no mark on the dead. Of parallel battles
    the worst outcome counts (Ruling C1).
    """
    fighter = page.serving(record.fighter)
    if fighter is None or fighter.fate in GONE:
        return False
    absent = f"{fighter.name} is {fighter.fate} and has to miss this battle."
    away = fighter.fate in (Fate.RECOVERING, Fate.CAPTURED)
    if away and not parallel and page.refuses("fighter-absent", absent, fighter.id):
        return False
    fate, misses = page.rules.fate_after(record, page.state.settings)
    if away and parallel and fate is Fate.FIT:
        fate, misses = fighter.fate, fighter.misses
    page.fighters[fighter.id] = replace(
        fighter,
        fate=fate,
        misses=misses,
        battles=fighter.battles + 1,
        wounds=record.wounds,
        end=record.killed_by if fate is Fate.DEAD and not fighter.end else fighter.end,
        condition=record.condition,
    )
    return True


def _award(page: Page, award: Award) -> None:
    page.book(page.fighters[award.fighter], award.amount, award.code, award.sentence, award.rule)


def _praise(page: Page, fact: told.Fought, allowed: set[str]) -> None:
    """Count wounds dealt and kills for the service record."""
    for deed in fact.deeds:
        if deed.kind != "wound" or deed.friendly or deed.fighter not in allowed:
            continue
        fighter = page.fighters[deed.fighter]
        page.fighters[fighter.id] = replace(
            fighter, wounds_dealt=fighter.wounds_dealt + 1, kills=fighter.kills + int(deed.killed)
        )


def _tally(state: WarbandState, outcome: Outcome) -> WarbandState:
    """One more battle won, drawn or lost."""
    if outcome is Outcome.WON:
        return replace(state, won=state.won + 1)
    if outcome is Outcome.LOST:
        return replace(state, lost=state.lost + 1)
    return replace(state, drawn=state.drawn + 1)


def _vacate(page: Page) -> None:
    """A Leader or bearer who is gone leaves the post empty (Ruling C11: a new one is named)."""
    gone = {None} | {key for key, fighter in page.fighters.items() if fighter.fate in GONE}
    leader, bearer = page.state.leader, page.state.bearer
    leader = leader if leader in page.fighters and leader not in gone else None
    bearer = bearer if bearer in page.fighters and bearer not in gone else None
    page.state = replace(page.state, leader=leader, bearer=bearer)


TELL: Mapping[type[told.Fact], Callable[[Page, Any], None]] = {
    told.Mustered: _mustered,
    told.Enrolled: _enrolled,
    told.Withdrawn: _withdrawn,
    told.RulesChanged: _rules_changed,
    told.EditionAdopted: _edition_adopted,
    told.Recruited: _recruited,
    told.Equipped: _equipped,
    told.Furnished: _furnished,
    told.Appointed: _appointed,
    told.Renamed: _renamed,
    told.Fought: _fought,
    told.RankedUp: _ranked_up,
    told.Left: _left,
    told.Adjusted: _adjusted,
}
