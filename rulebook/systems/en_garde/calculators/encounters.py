"""Two who meet: a shot, an attack or a round between them.

They come from the fields of a form, from rosters, or from a battle under way. What these ways know
is said in the methods of ``Encounter`` and those that follow it; everything is answered from them.
"""

from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from rulebook.calculators.questions import Values
from rulebook.calculators.wording import violation_warnings
from rulebook.ruleset import LoggedEvent, Opponent, Problem, RulesError
from rulebook.systems.en_garde.book import problem, violation
from rulebook.systems.en_garde.book.arms import Gun, MissileWeapon
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import HOUSE_RULES, USUAL, HouseRules
from rulebook.systems.en_garde.calculators import rounds
from rulebook.systems.en_garde.calculators.attacks import (
    Strike,
    attack_answer,
    ploys_of,
    rolled_attack,
)
from rulebook.systems.en_garde.calculators.fighters import (
    armed,
    by_numbers,
    fighter_of,
    grip_of,
    skilled,
    wounds_of,
)
from rulebook.systems.en_garde.calculators.shots import (
    Aim,
    others_of,
    rolled_shot,
    shot_answer,
    shot_of,
)
from rulebook.systems.en_garde.odds.lucky import ATTACKER
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.blows import Stance, steed_as_combatant, targets
from rulebook.systems.en_garde.table.combatant import Combatant, Grip
from rulebook.systems.en_garde.table.rounds import Split, fighter_pool
from rulebook.systems.en_garde.table.shooting import Cover, missile
from rulebook.systems.en_garde.turns.fighters import combatant_of, present, primary_weapon
from rulebook.systems.en_garde.turns.fighters import grip_of as held_now
from rulebook.systems.en_garde.turns.opportunities import fight_of
from rulebook.systems.en_garde.turns.shots import ShotFired, others_in_combat
from rulebook.systems.en_garde.turns.turn_event import lucky_violations
from rulebook.values.answers import Answer
from rulebook.values.problems import Violation

TARGET = "target_"
MODIFIERS = ("initiative_modifier", "wound_modifier", "armour_rating")
FRESH = "Both fighters are as on their rosters, with the wounds you entered."
OWN_RULES = "Uses the house rules of the attacker's warband."
LEFT = "Uses the counters left in the open round, with a new roll for the order."
RIDERS = "A rider can only attack a rider, not the mount."


class Encounter(Struct, frozen=True):
    """Two as they stand, and what is asked about them; nothing is known but what the fields tell.

    The fields of the other begin with ``prefix``.
    """

    fighter: Combatant
    other: Combatant
    values: Values
    prefix: str = TARGET
    settings: HouseRules = USUAL
    assumptions: tuple[str, ...] = ()

    @property
    def struck_back(self) -> bool:
        """Return whether the other fighter is Beguiling and has attacked this one before."""
        return False

    def aim(self) -> Aim:
        """Return the shot of the fighter at the other.

        Raises RulesError if there is nothing to shoot with.
        """
        kwargs = {"lucky": self.values["lucky"], "others": others_of(self.values)}
        return Aim(
            self.fighter, self.other, self.missile(), shot_of(self.values), self.settings, **kwargs
        )

    def missile(self) -> MissileWeapon:
        """Return the weapon that was chosen, or the first missile weapon that the shooter
        carries."""
        carried = (key for key in self.fighter.weapons if key in catalogue().arms.missiles)
        weapon = self.values["weapon"] or next(carried, "")
        if not weapon:
            raise RulesError(problem("no-missile-weapon", name=self.fighter.name))
        return missile(weapon, grapeshot=self.values["grapeshot"])

    def not_carried(self, weapon: MissileWeapon) -> tuple[Violation, ...]:
        """Return the violation of a weapon that the shooter does not carry; guns belong to the
        warband."""
        if isinstance(weapon, Gun) or weapon.key in self.fighter.weapons:
            return ()
        return (
            violation("missile-not-carried", name=self.fighter.name, weapon=weapon.name.lower()),
        )

    def forbidden_shot(
        self, weapon: MissileWeapon, problems: tuple[Problem, ...]
    ) -> tuple[Problem, ...]:
        """Return the problems of a shot with those of its circumstances.

        A fighter made of numbers carries what is asked for.
        """
        return (
            problems
            if by_numbers(self.values)
            else (*problems, *violation_warnings(self.not_carried(weapon)))
        )

    def luck_violations(self) -> tuple[Violation, ...]:
        """Return the violations of a Lucky re-roll."""
        return ()

    def grips(self) -> tuple[Grip, Grip]:
        """Return how both hold their weapons: as chosen, or the best that they have."""
        held = {key: self.values[key] for key in ("indoors", "first_round") if key in self.values}
        weapons = self.values["weapon"], self.values[f"{self.prefix}weapon"]
        return (
            grip_of(self.fighter, weapons[0] or primary_weapon(self.fighter), **held),
            grip_of(self.other, weapons[1] or primary_weapon(self.other), **held),
        )

    def counters(self) -> tuple[Split, Split] | None:
        """Return the counters left to both in an open round."""
        return None

    def enemies(self) -> tuple[int, int]:
        """Return how many enemies each of the two fights."""
        return self.values["enemies"], self.values[f"{self.prefix}enemies"]

    def fencers(self) -> tuple[rounds.Fencer, rounds.Fencer]:
        """Return the two as they fight a round."""
        grip, foes_grip = self.grips()
        return (
            rounds.Fencer(self.fighter, grip, rounds.policy_of(self.values)),
            rounds.Fencer(self.other, foes_grip, rounds.policy_of(self.values, self.prefix)),
        )

    def noted(self, answer: Answer, *notes: str) -> Answer:
        """Return the answer with everything that was assumed."""
        return replace(answer, assumptions=(*self.assumptions, *notes, *answer.assumptions))


