"""A client of Muster with the standard library only: cookies for the pages, a token for the API."""

import json
import time
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
    """An unsuccessful response.

    The text has the request and the response, `codes` the error codes.
    """

    def __init__(self, text: str, codes: frozenset[str] = frozenset()) -> None:
        super().__init__(text)
        self.codes = codes


class Client:
    """A user of one Muster. Every method raises Unexpected for an unsuccessful response."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.token = ""
        self.cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.cookies))

    def sign_in(self, username: str, password: str) -> None:
        """Get a token, and send it with every request from now on."""
        self.token = self.post("tokens/", {"username": username, "password": password})["token"]

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON of a resource."""
        return self._json("GET", _with_query(API + path, query))

    def rows(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Yield every row of a list, page by page."""
        page = 1
        while page:
            answer = self.get(path, page=page, page_size=200, **query)
            yield from answer["results"]
            page = page + 1 if answer["next"] else 0

    def post(self, path: str, data: Any = None) -> Any:
        """Send the data, and return the JSON of the response."""
        return self._json("POST", API + path, {} if data is None else data)

    def put(self, path: str, data: Any) -> Any:
        """Send the data with PUT, and return the JSON of the response."""
        return self._json("PUT", API + path, data)

    def patch(self, path: str, data: Any) -> Any:
        """Send the data with PATCH, and return the JSON of the response."""
        return self._json("PATCH", API + path, data)

    def upload(self, path: str, fields: Mapping[str, str], file: bytes, name: str) -> Any:
        """Send a form with a JPEG, and return the JSON of the response."""
        edge = "--muster-demonstration"
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in fields.items()
        ]
        head = (
            f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: image/jpeg\r\n\r\n"
        )
        body = "".join([*parts, head]).encode() + file + f"\r\n--{edge}--\r\n".encode()
        headers = {**self._signed(), "Content-Type": f"multipart/form-data; boundary={edge}"}
        request = Request(self.url + API + path, data=body, headers=headers, method="POST")
        with self._ask(request) as answer:
            return json.loads(answer.read())

    def download(self, address: str, file: Path) -> int:
        """Download the `file` of a document, and return its size in bytes."""
        with self._ask(Request(self.url + address, headers=self._signed())) as answer:
            return file.write_bytes(answer.read())

    def page(self, path: str, form: Mapping[str, str] | None = None) -> tuple[str, str]:
        """Open a page as a browser does, or send its form.

        Return the final address and its page.
        """
        data = urlencode(form).encode() if form is not None else None
        headers = {"Referer": self.url + path} if form is not None else {}
        with self._ask(Request(self.url + path, data=data, headers=headers)) as answer:
            return answer.url.removeprefix(self.url), answer.read().decode()

    def cookie(self, name: str) -> str:
        """Return the value of a cookie, or ""."""
        return next((cookie.value or "" for cookie in self.cookies if cookie.name == name), "")

    def _json(self, method: str, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        headers = {**self._signed(), "Content-Type": "application/json"}
        request = Request(self.url + path, data=body, headers=headers, method=method)
        with self._ask(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def _ask(self, request: Request) -> HTTPResponse:
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                answer: HTTPResponse = self._opener.open(request, timeout=SECONDS)
            except HTTPError as error:
                if error.code == 503 and time.monotonic() < deadline:
                    # The database is busy. Nothing was written, so the request can be repeated.
                    time.sleep(int(error.headers.get("Retry-After", "1")))
                    continue
                text = error.read().decode(errors="replace")
                raise _refusal(request, f"{error.code} {error.reason}", text) from error
            except OSError as error:
                raise _refusal(request, str(error), "") from error
            return answer

    def _signed(self) -> dict[str, str]:
        return {"Authorization": f"Token {self.token}"} if self.token else {}


def _with_query(path: str, query: Mapping[str, Any]) -> str:
    return f"{path}?{urlencode(query)}" if query else path


def _refusal(request: Request, what: str, text: str) -> Unexpected:
    """Return an error with the request, the response, and each line of the problem."""
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
