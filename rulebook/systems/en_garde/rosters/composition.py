"""What a list or a warband type asks of the warband as a whole: Ranks, limits, crews; and the same in sentences.

Rule book: "Standard warbands", "Elite warbands", "Ordinance special rules", the lists.
Rulings P6 to P13, P16, P20 to P23.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from rulebook.ruleset import Problem, Severity
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import Gun
from rulebook.systems.en_garde.book.lists import Composition, Faction, Option, Profile, Share, Template
from rulebook.systems.en_garde.rosters.assembled_roster import AssembledRoster, Member, ids, within
from rulebook.systems.en_garde.rosters.builds import plain
from rulebook.systems.en_garde.rosters.loadouts import may_handle

LOW = (1, 2)


def rank_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Every breach of the rules on Ranks."""
    if not roster.members:
        return
    template = template_of(roster)
    yield from _mix(roster, roster.army.composition.ranks, roster.army.name)
    if template:
        yield from _mix(roster, template.ranks, f"{template.name} warbands")
        yield from _more_rank_3_than_4(roster, template)
    yield from _rank_5(roster)


def most_of_rank_5(roster: AssembledRoster) -> int | None:
    """How many of Rank 5 its list or warband type allows, None where nothing limits them. Ruling P8."""
    template = template_of(roster)
    most = template.most_rank_5 if template else roster.army.composition.most_rank_5
    return None if roster.rules.rank_5_limit == "any" else most


def template_of(roster: AssembledRoster) -> Template | None:
    """The warband type that binds this warband, None where only its list does (Ruling P6)."""
    if not roster.army.composition.templates and roster.rules.composition == "list":
        return None
    return catalogue.template(roster.extras.template or "standard")


def _low(roster: AssembledRoster) -> list[Member]:
    return [member for member in roster.members if member.outfit.rank in LOW]


def _half_low(roster: AssembledRoster) -> bool:
    return 2 * len(_low(roster)) >= roster.size


def _all_high(roster: AssembledRoster) -> bool:
    return not _low(roster)


def _all_mounted(roster: AssembledRoster) -> bool:
    return all(member.outfit.mounted for member in roster.members)


MIXES: Mapping[str, Callable[[AssembledRoster], bool]] = {
    "half-low": _half_low,
    "all-high": _all_high,
    "all-mounted": _all_mounted,
}


def _mix(roster: AssembledRoster, wanted: tuple[str, ...], source: str) -> Iterator[Problem]:
    if not wanted or any(MIXES[each](roster) for each in wanted):
        return
    low = _low(roster)
    if "half-low" not in wanted:
        sentence = f"{source} have nobody below Rank 3: {len(low)} of {roster.size} are."
        yield Problem(code="low-ranks-not-allowed", sentence=sentence, fighters=ids(low), source=source)
        return
    rules = catalogue.listed((RANKS[each] for each in wanted), "or")
    high = (member for member in roster.members if member not in low)
    sentence = f"{source} ask that {rules}; {len(low)} of {roster.size} are Rank 1 or 2."
    yield Problem(code="too-few-low-ranks", sentence=sentence, fighters=ids(high), source=source)


def _more_rank_3_than_4(roster: AssembledRoster, template: Template) -> Iterator[Problem]:
    thirds = sum(member.outfit.rank == 3 for member in roster.members)
    fourths = [member for member in roster.members if member.outfit.rank == 4]
    if template.more_rank_3_than_4 and fourths and thirds <= len(fourths):
        sentence = f"There must be more of Rank 3 than of Rank 4: there are {thirds} and {len(fourths)}."
        yield Problem(code="too-few-rank-3", sentence=sentence, fighters=ids(fourths), source="Ruling P7")


def _rank_5(roster: AssembledRoster) -> Iterator[Problem]:
    most = most_of_rank_5(roster)
    fifths = [member for member in roster.members if member.outfit.rank == 5]
    if most is not None and len(fifths) > most:
        sentence = f"Only {most} of Rank 5 is allowed, not {len(fifths)}."
        severity = _rank_5_severity(roster, fifths, most)
        yield Problem("too-many-rank-5", sentence, severity, ids(fifths), source="Rulings P8, X17")


def _rank_5_severity(roster: AssembledRoster, fifths: list[Member], most: int) -> Severity:
    """Too many by promotion only warns, unless the campaign says otherwise (Ruling X17)."""
    born = sum(not member.promoted for member in fifths)
    return Severity.WARNS if born <= most and roster.rules.second_rank_5 == "warn" else Severity.FORBIDS


