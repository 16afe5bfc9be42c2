"""A task that takes a while, for workers that lose Redis in the meantime."""

import time
from pathlib import Path

from celery import shared_task


@shared_task
def write_slowly(file: str, word: str, seconds: float) -> None:
    """Append a word to a file after this time in seconds."""
    Path(f"{file}.{word}").touch()
    time.sleep(seconds)
    with Path(file).open("a") as target:
        target.write(f"{word}\n")
