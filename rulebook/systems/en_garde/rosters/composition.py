"""Limits of a list or a warband type on the warband as a whole: Ranks, limits, crews; and the same
in sentences.

Rule book: "Standard warbands", "Elite warbands", "Ordinance special rules", the lists.
Rulings P6 to P13, P16, P20 to P23.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from rulebook.ruleset import Field, Problem, Roster, Severity
from rulebook.systems.en_garde.book import catalogue, problem
from rulebook.systems.en_garde.book.arms import Gun
from rulebook.systems.en_garde.book.lists import Faction, Option, Share, Template
from rulebook.systems.en_garde.rosters.assembled_roster import (
    AssembledRoster,
    Member,
    assemble,
    ids,
)
from rulebook.systems.en_garde.rosters.builds import plain
from rulebook.systems.en_garde.rosters.extras import MAX_GUNS
from rulebook.systems.en_garde.rosters.loadouts import may_handle
from rulebook.values.problems import join_names

RANKS = {
    "half-low": "half or more are Rank 1 or 2",
    "all-high": "nobody is below Rank 3",
    "all-mounted": "everybody rides",
}


def composition_problems(roster: AssembledRoster) -> tuple[Problem, ...]:
    """Return what is wrong with the roster as a whole: every breach of the rules on Ranks and of a
    limit."""
    return (
        *(rank_problems(roster) if roster.members else ()),
        *_size(roster),
        *_shares_of_all(roster),
        *_unique(roster),
        *_servants(roster),
        *handler_problems(roster),
        *_riders(roster),
        *_shares_of_profiles(roster),
    )


def rank_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Yield every breach of the rules on Ranks."""
    template = template_of(roster)
    counts = Counter(member.outfit.rank for member in roster.members)
    yield from _mix(roster, roster.army.composition.ranks, roster.army.name)
    if template:
        yield from _mix(roster, template.ranks, f"{template.name} warbands")
    if template and template.more_rank_3_than_4 and 0 < counts[4] >= counts[3]:
        fourths = ids(member for member in roster.members if member.outfit.rank == 4)
        yield problem("too-few-rank-3", fighters=fourths, thirds=counts[3], fourths=counts[4])
    most = most_of_rank_5(roster)
    fifths = [member for member in roster.members if member.outfit.rank == 5]
    if most is not None and len(fifths) > most:
        # Too many by promotion only warns, unless the campaign says otherwise (Ruling X17).
        born = sum(not member.promoted for member in fifths)
        warns = born <= most and roster.rules.second_rank_5 == "warn"
        severity = Severity.WARNS if warns else Severity.FORBIDS
        yield problem(
            "too-many-rank-5", fighters=ids(fifths), severity=severity, most=most, have=len(fifths)
        )


def most_of_rank_5(roster: AssembledRoster) -> int | None:
    """Return how many of Rank 5 its list or warband type allows, None where nothing limits them.

    Ruling P8.
    """
    template = template_of(roster)
    most = template.most_rank_5 if template else roster.army.composition.most_rank_5
    return None if roster.rules.rank_5_limit == "any" else most


def template_of(roster: AssembledRoster) -> Template | None:
    """Return the warband type that binds this warband, None where only its list does (Ruling
    P6)."""
    if not roster.army.composition.templates and roster.rules.composition == "list":
        return None
    return catalogue.template(roster.extras.template or "standard")


def _mix(roster: AssembledRoster, allowed_mixes: tuple[str, ...], source: str) -> Iterator[Problem]:
    low = [member for member in roster.members if member.outfit.rank in (1, 2)]
    mixes = {
        "half-low": 2 * len(low) >= roster.size,
        "all-high": not low,
        "all-mounted": all(member.outfit.mounted for member in roster.members),
    }
    if not allowed_mixes or any(mixes[each] for each in allowed_mixes):
        return
    if "half-low" not in allowed_mixes:
        yield problem(
            "low-ranks-not-allowed",
            fighters=ids(low),
            source=source,
            low=len(low),
            size=roster.size,
        )
        return
    high = ids(member for member in roster.members if member not in low)
    rules = join_names((RANKS[each] for each in allowed_mixes), "or")
    yield problem(
        "too-few-low-ranks",
        fighters=high,
        source=source,
        rules=rules,
        low=len(low),
        size=roster.size,
    )


def _size(roster: AssembledRoster) -> Iterator[Problem]:
    most = catalogue.catalogue().calculator.most_fighters
    if not roster.members:
        yield problem("no-fighters")
    if roster.size > most:
        severity = Severity.FORBIDS if roster.rules.size_limit == "forbid" else Severity.WARNS
        yield problem("too-many-fighters", severity=severity, most=most, have=roster.size)


def shoots(member: Member, roster: AssembledRoster) -> bool:
    """Return whether the list's limit on missile weapons counts this fighter (Ruling P10)."""
    named = roster.army.composition.missile_weapons
    missiles = catalogue.catalogue().arms.missiles
    if named:
        return any(member.outfit.carries(key) for key in named)
    every = roster.rules.missile_limit == "all"
    return any(
        key in missiles and (every or missiles[key].long_range) for key in member.outfit.gear
    )


