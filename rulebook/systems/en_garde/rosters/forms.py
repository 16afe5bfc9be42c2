"""The form of a build: what is asked, with prices and what is there, and what is made of the
answers.

The form is forgiving about shape: one pick may stand without its list, `true` takes the only thing
that an option offers, and an Attribute with its weapon may be {"key": "weapon-master", "weapon":
"sword"}. The canonical build is itself a good form.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from rulebook.ruleset import BuildData, CampaignTerms, Field, Problem, RulesError
from rulebook.systems.en_garde.book import catalogue, problem
from rulebook.systems.en_garde.book.house_rules import HouseRules, settled
from rulebook.systems.en_garde.book.lists import Option, Profile
from rulebook.systems.en_garde.rosters.build_problems import MOST, build_problems
from rulebook.systems.en_garde.rosters.builds import (
    Build,
    HouseRuleValues,
    Numbers,
    Picks,
    RetainedTraits,
    StoredBuild,
    house_terms,
    options_of,
    plain,
    to_json,
)
from rulebook.systems.en_garde.rosters.loadouts import NUMBERS
from rulebook.systems.en_garde.rosters.prices import (
    LABELS,
    Offer,
    for_weapons,
    goods,
    option_label,
    option_offers,
)
from rulebook.values.fields import Choices, Purchase
from rulebook.values.problems import join_names, shown, unknown

OWN = "Its own profile"
"""The group of what only a custom fighter is asked."""


def build_fields(build: BuildData, terms: CampaignTerms) -> tuple[Field, ...]:
    """Return what can be chosen for a fighter of this build's profile; the defaults are what the
    build has.

    Raises RulesError for an unknown profile.
    """
    reference = str(build["profile"])
    profile = catalogue.profile(reference)
    army = catalogue.faction(reference.partition("/")[0])
    rules = settled(terms.settings)
    lines = options_of(profile, rules.barding_for_lists)
    offers = {line.key: [*option_offers(line, profile, army.key, rules)] for line in lines}
    # What only a custom fighter is asked, then the free choice.
    fields = [*_own_profile(build, profile, rules)] if army.kind == "custom" else []
    if profile.choice:
        carried = tuple((key, catalogue.item_name(key)) for key in profile.choice)
        now = build.get("choice") or profile.choice[0]
        fields.append(Field("choice", "Carries", "choice", choices=carried, default=now))
    # The weapons that a fighter of the profile may come to carry.
    offered: list[str] = []
    for line_offers in offers.values():
        offered += [offer.key for offer in line_offers]
    everything = catalogue.catalogue().arms.items if army.kind == "custom" else ()
    weapons = {*profile.listed_equipment, *profile.choice, *offered, *everything}
    # The option lines, and the spells of who may become a Magician.
    fields += [
        _option(line, offers[line.key], weapons, build) for line in lines if offers[line.key]
    ]
    if "magician" in offered:
        spells = tuple((each.key, each.name) for each in catalogue.catalogue().spells.values())
        fields.append(
            Field(
                "spells",
                "Spells of a Magician",
                "list",
                False,
                spells,
                default=_several(build, "spells"),
            )
        )
    return tuple(fields)


def _own_profile(build: BuildData, profile: Profile, rules: HouseRules) -> Iterator[Field]:
    """Yield the fields of a custom fighter: its name, its numbers, how it moves, what it carries.

    Rule book: "Customisation".
    """
    yield Field(
        "name",
        "What it is",
        "text",
        False,
        most=LONGEST_NAME,
        default=build.get("name", ""),
        group=OWN,
    )
    characteristics = build.get("characteristics", {})
    for key in NUMBERS:
        label = LABELS[key]
        now = str(characteristics.get(key, getattr(profile, key)))
        yield Field(
            f"characteristics.{key}",
            label,
            "number",
            False,
            least=0,
            most=MOST,
            default=now,
            group=OWN,
        )
    rates = tuple((each.key, each.name) for each in catalogue.catalogue().rates.values())
    yield Field(
        "move",
        "Movement",
        "choice",
        False,
        rates,
        default=build.get("move") or profile.move,
        group=OWN,
    )
    # A list has each thing once; a fighter may have more than one pistol.
    had = [*build.get("equipment", ())]
    things = {each.key: each for each in goods(rules)}
    pistols = _several_times(things.pop(PISTOL), max(2, had.count(PISTOL)))
    others = ",".join(each for each in had if each != PISTOL)
    yield _purchase("equipment", "Equipment", "list", [*things.values()], others)
    yield _purchase(
        "pistols",
        "Pistols",
        "picks",
        pistols,
        ",".join([PISTOL] * had.count(PISTOL)),
        (("", "No"),),
    )


def _option(option: Option, offers: Sequence[Offer], weapons: set[str], build: BuildData) -> Field:
    """Return the field of one option line: any of several, one thing several times, or one choice
    or none."""
    key = f"options.{option.key}"
    label = option_label(option)
    taken = _several(build.get("options", {}), option.key)
    choices: list[Offer] = []
    for offer in offers:
        # An Attribute for each weapon that the fighter may carry; what takes no weapon as it is.
        choices += [*for_weapons(offer, weapons)] or [offer]
    if option.most > 1 and len(choices) > 1:
        return _purchase(key, label, "list", choices, taken)
    if option.most > 1:
        (single,) = offers
        choices = _several_times(single, option.most)
    # What choosing nothing is called.
    refusal = "No" if len(choices) == 1 or option.most > 1 else "None of it"
    if option.gives_up:
        refusal = "Keep current"
    return _purchase(key, label, "picks", choices, taken, (("", refusal),))


def _several_times(offer: Offer, most: int) -> list[Offer]:
    """Return the field for one thing, once or up to so many times."""
    several = []
    for count in range(1, most + 1):
        name = f"{count} × {offer.name}" if count > 1 else offer.name
        several.append(Offer(",".join([offer.key] * count), name, offer.points * count))
    return several


def _purchase(
    key: str, label: str, kind: str, offers: Sequence[Offer], taken: str, nothing: Choices = ()
) -> Purchase:
    choices = (*nothing, *((each.key, each.name) for each in offers))
    prices = {each.key: each.points for each in offers}
    return Purchase(
        key=key,
        label=label,
        kind=kind,
        required=False,
        choices=choices,
        default=taken,
        prices=prices,
    )


def _several(data: Any, key: str) -> str:
    return ",".join(data.get(key, ()))


Pick = str | dict[str, str]
SHAPES: Mapping[str, Any] = {
    each.name: each.type for each in msgspec.structs.fields(StoredBuild)
} | {
    "options": dict[str, bool | Pick | list[Pick] | None],
    "equipment": list[Pick],
    "pistols": list[Pick],
}
"""The contents of the fields of a build's form; pistols may have a field apart from the rest of its
equipment."""
PISTOL = "pistol"
LONGEST_NAME = 80


def clean_build(raw: BuildData, terms: CampaignTerms) -> BuildData:
    """Return the build in its one canonical form.

    Raises RulesError with every problem of the build alone.
    """
    house = house_terms(terms)
    build, problems = read_form(raw, house)
    problems += build_problems(build, house)
    if problems:
        raise RulesError(*problems)
    return to_json(build)


def read_form(raw: BuildData, terms: HouseRuleValues) -> tuple[Build, list[Problem]]:
    """Return the build of a form and what could not be read of it.

    Raises RulesError where not even the profile is known.
    """
    fields, problems = _read_shapes(raw)
    named = fields.get("profile")
    if not named:
        keys = join_names((each.key for each in terms.army.profiles), "or")
        raise RulesError(*problems, problem("no-profile", keys=keys))
    reference = named if "/" in named else f"{terms.faction}/{named}"
    try:
        printed = catalogue.profile(reference)
    except RulesError as error:
        raise RulesError(*problems, *error.problems) from error
    numbers = fields.get("characteristics", Numbers())
    kept = fields.get("kept", RetainedTraits())
    move = fields.get("move", "")
    # Only what differs from the base profile, so that one fighter has one build.
    given = msgspec.structs.asdict(numbers)
    changed = {key: value for key, value in given.items() if value != getattr(printed, key)}
    build = Build(
        profile=reference,
        choice=fields.get("choice", "") or "".join(printed.choice[:1]),
        options=_read_options(fields.get("options", {}), printed, problems),
        name=" ".join(fields.get("name", "").split())[:LONGEST_NAME],
        characteristics=Numbers(**changed),
        move="" if reference.startswith("custom/") and move == printed.move else move,
        equipment=in_order(
            map(_written, (*fields.get("equipment", []), *fields.get("pistols", [])))
        ),
        spells=tuple(sorted(fields.get("spells", ()))),
        kept=msgspec.structs.replace(
            kept, equipment=in_order(kept.equipment), attributes=in_order(kept.attributes)
        ),
    )
    return build, problems


def in_order(keys: Iterable[str]) -> Picks:
    """Return items or Attributes in the catalogue's order, those that it does not know last."""
    order = _places()
    return tuple(sorted(keys, key=lambda key: (order.get(plain(key), len(order)), key)))