class OfRosters(Encounter, frozen=True):
    """Two fighters of rosters: their builds make the numbers, what is asked makes the situation."""

    def forbidden_shot(
        self, weapon: MissileWeapon, problems: tuple[Problem, ...]
    ) -> tuple[Problem, ...]:
        return (
            *violation_warnings((*self.not_carried(weapon), *self.luck_violations())),
            *problems,
        )

    def luck_violations(self) -> tuple[Violation, ...]:
        lucky = self.values["lucky"]
        fighter = self.fighter if lucky == ATTACKER else self.other
        if not lucky or fighter.has("lucky"):
            return ()
        return (violation("no-luck", name=fighter.name),)


class InBattle(Encounter, frozen=True, kw_only=True):
    """Two of a battle under way: the log knows wounds, weapons, weather and opponents."""

    state: PlayState

    @property
    def struck_back(self) -> bool:
        return self.fighter.id in self.state.table.of(self.other.id).struck

    def aim(self) -> Aim:
        weapon, state = self.missile(), self.state
        return Aim(
            self.fighter,
            self.other,
            weapon,
            self._fired(weapon).circumstances(state),
            self.settings,
            self.struck_back,
            self.values["lucky"],
            tuple(present(state, each) for each in others_in_combat(state, self.other.id)),
        )

    def forbidden_shot(
        self, weapon: MissileWeapon, problems: tuple[Problem, ...]
    ) -> tuple[Problem, ...]:
        return violation_warnings(
            self._fired(weapon).violations(self.state, LoggedEvent(0, "shot", {}))
        )

    def _fired(self, weapon: MissileWeapon) -> ShotFired:
        kwargs = {
            key: self.values[key]
            for key in ("inches", "moved", "twice", "from_behind", "grapeshot")
        }
        cover, lucky = Cover(self.values["cover"]), self._lucky()
        return ShotFired(
            shooter=self.fighter.id,
            target=self.other.id,
            weapon=weapon.key,
            cover=cover,
            lucky=lucky,
            **kwargs,
        )

    def _lucky(self) -> str:
        lucky = self.values["lucky"]
        if not lucky:
            return ""
        return self.fighter.id if lucky == ATTACKER else self.other.id

    def luck_violations(self) -> tuple[Violation, ...]:
        return lucky_violations(self.state, self._lucky(), self.fighter.id, self.other.id)

    def grips(self) -> tuple[Grip, Grip]:
        weapons = self.values["weapon"], self.values[f"{self.prefix}weapon"]
        return self._grip(self.fighter, weapons[0]), self._grip(self.other, weapons[1])

    def _grip(self, fighter: Combatant, weapon: str) -> Grip:
        """Return the grip that the log knows, or the one on another weapon that was asked about."""
        in_hand = held_now(self.state, fighter.id)
        if not weapon or weapon == in_hand.weapon:
            return in_hand
        held = grip_of(fighter, weapon, indoors=in_hand.indoors, first_round=in_hand.first_round)
        return replace(held, pistol_reload=in_hand.pistol_reload)

    def counters(self) -> tuple[Split, Split] | None:
        fight = fight_of(self.state, self.fighter.id, self.other.id)
        if fight is None:
            return None
        return fight.pools[fight.fencer(self.fighter.id).side], fight.pools[
            fight.fencer(self.other.id).side
        ]

    def enemies(self) -> tuple[int, int]:
        return self._enemies(self.fighter.id), self._enemies(self.other.id)

    def _enemies(self, fighter: str) -> int:
        """Return the enemies in a fighter's round, else those in contact."""
        fight = fight_of(self.state, fighter)
        if fight is None:
            return max(1, len(self.state.table.of(fighter).contacts))
        side = fight.fencer(fighter).side
        return sum(each.side != side and not each.out for each in fight.fencers)


