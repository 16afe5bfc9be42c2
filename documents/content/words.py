"""What rules and records say, in the words of a printed page."""

from documents.content.pieces import Figure, Label, Line
from rulebook.ruleset import Characteristic, Deed, Fate, Record, Ruleset, Sheet

WOUNDS = {
    "stunned": "stunned",
    "light": "Light wound",
    "grievous": "Grievous wound",
    "unconscious": "knocked unconscious",
    "critical": "Critical wound",
}
DEALT = {
    "stunned": "A stunning blow",
    "light": "A Light wound",
    "grievous": "A Grievous wound",
    "unconscious": "A knock-out blow",
    "critical": "A Critical wound",
}
LONGEST_HEADING = 10
FATES = {
    Fate.FIT: "",
    Fate.RECOVERING: "recovering",
    Fate.CAPTURED: "captive",
    Fate.DEAD: "dead",
    Fate.RETIRED: "retired",
}


def label(rules: Ruleset) -> Label:
    """How a rule system names things."""
    words = rules.words
    return Label(words.fighter, words.fighters, words.warband, words.warbands, words.rank)


def figures(sheet: Sheet, rank_word: str = "") -> tuple[Figure, ...]:
    """The numbers of a profile under headings that fit; the rank first, if a word for it is given."""
    rank = (Figure(rank_word, rank_word, str(sheet.rank)),) if rank_word else ()
    return (*rank, *(_figure(each) for each in sheet.characteristics))


def price_lines(sheet: Sheet) -> tuple[Line, ...]:
    """What a fighter's points are made of, each with its rule."""
    return tuple(Line(line.points, line.label, line.source) for line in sheet.price.lines)


def _figure(number: Characteristic) -> Figure:
    fits = len(number.label) <= LONGEST_HEADING
    return Figure(number.label if fits else number.abbreviation, number.label, number.value, number.note)


def harm(record: Record) -> str:
    """What befell a fighter in a battle, "" if nothing did."""
    ends = [
        "killed" if record.fate is Fate.DEAD else WOUNDS.get(record.wounds, record.wounds),
        "captured" if record.captured or record.fate is Fate.CAPTURED else "",
        "fled the field" if record.routed else "",
        "has to recover" if record.fate is Fate.RECOVERING else "",
    ]
    return ", ".join(end for end in ends if end)


def deed(done: Deed, rank_word: str) -> str:
    """What a fighter did, in a few words."""
    victim = f"{done.victim_name or 'an enemy'} ({rank_word} {done.victim_rank})"
    match done.kind:
        case "wound" if done.killed:
            return f"Killed {victim}"
        case "wound":
            return f"{DEALT.get(done.result, 'A wound')} dealt to {victim}"
        case "captive":
            return f"Took {victim} captive"
        case "banner":
            return "Took a banner"
        case _:
            return "Gained the objective"