@cache
def _places() -> Mapping[str, int]:
    """Return the place of each item and Attribute in the catalogue."""
    book = catalogue.catalogue()
    keys = dict.fromkeys((*book.arms.items, *book.attributes))
    return {key: place for place, key in enumerate(keys)}


def _read_shapes(raw: BuildData) -> tuple[dict[str, Any], list[Problem]]:
    """Return the fields of a form that can be read, and what is wrong with the others."""
    if not isinstance(raw, Mapping):
        raise RulesError(problem("build-is-no-object"))
    fields: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in raw.items():
        if key not in SHAPES:
            problems.append(unknown(SHAPES, str(key), str(key), "field of a build"))
        elif value is not None:
            try:
                fields[key] = msgspec.convert(value, SHAPES[key])
            except msgspec.ValidationError as error:
                problems.append(
                    problem("bad-field", field=key, value=shown(value)[:LONGEST_NAME], error=error)
                )
    return fields, problems


def _read_options(
    taken: Mapping[str, Any], profile: Profile, problems: list[Problem]
) -> tuple[tuple[str, Picks], ...]:
    lines = {line.key: line for line in options_of(profile, barding=True)}
    order = [*lines, *(key for key in taken if key not in lines)]
    picked = (
        (key, _read_picks(key, taken[key], lines.get(key), problems))
        for key in order
        if taken.get(key)
    )
    return tuple((key, picks) for key, picks in picked if picks)


def _read_picks(key: str, value: Any, line: Option | None, problems: list[Problem]) -> Picks:
    if value is not True:
        return in_order(_written(pick) for pick in (value if isinstance(value, list) else [value]))
    offered = [*line.items, *line.attributes] if line else []
    if len(offered) == 1:
        return (offered[0],)
    entry = "no-pick" if offered else "nothing-to-pick"
    problems.append(
        problem(
            entry, field=f"options.{key}", value="true", offered=join_names(offered, "or"), key=key
        )
    )
    return ()


def _written(pick: Pick) -> str:
    if isinstance(pick, str):
        return pick
    return ":".join(part for part in (pick.get("key", ""), pick.get("weapon", "")) if part)
