"""A round of hand-to-hand combat: the counters of each side, who may attack when, and when it
is over.

Only one side of a combat ever has several fighters. Rule book: "Combat procedure", "Multiple
combats", "Initiating a new combat", "Fast", "Appendix A: Simplified attack procedure".
"""

from collections.abc import Mapping
from functools import partial
from math import ceil
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.en_garde.book import broken
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table.blows import Ploy, defence_cost, never_defends
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.wounds import Wound
from rulebook.values.problems import Violation
from rulebook.values.remembering import remembered_property


class Split(Struct, frozen=True):
    """A secret choice: Attack and Defence counters."""

    attack: int
    defence: int

    @property
    def size(self) -> int:
        """Return all counters together."""
        return self.attack + self.defence


def pool_size(fighters: tuple[Combatant, ...], *, ride_by: bool = False) -> int:
    """Return counters that a side draws for the fighters it has in a combat; pools of several are
    combined.

    In a ride-by attack each pool is halved, rounded up, never below one. The unconscious draw none.
    A warhorse's own counter is not in it, see ``steed_pool``. Rule book: "Multiple combats",
    "Ride-by attacks".
    """
    return sum([fighter_pool(fighter, ride_by=ride_by) for fighter in fighters])


def fighter_pool(fighter: Combatant, *, ride_by: bool = False) -> int:
    """Return counters of one fighter, which is also the most attacks that it may make."""
    if fighter.wounds.out:
        return 0
    return max(1, ceil(fighter.combat_pool / 2)) if ride_by else fighter.combat_pool


def steed_pool(fighter: Combatant, *, ride_by: bool = False) -> int:
    """Return the attacks of the mount beneath a fighter: a warhorse has one, but none in a ride-by
    attack."""
    if fighter.steed is None or ride_by or fighter.steed.wounds.out:
        return 0
    return catalogue().arms.mounts[fighter.steed.key].combat_pool


def split_violations(
    fighters: tuple[Combatant, ...], split: Split, *, ride_by: bool = False
) -> tuple[Violation, ...]:
    """Return everything that is wrong with a split.

    Rule book: "Civilians", "Relentless", "Warhound".
    """
    pools = [fighter_pool(fighter, ride_by=ride_by) for fighter in fighters]
    size = sum(pools)
    attackers = sum(
        pool for fighter, pool in zip(fighters, pools, strict=True) if not fighter.civilian
    )
    defenders = sum(
        pool for fighter, pool in zip(fighters, pools, strict=True) if not never_defends(fighter)
    )
    return broken(
        (min(split.attack, split.defence) < 0, "negative-counters"),
        (split.size != size, "wrong-pool"),
        (size > attackers < split.attack, "civilians-attack"),
        (size > defenders < split.defence, "no-defence"),
        size=size,
        have=split.size,
        attackers=attackers,
        defenders=defenders,
    )


def most_against(base_of_target: str = "same") -> int:
    """Return how many may fight one: 4 of the same base, 6 against a larger, 2 against a smaller.

    Rule book: "Combat".
    """
    return {"same": 4, "larger": 6, "smaller": 2}[base_of_target]


def simplified_pool(chosen: Combatant, others: tuple[Combatant, ...]) -> int:
    """Return counters of a side by the simplified procedure: the chosen fighter's pool and one
    for each other that takes part.

    Warhorses count among the others, the gravely wounded do not. Rule book: "Appendix A: Simplified
    attack procedure".
    """
    extra = sum(counts_in_simplified(fighter) for fighter in others)
    steeds = sum(steed_pool(fighter) for fighter in (chosen, *others))
    return fighter_pool(chosen) + extra + steeds


def counts_in_simplified(fighter: Combatant) -> bool:
    """Return whether it adds a counter in the simplified procedure: not with a Grievous wound, and
    not unconscious."""
    return not fighter.wounds.out and fighter.wounds.wound is not Wound.GRIEVOUS


