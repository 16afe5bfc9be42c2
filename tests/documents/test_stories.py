"""Stories, cleaned and printed."""

import re

import pytest

from core.markdown import story_html

HARMLESS = {
    "*so* **much** `for` that": "<p><em>so</em> <strong>much</strong> <code>for</code> that</p>",
    "> said he": "<blockquote>\n<p>said he</p>\n</blockquote>",
    "# Loud": '<p class="heading">Loud</p>',
    "###### Quiet": '<p class="heading">Quiet</p>',
    "[a song](https://example.org/song)": '<p><a href="https://example.org/song">a song</a></p>',
    'he said "no" -- twice': "<p>he said “no” – twice</p>",
    "![the bridge](https://example.org/x.png)": '<p><a href="https://example.org/x.png">'
    "the bridge</a></p>",
    "| Side | VP |\n|---|---|\n| Red | 3 |": "<table>\n<thead>\n<tr>\n<th>Side</th>\n<th>VP</th>\n"
    "</tr>\n</thead>\n<tbody>\n<tr>\n<td>Red</td>\n<td>3</td>\n</tr>\n</tbody>\n</table>",
    "": "",
    "1 < 2 & 3 > 2": "<p>1 &lt; 2 &amp; 3 &gt; 2</p>",
    "a <b>bold</b> man": "<p>a &lt;b&gt;bold&lt;/b&gt; man</p>",
}


@pytest.mark.parametrize(("story", "html"), HARMLESS.items())
def test_story_html_renders_markdown(story: str, html: str) -> None:
    assert story_html(story) == html


def test_story_html_keeps_line_breaks_on_pages() -> None:
    html = story_html("**Nobody** came.\nNor left.", on_a_page=True)
    assert html == "<p><strong>Nobody</strong> came.<br>\nNor left.</p>"


HARMFUL = (
    "<script>alert(1)</script>",
    "<img src=http://example.org/x.png>",
    "![a picture](http://example.org/x.png)",
    "<style>@import url(http://example.org/x.css)</style>",
    "<link rel=stylesheet href=file:///etc/passwd>",
    '<p style="background: url(http://example.org/x.png)" class="cover" id="body" '
    'onclick="x()">text</p>',
    "<svg><image href='file:///etc/passwd'/></svg>",
    "<iframe src=file:///etc/passwd></iframe>",
    "<object data=file:///etc/passwd></object>",
    "[click](javascript:alert(1))",
    "[click](file:///etc/passwd)",
    "[click](data:text/html,x)",
    "[click](muster:standings)",
    "[click](#standings)",
    "[click](/etc/passwd)",
    "[click]( HTTP://example.org)",
    "<meta name=dcterms.created content=2000-01-01>",
    "<base href=http://example.org/>",
    "<a href='http://example.org' rel='attachment' style='x'>x</a>",
)
ALLOWED = re.compile(
    r"</?(p|em|strong|s|code|pre|blockquote|ul|ol|li)>|<(br|hr)>|<p class=\"heading\">|</a>"
)
LINK = re.compile(r'<a href="https?://[^"<>]*">|<a>')


@pytest.mark.parametrize("on_a_page", [False, True])
@pytest.mark.parametrize("story", HARMFUL)
def test_story_html_removes_harmful_parts(story: str, on_a_page: bool) -> None:
    """Only text and harmless tags, attributes and addresses are left."""
    html = story_html(story, on_a_page=on_a_page)
    assert "<" not in LINK.sub("", ALLOWED.sub("", html))


HARD = (
    "> " * 10_000,
    "[" * 20_000,
    "[a](" * 5_000,
    "1. " * 6_000,
    "*a **b " * 2_800,
    "<a " * 6_000,
    "![" * 10_000,
    "|" * 20_000,
    "|a|b|\n|-|-|\n" + "|" * 18_000,
)


@pytest.mark.parametrize("story", HARD)
def test_story_html_survives_hard_input(story: str) -> None:
    assert story_html(story)