def limit_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Every breach of a limit."""
    yield from _size(roster)
    yield from _missiles(roster)
    yield from _allies(roster)
    yield from _unique(roster)
    yield from _servants(roster)
    yield from handler_problems(roster)
    yield from _riders(roster)
    yield from _shares(roster)


def _size(roster: AssembledRoster) -> Iterator[Problem]:
    most = catalogue.catalogue().calculator.most_fighters
    if not roster.members:
        yield Problem(code="no-fighters", sentence="A warband needs fighters: recruit some.", field="fighters")
    if roster.size > most:
        severity = Severity.FORBIDS if roster.rules.size_limit == "forbid" else Severity.WARNS
        sentence = f"A warband has up to {most} fighters; this one has {roster.size}."
        yield Problem("too-many-fighters", sentence, severity, field="fighters", source="Ruling P9")


def shoots(member: Member, roster: AssembledRoster) -> bool:
    """Whether the list's limit on missile weapons counts this fighter (Ruling P10)."""
    named = roster.army.composition.missile_weapons
    if named:
        return any(member.outfit.carries(key) for key in named)
    missiles = catalogue.catalogue().arms.missiles
    every = roster.rules.missile_limit == "all"
    return any(key in missiles and (every or missiles[key].long_range) for key in member.outfit.gear)


def _missiles(roster: AssembledRoster) -> Iterator[Problem]:
    share = roster.army.composition.missile_share
    if not share:
        return
    shooters = [member for member in roster.members if shoots(member, roster)]
    if not within(len(shooters), share, roster.size):
        most = roster.size * share[0] // share[1]
        sentence = f"At most {most} of {roster.size} may have missile weapons, not {len(shooters)}."
        yield Problem(code="too-many-missiles", sentence=sentence, fighters=ids(shooters), source="Ruling P10")


def _allies(roster: AssembledRoster) -> Iterator[Problem]:
    share = roster.army.composition.allies_share
    allies = [member for member in roster.members if member.build.list_key == roster.army.composition.allies]
    if share and not within(len(allies), share, roster.size):
        most = roster.size * share[0] // share[1]
        sentence = f"At most {most} of {roster.size} may be allies, not {len(allies)}."
        yield Problem(code="too-many-allies", sentence=sentence, fighters=ids(allies), source=roster.army.name)


def _unique(roster: AssembledRoster) -> Iterator[Problem]:
    names = Counter(member.build.profile for member in roster.members if member.outfit.profile.unique)
    for profile, count in names.items():
        if count > 1:
            twins = [member for member in roster.members if member.build.profile == profile]
            sentence = f"There is only one {twins[0].outfit.profile.name}, not {count}."
            yield Problem(code="unique-twice", sentence=sentence, fighters=ids(twins), source="Ruling D10")


def _servants(roster: AssembledRoster) -> Iterator[Problem]:
    composition = roster.army.composition
    if not composition.servants:
        return
    own = [(member.build.profile.partition("/")[2], member) for member in roster.members]
    servants = [member for key, member in own if key == composition.servants]
    masters = len({key for key, _ in own if key in composition.masters})
    if len(servants) > masters:
        sentence = f"Each master has one servant: {masters} masters, {len(servants)} servants."
        yield Problem(code="too-many-servants", sentence=sentence, fighters=ids(servants), source="Ruling P22")


def is_handler(member: Member) -> bool:
    """Whether a fighter of the roster may mind hounds. Ruling P20."""
    return may_handle(member.outfit)


