"""A round of hand-to-hand combat: who may strike when, what it costs, and when it is over.

Only one side of a combat ever has several fighters. Rule book: "Combat procedure", "Multiple combats",
"Initiating a new combat", "Fast", "Duels", "Appendix A: Simplified attack procedure".
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from rulebook.en_garde.table.blows import Ploy, defence_cost
from rulebook.en_garde.table.combatant import Combatant, Refusal
from rulebook.en_garde.table.pools import Split, fighter_pool

RULE = 'Rule book: "Combat procedure"'


class Fencer(Struct, frozen=True):
    """A fighter within a round: its side, its score of initiative, and what it has done so far.

    ``most_attacks`` is its Combat Pool. ``passes`` counts the opportunities that a Riposte makes it let go.
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


class Round(Struct, frozen=True):
    """A round: fencers in order of initiative, whose opportunity it is, and the counters left to each side.

    ``idle`` counts opportunities let go one after the other; when all have passed in turn the round is over.
    ``simplified`` makes every fencer of a side strike once before the first strikes again.
    """

    fencers: tuple[Fencer, ...]
    pools: Mapping[str, Split]
    turn: int = 0
    idle: int = 0
    simplified: bool = False

    @property
    def over(self) -> bool:
        """Is the round over? When nobody can strike, or everybody has passed in turn."""
        standing = [fencer for fencer in self.fencers if not fencer.out]
        sides = {fencer.side for fencer in standing}
        return len(sides) < 2 or self.idle >= len(standing) or not any(may_strike(self, each) for each in standing)

    @property
    def next(self) -> Fencer | None:
        """Whose opportunity it is, None when the round is over."""
        return None if self.over else self.fencers[self.turn]

    def fencer(self, fighter: str) -> Fencer:
        """The fencer of that id. Raises KeyError if it is not in the round."""
        found = {each.id: each for each in self.fencers}
        return found[fighter]


def open_round(
    fighters: tuple[tuple[Combatant, str, int], ...],
    pools: Mapping[str, Split],
    *,
    ride_by: bool = False,
    simplified: bool = False,
) -> Round:
    """A round begins; ``fighters`` are (fighter, side, initiative score) with every tie already rolled off.

    Raises ValueError if two scores are equal: tied fighters roll off.
    """
    scores = [score for _, _, score in fighters]
    if len(set(scores)) < len(scores):
        raise ValueError("Tied initiative: those concerned roll off until one is first.")
    fencers = tuple(
        Fencer(
            id=fighter.id,
            side=side,
            initiative=score,
            most_attacks=fighter_pool(fighter, ride_by=ride_by),
            fast=fighter.has("fast"),
            out=fighter.wounds.out,
        )
        for fighter, side, score in sorted(fighters, key=lambda each: -each[2])
    )
    opened = Round(fencers=fencers, pools=dict(pools), simplified=simplified)
    return opened if not fencers[0].out else _advanced(opened)


def may_strike(fight: Round, fencer: Fencer) -> bool:
    """Has it a counter to strike with, and attacks of its own left?"""
    if fencer.out or fight.pools[fencer.side].attack < 1:
        return False
    if not fight.simplified:
        return fencer.attacks < fencer.most_attacks
    return fencer.attacks == min(each.attacks for each in fight.fencers if each.side == fencer.side and not each.out)


def strike_refusals(fight: Round, fighter: str, target: str) -> tuple[Refusal, ...]:
    """Everything that forbids this fighter to strike at that one now."""
    fencer, victim = fight.fencer(fighter), fight.fencer(target)
    expected = fight.next
    checks = (
        (fight.over, "round-over", "The round is over."),
        (expected is not None and not _its_turn(fight, fencer), "not-its-turn", "It is somebody else's opportunity."),
        (fencer.passes > 0, "must-pass", "After a Riposte it lets its next opportunity go."),
        (not may_strike(fight, fencer), "no-attack-left", "No counter, or no attack of its own, is left."),
        (fencer.side == victim.side, "own-side", "Both are of the same side."),
        (victim.out, "target-out", "The target is out of the fight."),
    )
    return tuple(Refusal(code, sentence, RULE) for wrong, code, sentence in checks if wrong)


def _its_turn(fight: Round, fencer: Fencer) -> bool:
    """Its opportunity; in the simplified procedure that of any fencer of its side."""
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
    settings: Mapping[str, object] | None = None,
    *,
    feint_landed: bool = False,
    again: bool = False,
) -> Round:
    """The round after an attack: counters spent, the next opportunity found.

    ``feint_landed`` gives the attacker's counter back; ``again`` keeps the opportunity with a Fast fighter, once.
    """
    fencer, victim = fight.fencer(fighter), fight.fencer(target)
    cost = 1 + int(Ploy.MIGHTY_BLOW in attack_ploys) - int(feint_landed)
    fight = _spend(fight, fencer.side, attack=cost)
    fight = _spend(fight, victim.side, defence=defence_cost(defence_ploys, settings))
    second = again and fencer.fast and not fencer.doubled
    fight = _changed(
        fight,
        replace(
            fencer,
            attacks=fencer.attacks + 1,
            feinted=fencer.feinted or Ploy.FEINT in attack_ploys,
            doubled=fencer.doubled or second,
        ),
    )
    if Ploy.RIPOSTE in defence_ploys:
        fight = _changed(fight, replace(fight.fencer(target), riposted=True, passes=victim.passes + 1))
    return replace(fight, idle=0) if second else _advanced(replace(fight, idle=0))


