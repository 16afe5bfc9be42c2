"""Rank-ups of veterans: every legal step, its gains, cost, choices, and its effect on the roster.

Rule book: "Progression"; Rulings X1, X9 to X18.
"""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Any

import msgspec

from rulebook import ruleset
from rulebook.systems.en_garde.book import catalogue, problem
from rulebook.systems.en_garde.book.lists import Option, Profile
from rulebook.systems.en_garde.rosters import builds, loadouts
from rulebook.systems.en_garde.rosters.assembled_roster import AssembledRoster, assemble, member_of
from rulebook.systems.en_garde.rosters.composition import composition_problems, crew_problems
from rulebook.systems.en_garde.rosters.forms import clean_build, in_order
from rulebook.systems.en_garde.rosters.prices import (
    LABELS,
    Offer,
    for_weapons,
    option_label,
    option_offers,
    price,
)
from rulebook.systems.en_garde.rosters.roster_problems import later
from rulebook.systems.en_garde.rosters.sheets import profile_name, sheet_of
from rulebook.values.problems import unknown

SOURCE = "Progression"
HIGHEST = 5


def rank_up_cost(build: ruleset.BuildData, terms: ruleset.CampaignTerms) -> int | None:
    """Return Experience for the next step up, None where there is none: at Rank 5, for
    Warhounds, and as house rules say.

    Raises RulesError if the build cannot be read.
    """
    read = builds.from_json(build)
    return (
        catalogue.catalogue().costs.get(loadouts.loadout(read).rank)
        if targets(read, builds.house_terms(terms))
        else None
    )


def rank_ups(fighter: ruleset.RosterFighter, roster: ruleset.Roster) -> tuple[ruleset.RankUp, ...]:
    """Return every legal step for a fighter, those of its own way of moving first (Ruling X10).

    Whether it can afford them is not asked. Raises RulesError if its build cannot be read.
    """
    terms = builds.house_terms(roster.terms)
    build = builds.from_json(fighter.build)
    steps = _steps(build, terms)
    if not steps:
        return ()
    assembled = assemble(roster)
    before = {each.code for each in _breaches(assembled)}
    return tuple(_with_problems(step, fighter, assembled, before) for step in steps)


def take_rank_up(
    build: ruleset.BuildData, terms: ruleset.CampaignTerms, key: str, picks: Mapping[str, Any]
) -> ruleset.RankUpStep:
    """Return what a build becomes by the step ``key`` with these picks, which are written as a
    build's options are.

    Raises RulesError with every problem if there is no such step or the picks are not legal.
    """
    house = builds.house_terms(terms)
    old = builds.from_json(build)
    offered = targets(old, house)
    if not offered:
        raise ruleset.RulesError(problem("no-rank-up", value=key))
    if key not in offered:
        raise ruleset.RulesError(unknown(offered, key, "key", "rank-up"))
    bare = builds.to_json(promoted(old, key, house))
    new = builds.from_json(clean_build({**bare, **_as_build(picks, bare.get("spells", ()))}, terms))
    if excess := tuple(too_many(new, house)):
        raise ruleset.RulesError(*excess)
    outfit = loadouts.loadout(new)
    return ruleset.RankUpStep(
        build=builds.to_json(new),
        rank=outfit.rank,
        points=price(new, house).points,
        cost=catalogue.catalogue().costs[outfit.rank - 1],
        name=step_name(new, outfit),
        rule=f'Rule book: "{SOURCE}"',
    )


def step_name(build: builds.Build, outfit: loadouts.Loadout) -> str:
    """Return what the step leads to, for people: "Doppelsoldner", or "Servant at Rank 2" where
    there is no profile for it.
    """
    name = profile_name(build, outfit)
    return f"{name} at Rank {outfit.rank}" if build.custom and build.name else name


def _as_build(picks: object, known_spells: Sequence[str]) -> dict[str, Any]:
    """Return picks as the fields of a build: option lines, the free choice, spells on top of those
    that it knows.

    A choice can be in a list, a spell without one.
    """
    if not isinstance(picks, Mapping):
        raise ruleset.RulesError(problem("bad-picks"))
    fields = {key: picks[key] for key in ("choice", "spells") if picks.get(key)}
    choice = fields.get("choice")
    learned = fields.get("spells")
    if isinstance(choice, list | tuple) and len(choice) == 1:
        fields["choice"] = choice[0]
    learned = [learned] if isinstance(learned, str) else learned
    if isinstance(learned, list | tuple):
        fields["spells"] = [*known_spells, *(key for key in learned if key not in known_spells)]
    return {
        **fields,
        "options": {key: value for key, value in picks.items() if key not in ("choice", "spells")},
    }