class Fencer(Struct, frozen=True):
    """A fighter within a round: its side, its score of initiative, and what it has done so far.

    ``most_attacks`` is its Combat Pool, none for Civilians. ``passes`` counts the opportunities
    that a Riposte makes it let go. ``helpless`` is an unconscious one, which may be struck.
    ``reach`` names its targets in the simplified procedure; nobody named means anybody.
    ``initiative`` puts the fencers in order, ``score`` is what it rolled and added up, None where
    it is not known.
    """

    id: str
    side: str
    initiative: int
    most_attacks: int
    attacks: int = 0
    passes: int = 0
    fast: bool = False
    doubled: bool = False
    riposted: bool = False
    feinted: bool = False
    moved_on: bool = False
    out: bool = False
    helpless: bool = False
    reach: tuple[str, ...] = ()
    score: int | None = None

    @property
    def able(self) -> bool:
        """Return whether it can do anything in the round."""
        return not (self.out or self.helpless)


class Round(Struct, frozen=True, dict=True):
    """A round: fencers in order of initiative, whose opportunity it is, and the counters left to
    each side.

    ``idle`` counts opportunities let go one after the other; when all have passed in turn the round
    is over. In the ``simplified`` procedure the sides take turns: every fencer of a side strikes
    once before the first strikes again, and ``first`` strikes before the others of its side.
    """

    fencers: tuple[Fencer, ...]
    pools: Mapping[str, Split]
    turn: int = 0
    idle: int = 0
    simplified: bool = False
    first: str = ""

    @remembered_property
    def over(self) -> bool:
        """Return whether the round is over: nobody can strike, or everybody (or every side) has
        passed in turn."""
        able = [each for each in self.fencers if not (each.out or each.helpless)]
        takers = len({each.side for each in able}) if self.simplified else len(able)
        # With one side left nobody has a foe to strike.
        return self.idle >= takers or not any(map(partial(may_strike, self), able))

    @property
    def next(self) -> Fencer | None:
        """Return the fencer with the next opportunity, None when the round is over."""
        return None if self.over else self.fencers[self.turn]

    def holds(self, *fighters: str) -> bool:
        """Return whether these are all in the round."""
        return {each.id for each in self.fencers}.issuperset(fighters)

    def fencer(self, fighter: str) -> Fencer:
        """Return the fencer of that id. Raises KeyError if it is not in the round."""
        return _fencer(self.fencers, fighter)

    def foes(self, fencer: Fencer) -> tuple[Fencer, ...]:
        """Return its enemies in the round who can be struck, in the simplified procedure by it in
        particular."""
        foes = [each for each in self.fencers if each.side != fencer.side and not each.out]
        if fencer.reach:
            foes = [each for each in foes if each.id in fencer.reach]
        return tuple(foes)

    def has_foe(self, fencer: Fencer) -> bool:
        """Return whether it has any ``foes``."""
        side, reach = fencer.side, fencer.reach
        for each in self.fencers:
            if each.side != side and not each.out and (not reach or each.id in reach):
                return True
        return False

    def enemies(self, fencer: Fencer) -> int:
        """Return how many fight it: in the simplified procedure those alone who reach it.

        Rule book: "Appendix A".
        """
        if fencer.out:
            return 0
        against = [each.reach for each in self.fencers if each.side != fencer.side and not each.out]
        return (
            len([reach for reach in against if not reach or fencer.id in reach])
            if self.simplified
            else len(against)
        )


def _fencer(fencers: tuple[Fencer, ...], fighter: str) -> Fencer:
    for each in fencers:
        if each.id == fighter:
            return each
    raise KeyError(fighter)


