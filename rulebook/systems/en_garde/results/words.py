"""What befell fighters in a battle and what they did there, in words."""

from rulebook.ruleset import Deed, Tally

WOUNDS = {
    "stunned": "stunned",
    "light": "Light wound",
    "grievous": "Grievous wound",
    "unconscious": "knocked unconscious",
    "critical": "Critical wound",
}
TALLIES = (
    Tally("wounds_dealt", "Wounds dealt", "W", "wound dealt", "wounds dealt"),
    Tally("kills", "Kills", "K", "slain", "slain"),
)
DEALT = {
    "stunned": "a stunning blow",
    "light": "a Light wound",
    "grievous": "a Grievous wound",
    "unconscious": "a knock-out blow",
    "critical": "a Critical wound",
}


def wound_phrase(wounds: str) -> str:
    """The state in which a fighter left the field, by the key of its record."""
    return WOUNDS.get(wounds, wounds)


def tallied(deed: Deed) -> tuple[str, ...]:
    """What the service record counts a deed as: wounds dealt to enemies, and those of them that killed."""
    if deed.kind != "wound" or deed.friendly:
        return ()
    return ("wounds_dealt", "kills") if deed.killed else ("wounds_dealt",)


def deed_phrase(deed: Deed) -> str:
    """What a fighter did, with the fighter as its subject: "dealt Otto (Rank 3) a Light wound with the rapier"."""
    victim = f"{deed.victim_name or 'an enemy'} (Rank {deed.victim_rank})"
    match deed.kind:
        case "banner":
            return "took a banner"
        case "captive":
            return f"took {victim} captive"
        case "wound":
            told = f"killed {victim}" if deed.killed else f"dealt {victim} {DEALT.get(deed.result, 'a wound')}"
            means = f" ({deed.means.replace('-', ' ')})" if deed.means else ""
            return f"{told}{', a comrade' if deed.friendly else ''}{means}"
        case _:
            return "gained the objective"
