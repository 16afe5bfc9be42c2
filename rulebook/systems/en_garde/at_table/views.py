"""How fighters, sides and the open combat look right now."""

from collections.abc import Iterator

from msgspec.structs import replace

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
from rulebook.systems.en_garde.victory import score
from rulebook.values.table import CombatCounters, CombatView, FighterView, Mark, SideView, TurnView

MORALE_TONES = {Morale.STEADY: "good", Morale.WAVERING: "warn", Morale.ROUTING: "bad"}


def fighter_views(state: PlayState) -> tuple[FighterView, ...]:
    """Everybody, Civilians last, in the order in which they were fielded."""
    fighters = (_fighter(state, there) for there in state.combatants.values())
    return (*fighters, *(_civilian(each) for each in state.civilians.values()))


def _fighter(state: PlayState, there: CombatantState) -> FighterView:
    identity = there.fighter.id
    now, known = present(state, identity), state.table.of(identity)
    return FighterView(
        id=identity,
        name=there.fighter.name,
        side=there.side,
        profile=outfit(there.fighter).profile.name,
        rank=there.fighter.rank,
        out=there.why_out,
        marks=() if there.dead else tuple(_marks(state, there, now, known)),
        weapon=weapon_name(weapon_now(state, identity)),
        foes=tuple(state.named(foe) for foe in known.contacts),
        numbers=_numbers(state, now),
        posts=there.fighter.posts,
        dead=there.dead,
    )


def _numbers(state: PlayState, now: Combatant) -> tuple[tuple[str, str], ...]:
    numbers = present_numbers(now, state.settings)
    return (
        ("Combat Pool", str(now.combat_pool)),
        ("Initiative", str(numbers.initiative)),
        ("Fight", str(numbers.fight)),
        ("Shoot", str(numbers.shoot)),
    )


def _marks(state: PlayState, there: CombatantState, now: Combatant, known: OnTable) -> Iterator[Mark]:
    yield from _hurts(there)
    if known.poisoned:
        yield Mark("Poisoned", "warn")
    for weapon, counters in known.reload.items():
        if counters:
            yield Mark(f"{weapon_name(weapon)}: {counters} Reload", "busy")
    if now.has("magician"):
        yield Mark(f"{magic_points(now) - known.magic} Magic Points", "busy")
    if now.mounted:
        yield Mark("Mounted")
    yield from (Mark(f"Carries {thing}") for thing in sorted(known.carries))
    yield from _action_marks(state, known)


def _hurts(there: CombatantState) -> Iterator[Mark]:
    if there.wounds.wound in WOUNDS:
        yield Mark(WOUNDS[there.wounds.wound], "bad")
    if there.wounds.stunned:
        yield Mark("Stunned" if there.wounds.stunned == 1 else f"Stunned × {there.wounds.stunned}", "warn")
    if there.mount.counters or there.mount.stunned:
        yield Mark(f"Mount: {there.mount.worst}", "warn")


def _action_marks(state: PlayState, known: OnTable) -> Iterator[Mark]:
    turn = state.table.turn
    if known.hidden:
        yield Mark("Hidden")
    if known.aimed == turn > 0:
        yield Mark("Aims")
    if known.acted == turn > 0:
        yield Mark("Has acted")


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
    return tuple(replace(_side(state, key), assets=assets[key]) for key in state.sides)


def _side(state: PlayState, key: str) -> SideView:
    own, lines = state.own(key), score(state, key)
    return SideView(
        key=key,
        name=state.side(key).name,
        marks=tuple(_side_marks(state, key)),
        strength=sum(there.standing for there in own),
        fielded=len(own),
        victory_points=sum(line.points for line in lines),
        lines=lines,
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