@lru_cache(maxsize=16384)
def _steps(build: builds.Build, terms: builds.HouseRuleValues) -> tuple[ruleset.RankUp, ...]:
    """Return the steps without what they do to a roster, those of the same way of moving first."""
    steps = [_step(build, key, terms) for key in targets(build, terms)]
    return tuple(sorted(steps, key=lambda step: not step.offered_first))


def _step(build: builds.Build, key: str, terms: builds.HouseRuleValues) -> ruleset.RankUp:
    new = promoted(build, key, terms)
    before = loadouts.loadout(build)
    after = loadouts.loadout(new)
    sheet = sheet_of(new, terms)
    return ruleset.RankUp(
        key=key,
        name=step_name(new, after),
        rank=after.rank,
        cost=catalogue.catalogue().costs[before.rank],
        build=builds.to_json(new),
        sheet=sheet,
        gains=tuple(gains(before, after)),
        keeps=tuple(keeps(new, after)),
        picks=picks_for(new, terms),
        points_before=price(build, terms).points,
        points_after=sheet.points,
        offered_first=same_move(before, after),
        source=SOURCE,
    )


def _breaches(assembled: AssembledRoster) -> Iterator[ruleset.Problem]:
    """Yield what a step may break: the list's lines, as hard as they bind now, and crews, which
    only warn."""
    yield from (later(each, assembled) for each in composition_problems(assembled))
    yield from (
        msgspec.structs.replace(each, severity=ruleset.Severity.WARNS)
        for each in crew_problems(assembled)
    )


def _with_problems(
    step: ruleset.RankUp,
    fighter: ruleset.RosterFighter,
    assembled: AssembledRoster,
    before: set[str],
) -> ruleset.RankUp:
    """Return the step with the breaches that only it would bring about (Rulings C19, X17)."""
    riser = member_of(msgspec.structs.replace(fighter, build=step.build, promoted=True))
    members = tuple(riser if member.id == fighter.id else member for member in assembled.members)
    after = _breaches(msgspec.structs.replace(assembled, members=members))
    new = tuple(each for each in after if each.code not in before)
    return msgspec.structs.replace(step, problems=new) if new else step


def picks_for(build: builds.Build, terms: builds.HouseRuleValues) -> tuple[ruleset.RankUpPick, ...]:
    """Return the picks of a step that leads to this build, options that offer nothing new left
    out."""
    outfit, picks = loadouts.loadout(build), []
    if outfit.profile.choice:
        carried = tuple((key, catalogue.item_name(key)) for key in outfit.profile.choice)
        picks.append(ruleset.RankUpPick("choice", "Weapon", carried))
    for line in builds.options_of(outfit.profile, terms.rules.barding_for_lists):
        # Crews are named by the warband; what stands alone is not for who has something of old
        # (Ruling P16).
        if line.kind != "crew" and not (line.alone and loadouts.kept_options(build)):
            picks.append(_pick(line, build, outfit, terms))
    offered = [pick for pick in picks if pick.choices and pick.most]
    # A Magician may learn as many spells in all as its Rank. Rule book: "Magicians".
    knows = outfit.has("magician")
    room = outfit.rank - len(build.spells)
    if room > 0 and (knows or any("magician" in dict(pick.choices) for pick in offered)):
        spells = catalogue.catalogue().spells
        others = tuple((key, each.name) for key, each in spells.items() if key not in build.spells)
        offered.append(
            ruleset.RankUpPick(
                "spells", "Spells" if knows else "Spells; with Magician", others, most=room
            )
        )
    return tuple(offered)


