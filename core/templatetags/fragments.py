"""``{% fragment "name" value ... %}``: a part of a page, rendered once for the same values."""

from django import template
from django.template import Context
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.utils.safestring import SafeString

from core.fragments import rendered

register = template.Library()


class FragmentNode(template.Node):
    """A part of a page, found again by its values (``core.fragments``)."""

    def __init__(self, name: str, values: list[FilterExpression], nodelist: NodeList) -> None:
        self.name, self.values, self.nodelist = name, values, nodelist

    def render(self, context: Context) -> SafeString:
        """Return the part. It must show nothing but its values."""
        values = [value.resolve(context) for value in self.values]
        return rendered(self.name, values, lambda: self.nodelist.render(context))


@register.tag
def fragment(parser: Parser, token: Token) -> FragmentNode:
    """Render the part between the tags once for the same values, language and time zone."""
    _, name, *values = token.split_contents()
    nodelist = parser.parse(("endfragment",))
    parser.delete_first_token()
    place = f"{parser.origin}:{name}"
    return FragmentNode(place, [parser.compile_filter(value) for value in values], nodelist)
