"""Highlights of battles and campaigns, found in the results of any rule system.

Only certain things become facts: of two fighters who are level neither is the best, and of several
battles on one day none is the first. Each fallen fighter is named in at most one fact of a story.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby

from msgspec import Struct

from documents.prose import facts
from rulebook.ruleset import Deed, Fate, Outcome, Record

MAX_NAMED = 6
"""The highest number of dead named in a sentence; the others are in the table below it."""
FEWEST_STANDING = 3
"""The minimum size of a side for a "last stand" of its last fighter."""
MIN_VICTIMS, MIN_OFTEN, MIN_SERVICE = 3, 3, 3
MAX_AVENGED, MAX_SHARING = 2, 2


class Party(Struct, frozen=True):
    """A side of a battle: the warband, its outcome, and the records and deeds of its fighters.

    ``names`` has all fighters in the line-up by id. ``dead`` are those who were lost permanently;
    fighters who were killed during the battle may have survived after it.
    """

    warband: str
    outcome: Outcome
    victory_points: int
    names: Mapping[str, str]
    records: tuple[Record, ...] = ()
    deeds: tuple[Deed, ...] = ()
    dead: tuple[str, ...] = ()

    @property
    def standing(self) -> tuple[str, ...]:
        """The ids of the fighters who were still on the field at the end."""
        return tuple(record.fighter for record in self.records if _keeps_the_field(record))


class BattleAccount(Struct, frozen=True):
    """The facts of a battle from its result. ``key`` identifies it in links, ``title`` in text.

    For sentences, only the deeds of one battle count that harmed a fighter of another side.
    ``leagues.selectors.campaign_stats`` counts over all battles, for charts and honours. There, a
    wound without effect and one by a friend are encounters too. The two readings are separate
    because a shared one would need a switch in every place.
    """

    key: str
    title: str
    fought_on: str
    parties: tuple[Party, ...]
    mortal: bool = True
    scored: bool = True

    @property
    def names(self) -> dict[str, str]:
        """The names of all fighters in the line-ups, by id."""
        return {fighter: name for party in self.parties for fighter, name in party.names.items()}

    @property
    def blows(self) -> tuple[Deed, ...]:
        """The deeds against fighters of another side that had an effect."""
        sides = {
            fighter: place for place, party in enumerate(self.parties) for fighter in party.names
        }
        return tuple(
            deed
            for party in self.parties
            for deed in party.deeds
            if (deed.result or deed.killed) and deed.victim in sides and deed.fighter in sides
            if sides[deed.fighter] != sides[deed.victim]
        )

    @property
    def killing_blows(self) -> dict[str, Deed]:
        """The deed of another side that killed each of the dead, where known, by victim."""
        dead = {fighter for party in self.parties for fighter in party.dead}
        return {deed.victim: deed for deed in self.blows if deed.killed and deed.victim in dead}

    @property
    def hurt(self) -> frozenset[str]:
        """The ids of the fighters who were wounded or killed."""
        records = (record for party in self.parties for record in party.records)
        return frozenset(
            record.fighter for record in records if record.wounds or record.fate is Fate.DEAD
        )

    @property
    def dead(self) -> int:
        """The number of fighters lost on all sides."""
        return sum(len(party.dead) for party in self.parties)

    def warband_of(self, fighter: str) -> str:
        """Return the name of the warband for which a fighter fought, or "" if unknown."""
        return next((party.warband for party in self.parties if fighter in party.names), "")


class Rise(Struct, frozen=True):
    """A fighter's rank-up after a battle of the campaign."""

    name: str
    warband: str
    after: BattleAccount


def of_battle(account: BattleAccount) -> tuple[facts.BattleFact, ...]:
    """Return the highlights of a battle, in the order in which they are printed."""
    return (*_deaths(account), *_captives(account), *_endings(account), *_most_harm(account))


def unhurt(account: BattleAccount) -> tuple[facts.Unhurt, ...]:
    """Return the fact that nobody came to harm, if there are records and all are unharmed."""
    records = [record for party in account.parties for record in party.records]
    harmed = (
        each.wounds or each.routed or each.captured or each.fate is not Fate.FIT or each.losses
        for each in records
    )
    return () if not records or any(harmed) else (facts.Unhurt(fielded=len(records)),)


