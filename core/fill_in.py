"""Fill in a form in the HTML of a finished page, whichever view and template rendered it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.utils.html import escape

NOT_TYPED = ("hidden", "submit", "button", "image", "reset", "file", "password")
"""Kinds of inputs that keep the value that the page gives them."""
OF_ONE_PAGE = ("csrfmiddlewaretoken", "form_key", "client_id", "version", "sequence")
"""Hidden fields that differ from page to page, so they do not identify a form."""

Attributes = dict[str, str | None]


@dataclass(kw_only=True)
class Control:
    """An input, text area or option, with the position of its tag in the page."""

    kind: str
    name: str
    attributes: Attributes
    start: int
    end: int
    content_end: int = 0
    """The position at which the text of a text area ends."""


@dataclass(kw_only=True)
class Form:
    """A form of a page with its controls."""

    key: str
    action: str
    method: str
    start: int
    controls: list[Control] = field(default_factory=list)


@dataclass(kw_only=True)
class Filled:
    """A page with its form filled in.

    ``place`` is the position for a notice about the form. ``left`` has the texts that no longer
    have a field in the form. ``files`` is whether the user must choose files again.
    """

    page: str
    place: int
    left: tuple[str, ...]
    matched: bool
    files: bool


def fill_in(page: str, path: str, action: str, fields: Mapping[str, Sequence[str]]) -> Filled:
    """Fill the typed values into the form of the page that posts to ``action``.

    If several forms do, choose the one whose fields and hidden values are most like those sent.
    """
    read = _Forms(page)
    alike = [
        form
        for form in read.forms
        if form.method == "post" and _target(path, form.action) == action
    ]
    form = max(alike, key=lambda each: _likeness(each, fields), default=None)
    if form is None:
        return Filled(
            page=page, place=read.main, left=_typed(fields, set()), matched=False, files=False
        )
    edits = _edits(page, form, fields)
    for start, end, text in sorted(edits, reverse=True):
        page = page[:start] + text + page[end:]
    return Filled(
        page=page,
        place=form.start,
        left=_typed(fields, {each.name for each in form.controls}),
        matched=True,
        files=any(each.kind == "file" for each in form.controls),
    )


def _target(path: str, action: str) -> str:
    return urlsplit(urljoin(path, action)).path if action else path


def _typed(fields: Mapping[str, Sequence[str]], known_names: set[str]) -> tuple[str, ...]:
    """Return the typed texts of unknown fields that contain a letter."""
    left = [
        value.strip()
        for name, values in fields.items()
        if name not in known_names | {*OF_ONE_PAGE}
        for value in values
    ]
    return tuple(value for value in left if any(letter.isalpha() for letter in value))


def _likeness(form: Form, fields: Mapping[str, Sequence[str]]) -> int:
    names = {each.name for each in form.controls}
    hidden = [
        each for each in form.controls if each.kind == "hidden" and each.name not in OF_ONE_PAGE
    ]
    same = sum(
        1 if (each.attributes.get("value") or "") in fields.get(each.name, ()) else -1
        for each in hidden
    )
    return len(names & fields.keys()) + 3 * same


def _edits(
    page: str, form: Form, fields: Mapping[str, Sequence[str]]
) -> list[tuple[int, int, str]]:
    """Return the changes of the page: start, end and new text of each."""
    left = {name: list(values) for name, values in fields.items()}
    edits = []
    for control in form.controls:
        attributes = control.attributes
        if control.kind in NOT_TYPED or "disabled" in attributes or "readonly" in attributes:
            continue
        if control.kind in ("checkbox", "radio", "option"):
            mark = "selected" if control.kind == "option" else "checked"
            value = attributes.get("value", "on")
            chosen = (value or "") in fields.get(control.name, ())
            if control.kind != "checkbox" and control.name not in fields:
                continue
            now: Attributes = {key: text for key, text in attributes.items() if key != mark}
            tag = "option" if control.kind == "option" else "input"
            edits.append(
                (control.start, control.end, _tag(tag, now | ({mark: None} if chosen else {})))
            )
        elif left.get(control.name):
            text = left[control.name].pop(0)
            if control.kind == "textarea":
                edits.append((control.end, control.content_end, "\n" + escape(text)))
            else:
                edits.append(
                    (control.start, control.end, _tag("input", attributes | {"value": text}))
                )
    return edits


def _tag(name: str, attributes: Attributes) -> str:
    written = (
        f" {key}" if value is None else f' {key}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{''.join(written)}>"


class _Forms(HTMLParser):
    """A parser for the forms of a page.

    A control belongs to the form around it, or to the form that its ``form`` attribute names.
    """

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.main = 0
        self._lines = [0]
        for line in page.split("\n")[:-1]:
            self._lines.append(self._lines[-1] + len(line) + 1)
        self._form: Form | None = None
        self._select: tuple[str, str] | None = None
        self._area: Control | None = None
        self._away: list[tuple[str, Control]] = []
        self.feed(page)
        self.close()
        by_key = {form.key: form for form in self.forms if form.key}
        for key, control in self._away:
            if key in by_key:
                by_key[key].controls.append(control)

    def _place(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes: Attributes = dict(attrs)
        start = self._place()
        end = start + len(self.get_starttag_text() or "")
        name = attributes.get("name") or ""
        if tag == "main":
            self.main = end
        elif tag == "form":
            self._form = Form(
                key=attributes.get("id") or "",
                action=attributes.get("action") or "",
                method=(attributes.get("method") or "get").lower(),
                start=start,
            )
            self.forms.append(self._form)
        elif tag == "select":
            self._select = (name, attributes.get("form") or "")
        elif tag == "option" and self._select is not None:
            self._add("option", *self._select, attributes, start, end)
        elif tag == "textarea":
            self._area = self._add(
                "textarea", name, attributes.get("form") or "", attributes, start, end
            )
        elif tag in ("input", "button"):
            kind = (attributes.get("type") or ("text" if tag == "input" else "submit")).lower()
            self._add(kind, name, attributes.get("form") or "", attributes, start, end)

    def _add(
        self, kind: str, name: str, form: str, attributes: Attributes, start: int, end: int
    ) -> Control:
        control = Control(kind=kind, name=name, attributes=attributes, start=start, end=end)
        if form:
            self._away.append((form, control))
        elif self._form is not None:
            self._form.controls.append(control)
        return control

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea" and self._area is not None:
            self._area.content_end = self._place()
            self._area = None

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.handle_starttag(tag, attrs)
