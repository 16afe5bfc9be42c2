"""The replay: facts -> fighters, experience ledger, conflicts.

A warband is the replay of its chronicle. ``step`` takes one fact further from a known state; ``replay_chronicle``
starts from nothing, honours corrections and takes battles in the order of play. Both call the same handler for
each kind of fact, so that they agree (a property test holds them to it).

A fact that can no longer be true becomes a conflict. It is left out, unless a correction says that it stands.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from rulebook.chronicle import facts
from rulebook.chronicle.facts import AnyFact
from rulebook.chronicle.states import (
    GONE,
    Conflict,
    FighterState,
    LedgerLine,
    ReplayResult,
    WarbandState,
    without_holders,
)
from rulebook.ruleset import Deed, Fate, Outcome, Record, RulesError, Ruleset

FindRuleset = Callable[[str, str], Ruleset]


def step(
    state: WarbandState,
    fact: AnyFact,
    find_ruleset: FindRuleset,
    *,
    sequence: int | None = None,
    stands: str | None = None,
) -> ReplayResult:
    """One fact further. ``stands`` is the reason for which a conflict is overruled, None if it is not.

    A battle that was played before the last one (``Fought.is_late``) needs its place: replay the chronicle with it.
    Raises TypeError for a ``Corrected`` fact: a correction needs the whole chronicle, see ``replay_chronicle``.
    """
    if isinstance(fact, facts.Corrected):
        raise TypeError("A correction cannot be stepped: replay the chronicle.")
    # Whoever musters a warband, or adopts another edition, names the rules that hold for this very fact.
    ruleset = fact.ruleset if isinstance(fact, facts.Mustered) else state.ruleset
    edition = fact.edition if isinstance(fact, facts.Mustered | facts.EditionAdopted) else state.edition
    place, rules = state.sequence + 1 if sequence is None else sequence, find_ruleset(ruleset, edition)
    draft = StateDraft(state, place, rules, stands)
    try:
        HANDLERS[type(fact)](draft, fact)
    except RulesError as error:
        # The rules cannot read something that all facts hang on, such as a house rule: this fact is left out.
        draft = StateDraft(state, place, rules, stands)
        draft.add_lasting_conflict("unreadable-rules", str(error))
    if isinstance(fact, facts.Fought):
        draft.state = replace(draft.state, last_played=max(draft.state.last_played, fact.played))
    return draft.result()


def replay_chronicle(chronicle: Sequence[AnyFact], find_ruleset: FindRuleset) -> ReplayResult:
    """The replay of a whole chronicle, corrections honoured: state, ledger and conflicts, battles in order of play."""
    state, ledger, conflicts = WarbandState(), list[LedgerLine](), list[Conflict]()
    for _, _, _, result in replay_steps(chronicle, find_ruleset):
        state = result.state
        ledger += result.ledger
        conflicts += result.conflicts
    return ReplayResult(replace(state, sequence=len(chronicle)), tuple(ledger), tuple(conflicts))


def replay_steps(
    chronicle: Sequence[AnyFact], find_ruleset: FindRuleset
) -> Iterator[tuple[int, AnyFact, WarbandState, ReplayResult]]:
    """Each fact that counts, battles in order of play: its place in the chronicle, the fact, the state before it and
    what it has made of that."""
    state = WarbandState()
    standing = {stand.sequence: stand.reason for fact in corrections(chronicle) for stand in fact.standing}
    for sequence, fact in effective(chronicle):
        result = step(state, fact, find_ruleset, sequence=sequence, stands=standing.get(sequence))
        yield sequence, fact, state, result
        state = result.state


def corrections(chronicle: Iterable[AnyFact]) -> list[facts.Corrected]:
    """The corrections in a chronicle, oldest first."""
    return [fact for fact in chronicle if isinstance(fact, facts.Corrected)]


def effective(chronicle: Sequence[AnyFact]) -> list[tuple[int, AnyFact]]:
    """The facts that count, each with its place in the chronicle (from 1): corrected ones replaced, struck ones left
    out, battles in order of play."""
    return effective_at(enumerate(chronicle, start=1))


def effective_at(numbered: Iterable[tuple[int, AnyFact]]) -> list[tuple[int, AnyFact]]:
    """As ``effective``, of part of a chronicle: some facts with their places, and every correction.

    Battles and other facts follow each other as they do in the whole chronicle if every battle is among them.
    """
    recorded = dict(numbered)
    current: dict[int, AnyFact | None] = dict(recorded)
    for sequence, fact in recorded.items():
        if isinstance(fact, facts.Corrected):
            current[sequence] = None
            current[fact.target] = fact.replacement
            current.update(dict.fromkeys(fact.undone))
    counting = ((sequence, fact) for sequence, fact in current.items() if fact is not None)
    return in_order_of_play(sorted(counting, key=itemgetter(0)))


def in_order_of_play(numbered: Iterable[tuple[int, AnyFact]]) -> list[tuple[int, AnyFact]]:
    """Facts that count, given in the order of entry, with each battle where it was played.

    The facts are taken in the order of entry. Each goes to the end, except a late battle: one that was played before a
    battle already there goes directly before the first such battle. So what follows depends on nothing but the facts
    that count: a correction that gives a battle another day moves it, and one that is struck out holds no place.

    - Battles are compared by day, then place in the day; those that have both alike keep the order of entry.
    - All other facts keep the order of entry among themselves, and to the battle after which they were entered.
    - A battle without a place in its day (of before Muster knew it) never moves. Others are placed before it only if
      its day is later than theirs.
    """
    placed: list[tuple[int, AnyFact]] = []
    last_played = ("", "")
    for sequence, fact in numbered:
        place = len(placed)
        if isinstance(fact, facts.Fought):
            if fact.is_late(last_played):
                place = next(at for at, (_, other) in enumerate(placed) if _is_later(other, fact))
            last_played = max(last_played, fact.played)
        placed.insert(place, (sequence, fact))
    return placed


def _is_later(other: AnyFact, fact: facts.Fought) -> bool:
    return isinstance(other, facts.Fought) and other.played > fact.played


def state_before(chronicle: Sequence[AnyFact], find_ruleset: FindRuleset, played: tuple[str, str]) -> WarbandState:
    """The warband as it was when a battle was played that is not in its chronicle yet: at the place that
    ``in_order_of_play`` would give it."""
    state = WarbandState()
    for _, fact, before, result in replay_steps(chronicle, find_ruleset):
        if isinstance(fact, facts.Fought) and fact.played > played:
            return before
        state = result.state
    return state


class StateDraft:
    """The state while one fact is being applied: the only mutable thing of a replay, and it never leaves a step."""

    def __init__(self, state: WarbandState, sequence: int, rules: Ruleset, stands: str | None) -> None:
        self.state = state
        self.sequence = sequence
        self.rules = rules
        self.stands = stands
        self.fighters = dict(state.fighters)
        self.ledger: list[LedgerLine] = []
        self.conflicts: list[Conflict] = []

    def add_conflict(self, code: str, sentence: str, fighter: str | None = None) -> bool:
        """Note a conflict; True unless somebody has let the fact stand all the same."""
        stands = self.stands is not None
        self.conflicts.append(Conflict(self.sequence, code, sentence, fighter, stands, self.stands or ""))
        return not stands

    def add_lasting_conflict(self, code: str, sentence: str, fighter: str | None = None) -> None:
        """Note a conflict that nobody can let stand."""
        self.conflicts.append(Conflict(self.sequence, code, sentence, fighter))

    def add_ledger_line(self, fighter: FighterState, amount: int, code: str, sentence: str, rule: str) -> FighterState:
        """Write a ledger line; returns the fighter with the new balance, and keeps it."""
        balance = fighter.experience + amount
        self.ledger.append(LedgerLine(self.sequence, fighter.id, amount, code, sentence, rule, balance))
        fighter = replace(fighter, experience=balance, earned=fighter.earned + max(amount, 0))
        self.fighters[fighter.id] = fighter
        return fighter

    def serving_fighter(self, fighter: str) -> FighterState | None:
        """The fighter if it is on the roster and alive; else None, and a conflict is noted."""
        known = self.fighters.get(fighter)
        if known is None:
            self.add_lasting_conflict("unknown-fighter", "This fighter is not on the roster then.", fighter)
            return None
        if known.gone and self.add_conflict("fighter-gone", f"{known.name} is {known.fate} by then.", fighter):
            return None
        return known

    def known_fighter(self, fighter: str) -> FighterState | None:
        """The fighter if it is or was on the roster; else None, and a conflict is noted."""
        known = self.fighters.get(fighter)
        if known is None:
            self.add_conflict("unknown-fighter", "This fighter is not on the roster then.", fighter)
        return known

    def rated(self, fighter: FighterState) -> FighterState | None:
        """The fighter with rank, points and profile of its build in its condition.

        None, and a conflict, where the rules cannot read the build.
        """
        try:
            known = self.rules.fighter_facts(fighter.build, self.state.terms, fighter.condition)
        except RulesError as error:
            self.add_lasting_conflict("unreadable-build", str(error), fighter.id)
            return None
        return replace(fighter, rank=known.rank, points=known.points, profile_name=known.profile_name)

    def serve_on(self, **terms: Any) -> None:
        """Change the terms of the warband. Points follow them: rate everybody again who can be."""
        self.state = replace(self.state, **terms)
        for fighter in list(self.fighters.values()):
            rated = self.rated(fighter)
            if rated is not None:
                self.fighters[fighter.id] = rated

    def empty_posts(self) -> None:
        """Whoever is gone leaves a post empty; a new holder is named by the warband's owner."""
        gone = {
            holder
            for holders in self.state.posts.values()
            for holder in holders
            if holder not in self.fighters or self.fighters[holder].gone
        }
        if gone:
            self.state = replace(self.state, posts=without_holders(self.state.posts, gone))

    def result(self) -> ReplayResult:
        """What the fact has made of the warband."""
        state = replace(self.state, sequence=self.sequence, fighters=self.fighters)
        return ReplayResult(state, tuple(self.ledger), tuple(self.conflicts))