def of_campaign(
    accounts: Sequence[BattleAccount],
    *,
    serving: Collection[str] = (),
    first_rise: Rise | None = None,
) -> tuple[tuple[facts.CampaignFact, ...], ...]:
    """Return the highlights of a whole campaign, grouped into paragraphs.

    The paragraphs are about firsts, about rivalries, and about records. ``accounts`` are the
    battles in the order in which they were fought, ``serving`` the ids of fighters who are still in
    service.
    """
    first_death = tuple(_first_death(accounts))
    mentioned = {name for fact in first_death for name in fact.names}
    paragraphs: tuple[tuple[facts.CampaignFact, ...], ...] = (
        (*_first_blood(accounts), *first_death, *_first_rise(first_rise)),
        (*_draws(accounts), *_rivalry(accounts), *_feuds(accounts), *_avenged(accounts, mentioned)),
        (
            *_bloodiest(accounts),
            *_worst_defeat(accounts),
            *_battle_record(accounts),
            *_longest_service(accounts, serving),
        ),
    )
    return tuple(paragraph for paragraph in paragraphs if paragraph)


def _keeps_the_field(record: Record) -> bool:
    return not (record.fate in (Fate.DEAD, Fate.CAPTURED) or record.captured or record.routed)


def _turns(deeds: Iterable[Deed]) -> tuple[int, ...]:
    return tuple(sorted({deed.turn for deed in deeds if deed.turn}))


def _deaths(account: BattleAccount) -> Iterator[facts.BattleFact]:
    """Yield the deaths by killer, most victims first, and last those without a known killer."""
    if not account.dead:
        if account.hurt and account.mortal:
            yield facts.NobodyDied(hurt=len(account.hurt))
        return
    names, blows = account.names, account.killing_blows
    slain: dict[str, list[str]] = {}
    for party in account.parties:
        for record in party.records:
            if record.fighter in party.dead:
                doer = (
                    blows[record.fighter].fighter if record.fighter in blows else record.killed_by
                )
                slain.setdefault(doer, []).append(names[record.fighter])
    named, room = [], MAX_NAMED
    for doer, victims in sorted(slain.items(), key=lambda each: (not each[0], -len(each[1]))):
        if victims[:room]:
            named.append(facts.KillFact(names.get(doer, doer), tuple(victims[:room])))
        room -= len(victims[:room])
    more = account.dead - sum(len(each.victims) for each in named)
    yield facts.Deaths(
        slayings=tuple(named), more=more, mortal=account.mortal, turns=_turns(blows.values())
    )


def _captives(account: BattleAccount) -> Iterator[facts.Captives]:
    for party in account.parties:
        taken = tuple(
            party.names[record.fighter]
            for record in party.records
            if (record.captured or record.fate is Fate.CAPTURED)
            and record.fighter not in party.dead
        )
        others = [other.warband for other in account.parties if other is not party]
        if taken:
            captor = others[0] if len(others) == 1 else ""
            yield facts.Captives(warband=party.warband, names=taken, captor=captor)


def _endings(account: BattleAccount) -> Iterator[facts.BattleFact]:
    """Yield the sides of which no fighter, or only one, was left on the field."""
    parties = [party for party in account.parties if party.records]
    if len(parties) > 1 and not any(party.standing for party in parties):
        yield facts.NobodyLeft(sides=len(parties))
        return
    for party in parties:
        if not party.standing:
            yield facts.WipedOut(warband=party.warband, fielded=len(party.records))
        elif len(party.standing) == 1 and len(party.records) >= FEWEST_STANDING:
            against = sum(len(other.standing) for other in parties if other is not party)
            yield facts.LastStand(
                name=party.names[party.standing[0]],
                warband=party.warband,
                fielded=len(party.records),
                against=against,
                won=party.outcome is Outcome.WON,
            )


def _victims(account: BattleAccount) -> list[tuple[str, int]]:
    """Return the number of opponents that each fighter harmed, highest first."""
    pairs = {(deed.fighter, deed.victim) for deed in account.blows}
    counted = Counter(fighter for fighter, _ in pairs)
    return sorted(counted.items(), key=lambda each: (-each[1], each[0]))


def _most_harm(account: BattleAccount) -> Iterator[facts.MostHarm]:
    best = _victims(account)[:2]
    if best and best[0][1] >= MIN_VICTIMS and (len(best) == 1 or best[1][1] < best[0][1]):
        fighter, victims = best[0]
        turns = _turns(deed for deed in account.blows if deed.fighter == fighter)
        name, warband = account.names[fighter], account.warband_of(fighter)
        yield facts.MostHarm(name=name, warband=warband, victims=victims, turns=turns)


