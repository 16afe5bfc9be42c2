"""Drawings of pages, kept in memory by everything that they show."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec

from drawings.canvas import Drawing

MOST = 512
"""Drawings that each process keeps: about 5 MB, as a chart has 10 to 25 KB."""
Arguments = ParamSpec("Arguments")


def cached_drawing(
    draw: Callable[Arguments, Drawing],
    /,
    *arguments: Arguments.args,
    **options: Arguments.kwargs,
) -> Drawing:
    """Return ``draw(*arguments, **options)``, without drawing what was drawn before.

    All that a drawing shows is in its arguments: names, colours, figures, and the
    sentence in the reader's language. After a correction, or for another reader,
    they differ, so no stored drawing is ever out of date or meant for another reader.
    Arguments have to be hashable: tuples in the place of lists.
    """
    return _drawn(draw, *arguments, **options)  # type: ignore[arg-type]  # TypeError for lists


@lru_cache(maxsize=MOST)
def _drawn(draw: Callable[..., Drawing], /, *arguments: Any, **options: Any) -> Drawing:
    return draw(*arguments, **options)
