"""Experience that a battle is worth, what happens to fighters after it, and the texts for their
wounds and deeds.

Rule book: "Progression", "Campaigns". Rulings X1 to X8, X20, X21, C10, C15.
"""

from collections.abc import Iterator

from rulebook.ruleset import Award, Deed, Fate, Record, Settings, Tally
from rulebook.systems.en_garde.book.house_rules import HouseRules, settled

PROGRESSION = 'Rule book: "Progression"'
SURVIVED_RULE = f"{PROGRESSION}; Ruling X7"
WOUNDED_RULE = f"{PROGRESSION}; Ruling X2"
OBJECTIVE_RULE = f"{PROGRESSION}; Ruling X8"
NOT_ATTACKS = frozenset({"fall", "drowning", "poison", "mount"})
HAND_TO_HAND = frozenset({"melee", "riposte", "free-attack"})
GRAVELY = frozenset({"grievous", "unconscious"})
WORTH = frozenset({"light", "grievous", "critical"})
OBJECTIVES = frozenset({"objective", "banner", "captive"})
WORTH_EACH = 1
"""The experience for a battle survived, for a wound, and for a banner or an objective."""
MISSES_ON = 3
"""A gravely wounded fighter misses the next game on this or less."""
WOUNDS = {
    "stunned": "stunned",
    "light": "Light wound",
    "grievous": "Grievous wound",
    "unconscious": "knocked unconscious",
    "critical": "Critical wound",
}
TALLIES = (
    Tally("wounds_dealt", "Wounds dealt", "W", "wound dealt", "wounds dealt"),
    Tally("kills", "Kills", "K", "kill", "kills"),
)
DEALT = {
    "stunned": "a stunning blow",
    "light": "a Light wound",
    "grievous": "a Grievous wound",
    "unconscious": "a knock-out blow",
    "critical": "a Critical wound",
}


def awards(
    records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings
) -> tuple[Award, ...]:
    """Return the experience that a battle is worth to one warband's fighters, in the order of the
    records.

    The dead earn nothing. The house rules are those handed in, so that a change of them acts on a
    replay.
    """
    rules = settled(settings)
    if not rules.progression:
        return ()
    deeds_by_fighter: dict[str, list[Deed]] = {}
    for deed in deeds:
        deeds_by_fighter.setdefault(deed.fighter, []).append(deed)
    earned: list[Award] = []
    for record in records:
        if has_survived(record, rules):
            earned.append(
                Award(record.fighter, WORTH_EACH, "survived", "Survived the battle.", SURVIVED_RULE)
            )
        own = deeds_by_fighter.get(record.fighter)
        if own and record.fate is not Fate.DEAD:
            earned += _of_deeds(record, own, rules)
    return tuple(earned)


def _of_deeds(record: Record, deeds: list[Deed], rules: HouseRules) -> Iterator[Award]:
    for deed in _once(deeds, rules):
        yield Award(record.fighter, WORTH_EACH, "wounded", _wound_sentence(deed), WOUNDED_RULE)
    for deed in deeds:
        if deed.kind in OBJECTIVES and earns_objective(deed, rules):
            yield Award(
                record.fighter, WORTH_EACH, deed.kind, _objective_sentence(deed), OBJECTIVE_RULE
            )


def has_survived(record: Record, rules: HouseRules) -> bool:
    """Return whether the fighter counts as having survived. Ruling X7."""
    if record.fate is Fate.DEAD:
        return False
    free = not record.captured and record.fate is not Fate.CAPTURED
    return rules.survival == "alive" or (free and (rules.survival == "free" or not record.routed))


def _once(deeds: list[Deed], rules: HouseRules) -> list[Deed]:
    """Return the wounds that earn experience: each, one for each enemy, or one in all.

    Ruling X2.
    """
    earning = [deed for deed in deeds if deed.kind == "wound" and earns_wound(deed, rules)]
    if rules.experience_per_wound == "once":
        return earning[:1]
    if rules.experience_per_wound == "enemy":
        return list({deed.victim or deed.victim_name: deed for deed in reversed(earning)}.values())[
            ::-1
        ]
    return earning


