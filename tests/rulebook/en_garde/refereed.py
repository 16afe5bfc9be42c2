"""Random battles for the referee: forces with options, scenarios, weather, hours and house rules."""

from random import Random

from rulebook.ruleset import (
    BattleSetup,
    BuildData,
    CampaignTerms,
    FieldedFighter,
    FieldedSide,
    RulesError,
)
from rulebook.systems.en_garde.book.catalogue import catalogue, faction
from rulebook.systems.en_garde.book.house_rules import HOUSE_RULES
from rulebook.systems.en_garde.book.lists import Profile
from rulebook.systems.en_garde.book.scenarios import scenario_facts
from rulebook.systems.en_garde.rosters.builds import offered_by
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.rosters.sheets import fighter_facts
from rulebook.systems.en_garde.table.setting_up import figures

LISTS = sorted(key for key in catalogue().factions if key != "custom")
WEATHERS = ("fair", *(row.key for row in figures().weather))
HOURS = ("day", *(row.key for row in figures().hour))


def battle(seed: int) -> BattleSetup:
    """Return a battle of two random forces of 3 to 9 fighters, the same for each seed."""
    luck = Random(seed)
    facts = luck.choice(scenario_facts())
    roles = [role.key for role in facts.roles for _ in range(role.least)][:2]
    house = _house(luck)
    sides = tuple(_side(key, role, house, luck) for key, role in zip("ab", roles, strict=True))
    return BattleSetup(
        facts.key, sides, house, {"weather": luck.choice(WEATHERS), "hour": luck.choice(HOURS)}
    )


def _house(luck: Random) -> dict[str, object]:
    """Return house rules of which one in seven is not the default.

    The fantastical is allowed, and ``dice`` keeps its default.
    """
    changed: dict[str, object] = {}
    for rule in HOUSE_RULES.rules:
        if rule.kind in ("flag", "choice") and rule.key != "dice" and luck.random() < 1 / 7:
            changed[rule.key] = (
                not rule.default if rule.kind == "flag" else luck.choice(rule.choices)[0]
            )
    return {**changed, "fantastical": True}


def _side(key: str, role: str, house: dict[str, object], luck: Random) -> FieldedSide:
    army = faction(luck.choice(LISTS))
    terms = CampaignTerms(army.key, {}, house)
    fighters = tuple(
        _fighter(f"{key}{place}", place, army.profiles, terms, luck)
        for place in range(luck.randint(3, 9))
    )
    return FieldedSide(key, key.upper(), role, army.key, fighters)


def _fighter(
    identity: str, place: int, profiles: tuple[Profile, ...], terms: CampaignTerms, luck: Random
) -> FieldedFighter:
    build = _build(luck.choice(profiles), terms, luck)
    facts = fighter_facts(build, terms)
    return FieldedFighter(
        identity,
        identity.upper(),
        build,
        facts.rank,
        facts.points,
        ("leader",) if place == 0 else (),
    )


def _build(profile: Profile, terms: CampaignTerms, luck: Random) -> BuildData:
    """Return a profile with random options; without any if the chosen ones do not fit together."""
    picks = {}
    for option in profile.options:
        offered = [key for key in offered_by(option, True) if option.kind != "crew"]
        if offered and luck.random() < 0.6:
            picks[option.key] = [luck.choice(offered)]
    try:
        return clean_build({"profile": profile.key, "options": picks}, terms)
    except RulesError:
        return clean_build({"profile": profile.key}, terms)