def _shares_of_all(roster: AssembledRoster) -> Iterator[Problem]:
    composition, size = roster.army.composition, roster.size
    shooters = [each for each in roster.members if shoots(each, roster)]
    allies = [each for each in roster.members if each.build.list_key == composition.allies]
    limits = (
        (shooters, composition.missile_share, "too-many-missiles"),
        (allies, composition.allies_share, "too-many-allies"),
    )
    for members, share, name in limits:
        most = part_of(size, share) if share else size
        if len(members) > most:
            yield problem(
                name,
                fighters=ids(members),
                most=most,
                size=size,
                have=len(members),
                army=roster.army.name,
            )


def part_of(total: int, share: Share) -> int:
    """Return how many of a total are at most that share of it, exactly (Ruling P12)."""
    return total * share[0] // share[1]


def _unique(roster: AssembledRoster) -> Iterator[Problem]:
    names = Counter(
        member.build.profile for member in roster.members if member.outfit.profile.unique
    )
    for profile, count in names.items():
        if count > 1:
            twins = [member for member in roster.members if member.build.profile == profile]
            yield problem(
                "unique-twice", fighters=ids(twins), name=twins[0].outfit.profile.name, have=count
            )


def _servants(roster: AssembledRoster) -> Iterator[Problem]:
    composition = roster.army.composition
    own = [(member.build.profile.partition("/")[2], member) for member in roster.members]
    servants = [member for key, member in own if key == composition.servants]
    masters = len({key for key, _ in own if key in composition.masters})
    if composition.servants and len(servants) > masters:
        yield problem(
            "too-many-servants", fighters=ids(servants), masters=masters, have=len(servants)
        )


def handler_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Yield whether there are handlers enough for the hounds. Ruling P20."""
    hounds = [member for member in roster.members if member.outfit.profile.fighters_per_handler]
    handlers = sum(may_handle(member.outfit) for member in roster.members)
    needed = -(-len(hounds) // hounds[0].outfit.profile.fighters_per_handler) if hounds else 0
    if handlers < needed:
        yield problem(
            "too-few-handlers",
            fighters=ids(hounds),
            hounds=len(hounds),
            needed=needed,
            have=handlers,
        )


def _riders(roster: AssembledRoster) -> Iterator[Problem]:
    riders, walkers = [], []
    for member in roster.members:
        lines = member.outfit.profile.options
        if any(line.if_all_mounted and member.build.picks(line.key) for line in lines):
            riders.append(member)
        if not member.outfit.mounted and not member.outfit.profile.fighters_per_handler:
            walkers.append(member)
    if riders and walkers:
        name = riders[0].outfit.profile.name
        everybody = ids((*riders, *walkers))
        yield problem("not-all-mounted", fighters=everybody, name=name, walkers=len(walkers))


def _shares_of_profiles(roster: AssembledRoster) -> Iterator[Problem]:
    """Yield option lines that only a part of the fighters of a profile may take (Rulings P12,
    P13)."""
    profiles = {member.build.profile: member.outfit.profile for member in roster.members}
    for reference, profile in profiles.items():
        same = [member for member in roster.members if member.build.profile == reference]
        for line in profile.options:
            takers = [member for member in same if line.share and _takes(member, line)]
            # Shares are rounded down, by house rule never to nobody. Ruling P12.
            most = part_of(len(same), line.share or (1, 1))
            if roster.rules.share_rounding == "at-least-one":
                most = max(most, 1)
            if len(takers) > most:
                what = (
                    catalogue.attribute_name(line.share_of)
                    if line.share_of
                    else f"the option “{line.key}”"
                )
                numbers: dict[str, Any] = {
                    "most": most,
                    "of": len(same),
                    "name": profile.name,
                    "what": what,
                }
                yield problem(
                    "share-exceeded",
                    fighters=ids(takers),
                    value=line.key,
                    takers=len(takers),
                    **numbers,
                )


def _takes(member: Member, line: Option) -> bool:
    picks = member.build.picks(line.key)
    return line.share_of in map(plain, picks) if line.share_of else bool(picks)


# Do the guns have their crews? Rulings P11, P16.


def crew_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Yield what is wrong with the crews, named or only counted."""
    named = list(chain.from_iterable(bought.crew for bought in roster.extras.ordnance))
    busy = set(named)
    if len(busy) < len(named):
        twice = tuple(sorted(fighter for fighter in busy if named.count(fighter) > 1))
        yield problem("gun-crew-twice", fighters=twice)
    for bought in roster.extras.ordnance:
        gun = catalogue.catalogue().arms.guns.get(bought.gun)
        if gun and bought.crew:
            yield from _named_crew(roster, gun, bought.crew)
        elif gun:
            free = [
                each
                for each in roster.members
                if each.id not in busy and may_serve(each, gun, roster)
            ]
            yield from _crew_size(gun, free[: gun.crew])
            busy.update(ids(free[: gun.crew]))


