"""The contents of the rule book, read from ``data/``: catalogue, lists, scenarios, house rules,
headings.

Here are the texts for everything that is wrong: breaches of the rules, and input that makes no
sense.
"""

from pathlib import Path

from rulebook.book.violations import ViolationBook

DATA = Path(__file__).parent.parent / "data"
VIOLATIONS = ViolationBook(DATA / "violations.toml")
"""Breaches of the rules, which a table may overrule."""
PROBLEMS = ViolationBook(DATA / "problems.toml", "problem")
"""Problems that nobody can overrule: input that makes no sense, builds and rosters that are not
legal."""
broken = VIOLATIONS.broken
violation = VIOLATIONS.violation
problem = PROBLEMS.problem
