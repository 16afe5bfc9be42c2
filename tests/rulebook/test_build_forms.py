"""The form of a build, as scripts get it: everything in it can be chosen, and nothing else can."""

from collections.abc import Iterator
from typing import Any

import pytest

from rulebook.registry import rulesets
from rulebook.ruleset import BuildForm, CampaignTerms, RulesError, Ruleset
from rulebook.values.fields import Field

SYSTEMS = rulesets()
FORMS = [
    pytest.param(rules, form, id=f"{rules.key}-{form.faction}-{form.profile}")
    for rules in SYSTEMS
    for form in rules.build_forms
]
SHAPES = {
    "not-an-object",
    "unknown-field",
    "wrong-type",
    "bad-field",
    "not-a-number",
    "not-a-flag",
    "not-a-choice",
    "not-json",
    "out-of-range",
    "too-long",
}
"""Codes of what cannot be read at all; every other one is a rule of the game."""


def values_of(field: Field) -> Iterator[Any]:
    """Yield each value that a field offers, in the form of `docs/api.md`."""
    match field.kind:
        case "choice":
            yield from (key for key, _ in field.choices)
        case "list":
            yield from ([key] for key, _ in field.choices if key)
        case "picks":
            yield from (key.split(",") for key, _ in field.choices if key)
        case "flag":
            yield from (True, False)
        case "number":
            yield from {field.least or 0, field.most if field.most is not None else 1}
        case "text":
            yield "Left"
        case _:
            pytest.fail(f"No API user is told how a build's {field.kind} is written.")


def errors_of(rules: Ruleset, form: BuildForm, build: Any) -> tuple[Any, ...]:
    try:
        rules.clean_build(build, CampaignTerms(faction=form.faction))
    except RulesError as error:
        return error.problems
    return ()


def with_value(build: Any, key: str, value: Any) -> dict[str, Any]:
    """Return the build with a value under a key; dots in the key lead into maps."""
    head, _, rest = key.partition(".")
    return {**build, head: with_value(build.get(head, {}), rest, value) if rest else value}


@pytest.mark.parametrize("rules", SYSTEMS, ids=lambda rules: rules.key)
def test_every_profile_of_every_list_has_its_form(rules: Ruleset) -> None:
    profiles = [
        (each["key"], profile["key"])
        for each in rules.catalogue({})["factions"]
        for profile in each["profiles"]
    ]
    assert [(form.faction, form.profile) for form in rules.build_forms] == profiles


@pytest.mark.parametrize(("rules", "form"), FORMS)
def test_a_build_of_the_defaults_is_legal(rules: Ruleset, form: BuildForm) -> None:
    assert form.label and form.fields[0].key == "profile"
    assert errors_of(rules, form, form.build) == ()
    assert errors_of(rules, form, {"profile": form.fields[0].default}) == ()
    keys = {field.key.partition(".")[0] for field in form.fields}
    canonical = rules.clean_build(form.build, CampaignTerms(faction=form.faction))
    stored_apart = {
        "kept",
        "characteristics",
        "move",
        "equipment",
        "name",
        "spells",
        "choice",
        "options",
    }
    assert {key for key, value in canonical.items() if value} - keys <= stored_apart


@pytest.mark.parametrize(("rules", "form"), FORMS)
def test_everything_that_a_form_offers_can_be_read(rules: Ruleset, form: BuildForm) -> None:
    """The rules can forbid a choice in combination with others, but must not call it unknown."""
    for field in form.fields:
        assert field.label and set(field.prices) <= set(dict(field.choices))
        for value in values_of(field):
            problems = errors_of(rules, form, with_value(form.build, field.key, value))
            assert {each.code for each in problems} & SHAPES == set(), (field.key, value, problems)


ODD = ("nonsense", "no such thing", 10**9, -1, ["nonsense"], {"a": "b"}, [["nonsense"]], 1.5)


@pytest.mark.parametrize(("rules", "form"), FORMS)
def test_what_no_field_offers_is_refused_by_name(rules: Ruleset, form: BuildForm) -> None:
    for field in form.fields:
        for value in ODD:
            if field.kind == "text" and isinstance(value, str):
                continue
            problems = errors_of(rules, form, with_value(form.build, field.key, value))
            assert problems, (field.key, value)
            # Pistols are read with the rest of the equipment.
            heads = {field.key.partition(".")[0]} | (
                {"equipment"} if field.key == "pistols" else set()
            )
            assert any(each.field.partition(".")[0] in heads for each in problems), (
                field.key,
                value,
                problems,
            )
            assert all(each.sentence for each in problems)


@pytest.mark.parametrize(("rules", "form"), FORMS)
def test_a_field_that_no_form_has_is_refused_by_name(rules: Ruleset, form: BuildForm) -> None:
    (problem,) = errors_of(rules, form, {**form.build, "no such field": "sword"})
    assert problem.code.startswith("unknown-field") and problem.field == "no such field"


@pytest.mark.parametrize(("rules", "form"), FORMS)
def test_foreign_profile_is_refused_with_valid_ones(rules: Ruleset, form: BuildForm) -> None:
    others = {
        each.fields[0].default
        for system in SYSTEMS
        if system is not rules
        for each in system.build_forms
    }
    own = {str(each.fields[0].default) for each in rules.build_forms}
    for profile in ("nonsense", *sorted(map(str, others))[:5]):
        (problem,) = errors_of(rules, form, {"profile": profile})
        assert problem.field == "profile" and problem.value == profile
        assert any(each.rpartition("/")[2] in problem.sentence for each in own), problem.sentence


@pytest.mark.parametrize("rules", SYSTEMS, ids=lambda rules: rules.key)
def test_unknown_list_is_refused_with_valid_ones(rules: Ruleset) -> None:
    with pytest.raises(RulesError) as errors:
        rules.expect_faction("nonsense")
    (problem,) = errors.value.problems
    assert (problem.code, problem.field, problem.value) == ("unknown-list", "faction", "nonsense")
    assert rules.catalogue({})["factions"][0]["key"] in problem.sentence
