"""A cache in memory for the drawings of pages."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec

from drawings.canvas import Drawing

MOST = 512
"""The number of drawings that each process keeps: 5 to 12 MB, as a chart has 10 to 25 KB."""
Arguments = ParamSpec("Arguments")


def cached_drawing(
    draw: Callable[Arguments, Drawing],
    /,
    *arguments: Arguments.args,
    **options: Arguments.kwargs,
) -> Drawing:
    """Return ``draw(*arguments, **options)``, from the cache if it was drawn before.

    Everything that a drawing shows is in its arguments: names, colours, figures, and the sentence
    in the reader's language. After a correction, or for another reader, the arguments differ. So a
    cached drawing is never out of date or meant for another reader. The arguments must be hashable:
    use tuples instead of lists.
    """
    return _drawn(draw, *arguments, **options)  # type: ignore[arg-type]  # TypeError for lists


@lru_cache(maxsize=MOST)
def _drawn(draw: Callable[..., Drawing], /, *arguments: Any, **options: Any) -> Drawing:
    return draw(*arguments, **options)
