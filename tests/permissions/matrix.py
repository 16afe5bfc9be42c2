"""The permissions of all routes: matrix.txt has a row per route, with a letter for each role and method."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.http.response import HttpResponseBase

from tests.permissions.every_route import METHODS

FILE = Path(__file__).with_name("matrix.txt")
ROLES = ("anonymous", "stranger", "reader", "player", "organiser", "staff")
LETTERS = {401: "o", 403: "b", 404: "h", 405: "n"}
"""The letters mean: o(ut) has to sign in, b(arred), h(idden) gets 404, n(o) such method.

All other answers are access, with the letter `i`.
"""
SIGN_IN = ("/admin/login/", "/accounts/login/")
Row = Mapping[str, str]
"""For each method of a route, a letter for each role."""
FOR_STAFF = dict.fromkeys(METHODS, "ooooo")


@cache
def rows() -> dict[str, Row]:
    """Return the table by route."""
    lines = (
        line.split()
        for line in FILE.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    )
    return {route: dict(zip(cells[::2], cells[1::2], strict=True)) for route, *cells in lines}


def letter(answer: HttpResponseBase) -> str:
    """Return the letter of an answer; "!" for a server error."""
    if answer.status_code == 302 and answer.headers["Location"].startswith(SIGN_IN):
        return "o"
    return "!" if answer.status_code >= 500 else LETTERS.get(answer.status_code, "i")


def expected(route: str) -> Row | None:
    """Return the row of a route; None if it has none.

    Without a row, the admin site is open to support staff only.
    """
    return rows().get(route, FOR_STAFF if route.startswith("/admin/") else None)


def row(route: str, letters: Row) -> Row:
    """Return the answers of a route as a row.

    The row omits methods that let nobody in and hide nothing. It omits the letters of staff for
    their own routes, as these have further rules.
    """
    if route.startswith("/admin/") and route not in rows():
        return {
            method: roles[:-1]
            for method, roles in letters.items()
            if method in FOR_STAFF or "i" in roles[:-1]
        }
    return {method: roles for method, roles in letters.items() if not set(roles) <= {"n", "o", "b"}}


def written(route: str, row: Row) -> str:
    """Return a row as text for the table."""
    return " ".join([route, *(f"{method} {row[method]}" for method in METHODS if method in row)])