def passed(fight: Round) -> Round:
    """The round after an opportunity that was let go; a pass owed for a Riposte is paid by it."""
    fencer = fight.fencers[fight.turn]
    if fencer.passes:
        fight = _changed(fight, replace(fencer, passes=fencer.passes - 1))
    owed = any(each.passes for each in fight.fencers if not each.out)
    return _advanced(replace(fight, idle=0 if owed else fight.idle + 1))


def fallen(fight: Round, fighter: str) -> Round:
    """The round without a fighter who is killed, unconscious or gone; counters of its side stay.

    A lone fighter takes its counters with it. Rule book: "Wound descriptions".
    """
    return _changed(fight, replace(fight.fencer(fighter), out=True))


def switched_weapon(fight: Round, fighter: str) -> Round:
    """The round after a fighter took another weapon in hand: an Attack counter, in place of an attack."""
    fencer = fight.fencer(fighter)
    return _advanced(replace(_spend(fight, fencer.side, attack=1), idle=0))


def new_combat_refusals(fight: Round, fighter: str) -> tuple[Refusal, ...]:
    """Everything that forbids a fighter to go on to another enemy. Rule book: "Initiating a new combat"."""
    fencer = fight.fencer(fighter)
    foes = any(each.side != fencer.side and not each.out for each in fight.fencers)
    checks = (
        (foes, "still-engaged", "It is still Engaged."),
        (fight.pools[fencer.side].attack < 1, "no-counter", "The move takes an Attack counter."),
        (fencer.moved_on, "moved-on", "One such move a turn."),
    )
    rule = 'Rule book: "Initiating a new combat"'
    return tuple(Refusal(code, sentence, rule) for wrong, code, sentence in checks if wrong)


def moved_on(fight: Round, fighter: str) -> Split:
    """The counters with which a fighter joins a new combat after its short move."""
    left = fight.pools[fight.fencer(fighter).side]
    return Split(left.attack - 1, left.defence)


def challenge_refusals(
    challenger: Combatant, challenged: Combatant, inches: float, *, engaged: bool = False
) -> tuple[Refusal, ...]:
    """Everything that forbids a challenge. Rule book: "Duels"."""
    hurt = challenged.wounds.stunned > 0 or challenged.wounds.worst != ""
    checks = (
        (challenger.rank < 3, "too-low-to-challenge", "A challenge is for Rank 3 and above."),
        (challenged.rank < challenger.rank, "beneath-challenge", "The challenged must be of equal or higher Rank."),
        (inches > 6, "out-of-earshot", 'The challenged must be within 6".'),
        (engaged, "engaged", "Neither may be Engaged."),
        (hurt, "hurt", "Who is wounded or Stunned cannot be challenged."),
    )
    return tuple(Refusal(code, sentence, 'Rule book: "Duels"') for wrong, code, sentence in checks if wrong)


def needs_nerve(attacker: Combatant, target: Combatant, *, struck_by_target: bool = False) -> str:
    """The Attribute for which an attacker first has to roll under its Rank: "beguiling", "terrifying" or "".

    A Beguiling fighter that has attacked this attacker protects itself no more. Rule book: "Beguiling", "Terrifying".
    """
    if target.has("beguiling") and not struck_by_target:
        return "beguiling"
    return "terrifying" if target.has("terrifying") else ""


def nerve_holds(rank: int, die: int, *, equal_will_do: bool = False) -> bool:
    """Does a die let a fighter of this Rank attack? Lower than its own Rank, by default. Ruling B16."""
    return die <= rank if equal_will_do else die < rank


def _spend(fight: Round, side: str, *, attack: int = 0, defence: int = 0) -> Round:
    left = fight.pools[side]
    spent = Split(left.attack - attack, left.defence - defence)
    if min(spent.attack, spent.defence) < 0:
        raise ValueError("There are not so many counters left.")
    return replace(fight, pools={**fight.pools, side: spent})


def _changed(fight: Round, fencer: Fencer) -> Round:
    return replace(fight, fencers=tuple(fencer if each.id == fencer.id else each for each in fight.fencers))


def _advanced(fight: Round) -> Round:
    """The next opportunity: down the order and from the top again, past those who are out."""
    places = len(fight.fencers)
    following = [(fight.turn + ahead) % places for ahead in range(1, places + 1)]
    standing = [place for place in following if not fight.fencers[place].out]
    return replace(fight, turn=standing[0] if standing else fight.turn)