# Where they come from.


def shooting(values: Values) -> Encounter:
    """Return a shooter and a target from the fields of a form."""
    weapon = missile(values["weapon"], grapeshot=values["grapeshot"])
    shooter = skilled(fighter_of(values, name="This fighter"), values, "", weapon.key)
    return Encounter(
        shooter, skilled(fighter_of(values, TARGET, "The target"), values, TARGET, ""), values
    )


def fighting(values: Values, prefix: str, name: str, other: str) -> Encounter:
    """Return two fighters with weapons in hand from the fields of a form."""
    return Encounter(armed(values, "", name), armed(values, prefix, other), values, prefix)


def of_rosters(attacker: Opponent, target: Opponent, values: Values) -> Encounter:
    """Return two fighters of rosters. Raises RulesError for a build that cannot be read."""

    def stands(opponent: Opponent, prefix: str) -> Combatant:
        fighter = combatant_of(
            opponent.build, opponent.terms, identity=opponent.id, name=opponent.name
        )
        return replace(
            fighter, wounds=wounds_of({key: values[prefix + key] for key in ("wound", "stunned")})
        )

    settings = HOUSE_RULES.complete(attacker.terms.settings)
    return OfRosters(
        stands(attacker, ""),
        stands(target, TARGET),
        values,
        settings=settings,
        assumptions=(FRESH, OWN_RULES),
    )


def in_battle(state: PlayState, attacker: str, target: str, values: Values) -> Encounter:
    """Return two fighters of a battle as they stand now.

    Raises RulesError for somebody who is not in it, or dead.
    """
    fighters_for = {
        "attacker": {*state.combatants},
        "target": {*state.combatants, *state.civilians},
    }
    for field, fighter in (("attacker", attacker), ("target", target)):
        if fighter not in fighters_for[field]:
            raise RulesError(problem("not-in-this-battle", field=field, value=fighter))
    first = present(state, attacker)
    other = present(state, target)
    turn = state.table.turn
    for field, combatant in (("attacker", first), ("target", other)):
        if combatant.wounds.dead:
            raise RulesError(problem("dead", field=field, value=combatant.id, name=combatant.name))
    now = f"Both fighters are as in the log{f', in turn {turn}' if turn else ''}."
    return InBattle(first, other, values, settings=state.settings, assumptions=(now,), state=state)


# What is asked about them.


def shot(encounter: Encounter) -> Answer:
    """Return the odds of a shot of the fighter at the other."""
    aim = encounter.aim()
    answer = shot_answer(aim)
    forbidden = encounter.forbidden_shot(aim.weapon, answer.forbidden)
    return encounter.noted(
        replace(answer, forbidden=forbidden, rolled=rolled_shot(aim, encounter.values))
    )