def _where(accounts: Iterable[BattleAccount]) -> dict[str, tuple[str, ...]]:
    """Return the keys and titles of the battles in which a fact happened, as fields of the fact."""
    accounts = tuple(accounts)
    return {
        "battles": tuple(account.key for account in accounts),
        "where": tuple(account.title for account in accounts),
    }


def _first_day(accounts: Iterable[BattleAccount]) -> list[BattleAccount]:
    """Return the battles that were fought on the first day."""
    return next(
        (list(group) for _, group in groupby(accounts, key=lambda account: account.fought_on)), []
    )


def _first_blood(accounts: Sequence[BattleAccount]) -> Iterator[facts.FirstBlood]:
    """Yield the first blood if it is certain.

    It is certain if one battle was the first with harm, the turn of all its harm is known, and one
    fighter was the only one to wound in the earliest of these turns.
    """
    first = _first_day(account for account in accounts if account.hurt)
    if len(first) != 1 or not first[0].hurt <= {
        deed.victim for deed in first[0].blows if deed.turn
    }:
        return
    account = first[0]
    turn = min(deed.turn for deed in account.blows if deed.turn)
    doers = {deed.fighter for deed in account.blows if deed.turn == turn}
    if len(doers) == 1:
        doer = doers.pop()
        yield facts.FirstBlood(
            name=account.names[doer], warband=account.warband_of(doer), **_where([account])
        )


def _first_death(accounts: Sequence[BattleAccount]) -> Iterator[facts.FirstDeath]:
    first = _first_day(account for account in accounts if account.dead)
    names = tuple(
        account.names[fighter]
        for account in first
        for party in account.parties
        for fighter in party.dead
    )
    if 0 < len(names) <= MAX_SHARING + 1:
        yield facts.FirstDeath(names=names, mortal=first[0].mortal, **_where(first))


def _first_rise(rise: Rise | None) -> Iterator[facts.FirstRise]:
    if rise:
        yield facts.FirstRise(name=rise.name, warband=rise.warband, **_where([rise.after]))


def _draws(accounts: Sequence[BattleAccount]) -> Iterator[facts.Draws]:
    drawn = [
        account
        for account in accounts
        if not any(party.outcome is Outcome.WON for party in account.parties)
    ]
    if drawn:
        yield facts.Draws(fought=len(accounts), **_where(drawn))


def _rivalry(accounts: Sequence[BattleAccount]) -> Iterator[facts.Rivalry]:
    """Yield the two warbands that met most often, if others met less often.

    If both lost to a third warband, neither of them won the battle.
    """
    met: dict[tuple[str, str], list[BattleAccount]] = {}
    for account in accounts:
        for first, second in combinations(sorted({party.warband for party in account.parties}), 2):
            met.setdefault((first, second), []).append(account)
    ranked = sorted(met.items(), key=lambda each: -len(each[1]))
    if len(ranked) < 2 or len(ranked[0][1]) < MIN_OFTEN or len(ranked[1][1]) == len(ranked[0][1]):
        return
    (first, second), battles = ranked[0]
    ended = [{party.warband: party.outcome for party in account.parties} for account in battles]
    won = [
        sum(each[who] is Outcome.WON and each[foe] is not Outcome.WON for each in ended)
        for who, foe in ((first, second), (second, first))
    ]
    if won[1] > won[0]:
        first, second, won = second, first, won[::-1]
    yield facts.Rivalry(
        one=first, other=second, won=(won[0], won[1], len(battles) - sum(won)), **_where(battles)
    )


def _feuds(accounts: Sequence[BattleAccount]) -> Iterator[facts.Feud]:
    """Yield the two fighters who struck each other in most battles, if no other pair ties."""
    struck: dict[frozenset[str], list[BattleAccount]] = {}
    names: dict[str, str] = {}
    for account in accounts:
        names |= account.names
        for pair in sorted(
            {frozenset((deed.fighter, str(deed.victim))) for deed in account.blows}, key=sorted
        ):
            struck.setdefault(pair, []).append(account)
    ranked = sorted(struck.items(), key=lambda each: -len(each[1]))
    if (
        not ranked
        or len(ranked[0][1]) < 2
        or (len(ranked) > 1 and len(ranked[1][1]) == len(ranked[0][1]))
    ):
        return
    pair, battles = ranked[0]
    first, second = sorted(names[fighter] for fighter in pair)
    yield facts.Feud(one=first, other=second, **_where(battles))


