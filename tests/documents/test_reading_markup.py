"""Markup of the templates is read by a faster parser, which must find the same elements."""

import re
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from weasyprint import HTML

from documents.content.documents import AnyContent
from documents.content.print_jobs import plans
from documents.printing import Source, markup
from tests.documents import samples

STORY = """One & two < three.\nA line  \nbroken.

| a | b |
|---|---|
| 1 | "2" |

---

> A quotation with a [link](https://example.org/?a=1&b=2).

```
code  <b>
```
"""
CONTENTS = {
    "campaign": samples.campaign(4, 2, ("Ana", "Otto & <Son>")),
    "empty campaign": samples.empty_campaign(),
    "campaign with a story": samples.campaign_with(story=STORY),
    "warband": samples.warband(),
    "battle": samples.battle_summary(4),
    "career": samples.career(),
    "rank-ups": samples.rank_ups(),
}


def elements(source: HTML) -> Iterator[tuple[str, dict[str, str], str, str]]:
    """Yield tag, attributes, text and tail of all elements.

    Declarations of namespaces mean nothing, nor does the kind of white space, nor any around the
    body.
    """
    for each in source.etree_element.iter():
        attributes = {key: _spaced(text) for key, text in each.attrib.items() if "xmlns" not in key}
        text, tail = _spaced(each.text or ""), _spaced(each.tail or "")
        if each.tag in ("html", "head", "body", "main"):
            text, tail = text.strip(), tail.strip()
        yield each.tag, attributes, text, tail


def _spaced(text: str) -> str:
    return re.sub(r"[ \n]+", " ", text)


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_fast_parser_finds_the_same_elements(content: AnyContent) -> None:
    for plan in plans(content):
        html = markup(plan)
        with patch.object(Source, "_simplify"):
            source = Source(html)
        assert list(elements(source)) == list(elements(HTML(string=html)))


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_templates_are_well_formed(content: AnyContent) -> None:
    with patch.object(HTML, "__init__", side_effect=AssertionError("read by the slow parser")):
        for plan in plans(content):
            Source(markup(plan))


def test_ill_formed_markup_is_read_too() -> None:
    source = Source("<title>T</title><p>One<p>Two &amp; &eacute;")
    assert [each.text for each in source.etree_element.iter("p")] == ["One", "Two & é"]
