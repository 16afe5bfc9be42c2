"""A worker that prints one part of a book after the other stays as big as it is."""

import os
import platform
import subprocess
import sys

import pytest
from django.test import override_settings

from config.celery import share_memory
from documents.printing import laid_out, written
from scripts.serve import ROOT

PARTS = 8
PART = 40
"""Megabytes that a part leaves behind in circles of references, as the boxes of pages do."""
PRINT_PARTS = """
import os, sys
import django

django.setup()

from documents import tasks
from documents.services import rendering


class Page:
    def __init__(self):
        self.picture = bytearray(2**20)
        self.page = self


def resident():
    with open("/proc/self/statm") as facts:
        return int(facts.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20


rendering.render_part = lambda *args, **options: [Page() for _ in range(int(sys.argv[2]))]
for number in range(int(sys.argv[1])):
    tasks.render_part.apply(args=[number], throw=True)
    print(resident())
"""

FILL_GAPS = """
import ctypes
import django

django.setup()

from config.memory import fill_gaps

library = ctypes.CDLL(None)
library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
blocks = [library.malloc(100) for _ in range(10_000)]
for block in blocks[::2]:
    library.free(block)
fill_gaps(library)
print(sum(blocks[0] <= library.malloc(100) <= blocks[-1] for _ in range(1000)))
"""


def test_worker_does_not_grow_with_each_part_of_a_book() -> None:
    sizes = printed_numbers(PRINT_PARTS, str(PARTS), str(PART))
    assert len(sizes) == PARTS
    assert sizes[-1] - sizes[0] < PART, sizes


def test_a_worker_shares_what_it_has_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr("config.celery.import_module", lambda name: Step(name, order))
    with override_settings(SERVER=True):
        share_memory()
    assert order == ["documents.services.rendering", "config.memory", "settled"]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is another one")
def test_no_block_is_put_into_a_gap_that_was_filled() -> None:
    (in_gaps,) = printed_numbers(FILL_GAPS)
    # glibc keeps a few freed blocks of each size in a list of its own.
    assert in_gaps < 20


def printed_numbers(program: str, *arguments: str) -> list[int]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR"}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return [int(line) for line in done.stdout.split()]


class Step:
    """A module that was imported: its name, and what it does."""

    def __init__(self, name: str, order: list[str]) -> None:
        self.order = order
        order.append(name)

    def settle_memory(self) -> None:
        self.order.append("settled")


def test_layout_is_freed_when_it_is_written() -> None:
    layout = laid_out("<html><body><p>A <b>text</b></p></body></html>", paper="A4")
    boxes = list(layout.pages[0]._page_box.descendants())
    assert written(layout, identifier="00").pages == 1
    assert not any(vars(box) for box in boxes)
