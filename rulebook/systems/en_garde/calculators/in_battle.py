"""Odds between two combatants of a battle under way: the log knows wounds, weapons, weather and who fights whom."""

from msgspec.structs import replace

from rulebook.calculators.questions import Question, Values
from rulebook.calculators.wording import violation_warnings
from rulebook.ruleset import LoggedEvent, Problem, RulesError
from rulebook.systems.en_garde.calculators.attacks import ploys_of
from rulebook.systems.en_garde.calculators.between import attack_fields, of_kind, round_fields, shot_fields
from rulebook.systems.en_garde.calculators.encounters import (
    Encounter,
    attack_between,
    best_split_between,
    checked,
    duel_between,
    equilibrium_between,
    missile_of,
    round_between,
    shot_between,
    told_splits,
)
from rulebook.systems.en_garde.calculators.people import grip_of as by_hand
from rulebook.systems.en_garde.odds.lucky import ATTACKER, TARGET
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.arms_in_hand import Grip
from rulebook.systems.en_garde.table.blows import Stance
from rulebook.systems.en_garde.table.rounds import Round, Split
from rulebook.systems.en_garde.table.shooting import Cover
from rulebook.systems.en_garde.turns.fighters import grip_of, present
from rulebook.systems.en_garde.turns.opportunities import fight_of
from rulebook.systems.en_garde.turns.shots import ShotFired
from rulebook.systems.en_garde.turns.turn_event import lucky_violations
from rulebook.values.answers import Answer

BATTLE = "battle"
LEFT = "The counters are those that are left in the open round, which is counted from a new roll for the order."


def encounter_of(state: PlayState, attacker: str, target: str) -> Encounter:
    """Two of a battle as they stand now. Raises RulesError for somebody who is not in it, or dead."""
    _in_it(attacker in state.combatants, "attacker", attacker)
    _in_it(target in state.combatants or target in state.civilians, "target", target)
    turn = state.table.turn
    return checked(
        Encounter(
            attacker=present(state, attacker),
            target=present(state, target),
            settings=state.settings,
            assumptions=(f"Both are as the log leaves them{f', in turn {turn}' if turn else ''}.",),
            struck_back=attacker in state.table.of(target).struck,
        )
    )


def _in_it(known: bool, field: str, fighter: str) -> None:
    if not known:
        sentence = f"No combatant {fighter!r} is in this battle: give {field!r} as the id of one who is."
        raise RulesError(Problem("unknown-combatant", sentence, field=field, value=fighter))


def shot(state: PlayState, attacker: str, target: str, values: Values) -> Answer:
    """A shot in the battle as it stands."""
    encounter = encounter_of(state, attacker, target)
    weapon = missile_of(encounter.attacker, values["weapon"], grapeshot=values["grapeshot"])
    told = {key: values[key] for key in ("inches", "moved", "twice", "from_behind", "grapeshot")}
    told["lucky"] = {ATTACKER: attacker, TARGET: target}.get(values["lucky"], "")
    event = ShotFired(shooter=attacker, target=target, weapon=weapon.key, cover=Cover(values["cover"]), **told)
    others = tuple(present(state, each) for each in in_combat_with(state, target))
    found = shot_between(encounter, weapon, event.circumstances(state), lucky=values["lucky"], others=others)
    return replace(found, forbidden=violation_warnings(event.violations(state, LoggedEvent(0, "shot", {}))))


def in_combat_with(state: PlayState, fighter: str) -> tuple[str, ...]:
    """Everybody else in the combat of a fighter: its enemies, and those whom they fight besides."""
    enemies = state.table.of(fighter).contacts
    friends = (each for enemy in enemies for each in state.table.of(enemy).contacts)
    return tuple(each for each in dict.fromkeys((*enemies, *friends)) if each != fighter)


def attack(state: PlayState, attacker: str, target: str, values: Values) -> Answer:
    """An attack in the battle as it stands."""
    encounter = encounter_of(state, attacker, target)
    ploys, answers = ploys_of(values)
    mine, theirs = _counters(fight_of(state, attacker, target), attacker, target)
    grip, foes_grip = _grips(state, attacker, target, values)
    blow = Stance(grip, ploys, max(0, mine.attack - 1), mine.defence, _enemies(state, attacker))
    answer = Stance(foes_grip, answers, 0, theirs.defence, _enemies(state, target))
    lucky = {ATTACKER: attacker, TARGET: target}.get(values["lucky"], "")
    return attack_between(encounter, blow, answer, values, lucky_violations(state, lucky, attacker, target))


def _grips(state: PlayState, attacker: str, target: str, values: Values) -> tuple[Grip, Grip]:
    """How both hold their weapons: as the log knows it, or with another weapon that was asked about."""
    return _grip(state, attacker, values["weapon"]), _grip(state, target, values["target_weapon"])


def _grip(state: PlayState, fighter: str, told: str) -> Grip:
    known = grip_of(state, fighter)
    if not told or told == known.weapon:
        return known
    held = by_hand(present(state, fighter), told, indoors=known.indoors, first_round=known.first_round)
    return replace(held, pistol_reload=known.pistol_reload)


def _counters(fight: Round | None, attacker: str, target: str) -> tuple[Split, Split]:
    """The counters left to both sides in the open round; enough for anything, if there is none."""
    if fight is None:
        return Split(2, 2), Split(2, 2)
    return fight.pools[fight.fencer(attacker).side], fight.pools[fight.fencer(target).side]


def _enemies(state: PlayState, fighter: str) -> int:
    """How many enemies it fights: those in its round, else those that it touches."""
    fight = fight_of(state, fighter)
    if fight is None:
        return max(1, len(state.table.of(fighter).contacts))
    side = fight.fencer(fighter).side
    return sum(each.side != side and not each.out for each in fight.fencers)


def one_round(state: PlayState, attacker: str, target: str, values: Values) -> Answer:
    """A round in the battle as it stands: with the counters left, if one is open between the two."""
    encounter = encounter_of(state, attacker, target)
    pair, duel = duel_between(encounter, *_grips(state, attacker, target, values), values)
    fight = fight_of(state, attacker, target)
    told = any(values[key] is not None for key in ("attack", "defence", "target_attack", "target_defence"))
    if fight is None or told:
        return round_between(encounter, pair, duel, told_splits(encounter, values))
    encounter = replace(encounter, assumptions=(*encounter.assumptions, LEFT))
    return round_between(encounter, pair, duel, _counters(fight, attacker, target), drawn=True)


def best_split(state: PlayState, attacker: str, target: str, values: Values) -> Answer:
    """The best split in the battle as it stands."""
    encounter = encounter_of(state, attacker, target)
    pair, duel = duel_between(encounter, *_grips(state, attacker, target, values), values)
    return best_split_between(encounter, pair, duel, values)


def equilibrium(state: PlayState, attacker: str, target: str, values: Values) -> Answer:
    """The secret choice in the battle as it stands."""
    encounter = encounter_of(state, attacker, target)
    return equilibrium_between(encounter, *duel_between(encounter, *_grips(state, attacker, target, values), values))


QUESTIONS = (
    Question(of_kind(BATTLE, "shot", shot_fields()), shot),
    Question(of_kind(BATTLE, "attack", attack_fields()), attack),
    Question(of_kind(BATTLE, "round", round_fields()), one_round),
    Question(of_kind(BATTLE, "best-split", round_fields(one=False)), best_split),
    Question(of_kind(BATTLE, "equilibrium", round_fields(one=False, other=False)), equilibrium),
)
