"""The table as people see it: how fighters, sides and the open combat look, what is due, what can
be done."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.systems.en_garde.at_table import actions
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import (
    CivilianState,
    CombatantState,
    PlayState,
    last_turn,
    outfit,
)
from rulebook.systems.en_garde.play.turn_state import OnTable, TurnPhase
from rulebook.systems.en_garde.play.words import WOUNDS, weapon_name
from rulebook.systems.en_garde.rosters.extras import side_assets
from rulebook.systems.en_garde.table.combatant import BARE_HANDS, Combatant, present_numbers
from rulebook.systems.en_garde.table.magic import magic_points
from rulebook.systems.en_garde.table.morale import Morale, must_test
from rulebook.systems.en_garde.table.rounds import Fencer, Round, may_strike
from rulebook.systems.en_garde.table.setting_up import rising_end
from rulebook.systems.en_garde.turns.alternation import free_fighters, next_side
from rulebook.systems.en_garde.turns.attacks import holds_empty_pistol
from rulebook.systems.en_garde.turns.duels import duellists_alone
from rulebook.systems.en_garde.turns.fighters import fewest_counters, present, weapon_now
from rulebook.systems.en_garde.turns.harm import after_poison
from rulebook.systems.en_garde.turns.nerve import rating_of, sides_to_test, warband_of
from rulebook.systems.en_garde.turns.opportunities import WeaponSwitched
from rulebook.systems.en_garde.turns.owed import length_due, obligations, pending_combats, stunned
from rulebook.systems.en_garde.victory import score_so_far
from rulebook.values import table
from rulebook.values.battles import SetUpLine
from rulebook.values.problems import join_names
from rulebook.values.remembering import remembered


def at_table(play: Play[PlayState], who: str = "") -> table.TableView:
    """Return the table as it stands, with the actions of ``who``: a fighter, Civilian or side, or
    "" for the table.

    Nobody has actions who is not there.
    """
    state = play.state
    return replace(
        _without_actions(state),
        actions=tuple(actions.in_time(state, each) for each in actions_of(state, who)),
    )


@remembered
def _without_actions(state: PlayState) -> table.TableView:
    """Return the table as everybody sees it; a page asks for the actions of several sides and shows
    it once."""
    assets = side_assets(state.setup)
    fighters = (_fighter(state, combatant) for combatant in state.combatants.values())
    return table.TableView(
        turn=state.table.turn,
        turns=last_turn(state),
        ended=state.ended,
        dice=state.settings.dice,
        phases=phases_due(state),
        sides=tuple(_side(state, key, assets[key]) for key in state.sides),
        fighters=(*fighters, *map(_civilian, state.civilians.values())),
        combat=combat_view(state),
        actions=(),
        choice=whose_choice(state),
        bulks=tuple(bulks(state)),
    )


def actions_of(state: PlayState, who: str) -> Iterator[table.Action]:
    """Yield the actions that can be logged of a fighter, Civilian, side or the table now."""
    if who in state.civilians:
        yield from actions.of_a_civilian(state, who)
    elif who in state.sides:
        yield from actions.of_a_side(state, who)
    elif who in state.combatants:
        yield from actions.of_a_fighter(state, who)
    elif not who:
        yield from actions.of_the_table(state)


MORALE_TONES = {Morale.STEADY: "good", Morale.WAVERING: "warn", Morale.ROUTING: "bad"}


def _fighter(state: PlayState, combatant: CombatantState) -> table.FighterView:
    identity = combatant.fighter.id
    now = present(state, identity)
    on_table = state.table.of(identity)
    left = present_numbers(now, state.settings)
    numbers = {
        "Combat Pool": now.combat_pool,
        "Initiative": left.initiative,
        "Fight": left.fight,
        "Shoot": left.shoot,
    }
    return table.FighterView(
        id=identity,
        name=combatant.fighter.name,
        side=combatant.side,
        profile=outfit(combatant.fighter).profile.name,
        rank=combatant.fighter.rank,
        out=combatant.why_out,
        marks=() if combatant.dead else _marks(state, combatant, now, on_table),
        weapon=_arms(state, identity, now),
        foes=tuple(state.named(foe) for foe in on_table.contacts),
        numbers=tuple((name, str(number)) for name, number in numbers.items()),
        posts=combatant.fighter.posts,
        dead=combatant.dead,
    )


def _arms(state: PlayState, fighter: str, now: Combatant) -> str:
    """Return the names of the arms that a fighter shows: in contact the weapon in hand, else
    its missile weapons first.
    """
    in_hand = weapon_now(state, fighter)
    apart = not state.table.of(fighter).contacts
    missiles = [key for key in now.weapons if apart and key in catalogue().arms.missiles]
    carried = [*missiles, *([] if missiles and in_hand == BARE_HANDS else [in_hand])]
    return ", ".join(dict.fromkeys(weapon_name(key) for key in carried))


def _marks(
    state: PlayState, combatant: CombatantState, now: Combatant, on_table: OnTable
) -> tuple[table.Mark, ...]:
    """Return the visible condition of a fighter: harm first, then weapons and magic, then what it
    does."""
    stunned = combatant.wounds.stunned
    reload = tuple(
        (left > 0, f"{weapon_name(key)}: {left} Reload", "busy")
        for key, left in on_table.reload.items()
    )
    marks = (
        (combatant.wounds.wound in WOUNDS, WOUNDS.get(combatant.wounds.wound, ""), "bad"),
        (stunned > 0, f"Stunned × {stunned}" if stunned > 1 else "Stunned", "warn"),
        (
            combatant.mount.counters + combatant.mount.stunned > 0,
            f"Mount: {combatant.mount.worst}",
            "warn",
        ),
        (bool(on_table.poisoned), "Poisoned", "warn"),
        *reload,
        (now.has("magician"), f"{magic_points(now) - on_table.magic} Magic Points", "busy"),
        (now.mounted, "Mounted", "idle"),
        *((True, f"Carries {thing}", "idle") for thing in sorted(on_table.carries)),
        (on_table.hidden, "Hidden", "idle"),
        (on_table.has("aimed"), "Aiming", "idle"),
        (on_table.has("acted"), "Has acted", "idle"),
    )
    return tuple(table.Mark(text, tone) for holds, text, tone in marks if holds)


def _civilian(civilian: CivilianState) -> table.FighterView:
    out = civilian.outcome if civilian.outcome in ("taken", "escorted") else ""
    return table.FighterView(
        id=civilian.key,
        name=civilian.name,
        side=civilian.side,
        profile="Civilian",
        rank=0,
        out="dead" if civilian.dead else out,
        marks=()
        if civilian.unharmed
        else (table.Mark(civilian.wounds.worst.capitalize() or "Harmed", "bad"),),
        weapon="",
        foes=(),
        numbers=(),
        dead=civilian.dead,
    )


def _side(state: PlayState, key: str, assets: tuple[SetUpLine, ...]) -> table.SideView:
    own, lines = state.own(key), score_so_far(state, key)
    return table.SideView(
        key=key,
        name=state.side(key).name,
        marks=tuple(_side_marks(state, key)),
        strength=sum(combatant.standing for combatant in own),
        fielded=len(own),
        victory_points=sum(line.points for line in lines),
        lines=lines,
        assets=assets,
    )


def _side_marks(state: PlayState, key: str) -> Iterator[table.Mark]:
    morale = state.table.morale_of(key)
    yield table.Mark(
        f"{morale.value.capitalize()}, Morale {rating_of(state, key)}", MORALE_TONES[morale]
    )
    if state.table.priority == key:
        yield table.Mark("Priority", "busy")
    for piece, counters in state.table.guns.get(key, {}).items():
        if counters:
            yield table.Mark(f"{weapon_name(piece)}: {counters} Reload", "busy")


def combat_view(state: PlayState) -> table.CombatView | None:
    """Return the combat that was opened last in this turn, None if there is none."""
    fight = state.table.fight
    if fight is None:
        return None
    following = fight.next
    return table.CombatView(
        fighters=tuple(_fencer(state, each, following) for each in fight.fencers),
        counters=tuple(
            table.CombatCounters(
                state.side(key).name, (("Attack", pool.attack), ("Defence", pool.defence))
            )
            for key, pool in fight.pools.items()
        ),
        over=fight.over,
    )


def _fencer(state: PlayState, fencer: Fencer, following: Fencer | None) -> table.TurnView:
    attacks = max(0, fencer.most_attacks - fencer.attacks)
    return table.TurnView(
        fighter=fencer.id,
        name=state.named(fencer.id),
        side=fencer.side,
        standing=f"Initiative {fencer.initiative if fencer.score is None else fencer.score}",
        left=f"{attacks} attack{'' if attacks == 1 else 's'} left",
        next=following is not None and following.id == fencer.id,
        out=fencer.out,
    )


PROCEDURE = 'Rule book: "Combat procedure"'
SEQUENCE = 'Rule book: "Turn sequence"'
NAMES = {
    TurnPhase.PRIORITY: "Priority Phase",
    TurnPhase.MOVE: "Move Phase",
    TurnPhase.COMBAT: "Combat Phase",
    TurnPhase.END: "End Phase",
}


def phases_due(state: PlayState) -> tuple[table.Phase, ...]:
    """Return the phases of a turn, with what is due in those that are not over."""
    due = {
        TurnPhase.PRIORITY: _priority,
        TurnPhase.MOVE: _move,
        TurnPhase.COMBAT: _combat,
        TurnPhase.END: _end,
    }
    now = None if state.ended else phase_now(state)
    first = now or TurnPhase.END
    # Until Priority is settled nothing later in the turn is due: done first, it would leave the
    # Priority Phase behind unrolled. A light turn has no phases: what follows from its casualties
    # is due at any time.
    last = TurnPhase.PRIORITY if now is TurnPhase.PRIORITY and not state.light else TurnPhase.END
    phases = []
    for phase, name in NAMES.items():
        is_open = first.place <= phase.place <= last.place
        due_now = tuple(due[phase](state)) if is_open else ()
        phases.append(table.Phase(key=phase.value, name=name, due=due_now, now=phase is now))
    return tuple(phases)


def phase_now(state: PlayState) -> TurnPhase:
    """Return the phase that the table is in. A phase in which nobody has anything left to do is
    over."""
    now = state.table.phase
    # With Priority settled, the Move Phase has begun.
    if now == TurnPhase.PRIORITY and state.table.priority:
        now = TurnPhase.MOVE
    if now == TurnPhase.MOVE and state.table.priority and not any(_move(state)):
        now = TurnPhase.COMBAT
    if now == TurnPhase.COMBAT and state.table.priority and not any(_combat(state)):
        now = TurnPhase.END
    return now


def whose_choice(state: PlayState) -> str:
    """Return in a sentence who moves next, or who picks a combat. Rule book: "Combat"."""
    if state.ended or not state.table.priority:
        return ""
    now = phase_now(state)
    if now == TurnPhase.MOVE:
        side = next_side(state)
        return f"{state.side(side).name} moves next." if side else ""
    fight = state.table.fight
    pending = (
        pending_combats(state) if now == TurnPhase.COMBAT and (fight is None or fight.over) else ()
    )
    if not pending:
        return ""
    # The side with Priority picks first, then the others in turn. Going on to another enemy is no
    # pick.
    begun = [each for each in (*state.table.earlier, fight) if each is not None]
    picked = sum(not any(fencer.moved_on for fencer in each.fencers) for each in begun)
    start = state.sides.index(state.table.priority) + picked
    order = [state.sides[(start + place) % len(state.sides)] for place in range(len(state.sides))]
    side = next(each for each in order if any(each in combat for combat in pending))
    name, last = state.side(side).name, len(pending) == 1
    if not picked:
        if last:
            return f"{name} has Priority and picks the combat."
        return f"{name} has Priority and picks a combat."
    return f"{name} picks the last combat." if last else f"{name} picks the next combat."


def bulks(state: PlayState) -> Iterator[table.Bulk]:
    """Yield what several fighters of a side can do together: move, shoot or load."""
    if state.ended or not state.table.priority or phase_now(state) != TurnPhase.MOVE:
        return
    for side in _next_first(state):
        name = state.side(side).name
        free = tuple(free_fighters(state, side))
        if len(free) > 1:
            yield table.Bulk(
                do="move", button=f"{name}: enter moves and charges", who=free, some=True
            )
        shooters = tuple(fighter for fighter in free if _can_shoot(state, fighter))
        if len(shooters) > 1:
            yield table.Bulk(do="shot", button=f"{name}: enter shots", who=shooters, some=True)
        yield from _loaders(state, name, free)
        if len(free) > 1:
            yield table.Bulk(do="move", button=f"{name}: all {len(free)} move", who=free)


def _next_first(state: PlayState) -> list[str]:
    """Return the sides, the one that activates a fighter next first."""
    first = next_side(state)
    return sorted(state.sides, key=lambda side: side != first)


def _can_shoot(state: PlayState, fighter: str) -> bool:
    """Return whether a fighter has a loaded missile weapon."""
    missiles = [key for key in present(state, fighter).weapons if key in catalogue().arms.missiles]
    return any(not fewest_counters(state, fighter, key) for key in missiles)


def _loaders(state: PlayState, name: str, free: Iterable[str]) -> Iterator[table.Bulk]:
    """Yield the fighters of a side who have to load, weapon by weapon."""
    loaders: dict[str, list[str]] = {}
    for fighter in free:
        for weapon, counters in state.table.of(fighter).reload.items():
            if counters and weapon in present(state, fighter).weapons:
                loaders.setdefault(weapon, []).append(fighter)
    for weapon, who in loaders.items():
        arm = weapon_name(weapon).lower()
        button = (
            f"{state.named(who[0])} loads the {arm}"
            if len(who) == 1
            else f"{name}: {len(who)} load the {arm}"
        )
        yield table.Bulk(do=f"reload-{weapon}", button=button, who=tuple(who))


def _priority(state: PlayState) -> Iterator[table.Due]:
    if not state.table.turn:
        yield from _opening(state)
        yield _begin(state, "Start the first turn")
    elif not state.table.priority:
        yield _roll(state, "Roll for Priority.", "", "priority", 'Rule book: "Determine priority"')


def _opening(state: PlayState) -> Iterator[table.Due]:
    """Yield the tasks before the first turn: duellists are named, Scouts may go ahead."""
    unnamed = [
        side for side in state.sides if duellists_alone(state) and side not in state.table.duellists
    ]
    for side in unnamed:
        yield table.Due(
            sentence=f"{state.side(side).name} must choose its duellist.",
            who=side,
            do="duellist",
            rule='Rule book: "Duel"',
            button="Choose duellist",
        )
    if state.settings.minor_objectives != "secret":
        yield from _objectives(state)
    for fighter in state.combatants:
        if present(state, fighter).has("scout") and not state.table.of(fighter).scouted:
            yield table.Due(
                sentence=f"{state.named(fighter)} can go ahead as a Scout.",
                who=fighter,
                do="scout",
                rule='Rule book: "Scout"',
                button="Place Scout",
            )


def _objectives(state: PlayState) -> Iterator[table.Due]:
    """Yield the minor objectives that are still unknown; secret ones are logged once the battle is
    over.

    Ruling S4.
    """
    has_minor = "minor_objective" in state.scenario.event_kinds
    for side in (each for each in state.sides if has_minor and each not in state.rolled):
        sentence = f"{state.side(side).name} must roll its minor objective."
        yield _roll(state, sentence, side, "minor_objective", f"{state.scenario.source}; Ruling S4")


def _move(state: PlayState) -> Iterator[table.Due]:
    for side in _next_first(state) if state.table.priority else ():
        on_table = [
            state.table.of(combatant.fighter.id)
            for combatant in state.own(side)
            if combatant.standing
        ]
        idle = [
            each
            for each in on_table
            if not (each.has("acted") or each.has("fought") or each.contacts)
        ]
        if idle and side not in state.table.done:
            name = state.side(side).name
            rule = 'Rule book: "Move phase"'
            now = f"{name} is next" if side == next_side(state) else name
            sentence = f"{now}: {len(idle)} still to act."
            yield table.Due(
                sentence=sentence,
                who=side,
                do="done",
                rule=rule,
                button="Pass",
                at_once=True,
                minor=True,
            )


def _combat(state: PlayState) -> Iterator[table.Due]:
    """Yield the next opportunity of the open combat, else the combats that are still to be
    fought."""
    fight = state.table.fight
    following = fight.next if fight is not None else None
    # A combat that is open is fought to its end before the next one begins.
    if fight is not None and following is not None:
        yield _opportunity(state, fight, following)
        return
    do = "combat" if state.settings.dice == "table" else "round"
    for pending in pending_combats(state) if state.table.turn else ():
        first, second = pending.values()
        against = join_names(state.named(each) for each in second)
        sentence = f"{state.named(first[0])} against {against}."
        yield table.Due(
            sentence=sentence,
            who=first[0],
            do=do,
            rule='Rule book: "Combat"',
            button="Start combat",
            or_else=True,
        )


def _opportunity(state: PlayState, fight: Round, following: Fencer) -> table.Due:
    """Return what the next fighter of the open combat does: pass, take another weapon, or
    attack."""
    name = state.named(following.id)
    if following.passes or not may_strike(fight, following):
        sentence = f"{name} must skip this attack."
        return table.Due(
            sentence=sentence,
            who=following.id,
            do="pass",
            rule=PROCEDURE,
            button="Skip attack",
            at_once=True,
        )
    if holds_empty_pistol(state, following.id):
        return _without_a_weapon(state, following.id)
    # Where Muster throws, one form fights the whole round.
    do, button = (
        ("attack", "Attack") if state.settings.dice == "table" else ("round", "Fight the round")
    )
    sentence = f"{name} has the next attack."
    return table.Due(
        sentence=sentence, who=following.id, do=do, rule=PROCEDURE, button=button, or_else=True
    )


def _without_a_weapon(state: PlayState, fighter: str) -> table.Due:
    """Return what a fighter does with its opportunity and an empty pistol in its hand: another
    weapon, or nothing."""
    sentence = f"{state.named(fighter)} has the next attack, but the pistol is empty."
    pistol = 'Rule book: "Pistol"'
    if not WeaponSwitched.weapons_for(state, fighter):
        return table.Due(
            sentence=sentence,
            who=fighter,
            do="pass",
            rule=pistol,
            button="Skip attack",
            at_once=True,
        )
    return table.Due(
        sentence=sentence,
        who=fighter,
        do="switch_weapon",
        rule=pistol,
        button="Change weapon",
        instead="pass",
        instead_button="Skip attack",
    )


def _end(state: PlayState) -> Iterator[table.Due]:
    if state.ended and state.settings.minor_objectives == "secret":
        yield from _objectives(state)
    if state.ended or not state.table.turn:
        return
    for side in sides_to_test(state):
        reasons = ", ".join(must_test(warband_of(state, side)))
        sentence = f"{state.side(side).name} tests its Morale: {reasons}."
        yield _roll(state, sentence, side, "morale", 'Rule book: "Test morale"')
    for fighter in stunned(after_poison(state)):
        rule = 'Rule book: "Remove stunned counters"'
        sentence = f"{state.named(fighter)} rolls to remove Stunned counters."
        yield _roll(state, sentence, fighter, "stun_roll", rule)
    yield from _over(state)


def _over(state: PlayState) -> Iterator[table.Due]:
    """Yield the end of the battle or the next turn, once nothing is owed any more."""
    owed = tuple(obligations(after_poison(state)))
    turn, facts = state.table.turn, state.scenario
    if last_turn(state) is not None and turn >= (last_turn(state) or 0):
        if any(each.blocks_end for each in owed):
            return
        sentence = f"Turn {turn} was the last. The battle ends."
        yield table.Due(sentence=sentence, do="ended", rule=facts.source, button="End battle")
        return
    if facts.rising is not None and length_due(state):
        least = next(die for die in range(1, 7) if rising_end(turn, facts.rising, die))
        faces = "a 6" if least == 6 else f"{least} or more"
        sentence = f"Roll a die. On {faces} the next turn is the last."
        yield _roll(state, sentence, "", "length", f"{facts.source}; Ruling S15")
    if (state.table.priority or state.table.phase is TurnPhase.END) and not owed:
        yield _begin(state, f"Start turn {turn + 1}")


def _begin(state: PlayState, begin: str) -> table.Due:
    """Return the task of beginning a turn. The same tap rolls Priority, unless the table throws all
    dice."""
    rolls = state.settings.dice != "table"
    sentence = f"{begin} and roll for Priority." if rolls else f"{begin}."
    return table.Due(
        sentence=sentence, do="turn", rule=SEQUENCE, button="Start turn", at_once=True, rolls=rolls
    )


def _roll(state: PlayState, sentence: str, who: str, do: str, rule: str) -> table.Due:
    """Return a roll that is due: Muster throws at a tap, unless the house rule "dice" leaves all
    dice to the table."""
    return table.Due(
        sentence=sentence,
        who=who,
        do=do,
        rule=rule,
        button="Roll",
        rolls=True,
        at_once=state.settings.dice != "table",
    )
