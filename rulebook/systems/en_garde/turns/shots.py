"""Shots in the log. Rule book: "Use a missile weapon", "Shooting into combat", "Beguiling",
"Lucky"."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Annotated, Any

from msgspec.structs import replace

from rulebook.at_table.sentences import dice_in, dice_line, name_of
from rulebook.battle_log.kinds import (
    CombatantNames,
    Die,
    FighterId,
    FighterIds,
    ReplayStep,
    Text,
    TwoDice,
    field_meta,
    kind,
)
from rulebook.calculators.wording import reasoned, reasons
from rulebook.systems.en_garde.book import broken, problem, violation
from rulebook.systems.en_garde.book.arms import Gun, MissileWeapon
from rulebook.systems.en_garde.play.checking import acts, once_a_turn, out_of_action, same_side
from rulebook.systems.en_garde.play.offers import enemies_of, meaningless, on_table, people
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import LastShot
from rulebook.systems.en_garde.play.words import RESULTS, arm, weapon_name
from rulebook.systems.en_garde.table import shooting
from rulebook.systems.en_garde.table.blows import with_lowest_again
from rulebook.systems.en_garde.table.combatant import present_numbers
from rulebook.systems.en_garde.table.orders import order_target_violations
from rulebook.systems.en_garde.turns import fighters, turn_event
from rulebook.systems.en_garde.turns.alternation import activation_hurdle
from rulebook.systems.en_garde.turns.harm import (
    WOUND_TABLE,
    WoundCause,
    WoundEvent,
    armour_line,
    die_wanted,
    harm,
)
from rulebook.systems.en_garde.turns.turn_event import Inches
from rulebook.values.answers import ReasonedSum, ReasonLine
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import Action, EventOutcome

CLOSE_BAND = 3
"""The far end in inches of the nearest band, which is rarely chosen."""


@kind(
    "shot",
    "Shot",
    'Rule book: "Shooting procedure"',
    phase="move",
    about="shooter",
    always_rolls=True,
    shoots=True,
    fighters_only=("shooter",),
    offered_to="shooter",
    offered_as="Shoot",
    asked_first=("target", "weapon", "inches", "cover", "moved"),
)
class ShotFired(turn_event.Attack, turn_event.Activation, frozen=True, kw_only=True):
    """A shot with hand weapon or gun. ``wide_of`` names the target that a missed shot into combat
    was meant for. ``between`` names those whose bases the line of sight crosses.
    """

    shooter: Annotated[FighterId, field_meta("Shooter")]
    target: Annotated[FighterId, field_meta("Target")]
    weapon: Annotated[Text, field_meta("Weapon", max_length=60)]
    inches: Annotated[Inches, field_meta("Range in inches")]
    band: Annotated[
        bool, field_meta("Range by bands", "Use range bands instead of measured inches.")
    ] = False
    cover: Annotated[shooting.Cover, field_meta("Cover", "The cover of the target.")] = (
        shooting.Cover.NONE
    )
    shelter: Annotated[
        shooting.Shelter, field_meta("Cover type", "A wall, a window, a doorway.")
    ] = shooting.Shelter.NONE
    sight: Annotated[shooting.Sight, field_meta("Line of sight")] = shooting.Sight.CLEAR
    between: Annotated[
        FighterIds,
        field_meta("Fighters in the way", "Fighters whose bases the line of sight crosses."),
    ] = ()
    foliage: Annotated[
        Inches,
        field_meta(
            "Inches of light cover in the way", "Light cover that the line of sight crosses."
        ),
    ] = 0
    moved: Annotated[
        bool, field_meta("With a short move", "A short move is allowed but makes the shot harder.")
    ] = False
    twice: Annotated[
        bool,
        field_meta("One of an Archer's two", "An Archer with a bow can shoot twice, with -1 each."),
    ] = False
    from_behind: Annotated[bool, field_meta("From behind", "A shield does not count then.")] = False
    grapeshot: Annotated[bool, field_meta("Grapeshot")] = False
    at_point: Annotated[
        bool,
        field_meta(
            "At a point of the table, near the target",
            "Choose a fighter in the blast as the target, and measure to the centre of the blast.",
        ),
    ] = False
    wide_of: Annotated[
        FighterId,
        field_meta(
            "Meant for",
            "A miss into a combat can hit another fighter. Choose the original target.",
        ),
    ] = ""
    beside: Annotated[
        FighterId,
        field_meta(
            "By the same blast or spray as",
            "A blast or spray hits everyone near. Choose the original target.",
        ),
    ] = ""
    dice: Annotated[TwoDice, field_meta("Dice")] = ()
    reroll: Annotated[
        Die | None, field_meta("Sharpshooter's new die", "Only if a die is re-rolled.")
    ] = None
    rider_die: turn_event.RiderDie = None
    die: turn_event.LargeDie = None
    nerve: turn_event.DieAgainstBeguiling = None
    lucky: turn_event.LuckyOne = ""
    luck: turn_event.LuckyDie = None

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a fighter with a missile weapon or a gun."""
        return super().is_open_to(state, actor) and bool(fighters.missiles_of(state, actor))

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        weapons = []
        for key in fighters.missiles_of(state, actor):
            loaded = not fighters.fewest_counters(state, actor, key)
            weapons.append(
                (key, weapon_name(key) if loaded else f"{weapon_name(key)} (not loaded)")
            )
        last = shot_this_turn(state, actor)
        present_people = on_table(state)
        return {
            "target": people(state, enemies_of(state, actor)),
            "weapon": tuple(weapons),
            # Only a shot of this turn can have gone wide, or spread to others.
            "wide_of": people(state, (last.target,)) if last and last.wide else (),
            "beside": people(state, (last.target,)) if last else (),
            "lucky": turn_event.lucky_choices(state, present_people),
            "between": people(state, (each for each in present_people if each != actor)),
        }

    @classmethod
    def fields_left_out(cls, state: PlayState, actor: str) -> tuple[str, ...]:
        shooter = fighters.present(state, actor)
        return meaningless(
            twice=shooter.has("archer"),
            grapeshot=fighters.served_by(state, actor),
            reroll=shooter.has("sharpshooter"),
            luck=turn_event.lucky_choices(state, on_table(state)),
        )

    @classmethod
    def hurdle_for(cls, state: PlayState, actor: str) -> str:
        """Return why a fighter can hardly shoot; a second shot of an Archer, or one that went wide,
        may follow."""
        if shot_this_turn(state, actor):
            return ""
        return activation_hurdle(state, actor, "shoot", goes_with_step=True)

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        """Return a shot whose range is chosen by bands. A spray hits everybody under it, at any
        range."""
        weapons = [shooting.missile(key) for key in fighters.missiles_of(state, actor)]
        ends = shooting.bands_of([weapon.range for weapon in weapons], seen_to(state))
        given: dict[str, Any] = {"shooter": actor, "band": True}
        if all(shooting.never_misses(weapon, state.settings) for weapon in weapons):
            given["inches"] = ends[0]
        shot = super().offer(state, actor)
        # Most shots go beyond the nearest band: the next one is filled in.
        likeliest = next((end for end in ends if end > CLOSE_BAND), max(ends, default=0))
        bands = tuple(
            (str(end), shooting.band_words(end).removeprefix("at ").capitalize()) for end in ends
        )
        by_band = {
            "label": "Range",
            "kind": "number",
            "choices": bands,
            "default": str(likeliest),
            "help": "",
        }
        fields = [field for field in shot.fields if field.key not in given]
        fields = [replace(field, **by_band) if field.key == "inches" else field for field in fields]
        return replace(shot, given=given, fields=tuple(fields))

    @property
    def actor(self) -> str:
        """Return the shooter; what follows from a shot takes no activation."""
        return "" if self.is_sequel else self.shooter

    @property
    def arms(self) -> MissileWeapon:
        """Return the weapon or gun that is fired."""
        return shooting.missile(self.weapon, grapeshot=self.grapeshot)

    @property
    def is_sequel(self) -> bool:
        """Return whether it is not a shot of its own: it went wide and may strike another, or
        spreads from a blast or spray.
        """
        return bool(self.wide_of or self.beside)

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        if not shooting.is_missile(self.weapon):
            yield problem("unknown-missile-weapon", value=self.weapon)

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        """Yield the dice of nerve and of the shot, a Sharpshooter's, luck's, those for a mount
        and for a large body.
        """
        yield {"nerve": int(self.needs_nerve_die(state))}
        if self.passes_nerve(state):
            yield {"dice": 0 if self.shares_dice(state) else 2}
            yield {
                "reroll": int(
                    bool(
                        shooting.may_reroll_shot(
                            fighters.present(state, self.shooter), self.arms, self.dice
                        )
                    )
                )
            }
            yield {"luck": int(self.spends_luck(state))}
            yield {"rider_die": int(self.needs_rider_die(state))}
            yield {"die": int(self.needs_large_die(state))}

    def violations(self, state: PlayState, logged: LoggedEvent) -> tuple[Violation, ...]:
        shooter = fighters.present(state, self.shooter)
        on_table = state.table.of(self.shooter)
        on_order = bool(on_table.order_group) and not self.is_sequel
        # What shares the dice of another shot has been checked with that one.
        own_roll = not self.shares_dice(state)
        return (
            *out_of_action(state, self.shooter),
            *self._own_side(state),
            *(() if self.is_sequel else self._spent(state)),
            *self._sequel_violations(state),
            *(order_target_violations(self.target, on_table.order_targets) if on_order else ()),
            *self._unarmed(state),
            *(
                shooting.shot_violations(shooter, self.arms, self.circumstances(state))
                if own_roll
                else ()
            ),
            *turn_event.lucky_violations(state, self.lucky, self.shooter, self.target),
            *self._gone(state),
        )

    def _own_side(self, state: PlayState) -> tuple[Violation, ...]:
        """Return the violation of aiming at the shooter's own side.

        A shot that goes wide, and a blast, may strike friends.
        """
        aimed = (
            not self.is_sequel
            and bool(self.target)
            and self.target in {*state.combatants, *state.civilians}
        )
        return broken((aimed and same_side(state, self.shooter, self.target), "shoots-own-side"))

    def _spent(self, state: PlayState) -> tuple[Violation, ...]:
        """Return the violation of a shot too many: one a turn, two for an Archer who shoots
        twice."""
        last = shot_this_turn(state, self.shooter)
        second = (
            self.twice
            and last is not None
            and last.twice
            and state.table.of(self.shooter).shots == 1
        )
        return () if second else once_a_turn(state, self.shooter, "shoot", after_step=True)

    def _sequel_violations(self, state: PlayState) -> tuple[Violation, ...]:
        """Return what forbids a sequel: a miss may strike one other in the combat, a blast or spray
        everybody once."""
        last = shot_this_turn(state, self.shooter)
        same = (
            last is not None
            and last.weapon == self.weapon
            and last.target == (self.wide_of or self.beside)
        )
        wide = same and last is not None and last.wide
        if self.wide_of and not (wide and self.target in others_in_combat(state, self.wide_of)):
            return (violation("not-wide"),)
        fresh = last is not None and self.target not in last.at
        spreads = last is not None and fresh and (self.arms.spray or (self.arms.blast and last.hit))
        if self.beside and not (same and spreads):
            return (violation("no-spread"),)
        return ()

    def _unarmed(self, state: PlayState) -> tuple[Violation, ...]:
        brought = (bought.gun for bought in fighters.guns_of(state, self.shooter))
        if self.weapon in (*fighters.present(state, self.shooter).weapons, *brought):
            return fighters.gun_violations(state, self.shooter, self.weapon)
        return (
            violation(
                "shooter-has-none", name=state.named(self.shooter), weapon=self.arms.name.lower()
            ),
        )

    def _gone(self, state: PlayState) -> tuple[Violation, ...]:
        target = state.somebody(self.target)
        if target.on_table:
            return out_of_action(state, self.target) if state.table.of(self.target).reserve else ()
        return (violation("target-gone", name=state.named(self.target), why_out=target.why_out),)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        # The action and the luck are spent, whether or not the shooter brings itself to shoot.
        on_table = state.table.of(self.shooter)
        shots = on_table.shots + 1 if on_table.has("shot") else 1
        moved = ("moved",) if self.moved else ()
        after = state if self.is_sequel else acts(state, self.shooter, *moved, shots=shots)
        after = turn_event.luck_used(after, self.lucky)
        if not self.passes_nerve(state):
            return after
        shot = self.outcome(state)
        remembered = self._remembered(state, shot)
        # The weapon is to be reloaded, or used up.
        if not self.is_sequel:
            after = fighters.fired(after, self.shooter, self.weapon, shot.reload)
            used = (*on_table.used_up, self.weapon) if self.arms.one_use else on_table.used_up
            after = after.with_fighter(self.shooter, used_up=used)
        elif self.wide_of and shot.misfired:
            # A second shot into combat is a roll of its own, and two ones jam the weapon.
            counters = fighters.counters_on(after, self.shooter, self.weapon).get(
                remembered.piece, 0
            )
            after = fighters.with_counters(after, self.shooter, remembered.piece, counters + 1)
        # What later shots have to know of it, and who may strike back without nerve.
        mark = () if self.is_sequel and on_table.last_shot is not None else ("shot",)
        after = after.with_fighter(self.shooter, *mark, last_shot=remembered)
        after = self.having_struck(after)
        if shot.result is None:
            return after
        wound = WoundEvent(
            victim=self.target,
            result=shot.result,
            means=WoundCause.ORDNANCE if isinstance(self.arms, Gun) else WoundCause.SHOOTING,
            attacker=self.shooter,
            weapon=self.weapon,
            on_mount=shot.on_mount,
            die=self.die,
        )
        return harm(after, logged, wound)

    def _remembered(self, state: PlayState, shot: shooting.ShotResult) -> LastShot:
        """Return what a later shot has to know of this one, or of the one that it followed from."""
        last = state.table.of(self.shooter).last_shot
        if last is not None and self.is_sequel:
            return replace(last, wide=False, at=(*last.at, self.target))
        return LastShot(
            weapon=self.weapon,
            target=self.target,
            dice=shot.dice,
            hit=shot.hit,
            hit_score=shot.hit_score,
            wide=not shot.hit and state.table.engaged(self.target) and not self.at_point,
            twice=self.twice,
            at=(self.target,),
            piece=fighters.readiest(state, self.shooter, self.weapon),
        )

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        if not self.passes_nerve(step.before):
            sentence = f"{step.before.named(self.shooter)} fails the roll and cannot shoot."
            return EventOutcome((sentence,), (), (turn_event.BEGUILING,))
        shot = self.outcome(step.before)
        sentences = [_hit_or_miss(shot)]
        if shot.misfired:
            sentences.append("Misfire: one more Reload counter.")
        rules = (self.rule, WOUND_TABLE) if shot.hit else (self.rule,)
        return EventOutcome(tuple(sentences), self._sums(step.before, shot), rules)

    def _sums(self, state: PlayState, shot: shooting.ShotResult) -> tuple[ReasonedSum, ...]:
        """Return the roll to hit, and the Wound Score of a hit; one more under a blast has no roll
        of its own."""
        hit = ReasonLine(shot.hit_score, f"Hit Score with the {self.arms.name.lower()}", self.rule)
        wound = reasoned(
            "Wound Score", hit, *reasons(shot.wound_modifiers), *armour_line(shot.armour_rating)
        )
        if self.shares_dice(state):
            return (wound,)
        shoot = present_numbers(fighters.present(state, self.shooter), state.settings).shoot
        own = ReasonLine(shoot, f"Shoot of {state.named(self.shooter)}", self.rule)
        dice = dice_line(self.counted_dice(state), self.rule)
        roll = reasoned("Shooting Attack Roll", dice, own, *reasons(shot.modifiers))
        return (roll, wound) if shot.hit else (roll,)

    def sentence(self, names: CombatantNames) -> str:
        shot = (
            f"{name_of(names, self.shooter)} shoots at {name_of(names, self.target)} with the "
            f"{arm(self.weapon)}"
        )
        wide = f", wide of {name_of(names, self.wide_of)}" if self.wide_of else ""
        range_words = shooting.band_words(self.inches) if self.band else f"at {self.inches:g}″"
        return f"{shot} {range_words}{wide}{dice_in(self.dice)}"

    # What it comes to with its dice.

    def shares_dice(self, state: PlayState) -> bool:
        """Return whether it is struck by the dice of the shot itself, as one more under a blast.

        Ruling B13.
        """
        return bool(self.beside and self.arms.blast and state.table.of(self.shooter).last_shot)

    def needs_nerve_die(self, state: PlayState) -> bool:
        """Return whether the target makes the shooter roll first.

        Not if the shot was meant for another, or for no one.
        """
        return not (self.is_sequel or self.at_point) and super().needs_nerve_die(state)

    def hits(self, state: PlayState) -> bool:
        return self.outcome(state, rider_die=6).hit

    def needs_rider_die(self, state: PlayState) -> bool:
        """Return whether a hit has to be drawn between mount and rider."""
        return fighters.present(state, self.target).mounted and self.hits(state)

    def needs_large_die(self, state: PlayState) -> bool:
        """Return whether the result on a large body asks for a die."""
        shot = self.outcome(state)
        return shot.result is not None and die_wanted(
            state, self.target, shot.result, on_mount=shot.on_mount
        )

    def circumstances(self, state: PlayState) -> shooting.Shot:
        """Return everything that the table knows of the shot, and what the event says of it."""
        table, on_table = state.table, state.table.of(self.shooter)
        weather = str(state.setup.set_up.get("weather", ""))
        return shooting.Shot(
            inches=self.inches,
            cover=shooting.Cover.NONE
            if self.at_point
            else shooting.cover_behind(self.shelter, self.cover),
            moved_short=self.moved or on_table.has("short"),
            # The aim of the turn before helps with the next roll alone. Ruling B11.
            aimed_last_turn=on_table.aim and not on_table.has("shot"),
            shooter_engaged=table.engaged(self.shooter),
            target_engaged=table.engaged(self.target),
            from_front=not self.from_behind,
            twice=self.twice,
            grapeshot=self.grapeshot,
            at_point=self.at_point,
            wind="wind" in weather,
            rain="rain" in weather,
            mist_spell=0 < table.turn <= table.mist_until,
            sight=seen_to(state),
            line_of_sight=self._in_sight(state),
            target_hidden=is_hidden(state, self.target) and not self.at_point and not self.beside,
            reload_counters=0
            if self.is_sequel
            else fighters.fewest_counters(state, self.shooter, self.weapon),
            used_up=self.weapon in on_table.used_up and not self.is_sequel,
        )

    def _in_sight(self, state: PlayState) -> bool:
        """Return whether no body but a friend of the same order, and no thick foliage, stands in
        the line of sight."""
        on_table = state.table.of(self.shooter)
        comrades = on_table.order_group if on_table.order_targets else ()
        over_a_friend = any(each in comrades for each in self.between)
        return self.sight is shooting.Sight.CLEAR and shooting.sees(
            len(self.between), self.foliage, over_a_friend=over_a_friend
        )

    def outcome(self, state: PlayState, *, rider_die: int | None = None) -> shooting.ShotResult:
        """Return what the shot comes to with its dice; ``rider_die`` stands for that of a mounted
        target."""
        last = state.table.of(self.shooter).last_shot
        return shooting.resolve_shot(
            fighters.present(state, self.shooter),
            fighters.present(state, self.target),
            self.arms,
            self.circumstances(state),
            self.counted_dice(state),
            rider_die=rider_die or self.rider_die,
            hit_score=last.hit_score if last is not None and self.shares_dice(state) else None,
            settings=state.settings,
        )

    def counted_dice(self, state: PlayState) -> tuple[int, int]:
        """Return the two dice as they count: with a Sharpshooter's new one and luck's, or those of
        the blast."""
        last = state.table.of(self.shooter).last_shot
        if last is not None and self.shares_dice(state):
            return last.dice
        dice = with_lowest_again(self.dice, self.reroll)
        first, second = turn_event.with_luck(dice, self.luck, own=self.lucky == self.shooter)
        return first, second


