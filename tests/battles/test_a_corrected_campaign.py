"""A campaign that was corrected equals one that was never wrong."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from battles.models import Battle
from battles.selectors.standings import standings
from battles.services.correction_conflicts import ConflictAnswers, Undo
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.review import submit_battle
from campaigns.models import Campaign
from core.errors import InvalidInput
from rulebook.registry import RULESETS
from tests.battles.field import (
    fighters,
    found,
    log,
    muster,
    plan,
    rank_up,
    run_campaign,
    state,
    struck,
    wound,
)
from tests.full_toy import STEPS, TOY
from tests.soak import made_up
from warbands.models import ExperienceEntry, Warband
from warbands.services.verification import prove

Blow = tuple[int, int, bool, str]
"""Attacker and victim by their places, whether the Reds strike, and the result."""
Wishes = list[tuple[bool, int]]
"""A wish for a rank-up: of the Reds or not, and the fighter's place."""

Promotion = tuple[bool, int, str]
"""A rank-up: of the Reds or not, the fighter's place, and the step."""

blows = st.tuples(
    st.integers(0, 3), st.integers(0, 3), st.booleans(), st.sampled_from(["light", "grievous"])
)
deadly = st.tuples(
    st.integers(0, 3), st.integers(0, 3), st.booleans(), st.sampled_from(["light", "dead"])
)
lies = st.lists(blows, max_size=12)
battle_logs = st.lists(st.lists(blows, max_size=8), min_size=2, max_size=3)
promotions = st.lists(st.tuples(st.booleans(), st.integers(0, 3)), max_size=4)


def _with_single_deaths(log: list[Blow]) -> list[Blow]:
    """Return the blows without those that kill somebody again: a log with them is refused."""
    kept, dead = list[Blow](), set[tuple[bool, int]]()
    for attacker, victim, reds, result in log:
        if result == "dead" and (reds, victim) in dead:
            continue
        if result == "dead":
            dead.add((reds, victim))
        kept.append((attacker, victim, reds, result))
    return kept


truths = st.lists(deadly, max_size=8).map(_with_single_deaths)


class World:
    """A campaign of two warbands of Alice's, whose submitted battles are confirmed at once."""

    def __init__(self, name: str) -> None:
        self.alice = User.objects.create_user(name)
        self.warbands = [muster(self.alice, side, *["recruit"] * 4) for side in ("Reds", "Blues")]
        self.campaign: Campaign = run_campaign(found(self.alice), self.alice, *self.warbands)

    def fight(self, log_of_it: list[Blow], fielded: list[set[int]]) -> Battle:
        """Fight one battle with these fighters. Blows of absent fighters are left out."""
        battle = plan(self.alice, self.campaign, *self.warbands)
        for side, warband, places in zip("ab", self.warbands, fielded, strict=True):
            force = Force(tuple(fighters(warband)[place].pk for place in sorted(places)))
            field_combatants(battle_id=battle.pk, side=side, force=force, user=self.alice)
        start_battle(battle_id=battle.pk, user=self.alice)
        events = [self._blow(blow) for blow in log_of_it if self._there(blow, fielded)]
        if events:
            log(self.alice, battle, *events)
        return submit_battle(battle_id=battle.pk, user=self.alice)

    def next_steps(self, wishes: Wishes) -> list[Promotion]:
        """Return the next steps of these fighters, by their present Ranks."""
        ranks = [
            (reds, place, fighters(self.warbands[not reds])[place].rank) for reds, place in wishes
        ]
        return [(reds, place, STEPS[rank][0]) for reds, place, rank in ranks if rank in STEPS]

    def affords(self, reds: bool, place: int, step: str) -> bool:
        """Return whether this is the fighter's next step and the fighter has the experience for
        it.
        """
        fighter = fighters(self.warbands[not reds])[place]
        return (
            STEPS.get(fighter.rank, ("", 0))[0] == step
            and fighter.experience >= STEPS[fighter.rank][1]
        )

    def promote(self, steps: list[Promotion]) -> list[Promotion]:
        """Take the possible steps and return them."""
        return [step for step in steps if self._promoted(*step)]

    def _promoted(self, reds: bool, place: int, step: str) -> bool:
        try:
            rank_up(self.alice, fighters(self.warbands[not reds])[place], step)
        except InvalidInput:
            return False
        return True

    def fit(self) -> list[set[int]]:
        """Return the places of the fit fighters of each side."""
        return [
            {place for place, each in enumerate(fighters(warband)) if each.fate == "fit"}
            for warband in self.warbands
        ]

    def picture(self) -> Any:
        """Return everything that users can see, with names instead of ids."""
        for warband in self.warbands:
            assert prove(Warband.objects.get(pk=warband.pk)) == []
        return [*map(_warband, self.warbands), [_row(row) for row in standings(self.campaign).rows]]

    def _blow(self, blow: Blow) -> Any:
        attacker, victim, reds, result = blow
        home, away = self.warbands if reds else self.warbands[::-1]
        return wound(fighters(home)[attacker], fighters(away)[victim], result)

    def _there(self, blow: Blow, fielded: list[set[int]]) -> bool:
        home, away = fielded if blow[2] else fielded[::-1]
        return blow[0] in home and blow[1] in away


