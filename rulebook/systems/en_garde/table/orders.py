"""At whom a group shoots on a Shoot order. Rule book: "Shoot order"."""

from collections.abc import Mapping

from rulebook.values.problems import Violation

GROUP_INCHES = 3


def order_targets(nominated: str, inches: Mapping[str, float]) -> tuple[str, ...]:
    """Who may be shot at: the nominated enemy and those within 3" of it, as they stand before the first shot.

    ``inches`` holds the distance of each other enemy from the nominated one.
    """
    return (nominated, *(enemy for enemy, apart in inches.items() if apart <= GROUP_INCHES and enemy != nominated))


def order_target_violations(target: str, allowed: tuple[str, ...]) -> tuple[Violation, ...]:
    """What forbids a shot on the order at somebody else."""
    if not allowed or target in allowed:
        return ()
    sentence = 'On this order only the nominated enemy is shot at, and those within 3" of it.'
    return (Violation("not-nominated", sentence, 'Rule book: "Shoot order"'),)
