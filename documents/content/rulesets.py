"""Rule systems as the subjects of documents."""

from uuid import NAMESPACE_URL, UUID, uuid5

from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import Ruleset


def subject_of_ruleset(ruleset: str) -> UUID:
    """Return the UUID that identifies a rule system as the subject of a document."""
    return uuid5(NAMESPACE_URL, f"muster:blank-roster:{ruleset}")


def ruleset_of(subject: UUID) -> Ruleset | None:
    """Return the newest edition of the rule system that a UUID identifies, or None."""
    keys = {rules.key for rules in rulesets()}
    return next(
        (newest_ruleset(key) for key in sorted(keys) if subject_of_ruleset(key) == subject), None
    )
