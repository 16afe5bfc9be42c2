"""Guns: reach, what a die has to show, balls that bounce and scatter, canister, shell, and what
they do to gunners.

Slides 19 to 21. Rulings N-A1 to N-A8.
"""

from fractions import Fraction

from msgspec import Struct

from rulebook.dice.pools import Chances, chance_of, gathered, pool, repeated, together
from rulebook.systems.avant_garde.book import book, figures, words
from rulebook.systems.avant_garde.odds import Odds, modifiers, total
from rulebook.systems.avant_garde.shooting import crew_share
from rulebook.values.answers import ReasonLine

FIRING = 'Slide 20: "Firing Artillery"'
ROUNDS = words("rounds")
SCATTER = {1: "over", 2: "over", 3: "left", 4: "right", 5: "under", 6: "under"}
"""Where a near miss goes by its die. Ruling N-A8."""
UNDER_TEMPLATE = words("templates")


class Shot(Struct, frozen=True):
    """Guns of one calibre that fire one kind of round: ``moved`` if they moved, pivoted or
    unlimbered (N-A4).

    ``british`` guns of every calibre have shell. What follows is true of the target; ``line`` are
    the figures under the path of a ball, ``screen`` says that skirmishers stand before the target.
    """

    calibre: str = "medium"
    round: str = "ball"
    inches: float = 12
    guns: int = 1
    skill: int = 0
    national: int = 0
    moved: bool = False
    british: bool = False
    cover: str = "none"
    skirmishers: bool = False
    deployed_guns: bool = False
    screen: bool = False
    line: int = 2

    @property
    def long(self) -> bool:
        """Return whether it is a ball at long range. Ruling N-A5: shells have no long range."""
        short = book().calibre[self.calibre].short
        return self.round == "ball" and short is not None and self.inches > short


def reach_of(shot: Shot) -> tuple[int, int]:
    """Return how near and how far, in inches, its calibre fires such a round: (0, -1) where it has
    none."""
    gun = book().calibre[shot.calibre]
    if shot.round == "shell" and gun.british_shell and not shot.british:
        return 0, -1
    return {"ball": (0, gun.long or -1), "canister": (0, gun.canister), "shell": gun.shell}[
        shot.round
    ]


def reach_in_words(shot: Shot) -> str:
    """Return how far such a round of its calibre carries, or what to do where it has none."""
    nearest, farthest = reach_of(shot)
    if farthest < 0:
        return "guns of this calibre have none. Choose another round, or other guns"
    return (
        f"it carries from {nearest} to {farthest} inches"
        if nearest
        else f"it carries up to {farthest} inches"
    )


def in_reach(shot: Shot) -> bool:
    """Return whether the calibre has such a round, in range, and a shell not too near."""
    nearest, farthest = reach_of(shot)
    return nearest <= shot.inches <= farthest


def shot_lines(shot: Shot) -> tuple[ReasonLine, ...]:
    """Return what goes on each die that shoots: canister as musketry, shell by its own short list.

    Rulings N-S8, N-A4.
    """
    plain = shot.round != "shell"
    covered = {f"{kind}_cover": shot.cover == kind and plain for kind in ("soft", "hard")}
    deployed = shot.deployed_guns and shot.round == "canister"
    return modifiers(
        "guns", shot, **covered, skirmishers=shot.skirmishers and plain, deployed_guns=deployed
    )


def shot_need(shot: Shot) -> int:
    """Return what each die has to show. Guns fire even where that is 7: a 6 is a near miss then.
    Ruling N-A6."""
    return figures("artillery")["hits_on"] - total(shot_lines(shot))


def landing(shot: Shot, die: int) -> str:
    """Return where a ball or a shell goes: "hit", "near" where the die is one short, or "miss".

    Canister has no near miss.
    """
    short = shot_need(shot) - die
    if short <= 0:
        return "hit"
    return "near" if short == 1 and shot.round != "canister" else "miss"


def landing_odds(shot: Shot) -> Odds:
    """Return the chance of each landing of one gun's round."""
    lands = [landing(shot, die) for die in range(1, 7)]
    return {place: Fraction(lands.count(place), 6) for place in ("hit", "near", "miss")}


