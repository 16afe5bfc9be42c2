"""A client of Muster as anybody could write it: the standard library, cookies for the pages, a
token for the API."""

import json
from collections.abc import Iterator, Mapping
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

API = "/api/v1/"
SECONDS = 60


class Unexpected(Exception):
    """An answer that is no success; the text says what was asked and what came back, `codes` why in
    stable words."""

    def __init__(self, text: str, codes: frozenset[str] = frozenset()) -> None:
        super().__init__(text)
        self.codes = codes


class Client:
    """Somebody who talks to one Muster. Every method raises Unexpected for an answer that is no
    success."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.token = ""
        self.cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.cookies))

    def sign_in(self, username: str, password: str) -> None:
        """Get a token, and sign everything with it from now on."""
        self.token = self.post("tokens/", {"username": username, "password": password})["token"]

    def get(self, path: str, **query: Any) -> Any:
        """The JSON of one thing."""
        return self._json("GET", _with_query(API + path, query))

    def rows(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Every row of a list, page by page."""
        page = 1
        while page:
            answer = self.get(path, page=page, page_size=200, **query)
            yield from answer["results"]
            page = page + 1 if answer["next"] else 0

    def post(self, path: str, data: Any = None) -> Any:
        """Send, and the JSON that comes back."""
        return self._json("POST", API + path, {} if data is None else data)

    def put(self, path: str, data: Any) -> Any:
        """As ``post``."""
        return self._json("PUT", API + path, data)

    def patch(self, path: str, data: Any) -> Any:
        """As ``post``."""
        return self._json("PATCH", API + path, data)

    def download(self, address: str, file: Path) -> int:
        """Fetch what a document's `file` names; returns its size in bytes."""
        with self._ask(Request(self.url + address, headers=self._signed())) as answer:
            return file.write_bytes(answer.read())

    def page(self, path: str, form: Mapping[str, str] | None = None) -> tuple[str, str]:
        """Open a page as a browser would, or send its form; returns where one ends up, and the page
        there."""
        data = urlencode(form).encode() if form is not None else None
        headers = {"Referer": self.url + path} if form is not None else {}
        with self._ask(Request(self.url + path, data=data, headers=headers)) as answer:
            return answer.url.removeprefix(self.url), answer.read().decode()

    def cookie(self, name: str) -> str:
        """The value of a cookie, "" if there is none."""
        return next((cookie.value or "" for cookie in self.cookies if cookie.name == name), "")

    def _json(self, method: str, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        headers = {**self._signed(), "Content-Type": "application/json"}
        request = Request(self.url + path, data=body, headers=headers, method=method)
        with self._ask(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def _ask(self, request: Request) -> HTTPResponse:
        try:
            answer: HTTPResponse = self._opener.open(request, timeout=SECONDS)
        except HTTPError as error:
            raise _refusal(
                request, f"{error.code} {error.reason}", error.read().decode(errors="replace")
            ) from error
        except OSError as error:
            raise _refusal(request, str(error), "") from error
        return answer

    def _signed(self) -> dict[str, str]:
        return {"Authorization": f"Token {self.token}"} if self.token else {}


def _with_query(path: str, query: Mapping[str, Any]) -> str:
    return f"{path}?{urlencode(query)}" if query else path


def _refusal(request: Request, what: str, text: str) -> Unexpected:
    """What was asked, what came back, and each line of the problem."""
    opening = f"{request.get_method()} {request.selector} was answered with {what}."
    try:
        problem = json.loads(text)
    except ValueError:
        return Unexpected(f"{opening}\n{text[:500]}".strip())
    lines = [problem, *problem.get("errors", ())]
    words = [
        f"  {each.get('code', '')} {each.get('field', '')}: {each.get('detail', '')}"
        for each in lines
    ]
    return Unexpected(
        "\n".join([opening, *words]), frozenset(str(each.get("code", "")) for each in lines)
    )
