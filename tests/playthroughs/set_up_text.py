"""Set-ups of battles as text: rolled and typed values, and what sides bring and keep secret."""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from rulebook.dice.committed import CommittedDice
from rulebook.ruleset import BattleSetup, RulesError, Ruleset
from tests.playthroughs.asked import AskedSetUp, read_rows
from tests.playthroughs.logs import SEED
from tests.playthroughs.plain_text import Glossary, compact, first_lines, problem_line, words
from tests.playthroughs.table_text import field_text


def set_up_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield each battle of a file, set up with its own dice."""
    glossary = Glossary()
    for place, row in enumerate(read_rows(path, AskedSetUp)):
        yield from _battle(rules, row.setup, CommittedDice(SEED, f"battle {place}"), glossary)
    yield from glossary.lines()


def _battle(
    rules: Ruleset, setup: BattleSetup, dice: CommittedDice, glossary: Glossary
) -> Iterator[str]:
    yield ""
    more = words(settings=setup.settings, set_up=setup.set_up, limit=setup.points_limit)
    yield f"== {setup.scenario} {more}"
    for side in setup.sides:
        yield (
            f"side {side.key} {side.role} of {side.faction} {words(extras=side.extras)}: "
            f"{compact(side.fighters)}"
        )
    yield from (f"  force {problem_line(each)}" for each in rules.force_problems(setup))
    try:
        rolled = rules.set_up.roll(setup, dice)
    except RulesError as error:
        yield from (f"  problem {problem_line(each)}" for each in error.problems)
        return
    yield from (f"  {line}" for line in first_lines(rolled))
    yield from (
        f"  field {each.key}: {field_text(each, glossary)}" for each in rules.set_up.fields(setup)
    )
    rolled_setup = replace(setup, set_up=rolled)
    yield from (f"  line {compact(line)}" for line in rules.set_up.lines(rolled_setup))
    for key, brought in rules.side_assets(setup).items():
        yield from (f"  {key} brought {compact(line)}" for line in brought)
    yield from (f"  bystander {compact(each)}" for each in rules.bystanders(setup))
    for side in setup.sides:
        secret = rules.secrets.private_roll(rolled_setup, side.key, CommittedDice(SEED, "battle"))
        if secret is not None:
            yield f"  secret {compact(secret)}"