# What each kind of fact does.


def _mustered(draft: StateDraft, fact: facts.Mustered) -> None:
    draft.state = replace(
        draft.state,
        ruleset=fact.ruleset,
        edition=fact.edition,
        faction=fact.faction,
        name=fact.name,
        extras=fact.extras,
    )


def _enrolled(draft: StateDraft, fact: facts.Enrolled) -> None:
    elsewhere = draft.state.campaign is not None
    if elsewhere and draft.add_conflict("already-enrolled", "The warband is in another campaign."):
        return
    draft.state = replace(draft.state, campaign=fact.campaign, agreed_points=fact.agreed_points, games_played=0)
    for fighter in list(draft.fighters.values()):
        draft.fighters[fighter.id] = replace(fighter, joined_after=0)
    draft.serve_on(settings=fact.settings)


def _withdrawn(draft: StateDraft, fact: facts.Withdrawn) -> None:
    elsewhere = draft.state.campaign != fact.campaign
    if elsewhere and draft.add_conflict("not-enrolled", "The warband is not in this campaign."):
        return
    draft.state = replace(draft.state, campaign=None, agreed_points=None)


def _recruited(draft: StateDraft, fact: facts.Recruited) -> None:
    for recruit in fact.recruits:
        if recruit.fighter in draft.fighters:
            draft.add_conflict("already-recruited", f"{recruit.name} is on the roster already.", recruit.fighter)
            continue
        unrated = FighterState(
            id=recruit.fighter,
            name=recruit.name,
            build=recruit.build,
            rank=0,
            points=0,
            profile_name="",
            joined_after=draft.state.games_played,
            place=draft.state.recruited,
        )
        fighter = draft.rated(unrated)
        if fighter is not None:
            draft.fighters[fighter.id] = fighter
            draft.state = replace(draft.state, recruited=draft.state.recruited + 1)


