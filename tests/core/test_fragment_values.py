"""A part of a page that is found again by its values shows nothing but these values.

``{% fragment "name" value ... %}`` returns the same text for the same values, so a variable that
is used between the tags and not listed would be shown as it was for somebody else.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import Context, Engine, Template, engines
from django.template.base import (
    FilterExpression,
    Node,
    NodeList,
    Token,
    TokenType,
    Variable,
)
from django.template.defaulttags import CsrfTokenNode, ForNode, NowNode, WithNode
from django.template.library import InclusionNode, SimpleNode
from django.template.loader_tags import IncludeNode
from django.templatetags.i18n import BlockTranslateNode
from django.utils.safestring import mark_safe

from core.templatetags.fragments import FragmentNode

ROOT = Path(settings.BASE_DIR) / "templates"
WITH_FRAGMENTS = sorted(
    str(file.relative_to(ROOT))
    for file in ROOT.rglob("*.html")
    if "{% fragment " in file.read_text()
)
QUOTES = "'\""
CONSTANTS = {"True", "False", "None"}
OF_NOW = {"naturalday", "naturaltime", "timesince", "timeuntil"}
"""Filters whose text changes although their values do not."""
NAMES_OF_RESULTS = ("target_var", "asvar", "var_name", "variable", "variable_name", "name")
"""Where tags keep the name of the variable that they set."""
READ_BY_TAGS = {"portrait": "portraits"}
"""Tags that take the context, and the only variable of it that decides what they show."""
Scope = frozenset[str]


def engine() -> Engine:
    """Return the engine that renders Muster's pages."""
    backend: Any = engines["django"]
    renderer: Engine = backend.engine
    return renderer


def unlisted(template: Template) -> list[str]:
    """Return what the template's fragments use and do not list."""
    return [
        f"{fragment.name.rpartition(':')[2].strip(QUOTES)}: {use}"
        for fragment in template.nodelist.get_nodes_by_type(FragmentNode)
        if isinstance(fragment, FragmentNode)
        for use in uses(fragment)
    ]


def uses(fragment: FragmentNode) -> Iterator[str]:
    listed = frozenset(path for value in fragment.values for path in paths(value))
    yield from in_nodes(fragment.nodelist, listed)


def in_nodes(nodes: Sequence[Node], scope: Scope) -> Iterator[str]:
    """Yield the faults of nodes in their order. A tag may set a variable for those after it."""
    for node in nodes:
        yield from in_node(node, scope)
        names = (vars(node).get(name) for name in NAMES_OF_RESULTS)
        scope |= {str(name) for name in names if isinstance(name, str)}


def in_node(node: Node, scope: Scope) -> Iterator[str]:
    yield from forbidden(node, scope)
    if isinstance(node, IncludeNode):
        yield from in_include(node, scope)
        return
    if isinstance(node, BlockTranslateNode):
        yield from in_translation(node, scope)
        return
    if isinstance(node, FragmentNode):
        # It checks itself; here, what it lists must be known.
        yield from in_expressions(node.values, scope)
        return
    inside = scope
    if isinstance(node, ForNode):
        inside = scope | {*node.loopvars, "forloop"}
    if isinstance(node, WithNode):
        inside = scope | set(node.extra_context)
    for name, value in vars(node).items():
        if name in ("token", "origin"):
            continue
        if isinstance(value, NodeList):
            yield from in_nodes(value, inside)
        else:
            yield from in_expressions(value, scope, inside)


def forbidden(node: Node, scope: Scope) -> Iterator[str]:
    """Yield a tag that shows more than its values."""
    if isinstance(node, CsrfTokenNode | NowNode):
        yield f"{{% {node.token.contents} %}}"
    if isinstance(node, SimpleNode | InclusionNode) and node.takes_context:
        if READ_BY_TAGS.get(node.func.__name__) in scope:
            return
        yield f"{{% {node.token.contents} %}} takes the context"


def in_include(node: IncludeNode, scope: Scope) -> Iterator[str]:
    yield from in_expressions(node.extra_context, scope)
    literal: Any = node.template.var
    assert isinstance(literal, str), f"The name of a template is computed: {node.token.contents}"
    given = frozenset(node.extra_context)
    included = engine().get_template(literal)
    yield from in_nodes(included.nodelist, given if node.isolated_context else scope | given)


