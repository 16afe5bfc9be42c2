"""The table as people see it: how fighters, sides and the open combat look, what is due, what can be done."""

from collections.abc import Iterator

from rulebook.battle_log.play import Play
from rulebook.systems.en_garde.at_table.action_building import in_time
from rulebook.systems.en_garde.at_table.combat_actions import combat_phase, free_attack
from rulebook.systems.en_garde.at_table.due import phases_due
from rulebook.systems.en_garde.at_table.move_actions import move_phase
from rulebook.systems.en_garde.at_table.other_actions import (
    of_a_civilian,
    of_a_side,
    of_the_table,
    other_actions,
)
from rulebook.systems.en_garde.play.play_state import CivilianState, CombatantState, PlayState, outfit
from rulebook.systems.en_garde.play.turn_state import OnTable
from rulebook.systems.en_garde.play.words import WOUNDS, weapon_name
from rulebook.systems.en_garde.rosters.extras import side_assets
from rulebook.systems.en_garde.table.combatant import Combatant, present_numbers
from rulebook.systems.en_garde.table.magic import magic_points
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.table.rounds import Fencer
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.systems.en_garde.turns.nerve import rating_of
from rulebook.systems.en_garde.turns.phases import last_turn
from rulebook.systems.en_garde.victory import score
from rulebook.values.battles import SetUpLine
from rulebook.values.table import Action, CombatCounters, CombatView, FighterView, Mark, SideView, TableView, TurnView


def at_table(play: Play[PlayState], who: str = "") -> TableView:
    """The table as it stands, and what ``who`` can do: a fighter, a Civilian, a side by its key, or "" for the table.

    Nobody has actions who is not there.
    """
    state = play.state
    return TableView(
        turn=state.table.turn,
        turns=last_turn(state),
        ended=state.ended,
        dice=state.settings.dice,
        phases=phases_due(state),
        sides=side_views(state),
        fighters=fighter_views(state),
        combat=combat_view(state),
        actions=tuple(in_time(state, each) for each in actions(state, who)),
    )


def actions(state: PlayState, who: str) -> Iterator[Action]:
    """What can be logged of somebody now."""
    if who in state.civilians:
        yield from of_a_civilian(state, who)
    elif who in state.sides:
        yield from of_a_side(state, who)
    elif who in state.combatants:
        yield from _of_a_fighter(state, who)
    elif not who:
        yield from of_the_table(state)


def _of_a_fighter(state: PlayState, fighter: str) -> Iterator[Action]:
    if state.table.turn and state.combatants[fighter].standing:
        yield from combat_phase(state, fighter)
        yield from move_phase(state, fighter)
        yield from free_attack(state, fighter)
    yield from other_actions(state, fighter)


MORALE_TONES = {Morale.STEADY: "good", Morale.WAVERING: "warn", Morale.ROUTING: "bad"}


def fighter_views(state: PlayState) -> tuple[FighterView, ...]:
    """Everybody, Civilians last, in the order in which they were fielded."""
    fighters = (_fighter(state, there) for there in state.combatants.values())
    return (*fighters, *(_civilian(each) for each in state.civilians.values()))


def _fighter(state: PlayState, there: CombatantState) -> FighterView:
    identity = there.fighter.id
    now, known = present(state, identity), state.table.of(identity)
    left = present_numbers(now, state.settings)
    numbers = {"Combat Pool": now.combat_pool, "Initiative": left.initiative, "Fight": left.fight, "Shoot": left.shoot}
    return FighterView(
        id=identity,
        name=there.fighter.name,
        side=there.side,
        profile=outfit(there.fighter).profile.name,
        rank=there.fighter.rank,
        out=there.why_out,
        marks=() if there.dead else _marks(state, there, now, known),
        weapon=weapon_name(weapon_now(state, identity)),
        foes=tuple(state.named(foe) for foe in known.contacts),
        numbers=tuple((name, str(number)) for name, number in numbers.items()),
        posts=there.fighter.posts,
        dead=there.dead,
    )


