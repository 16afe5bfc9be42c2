"""The check of the wording finds phrases in every kind of text."""

import pytest

from scripts.wording import findings_in, phrases


@pytest.mark.parametrize(
    ("path", "source", "line", "phrase"),
    [
        ("battles/forms/x.py", '"""Return a form."""\nLABEL = "Whoever plays"\n', 2, "Whoever"),
        ("battles/forms/x.py", '"""Return a form.\n\nIt is read anew.\n"""\n', 3, "anew"),
        ("templates/x.html", '<p>\n{% translate "Muster it" %}</p>', 2, "Muster it"),
        (
            "templates/x.html",
            "<p>{% blocktranslate %}\nAll the same{% endblocktranslate %}",
            2,
            "All the same",
        ),
        ("rulebook/x.toml", 'label = "What\n  became of it"', 1, "What became of"),
        ("docs/x.md", "Run `mend`.\n\nThen mend it.", 3, "mend"),
    ],
)
def test_phrase_is_found_with_its_line(path: str, source: str, line: int, phrase: str) -> None:
    (finding,) = findings_in(path, source)
    assert (finding.line, finding.phrase) == (line, phrase)
    assert finding.instead


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("battles/x.py", 'KEY = "whoever"\n'),
        ("battles/x.py", 'TITLE = "To whom it may concern"  # wording: ok\n'),
        ("templates/x.html", "{# read anew #}<p class='anew'>Add fighter</p>"),
        ("docs/x.md", "    make anew\n\n```\nwhoever\n```\n[link](whoever.md)\n"),
        ("docs/x.md", "They stand beside each other.\n"),
    ],
)
def test_code_and_exceptions_are_passed_over(path: str, source: str) -> None:
    assert list(findings_in(path, source)) == []


def test_suggestions_are_clean() -> None:
    for _, instead in phrases():
        assert not any(pattern.search(instead) for pattern, _ in phrases()), instead
