"""The final of a classic campaign: who comes, how fresh, with what; and who has won the campaign.

Rule book: "Campaigns". Rulings C5 to C11.
"""

from collections.abc import Mapping
from typing import Any

from rulebook.ruleset import ClassicScore, ClassicVerdict, Deed, Fate, Outcome, Record, Roster, Settings
from rulebook.systems.en_garde.book.house_rules import settled

DECIDED = "Ruling C9"
GRAVELY = frozenset({"grievous", "unconscious"})
"""Who was knocked unconscious counts as gravely wounded. Ruling C10."""


def final_force(roster: Roster, fought: frozenset[str]) -> tuple[str, ...]:
    """Who may fight the final: every fit fighter, or by house rule only those who fought. Rulings C5, C7, C10."""
    everybody = settled(roster.terms.settings).final_muster == "all"
    return tuple(each.id for each in roster.fighters if each.fate is Fate.FIT and (everybody or each.id in fought))


def final_wounds(records: tuple[Record, ...], settings: Settings) -> dict[str, str]:
    """The wounds with which fighters begin the final, by fighter: none, unless a house rule says so. Rulings C6, C7.

    Of two small games the worse one counts.
    """
    worst: dict[str, str] = {}
    for record in records:
        wound = "grievous" if record.wounds in GRAVELY else record.wounds
        if wound == "grievous" or (wound == "light" and record.fighter not in worst):
            worst[record.fighter] = wound
    rules = settled(settings)
    settled_apart = {"light": rules.final_light, "grievous": rules.final_grievous}
    keep = {wound for wound, start in settled_apart.items() if start == "wounded"}
    return {fighter: wound for fighter, wound in worst.items() if wound in keep}


def final_extras(extras: Mapping[str, Any], against: tuple[Deed, ...]) -> dict[str, Any]:
    """What a warband has as a whole in the final: a banner that an enemy captured is gone. Ruling C11."""
    lost = any(deed.kind == "banner" for deed in against)
    return {key: value for key, value in extras.items() if not (lost and key == "banner")}


def final_limit(points: tuple[int, ...], settings: Settings) -> int | None:
    """The points limit of the final: none, or by house rule what the weaker side has available. Ruling C8."""
    return min(points) if points and settled(settings).final_forces == "equal" else None


def verdict(scores: tuple[ClassicScore, ...], settings: Settings) -> ClassicVerdict:
    """Who has won: whoever wins the final, or by house rule whoever has most victory points in all. Ruling C9."""
    if not scores or any(score.outcome is None for score in scores):
        return ClassicVerdict(None, "The final decides, and it has not been fought yet.", DECIDED)
    if settled(settings).classic_winner == "sum":
        return _by_points(scores)
    winner = next((score for score in scores if score.outcome is Outcome.WON), None)
    if winner is None:
        return ClassicVerdict(None, "The final was a draw: nobody has won the campaign.", DECIDED)
    return ClassicVerdict(winner.warband, f"{winner.name} has won the final, and the campaign with it.", DECIDED)


def _by_points(scores: tuple[ClassicScore, ...]) -> ClassicVerdict:
    ranked = sorted(scores, key=lambda score: -score.total)
    tally = " to ".join(str(score.total) for score in ranked)
    if len(ranked) > 1 and ranked[0].total == ranked[1].total:
        return ClassicVerdict(None, f"Victory points of all games: {tally}. Nobody has won the campaign.", DECIDED)
    sentence = f"{ranked[0].name} has won the campaign by the victory points of all games: {tally}."
    return ClassicVerdict(ranked[0].warband, sentence, DECIDED)