def in_translation(node: BlockTranslateNode, scope: Scope) -> Iterator[str]:
    yield from in_expressions([node.extra_context, node.counter], scope)
    inside = scope | set(node.extra_context) | {str(node.countervar)}
    tokens: Sequence[Token] = [*node.singular, *(node.plural or ())]
    for token in tokens:
        if token.token_type == TokenType.VAR and not is_in(token.contents.strip(), inside):
            yield token.contents


def in_expressions(value: Any, scope: Scope, inside: Scope = frozenset()) -> Iterator[str]:
    """Yield the faults of all expressions in a value: a list, a condition of ``if``, a mapping."""
    if isinstance(value, FilterExpression | Variable):
        yield from in_expression(value, scope)
    elif isinstance(value, NodeList):
        yield from in_nodes(value, inside or scope)
    elif isinstance(value, Node):
        yield from in_node(value, inside or scope)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from in_expressions(each, scope, inside)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from in_expressions(each, scope, inside)
    elif hasattr(value, "lbp"):
        # A condition: an operator with its sides, or a literal with its expression.
        for name in ("value", "first", "second"):
            yield from in_expressions(getattr(value, name, None), scope, inside)


def in_expression(value: FilterExpression | Variable, scope: Scope) -> Iterator[str]:
    yield from (path for path in paths(value) if not is_in(path, scope))
    if isinstance(value, FilterExpression):
        names = (getattr(filter_, "_filter_name", "") for filter_, _ in value.filters)
        yield from (f"|{name}" for name in names if name in OF_NOW)


def paths(value: Any) -> Iterator[str]:
    """Yield the variables of an expression and of its filters' arguments, such as "page.id"."""
    if isinstance(value, Variable):
        if value.lookups:
            yield ".".join(value.lookups)
    elif isinstance(value, FilterExpression):
        yield from paths(value.var)
        for _, arguments in value.filters:
            for is_variable, argument in arguments:
                if is_variable:
                    yield from paths(argument)


def is_in(path: str, scope: Scope) -> bool:
    """Return whether a variable, or a value that it is a part of, is in the scope."""
    parts = path.split(".")
    wholes = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return path in CONSTANTS or any(whole in scope for whole in wholes)


@pytest.mark.parametrize("name", WITH_FRAGMENTS)
def test_fragment_uses_only_its_values(name: str) -> None:
    assert unlisted(engine().get_template(name)) == []


def test_fragments_exist() -> None:
    assert "battles/side_fold.html" in WITH_FRAGMENTS


FAULTS = [
    ("{{ page.id }}", ["part: page.id"]),
    ("{% if page.sides and reader.name %}x{% endif %}", ["part: reader.name"]),
    ("{% for one in page.sides %}{{ one.name }}{{ two }}{% endfor %}{{ one }}", ["part: two", "part: one"]),
    ("{{ page.sides|default:other }}", ["part: other"]),
    ("{% url 'battles:battle' page.id %}", ["part: page.id"]),
    ("{% csrf_token %}", ["part: {% csrf_token %}"]),
    ("{% blocktranslate with a=page.sides %}{{ a }} {{ b }}{% endblocktranslate %}", ["part: b"]),
    ("{% with a=b %}{{ a }}{% endwith %}", ["part: b"]),
    ("{% crest page.sides %}", ["part: {% crest page.sides %} takes the context"]),
    ("{{ page.sides|timesince }}", ["part: |timesince"]),
]  # fmt: skip


@pytest.mark.parametrize(("inside", "faults"), FAULTS)
def test_check_finds_values_that_are_not_listed(inside: str, faults: list[str]) -> None:
    text = "{% load fragments i18n pictures %}{% fragment 'part' page.sides %}"
    assert unlisted(engine().from_string(f"{text}{inside}{{% endfragment %}}")) == faults


def test_check_follows_includes() -> None:
    text = (
        "{% load fragments %}{% fragment 'part' one %}"
        '{% include "battles/table_why.html" with outcome=one %}{% endfragment %}'
    )
    faults = unlisted(engine().from_string(text))
    assert faults and set(faults) == {"part: page.ruleset"}


def test_fragment_tells_safe_text_from_other_text() -> None:
    page = engine().from_string(
        "{% load fragments %}{% fragment 'part' text %}{{ text }}{% endfragment %}"
    )
    shown = [page.render(Context({"text": text})) for text in ("<b>", mark_safe("<b>"), "<b>")]
    assert shown == ["&lt;b&gt;", "<b>", "&lt;b&gt;"]
