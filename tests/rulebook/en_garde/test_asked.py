"""Questions about builds and purchases: every profile of every list, and the effect of each answer."""

import pytest

from rulebook.ruleset import CampaignTerms, Roster, RulesError
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.rosters.composition import extras_fields
from rulebook.systems.en_garde.rosters.extras import clean_extras
from rulebook.systems.en_garde.rosters.forms import build_fields, clean_build
from rulebook.values.fields import nested, read_value

PROFILES = [
    (army.key, f"{army.key}/{each.key}")
    for army in catalogue().factions.values()
    for each in army.profiles
]
ARMIES = list(catalogue().factions)


def said(fields):
    values = {field.key: read_value(field, None) for field in fields}
    return nested(
        {key: value for key, value in values.items() if value not in (None, "", (), False)}
    )


@pytest.mark.parametrize(("army", "reference"), PROFILES)
def test_a_form_sent_back_as_it_was_drawn_is_the_bare_profile(army, reference):
    terms = CampaignTerms(army, {}, {"legality": "warn", "fantastical": True})
    fields = build_fields({"profile": reference}, terms)
    assert len({field.key for field in fields}) == len(fields)
    plain = clean_build({"profile": reference}, terms)
    assert clean_build({"profile": reference, **said(fields)}, terms) == plain


@pytest.mark.parametrize(("army", "reference"), PROFILES)
def test_what_a_build_has_is_the_default_of_its_fields(army, reference):
    terms = CampaignTerms(army, {}, {"legality": "warn"})
    for field in build_fields({"profile": reference}, terms):
        if not field.key.startswith("options."):
            continue
        first = next(key for key, _ in field.choices if key)
        build = {"profile": reference, **nested({field.key: first.split(",")})}
        again = {each.key: each for each in build_fields(build, terms)}
        assert again[field.key].default == first


def test_an_unknown_profile_has_no_fields():
    with pytest.raises(RulesError):
        build_fields({"profile": "landsknechts/elephant"}, CampaignTerms("landsknechts"))


@pytest.mark.parametrize("army", ARMIES)
def test_purchases_sent_back_as_they_were_drawn_buy_nothing(army):
    terms = CampaignTerms(army)
    assert clean_extras(said(extras_fields(Roster(terms, ()))), terms) == {}


@pytest.mark.parametrize("count", [-1, 7, True, "2"])
def test_invalid_gun_count_is_refused(count):
    army = next(each for each in catalogue().factions.values() if each.composition.guns)
    with pytest.raises(RulesError):
        clean_extras({"ordnance": {army.composition.guns[0]: count}}, CampaignTerms(army.key))
