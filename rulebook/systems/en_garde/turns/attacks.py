"""Attacks within a round of combat, with the ploys of both, and free attacks on those who leave
contact.

Rule book: "Making an attack", "Ploys", "Mounted combat", "Move", "Appendix A: Simplified attack
procedure". Rulings B16, B25, D22.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec.structs import replace

from rulebook.at_table.sentences import dice_in, name_of
from rulebook.battle_log.kinds import CombatantNames, Die, Text, TwoDice, field_meta, kind
from rulebook.systems.en_garde.book import broken, problem, violation
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.play.checking import once_a_turn, out_of_action, same_side
from rulebook.systems.en_garde.play.offers import FOLLOW_FORCED, meaningless, people
from rulebook.systems.en_garde.play.play_state import PlayState, action_of
from rulebook.systems.en_garde.play.turn_state import TurnTable, with_contacts
from rulebook.systems.en_garde.table import rounds
from rulebook.systems.en_garde.table.blows import (
    DEFENDERS,
    Blow,
    Melee,
    Ploy,
    Stance,
    attack_dice,
    attacker_violations,
    defence_dice,
    defender_violations,
    steed_as_combatant,
    targets,
)
from rulebook.systems.en_garde.table.combatant import (
    Combatant,
    Grip,
    grip_violations,
    weapon_in_hand,
)
from rulebook.systems.en_garde.turns import turn_event
from rulebook.systems.en_garde.turns.blows import Strike
from rulebook.systems.en_garde.turns.fighters import (
    grip_of,
    hands_violations,
    present,
    unknown_weapon,
)
from rulebook.systems.en_garde.turns.harm import WoundCause
from rulebook.systems.en_garde.turns.opportunities import (
    either_handed,
    fight_of,
    may_attack,
    no_combat,
    targets_of,
    weapon_choices,
)
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import Action

WARHORSE = 'Rule book: "Mounted combat"; Ruling B35'


THEIRS_TOO = "You can enter their choices too."
"""Help of a form that also asks for what the other side chooses."""


@kind(
    "attack",
    "Attack",
    phase="combat",
    procedure='Rule book: "Making an attack"',
    offered_to="attacker",
    offered_help=THEIRS_TOO,
    offered_rule='Rule book: "Making an attack", "Ploys"',
    asked_first=("target", "ploys", "answers"),
    follow=FOLLOW_FORCED,
)
class Attacked(Strike, frozen=True, kw_only=True):
    """An attack in hand-to-hand combat, with the ploys of both."""

    ploys: Annotated[turn_event.Ploys, field_meta("Attacker's Ploys")] = ()
    answers: Annotated[turn_event.Ploys, field_meta("Defender's Ploys")] = ()
    at_mount: Annotated[
        bool, field_meta("At the mount", "Fighters on foot can attack the mount.")
    ] = False
    by_mount: Annotated[bool, field_meta("By the attacker's warhorse")] = False
    again: Annotated[
        bool, field_meta("Fast: second attack in a row", "For a Fast fighter, once a round.")
    ] = False
    dice: Annotated[tuple[Die, ...], field_meta("Dice", max_length=3)] = ()
    reroll: turn_event.MastersDie = None
    defence_dice: Annotated[TwoDice, field_meta("Defence dice")] = ()
    defence_reroll: turn_event.DefendingMastersDie = None
    die: turn_event.LargeDie = None
    nerve: turn_event.DieAgainstBeguiling = None
    lucky: turn_event.LuckyOne = ""
    luck: turn_event.LuckyDie = None

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        return may_attack(state, actor)

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        foes = targets_in_combat(state, actor)
        return {
            "target": people(state, foes),
            "ploys": cls.ploys_for(state, actor, foes[0]) if foes else (),
            "answers": cls.answers_for(state, actor, foes),
            "lucky": turn_event.lucky_choices(state, (actor, *foes)),
        }

    @classmethod
    def fields_left_out(cls, state: PlayState, actor: str) -> tuple[str, ...]:
        attacker = present(state, actor)
        foes = targets_in_combat(state, actor)
        enemies = [present(state, foe) for foe in foes]
        fight = fight_of(state, actor)
        fencer = None if fight is None else fight.fencer(actor)
        return meaningless(
            at_mount=any("mount" in targets(attacker, enemy) for enemy in enemies),
            by_mount=False,
            again=fencer is not None and fencer.fast and not fencer.doubled,
            reroll=attacker.has("weapon-master"),
            defence_reroll=any(enemy.has("weapon-master") for enemy in enemies),
            luck=turn_event.lucky_choices(state, (actor, *foes)),
        )

    @classmethod
    def hurdle_for(cls, state: PlayState, actor: str) -> str:
        return "the pistol is not loaded" if holds_empty_pistol(state, actor) else ""

    @classmethod
    def offers_by_mount(cls, state: PlayState, actor: str) -> Iterator[Action]:
        """Yield the blow of a warhorse, once a turn and besides its rider's own. Rule book:
        "Mounted combat"."""
        foes = targets_in_combat(state, actor)
        strikes = rounds.steed_pool(present(state, actor), ride_by=state.table.ride_by) > 0
        if not strikes or not foes or state.table.of(actor).has("mount-fought"):
            return
        # A mount strikes at riders' mounts only, which do not answer.
        on_foot = [each for each in foes if not present(state, each).mounted]
        yield action_of(
            cls,
            state,
            "Warhorse attack",
            {"attacker": actor, "by_mount": True},
            ("target", "at_mount"),
            without=("ploys", "again", "reroll", "defence_reroll", "lucky", "luck"),
            choices={
                "target": people(state, foes),
                "answers": cls.answers_for(state, actor, on_foot),
            },
            key="warhorse",
            rule=WARHORSE,
            follow=cls.follow,
            help=cls.offered_help,
        )

    @classmethod
    def ploys_for(cls, state: PlayState, attacker: str, target: str) -> Choices:
        """Return the Ploys that the rules allow an attacker now, as choices."""
        able, allowed = present(state, attacker), []
        for ploy in Ploy:
            if ploy in DEFENDERS:
                continue
            stance, _ = cls(attacker=attacker, target=target, ploys=(ploy,)).stances(state)
            if not attacker_violations(able, stance, state.settings):
                allowed.append(ploy)
        return ploy_choices(allowed)

    @classmethod
    def answers_for(cls, state: PlayState, attacker: str, foes: Iterable[str]) -> Choices:
        """Return the Ploys with which the rules allow any of these foes to answer an attack now, as
        choices."""
        allowed: dict[Ploy, None] = {}
        for foe in foes:
            for ploy in (Ploy.PARRY, Ploy.RIPOSTE):
                _, stance = cls(attacker=attacker, target=foe, answers=(ploy,)).stances(state)
                if not defender_violations(present(state, foe), stance, state.settings):
                    allowed[ploy] = None
        return ploy_choices(allowed)

    def stances(self, state: PlayState) -> tuple[Stance, Stance]:
        """Return how both stand, the counter for the attack off; a warhorse has no weapon and no
        counters."""
        fight = fight_of(state, self.attacker, self.target)
        if fight is None:
            return super().stances(state)
        attacker = fight.fencer(self.attacker)
        defender = fight.fencer(self.target)
        defence = Stance(
            grip=self.grip(state, self.target),
            ploys=frozenset(self.answers),
            defence_counters=fight.pools[defender.side].defence,
            enemies=fight.enemies(defender),
            riposted=defender.riposted,
        )
        if self.by_mount:
            return Stance(Grip()), defence
        attack = Stance(
            grip=self.grip(state, self.attacker),
            ploys=frozenset(self.ploys),
            attack_counters=fight.pools[attacker.side].attack - 1,
            enemies=fight.enemies(attacker),
            feinted=attacker.feinted,
        )
        return attack, defence

    def striking(self, state: PlayState) -> Combatant:
        attacker = present(state, self.attacker)
        return steed_as_combatant(attacker) if self.by_mount else attacker

    def striker_name(self, state: PlayState) -> str:
        return state.named(self.attacker) + ("’s warhorse" if self.by_mount else "")

    def target_name(self, state: PlayState) -> str:
        return state.named(self.target) + ("’s mount" if self.at_mount else "")

    def means(self) -> WoundCause:
        return WoundCause.MOUNT if self.by_mount else WoundCause.MELEE

    def weapon_used(self, state: PlayState) -> str:
        return "" if self.by_mount else self.grip(state, self.attacker).weapon

    def strikes_large_bodies(self, state: PlayState) -> bool:
        """Return whether a mount, which is large, or another large body may be struck."""
        return self.by_mount or self.at_mount or super().strikes_large_bodies(state)

    def harms_mount(self, blow: Blow) -> bool:
        return self.by_mount if blow.riposte is not None else self.at_mount

    def needs_nerve_die(self, state: PlayState) -> bool:
        """Return whether the Beguiling target protects itself; it does not protect its mount."""
        return not self.at_mount and super().needs_nerve_die(state)

    def dice_counts(self, state: PlayState) -> tuple[int, int]:
        up = 2 if self.by_mount else attack_dice(self.ploys)
        if self.at_mount:
            return up, 1
        return up, defence_dice(present(state, self.target), self.answers, state.settings)

    def may_reroll(self, state: PlayState) -> bool:
        """Return whether the attacking Weapon Master may throw again; a warhorse is not a Weapon
        Master."""
        return not self.by_mount and self.rerolls(state, self.attacker, self.dice)

    def may_reroll_defence(self, state: PlayState) -> bool:
        return not self.at_mount and self.rerolls(state, self.target, self.defence_dice)

    def melee(self, state: PlayState) -> Melee:
        """Return the attack, everything but its dice; a mount defends itself."""
        melee = super().melee(state)
        if not self.at_mount:
            return melee
        return replace(melee, defender=steed_as_combatant(melee.defender), defence=Stance(Grip()))

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        if fight_of(state, self.attacker, self.target) is None:
            yield no_combat("attacker", self.attacker)
        elif self.at_mount and not present(state, self.target).mounted:
            yield problem("strikes-no-mount", value="true")
        elif self.by_mount and not present(state, self.attacker).mounted:
            yield problem("strikes-with-no-mount", value="true")
        elif self.at_mount and self.answers:
            yield problem("mount-answers", value=", ".join(self.answers))

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        fight = fight_of(state, self.attacker, self.target)
        attacker = present(state, self.attacker)
        target = present(state, self.target)
        attack, defence = self.stances(state)
        answers = defender_violations(target, defence, state.settings)
        luck = turn_event.lucky_violations(state, self.lucky, self.attacker, self.target)
        if fight is None or self.by_mount:
            yield from (*self._warhorse_violations(state), *answers, *luck)
            return
        yield from rounds.strike_violations(fight, self.attacker, self.target)
        yield from attacker_violations(attacker, attack, state.settings)
        yield from answers
        if ("mount" if self.at_mount else "rider") not in targets(attacker, target):
            yield violation("rider-strikes-rider")
        grip = self.grip(state, self.attacker)
        fencer = fight.fencer(self.attacker)
        if grip.weapon == "pistol" and grip.pistol_reload:
            yield violation("pistol-empty")
        if self.again and (not fencer.fast or fencer.doubled):
            yield violation("not-twice")
        yield from luck

    def _warhorse_violations(self, state: PlayState) -> Iterator[Violation]:
        """Yield everything that forbids a blow of the warhorse, once a turn and besides its rider's
        own."""
        rider = state.somebody(self.attacker)
        target = state.somebody(self.target)
        able = rounds.steed_pool(present(state, self.attacker), ride_by=state.table.ride_by) > 0
        fought = state.table.of(self.attacker).has("mount-fought")
        at_other = present(state, self.target).mounted != self.at_mount
        yield from broken(
            (not rider.standing, "rider-out-of-action"),
            (not target.on_table, "mounts-target-out"),
            (same_side(state, self.attacker, self.target), "mount-strikes-own-side"),
            (not able, "no-warhorse"),
            (fought, "mount-fought"),
            (self.ploys, "no-ploys"),
            (not self._side_may_strike(state), "not-the-warhorses-turn"),
            (at_other, "mounts-strike-mounts"),
            rider_out=rider.why_out,
            name=state.named(self.target),
            target_out=target.why_out,
        )

    def _side_may_strike(self, state: PlayState) -> bool:
        """Return whether it is the side's turn: by the simplified procedure a warhorse uses its
        opportunity and a counter.
        """
        fight = fight_of(state, self.attacker)
        if fight is None or not fight.simplified:
            return True
        fencer = fight.fencer(self.attacker)
        return rounds.its_turn(fight, fencer) and fight.pools[fencer.side].attack > 0

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        blow = self.blow(state) if self.passes_nerve(state) else None
        after = state if blow is None else self.landed(state, logged, blow)
        table = self._spent(after.table, state.settings, blow)
        if blow is not None and blow.disengaged:
            table = with_contacts(table, self.attacker, ())
            table = replace(table, fight=table.fight and rounds.fallen(table.fight, self.attacker))
        return turn_event.luck_used(replace(after, table=table), self.lucky)

    def _spent(self, table: TurnTable, settings: HouseRules, blow: Blow | None) -> TurnTable:
        """Return the table with the counters spent.

        Who does not bring itself to strike loses the opportunity alone.
        """
        fight = table.fight
        assert fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
        answers = frozenset(self.answers)
        if self.by_mount:
            fight = rounds.steed_struck(fight, self.attacker, self.target, answers, settings)
            table = self._once_a_turn(table, fight).with_fighter(self.attacker, "mount-fought")
            return replace(table, fight=fight)
        if blow is None:
            return replace(table, fight=rounds.passed(fight, self.attacker))
        fight = rounds.struck(
            fight,
            self.attacker,
            self.target,
            frozenset(self.ploys),
            answers,
            settings,
            feint_landed=blow.feinted,
            again=self.again,
        )
        return replace(self._once_a_turn(table, fight), fight=fight)

    def _once_a_turn(self, table: TurnTable, fight: rounds.Round) -> TurnTable:
        """Return the table with the once-a-turn actions that both have used, in any combat."""
        for fencer in fight.fencers:
            if (fencer.feinted or fencer.riposted or fencer.doubled) and fencer.id in (
                self.attacker,
                self.target,
            ):
                done = {
                    "feinted": fencer.feinted,
                    "riposted": fencer.riposted,
                    "doubled": fencer.doubled,
                }
                table = table.with_fighter(fencer.id, *(mark for mark, was in done.items() if was))
        return table

    def rules_used(self, state: PlayState) -> Iterator[str]:
        yield from super().rules_used(state)
        if self.by_mount:
            yield WARHORSE
        elif (
            self.at_mount and weapon_in_hand(self.grip(state, self.attacker)).wound_against_mounted
        ):
            yield "Ruling B36"
        names = (each.value.replace("-", " ").capitalize() for each in (*self.ploys, *self.answers))
        yield from (f'Rule book: "{name}"' for name in dict.fromkeys(names))

    def sentence(self, names: CombatantNames) -> str:
        ploys = f" ({_tricks(self.ploys)})" if self.ploys else ""
        answers = f", who answers with {_tricks(self.answers)}" if self.answers else ""
        target = name_of(names, self.target) + ("’s mount" if self.at_mount else "")
        attacks = "’s warhorse attacks" if self.by_mount else " attacks"
        dice = dice_in(self.dice, self.defence_dice)
        return f"{name_of(names, self.attacker)}{attacks} {target}{ploys}{answers}{dice}"


def targets_in_combat(state: PlayState, fighter: str) -> list[str]:
    """Return the ids of those in the open combat that a fighter may strike at, none if it is in no
    combat."""
    fight = fight_of(state, fighter)
    return [] if fight is None else targets_of(fight, fight.fencer(fighter))


def holds_empty_pistol(state: PlayState, fighter: str) -> bool:
    """Return whether a fighter has fired the pistol in its hand, and can strike with nothing. Rule
    book: "Pistol"."""
    grip = grip_of(state, fighter)
    return grip.weapon == "pistol" and bool(grip.pistol_reload)


def ploy_choices(ploys: Iterable[Ploy]) -> Choices:
    """Return Ploys as choices, by name."""
    return tuple((ploy.value, ploy.value.replace("-", " ").capitalize()) for ploy in ploys)


def _tricks(ploys: turn_event.Ploys) -> str:
    return " and ".join(ploy.value.replace("-", " ") for ploy in ploys)


@kind(
    "free_attack",
    "Free attack",
    phase="move",
    procedure='Rule book: "Move"; Ruling B25',
    free=True,
    offered_to="attacker",
    offered_help="Log it before the move out of contact.",
    asked_first=("target",),
)
class FreeAttack(Strike, frozen=True, kw_only=True):
    """A blow at a fighter who leaves contact: no counter, no ploys, one more on the roll (Ruling
    B25)."""

    weapon: Annotated[
        Text, field_meta("Weapon", "Leave blank for the one in hand.", max_length=60)
    ] = ""
    dice: Annotated[TwoDice, field_meta("Dice")] = ()
    reroll: turn_event.MastersDie = None
    defence_dice: Annotated[TwoDice, field_meta("Defence die")] = ()
    defence_reroll: turn_event.DefendingMastersDie = None
    die: turn_event.LargeDie = None
    nerve: turn_event.DieAgainstBeguiling = None
    lucky: turn_event.LuckyOne = ""
    luck: turn_event.LuckyDie = None
    hands: turn_event.HandsOnWeapon = ""
    indoors: turn_event.Indoors = False

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether a fighter who can act in this turn touches somebody."""
        if not super().is_open_to(state, actor) or not state.table.turn:
            return False
        return state.combatants[actor].standing and state.table.engaged(actor)

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        contacts = state.table.of(actor).contacts
        return {
            "target": people(state, contacts),
            "weapon": weapon_choices(state, actor),
            "lucky": turn_event.lucky_choices(state, (actor, *contacts)),
        }

    @classmethod
    def fields_left_out(cls, state: PlayState, actor: str) -> tuple[str, ...]:
        return meaningless(hands=either_handed(state, actor))

    @classmethod
    def hurdle_for(cls, state: PlayState, actor: str) -> str:
        return "only one a turn" if state.table.of(actor).has("free-attack") else ""

    @property
    def acting(self) -> tuple[str, ...]:
        """Return the attacker; it is not activated by it."""
        return (self.attacker,)

    @property
    def strikes_leaver(self) -> str:
        return self.target

    @property
    def striker(self) -> str:
        return self.attacker

    def grip(self, state: PlayState, fighter: str) -> Grip:
        if fighter != self.attacker:
            return grip_of(state, fighter, "", "", self.indoors)
        return grip_of(state, fighter, self.weapon, self.hands, self.indoors)

    def means(self) -> WoundCause:
        return WoundCause.FREE_ATTACK

    def misnamed(self, state: PlayState) -> Iterable[Problem]:
        yield from super().misnamed(state)
        yield from unknown_weapon(self.weapon, "weapon", self.attacker) if self.weapon else ()

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield everything that forbids a free attack."""
        on_table = state.table.of(self.attacker)
        leaver = present(state, self.target)
        goes_yet = state.table.of(self.target).has("may-step")
        stays = not goes_yet and bool(once_a_turn(state, self.target, "move"))
        yield from out_of_action(state, self.attacker)
        yield from broken(
            (on_table.has("free-attack"), "free-attack-made"),
            (self.target not in on_table.contacts, "not-in-contact"),
            (stays, "does-not-leave"),
            (leaver.has("agile"), "agile-leaver"),
            (leaver.mounted and state.table.simplified, "rider-withdraws"),
        )
        grip = self.grip(state, self.attacker)
        yield from (
            *grip_violations(present(state, self.attacker), grip),
            *hands_violations(grip.weapon, self.hands),
        )
        yield from turn_event.lucky_violations(state, self.lucky, self.attacker, self.target)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after a free attack; who does not bring itself to strike has had its
        chance."""
        made = state.table.with_fighter(self.attacker, "free-attack")
        tried = turn_event.luck_used(replace(state, table=made), self.lucky)
        return self.landed(tried, logged, self.blow(state)) if self.passes_nerve(state) else tried

    def sentence(self, names: CombatantNames) -> str:
        dice = dice_in(self.dice, self.defence_dice)
        return (
            f"{name_of(names, self.attacker)} makes a free attack on "
            f"{name_of(names, self.target)}{dice}"
        )
