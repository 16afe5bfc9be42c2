"""Do the guns have their crews? Rule book: "Ordinance special rules", the lists' crew options; Rulings P11, P16."""

from collections.abc import Iterator

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import Gun
from rulebook.systems.en_garde.rosters.assembled_roster import AssembledRoster, Member, ids

CREW = 'Rule book: "Crew"'


def crew_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """What is wrong with the crews, named or only counted."""
    named = [fighter for bought in roster.extras.ordnance for fighter in bought.crew]
    busy = set(named)
    yield from _named_twice(named)
    for bought in roster.extras.ordnance:
        gun = catalogue.catalogue().arms.guns.get(bought.gun)
        if gun is None:
            continue
        if bought.crew:
            yield from _named_crew(roster, gun, bought.crew)
        else:
            free = [each for each in roster.members if each.id not in busy and may_serve(each, gun, roster)]
            yield from _crew_size(gun, free[: gun.crew])
            busy.update(ids(free[: gun.crew]))


def may_serve(member: Member, gun: Gun, roster: AssembledRoster) -> bool:
    """Whether a fighter may be of this gun's crew: its profile offers it, and it has no other option."""
    if roster.army.kind == "custom":
        return member.outfit.profile.leads
    offered = any(gun.key in line.guns for line in member.outfit.profile.options)
    return offered and not member.outfit.selected


def _named_twice(named: list[str]) -> Iterator[Problem]:
    twice = {fighter for fighter in named if named.count(fighter) > 1}
    if twice:
        sentence = "A fighter serves one gun only: name others."
        told = tuple(sorted(twice))
        yield Problem(code="gun-crew-twice", sentence=sentence, fighters=told, field="extras.ordnance", source=CREW)


def _named_crew(roster: AssembledRoster, gun: Gun, crew: tuple[str, ...]) -> Iterator[Problem]:
    present = {member.id: member for member in roster.members}
    serving = [present[fighter] for fighter in crew if fighter in present]
    absent = tuple(fighter for fighter in crew if fighter not in present)
    if absent:
        sentence = f"The {gun.name.lower()}'s crew names fighters who are not there: name others."
        yield Problem(code="gun-crew-unknown", sentence=sentence, fighters=absent, field="extras.ordnance", source=CREW)
    wrong = [member for member in serving if not may_serve(member, gun, roster)]
    if wrong:
        sentence = f"The {gun.name.lower()}'s crew must have the crew option and no other: name others."
        yield Problem(
            code="gun-crew-not-eligible",
            sentence=sentence,
            fighters=ids(wrong),
            field="extras.ordnance",
            source="Ruling P16",
        )
    yield from _crew_size(gun, serving)


def _crew_size(gun: Gun, crew: list[Member]) -> Iterator[Problem]:
    if len(crew) < gun.crew:
        sentence = f"A {gun.name.lower()} needs a crew of {gun.crew}, with no other option; there are {len(crew)}."
        told = ids(crew)
        yield Problem(code="gun-crew-missing", sentence=sentence, fighters=told, field="extras.ordnance", source=CREW)
