"""A worker that prints one part of a book after the other stays as big as it is."""

import os
import subprocess
import sys

import pytest

from scripts.serve import ROOT

PARTS = 5
MOST_GROWTH = 12
"""Megabytes from the second part to the last. Without giving memory back it is several times as much."""
PRINT_PARTS = """
import os, sys
import django

django.setup()

from documents import tasks
from documents.printing import typeset

ROW = "<tr><td>Old Tom</td><td>Musketeer of the watch</td><td>12</td><td>a wound in the <em>left</em> arm</td></tr>"
PAGE = f'<section style="break-before: page"><h2>A battle</h2><table>{ROW * 20}</table></section>'
BOOK = f"<html lang=en><head><title>Book</title></head><body>{PAGE * 6}</body></html>"


def resident():
    with open("/proc/self/statm") as facts:
        return int(facts.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20


tasks.render_one_part = lambda *args, **options: typeset(BOOK, paper="A4", identifier="00")
for number in range(int(sys.argv[1])):
    tasks.render_part.apply(args=[number], throw=True)
    print(resident())
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="asks Linux how much memory a process has")
def test_worker_does_not_grow_with_each_part_of_a_book() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR"}
    command = [sys.executable, "-c", PRINT_PARTS, str(PARTS)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    sizes = [int(line) for line in done.stdout.split()]
    assert len(sizes) == PARTS
    assert sizes[-1] - sizes[1] < MOST_GROWTH, sizes
