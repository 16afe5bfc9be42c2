"""A template tag for a warband's former players, used by the page of an app below this one."""

from django import template

from campaigns.selectors.hand_overs import owner_history

register = template.Library()

register.simple_tag(owner_history, name="owners_of")
