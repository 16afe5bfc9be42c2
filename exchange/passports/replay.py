"""Replay a chronicle for a passport: the same code issues and verifies passports."""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from exchange.passports.file_format import PassportBattle, PassportFighter, PassportLedgerLine
from rulebook.chronicle.facts import AnyFact, Fought
from rulebook.chronicle.replay import corrections, effective_at, step
from rulebook.chronicle.states import FighterState, LedgerLine, WarbandState
from rulebook.registry import find_ruleset


class ReplayedPassport(Struct, frozen=True):
    """The battles, ledger and fighters that follow from the facts, and the warband's state."""

    state: WarbandState
    battles: tuple[PassportBattle, ...]
    ledger: tuple[PassportLedgerLine, ...]
    fighters: tuple[PassportFighter, ...]

    def of(self, fighter: str) -> "ReplayedPassport":
        """Return the part of one fighter; all of it if ``fighter`` is "".

        The state and the battles stay as they are.
        """
        if not fighter:
            return self
        ledger = tuple(line for line in self.ledger if line.fighter == fighter)
        return replace(
            self,
            ledger=ledger,
            fighters=tuple(each for each in self.fighters if each.id == fighter),
        )


def log_history(
    numbered: Iterable[tuple[int, AnyFact]],
    fighter: str = "",
    clubs: Mapping[str, str] | None = None,
) -> ReplayedPassport:
    """Replay facts with their places, and apply their corrections.

    If a fighter is named, return only their part. ``clubs`` maps ids of battles to names of clubs.
    Raises RulesError for rules that this Muster does not have.
    """
    facts = list(numbered)
    standing = {
        stand.sequence: stand.reason
        for fact in corrections(fact for _, fact in facts)
        for stand in fact.standing
    }
    state, campaign = WarbandState(), ""
    battles: list[PassportBattle] = []
    ledger: list[PassportLedgerLine] = []
    for sequence, fact in effective_at(facts):
        result = step(state, fact, find_ruleset, sequence=sequence, stands=standing.get(sequence))
        state = result.state
        ledger += map(_line, result.ledger)
        campaign = fact.campaign_name_after(campaign)
        if isinstance(fact, Fought) and (not fighter or _was_in(fact, fighter)):
            battles.append(_battle(sequence, fact, campaign, (clubs or {}).get(fact.battle, "")))
    fighters = tuple(map(_fighter, state.fighters.values()))
    return ReplayedPassport(state, tuple(battles), tuple(ledger), fighters).of(fighter)


def _was_in(fact: Fought, fighter: str) -> bool:
    return any(record.fighter == fighter for record in fact.records)


def _line(line: LedgerLine) -> PassportLedgerLine:
    return PassportLedgerLine(
        line.sequence, line.fighter, line.amount, line.code, line.sentence, line.rule, line.balance
    )


def _battle(sequence: int, fact: Fought, campaign: str, club: str) -> PassportBattle:
    return PassportBattle(
        sequence=sequence,
        battle=fact.battle,
        title=fact.title,
        scenario=fact.scenario,
        fought_on=fact.fought_on,
        campaign=campaign,
        club=club,
        against=fact.against,
        outcome=str(fact.outcome),
        victory_points=fact.victory_points,
        victory_points_against=fact.victory_points_against,
        friendly=fact.friendly,
    )


def _fighter(fighter: FighterState) -> PassportFighter:
    return PassportFighter(
        id=fighter.id,
        name=fighter.name,
        profile=fighter.profile_name,
        rank=fighter.rank,
        points=fighter.points,
        experience=fighter.experience,
        earned=fighter.earned,
        battles=fighter.battles,
        fate=str(fighter.fate),
    )