def may_serve(member: Member, gun: Gun, roster: AssembledRoster) -> bool:
    """Return whether a fighter may be of this gun's crew: its profile offers it, and it has no
    other option."""
    if roster.army.kind == "custom":
        return member.outfit.profile.leads
    offered = any(gun.key in line.guns for line in member.outfit.profile.options)
    return offered and not member.outfit.selected


def _named_crew(roster: AssembledRoster, gun: Gun, crew: tuple[str, ...]) -> Iterator[Problem]:
    present = {member.id: member for member in roster.members}
    serving = [present[fighter] for fighter in crew if fighter in present]
    if absent := tuple(fighter for fighter in crew if fighter not in present):
        yield problem("gun-crew-unknown", fighters=absent, gun=gun.name.lower())
    if wrong := [member for member in serving if not may_serve(member, gun, roster)]:
        yield problem("gun-crew-not-eligible", fighters=ids(wrong), gun=gun.name.lower())
    yield from _crew_size(gun, serving)


def _crew_size(gun: Gun, crew: list[Member]) -> Iterator[Problem]:
    if len(crew) < gun.crew:
        yield problem(
            "gun-crew-missing",
            fighters=ids(crew),
            gun=gun.name.lower(),
            crew=gun.crew,
            have=len(crew),
        )


def extras_fields(roster: Roster) -> tuple[Field, ...]:
    """Return what the warband of a roster can buy as a whole; the defaults are what it has.

    Raises RulesError.
    """
    return tuple(_fields(assemble(roster)))


def _fields(roster: AssembledRoster) -> Iterator[Field]:
    army, bought = roster.army, roster.extras
    if army.banner:
        yield Field("banner", "A banner", "flag", False, default=bought.banner)
    if len(army.morale_choices) > 1:
        ratings = tuple((str(each), str(each)) for each in army.morale_choices)
        yield Field(
            "morale", "Morale", "number", choices=ratings, default=str(bought.morale or army.morale)
        )
    if army.kind == "custom":
        types = [
            ("", "Either"),
            *((each.key, each.name) for each in catalogue.catalogue().calculator.templates),
        ]
        yield Field(
            "template", "Warband type", "choice", False, tuple(types), default=bought.template or ""
        )
    for key in army.composition.guns:
        gun = catalogue.gun(key)
        crews = [",".join(each.crew) for each in bought.ordnance if each.gun == key]
        label = f"{gun.name} ({gun.points} points each)"
        note = f"{gun.crew}, or nobody. Then any fighter can serve it."
        yield Field(
            f"ordnance.{key}",
            label,
            "number",
            False,
            least=0,
            most=MAX_GUNS,
            default=str(len(crews)),
        )
        able = tuple(
            (each.id, each.name) for each in roster.members if may_serve(each, gun, roster)
        )
        for number, crew in enumerate(crews if able else (), 1):
            yield Field(
                f"crews.{key}:{number}",
                f"{gun.name} {number}: crew",
                "list",
                False,
                able,
                note,
                default=crew,
            )


def composition_sentences(faction: Faction) -> Iterator[str]:
    """Yield one sentence of our own for each thing that the list asks of the warband as a whole."""
    composition = faction.composition
    names = {each.key: each.name for each in faction.profiles}
    if composition.ranks:
        yield f"Ranks: {join_names((RANKS[each] for each in composition.ranks), 'or')}."
    if composition.templates:
        yield "Warband type: Standard or Elite."
    if composition.most_rank_5 is not None:
        yield f"Rank 5: {composition.most_rank_5} at most."
    if composition.missile_share:
        named = [catalogue.item_name(key).lower() for key in composition.missile_weapons] or [
            "a missile weapon"
        ]
        yield f"With {join_names(named, 'or')}: {_part(composition.missile_share)} at most."
    if composition.allies and composition.allies_share:
        yield (
            f"Allies from {catalogue.faction(composition.allies).name}: "
            f"{_part(composition.allies_share)} at most."
        )
    if composition.guns:
        guns = join_names((catalogue.gun(key).name.lower() for key in composition.guns), "or")
        count = f"{composition.most_guns} at most" if composition.most_guns else "any number"
        yield f"Ordnance: {guns}, {count}, with crew."
    if composition.servants:
        yield f"One {names[composition.servants].lower()} for each master in the warband."
    if faction.fearless_while:
        keeping = join_names((names[key] for key in faction.fearless_while), "or")
        yield f"No Morale Tests while {keeping} is on the table."
    yield from _profile_sentences(faction)


def _profile_sentences(faction: Faction) -> Iterator[str]:
    yield from (f"{each.name}: one only." for each in faction.profiles if each.unique)
    for each in faction.profiles:
        if each.fighters_per_handler:
            yield f"{each.name}: one handler for every {each.fighters_per_handler}."


def _part(share: Share) -> str:
    return "half" if share == (1, 2) else f"{share[0]} in {share[1]}"
