"""Who gets in where: the table in matrix.txt, a row for each route, with a letter for each role and
method."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.http.response import HttpResponseBase

from tests.permissions.every_route import METHODS

FILE = Path(__file__).with_name("matrix.txt")
ROLES = ("anonymous", "stranger", "reader", "player", "organiser", "staff")
LETTERS = {401: "o", 403: "b", 404: "h", 405: "n"}
"""Out: asked to sign in. Barred. Hidden: finds nothing. No such method. All others are let in, and
get an `i`."""
SIGN_IN = ("/admin/login/", "/accounts/login/")
Row = Mapping[str, str]
"""For each method that a route has, a letter for each role."""
FOR_STAFF = dict.fromkeys(METHODS, "ooooo")


@cache
def rows() -> dict[str, Row]:
    """The table by route."""
    lines = (
        line.split()
        for line in FILE.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    )
    return {route: dict(zip(cells[::2], cells[1::2], strict=True)) for route, *cells in lines}


def letter(answer: HttpResponseBase) -> str:
    """What stands in the table for an answer; "!" for a fault."""
    if answer.status_code == 302 and answer.headers["Location"].startswith(SIGN_IN):
        return "o"
    return "!" if answer.status_code >= 500 else LETTERS.get(answer.status_code, "i")


def expected(route: str) -> Row | None:
    """The row of a route; None if it lacks one. What support staff have without a row is shut to
    all others."""
    return rows().get(route, FOR_STAFF if route.startswith("/admin/") else None)


def row(route: str, letters: Row) -> Row:
    """What the answers of a route come to: without the methods that let nobody in and tell nobody
    of anything hidden.

    Where staff may read and where write is theirs to know: of their own routes only what all others
    get is in the row.
    """
    if route.startswith("/admin/") and route not in rows():
        return {
            method: roles[:-1]
            for method, roles in letters.items()
            if method in FOR_STAFF or "i" in roles[:-1]
        }
    return {method: roles for method, roles in letters.items() if not set(roles) <= {"n", "o", "b"}}


def written(route: str, row: Row) -> str:
    """A row as it stands in the table."""
    return " ".join([route, *(f"{method} {row[method]}" for method in METHODS if method in row)])
