"""The stored form of playthroughs: a line per event or answer, with a digest.

A full text has a line for each sum, each change of a state and each field of a form: too many to
read. The stored text has the lines for readers. The digest at the end of a line changes with every
line of the full text behind it.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

SCENARIO_LINES = 200
"""The maximum number of lines of a scenario."""
WIDTH = 150
"""The maximum width of a line without its digest."""
BEHIND_THE_DIGEST = (
    "data ",
    "dice ",
    "rule ",
    "due ",
    "no longer ",
    "seal ",
    "sum ",
    "+",
    "-",
    "sequence: ",
)
"""Lines of a block that are not shown: its input, and what explains the shown lines."""
RESULT = "== Result"
GLOSSARY = "== What the marks stand for"
SCENARIO = "==== "
TRIED = re.compile(r"tried after (\d+): (\S+)")
EVENT = re.compile(r"#\d+ (\S+)")

Block = list[str]
"""A line without indentation, with the indented lines after it."""


def condensed(lines: Iterable[str]) -> Iterator[str]:
    """Yield the stored lines of a full text."""
    for scenario in _scenarios(lines):
        title = scenario.pop(0) if scenario[0][0].startswith(SCENARIO) else None
        if title is not None:
            yield title[0]
        split = next(
            (place for place, block in enumerate(scenario) if block[0].startswith(RESULT)),
            len(scenario),
        )
        result = [*_result(scenario[split:])]
        room = SCENARIO_LINES - len(result) - 1
        yield from (_line(group) for group in _grouped(scenario[:split], room))
        yield from result


def _scenarios(lines: Iterable[str]) -> Iterator[list[Block]]:
    """Yield the blocks of each scenario without the glossary.

    The marks in the text are hashes of the glossary's texts, so nothing is lost.
    """
    blocks: list[Block] = []
    in_glossary = False
    for line in lines:
        if not line.strip():
            continue
        if line.startswith(SCENARIO) and blocks:
            yield blocks
            blocks = []
        if not line.startswith(" "):
            in_glossary = line == GLOSSARY or (in_glossary and not line.startswith(SCENARIO))
        if in_glossary:
            continue
        if line.startswith(" ") and blocks:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    if blocks:
        yield blocks


def _result(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the verdict, and each line of a side's score, records and awards."""
    for block in blocks:
        yield _trimmed(block[0], block[:1])
        rows: list[Block] = []
        for line in block[1:]:
            if line.startswith("   ") and rows:
                rows[-1].append(line)
            else:
                rows.append([line])
        yield from (_trimmed("  " + " · ".join(line.strip() for line in row), row) for row in rows)


def _grouped(blocks: Sequence[Block], room: int) -> list[list[Block]]:
    """Return the groups of blocks that share a line.

    Events tried at one point always share one, others only if there are more than ``room``.
    """
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and _point(block) and _point(block) == _point(groups[-1][0]):
            groups[-1].append(block)
        else:
            groups.append([block])
    if len(groups) > room:
        groups = _merged(groups)
    each = -(-len(groups) // room)
    packs = [groups[start : start + each] for start in range(0, len(groups), each)]
    return [[block for group in pack for block in group] for pack in packs]


def _merged(groups: Sequence[list[Block]]) -> list[list[Block]]:
    """Merge consecutive groups of one kind of event."""
    merged: list[list[Block]] = []
    for group in groups:
        event = EVENT.match(group[0][0])
        last = EVENT.match(merged[-1][0][0]) if merged else None
        if event and last and event[1] == last[1]:
            merged[-1].extend(group)
        else:
            merged.append(list(group))
    return merged


def _point(block: Block) -> str:
    """Return after how many events this block's event is tried; "" for other blocks."""
    tried = TRIED.match(block[0])
    return tried[1] if tried else ""


def _line(group: Sequence[Block]) -> str:
    """Return the shared line of some blocks."""
    everything = [line for block in group for line in block]
    if _point(group[0]):
        return _trimmed(
            f"tried after {_point(group[0])}: {', '.join(map(_attempt, group))}", everything
        )
    return _trimmed(" · ".join(map(_shown, group)), everything)


def _attempt(block: Block) -> str:
    """Return the kind of an event that was tried, and the codes of its problems."""
    tried = TRIED.match(block[0])
    codes = [
        line.split(":")[0].split()[-1]
        for line in block
        if line.strip().startswith(("problem ", "no dice "))
    ]
    return f"{tried[2] if tried else ''} ({', '.join(dict.fromkeys(codes)) or 'good'})"


def _shown(block: Block) -> str:
    inner = [line.strip() for line in block[1:]]
    kept = [line for line in inner if not line.startswith(BEHIND_THE_DIGEST)]
    return " · ".join(
        [block[0], *(line.removeprefix("says ").removeprefix("came ") for line in kept)]
    )


def _trimmed(text: str, behind: Sequence[str]) -> str:
    """Return the text in at most ``WIDTH`` columns, with a digest if it does not show all lines."""
    if len(text) <= WIDTH and len(behind) == 1:
        return text
    digest = hashlib.sha256("\n".join(behind).encode()).hexdigest()[:8]
    return f"{text if len(text) <= WIDTH else text[: WIDTH - 1] + '…'} [{digest}]"