def _pick(
    line: Option, build: builds.Build, outfit: loadouts.Loadout, terms: builds.HouseRuleValues
) -> ruleset.RankUpPick:
    """Return what of an option line is new to the fighter; an Attribute for each weapon that it has
    or may take."""
    weapons = outfit.gear.union(*(option.items for option in outfit.profile.options))
    # What it has it does not get again, but for a thing of which it may have several.
    had: Container[str] = outfit.gear
    if line.kind == "attributes":
        had = outfit.attributes
    elif line.most > 1:
        had = ()
    offers = filter(
        partial(_usable, outfit), option_offers(line, outfit.profile, build.list_key, terms.rules)
    )
    by_weapon = chain.from_iterable(for_weapons(offer, weapons) for offer in offers)
    new_offers = (each for each in by_weapon if each.key not in had)
    most = allowance(line, build, terms) if line.kind == "attributes" else line.most
    named = tuple((each.key, f"{each.name} (+{each.points})") for each in new_offers)
    return ruleset.RankUpPick(line.key, option_label(line, counted=False), named, most=most)


def _usable(outfit: loadouts.Loadout, offer: Offer) -> bool:
    """Return whether the fighter can come to wear so little that an Attribute is of use to it."""
    most = None if offer.weapon is None else catalogue.attribute(offer.key).most_armour
    return most is None or loadouts.least_rating(outfit) <= most


def allowance(line: Option, build: builds.Build, terms: builds.HouseRuleValues) -> int:
    """Return how many Attributes a step gives by an option line; a base profile gives those of its
    Rank.

    Rulings X12, X13.
    """
    most = (
        catalogue.base_profile(loadouts.loadout(build).rank).attributes
        if build.custom
        else line.most
    )
    return (
        max(most - len(build.kept.attributes), 0)
        if terms.rules.promotion_allowance == "inside"
        else most
    )


def too_many(build: builds.Build, terms: builds.HouseRuleValues) -> Iterator[ruleset.Problem]:
    """Yield the option lines of a step of which more Attributes were picked than it gives."""
    for line in loadouts.loadout(build).profile.options:
        picks = len(build.picks(line.key))
        most = allowance(line, build, terms)
        if line.kind == "attributes" and picks > most:
            yield problem(
                "too-many-picks-of-a-step", field=f"options.{line.key}", most=most, have=picks
            )


def gains(before: loadouts.Loadout, after: loadouts.Loadout) -> Iterator[str]:
    """Yield everything that gets better or is new."""
    yield f"Rank {after.rank}"
    for key in loadouts.NUMBERS:
        old, new = getattr(before, key), getattr(after, key)
        if new > old:
            yield f"{LABELS[key]} {old} → {new}"
    if before.move != after.move:
        yield f"{catalogue.catalogue().rates[after.move].name} movement"
    for item in (Counter(after.equipment) - Counter(before.equipment)).elements():
        yield catalogue.item_name(item)
    for attribute in after.attributes:
        if attribute not in before.attributes:
            yield catalogue.attribute_name(attribute)


def keeps(build: builds.Build, after: loadouts.Loadout) -> Iterator[str]:
    """Yield everything that it has only because it had it before."""
    for key in loadouts.NUMBERS:
        if getattr(build.kept.numbers, key) is not None:
            yield f"{LABELS[key]} {getattr(after, key)}"
    yield from map(catalogue.item_name, (*build.kept.equipment, *build.equipment))
    yield from map(catalogue.attribute_name, build.kept.attributes)


# What becomes of a build: to which profiles it rises, keeping what.


def targets(build: builds.Build, terms: builds.HouseRuleValues) -> tuple[str, ...]:
    """Return the profiles that the fighter may be promoted to, as "list/profile", in the list's
    order.

    None from Rank 5, for unique figures and for hounds (Rulings X11, X18). Without a profile of the
    next Rank in its own list, or one in whose armour it can use what it knows, it is the
    calculator's base profile, unless the campaign says otherwise. Who was hired from the calculator
    ranks up in the list that hired him (Ruling C17).
    """
    outfit = loadouts.loadout(build)
    if outfit.rank >= HIGHEST or outfit.profile.unique or not outfit.profile.promotes:
        return ()
    home = catalogue.faction(terms.faction if builds.is_base_hire(build, terms) else build.list_key)
    # The fantastical figures are no ladder.
    ladder = home.profiles if home.kind in ("list", "variant") else ()
    above = (
        each
        for each in ladder
        if each.rank == outfit.rank + 1 and not each.unique and each.promotes
    )
    own = tuple(f"{home.key}/{each.key}" for each in above)
    # The heaviest armour in which it can use the Attributes that it keeps. Rule book: "Magicians".
    limits = (catalogue.catalogue().attributes[key].most_armour for key in outfit.knows)
    limit = min((limit for limit in limits if limit is not None), default=None)
    if limit is not None:
        own = tuple(
            key
            for key in own
            if loadouts.least_rating(loadouts.loadout(promoted(build, key, terms))) <= limit
        )
    if terms.rules.promotion_profiles == "same-move":
        own = tuple(
            key for key in own if same_move(outfit, loadouts.loadout(promoted(build, key, terms)))
        )
    if own or (terms.rules.promotion_without_profile == "none" and not build.custom):
        return own
    return (f"custom/rank-{outfit.rank + 1}",)


