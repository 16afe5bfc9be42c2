"""Facts about the development of one fighter: rank-ups and organisers' decisions."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.chronicle.facts.base import Death, FighterFact
from rulebook.chronicle.state_draft import StateDraft
from rulebook.chronicle.states import GONE
from rulebook.chronicle.wording import Wording, gettext_noop, with_reason
from rulebook.ruleset import Fate, RulesError


class RankedUp(FighterFact, frozen=True, tag="ranked-up"):
    """A fighter ranks up by one step: the key of a legal step, and its owner's picks."""

    label = gettext_noop("Rank-ups")
    undoable = True

    step: str = ""
    picks: Mapping[str, Any] = {}

    @property
    def promoted(self) -> tuple[str, ...]:
        return self.fighters

    def apply(self, draft: StateDraft) -> None:
        fighter = draft.serving_fighter(self.fighter)
        if fighter is None:
            return

        # Check with the rules that the step is legal for this build, and get its cost.
        progression, terms = draft.rules.progression, draft.state.terms
        try:
            step = progression.take_rank_up(fighter.build, terms, self.step, self.picks)
        except RulesError as error:
            draft.add_lasting_conflict("illegal-rank-up", str(error), fighter.id)
            return
        too_dear = (
            f"{fighter.name} has {fighter.experience} experience; {step.name} costs {step.cost}."
        )
        if step.cost > fighter.experience and draft.add_conflict(
            "unaffordable-rank-up", too_dear, fighter.id
        ):
            return

        # Pay for it, and compute the numbers of the new build.
        rank = f"{draft.rules.words.rank} {step.rank}" if progression.ranks else step.name
        sentence = rank if step.name == rank else f"{rank}: {step.name}"
        fighter = draft.add_ledger_line(fighter, -step.cost, "rank-up", sentence, step.rule)
        figures = draft.rules.fighter_facts(step.build, terms, fighter.condition)
        draft.fighters[fighter.id] = replace(
            fighter,
            build=step.build,
            rank=figures.rank,
            points=figures.points,
            profile_name=figures.profile_name,
            promotions=fighter.promotions + 1,
        )
        if progression.counts_steps:
            draft.state = replace(draft.state, risen={**draft.state.risen, fighter.id: self.step})

    def phrase(self, wording: Wording) -> str:
        return wording.gettext("ranked up %(fighter)s") % {"fighter": wording.fighter(self.fighter)}


class Adjusted(FighterFact, frozen=True, tag="adjusted"):
    """An organiser overrides the rules: changes experience or a fate, always with a reason.

    A fighter who is set to recovering misses one game.
    """

    label = gettext_noop("Organisers' decisions")
    undoable = True

    experience: int = 0
    fate: Fate | None = None
    reason: str = ""

    @property
    def deaths(self) -> tuple[Death, ...]:
        return (Death(self.fighter),) if self.fate is Fate.DEAD else ()

    def apply(self, draft: StateDraft) -> None:
        fighter = draft.known_fighter(self.fighter)
        if fighter is None:
            return
        too_much = f"{fighter.name} has only {fighter.experience} experience to remove."
        below_zero = fighter.experience + self.experience < 0
        if below_zero and draft.add_conflict("balance-below-zero", too_much, fighter.id):
            return
        if self.experience:
            fighter = draft.add_ledger_line(
                fighter, self.experience, "adjusted", self.reason, "Organiser's decision"
            )
        if self.fate is not None:
            end = self.reason if self.fate in GONE else ""
            misses = int(self.fate is Fate.RECOVERING)
            draft.fighters[fighter.id] = replace(fighter, fate=self.fate, misses=misses, end=end)
        draft.empty_posts()

    def phrase(self, wording: Wording) -> str:
        changes = []
        if self.experience:
            changes.append(
                wording.gettext("%(amount)s experience") % {"amount": f"{self.experience:+d}"}
            )
        if self.fate:
            changes.append(
                wording.gettext("now %(fate)s") % {"fate": wording.state_label(self.fate)}
            )
        text = wording.gettext("had %(fighter)s adjusted (%(changes)s)")
        text %= {"fighter": wording.fighter(self.fighter), "changes": ", ".join(changes)}
        return with_reason(text, self.reason)