def _warband(warband: Warband) -> Any:
    warband_state = state(warband)
    lines = ExperienceEntry.objects.filter(warband=warband).order_by(
        "fighter__place", "sequence", "line"
    )
    people = [
        (
            each.name,
            each.rank,
            each.points,
            each.experience,
            each.fate,
            each.battles,
            each.state["tallies"],
        )
        for each in fighters(warband)
    ]
    return (
        warband_state.won,
        warband_state.drawn,
        warband_state.lost,
        warband_state.games_played,
        people,
        [*lines.values_list("fighter__name", "amount")],
    )


def _row(row: Any) -> Any:
    return (row.name, row.position, row.points, row.victory_points, row.victory_points_against)


def _corrected(world: World, battle: Battle, truth: list[Blow], fielded: list[set[int]]) -> None:
    """Replace the wrong log by the true one, and undo all later choices that become impossible."""
    events = [struck(event.sequence) for event in battle.events.all()]
    events += [world._blow(blow) for blow in truth if world._there(blow, fielded)]
    if not events:
        return
    correction = Correction(tuple(events), "The wrong sheet was typed in.")
    dry = preview_correction(battle_id=battle.pk, user=world.alice, correction=correction)
    answers = ConflictAnswers(
        undo=tuple({Undo(conflict.warband, conflict.sequence) for conflict in dry.conflicts})
    )
    correction = Correction(tuple(events), "The wrong sheet was typed in.", answers)
    correct_battle(battle_id=battle.pk, user=world.alice, correction=correction)


@pytest.mark.one_database
class CorrectedCampaigns(TestCase):
    """Random campaigns, each played twice: once with a result that is corrected at the end."""

    @pytest.fixture(autouse=True)
    def _toy(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setitem(RULESETS, "toy", {"1": TOY})
        yield

    @made_up(
        "campaigns played twice, once with a sheet that is corrected",
        15,
        sample=5,
        # Two campaigns an example: an example that fails is small enough as it is.
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(
        truths,
        lies,
        battle_logs,
        st.lists(promotions, min_size=3),
        promotions,
    )
    def test_a_corrected_campaign_equals_one_that_was_never_wrong(
        self,
        truth: list[Blow],
        lie: list[Blow],
        later: list[list[Blow]],
        wishes: list[Wishes],
        at_last: Wishes,
    ) -> None:
        wrong, right = World("wrong"), World("right")
        everybody = [set(range(4)), set(range(4))]
        mistaken = wrong.fight(lie, everybody)
        right.fight(truth, everybody)
        for played, wish in zip(later, wishes, strict=False):
            for step in wrong.next_steps(wish):
                # A battle is logged with the Ranks of its hour (Ruling X6): before it, both worlds
                # take the same steps.
                if wrong.affords(*step) and right.affords(*step):
                    assert wrong.promote([step]) == right.promote([step])
            # Who is fit in one world only cannot be fielded in both; the lie kills nobody.
            alive = right.fit()
            if not all(alive):
                break
            for world in (wrong, right):
                world.fight(played, alive)
        right.promote(wrong.promote(wrong.next_steps(at_last)))
        _corrected(wrong, mistaken, truth, everybody)
        assert wrong.picture() == right.picture()
