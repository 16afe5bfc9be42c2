"""From what people and programs send to the canonical build.

The form is forgiving about shape: one pick may stand without its list, `true` takes the only thing that an option
offers, and an Attribute with its weapon may be {"key": "weapon-master", "weapon": "sword"}. The canonical build is
itself a good form.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from rulebook.ruleset import BuildData, Problem, RulesError, Terms
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Option, Profile
from rulebook.systems.en_garde.rosters.build_problems import build_problems
from rulebook.systems.en_garde.rosters.builds import Build, Kept, Numbers, Picks, plain, to_json
from rulebook.systems.en_garde.rosters.loadouts import options_of
from rulebook.systems.en_garde.rosters.terms import HouseTerms, house_terms

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
    picked = ((key, _picks(key, taken[key], known.get(key), problems)) for key in order if key in taken)
    return tuple((key, picks) for key, picks in picked if picks)


def _picks(key: str, value: Any, line: Option | None, problems: list[Problem]) -> Picks:
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