def handler_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Whether there are handlers enough for the hounds. Ruling P20."""
    hounds = [member for member in roster.members if member.outfit.profile.fighters_per_handler]
    if not hounds:
        return
    needed = -(-len(hounds) // hounds[0].outfit.profile.fighters_per_handler)
    handlers = sum(is_handler(member) for member in roster.members)
    if handlers < needed:
        sentence = (
            f"{len(hounds)} hounds need {needed} on foot without optional equipment to mind them, not {handlers}."
        )
        yield Problem(code="too-few-handlers", sentence=sentence, fighters=ids(hounds), source="Ruling P20")


def _riders(roster: AssembledRoster) -> Iterator[Problem]:
    riders = [member for member in roster.members if _needs_all_mounted(member)]
    walkers = [m for m in roster.members if not m.outfit.mounted and not m.outfit.profile.fighters_per_handler]
    if riders and walkers:
        sentence = f"{riders[0].outfit.profile.name} rides only if everybody does; {len(walkers)} walk."
        yield Problem(code="not-all-mounted", sentence=sentence, fighters=ids((*riders, *walkers)), source="Ruling P23")


def _needs_all_mounted(member: Member) -> bool:
    return any(line.if_all_mounted and member.build.picks(line.key) for line in member.outfit.profile.options)


def _shares(roster: AssembledRoster) -> Iterator[Problem]:
    profiles = {member.build.profile: member.outfit.profile for member in roster.members}
    for reference, profile in profiles.items():
        lines = [line for line in profile.options if line.share]
        if lines:
            same = [member for member in roster.members if member.build.profile == reference]
            for line in lines:
                yield from _share(roster, line, same)


def _share(roster: AssembledRoster, line: Option, same: list[Member]) -> Iterator[Problem]:
    takers = [member for member in same if _takes(member, line)]
    most = _most(line.share or (1, 1), len(same), roster)
    if len(takers) > most:
        what = catalogue.attribute_name(line.share_of) if line.share_of else f"the option “{line.key}”"
        sentence = f"At most {most} of {len(same)} {same[0].outfit.profile.name} may have {what}, not {len(takers)}."
        yield Problem(
            code="share-exceeded", sentence=sentence, fighters=ids(takers), value=line.key, source="Rulings P12, P13"
        )


def _takes(member: Member, line: Option) -> bool:
    picks = member.build.picks(line.key)
    return line.share_of in map(plain, picks) if line.share_of else bool(picks)


def _most(share: Share, total: int, roster: AssembledRoster) -> int:
    exact = total * share[0] // share[1]
    return max(exact, 1) if roster.rules.share_rounding == "at-least-one" else exact


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


RANKS = {
    "half-low": "half or more are Rank 1 or 2",
    "all-high": "nobody is below Rank 3",
    "all-mounted": "everybody rides",
}


def composition_sentences(faction: Faction) -> Iterator[str]:
    """One sentence for each thing that the list asks of the warband as a whole."""
    wanted = faction.composition
    if wanted.ranks:
        yield f"Ranks: {catalogue.listed((RANKS[each] for each in wanted.ranks), 'or')}."
    if wanted.templates:
        yield "Warband type: Standard or Elite."
    if wanted.most_rank_5 is not None:
        yield f"Rank 5: {wanted.most_rank_5} at most."
    yield from _share_sentences(wanted)
    if wanted.guns:
        guns = catalogue.listed((catalogue.gun(key).name.lower() for key in wanted.guns), "or")
        count = f"{wanted.most_guns} at most" if wanted.most_guns else "any number"
        yield f"Ordnance: {guns}, {count}, with crew."
    if wanted.servants:
        yield f"One {_profile(faction, wanted.servants).name.lower()} for each master in the warband."
    if faction.fearless_while:
        names = (_profile(faction, key).name for key in faction.fearless_while)
        yield f"Nobody tests Morale while {catalogue.listed(names, 'or')} is on the table."
    yield from (f"{each.name}: one only." for each in faction.profiles if each.unique)
    for each in faction.profiles:
        if each.fighters_per_handler:
            yield f"{each.name}: one handler for every {each.fighters_per_handler}."


def _share_sentences(wanted: Composition) -> Iterator[str]:
    if wanted.missile_share:
        named = (catalogue.item_name(key).lower() for key in wanted.missile_weapons)
        weapons = catalogue.listed(named, "or") if wanted.missile_weapons else "a missile weapon"
        yield f"With {weapons}: {_part(wanted.missile_share)} at most."
    if wanted.allies and wanted.allies_share:
        yield f"Allies from {catalogue.faction(wanted.allies).name}: {_part(wanted.allies_share)} at most."


def _part(share: tuple[int, int]) -> str:
    return "half" if share == (1, 2) else f"{share[0]} in {share[1]}"


def _profile(faction: Faction, key: str) -> Profile:
    return next(each for each in faction.profiles if each.key == key)


def composition_problems(assembled: AssembledRoster) -> tuple[Problem, ...]:
    """What is wrong with the roster as a whole."""
    return (*rank_problems(assembled), *limit_problems(assembled))
