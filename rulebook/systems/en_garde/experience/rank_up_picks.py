"""What the owner may choose within a step up: the option lines of the new profile, and its free choice."""

from collections.abc import Iterable, Iterator

from rulebook.ruleset import Problem, RankUpPick
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Option
from rulebook.systems.en_garde.rosters.armour import least_rating
from rulebook.systems.en_garde.rosters.builds import Build
from rulebook.systems.en_garde.rosters.loadouts import Loadout, kept_options, loadout, options_of
from rulebook.systems.en_garde.rosters.option_words import option_label
from rulebook.systems.en_garde.rosters.points import option_points
from rulebook.systems.en_garde.rosters.terms import HouseTerms
from rulebook.systems.en_garde.rosters.unknown_things import offered_by


def picks_for(build: Build, terms: HouseTerms) -> tuple[RankUpPick, ...]:
    """The picks of a step that leads to this build, options that offer nothing new left out."""
    outfit = loadout(build)
    lines = options_of(outfit.profile, terms.rules.barding_for_lists)
    picks = (_pick(line, build, outfit, terms) for line in lines if _open_to(line, build))
    offered = [pick for pick in (_choice(outfit), *picks) if pick and pick.choices and pick.most]
    spells = _spells(outfit, build, offered)
    return (*offered, spells) if spells else tuple(offered)


def _spells(outfit: Loadout, build: Build, offered: Iterable[RankUpPick]) -> RankUpPick | None:
    """The spells that a Magician may learn with the step: as many in all as its Rank. Rule book: "Magicians"."""
    may_learn = any("magician" in dict(pick.choices) for pick in offered)
    room = outfit.rank - len(build.spells)
    if room <= 0 or not (may_learn or outfit.has("magician")):
        return None
    unknown = ((key, each.name) for key, each in catalogue.catalogue().spells.items() if key not in build.spells)
    label = "Spells" if outfit.has("magician") else "Spells; with Magician"
    return RankUpPick("spells", label, tuple(unknown), most=room)


def _open_to(line: Option, build: Build) -> bool:
    """Crews are named by the warband; what stands alone is not for who has something of old (Ruling P16)."""
    return line.kind != "crew" and not (line.alone and kept_options(build))


def _choice(outfit: Loadout) -> RankUpPick | None:
    if not outfit.profile.choice:
        return None
    return RankUpPick("choice", "Weapon", tuple((key, catalogue.item_name(key)) for key in outfit.profile.choice))


def _pick(line: Option, build: Build, outfit: Loadout, terms: HouseTerms) -> RankUpPick:
    label = option_label(line)
    if line.kind != "attributes":
        items = ((key, f"{catalogue.item_name(key)} (+{_points(line, key, build, terms)})") for key in line.items)
        fresh = tuple(each for each in items if line.most > 1 or not outfit.carries(each[0]))
        return RankUpPick(line.key, label, fresh, most=line.most)
    most = allowance(line, build, terms)
    return RankUpPick(line.key, label, tuple(_attributes(line, outfit, terms)), most=most)


def allowance(line: Option, build: Build, terms: HouseTerms) -> int:
    """How many Attributes a step gives by an option line; a base profile gives those of its Rank. Rulings X12, X13."""
    most = catalogue.base_profile(loadout(build).rank).attributes if build.custom else line.most
    return max(most - len(build.kept.attributes), 0) if terms.rules.promotion_allowance == "inside" else most


def too_many(build: Build, terms: HouseTerms) -> Iterator[Problem]:
    """The option lines of a step of which more Attributes were picked than it gives."""
    for line in loadout(build).profile.options:
        picks, most = len(build.picks(line.key)), allowance(line, build, terms)
        if line.kind == "attributes" and picks > most:
            sentence = f"This step gives {most} of these, not {picks}: take fewer."
            yield Problem(
                code="too-many-picks", sentence=sentence, field=f"options.{line.key}", source="Rulings X12, X13"
            )


def _points(line: Option, key: str, build: Build, terms: HouseTerms) -> int:
    return option_points(line, key, build.list_key, terms.rules)


def _attributes(line: Option, outfit: Loadout, terms: HouseTerms) -> Iterator[tuple[str, str]]:
    for key in offered_by(line, terms.rules.fantastical):
        attribute = catalogue.catalogue().attributes[key]
        if attribute.ranks and outfit.rank not in attribute.ranks:
            continue
        if attribute.most_armour is not None and least_rating(outfit) > attribute.most_armour:
            continue
        for full in _with_weapons(key, attribute.weapon, outfit):
            if full not in outfit.attributes:
                yield full, f"{catalogue.attribute_name(full)} (+{catalogue.attribute_points(full, outfit.rank)})"


def _with_weapons(key: str, weapon: str, outfit: Loadout) -> Iterable[str]:
    """The Attribute once for each weapon that the fighter has or may take with this profile."""
    if not weapon:
        return (key,)
    arms = catalogue.catalogue().arms
    table = arms.close_combat if weapon == "close-combat" else arms.missiles
    offered = {item for option in outfit.profile.options for item in option.items}
    return (f"{key}:{each}" for each in table if outfit.carries(each) or each in offered)
