"""docs/hooks.md lists every hook of the rule system class, the required ones first."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebook import ruleset

PAGE = Path(__file__).parents[2] / "docs" / "hooks.md"
CLASSES = {
    node.name: node
    for node in ast.parse(Path(ruleset.__file__).read_text(encoding="utf-8")).body
    if isinstance(node, ast.ClassDef)
}
ABILITIES = ("Points", "Progression", "OneStep", "SetUp", "Secrets", "Calculators")
LISTED = re.compile(r"^- `([^`]+)`:\s+\S", re.MULTILINE)


def hooks(name: str, *, required: bool | None = None) -> Iterator[str]:
    """Yield the public hooks of a class with their signatures.

    ``required`` selects those with or without a default.
    """
    for node in CLASSES[name].body:
        if isinstance(node, ast.AnnAssign):
            needed, signature = (
                node.value is None,
                f"{ast.unparse(node.target)}: {type_of(node.annotation)}",
            )
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            decorators = {ast.unparse(each) for each in node.decorator_list}
            needed = "abstractmethod" in decorators
            returned = ast.unparse(node.returns) if node.returns else "None"
            arguments = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
            is_value = bool(decorators & {"property", "cached_property"})
            signature = (
                f"{node.name}: {returned}"
                if is_value
                else f"{node.name}({arguments}) -> {returned}"
            )
        else:
            continue
        if required in (None, needed):
            yield signature


def type_of(annotation: ast.expr) -> str:
    """Return the type of an attribute, or the type inside of ClassVar[...]."""
    return re.sub(r"^ClassVar\[(.*)\]$", r"\1", ast.unparse(annotation))


def listed(heading: str) -> list[str]:
    """Return the hooks that the page lists under a heading."""
    section = re.search(
        rf"^## {re.escape(heading)}\n(.*?)(?=^##|\Z)",
        PAGE.read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    return [" ".join(each.split()) for each in LISTED.findall(section[1])] if section else []


@pytest.mark.parametrize(("heading", "required"), [("Required", True), ("Optional", False)])
def test_page_lists_every_hook_of_a_rule_system(heading: str, required: bool) -> None:
    assert listed(heading) == [*hooks("Ruleset", required=required)]


@pytest.mark.parametrize("ability", ABILITIES)
def test_page_lists_every_hook_of_an_ability(ability: str) -> None:
    expected = hooks(ability)
    if ability == "OneStep":
        # What it fills in for a Progression is no hook any more.
        filled_in = {*hooks("Progression")}
        expected = (each for each in expected if each not in filled_in)
    assert listed(f"`{ability}`") == [*expected]


def test_signatures_are_read_from_the_class() -> None:
    sheet = (
        "sheet(build: BuildData, terms: CampaignTerms, condition: Condition=AS_RECRUITED) -> Sheet"
    )
    assert sheet in [*hooks("Ruleset")]
    assert "victory_points: bool" in [*hooks("Ruleset", required=False)]
    assert "key: str" in [*hooks("Ruleset", required=True)]
