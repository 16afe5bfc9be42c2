"""The version is the same everywhere: `VERSION` of config/settings.py is the source."""

import re
import tomllib
from pathlib import Path

from django.conf import settings

ROOT = Path(__file__).parents[2]
RELEASE = re.compile(r"\d+\.\d+\.\d+")


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_project_and_readme_have_the_version_of_the_settings() -> None:
    assert tomllib.loads(text_of("pyproject.toml"))["project"]["version"] == settings.VERSION
    _, _, status = text_of("README.md").partition("## Status")
    assert re.findall(r"^Version (\S+?)[,.] ", status, re.MULTILINE) == [settings.VERSION]


def test_changelog_has_a_dated_head_for_a_release() -> None:
    heads = re.findall(r"^## (.+)$", text_of("CHANGELOG.md"), re.MULTILINE)
    if RELEASE.fullmatch(settings.VERSION):
        assert any(head.startswith(f"[{settings.VERSION}] - 20") for head in heads)
    else:
        assert heads[0] == "[Unreleased]"


def test_schema_has_the_version(schema: dict[str, dict[str, str]]) -> None:
    assert schema["info"]["version"] == settings.VERSION