def scatter_odds() -> Odds:
    """Return where a near miss goes. Ruling N-A8."""
    return together(*((place, Fraction(1, 6)) for place in SCATTER.values()))


def scatter_faces(shot: Shot) -> int:
    """Return the faces of the die that says how far a near miss goes astray: three at short range,
    six at long."""
    return figures("artillery")["miss_die_long" if shot.long else "miss_die_short"]


def canister_dice(shot: Shot) -> int:
    """Return how many dice canister throws, from all guns."""
    return book().calibre[shot.calibre].canister_shots * shot.guns


def shell_dice(under: str) -> int:
    """Return how many dice a bursting shell throws at a unit.

    It is six with its "centre" under the template, two at the "edge".
    """
    rules = figures("artillery")
    return {"centre": rules["shell_target_hits"], "edge": rules["shell_edge_hits"]}.get(under, 0)


def shell_explodes(die: int) -> bool:
    """Return whether it bursts on the target.

    Else it bounces straight on, a die of inches, and bursts there. Ruling N-A1.
    """
    return die >= figures("artillery")["shell_explodes_on"]


def loss_odds(shot: Shot, *, astray: int = 0, bounced: str = "none") -> Chances:
    """Return the chance of each number of casualties of the target, from all guns.

    A ball that hits meets ``line`` figures, one that scatters ``astray``; of a crew it kills one at
    most. A shell that bounces or scatters has its template over the target's centre, edge or
    nothing (``bounced``). A screen of skirmishers takes the first casualty of canister.
    """
    if not in_reach(shot):
        return {0: Fraction(1)}
    rules = figures("artillery")
    lands = landing_odds(shot)
    deployed = shot.deployed_guns
    kills = chance_of(rules[f"{shot.round}_kills_on"])

    # What hits a deployed battery may hit a gun instead of its crew.
    crew = crew_share() if deployed else Fraction(1)
    if shot.round == "canister":
        kill_odds = pool(canister_dice(shot), lands["hit"] * kills * crew)
        return gathered(
            (max(0, number - shot.screen), chance) for number, chance in kill_odds.items()
        )

    # How each shot may land, with the casualties that it makes there.
    parts: list[tuple[Fraction, Chances]] = [(lands["miss"], {0: Fraction(1)})]
    if shot.round == "ball":
        struck, strayed = (1, min(1, astray)) if deployed else (shot.line, astray)
        parts.append((lands["hit"], pool(struck, kills * crew)))
        parts.append((lands["near"], pool(strayed, kills)))
    else:
        # A shell that does not burst on the target bounces on, and bursts where one that scatters
        # may too. N-A1.
        bursts = chance_of(rules["shell_explodes_on"])
        kills_each = chance_of(rules["hits_on"]) * kills
        off_target = lands["hit"] * (1 - bursts) + lands["near"]
        parts.append((lands["hit"] * bursts, pool(shell_dice("centre"), kills_each)))
        parts.append((off_target, pool(shell_dice(bounced), kills_each)))

    # One gun has one of these landings; a battery has the sum of its guns.
    one_gun: list[tuple[int, Fraction]] = []
    for share, chances in parts:
        one_gun += [(number, share * chance) for number, chance in chances.items()]
    return repeated(gathered(one_gun), shot.guns)


def gun_destroyed_chance(shot: Shot) -> Fraction:
    """Return the chance that one ball destroys a deployed gun: it hits the gun itself, and wounds.

    Rulings N-S8, N-A7.
    """
    if shot.round != "ball" or not (shot.deployed_guns and in_reach(shot)):
        return Fraction(0)
    return (
        landing_odds(shot)["hit"]
        * (1 - crew_share())
        * chance_of(figures("artillery")["ball_kills_on"])
    )


def strikes_gun(die: int) -> bool:
    """Return whether the location die hits the gun, not its crew. Only a ball damages it. Ruling
    N-A7."""
    return die >= figures("artillery")["gun_location"]
