"""The form of a build: what is asked, with prices and what is there, and what is made of the answers.

The form is forgiving about shape: one pick may stand without its list, `true` takes the only thing that an option
offers, and an Attribute with its weapon may be {"key": "weapon-master", "weapon": "sword"}. The canonical build is
itself a good form.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from rulebook.ruleset import BuildData, Field, Problem, RulesError, Terms
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.house_rules import HouseRules, settled
from rulebook.systems.en_garde.book.lists import Faction, Option, Profile
from rulebook.systems.en_garde.rosters.build_problems import build_problems
from rulebook.systems.en_garde.rosters.builds import (
    Build,
    HouseTerms,
    Kept,
    Numbers,
    Picks,
    house_terms,
    plain,
    to_json,
)
from rulebook.systems.en_garde.rosters.loadouts import NUMBERS, options_of
from rulebook.systems.en_garde.rosters.prices import Offer, goods, option_label, option_offers
from rulebook.values.fields import Choices, Purchase

HIGHEST = 20
"""Of a number that a custom fighter may be given; what it may really have is for the rules to say."""
MAGIC = "magician"
OWN = "Its own profile"
"""The group of what only a custom fighter is asked."""


def build_fields(build: BuildData, terms: Terms) -> tuple[Field, ...]:
    """What can be chosen for a fighter of this build's profile; the defaults are what the build has.

    Raises RulesError for an unknown profile.
    """
    reference = str(build["profile"])
    profile, army = catalogue.profile(reference), catalogue.faction(reference.partition("/")[0])
    rules = settled(terms.settings)
    lines = options_of(profile, rules.barding_for_lists)
    offers = {line.key: [*option_offers(line, profile, army.key, rules)] for line in lines}
    fields = [*_own_profile(build, profile, rules)] if army.kind == "custom" else []
    if profile.choice:
        carried = tuple((key, catalogue.item_name(key)) for key in profile.choice)
        fields.append(
            Field("choice", "Carries", "choice", choices=carried, default=build.get("choice") or carried[0][0])
        )
    weapons = _weapons(profile, army, [each.key for found in offers.values() for each in found])
    fields += [_option(line, offers[line.key], weapons, build) for line in lines if offers[line.key]]
    if any(each.key == MAGIC for found in offers.values() for each in found):
        spells = tuple((each.key, each.name) for each in catalogue.catalogue().spells.values())
        fields.append(Field("spells", "Spells of a Magician", "list", False, spells, default=_several(build, "spells")))
    return tuple(fields)


def _own_profile(build: BuildData, profile: Profile, rules: HouseRules) -> Iterator[Field]:
    """What a custom fighter is: its name, its numbers, how it moves, what it carries. Rule book: "Customisation"."""
    yield Field("name", "What it is", "text", False, most=LONGEST_NAME, default=build.get("name", ""), group=OWN)
    told = build.get("characteristics", {})
    for key in NUMBERS:
        label, now = key.replace("_", " ").title(), told.get(key, getattr(profile, key))
        yield Field(
            f"characteristics.{key}", label, "number", False, least=0, most=HIGHEST, default=str(now), group=OWN
        )
    rates = tuple((each.key, each.name) for each in catalogue.catalogue().rates.values())
    yield Field("move", "Movement", "choice", False, rates, default=build.get("move") or profile.move, group=OWN)
    yield _purchase("equipment", "Equipment", "list", [*goods(rules)], _several(build, "equipment"))


def _weapons(profile: Profile, army: Faction, offered: Sequence[str]) -> dict[str, list[Any]]:
    """The weapons that a fighter of the profile may come to carry, by their kind."""
    arms, reach = catalogue.catalogue().arms, {*profile.listed_equipment, *profile.choice, *offered}
    kinds: dict[str, Iterable[Any]] = {"close-combat": arms.close_combat.values(), "missile": arms.missiles.values()}
    return {kind: [row for row in rows if army.kind == "custom" or row.key in reach] for kind, rows in kinds.items()}


def _option(option: Option, offers: Sequence[Offer], weapons: dict[str, list[Any]], build: BuildData) -> Field:
    """The field of one option line: any of several, one thing several times, or one choice or none."""
    key, label, taken = f"options.{option.key}", option_label(option), _several(build.get("options", {}), option.key)
    found = [*_picks(offers, weapons)]
    if option.most > 1 and len(found) > 1:
        return _purchase(key, label, "list", found, taken)
    if option.most > 1:
        (one,) = offers
        found = [_times(one, many) for many in range(1, option.most + 1)]
    refusal = "Keep it" if option.gives_up else "No" if len(found) == 1 or option.most > 1 else "Nothing of it"
    return _purchase(key, label, "picks", found, taken, (("", refusal),))


def _times(one: Offer, many: int) -> Offer:
    name = one.name if many == 1 else f"{many} × {one.name}"
    return Offer(",".join([one.key] * many), name, one.points * many)


def _picks(offers: Iterable[Offer], weapons: dict[str, list[Any]]) -> Iterator[Offer]:
    """Each thing with its price. What goes with a weapon stands once for each weapon of its kind."""
    for each in offers:
        fitting = weapons.get(each.weapon, []) if each.weapon else []
        if not fitting:
            yield each
        for weapon in fitting:
            yield Offer(f"{each.key}:{weapon.key}", f"{each.name} ({weapon.name.lower()})", each.points)


def _purchase(key: str, label: str, kind: str, offers: Sequence[Offer], taken: str, nothing: Choices = ()) -> Purchase:
    choices = (*nothing, *((each.key, each.name) for each in offers))
    prices = {each.key: each.points for each in offers}
    return Purchase(key=key, label=label, kind=kind, required=False, choices=choices, default=taken, prices=prices)


def _several(data: Any, key: str) -> str:
    return ",".join(data.get(key, ()))


Pick = str | dict[str, str]
SHAPES: Mapping[str, Any] = {
    "profile": str,
    "choice": str,
    "options": dict[str, bool | Pick | list[Pick] | None],
    "name": str,
    "characteristics": Numbers,
    "move": str,
    "equipment": list[Pick],
    "spells": tuple[str, ...],
    "kept": Kept,
}
LONGEST_NAME = 80


def clean_build(raw: BuildData, terms: Terms) -> BuildData:
    """The build in its one canonical form. Raises RulesError with every problem of the build alone."""
    house = house_terms(terms)
    build, problems = read_form(raw, house)
    problems += build_problems(build, house)
    if problems:
        raise RulesError(*problems)
    return to_json(build)


def read_form(raw: BuildData, terms: HouseTerms) -> tuple[Build, list[Problem]]:
    """The build of a form and what could not be read of it. Raises RulesError where not even the profile is known."""
    fields, problems = _fields(raw)
    profile = _profile(fields, terms, problems)
    if profile is None:
        raise RulesError(*problems)
    reference, printed = profile
    build = Build(
        profile=reference,
        choice=fields.get("choice", "") or (printed.choice[0] if printed.choice else ""),
        options=_options(fields.get("options", {}), options_of(printed, barding=True), problems),
        name=" ".join(fields.get("name", "").split())[:LONGEST_NAME],
        characteristics=_told_apart(fields.get("characteristics", Numbers()), printed),
        move=_own_move(reference, fields.get("move", ""), printed),
        equipment=in_order(map(_written, fields.get("equipment", []))),
        spells=tuple(sorted(fields.get("spells", ()))),
        kept=_kept(fields.get("kept", Kept())),
    )
    return build, problems


def in_order(keys: Iterable[str]) -> Picks:
    """Items or Attributes in the catalogue's order, what it does not know last."""
    known = [*catalogue.catalogue().arms.items, *catalogue.catalogue().attributes]
    return tuple(sorted(keys, key=lambda key: (known.index(plain(key)) if plain(key) in known else len(known), key)))


