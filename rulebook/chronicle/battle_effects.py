"""What a battle does to a warband: who comes home and how, what they earned there, who sat it out."""

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from rulebook.chronicle.draft import Page
from rulebook.chronicle.facts import Fought
from rulebook.chronicle.states import FighterState, LedgerLine, WarbandState
from rulebook.ruleset import Fate, Outcome, Record

Home = dict[str, FighterState]
"""Those who were fielded and may have been, as they are after the battle, by id."""
FIT, DEAD = Fate.FIT, Fate.DEAD


def fought(page: Page, fact: Fought) -> None:
    """Tell a confirmed battle. A friendly one leaves no mark on anybody."""
    if fact.friendly:
        return
    fielded = {record.fighter for record in fact.records}
    twice = "A fighter is in the records of this battle twice."
    if len(fielded) < len(fact.records) and page.refuses("fielded-twice", twice):
        return
    if not fact.parallel:
        _sit_out(page, fielded)
    home = _come_home(page, fact)
    _award(page, fact, home)
    _praise(fact, home)
    page.fighters.update(home)
    page.state = replace(_tally(page.state, fact.outcome), games_played=page.state.games_played + 1)
    page.vacate()


def _sit_out(page: Page, fielded: set[str]) -> None:
    """Who was to miss a game and did so is one game nearer to being fit."""
    for fighter in list(page.fighters.values()):
        if fighter.misses and fighter.id not in fielded:
            misses = fighter.misses - 1
            fate = fighter.fate if misses else FIT
            page.fighters[fighter.id] = replace(fighter, misses=misses, fate=fate)


def _come_home(page: Page, fact: Fought) -> Home:
    """Each fielded fighter after its record; who cannot have been there is a conflict and left out."""
    found = ((record, _present(page, record, parallel=fact.parallel)) for record in fact.records)
    return {
        record.fighter: _after(page, fighter, record, parallel=fact.parallel)
        for record, fighter in found
        if fighter is not None
    }


def _present(page: Page, record: Record, *, parallel: bool) -> FighterState | None:
    """The fighter of a record, if it can have been there; else None, and a conflict is noted.

    Where a battle is let stand although somebody was dead by then, it leaves no mark on the dead.
    """
    fighter = page.serving(record.fighter)
    if fighter is None or fighter.gone:
        return None
    absent = f"{fighter.name} is {fighter.fate} and has to miss this battle."
    away = not parallel and fighter.fate is not FIT
    return None if away and page.refuses("fighter-absent", absent, fighter.id) else fighter


def _after(page: Page, fighter: FighterState, record: Record, *, parallel: bool) -> FighterState:
    """A fighter after its record. Of parallel battles the worst outcome counts (Ruling C1)."""
    fate, misses = page.rules.fate_after(record, page.state.settings)
    if parallel and fate is FIT and fighter.fate is not FIT:
        fate, misses = fighter.fate, fighter.misses
    return replace(
        fighter,
        fate=fate,
        misses=misses,
        battles=fighter.battles + 1,
        wounds=record.wounds,
        end=record.killed_by if fate is DEAD and not fighter.end else fighter.end,
        condition=record.condition,
    )


def _award(page: Page, fact: Fought, home: Home) -> None:
    """Write a ledger line for each award, and each fighter's new balance."""
    balances: dict[str, int] = {}
    earned: Counter[str] = Counter()
    for award in page.rules.awards(fact.records, fact.deeds, page.state.settings):
        key, amount = award.fighter, award.amount
        if key not in home:
            continue
        balances[key] = balances.get(key, home[key].experience) + amount
        earned[key] += amount if amount > 0 else 0
        line = LedgerLine(page.sequence, key, amount, award.code, award.sentence, award.rule, balances[key])
        page.ledger.append(line)
    for key, balance in balances.items():
        home[key] = replace(home[key], experience=balance, earned=home[key].earned + earned[key])


def _praise(fact: Fought, home: Home) -> None:
    """Count wounds dealt and kills for the service record."""
    deeds = [deed for deed in fact.deeds if deed.kind == "wound" and not deed.friendly and deed.fighter in home]
    wounds: Mapping[str, int] = Counter(deed.fighter for deed in deeds)
    kills: Mapping[str, int] = Counter(deed.fighter for deed in deeds if deed.killed)
    for key, dealt in wounds.items():
        fighter = home[key]
        home[key] = replace(fighter, wounds_dealt=fighter.wounds_dealt + dealt, kills=fighter.kills + kills[key])


def _tally(state: WarbandState, outcome: Outcome) -> WarbandState:
    """One more battle won, drawn or lost."""
    if outcome is Outcome.WON:
        return replace(state, won=state.won + 1)
    if outcome is Outcome.LOST:
        return replace(state, lost=state.lost + 1)
    return replace(state, drawn=state.drawn + 1)
