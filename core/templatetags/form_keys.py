"""The ``{% csrf_token %}`` of all templates: Django's token and the form key.

It replaces Django's own tag (settings: TEMPLATES, builtins). Every form that posts needs that tag,
so no form can lack its key.
"""

from typing import Any

from django import template
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode

from core.form_keys import form_key_input

register = template.Library()


class KeyedFormNode(CsrfTokenNode):
    """The hidden fields of every form."""

    def render(self, context: Context) -> Any:
        fields = super().render(context)
        request = context.get("request")
        return fields + form_key_input(request) if fields and request is not None else fields


@register.tag
def csrf_token(parser: Parser, token: Token) -> KeyedFormNode:
    """Write the hidden fields of a form."""
    return KeyedFormNode()