def _hit_or_miss(shot: shooting.ShotResult) -> str:
    if not shot.hit or shot.result is None:
        return f"Miss with {shot.attack_roll}."
    where = " on the mount" if shot.on_mount else ""
    return f"Hit with {shot.attack_roll}{where}: {RESULTS[shot.result]}."


def shot_this_turn(state: PlayState, fighter: str) -> LastShot | None:
    """Return the fighter's last shot of its own, if it was in this turn."""
    on_table = state.table.of(fighter)
    return on_table.last_shot if on_table.has("shot") else None


def others_in_combat(state: PlayState, fighter: str) -> tuple[str, ...]:
    """Return the others in a fighter's combat: its enemies in contact, and their contacts.

    Rule book: "Shooting into combat".
    """
    enemies = state.table.of(fighter).contacts
    friends = chain.from_iterable(state.table.of(enemy).contacts for enemy in enemies)
    return tuple(each for each in dict.fromkeys((*enemies, *friends)) if each != fighter)


def seen_to(state: PlayState) -> float | None:
    """Return how far can be seen in this turn, in inches, None without a limit."""
    set_up = state.setup.set_up
    return shooting.sight_limit(
        str(set_up.get("weather", "")), str(set_up.get("hour", "")), state.table.turn
    )


def is_hidden(state: PlayState, fighter: str) -> bool:
    """Return whether a fighter is Hidden. Nobody who is Engaged rests in hiding."""
    return state.table.of(fighter).hidden and not state.table.engaged(fighter)
