"""The packages of Muster, from the ground floor up (pyproject.toml has them as layers, under importlinter)."""

APPS = (
    "core",
    "audit",
    "pictures",
    "warbands",
    "reference",
    "campaigns",
    "battles",
    "leagues",
    "documents",
    "inbox",
    "search",
    "exchange",
    "accounts",
    "operations",
)
"""Django apps."""
APPS_WITH_TABLES = tuple(app for app in APPS if app not in ("reference", "leagues", "search", "accounts", "operations"))
PURE = ("rulebook", "drawings")
PACKAGES = (*PURE, *APPS, "config")