def _fields(raw: BuildData) -> tuple[dict[str, Any], list[Problem]]:
    if not isinstance(raw, Mapping):
        raise RulesError(Problem(code="bad-build", sentence="A build is an object with a profile.", field="build"))
    fields: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in raw.items():
        if key not in SHAPES:
            problems.append(catalogue.unknown(SHAPES, str(key), str(key), "field of a build"))
        elif value is not None:
            _convert(key, value, fields, problems)
    return fields, problems


def _convert(key: str, value: Any, fields: dict[str, Any], problems: list[Problem]) -> None:
    try:
        fields[key] = msgspec.convert(value, SHAPES[key])
    except msgspec.ValidationError as error:
        sentence = f"The field “{key}” cannot be read: {error}."
        problems.append(Problem(code="bad-field", sentence=sentence, field=key, value=str(value)[:LONGEST_NAME]))


def _profile(fields: Mapping[str, Any], terms: HouseTerms, problems: list[Problem]) -> tuple[str, Profile] | None:
    named = fields.get("profile")
    if not named:
        keys = catalogue.listed((each.key for each in terms.army.profiles), "or")
        problems.append(Problem(code="no-profile", sentence=f"Name a profile: {keys}.", field="profile"))
        return None
    reference = named if "/" in named else f"{terms.faction}/{named}"
    try:
        return reference, catalogue.profile(reference)
    except RulesError as error:
        problems.extend(error.problems)
        return None


def _options(
    taken: Mapping[str, Any], lines: Iterable[Option], problems: list[Problem]
) -> tuple[tuple[str, Picks], ...]:
    known = {line.key: line for line in lines}
    order = [*known, *(key for key in taken if key not in known)]
    picked = ((key, _read_picks(key, taken[key], known.get(key), problems)) for key in order if key in taken)
    return tuple((key, picks) for key, picks in picked if picks)


def _read_picks(key: str, value: Any, line: Option | None, problems: list[Problem]) -> Picks:
    if not value:
        return ()
    if value is True:
        return _only_pick(key, line, problems)
    return in_order(_written(pick) for pick in (value if isinstance(value, list) else [value]))


def _only_pick(key: str, line: Option | None, problems: list[Problem]) -> Picks:
    offered = [*line.items, *line.attributes] if line else []
    if len(offered) == 1:
        return (offered[0],)
    sentence = f"Say which: {catalogue.listed(offered, 'or')}." if offered else f"There is nothing to take by “{key}”."
    problems.append(Problem(code="no-pick", sentence=sentence, field=f"options.{key}", value="true"))
    return ()


def _written(pick: Pick) -> str:
    if isinstance(pick, str):
        return pick
    return ":".join(part for part in (pick.get("key", ""), pick.get("weapon", "")) if part)


def _told_apart(numbers: Numbers, profile: Profile) -> Numbers:
    """Only what differs from the base profile, so that one fighter has one build."""
    given = msgspec.structs.asdict(numbers)
    return Numbers(**{key: value for key, value in given.items() if value != getattr(profile, key)})


def _own_move(reference: str, move: str, profile: Profile) -> str:
    """A custom fighter's movement, where it differs from the base profile's."""
    return "" if reference.startswith("custom/") and move == profile.move else move


def _kept(kept: Kept) -> Kept:
    return msgspec.structs.replace(kept, equipment=in_order(kept.equipment), attributes=in_order(kept.attributes))
