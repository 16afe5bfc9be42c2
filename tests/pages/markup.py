"""Read the HTML of a page: its elements and its faults."""

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser

VOID = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    }
)
LEFT_OPEN = frozenset({"p", "li", "td", "th", "tr", "dt", "dd", "option"})
Attributes = dict[str, str]


class Markup(HTMLParser):
    """The elements of a page with their attributes.

    ``broken`` lists what is not closed in order.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.broken: list[str] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(html)
        self.broken += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # The title of a drawing is its alternative text, not the page's title.
        tag = "svg-title" if tag == "title" and "svg" in self.open else tag
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        tag = "svg-title" if tag == "title" and "svg" in self.open else tag
        if not self.open or self.open[-1] != tag:
            self.broken.append(f"</{tag}> closes {self.open[-3:]}")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[Attributes]:
        """Return the attributes of every element with this tag."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def ids(self) -> list[str]:
        """Return every id."""
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]


def faults(html: str) -> Iterator[str]:
    """Yield the faults of a page as sentences."""
    page = Markup(html)
    yield from page.broken
    yield from _landmarks(page)
    yield from (
        f"the id {name!r} stands twice" for name, times in Counter(page.ids).items() if times > 1
    )
    yield from _inline(page)
    yield from _controls(page)
    yield from _references(page)
    yield from ("an image has no alt" for attributes in page.all("img") if "alt" not in attributes)


def _landmarks(page: Markup) -> Iterator[str]:
    for tag in ("h1", "main", "header", "footer", "title"):
        own = {"header": "masthead", "footer": "colophon"}.get(tag, "")
        landmarks = [each for each in page.all(tag) if own in each.get("class", "")]
        if len(landmarks) != 1:
            yield f"{len(landmarks)} <{tag}>"
    if not any(
        each.get("href") == "#content" and "skip" in each.get("class", "") for each in page.all("a")
    ):
        yield "no skip link"
    if not page.all("html")[0].get("lang"):
        yield "no language"
    yield from ("a <nav> has no name" for each in page.all("nav") if not each.get("aria-label"))


def _inline(page: Markup) -> Iterator[str]:
    for tag, attributes in page.elements:
        if "style" in attributes:
            yield f"<{tag}> has an inline style"
        yield from (
            f"<{tag}> has {name}" for name in attributes if name.startswith(("on", "hx-on"))
        )
        if tag == "script" and "src" not in attributes:
            yield "an inline script"
        outside = attributes.get("src") or (
            attributes.get("href") if tag in ("link", "use") else ""
        )
        if outside and outside.startswith(("http:", "https:", "//")):
            yield f"<{tag}> loads {outside}"


def _controls(page: Markup) -> Iterator[str]:
    named = {each["for"] for each in page.all("label") if each.get("for")}
    wrapped = _inside_labels(page)
    for tag in ("input", "select", "textarea"):
        for each in page.all(tag):
            if each.get("type") in ("hidden", "submit"):
                continue
            if (
                each.get("id") not in named
                and each.get("aria-label") is None
                and each.get("name") not in wrapped
            ):
                yield f"<{tag} name={each.get('name')!r}> has no label"


def _inside_labels(page: Markup) -> set[str]:
    """Return the names of controls that directly follow the opening tag of their label."""
    pairs = zip(page.elements, page.elements[1:], strict=False)
    return {
        after[1].get("name", "")
        for before, after in pairs
        if before[0] == "label" and after[0] == "input"
    }


def _references(page: Markup) -> Iterator[str]:
    ids = set(page.ids)
    for tag, attributes in page.elements:
        for name in ("aria-describedby", "aria-labelledby", "for"):
            for target in attributes.get(name, "").split():
                if target not in ids:
                    yield f"<{tag}> points to {target!r} by {name}, which is not there"
        if (
            tag == "a"
            and attributes.get("href", "").startswith("#")
            and attributes["href"][1:] not in ids
        ):
            yield f"a link leads to {attributes['href']!r}, which is not there"