def _equipped(draft: StateDraft, fact: facts.Equipped) -> None:
    fighter = draft.serving_fighter(fact.fighter)
    equipped = None if fighter is None else draft.rated(replace(fighter, build=fact.build))
    if equipped is not None:
        draft.fighters[equipped.id] = equipped


def _appointed(draft: StateDraft, fact: facts.Appointed) -> None:
    posts = {post: holders for post, holders in fact.holders.items() if holders}
    if any(draft.serving_fighter(holder) is None for holders in posts.values() for holder in holders):
        return
    draft.state = replace(draft.state, posts=posts)


def _arranged(draft: StateDraft, fact: facts.Arranged) -> None:
    """Who is not there any more, or is gone, needs no place: a correction of an earlier battle hurts no order."""
    named = [draft.fighters[key] for key in dict.fromkeys(fact.order) if key in draft.fighters]
    for fighter, place in zip(named, sorted(each.place for each in named), strict=True):
        draft.fighters[fighter.id] = replace(fighter, place=place)
    for key, group in fact.moved.items():
        mover = draft.fighters.get(key)
        if mover is not None and not mover.gone:
            _move(draft, mover, group)
    draft.fighters = dict(sorted(draft.fighters.items(), key=lambda each: each[1].place))


def _move(draft: StateDraft, fighter: FighterState, group: str) -> None:
    try:
        build = draft.rules.regrouped(fighter.build, group, draft.state.terms)
    except RulesError as error:
        draft.add_lasting_conflict("unreadable-build", str(error), fighter.id)
        return
    moved = draft.rated(replace(fighter, build=build))
    if moved is not None:
        draft.fighters[moved.id] = moved


