"""The resources that a document can load while it is printed."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import woff2
from weasyprint import HTML

from documents.print_resources import BASE_URL, AddressRefused, own_file
from documents.printing import OwnFiles, typeset
from tests.documents.reading_pdfs import IDENTIFIER

REFUSED = (
    "http://example.org/x.png",
    "https://example.org/fonts/fonts.css",
    "https://muster.invalid.example.org/fonts/fonts.css",
    "https://muster.invalid@example.org/fonts/fonts.css",
    "ftp://example.org/x.css",
    "file:///etc/passwd",
    "file:///etc/../etc/passwd",
    "data:text/css,body{color:red}",
    "data:image/svg+xml,<svg/>",
    "/etc/passwd",
    "fonts/fonts.css",
    BASE_URL,
    BASE_URL + "fonts/",
    BASE_URL + "fonts/README.md",
    BASE_URL + "fonts/nothing.css",
    BASE_URL + "site/css/base.css",
    BASE_URL + "fonts/../site/css/base.css",
    BASE_URL + "fonts/%2e%2e/%2e%2e/manage.py",
    BASE_URL + "print/../../config/settings.py",
    BASE_URL + "/etc/passwd",
    BASE_URL + "fonts/..%2f..%2f..%2f..%2fetc/passwd",
    "HTTPS://MUSTER.INVALID/fonts/fonts.css",
)


@pytest.mark.parametrize("address", REFUSED)
def test_every_address_but_our_own_files_is_refused(address: str) -> None:
    with pytest.raises(AddressRefused):
        own_file(address)
    with pytest.raises(AddressRefused):
        OwnFiles().fetch(address)


def test_our_own_style_sheets_and_typefaces_are_found() -> None:
    answer = OwnFiles().fetch(BASE_URL + "fonts/fonts.css")
    assert answer.content_type == "text/css"
    assert b"@font-face" in answer.read()
    assert own_file(BASE_URL + "fonts/eb-garamond-regular.woff2").is_file()


def test_print_typefaces_match_pages(settings: Any) -> None:
    packed = sorted((Path(settings.BASE_DIR) / "static" / "fonts").glob("*.woff2"))
    assert len(packed) == 9
    for file in packed:
        buffer = BytesIO()
        woff2.decompress(BytesIO(file.read_bytes()), buffer)
        answer = OwnFiles().fetch(f"{BASE_URL}fonts/{file.name}")
        assert answer.content_type == "font/ttf"
        assert answer.read() == buffer.getvalue(), file.name


def test_a_link_out_of_the_folder_is_not_followed(settings: Any, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "static" / "print").mkdir(parents=True)
    (tmp_path / "secret.css").write_text("secret")
    (tmp_path / "static" / "print" / "sly.css").symlink_to(tmp_path / "secret.css")
    with pytest.raises(AddressRefused):
        own_file(BASE_URL + "print/sly.css")


ATTACKS = (
    '<img src="http://example.org/x.png" alt="x">',
    '<img src="file:///etc/passwd" alt="x">',
    '<object data="file:///etc/passwd">x</object>',
    '<link rel="stylesheet" href="https://example.org/x.css">',
    '<link rel="attachment" href="file:///etc/passwd">',
    '<style>@import url("file:///etc/passwd");</style>',
    '<style>@import "http://example.org/x.css"; p { background: url("http://example.org/x.png") '
    "}</style>",
    '<style>@font-face { font-family: x; src: url("file:///etc/passwd"), local("DejaVu Sans") } p '
    "{ font: 9pt x }"
    "</style>",
    '<p style="background: url(http://example.org/x.png); list-style-image: '
    'url(file:///etc/passwd)">x</p>',
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/>'
    '<use href="http://example.org/#x"/></svg>',
    '<base href="http://example.org/"><img src="x.png" alt="x">',
)


@pytest.mark.parametrize("attack", ATTACKS)
def test_even_raw_markup_loads_nothing(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever gets past cleaning one day: the printer itself opens no file and no connection of
    its own."""

    def never(self: OwnFiles, *_: Any, **__: Any) -> None:
        raise AssertionError("the printer went out by itself")

    monkeypatch.setattr("urllib.request.OpenerDirector.open", never)
    html = (
        f'<!DOCTYPE html><html lang="en"><head><title>x</title></head><body>{attack}<p>still '
        "there</p></body></html>"
    )
    pdf = typeset(html, paper="A4", identifier=IDENTIFIER).pdf
    assert b"root:" not in pdf
    assert b"/EmbeddedFile" not in pdf


def test_the_fetcher_is_asked_for_everything() -> None:
    """The attacks above are real ones: without our fetcher the first kind of them does load a
    file."""
    html = '<html lang="en"><body><style>@import url("file:///etc/hostname");</style></body></html>'
    urls: list[str] = []

    class Spy(OwnFiles):
        def fetch(self, url: str, headers: Any = None) -> Any:
            urls.append(url)
            return super().fetch(url, headers)

    HTML(string=html, base_url=BASE_URL, url_fetcher=Spy()).render()
    assert urls == ["file:///etc/hostname"]
