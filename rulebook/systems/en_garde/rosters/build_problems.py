"""Everything that can be wrong with one fighter's build, whatever stands beside it in the roster."""

from collections.abc import Iterator
from functools import lru_cache

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Option
from rulebook.systems.en_garde.rosters.attribute_problems import attribute_problems, spell_problems
from rulebook.systems.en_garde.rosters.builds import Build, Picks, plain
from rulebook.systems.en_garde.rosters.custom_problems import custom_problems
from rulebook.systems.en_garde.rosters.loadouts import Loadout, kept_options, loadout, options_of
from rulebook.systems.en_garde.rosters.terms import HouseTerms, is_base_hire
from rulebook.systems.en_garde.rosters.unknown_things import not_offered, offered_by, unknown_things, without_unknown


@lru_cache(maxsize=65536)
def build_problems(build: Build, terms: HouseTerms) -> tuple[Problem, ...]:
    """Everything that is wrong with a build on these terms; the empty tuple is good."""
    lines = options_of(catalogue.profile(build.profile), barding=True)
    strange = tuple(unknown_things(build, lines, fantastical=terms.rules.fantastical))
    sound = without_unknown(build, lines) if strange else build
    outfit = loadout(sound)
    return (
        *strange,
        *_belonging(sound, terms),
        *_options(sound, outfit, terms),
        *_doubles(sound, outfit),
        *attribute_problems(sound, outfit, terms),
        *spell_problems(sound, outfit, terms),
        *custom_problems(sound, outfit, terms),
    )


def _belonging(build: Build, terms: HouseTerms) -> Iterator[Problem]:
    if build.list_key in (terms.faction, terms.army.composition.allies):
        return
    if build.list_key == "fantastical":
        if not terms.rules.fantastical:
            yield Problem(
                code="fantastical-not-allowed",
                sentence="This campaign plays without the fantastical: take a profile of the list.",
                field="profile",
                value=build.profile,
                source="Appendix B: The fantastical",
            )
    elif not (build.custom and build.promoted) and not is_base_hire(build, terms):
        keys = catalogue.listed((each.key for each in terms.army.profiles), "or")
        sentence = f"{terms.army.name} cannot have {build.profile}; take {keys}."
        yield Problem(code="profile-not-in-list", sentence=sentence, field="profile", value=build.profile)


def _options(build: Build, outfit: Loadout, terms: HouseTerms) -> Iterator[Problem]:
    lines = {line.key: line for line in options_of(outfit.profile, terms.rules.barding_for_lists)}
    for key, picks in build.options:
        if key not in lines:
            yield catalogue.unknown(lines, key, f"options.{key}", "option of this profile")
            continue
        yield from _pick_problems(lines[key], picks, terms)
        yield from _conditions(lines[key], build, outfit)


def _pick_problems(line: Option, picks: Picks, terms: HouseTerms) -> Iterator[Problem]:
    field = f"options.{line.key}"
    if line.kind == "crew":
        sentence = "A gun is bought by the warband, not by a fighter: name its crew with the warband's ordnance."
        yield Problem(code="crew-is-not-picked", sentence=sentence, field=field)
        return
    offered = offered_by(line, terms.rules.fantastical)
    yield from (not_offered(line, pick, terms.rules.fantastical) for pick in picks if plain(pick) not in offered)
    if len(picks) > line.most:
        sentence = f"Take at most {line.most} of this option, not {len(picks)}."
        yield Problem(
            code="too-many-picks", sentence=sentence, field=field, value=", ".join(picks), source="Ruling P14"
        )


def _conditions(line: Option, build: Build, outfit: Loadout) -> Iterator[Problem]:
    field = f"options.{line.key}"
    if line.if_mounted and not outfit.mounted:
        yield Problem(code="not-mounted", sentence="This option is for a mounted fighter: mount it.", field=field)
    if line.if_attribute and not outfit.has(line.if_attribute):
        name = catalogue.attribute_name(line.if_attribute)
        yield Problem(code="attribute-missing", sentence=f"This option needs {name}: take that first.", field=field)
    if line.alone and (len(build.options) > 1 or kept_options(build)):
        sentence = "This option cannot stand beside another: drop it or the others."
        yield Problem(code="not-alone", sentence=sentence, field=field, source="Ruling P16")


def _doubles(build: Build, outfit: Loadout) -> Iterator[Problem]:
    """A thing taken though the fighter has it already. Two pistols make sense, a second sword does not."""
    for line in options_of(outfit.profile, barding=True):
        for pick in build.picks(line.key) if line.kind != "attributes" else ():
            had = (*outfit.profile.listed_equipment, *build.kept.equipment)
            if pick in had and line.most == 1 and pick != "pistol":
                sentence = f"It has {catalogue.item_name(pick).lower()} already: take something else."
                yield Problem(code="already-carried", sentence=sentence, field=f"options.{line.key}", value=pick)
