"""The blank roster of a rule system: a sheet to print and to fill in by hand."""

from django.utils.translation import gettext
from msgspec.structs import replace

from documents.content.documents import BlankRoster
from documents.content.labels import columns, label
from documents.content.structs import Glossed, RosterGroup, RosterRow, RosterSheet
from rulebook.ruleset import CampaignTerms, Roster, RosterFighter, Ruleset

ROWS = 20
NOBODY = Roster(CampaignTerms(""), ())


def blank_content(rules: Ruleset) -> BlankRoster:
    """Return a sheet with twenty empty rows.

    It has the columns of the first profile that the rule system lists.
    """
    faction = rules.catalogue({})["factions"][0]
    terms = CampaignTerms(faction["key"])
    build = rules.clean_build(
        rules.bare_build(faction["key"], faction["profiles"][0]["key"]), terms
    )
    nobody = replace(NOBODY, terms=terms)
    empty = tuple(
        replace(each, value="", note="") for each in columns(rules, rules.sheet(build, terms))
    )
    row = RosterRow("", "", empty, ticked=rules.blank_boxes(build, terms))
    # Some totals exist only if somebody is on the roster.
    somebody = replace(nobody, fighters=(RosterFighter("1", "", build),))
    sums = tuple(Glossed(figure.label) for figure in rules.roster_totals(somebody).figures)
    return BlankRoster(
        title=gettext("Blank roster: %(ruleset)s") % {"ruleset": rules.name},
        subtitle=rules.name,
        dated="",
        ruleset=rules.name,
        roster=RosterSheet(
            id="",
            name="",
            faction="",
            player="",
            words=label(rules, {}),
            fighters=0,
            points=0,
            ticked=rules.roster_boxes(nobody),
            tables=rules.roster_tables(nobody),
            groups=(
                RosterGroup(
                    "", tuple(replace(row, name=str(place)) for place in range(1, ROWS + 1))
                ),
            ),
            sums=sums,
            blank=True,
        ),
    )
