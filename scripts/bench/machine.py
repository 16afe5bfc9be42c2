"""The machine of the measurements: the figures mean nothing without it."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("django", "djangorestframework", "psycopg", "msgspec", "weasyprint", "celery")


def machine() -> dict[str, str]:
    """Return processor, memory, system, Python and the important packages, by name."""
    return {
        "Processor": f"{_processor()}, {os.cpu_count()} cores",
        "Memory": f"{_memory() / 2**30:.1f} GiB",
        "System": f"{platform.system()} {platform.release()}",
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "Packages": ", ".join(f"{name} {version(name)}" for name in PACKAGES),
    }


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text().splitlines() if facts.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
