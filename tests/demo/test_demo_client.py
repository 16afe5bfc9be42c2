"""The demonstration's client: what it makes of answers, good and bad."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from scripts.demo.client import Client, Unexpected
from scripts.demo.people import NameTaken, sign_up

TAKEN = (
    '<div id="errors"><ul><li><a href="#n">Name</a></li></ul></div>'
    '<input id="n"><div class="error" id="n_error"><p>it is taken <b>already</b>.</p></div>'
)
PROBLEM = {
    "code": "rules",
    "detail": "No.",
    "errors": [{"code": "over-points-limit", "field": "x", "detail": "!"}],
}


class Answers(BaseHTTPRequestHandler):
    """A server with a few answers, for clients that meet errors."""

    def do_GET(self) -> None:
        if self.path.startswith("/accounts/"):
            self.answer(200, "<form>")
        elif "page=1" in self.path:
            self.answer(200, json.dumps({"results": [{"n": 1}], "next": "more"}))
        elif "page=2" in self.path:
            self.answer(200, json.dumps({"results": [{"n": 2}], "next": None}))
        else:
            self.answer(500, "<h1>no JSON</h1>")

    def do_POST(self) -> None:
        if self.path.startswith("/accounts/"):
            self.answer(
                200,
                TAKEN
                if b"=alice&" in self.rfile.read(int(self.headers["Content-Length"]))
                else "<p>?</p>",
            )
        else:
            problem = {
                "code": "rules",
                "detail": "No.",
                "errors": [{"code": "over-points-limit", "field": "x", "detail": "!"}],
            }
            self.answer(400, json.dumps(problem))

    def answer(self, status: int, text: str) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *words: Any) -> None:
        return


@pytest.fixture
def server() -> Iterator[str]:
    """Yield the address of a server with these answers."""
    httpd = HTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    httpd.server_close()


def test_refusal_shows_request_and_every_problem(server):
    with pytest.raises(
        Unexpected, match=r"(?s)POST /api/v1/battles/ was answered with 400.*over-points-limit x: !"
    ) as refused:
        Client(server).post("battles/", {})
    assert refused.value.codes == {"rules", "over-points-limit"}


def test_client_shows_answer_that_is_not_json(server):
    with pytest.raises(Unexpected, match=r"(?s)500.*no JSON"):
        Client(server).get("clubs/")


def test_a_server_that_is_gone_is_no_mystery():
    with pytest.raises(Unexpected, match="GET /api/v1/clubs/"):
        Client("http://127.0.0.1:9").get("clubs/")


def test_a_list_is_read_to_its_last_page(server):
    assert list(Client(server).rows("clubs/")) == [{"n": 1}, {"n": 2}]


def test_a_name_that_is_taken_is_told_apart_from_other_troubles(server):
    with pytest.raises(NameTaken, match="it is taken already"):
        sign_up(server, "alice")
    with pytest.raises(Unexpected, match="no reason") as other:
        sign_up(server, "bob")
    assert not isinstance(other.value, NameTaken)


def test_a_document_lands_in_its_file(server, tmp_path):
    assert Client(server).download("/accounts/", tmp_path / "page") == len("<form>")
    assert Path(tmp_path / "page").read_text() == "<form>"
