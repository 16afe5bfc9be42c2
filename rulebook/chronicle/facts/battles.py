"""The fact of a battle: who returns in which state, what they earned, and who missed it."""

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from rulebook.chronicle.facts.base import Death, Fact
from rulebook.chronicle.state_draft import StateDraft
from rulebook.chronicle.states import FighterState
from rulebook.chronicle.wording import Wording, gettext_noop, isolated
from rulebook.ruleset import Deed, Fate, Outcome, Record, Ruleset

OUTCOMES = {
    Outcome.WON: gettext_noop("won %(battle)s"),
    Outcome.LOST: gettext_noop("lost %(battle)s"),
    Outcome.DREW: gettext_noop("drew %(battle)s"),
}


class Fought(Fact, frozen=True, tag="fought"):
    """A confirmed battle from the view of this warband. ``friendly`` battles have no effect on it.

    ``parallel`` battles are played at the same time as others of the warband (the small games of a
    classic campaign): a fighter who is not in one has not missed a game.

    ``fought_on`` is the day. ``place_in_day`` orders the battles of that day: a moment in UTC, as
    text of fixed length. A fact without it stays where it was entered (see
    ``replay.in_order_of_play``).
    """

    label = gettext_noop("Battles")

    battle: str = ""
    title: str = ""
    scenario: str = ""
    fought_on: str = ""
    side: str = ""
    role: str = ""
    against: tuple[str, ...] = ()
    outcome: Outcome = Outcome.DREW
    victory_points: int = 0
    victory_points_against: int = 0
    friendly: bool = False
    parallel: bool = False
    records: tuple[Record, ...] = ()
    deeds: tuple[Deed, ...] = ()
    place_in_day: str = ""

    @property
    def played(self) -> tuple[str, str]:
        """The day of the battle and its place in that day, to compare it with other battles."""
        return (self.fought_on, self.place_in_day)

    def is_late(self, last_played: tuple[str, str]) -> bool:
        """Return whether it was played before the latest of the battles entered before it."""
        return bool(self.place_in_day) and self.played < last_played

    @property
    def deaths(self) -> tuple[Death, ...]:
        dead = (record for record in self.records if record.fate is Fate.DEAD)
        return tuple(Death(record.fighter, record.wounds, record.killed_by) for record in dead)

    @property
    def kills(self) -> tuple[Deed, ...]:
        return tuple(deed for deed in self.deeds if deed.killed)

    def apply(self, draft: StateDraft) -> None:
        if self.friendly:
            return
        fielded = {record.fighter for record in self.records}
        twice = "The result of this battle lists a fighter twice."
        if len(fielded) < len(self.records) and draft.add_conflict("fielded-twice", twice):
            return

        # Fighters who missed the battle recover; those who took part return as in their records.
        if not self.parallel:
            _sit_out(draft, fielded)
        records, deeds = self.records, self.deeds
        if draft.only is not None:
            records = tuple(record for record in records if record.fighter in draft.only)
            deeds = tuple(deed for deed in deeds if deed.fighter in draft.only)
        tallies = tallies_of(draft.rules, deeds)
        returned: dict[str, FighterState] = {}
        for record in records:
            key = record.fighter
            fighter = draft.fighters.get(key)
            if fighter is None or fighter.fate is not Fate.FIT:
                fighter = _present(draft, key, parallel=self.parallel)
            if fighter is not None:
                returned[key] = _after_battle(
                    draft, fighter, record, tallies.get(key), parallel=self.parallel
                )
        draft.fighters.update(returned)

        self._add_awards(draft, returned)
        draft.state = replace(
            draft.state,
            won=draft.state.won + (self.outcome is Outcome.WON),
            drawn=draft.state.drawn + (self.outcome is Outcome.DREW),
            lost=draft.state.lost + (self.outcome is Outcome.LOST),
            games_played=draft.state.games_played + 1,
            risen={},
        )
        draft.empty_posts()

    def _add_awards(self, draft: StateDraft, returned: Collection[str]) -> None:
        """Write what fighters who returned earned, which depends on the battle as a whole."""
        if draft.awards is None:
            progression, settings = draft.rules.progression, draft.state.settings
            draft.awards = progression.awards(self.records, self.deeds, settings)
        for award in draft.awards:
            if award.fighter in returned:
                fighter = draft.fighters[award.fighter]
                amount = award.amount - fighter.experience * award.clears
                if amount or not award.clears:
                    draft.add_ledger_line(fighter, amount, award.code, award.sentence, award.rule)

    def phrase(self, wording: Wording) -> str:
        text = wording.gettext(OUTCOMES[self.outcome]) % {
            "battle": isolated(self.title) or self.scenario
        }
        if self.victory_points or self.victory_points_against:
            score = wording.gettext("%(own)s to %(other)s")
            score %= {"own": self.victory_points, "other": self.victory_points_against}
            text = f"{text}, {score}"
        return (
            wording.gettext("%(sentence)s in a friendly battle") % {"sentence": text}
            if self.friendly
            else text
        )