def _avenged(accounts: Sequence[BattleAccount], mentioned: set[str]) -> Iterator[facts.Avenged]:
    """Yield the killers who were killed in turn by the warband of their victim.

    ``mentioned`` has the names of fighters whose death the text already contains.
    """
    names: dict[str, str] = {}
    slew: dict[str, list[tuple[BattleAccount, str, str]]] = {}
    count = 0
    for account in accounts:
        names |= account.names
        for victim, deed in account.killing_blows.items():
            avenger_of = account.warband_of(deed.fighter)
            for before, slain, warband in slew.get(victim, []):
                is_new = not {names[slain], names[victim]} & mentioned
                if (
                    before is not account
                    and warband == avenger_of
                    and is_new
                    and count < MAX_AVENGED
                ):
                    count += 1
                    mentioned |= {names[slain], names[victim]}
                    yield facts.Avenged(
                        victim=names[slain],
                        killer=names[victim],
                        avenger=names[deed.fighter],
                        warband=warband,
                        mortal=account.mortal,
                        **_where([before, account]),
                    )
        for victim, deed in account.killing_blows.items():
            slew.setdefault(deed.fighter, []).append((account, victim, account.warband_of(victim)))


def _bloodiest(accounts: Sequence[BattleAccount]) -> Iterator[facts.Bloodiest]:
    ranked = sorted(accounts, key=lambda account: -account.dead)
    if len(ranked) > 1 and ranked[0].dead > max(1, ranked[1].dead):
        yield facts.Bloodiest(dead=ranked[0].dead, mortal=ranked[0].mortal, **_where(ranked[:1]))


def _worst_defeat(accounts: Sequence[BattleAccount]) -> Iterator[facts.WorstDefeat]:
    """Yield the defeat by the largest difference in victory points, if it is unique.

    Only battles between two sides count.
    """
    beaten = []
    for account in accounts:
        if account.scored and len(account.parties) == 2:
            winner, loser = sorted(
                account.parties, key=lambda party: party.outcome is not Outcome.WON
            )
            if winner.outcome is Outcome.WON and loser.outcome is Outcome.LOST:
                beaten.append(
                    (winner.victory_points - loser.victory_points, account, winner, loser)
                )
    beaten.sort(key=lambda each: -each[0])
    if len(beaten) > 1 and beaten[0][0] > max(1, beaten[1][0]):
        _, account, winner, loser = beaten[0]
        points = (winner.victory_points, loser.victory_points)
        yield facts.WorstDefeat(
            loser=loser.warband, winner=winner.warband, points=points, **_where([account])
        )


def _battle_record(accounts: Sequence[BattleAccount]) -> Iterator[facts.BattleRecord]:
    ranked = [
        (victims, fighter, account)
        for account in accounts
        for fighter, victims in _victims(account)
    ]
    ranked.sort(key=lambda each: -each[0])
    if len(accounts) < 2 or not ranked or ranked[0][0] < MIN_VICTIMS:
        return
    if len(ranked) > 1 and ranked[1][0] == ranked[0][0]:
        return
    victims, fighter, account = ranked[0]
    name, warband = account.names[fighter], account.warband_of(fighter)
    yield facts.BattleRecord(name=name, warband=warband, victims=victims, **_where([account]))


def _longest_service(
    accounts: Sequence[BattleAccount], serving: Collection[str]
) -> Iterator[facts.LongestService]:
    """Yield the serving fighters with most battles; none if more than two, or all, share it."""
    fought = Counter(
        fighter for account in accounts for fighter in account.names if fighter in serving
    )
    names = {fighter: name for account in accounts for fighter, name in account.names.items()}
    most = max(fought.values(), default=0)
    best = [fighter for fighter, times in fought.items() if times == most]
    if most >= MIN_SERVICE and len(best) <= MAX_SHARING and len(fought) > len(best):
        was_there = [
            account for account in accounts if any(fighter in account.names for fighter in best)
        ]
        best_names = tuple(sorted(names[fighter] for fighter in best))
        yield facts.LongestService(names=best_names, times=most, **_where(was_there))
