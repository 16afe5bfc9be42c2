"""Combat pools: how many counters a side draws, and how they may be split. Rule book: "Combat", "Combat procedure"."""

from math import ceil

from msgspec import Struct

from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.wounds import Wound
from rulebook.values.problems import Violation


class Split(Struct, frozen=True):
    """A secret choice: Attack and Defence counters."""

    attack: int
    defence: int

    @property
    def size(self) -> int:
        """All counters together."""
        return self.attack + self.defence


def pool_size(fighters: tuple[Combatant, ...], *, ride_by: bool = False) -> int:
    """Counters that a side draws for the fighters it has in a combat; pools of several are combined.

    In a ride-by attack each pool is halved, rounded up, never below one. The unconscious draw none. A warhorse's
    own counter is not in it, see ``steed_pool``. Rule book: "Multiple combats", "Ride-by attacks".
    """
    return sum(fighter_pool(fighter, ride_by=ride_by) for fighter in fighters)


def fighter_pool(fighter: Combatant, *, ride_by: bool = False) -> int:
    """Counters of one fighter, which is also the most attacks that it may make."""
    if fighter.wounds.out:
        return 0
    return max(1, ceil(fighter.combat_pool / 2)) if ride_by else fighter.combat_pool


def steed_pool(fighter: Combatant, *, ride_by: bool = False) -> int:
    """Attacks of the mount beneath a fighter: a warhorse has one, but none in a ride-by attack."""
    if fighter.steed is None or ride_by or fighter.steed.wounds.out:
        return 0
    return catalogue().arms.mounts[fighter.steed.key].combat_pool


def split_violations(fighters: tuple[Combatant, ...], split: Split, *, ride_by: bool = False) -> tuple[Violation, ...]:
    """Everything that is wrong with a split. Rule book: "Civilians", "Relentless", "Warhound"."""
    pools = [fighter_pool(fighter, ride_by=ride_by) for fighter in fighters]
    size = sum(pools)
    attackers = sum(pool for fighter, pool in zip(fighters, pools, strict=True) if not fighter.civilian)
    defenders = sum(pool for fighter, pool in zip(fighters, pools, strict=True) if not never_defends(fighter))
    checks = (
        (min(split.attack, split.defence) < 0, "negative-counters", "Counters cannot be fewer than none."),
        (split.size != size, "wrong-pool", f"The Combat Pool is {size}, not {split.size}."),
        (size > attackers < split.attack, "civilians-attack", f"Civilians only defend: {attackers} to attack at most."),
        (size > defenders < split.defence, "no-defence", f"Some here never defend: {defenders} to defend at most."),
    )
    rule = 'Rule book: "Combat procedure"'
    return tuple(Violation(code, sentence, rule) for wrong, code, sentence in checks if wrong)


def never_defends(fighter: Combatant) -> bool:
    """May it draw no Defence counters? The Relentless and warhounds. Rule book: "Relentless", "Warhound"."""
    return fighter.has("relentless") or fighter.has("no-defence")


def most_against(base_of_target: str = "same") -> int:
    """How many may fight one: 4 of the same base, 6 against a larger, 2 against a smaller. Rule book: "Combat"."""
    return {"same": 4, "larger": 6, "smaller": 2}[base_of_target]


def simplified_pool(chosen: Combatant, others: tuple[Combatant, ...]) -> int:
    """Counters of a side by the simplified procedure: the chosen fighter's pool and one for each other that takes part.

    Warhorses count among the others, the gravely wounded do not. Rule book: "Appendix A: Simplified attack procedure".
    """
    extra = sum(counts_in_simplified(fighter) for fighter in others)
    steeds = sum(steed_pool(fighter) for fighter in (chosen, *others))
    return fighter_pool(chosen) + extra + steeds


def counts_in_simplified(fighter: Combatant) -> bool:
    """Does it add a counter in the simplified procedure? Not with a Grievous wound, and not unconscious."""
    return not fighter.wounds.out and fighter.wounds.wound is not Wound.GRIEVOUS


def may_reach_in_simplified(fighter: Combatant, *, in_contact: bool, behind_friend_in_contact: bool) -> bool:
    """May it take part? In contact, or with spear or pike behind a friend who is. Rule book: "Appendix A"."""
    long = "spear" in fighter.weapons or "pike" in fighter.weapons
    return in_contact or (behind_friend_in_contact and long)
