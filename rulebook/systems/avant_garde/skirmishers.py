"""Skirmishers of a battalion: a group that it sends out, which stands, fires and panics apart, and
that it recalls.

Slides 26 and 35. Rulings N-S11 and N-S12. The group is a combatant of its own while it is out. It
shares the fate of its battalion (``State.put`` and ``State.left``), and after the battle its
figures count with those of the battalion (``State.whole``).
"""

from collections.abc import Iterator
from typing import Annotated

from msgspec.structs import replace

from rulebook.battle_log.kinds import ReplayStep, field_meta
from rulebook.systems.avant_garde.book import book
from rulebook.systems.avant_garde.events import Checks, FighterEvent, kind
from rulebook.systems.avant_garde.fighters import Fighter, can_skirmish, nation_of, read_build
from rulebook.systems.avant_garde.state import Combatant, State, group_id
from rulebook.values.battles import BattleSetup, LoggedEvent
from rulebook.values.problems import plural

SKIRMISH_ORDER = "skirmish"


def most_skirmishers(fighter: Fighter, nation: str, figures: int) -> int:
    """Return how many figures a battalion may send out as skirmishers, of those that it has. Ruling
    N-S12."""
    if fighter.arm != "infantry":
        return 0
    own = max(fighter.skirmishers, figures // 2 if fighter.light_infantry else 0)
    company = fighter.stand if nation_of(nation).mixed_order else 0
    # Somebody has to stay with the colours.
    return max(0, min(own + company, figures - 1))


def formations_of(fighter: Fighter, nation: str) -> tuple[str, ...]:
    """Return the keys of the formations that a unit can take: infantry does not skirmish as a
    whole.

    Cavalry dismounts by an order of its own.
    """
    fits = (
        each
        for each in book().formation.values()
        if fighter.arm in each.arms and each.key != "dismounted"
    )
    own = (each for each in fits if not each.nations or nation in each.nations)
    return tuple(each.key for each in own if not each.skirmish or can_skirmish(fighter))


def groups_of(setup: BattleSetup) -> tuple[tuple[str, str], ...]:
    """Return the id and the name of each group of skirmishers that may be sent out in a battle."""
    groups = []
    for side in setup.sides:
        for battalion in side.fighters:
            fighter = read_build(battalion.build)
            if most_skirmishers(fighter, side.faction, fighter.strength):
                groups.append((group_id(battalion.id), group_name(battalion.name)))
    return tuple(groups)


def group_name(battalion: str) -> str:
    """Return what people call the skirmishers of a battalion."""
    return f"Skirmishers of {battalion}"


@kind("skirmish")
class SkirmishersDeployed(FighterEvent, frozen=True, kw_only=True):
    """A battalion sends out skirmishers: a group of its figures in skirmish order, up to a move
    away from it."""

    number: Annotated[int, field_meta("Figures", "0: as many as possible.", ge=0, le=120)] = 0

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        if not super().is_open_to(state, actor):
            return False
        combatant = state.combatants[actor]
        able = bool(cls.most(state, combatant)) and state.group(combatant) is None
        return able and not combatant.disordered and combatant.order == "good"

    @staticmethod
    def most(state: State, combatant: Combatant) -> int:
        """Return how many figures it may send out now; groups send out nobody."""
        return (
            0
            if combatant.parent
            else most_skirmishers(
                combatant.fighter, state.nations[combatant.side], combatant.figures
            )
        )

    def size(self, state: State) -> int:
        """Return how many figures it sends out."""
        return self.number or self.most(state, self.combatant(state))

    def checks(self, state: State) -> Checks:
        combatant, most = self.combatant(state), self.most(state, self.combatant(state))
        yield self.number >= combatant.figures, "skirmishers-leave-nobody"
        yield from super().checks(state)
        yield not most, "no-skirmishers-to-send"
        yield most and self.number > most, "too-many-skirmishers"
        yield state.group(combatant), "skirmishers-out"
        yield combatant.disordered, "disordered-forms"
        yield state.test_due(combatant), "test-first"
        yield (
            any(combatant.id in (each.fighter, each.target) for each in state.combats),
            "in-combat",
        )

    def placeholders(self, state: State) -> dict[str, str]:
        return {**super().placeholders(state), "most": str(self.most(state, self.combatant(state)))}

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combatant, size = self.combatant(state), self.size(state)
        group = Combatant(
            id=group_id(combatant.id),
            name=group_name(combatant.name),
            side=combatant.side,
            # The colours stay with the battalion.
            fighter=replace(combatant.fighter, colours=False),
            start=size,
            figures=size,
            formation=SKIRMISH_ORDER,
            loaded=combatant.loaded,
            did=combatant.did,
            parent=combatant.id,
        )
        if before := state.combatants.get(group.id):
            # Who was out before in this turn has done what it did.
            fired = "fired" in before.did
            group = replace(group, loaded=group.loaded and not fired, did=(*group.did, *before.did))
        return state.changed(
            combatant.id, start=combatant.start - size, figures=combatant.figures - size
        ).updating(group)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        size = self.size(step.before)
        yield f"{plural(size, 'figure')} in skirmish order."
