"""The registry of rule systems: one line for each edition, oldest first."""

from rulebook.ruleset import Problem, RulesError, Ruleset, Settings, VisibleNumbers, Words
from rulebook.systems.argad.system import Argad
from rulebook.systems.avant_garde.system import AvantGarde
from rulebook.systems.en_garde.system import EnGarde
from rulebook.systems.wards.system import Wards

RULESETS: dict[str, dict[str, Ruleset]] = {
    EnGarde.key: {EnGarde.edition: EnGarde()},
    Argad.key: {Argad.edition: Argad()},
    Wards.key: {Wards.edition: Wards()},
    AvantGarde.key: {AvantGarde.edition: AvantGarde()},
}
"""Rule systems by key, and within each by edition. New warbands get the last edition."""


def rulesets() -> tuple[Ruleset, ...]:
    """Return the newest edition of every rule system."""
    return tuple(newest_ruleset(key) for key in RULESETS)


def newest_ruleset(key: str) -> Ruleset:
    """Return the newest edition of a rule system. Raises RulesError (`unknown-ruleset`)."""
    editions = _editions(key)
    return editions[next(reversed(editions))]


def find_ruleset(key: str, edition: str) -> Ruleset:
    """Return a rule system in this edition.

    Raises RulesError (`unknown-ruleset`, `unknown-edition`).
    """
    editions = _editions(key)
    if edition not in editions:
        sentence = f"There is no edition {edition!r} of {key!r}; known: {', '.join(editions)}."
        raise RulesError(Problem("unknown-edition", sentence, field="edition", value=edition))
    return editions[edition]


def shown_under(key: str, edition: str, settings: Settings) -> VisibleNumbers:
    """Return which numbers pages and prints show under these house rules.

    Returns all of them if this Muster no longer has the rule system.
    """
    try:
        return find_ruleset(key, edition).visible_numbers(settings)
    except RulesError:
        return VisibleNumbers(points=True, experience=True, ranks=True, victory_points=True)


def words_under(key: str, edition: str) -> Words:
    """Return the words of a rule system, or plain words if this Muster no longer has it."""
    try:
        return find_ruleset(key, edition).words
    except RulesError:
        return Words("fighter", "fighters", "warband", "warbands")


def system_name(key: str) -> str:
    """Return the name of a rule system, or its key if this Muster no longer has it."""
    return newest_ruleset(key).name if key in RULESETS else key


def _editions(key: str) -> dict[str, Ruleset]:
    if key not in RULESETS:
        sentence = f"There is no rule system {key!r}; known: {', '.join(RULESETS)}."
        raise RulesError(Problem("unknown-ruleset", sentence, field="ruleset", value=key))
    return RULESETS[key]
