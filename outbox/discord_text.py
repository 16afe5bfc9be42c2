"""Text for Discord."""

import re

MARKUP = re.compile(r"([\\*_~`|>#\[\]()<@:-])")


def escaped(text: str) -> str:
    """Return a text that Discord shows as it is, without formatting and mentions."""
    return MARKUP.sub(r"\\\1", " ".join(text.split()))