def open_round(
    fighters: tuple[tuple[Combatant, str, int], ...],
    pools: Mapping[str, Split],
    *,
    ride_by: bool = False,
    simplified: bool = False,
    reach: Mapping[str, tuple[str, ...]] | None = None,
    scores: Mapping[str, int] | None = None,
) -> Round:
    """Return a new round.

    ``fighters`` are (fighter, side, initiative), with every tie already rolled off. In the
    simplified procedure the highest is that of the fighter who has to strike first. ``scores`` are
    what they rolled and added up, where that is known. Raises ValueError if two have the same
    initiative: tied fighters roll off.
    """
    order = [initiative for _, _, initiative in fighters]
    if len(set(order)) < len(order):
        raise ValueError("Tied Initiative: the tied fighters roll again until one is first.")
    # The highest initiative strikes first. Civilians strike nobody.
    fencers = [
        Fencer(
            fighter.id,
            side,
            initiative,
            0 if fighter.civilian else fighter_pool(fighter, ride_by=ride_by),
            fast=fighter.has("fast"),
            out=fighter.wounds.dead,
            helpless=fighter.wounds.unconscious,
            reach=reach.get(fighter.id, ()) if reach else (),
            score=scores.get(fighter.id) if scores else None,
        )
        for fighter, side, initiative in sorted(fighters, key=itemgetter(2), reverse=True)
    ]
    first = fencers[0].id if simplified else ""
    opened = Round(fencers=tuple(fencers), pools=dict(pools), simplified=simplified, first=first)
    return opened if fencers[0].able else _advanced(opened)


def may_strike(fight: Round, fencer: Fencer) -> bool:
    """Return whether it has a counter, attacks of its own left, and somebody to strike.

    In the simplified procedure those of a side strike who have struck least.
    """
    if fencer.out or fencer.helpless or fight.pools[fencer.side].attack < 1:
        return False
    if not fight.simplified:
        return fencer.attacks < fencer.most_attacks and fight.has_foe(fencer)
    if not fight.has_foe(fencer):
        return False
    own = [
        each
        for each in fight.fencers
        if each.side == fencer.side and each.able and each.most_attacks
    ]
    fewest = min((each.attacks for each in own if fight.foes(each)), default=0)
    return fencer.most_attacks > 0 and fencer.attacks == fewest


def its_turn(fight: Round, fencer: Fencer) -> bool:
    """Return whether it has the opportunity; in the simplified procedure it is that of any fencer
    of its side."""
    expected = fight.next
    if expected is None:
        return False
    return expected.side == fencer.side if fight.simplified else expected.id == fencer.id


def struck(
    fight: Round,
    fighter: str,
    target: str,
    attack_ploys: frozenset[Ploy],
    defence_ploys: frozenset[Ploy],
    settings: HouseRules = USUAL,
    *,
    feint_landed: bool = False,
    again: bool = False,
) -> Round:
    """Return the round after an attack: counters spent, the next opportunity found.

    ``feint_landed`` gives the attacker's counter back, and the attack with it; ``again`` keeps the
    opportunity with a Fast fighter, once.
    """
    fencer = fight.fencer(fighter)
    # A Mighty Blow costs one counter more; a Feint that landed gives its counter back.
    cost = 1 + int(Ploy.MIGHTY_BLOW in attack_ploys) - int(feint_landed)
    second = again and fencer.fast and not fencer.doubled
    has_struck = replace(
        fencer,
        attacks=fencer.attacks + int(fight.simplified or not feint_landed),
        feinted=fencer.feinted or Ploy.FEINT in attack_ploys,
        doubled=fencer.doubled or second,
    )
    fencers = _exchanged(fight.fencers, has_struck)
    pools = _spent(fight.pools, fencer.side, attack=cost)
    # The target pays for its answer, and the opportunity goes on, unless a Fast fighter keeps it.
    fencers, pools = _answered(fencers, pools, target, defence_ploys, settings)
    first = "" if fencer.id == fight.first else fight.first
    fight = replace(fight, fencers=fencers, pools=pools, idle=0, first=first)
    return fight if second else _advanced(fight)


