"""The check of the wording finds phrases in every kind of text, and suggests other words."""

import pytest

from scripts.wording import GAPS, KINDS, Finding, files_to_read, findings_in, main, phrases


@pytest.mark.parametrize(
    ("path", "source", "line", "phrase", "instead"),
    [
        ("battles/x.py", 'A = 1\nLABEL = "Whoever plays"\n', 2, "Whoever", "anyone who"),
        ("battles/x.py", '"""Return a form.\n\nIt is read anew.\n"""\n', 3, "anew", "again"),
        ("battles/x.py", '"""Whether it plays."""\n', 1, "Whether it", "Return"),
        ("battles/x.py", 'LABEL = _("Enrol")\n', 1, "Enrol", "enter"),
        ("battles/x.py", 'LABEL = f"{side} slew {other}"\n', 1, "slew", "killed"),
        ("templates/x.html", '<p>\n{% translate "Muster it" %}</p>', 2, "Muster it", "create"),
        ("templates/x.html", "<h2>\nTo be played</h2>", 2, "To be played", "heading"),
        (
            "templates/x.html",
            "<p>{% blocktranslate %}\nAll the same{% endblocktranslate %}",
            2,
            "All the same",
            "anyway",
        ),
        ("templates/mail/x.txt", "Hello\nYou shall come", 2, "shall", "will"),
        ("rulebook/x/a.toml", 'a = 1\nb = "What became of it"', 2, "What became of", "happened"),
        ("rulebook/x/a.py", 'A = "It is told once."\n', 1, "is told", "is shown"),
        ("docs/x.md", "Run `mend`.\n\nThen mend it.", 3, "mend", "fix"),
        ("manual/pages/x.en.md", "Take your seat.", 1, "seat", "member"),
        ("tests/x.py", "\ndef test_order_is_read_anew():\n    pass\n", 2, "anew", "again"),
        ("tests/x.py", '"""Tests of whom."""\n', 1, "whom", "name the person"),
    ],
)
def test_findings_have_line_phrase_and_suggestion(
    path: str, source: str, line: int, phrase: str, instead: str
) -> None:
    (finding,) = findings_in(path, source)
    assert (finding.line, finding.phrase) == (line, phrase)
    assert instead in finding.instead


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("battles/x.py", 'KEY = "whoever"\n'),
        ("battles/x.py", '"""Return ``whom`` and `beside`."""\n'),
        ("battles/x.py", 'TITLE = "To whom it may concern"  # wording: ok\n'),
        ("battles/x.py", 'TITLE = (\n    "To whom it "\n    "may concern"  # wording: ok\n)\n'),
        ("battles/x.py", 'A = gettext("%(whom)s and %(seat)s")\n'),
        ("battles/x.py", '"""Return the enrolment."""\n'),
        ("templates/x.html", "{# read anew #}<p class='anew'>Add fighter</p>"),
        ("templates/x.html", "<p>To whom it may concern</p>{# wording: ok #}"),
        ("docs/x.md", "    make anew\n\n```\nwhoever\n```\n[link](whoever.md)\n"),
        ("docs/x.md", "They stand beside each other.\n"),
        ("rulebook/x/a.toml", '# mended\na = "It stands on the hill."\n'),
        ("rulebook/x/a.py", '"""Return who stands on the hill."""\n'),
        ("tests/x.py", 'def test_page():\n    assert "whoever" in "all the same"\n'),
    ],
)
def test_findings_pass_over_code_and_exceptions(path: str, source: str) -> None:
    assert list(findings_in(path, source)) == []


def test_findings_keep_game_words_to_games() -> None:
    text = "The unit stands on the hill."
    assert list(findings_in("docs/rulesets/x.md", text)) == []
    assert [each.phrase for each in findings_in("docs/x.md", text)] == ["stands on"]


def test_phrases_name_known_kinds_and_clean_suggestions() -> None:
    for phrase in phrases():
        assert phrase.kinds and phrase.kinds <= KINDS
        assert not any(
            each.pattern.search(GAPS.sub("-", phrase.instead))
            for each in phrases()
            if each.kinds == KINDS
        ), phrase.instead


def test_files_to_read_have_texts_for_people() -> None:
    paths = ("templates", "manual", "docs", "locale", "tests/documents", "rulebook/systems/wards")
    read = files_to_read(paths)
    assert {"docs/api.md", "manual/pages/index.en.md", "templates/base.html"} <= {*read}
    assert {"tests/documents/test_prose.py", "rulebook/systems/wards/data/rulings.toml"} <= {*read}
    foreign = ("manual/pages/index.de.md", "tests/documents/sentences.txt")
    assert not {*foreign} & {*read}
    assert not [path for path in read if "locale" in path or path.endswith("translations.toml")]


def test_main_prints_findings_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("scripts/wording.toml", "scripts/wording.py")) == 0
    finding = Finding("docs/x.md", 3, "anew", "again")
    monkeypatch.setattr("scripts.wording.findings_in", lambda path, source: [finding])
    assert main(("scripts/wording.py",)) == 1
    assert capsys.readouterr().out == 'docs/x.md:3: "anew" -> again\n'
