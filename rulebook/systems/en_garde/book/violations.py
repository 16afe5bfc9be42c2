"""What is said of everything that is wrong: what the rules forbid, and what makes no sense whatever a table agrees."""

from pathlib import Path

from rulebook.book.violations import ViolationBook

DATA = Path(__file__).parent.parent / "data"
VIOLATIONS = ViolationBook(DATA / "violations.toml")
"""What the rules forbid, and a table may overrule."""
PROBLEMS = ViolationBook(DATA / "problems.toml", "problem")
"""What nobody can overrule: input that makes no sense, builds and rosters that are not legal."""
broken, violation, problem = VIOLATIONS.broken, VIOLATIONS.violation, PROBLEMS.problem
