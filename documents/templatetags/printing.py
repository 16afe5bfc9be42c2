"""What pages need to ask for documents."""

from uuid import UUID

from django import template

from documents.content.blank_roster import blank_subject

register = template.Library()


@register.simple_tag
def blank_roster(ruleset: str) -> UUID:
    """The subject of a rule system's blank roster."""
    return blank_subject(ruleset)
