"""A fact of a chronicle as a phrase of a log, with the warband as its subject: "won The Old Mill, 5 to 2"."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from unicodedata import bidirectional

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from core.ruleset_words import join_names, state_label
from rulebook.chronicle import facts
from rulebook.chronicle.facts import AnyFact
from rulebook.ruleset import Outcome

Names = Mapping[str, str]
"""The names of fighters by their ids, and of posts by their keys."""

KINDS: Mapping[str, str] = {
    "mustered": gettext_noop("Mustered"),
    "enrolled": gettext_noop("Entered a campaign"),
    "withdrawn": gettext_noop("Left a campaign"),
    "rules-changed": gettext_noop("House rules changed"),
    "edition-adopted": gettext_noop("Edition adopted"),
    "recruited": gettext_noop("Recruits"),
    "equipped": gettext_noop("Equipment"),
    "furnished": gettext_noop("Purchases as a whole"),
    "appointed": gettext_noop("Posts"),
    "arranged": gettext_noop("Order of the roster"),
    "renamed": gettext_noop("Names"),
    "fought": gettext_noop("Battles"),
    "ranked-up": gettext_noop("Rank-ups"),
    "left": gettext_noop("Who left"),
    "adjusted": gettext_noop("Organisers' decisions"),
    "corrected": gettext_noop("Corrections"),
}
"""Every kind of fact, with the words by which a log can be filtered, marked and not translated."""
PARTINGS: Mapping[str, str] = {
    "retired": gettext_noop("retired %(fighter)s"),
    "dismissed": gettext_noop("dismissed %(fighter)s"),
    "deserted": gettext_noop("lost %(fighter)s by desertion"),
    "struck": gettext_noop("struck %(fighter)s off the roster"),
}


def phrase(fact: AnyFact, names: Names, changes: Iterable[str] = ()) -> str:
    """What the warband did, or what was done to it, without a full stop; ``changes`` are those of house rules."""
    told = PHRASES[type(fact)](fact, names)
    changed = "; ".join(changes)
    if not changed or not isinstance(fact, facts.RulesChanged):
        return told
    told = gettext("goes on under changed house rules: %(changes)s") % {"changes": changed}
    return f"{told} ({fact.reason})" if fact.reason else told


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


def isolated(name: str) -> str:
    """The name; written from right to left, within marks that keep what stands beside it in its order."""
    from_the_right = any(bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if from_the_right else name


def joined(names: Iterable[str]) -> str:
    """Names in a row: "A, B and C"; beyond four the rest is counted."""
    known = list(names)
    if len(known) > 4:
        more = len(known) - 3
        known = [*known[:3], gettext("%(number)s others") % {"number": more}]
    return join_names(known)


def _name(names: Names, fighter: str) -> str:
    return isolated(names.get(fighter, "")) or gettext("a fighter")


def _because(told: str, reason: str) -> str:
    return f"{told}: {reason}" if reason else told


def _enrolled(fact: facts.Enrolled, names: Names) -> str:
    told = gettext("entered %(campaign)s")
    if fact.agreed_points is not None:
        told = ngettext(
            "entered %(campaign)s on %(points)s point", "entered %(campaign)s on %(points)s points", fact.agreed_points
        )
    campaign = fact.campaign_name or gettext("a campaign")
    return _because(told % {"campaign": campaign, "points": fact.agreed_points}, fact.reason)


def _recruited(fact: facts.Recruited, names: Names) -> str:
    recruits = joined(isolated(recruit.name) for recruit in fact.recruits) if fact.recruits else gettext("nobody")
    return _because(gettext("recruited %(recruits)s") % {"recruits": recruits}, fact.reason)


def _appointed(fact: facts.Appointed, names: Names) -> str:
    pairs = [(holder, post) for post, holders in fact.holders.items() for holder in holders]
    as_post = gettext("%(fighter)s as %(post)s")
    held = [as_post % {"fighter": _name(names, holder), "post": names.get(post, post)} for holder, post in pairs]
    return gettext("appointed %(held)s") % {"held": joined(held)} if held else gettext("left its posts empty")


def _arranged(fact: facts.Arranged, names: Names) -> str:
    into, out = gettext("%(fighter)s to %(group)s"), gettext("%(fighter)s out of its group")
    moved = [
        (into if group else out) % {"fighter": _name(names, one), "group": group} for one, group in fact.moved.items()
    ]
    return (
        gettext("moved %(moved)s") % {"moved": joined(moved)} if moved else gettext("put its roster into another order")
    )


def _renamed(fact: facts.Renamed, names: Names) -> str:
    told = gettext("renamed a fighter: %(name)s") if fact.fighter else gettext("took the name %(name)s")
    return told % {"name": fact.name}


def _fought(fact: facts.Fought, names: Names) -> str:
    told = {
        Outcome.WON: gettext("won %(battle)s"),
        Outcome.LOST: gettext("lost %(battle)s"),
        Outcome.DREW: gettext("drew %(battle)s"),
    }[fact.outcome] % {"battle": isolated(fact.title) or fact.scenario}
    if fact.victory_points or fact.victory_points_against:
        score = gettext("%(own)s to %(other)s") % {"own": fact.victory_points, "other": fact.victory_points_against}
        told = f"{told}, {score}"
    return gettext("%(told)s in a friendly battle") % {"told": told} if fact.friendly else told


def _left(fact: facts.Left, names: Names) -> str:
    told = gettext(PARTINGS.get(fact.reason, gettext_noop("parted with %(fighter)s")))
    return told % {"fighter": _name(names, fact.fighter)}


def _adjusted(fact: facts.Adjusted, names: Names) -> str:
    changes = [gettext("%(amount)s experience") % {"amount": f"{fact.experience:+d}"}] if fact.experience else []
    changes += [gettext("now %(fate)s") % {"fate": state_label(fact.fate)}] if fact.fate else []
    told = gettext("had %(fighter)s adjusted (%(changes)s)")
    return _because(told % {"fighter": _name(names, fact.fighter), "changes": ", ".join(changes)}, fact.reason)


def _corrected(fact: facts.Corrected, names: Names) -> str:
    if fact.replacement is None:
        return _because(gettext("struck an entry out"), fact.reason)
    why = _because(pgettext("entry", "corrected"), fact.reason)
    return f"{phrase(fact.replacement, names)} ({why})"


PHRASES: Mapping[type[facts.Fact], Callable[[Any, Names], str]] = {
    facts.Mustered: lambda fact, names: gettext("was mustered"),
    facts.Enrolled: _enrolled,
    facts.Withdrawn: lambda fact, names: _because(gettext("left the campaign"), fact.reason),
    facts.RulesChanged: lambda fact, names: _because(gettext("goes on under changed house rules"), fact.reason),
    facts.EditionAdopted: lambda fact, names: (
        gettext("took up edition %(edition)s of the rules") % {"edition": fact.edition}
    ),
    facts.Recruited: _recruited,
    facts.Equipped: lambda fact, names: _because(
        gettext("re-equipped %(fighter)s") % {"fighter": _name(names, fact.fighter)}, fact.reason
    ),
    facts.Furnished: lambda fact, names: _because(gettext("changed what it owns as a whole"), fact.reason),
    facts.Appointed: _appointed,
    facts.Arranged: _arranged,
    facts.Renamed: _renamed,
    facts.Fought: _fought,
    facts.RankedUp: lambda fact, names: gettext("raised %(fighter)s") % {"fighter": _name(names, fact.fighter)},
    facts.Left: _left,
    facts.Adjusted: _adjusted,
    facts.Corrected: _corrected,
}
