"""A fact of a chronicle as a phrase of a log, with the warband as its subject: "won The Old Mill, 5 to 2"."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rulebook.chronicle import facts
from rulebook.chronicle.facts import AnyFact
from rulebook.ruleset import Outcome
from rulebook.values.problems import listed

Names = Mapping[str, str]
"""The names of fighters by their ids, and of posts by their keys."""

KINDS: Mapping[str, str] = {
    "mustered": "Mustered",
    "enrolled": "Entered a campaign",
    "withdrawn": "Left a campaign",
    "rules-changed": "House rules changed",
    "edition-adopted": "Edition adopted",
    "recruited": "Recruits",
    "equipped": "Equipment",
    "furnished": "Purchases as a whole",
    "appointed": "Posts",
    "arranged": "Order of the roster",
    "renamed": "Names",
    "fought": "Battles",
    "ranked-up": "Rank-ups",
    "left": "Who left",
    "adjusted": "Organisers' decisions",
    "corrected": "Corrections",
}
"""Every kind of fact, with the words by which a log can be filtered."""
OUTCOMES: Mapping[Outcome, str] = {Outcome.WON: "won", Outcome.LOST: "lost", Outcome.DREW: "drew"}
PARTINGS: Mapping[str, str] = {
    "retired": "retired {}",
    "dismissed": "dismissed {}",
    "deserted": "lost {} by desertion",
    "struck": "struck {} off the roster",
}


def phrase(fact: AnyFact, names: Names) -> str:
    """What the warband did, or what was done to it, without a full stop."""
    return PHRASES[type(fact)](fact, names)


def fighters_in(fact: AnyFact) -> tuple[str, ...]:
    """The ids of the fighters that the phrase of a fact speaks of, the chief one first."""
    if isinstance(fact, facts.Recruited):
        return tuple(recruit.fighter for recruit in fact.recruits)
    if isinstance(fact, facts.Appointed):
        return tuple(holder for holders in fact.holders.values() for holder in holders)
    if isinstance(fact, facts.Arranged):
        return tuple(fact.moved)
    if isinstance(fact, facts.Corrected):
        return () if fact.replacement is None else fighters_in(fact.replacement)
    fighter = getattr(fact, "fighter", None)
    return (fighter,) if fighter else ()


def joined(names: Iterable[str]) -> str:
    """Names in a row: "A, B and C"; beyond four the rest is counted."""
    known = list(names)
    if len(known) > 4:
        known = [*known[:3], f"{len(known) - 3} others"]
    return listed(known)


def _name(names: Names, fighter: str) -> str:
    return names.get(fighter, "a fighter")


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def _enrolled(fact: facts.Enrolled, names: Names) -> str:
    terms = "" if fact.agreed_points is None else f" on {fact.agreed_points} points"
    return f"entered {fact.campaign_name or 'a campaign'}{terms}{_because(fact.reason)}"


def _recruited(fact: facts.Recruited, names: Names) -> str:
    recruits = joined(recruit.name for recruit in fact.recruits) if fact.recruits else "nobody"
    return f"recruited {recruits}{_because(fact.reason)}"


def _appointed(fact: facts.Appointed, names: Names) -> str:
    pairs = [(holder, post) for post, holders in fact.holders.items() for holder in holders]
    held = [f"{_name(names, holder)} as {names.get(post, post)}" for holder, post in pairs]
    return f"appointed {joined(held)}" if held else "left its posts empty"


def _arranged(fact: facts.Arranged, names: Names) -> str:
    moved = [
        f"{_name(names, one)} {f'to {group}' if group else 'out of its group'}" for one, group in fact.moved.items()
    ]
    return f"moved {joined(moved)}" if moved else "put its roster into another order"


def _renamed(fact: facts.Renamed, names: Names) -> str:
    return f"renamed a fighter: {fact.name}" if fact.fighter else f"took the name {fact.name}"


def _fought(fact: facts.Fought, names: Names) -> str:
    scored = fact.victory_points or fact.victory_points_against
    score = f", {fact.victory_points} to {fact.victory_points_against}" if scored else ""
    friendly = " in a friendly battle" if fact.friendly else ""
    return f"{OUTCOMES[fact.outcome]} {fact.title or fact.scenario}{score}{friendly}"


def _left(fact: facts.Left, names: Names) -> str:
    return PARTINGS.get(fact.reason, "parted with {}").format(_name(names, fact.fighter))


def _adjusted(fact: facts.Adjusted, names: Names) -> str:
    changes = [f"{fact.experience:+d} experience"] if fact.experience else []
    changes += [f"now {fact.fate}"] if fact.fate else []
    return f"had {_name(names, fact.fighter)} adjusted ({', '.join(changes)}){_because(fact.reason)}"


def _corrected(fact: facts.Corrected, names: Names) -> str:
    if fact.replacement is None:
        return f"struck an entry out{_because(fact.reason)}"
    return f"{phrase(fact.replacement, names)} (corrected{_because(fact.reason)})"


PHRASES: Mapping[type[facts.Fact], Callable[[Any, Names], str]] = {
    facts.Mustered: lambda fact, names: "was mustered",
    facts.Enrolled: _enrolled,
    facts.Withdrawn: lambda fact, names: f"left the campaign{_because(fact.reason)}",
    facts.RulesChanged: lambda fact, names: f"goes on under changed house rules{_because(fact.reason)}",
    facts.EditionAdopted: lambda fact, names: f"took up edition {fact.edition} of the rules",
    facts.Recruited: _recruited,
    facts.Equipped: lambda fact, names: f"re-equipped {_name(names, fact.fighter)}{_because(fact.reason)}",
    facts.Furnished: lambda fact, names: f"changed what it owns as a whole{_because(fact.reason)}",
    facts.Appointed: _appointed,
    facts.Arranged: _arranged,
    facts.Renamed: _renamed,
    facts.Fought: _fought,
    facts.RankedUp: lambda fact, names: f"raised {_name(names, fact.fighter)}",
    facts.Left: _left,
    facts.Adjusted: _adjusted,
    facts.Corrected: _corrected,
}
