"""A sheet with the figure of each profile of a rule system, to check that drawings are true."""

from collections.abc import Iterator
from pathlib import Path

from django.utils.html import format_html, format_html_join

from documents.printing import typeset
from documents.templatetags.charts import inline
from drawings.shapes import HATS
from drawings.silhouettes import silhouette
from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import CampaignTerms, Ruleset, Sheet
from scripts.prints.pictures import draw_pages

COLUMNS = 6


def print_profiles(folder: Path) -> None:
    """Print a sheet for each rule system, with its pages as pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for key in sorted({rules.key for rules in rulesets()}):
        rules = newest_ruleset(key)
        file = folder / f"{key}.pdf"
        printed = typeset(_markup(rules), paper="A4", identifier="0" * 32)
        file.write_bytes(printed.pdf)
        draw_pages(file)
        print(f"{file}: {printed.pages} page{'' if printed.pages == 1 else 's'}", flush=True)


def _markup(rules: Ruleset) -> str:
    """Return a page with a table of figures, each with its list and its name."""
    cells = [
        format_html("<td>{}<br>{}<br>{}</td>", _figure(sheet), faction, sheet.profile_name)
        for faction, sheet in _sheets(rules)
    ]
    rows = (
        format_html("<tr>{}</tr>", format_html_join("", "{}", ((cell,) for cell in row)))
        for row in (cells[start : start + COLUMNS] for start in range(0, len(cells), COLUMNS))
    )
    return format_html(
        '<!DOCTYPE html><html lang="en"><head><title>{}</title></head><body data-title="{}">'
        "<h1>{}</h1><table>{}</table></body></html>",
        rules.name,
        rules.name,
        rules.name,
        format_html_join("", "{}", ((row,) for row in rows)),
    )


def _figure(sheet: Sheet) -> str:
    hat = next((look for look in sheet.looks if look in HATS), "brim")
    return inline(
        silhouette(sheet.looks, sheet.profile_name, mounted="mounted" in sheet.looks, hat=hat)
    )


def _sheets(rules: Ruleset) -> Iterator[tuple[str, Sheet]]:
    """Yield each profile of each list as it is bought, and the builds that are ready to recruit."""
    for faction in rules.catalogue({})["factions"]:
        terms = CampaignTerms(faction["key"])
        ready = [each.build for each in rules.ready_builds(faction["key"])]
        bare = [rules.bare_build(faction["key"], each["key"]) for each in faction["profiles"]]
        for build in (*bare, *ready):
            yield faction["name"], rules.sheet(rules.clean_build(build, terms), terms)
