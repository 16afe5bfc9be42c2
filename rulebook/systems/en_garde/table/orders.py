"""At whom a group shoots on a Shoot order. Rule book: "Shoot order"."""

from rulebook.values.problems import Violation

GROUP_INCHES = 3


def order_target_violations(target: str, allowed: tuple[str, ...]) -> tuple[Violation, ...]:
    """What forbids a shot on the order at somebody else."""
    if not allowed or target in allowed:
        return ()
    sentence = 'On this order only the nominated enemy is shot at, and those within 3" of it.'
    return (Violation("not-nominated", sentence, 'Rule book: "Shoot order"'),)