def passed(fight: Round, fighter: str = "") -> Round:
    """Return the round after an opportunity that was let go; a pass owed for a Riposte is paid by
    it.

    ``fighter`` names the fighter who passes, where it is not plainly the next.
    """
    fencer = fight.fencer(fighter) if fighter else fight.fencers[fight.turn]
    if fencer.passes:
        fight = _changed(fight, replace(fencer, passes=fencer.passes - 1))
    owed = any(each.passes for each in fight.fencers if each.able)
    return _advanced(replace(fight, idle=0 if owed else fight.idle + 1))


def fallen(fight: Round, fighter: str) -> Round:
    """Return the round without a fighter who is killed, unconscious or gone; counters of its side
    stay.

    A lone fighter takes its counters with it. Rule book: "Wound descriptions".
    """
    return _struck_down(fight, replace(fight.fencer(fighter), out=True))


def knocked_out(fight: Round, fighter: str) -> Round:
    """Return the round with a fighter unconscious: it does nothing more, and may still be struck.

    Rule book: "Subdue".
    """
    return _struck_down(fight, replace(fight.fencer(fighter), helpless=True))


def _struck_down(fight: Round, fencer: Fencer) -> Round:
    """Return the round after a fighter was struck down; the opportunity goes on from it."""
    fight = _changed(fight, fencer)
    return fight if fight.fencers[fight.turn].able else _advanced(fight)


def steed_struck(
    fight: Round,
    fighter: str,
    target: str,
    defence_ploys: frozenset[Ploy],
    settings: HouseRules = USUAL,
) -> Round:
    """Return the round after a warhorse struck: its counter is one of its side's in the
    simplified procedure, else its own.

    Its target pays for Ploys as usual.
    """
    fencers, pools = _answered(fight.fencers, fight.pools, target, defence_ploys, settings)
    if not fight.simplified:
        return replace(fight, fencers=fencers, pools=pools)
    pools = _spent(pools, fight.fencer(fighter).side, attack=1)
    return _advanced(replace(fight, fencers=fencers, pools=pools, idle=0))


def _answered(
    fencers: tuple[Fencer, ...],
    pools: Mapping[str, Split],
    target: str,
    ploys: frozenset[Ploy],
    settings: HouseRules,
) -> tuple[tuple[Fencer, ...], Mapping[str, Split]]:
    """Return fencers and pools after a defender's Ploys: Defence counters spent, and an opportunity
    owed for a Riposte."""
    if not ploys:
        return fencers, pools
    victim = _fencer(fencers, target)
    pools = _spent(pools, victim.side, defence=defence_cost(ploys, settings))
    if Ploy.RIPOSTE not in ploys:
        return fencers, pools
    return _exchanged(fencers, replace(victim, riposted=True, passes=victim.passes + 1)), pools


def switched_weapon(fight: Round, fighter: str) -> Round:
    """Return the round after a fighter took another weapon in hand: an Attack counter, in place of
    an attack."""
    return _advanced(
        replace(fight, pools=_spent(fight.pools, fight.fencer(fighter).side, attack=1), idle=0)
    )


def new_combat_violations(fight: Round, fighter: str) -> tuple[Violation, ...]:
    """Return everything that forbids a fighter to go on to another enemy.

    Rule book: "Initiating a new combat".
    """
    fencer = fight.fencer(fighter)
    foes = not fencer.out and any(each.side != fencer.side and each.able for each in fight.fencers)
    return broken(
        (foes, "still-engaged"),
        (own_counters(fight, fighter).attack < 1, "no-counter-for-move"),
        (fencer.moved_on, "moved-on"),
    )


def own_counters(fight: Round, fighter: str) -> Split:
    """Return what a fighter may take along of the counters left to its side: all of them, if
    nobody else can use them.

    Next to friends who can still act it is what is left of its own Combat Pool, Attack counters
    first.
    """
    fencer = fight.fencer(fighter)
    left = fight.pools[fencer.side]
    if not any(
        each.able and each.side == fencer.side and each.id != fighter for each in fight.fencers
    ):
        return left
    own = max(0, fencer.most_attacks - fencer.attacks)
    attack = min(left.attack, own)
    return Split(attack, min(left.defence, own - attack))