def earns_wound(deed: Deed, rules: HouseRules) -> bool:
    """Return whether this wound is worth experience. Rulings X3, X4, X6, X20."""
    if deed.friendly or deed.detail.get("unconscious") or deed.result not in WORTH:
        return False
    if deed.victim_rank < deed.rank or deed.means in NOT_ATTACKS:
        return False
    if rules.experience_means == "melee" and deed.means not in HAND_TO_HAND:
        return False
    return rules.third_stun_counts or not deed.detail.get("third_stun")


def earns_objective(deed: Deed, rules: HouseRules) -> bool:
    """Return whether this banner, objective or captive is worth experience. Ruling X8."""
    if deed.kind == "banner":
        return True
    if deed.kind == "captive":
        return bool(deed.detail.get("objective"))
    return bool(deed.detail.get("holder")) or rules.objective_experience == "all"


def _wound_sentence(deed: Deed) -> str:
    whom = f"{deed.victim_name or 'an enemy'} (Rank {deed.victim_rank})"
    if deed.killed:
        return f"Killed {whom}."
    if deed.detail.get("subdued"):
        return f"Knocked out {whom}."
    return f"Dealt {DEALT[deed.result]} to {whom}."


def _objective_sentence(deed: Deed) -> str:
    what = deed.victim_name or "the objective"
    if deed.kind == "objective":
        return f"Took {what}." if deed.detail.get("civilian") else f"Held {what}."
    return f"Captured {what}."


def fate_after(record: Record, settings: Settings) -> tuple[Fate, int]:
    """Return what happens to a fighter after a battle, and how many games it misses.

    A captive that is held misses no counted number of games: 0, until somebody sets it free.
    Without a die of recovery nobody misses a game. Rulings C10, C15.
    """
    if record.fate in (Fate.DEAD, Fate.RETIRED):
        return record.fate, 0
    rules = settled(settings)
    if _is_captive(record) and rules.captives != "return":
        return Fate.CAPTURED, 1 if rules.captives == "miss-next" else 0
    rolled = record.recovery_roll
    if _throws(record, rules) and rolled is not None and rolled <= MISSES_ON:
        return Fate.RECOVERING, 1
    return Fate.FIT, 0


def recovery_dice(records: tuple[Record, ...], settings: Settings) -> tuple[str, ...]:
    """Return the fighters who throw a six-sided die after the battle. Rulings C10, C15.

    Who misses the next game as a captive throws none.
    """
    rules = settled(settings)
    away = rules.captives != "return"
    return tuple(
        record.fighter
        for record in records
        if _throws(record, rules)
        and not (away and _is_captive(record))
        and record.fate is not Fate.DEAD
    )


def _throws(record: Record, rules: HouseRules) -> bool:
    return rules.wounds_after == "grievous-roll" and record.wounds in GRAVELY


def _is_captive(record: Record) -> bool:
    return record.captured or record.fate is Fate.CAPTURED


def wound_phrase(wounds: str) -> str:
    """Return the state in which a fighter left the field, by the key of its record."""
    return WOUNDS.get(wounds, wounds)


def tallied(deed: Deed) -> tuple[str, ...]:
    """Return what the service record counts a deed as: wounds dealt to enemies, and those of them
    that killed."""
    if deed.kind != "wound" or deed.friendly:
        return ()
    return ("wounds_dealt", "kills") if deed.killed else ("wounds_dealt",)


def deed_phrase(deed: Deed) -> str:
    """Return what a fighter did, with the fighter as its subject: "dealt Otto (Rank 3) a Light
    wound with the rapier".
    """
    victim = f"{deed.victim_name or 'an enemy'} (Rank {deed.victim_rank})"
    match deed.kind:
        case "banner":
            return "took a banner"
        case "captive":
            return f"took {victim} captive"
        case "wound":
            harm = (
                f"killed {victim}"
                if deed.killed
                else f"dealt {victim} {DEALT.get(deed.result, 'a wound')}"
            )
            means = f" ({deed.means.replace('-', ' ')})" if deed.means else ""
            return f"{harm}{', a comrade' if deed.friendly else ''}{means}"
        case _:
            return "gained the objective"