def _marks(state: PlayState, there: CombatantState, now: Combatant, known: OnTable) -> tuple[Mark, ...]:
    """What can be seen of somebody: harm first, then weapons and magic, then what it does."""
    stunned = there.wounds.stunned
    reload = tuple((left > 0, f"{weapon_name(key)}: {left} Reload", "busy") for key, left in known.reload.items())
    listed = (
        (there.wounds.wound in WOUNDS, WOUNDS.get(there.wounds.wound, ""), "bad"),
        (stunned > 0, f"Stunned × {stunned}" if stunned > 1 else "Stunned", "warn"),
        (there.mount.counters + there.mount.stunned > 0, f"Mount: {there.mount.worst}", "warn"),
        (bool(known.poisoned), "Poisoned", "warn"),
        *reload,
        (now.has("magician"), f"{magic_points(now) - known.magic} Magic Points", "busy"),
        (now.mounted, "Mounted", "idle"),
        *((True, f"Carries {thing}", "idle") for thing in sorted(known.carries)),
        (known.hidden, "Hidden", "idle"),
        (known.has("aimed"), "Aims", "idle"),
        (known.has("acted"), "Has acted", "idle"),
    )
    return tuple(Mark(text, tone) for holds, text, tone in listed if holds)


def _civilian(civilian: CivilianState) -> FighterView:
    return FighterView(
        id=civilian.key,
        name=civilian.name,
        side=civilian.side,
        profile="Civilian",
        rank=0,
        out="dead" if civilian.dead else civilian.outcome if civilian.outcome in ("taken", "escorted") else "",
        marks=() if civilian.unharmed else (Mark(civilian.wounds.worst.capitalize() or "Harmed", "bad"),),
        weapon="",
        foes=(),
        numbers=(),
        dead=civilian.dead,
    )


def side_views(state: PlayState) -> tuple[SideView, ...]:
    """The sides, in their order."""
    assets = side_assets(state.setup)
    return tuple(_side(state, key, assets[key]) for key in state.sides)


def _side(state: PlayState, key: str, assets: tuple[SetUpLine, ...]) -> SideView:
    own, lines = state.own(key), score(state, key)
    return SideView(
        key=key,
        name=state.side(key).name,
        marks=tuple(_side_marks(state, key)),
        strength=sum(there.standing for there in own),
        fielded=len(own),
        victory_points=sum(line.points for line in lines),
        lines=lines,
        assets=assets,
    )


def _side_marks(state: PlayState, key: str) -> Iterator[Mark]:
    morale = state.table.morale_of(key)
    yield Mark(f"{morale.value.capitalize()}, Morale {rating_of(state, key)}", MORALE_TONES[morale])
    if state.table.priority == key:
        yield Mark("Priority", "busy")
    for piece, counters in state.table.guns.get(key, {}).items():
        if counters:
            yield Mark(f"{weapon_name(piece)}: {counters} Reload", "busy")


def combat_view(state: PlayState) -> CombatView | None:
    """The combat that was opened last in this turn, None if there is none."""
    fight = state.table.fight
    if fight is None:
        return None
    following = fight.next
    return CombatView(
        fighters=tuple(_fencer(state, each, following) for each in fight.fencers),
        counters=tuple(
            CombatCounters(state.side(key).name, (("Attack", pool.attack), ("Defence", pool.defence)))
            for key, pool in fight.pools.items()
        ),
        over=fight.over,
    )


def _fencer(state: PlayState, fencer: Fencer, following: Fencer | None) -> TurnView:
    attacks = max(0, fencer.most_attacks - fencer.attacks)
    return TurnView(
        fighter=fencer.id,
        name=state.named(fencer.id),
        side=fencer.side,
        standing=f"Initiative {fencer.initiative}",
        left=f"{attacks} attack{'' if attacks == 1 else 's'} left",
        next=following is not None and following.id == fencer.id,
        out=fencer.out,
    )