def promoted(build: builds.Build, key: str, terms: builds.HouseRuleValues) -> builds.Build:
    """Return the build after the step to ``key``, with nothing picked."""
    if catalogue.faction(key.partition("/")[0]).kind == "custom" and build.custom:
        return _custom_to_custom(build, key, terms)
    before = loadouts.loadout(build)
    profile = catalogue.profile(key)
    # Of a free choice the weapon that it has already, else the first.
    choice = next(iter((*filter(before.carries, profile.choice), *profile.choice)), "")
    bare = loadouts.loadout(builds.Build(profile=key, choice=choice))
    kept = builds.RetainedTraits(
        numbers=_numbers(before, profile, terms),
        equipment=_equipment(before, bare, terms),
        attributes=in_order(set(before.attributes) - set(profile.attributes)),
        points=price(build, terms).points if terms.rules.promotion_price == "unchanged" else None,
    )
    # A base profile has no name worth showing: the fighter goes on under that of its old profile.
    name = before.profile.name if bare.list_key == "custom" else ""
    return builds.Build(
        profile=key,
        choice=choice,
        name=name,
        spells=build.spells or before.profile.spells,
        kept=kept,
    )


def same_move(before: loadouts.Loadout, after: loadouts.Loadout) -> bool:
    """Return whether the step leaves the fighter on foot or in the saddle, as it was (Ruling
    X10)."""
    if not before.mounted:
        return not after.mounted
    rides = any(loadouts.slot_of(key) == "mount" for key in after.profile.equipment)
    may_ride = any(option.kind == "mount" for option in after.profile.options)
    return rides or may_ride or after.list_key == "custom"


def _numbers(
    before: loadouts.Loadout, profile: Profile, terms: builds.HouseRuleValues
) -> builds.Numbers:
    """Return what replaces the new profile's numbers: the better, or all the old ones (Ruling
    X9)."""
    new = loadouts.numbers_of(profile)
    all_old = terms.rules.promotion_characteristics == "kept"
    old = loadouts.numbers_of(before).items()
    return builds.Numbers(
        **{key: value for key, value in old if value > new[key] or (all_old and value != new[key])}
    )


def _equipment(
    before: loadouts.Loadout, bare: loadouts.Loadout, terms: builds.HouseRuleValues
) -> builds.Picks:
    """Return what it had and the new profile does not give.

    The lesser of two suits of armour is left behind (Ruling X15).
    """
    if terms.rules.promotion_equipment == "profile-only" and bare.list_key != "custom":
        return ()
    spare = (Counter(before.equipment) - Counter(bare.equipment)).elements()
    best = loadouts.best_of_each_slot((*bare.equipment, *spare))
    return in_order((Counter(best) - Counter(bare.equipment)).elements())


def _custom_to_custom(build: builds.Build, key: str, terms: builds.HouseRuleValues) -> builds.Build:
    """Return the next build of a custom fighter: numbers rise to the base profile's unless they are
    higher.

    In a warband of a list, which sells arms by its options alone, they are kept ones after that.
    """
    before = loadouts.loadout(build)
    base = catalogue.profile(key)
    for_sale = terms.army.kind == "custom"
    kept = builds.RetainedTraits(
        numbers=_numbers(before, base, terms),
        equipment=build.kept.equipment
        if for_sale
        else in_order((*build.kept.equipment, *build.equipment)),
        attributes=in_order(before.attributes),
        points=price(build, terms).points if terms.rules.promotion_price == "unchanged" else None,
    )
    arms = build.equipment if for_sale else ()
    return msgspec.structs.replace(
        build, profile=key, options=(), characteristics=builds.Numbers(), equipment=arms, kept=kept
    )
