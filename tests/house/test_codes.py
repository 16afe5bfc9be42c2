"""docs/api-errors.md lists every code that a client can meet, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from home.selectors import waiting
from home.selectors.card_kinds import KINDS
from scripts.packages import APPS

ROOT = Path(__file__).resolve().parents[2]
PLACES = {
    "InvalidInput": 0,
    "TooLarge": 0,
    "StateConflict": 0,
    "Unavailable": 0,
    "Forbidden": 0,
    "NotFound": 0,
    "UnreadableSpreadsheet": 0,
    "CellProblem": 0,
    "CellError": 2,
    "_refuse_cell": 2,
    "_refuse": 2,
    "_word": 3,
    "field_error": 1,
    "_refuse_unless": 2,
    "Refusal": 1,
    "add_conflict": 0,
    "broken": 2,
    "_refused": 1,
}
"""Functions that refuse, and the position of the code in their arguments."""
FROM_THE_HOUSE = {
    "invalid",
    "required",
    "rules",
    "bad_request",
    "parse_error",
    "not_authenticated",
    "authentication_failed",
    "permission_denied",
    "insufficient-scope",
    "precondition-failed",
    "not_found",
    "method_not_allowed",
    "not_acceptable",
    "unsupported_media_type",
    "too_large",
    "throttled",
    "too_many_guesses",
    "guesses_not_counted",
    "wrong_password",
    "password_wanted",
    "stale-version",
    "busy",
    "database_unavailable",
    "too_slow",
    "address_too_long",
    "headers_too_large",
    "not_implemented",
    "fault",
    # Of the proxy (Caddyfile).
    "restarting",
}


def told_codes() -> set[str]:
    """Return the codes in the lists of docs/api-errors.md: those before the colon of a line."""
    page = (ROOT / "docs" / "api-errors.md").read_text().partition("\n## ")[2]
    return {
        code
        for codes in re.findall(r"^- ((?:`[a-z_-]+`,?\s+)*`[a-z_-]+`):", page, re.M)
        for code in re.findall(r"`([a-z_-]+)`", codes)
    }


def raised_codes() -> Iterator[str]:
    """Yield the codes that the source of all apps raises, and the conflicts of chronicles."""
    for folder in (*APPS, "rulebook/chronicle"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    yield from _codes(node)


def _codes(call: ast.Call) -> Iterator[str]:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    place = PLACES.get(name)
    if place is not None and len(call.args) > place:
        argument = call.args[place]
        values = (part.value for part in ast.walk(argument) if isinstance(part, ast.Constant))
        yield from (value for value in values if isinstance(value, str) and _is_code(value))


def _is_code(value: str) -> bool:
    return re.fullmatch(r"[a-z]+(-[a-z]+)+", value) is not None


# Made from the name of what was looked for: clubs.services.permissions.find.
LOOKED_FOR = {
    f"unknown-{what}"
    for what in (
        "club",
        "member",
        "player",
        "enrolment",
        "evening",
        "round",
        "entry",
        "seat",
        "merge",
        "hand-over",
        "game",
        "pair",
        "webhook",
        "delivery",
        "history-import",
    )
}


def test_every_code_that_is_raised_is_documented() -> None:
    assert set(raised_codes()) - told_codes() == set()


def test_every_documented_code_can_be_met() -> None:
    assert told_codes() - set(raised_codes()) - LOOKED_FOR == FROM_THE_HOUSE


def test_the_api_page_lists_every_kind_of_card() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    listed = re.search(r"`kind` is one of these\s+\((.*?)\)", page, re.DOTALL)
    assert listed is not None
    assert waiting.DEFINED_IN, "KINDS has the kinds of the modules that are imported"
    assert {*re.findall(r"`([a-z-]+)`", listed[1])} == {*KINDS}