def tallies_of(rules: Ruleset, deeds: Iterable[Deed]) -> dict[str, dict[str, int]]:
    """Return what the deeds of a battle add to fighters' tallies, by the fighters' ids."""
    tallies: dict[str, dict[str, int]] = {}
    for deed in deeds:
        own = tallies.setdefault(deed.fighter, {})
        for key in rules.tallied(deed):
            own[key] = own.get(key, 0) + 1
    return tallies


def _added(tallies: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    """Return both counts together. A ``Counter`` takes ten times as long."""
    both = dict(tallies)
    for key, number in more.items():
        both[key] = both.get(key, 0) + number
    return both


def _sit_out(draft: StateDraft, fielded: set[str]) -> None:
    """Reduce by one the games to miss of all fighters who were not in the battle."""
    for fighter in list(draft.fighters.values()):
        out = fighter.misses and fighter.id not in fielded
        if out and (draft.only is None or fighter.id in draft.only):
            misses = fighter.misses - 1
            draft.fighters[fighter.id] = replace(
                fighter, misses=misses, fate=fighter.fate if misses else Fate.FIT
            )


def _present(draft: StateDraft, key: str, *, parallel: bool) -> FighterState | None:
    """Return the fighter if it could take part in the battle, else None with a conflict.

    A battle that stays in force although a fighter was already dead does not change that fighter.
    """
    fighter = draft.serving_fighter(key)
    if fighter is None or fighter.gone:
        return None
    absent = f"{fighter.name} is {fighter.fate} and must miss this battle."
    away = not parallel and fighter.fate is not Fate.FIT
    return None if away and draft.add_conflict("fighter-absent", absent, fighter.id) else fighter


def _after_battle(
    draft: StateDraft,
    fighter: FighterState,
    record: Record,
    tallies: Mapping[str, int] | None,
    *,
    parallel: bool,
) -> FighterState:
    """Return a fighter after its record and deeds.

    In parallel battles, the worst fate and the last condition count.
    """
    fate, misses = draft.rules.progression.fate_after(record, draft.state.settings)
    if parallel and fate is Fate.FIT and fighter.fate is not Fate.FIT:
        fate, misses = fighter.fate, fighter.misses
    after = replace(
        fighter,
        fate=fate,
        misses=misses,
        battles=fighter.battles + 1,
        tallies=_added(fighter.tallies, tallies) if tallies else fighter.tallies,
        wounds=record.wounds,
        end=record.killed_by if fate is Fate.DEAD and not fighter.end else fighter.end,
        condition=record.condition,
    )
    # The fighter's points may depend on its condition. If the rules cannot read that, its numbers
    # stay and there is a conflict.
    return after if after.condition == fighter.condition else draft.rated(after) or after