def attack(encounter: Encounter) -> Answer:
    """Return the odds of an attack on the other, of a warhorse, or at a mount.

    Outside a round there are counters enough.
    """
    attacker = encounter.fighter
    target = encounter.other
    values = encounter.values
    # Both sides as they stand.
    grip, foes_grip = encounter.grips()
    ploys, answers = ploys_of(values)
    counters, other_counters = encounter.counters() or (Split(2, 2), Split(2, 2))
    enemies, foes = encounter.enemies()
    blow = Stance(grip, ploys, max(0, counters.attack - 1), counters.defence, enemies)
    answer = Stance(foes_grip, answers, 0, other_counters.defence, foes)
    # A warhorse strikes with no weapon, and a mount that is struck at defends itself without one.
    rider, notes = None, []
    if values.get("by_mount"):
        attacker = _mount(attacker, "by_mount")
        blow = Stance(Grip())
        notes.append(f"{attacker.name} attacks.")
    if values.get("at_mount"):
        notes += (
            [] if "mount" in targets(encounter.fighter, target) or values["by_mount"] else [RIDERS]
        )
        rider = target
        target = _mount(target, "at_mount")
        answer = Stance(Grip())
        notes.append(f"The attack is at {target.name}.")
    strike = Strike(
        attacker,
        blow,
        target,
        answer,
        encounter.settings,
        values["free"],
        encounter.struck_back,
        values["lucky"],
        rider,
    )
    reply = attack_answer(strike)
    forbidden = (*violation_warnings(encounter.luck_violations()), *reply.forbidden)
    return encounter.noted(
        replace(reply, forbidden=forbidden, rolled=rolled_attack(strike, values)), *notes
    )


def _mount(rider: Combatant, field: str) -> Combatant:
    if rider.steed is None:
        raise RulesError(problem("rides-nothing", field=field, name=rider.name))
    return steed_as_combatant(rider)


def one_round(encounter: Encounter) -> Answer:
    """Return the odds of a whole round between the two, with the counters typed in, else those
    left in an open round.
    """
    values = encounter.values
    pair = encounter.fencers()
    left = encounter.counters()
    prefixes = ("", encounter.prefix)
    typed = [values[f"{prefix}{key}"] for prefix, key in product(prefixes, ("attack", "defence"))]
    # Counters that were typed in come before those of an open round.
    if left and all(count is None for count in typed):
        return encounter.noted(
            rounds.checked(rounds.round_answer(_duel(encounter, pair), *left), *pair), LEFT
        )
    first, other = (
        rounds.split_of(values, prefix, each.fighter)
        for prefix, each in zip(prefixes, pair, strict=True)
    )
    answer = rounds.round_answer(_duel(encounter, pair), first, other)
    drawn = (_pooled(pair[0], values, "", first), _pooled(pair[1], values, encounter.prefix, other))
    return encounter.noted(rounds.checked(answer, *drawn, first, other))


def _pooled(fencer: rounds.Fencer, values: Values, prefix: str, split: Split) -> rounds.Fencer:
    """Return a fighter made of numbers with the Combat Pool that its counters add up to."""
    if f"{prefix}profile" not in values or not by_numbers(values, prefix):
        return fencer
    return replace(fencer, fighter=replace(fencer.fighter, combat_pool=split.size))


def best_split(encounter: Encounter) -> Answer:
    """Return the best split of the fighter against a split of the other."""
    pair = encounter.fencers()
    other = rounds.split_of(encounter.values, encounter.prefix, encounter.other)
    answer = rounds.best_split_answer(
        _duel(encounter, pair), _pool(encounter, encounter.fighter, ""), other
    )
    return encounter.noted(rounds.checked(answer, *pair))


def equilibrium(encounter: Encounter) -> Answer:
    """Return the secret choice: the mixes of splits for both, each with its own Combat Pool."""
    pair = encounter.fencers()
    pools = (
        _pool(encounter, encounter.fighter, ""),
        _pool(encounter, encounter.other, encounter.prefix),
    )
    return encounter.noted(
        rounds.checked(rounds.equilibrium_answer(_duel(encounter, pair), *pools), *pair)
    )


def _pool(encounter: Encounter, fighter: Combatant, prefix: str) -> int:
    pool = encounter.values.get(f"{prefix}pool")
    return fighter_pool(fighter) if pool is None else int(pool)


def _duel(encounter: Encounter, pair: tuple[rounds.Fencer, rounds.Fencer]) -> rounds.Duel:
    """Return the two as the count needs them, with the modifiers that were typed in as numbers."""
    duel = rounds.duel_of(*pair, encounter.settings)
    values = encounter.values
    settings = [
        {key: values[prefix + key] for key in MODIFIERS if values.get(prefix + key) is not None}
        for prefix in ("", encounter.prefix)
    ]
    if not any(settings):
        return duel
    return replace(
        duel,
        first=replace(duel.first, **settings[0]),
        other=replace(duel.other, **settings[1]),
        sums=(),
    )
