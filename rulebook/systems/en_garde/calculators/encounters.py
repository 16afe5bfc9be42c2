"""Two given fighters against each other: a shot, an attack or a round between them, wherever they come from."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from rulebook.calculators.questions import Values
from rulebook.calculators.wording import violation_warnings
from rulebook.ruleset import Problem, RulesError
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.calculators.attack_odds import Strike, attack_answer
from rulebook.systems.en_garde.calculators.round_odds import (
    Duel,
    best_split_answer,
    bound,
    duellist_of,
    equilibrium_answer,
    round_answer,
    round_rules,
)
from rulebook.systems.en_garde.calculators.rounds import Fencers, duel_sums, noted, policy_of, split_of
from rulebook.systems.en_garde.calculators.shot_odds import Aim, shot_answer
from rulebook.systems.en_garde.odds.lucky import ATTACKER
from rulebook.systems.en_garde.table.arms_in_hand import Grip
from rulebook.systems.en_garde.table.blows import Stance, steed_as_combatant, targets
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.rounds import Split, fighter_pool
from rulebook.systems.en_garde.table.shooting import Missile, Shot, missile
from rulebook.values.answers import Answer
from rulebook.values.problems import Violation

TARGET = "target_"


class Encounter(Struct, frozen=True):
    """Two fighters as they stand, the house rules between them, and what was assumed to say so."""

    attacker: Combatant
    target: Combatant
    settings: HouseRules = USUAL
    assumptions: tuple[str, ...] = ()
    struck_back: bool = False
    """The target is Beguiling, and has attacked the attacker before."""

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called."""
        return self.attacker.name, self.target.name


def checked(encounter: Encounter) -> Encounter:
    """The meeting, if the two can do each other harm. Raises RulesError."""
    for field, fighter in (("attacker", encounter.attacker), ("target", encounter.target)):
        if fighter.wounds.dead:
            sentence = f"{fighter.name} is dead: ask about somebody who is not."
            raise RulesError(Problem("dead", sentence, field=field, value=fighter.id))
    return encounter


def with_notes(answer: Answer, encounter: Encounter, violations: Iterable[Violation] = ()) -> Answer:
    """The answer with what the meeting assumes, and with more that the rules forbid."""
    return replace(
        answer,
        assumptions=(*encounter.assumptions, *answer.assumptions),
        forbidden=(*violation_warnings(violations), *answer.forbidden),
    )


# Shots.


def missile_of(shooter: Combatant, told: str, *, grapeshot: bool) -> Missile:
    """The weapon that was told, or the first that the shooter carries. Raises RulesError if there is none."""
    carried = next((key for key in shooter.weapons if key in catalogue().arms.missiles), "")
    if not told and not carried:
        sentence = f"{shooter.name} carries nothing to shoot with: name a 'weapon'."
        raise RulesError(Problem("no-missile-weapon", sentence, field="weapon"))
    return missile(told or carried, grapeshot=grapeshot)


def shot_between(
    encounter: Encounter,
    weapon: Missile,
    shot: Shot,
    violations: Iterable[Violation] = (),
    *,
    lucky: str = "",
    others: tuple[Combatant, ...] = (),
) -> Answer:
    """A shot of the one at the other; ``others`` are in the target's combat, ``lucky`` says who re-rolls."""
    aim = Aim(
        encounter.attacker, encounter.target, weapon, shot, encounter.settings, encounter.struck_back, lucky, others
    )
    return with_notes(shot_answer(aim), encounter, violations)


def luck_violations(encounter: Encounter, lucky: str) -> tuple[Violation, ...]:
    """What forbids luck to somebody who is not Lucky."""
    fighter = encounter.attacker if lucky == ATTACKER else encounter.target
    if not lucky or fighter.has("lucky"):
        return ()
    return (Violation("no-luck", f"{fighter.name} is not Lucky.", 'Rule book: "Lucky"'),)


def not_carried(shooter: Combatant, weapon: Missile) -> tuple[Violation, ...]:
    """What forbids a weapon that the shooter has not; guns belong to the warband."""
    if weapon.gun or weapon.key in shooter.weapons:
        return ()
    sentence = f"{shooter.name} carries no {weapon.name.lower()}."
    return (Violation("not-carried", sentence, 'Rule book: "Missile weapons"'),)


# Attacks.


def attack_between(
    encounter: Encounter, attack: Stance, defence: Stance, values: Values, violations: Iterable[Violation] = ()
) -> Answer:
    """An attack of the one at the other, of a warhorse, or at a mount."""
    attacker, target, rider, notes = encounter.attacker, encounter.target, None, []
    if values["by_mount"]:
        attacker, attack = _mount(attacker, "by_mount"), Stance(Grip())
        notes.append(f"It is {attacker.name} that strikes.")
    if values["at_mount"]:
        notes += [] if "mount" in targets(encounter.attacker, target) or values["by_mount"] else [RIDERS]
        rider, target, defence = target, _mount(target, "at_mount"), Stance(Grip())
        notes.append(f"The blow is aimed at {target.name}.")
    strike = Strike(
        attacker,
        attack,
        target,
        defence,
        encounter.settings,
        values["free"],
        encounter.struck_back,
        values["lucky"],
        rider,
    )
    noted = replace(encounter, assumptions=(*encounter.assumptions, *notes))
    return with_notes(attack_answer(strike), noted, violations)


RIDERS = "Riders strike riders: the rules would not allow a blow at the mount."


def _mount(rider: Combatant, field: str) -> Combatant:
    if rider.steed is None:
        raise RulesError(Problem("not-mounted", f"{rider.name} rides nothing: leave {field!r} out.", field=field))
    return steed_as_combatant(rider)


# Rounds.


def duel_between(encounter: Encounter, grip: Grip, foes_grip: Grip, values: Values) -> tuple[Fencers, Duel]:
    """The two as fencers, and as the count needs them."""
    one, other, settings = encounter.attacker, encounter.target, encounter.settings
    pair = Fencers(one, grip, other, foes_grip)
    duel = Duel(
        one=duellist_of(one, grip, other, policy_of(values), settings),
        other=duellist_of(other, foes_grip, one, policy_of(values, TARGET), settings),
        names=encounter.names,
        rules=round_rules(settings),
        sums=duel_sums(pair, encounter.names, settings),
    )
    return pair, bound(duel, one, other)


def round_between(
    encounter: Encounter, pair: Fencers, duel: Duel, splits: tuple[Split, Split], *, drawn: bool = False
) -> Answer:
    """One round between the two; ``drawn`` says that the counters lie on the table already."""
    return with_notes(noted(round_answer(duel, *splits), pair, *(() if drawn else splits)), encounter)


def told_splits(encounter: Encounter, values: Values) -> tuple[Split, Split]:
    """The counters that fields tell of, for both."""
    return split_of(values, "", encounter.attacker), split_of(values, TARGET, encounter.target)


def best_split_between(encounter: Encounter, pair: Fencers, duel: Duel, values: Values) -> Answer:
    """The attacker's best split against one of the target's."""
    other = split_of(values, TARGET, encounter.target)
    answer = best_split_answer(duel, fighter_pool(encounter.attacker), other)
    return with_notes(noted(answer, pair), encounter)


def equilibrium_between(encounter: Encounter, pair: Fencers, duel: Duel) -> Answer:
    """The mixes of splits for both, each with its own Combat Pool."""
    answer = equilibrium_answer(duel, fighter_pool(encounter.attacker), fighter_pool(encounter.target))
    return with_notes(noted(answer, pair), encounter)