def _renamed(draft: StateDraft, fact: facts.Renamed) -> None:
    if fact.fighter is None:
        draft.state = replace(draft.state, name=fact.name)
        return
    fighter = draft.known_fighter(fact.fighter)
    if fighter is not None:
        draft.fighters[fighter.id] = replace(fighter, name=fact.name)


def _fought(draft: StateDraft, fact: facts.Fought) -> None:
    """Who comes home and how, what they earned, who sat it out. A friendly battle leaves no mark on anybody."""
    if fact.friendly:
        return
    fielded = {record.fighter for record in fact.records}
    twice = "A fighter is in the records of this battle twice."
    if len(fielded) < len(fact.records) and draft.add_conflict("fielded-twice", twice):
        return
    if not fact.parallel:
        _sit_out(draft, fielded)
    returned = {
        record.fighter: _after_battle(draft, fighter, record, parallel=fact.parallel)
        for record in fact.records
        if (fighter := _present(draft, record.fighter, parallel=fact.parallel)) is not None
    }
    for key, done in tallies_of(draft.rules, fact.deeds).items():
        if key in returned:
            returned[key] = replace(returned[key], tallies=dict(Counter(returned[key].tallies) + done))
    draft.fighters.update(returned)
    for award in draft.rules.progression.awards(fact.records, fact.deeds, draft.state.settings):
        if award.fighter in returned:
            fighter = draft.fighters[award.fighter]
            amount = award.amount - fighter.experience * award.clears
            if amount or not award.clears:
                draft.add_ledger_line(fighter, amount, award.code, award.sentence, award.rule)
    draft.state = replace(
        draft.state,
        won=draft.state.won + (fact.outcome is Outcome.WON),
        drawn=draft.state.drawn + (fact.outcome is Outcome.DREW),
        lost=draft.state.lost + (fact.outcome is Outcome.LOST),
        games_played=draft.state.games_played + 1,
        risen={},
    )
    draft.empty_posts()


def tallies_of(rules: Ruleset, deeds: Iterable[Deed]) -> dict[str, Counter[str]]:
    """What the deeds of a battle add to the tallies of those who did them, by their ids."""
    found: dict[str, Counter[str]] = {}
    for deed in deeds:
        found.setdefault(deed.fighter, Counter()).update(rules.tallied(deed))
    return found


def _sit_out(draft: StateDraft, fielded: set[str]) -> None:
    """Who was to miss a game and did so is one game nearer to being fit."""
    for fighter in list(draft.fighters.values()):
        if fighter.misses and fighter.id not in fielded:
            misses = fighter.misses - 1
            draft.fighters[fighter.id] = replace(fighter, misses=misses, fate=fighter.fate if misses else Fate.FIT)


def _present(draft: StateDraft, key: str, *, parallel: bool) -> FighterState | None:
    """The fighter if it can have been in the battle; else None, and a conflict is noted.

    Where a battle is let stand although somebody was dead by then, it leaves no mark on the dead.
    """
    fighter = draft.serving_fighter(key)
    if fighter is None or fighter.gone:
        return None
    absent = f"{fighter.name} is {fighter.fate} and has to miss this battle."
    away = not parallel and fighter.fate is not Fate.FIT
    return None if away and draft.add_conflict("fighter-absent", absent, fighter.id) else fighter


