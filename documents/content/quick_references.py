"""The quick reference of a rule system: the tables of its rosters, large."""

from django.utils.translation import gettext

from documents.content.blank_roster import NOBODY
from documents.content.documents import QuickReference
from rulebook.ruleset import Ruleset


def quick_reference_content(rules: Ruleset) -> QuickReference:
    """Return the quick-reference tables of a rule system, for all of its lists."""
    return QuickReference(
        title=gettext("Quick reference: %(ruleset)s") % {"ruleset": rules.name},
        subtitle=rules.name,
        dated="",
        ruleset=rules.name,
        tables=rules.roster_tables(NOBODY),
    )
