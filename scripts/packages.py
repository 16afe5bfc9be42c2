"""The packages of Muster, from the lowest layer up.

pyproject.toml has the same layers, under importlinter.
"""

APPS = (
    "core",
    "audit",
    "pictures",
    "warbands",
    "reference",
    "clubs",
    "campaigns",
    "battles",
    "leagues",
    "documents",
    "search",
    "exchange",
    "home",
    "outbox",
    "accounts",
    "operations",
)
"""Django apps."""
APPS_WITH_TABLES = tuple(
    app for app in APPS if app not in ("reference", "leagues", "search", "accounts", "operations")
)
APPS_OF_CLUBS = tuple(app for app in APPS_WITH_TABLES if app != "core")
"""Apps with rows of clubs and members.

Core is left out: its rows (sessions, sent requests) change with every request.
"""
PURE = ("rulebook", "drawings")
PACKAGES = (*PURE, *APPS, "config")
