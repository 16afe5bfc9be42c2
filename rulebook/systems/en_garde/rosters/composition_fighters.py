"""What is wrong, or odd, with single fighters of a roster."""

from collections.abc import Iterator

from rulebook.ruleset import Problem, Severity
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.assembled_roster import AssembledRoster, Member, ids, named, within
from rulebook.systems.en_garde.rosters.build_problems import build_problems
from rulebook.systems.en_garde.rosters.builds import filled, weapon_of
from rulebook.systems.en_garde.rosters.loadouts import NUMBERS


def fighter_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Everything about fighters one by one, and the custom ones' own limits."""
    yield from roster.unreadable
    for member in roster.members:
        found = build_problems(member.build, roster.terms)
        if found:
            yield from named(member.id, member.name, found)
        yield from _unearned(member)
        yield from _clumsy(member)
        yield from _without_weapon(member)
        if member.build.custom:
            yield from _beyond_base(member, roster)
    yield from _rank_2_attributes(roster)


def _unearned(member: Member) -> Iterator[Problem]:
    if member.build.promoted and not member.promoted:
        sentence = f"{member.name} has the marks of a promotion that never was: take a profile as it is."
        yield Problem(code="unearned-rank", sentence=sentence, fighters=(member.id,), source="Progression")


def _warning(member: Member, code: str, sentence: str, source: str) -> Problem:
    return Problem(code, f"{member.name} {sentence}", Severity.WARNS, (member.id,), source=source)


def _clumsy(member: Member) -> Iterator[Problem]:
    """Things that may be owned together but not used together (Ruling P15)."""
    outfit, arms = member.outfit, catalogue.catalogue().arms
    two_handed = [key for key in outfit.equipment if key in arms.close_combat and arms.close_combat[key].hands == "two"]
    for key in two_handed:
        name = catalogue.item_name(key).lower()
        if outfit.mounted:
            yield _warning(member, "two-handed-mounted", f"cannot use the {name} while mounted.", "Ruling P15")
        if outfit.gear & arms.shields.keys():
            yield _warning(member, "two-handed-with-shield", f"cannot use {name} and shield at once.", "Ruling P15")
    for key in outfit.gear if outfit.mounted else ():
        if key in arms.missiles and arms.missiles[key].never_mounted:
            name = catalogue.item_name(key).lower()
            yield _warning(member, "never-mounted", f"cannot use the {name} while mounted.", "Ruling P15")


def _without_weapon(member: Member) -> Iterator[Problem]:
    for key in member.outfit.attributes:
        weapon = weapon_of(key)
        if weapon and not member.outfit.carries(weapon) and not _includes(member, weapon):
            sentence = f"is {catalogue.attribute_name(key)} and carries none."
            yield _warning(member, "attribute-without-weapon", sentence, "Ruling P19")


def _includes(member: Member, weapon: str) -> bool:
    """Whether another thing it carries is that weapon too: a pistol strikes, a magic staff is a staff."""
    arms = catalogue.catalogue().arms
    comes_with = arms.close_combat[weapon].comes_with if weapon in arms.close_combat else ""
    magic = (arms.magic_items[key].as_weapon for key in member.outfit.gear if key in arms.magic_items)
    return bool(comes_with and member.outfit.carries(comes_with)) or weapon in magic


def _beyond_base(member: Member, roster: AssembledRoster) -> Iterator[Problem]:
    """A custom fighter better than its Rank's base profile: a legend, or a slip (Ruling P29)."""
    severity = Severity.FORBIDS if roster.rules.strict_characteristics else Severity.WARNS
    base = catalogue.base_profile(member.outfit.rank)
    chosen = filled(member.build.characteristics, {key: getattr(base, key) for key in NUMBERS})
    higher = [key for key in NUMBERS if chosen[key] > getattr(base, key)]
    if higher:
        names = catalogue.listed(key.replace("_", " ") for key in higher)
        sentence = f"{member.name} is above the base profile of Rank {base.rank} in {names}."
        yield Problem("above-base-profile", sentence, severity, (member.id,), source="Ruling P29")
    attributes = member.build.picks("attributes")
    if len(attributes) > base.attributes:
        sentence = f"{member.name} has {len(attributes)} Attributes; Rank {base.rank} has {base.attributes}."
        yield Problem("too-many-attributes", sentence, severity, (member.id,), source="Ruling P29")


def _rank_2_attributes(roster: AssembledRoster) -> Iterator[Problem]:
    """At most half of the custom fighters of Rank 2 have chosen an Attribute (Ruling P28)."""
    for base in catalogue.catalogue().base_profiles.values():
        same = [each for each in roster.members if each.build.custom and each.outfit.rank == base.rank]
        gifted = [member for member in same if member.build.picks("attributes")]
        if base.attributes_share and not within(len(gifted), base.attributes_share, len(same)):
            most = len(same) * base.attributes_share[0] // base.attributes_share[1]
            sentence = f"At most {most} of {len(same)} custom fighters of Rank {base.rank} may have an Attribute."
            yield Problem(code="too-many-gifted", sentence=sentence, fighters=ids(gifted), source="Ruling P28")
