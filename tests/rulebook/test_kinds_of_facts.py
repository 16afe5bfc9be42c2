"""A kind of fact is one class: its effect, its fighters and its sentence, with nothing elsewhere."""

from typing import get_args

import msgspec
import pytest

from rulebook.chronicle.facts import FACT_KINDS, AnyFact, Corrected, Fact, Fought, RankedUp, Renamed
from rulebook.chronicle.facts.base import FighterFact
from rulebook.chronicle.replay import replay_chronicle, step
from rulebook.chronicle.state_draft import StateDraft
from rulebook.chronicle.wording import Wording
from rulebook.ruleset import Deed
from tests.full_toy import find_toy
from tests.rulebook.histories import MUSTERED, died, recruited, survived

NAMES = {"f1": "Jean", "f2": "Odo"}


class Knighted(FighterFact, frozen=True, tag="knighted"):
    """A kind of fact that only this class defines."""

    title: str = "Sir"

    def apply(self, draft: StateDraft) -> None:
        fighter = draft.serving_fighter(self.fighter)
        if fighter is not None:
            draft.fighters[fighter.id] = msgspec.structs.replace(
                fighter, name=f"{self.title} {fighter.name}"
            )

    def phrase(self, wording: Wording) -> str:
        return f"knighted {wording.fighter(self.fighter)}"


def test_new_kind_of_fact_needs_one_class():
    state = replay_chronicle([MUSTERED, recruited("f1")], find_toy).state
    fact = Knighted(fighter="f1")

    result = step(state, fact, find_toy)

    assert result.state.fighters["f1"].name == "Sir F1"
    assert fact.phrase(Wording(NAMES)) == "knighted Jean"
    assert fact.fighters == ("f1",)
    assert fact.subject == ""


@pytest.mark.parametrize("kind", get_args(AnyFact))
def test_every_kind_has_label_effect_and_sentence(kind: type[Fact]):
    assert kind.label
    assert kind.phrase is not Fact.phrase
    assert (kind.apply is not Fact.apply) == (kind is not Corrected)


def test_kinds_are_known_by_their_tags():
    assert FACT_KINDS["ranked-up"] is RankedUp
    assert list(FACT_KINDS.values()) == list(get_args(AnyFact))


def test_fighter_without_name_is_a_fighter():
    assert RankedUp(fighter="f3").phrase(Wording(NAMES)) == "ranked up a fighter"


def test_battle_says_who_died_and_who_killed():
    deeds = (Deed("f1", kind="wound", rank=1, killed=True), Deed("f1", kind="wound", rank=1))
    fact = Fought(records=(survived("f1"), died("f2")), deeds=deeds)

    assert [death.fighter for death in fact.deaths] == ["f2"]
    assert fact.kills == deeds[:1]


def test_correction_concerns_its_replacement():
    renamed = Corrected(target=2, replacement=Renamed(fighter="f1", name="Jan"))
    fought = Corrected(target=2, replacement=Fought(battle="b"))

    assert renamed.fighters == ("f1",)
    assert renamed.effective == Renamed(fighter="f1", name="Jan")
    assert fought.subject == "b"
    assert Corrected(target=2).effective is None