def _after_battle(draft: StateDraft, fighter: FighterState, record: Record, *, parallel: bool) -> FighterState:
    """A fighter after its record. Of parallel battles the worst fate and the last condition count."""
    fate, misses = draft.rules.progression.fate_after(record, draft.state.settings)
    if parallel and fate is Fate.FIT and fighter.fate is not Fate.FIT:
        fate, misses = fighter.fate, fighter.misses
    after = replace(
        fighter,
        fate=fate,
        misses=misses,
        battles=fighter.battles + 1,
        wounds=record.wounds,
        end=record.killed_by if fate is Fate.DEAD and not fighter.end else fighter.end,
        condition=record.condition,
    )
    # What it is worth may depend on its condition: what the rules cannot read keeps its figures, and is a conflict.
    return after if after.condition == fighter.condition else draft.rated(after) or after


def _ranked_up(draft: StateDraft, fact: facts.RankedUp) -> None:
    fighter = draft.serving_fighter(fact.fighter)
    if fighter is None:
        return
    try:
        taken = draft.rules.progression.take_rank_up(fighter.build, draft.state.terms, fact.step, fact.picks)
    except RulesError as error:
        draft.add_lasting_conflict("illegal-rank-up", str(error), fighter.id)
        return
    wanting = f"{fighter.name} has {fighter.experience} experience; {taken.name} costs {taken.cost}."
    if taken.cost > fighter.experience and draft.add_conflict("unaffordable-rank-up", wanting, fighter.id):
        return
    place = f"{draft.rules.words.rank} {taken.rank}" if draft.rules.progression.ranks else taken.name
    sentence = place if taken.name == place else f"{place}: {taken.name}"
    fighter = draft.add_ledger_line(fighter, -taken.cost, "rank-up", sentence, taken.rule)
    known = draft.rules.fighter_facts(taken.build, draft.state.terms, fighter.condition)
    draft.fighters[fighter.id] = replace(
        fighter,
        build=taken.build,
        rank=known.rank,
        points=known.points,
        profile_name=known.profile_name,
        promotions=fighter.promotions + 1,
    )
    if draft.rules.progression.counts_steps:
        draft.state = replace(draft.state, risen={**draft.state.risen, fighter.id: fact.step})


def _left(draft: StateDraft, fact: facts.Left) -> None:
    fighter = draft.serving_fighter(fact.fighter)
    if fighter is None or fighter.gone:
        return
    struck = fact.reason == "struck"
    if struck and fighter.untried:
        del draft.fighters[fighter.id]
    elif struck and draft.add_conflict("struck-veteran", f"{fighter.name} has a record: retire instead.", fighter.id):
        return
    else:
        draft.fighters[fighter.id] = replace(fighter, fate=Fate.RETIRED, end=fact.reason, misses=0)
    draft.empty_posts()


def _adjusted(draft: StateDraft, fact: facts.Adjusted) -> None:
    fighter = draft.known_fighter(fact.fighter)
    if fighter is None:
        return
    wanting = f"{fighter.name} has only {fighter.experience} experience to take from."
    too_much = fighter.experience + fact.experience < 0
    if too_much and draft.add_conflict("balance-below-zero", wanting, fighter.id):
        return
    if fact.experience:
        fighter = draft.add_ledger_line(fighter, fact.experience, "adjusted", fact.reason, "Organiser's decision")
    if fact.fate is not None:
        end = fact.reason if fact.fate in GONE else ""
        misses = int(fact.fate is Fate.RECOVERING)
        draft.fighters[fighter.id] = replace(fighter, fate=fact.fate, misses=misses, end=end)
    draft.empty_posts()


HANDLERS: Mapping[type[facts.Fact], Callable[[StateDraft, Any], None]] = {
    facts.Mustered: _mustered,
    facts.Enrolled: _enrolled,
    facts.Withdrawn: _withdrawn,
    facts.RulesChanged: lambda draft, fact: draft.serve_on(settings=fact.settings),
    facts.EditionAdopted: lambda draft, fact: draft.serve_on(edition=fact.edition),
    facts.Recruited: _recruited,
    facts.Equipped: _equipped,
    facts.Furnished: lambda draft, fact: draft.serve_on(extras=fact.extras),
    facts.Appointed: _appointed,
    facts.Arranged: _arranged,
    facts.Renamed: _renamed,
    facts.Fought: _fought,
    facts.RankedUp: _ranked_up,
    facts.Left: _left,
    facts.Adjusted: _adjusted,
}