def moved_on(fight: Round, fighter: str) -> Split:
    """Return the counters with which a fighter joins a new combat after its short move."""
    own = own_counters(fight, fighter)
    return Split(own.attack - 1, own.defence)


def after_moving_on(fight: Round, fighter: str) -> Round:
    """Return the round that a fighter has left for a new combat, without the counters that it took
    along."""
    own = own_counters(fight, fighter)
    pools = _spent(fight.pools, fight.fencer(fighter).side, attack=own.attack, defence=own.defence)
    return with_move_made(replace(fight, pools=pools), fighter)


def with_move_made(fight: Round, fighter: str) -> Round:
    """Return the round in which a fighter has made its one such move of the turn."""
    return _changed(fight, replace(fight.fencer(fighter), moved_on=True))


def needs_nerve(target: Combatant, *, struck_by_target: bool = False) -> str:
    """Return the Attribute for which who attacks it first has to roll under its Rank:
    "beguiling", "terrifying" or "".

    A Beguiling fighter that has attacked this attacker no longer protects itself. Rule book:
    "Beguiling", "Terrifying".
    """
    attributes = target.attributes
    if "beguiling" in attributes and not struck_by_target:
        return "beguiling"
    return "terrifying" if "terrifying" in attributes else ""


def nerve_holds(rank: int, die: int, *, equal_will_do: bool = False) -> bool:
    """Return whether a die lets a fighter of this Rank attack: lower than its own Rank, by default.

    Ruling B16.
    """
    return die <= rank if equal_will_do else die < rank


def _spent(
    pools: Mapping[str, Split], side: str, *, attack: int = 0, defence: int = 0
) -> Mapping[str, Split]:
    """Return the pools with counters off a side's.

    What players overrule may cost more than is there: then it takes what is there.
    """
    left = pools[side]
    return {**pools, side: Split(max(0, left.attack - attack), max(0, left.defence - defence))}


def _exchanged(fencers: tuple[Fencer, ...], changed: Fencer) -> tuple[Fencer, ...]:
    return tuple([changed if each.id == changed.id else each for each in fencers])


def _changed(fight: Round, fencer: Fencer) -> Round:
    return replace(fight, fencers=_exchanged(fight.fencers, fencer))


def _advanced(fight: Round) -> Round:
    """Return the round at the next opportunity: down the order and from the top again, past
    those who can do nothing.

    In the simplified procedure the other side's, if anybody there can strike.
    """
    fencers = fight.fencers
    following = (*range(fight.turn + 1, len(fencers)), *range(fight.turn + 1))
    able = [place for place in following if fencers[place].able]
    if fight.simplified:
        here = fencers[fight.turn].side
        able = [place for place in able if may_strike(fight, fencers[place])] or able
        able = [place for place in able if fencers[place].side != here] or able
    return replace(fight, turn=able[0]) if able else fight


def strike_violations(fight: Round, fighter: str, target: str) -> tuple[Violation, ...]:
    """Return everything that forbids this fighter to strike at that one now.

    In the simplified procedure the winner of Initiative strikes first for its side, and each only
    the enemies it can reach.
    """
    fencer = fight.fencer(fighter)
    victim = fight.fencer(target)
    expected = fight.next
    violations = broken(
        (fight.over, "round-over"),
        (expected is not None and not its_turn(fight, fencer), "not-its-turn"),
        (fencer.passes > 0, "must-pass"),
        (not may_strike(fight, fencer), "no-attack-left"),
        (fencer.side == victim.side, "strikes-own-side"),
        (victim.out, "target-out-of-fight"),
    )
    if not fight.simplified:
        return violations
    first = fight.fencer(fight.first) if fight.first else None
    waits = first is not None and first.able and first.side == fencer.side and first.id != fencer.id
    too_far = bool(fencer.reach) and victim.id not in fencer.reach
    return violations + broken((waits, "first-strike"), (too_far, "pole-out-of-reach"))
