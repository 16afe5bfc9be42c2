"""Collect the texts that are marked for translation, and update each language's catalogue.

Translators edit locale/<language>/LC_MESSAGES/django.po. Django reads the .mo next to it, which is
kept in the repository, so that a fresh clone needs neither gettext nor this script.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize
from msgspec.structs import asdict

from rulebook.registry import rulesets
from scripts.packages import APPS

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
LANGUAGES = ("de",)
LIBRARY_WORDS = ROOT / "accounts" / "locale"
"""The catalogues with Muster's words for texts of libraries, edited by hand."""
FACTS = "rulebook/chronicle"
"""The only package of the rules with sentences of Muster; gettext is passed to it."""
WORD = "word"
"""The context of a rule system's terms: nouns within sentences."""
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}


def main() -> None:
    """Write .po and .mo of every language, and print the texts that have no translation."""
    for path in sorted(LIBRARY_WORDS.rglob("django.po")):
        path.with_suffix(".mo").write_bytes(compiled_words(path))
    for language in LANGUAGES:
        catalog = renewed(language)
        with catalogue(language, "po").open("wb") as file:
            write_po(
                file, catalog, width=110, sort_output=True, ignore_obsolete=True, no_location=True
            )
        with catalogue(language, "mo").open("wb") as file:
            write_mo(file, catalog)
        missing = [message.id for message in catalog if message.id and not all(strings(message))]
        print(f"{language}: {len(catalog)} texts, {len(missing)} of them without a translation")
        for text in missing:
            print(f"  {text!r}")


def marked() -> Catalog:
    """Return all marked texts, and the terms and tallies of every rule system.

    Words that a rule system translates itself (``Ruleset.translations``) are left out.
    """
    catalog = Catalog()
    for path, source in _sources():
        for _, text, _, context in extract("python", BytesIO(source.encode()), KEYWORDS):
            catalog.add(text, locations=[(path, 0)], context=context)
    for rules in rulesets():
        words = [*asdict(rules.words).values()]
        words += [word for tally in rules.tallies for word in (tally.label, tally.one, tally.many)]
        for word in words:
            if not all(word in rules.translations.get(language, {}) for language in LANGUAGES):
                catalog.add(word, context=WORD)
    return catalog


def translated(language: str) -> Catalog:
    """Return the translators' catalogue. Raises OSError if there is none."""
    with catalogue(language, "po").open("rb") as file:
        return read_po(file, locale=language)


def compiled(language: str) -> bytes:
    """Return the compiled catalogue that Django reads. Raises OSError if there is none."""
    return catalogue(language, "mo").read_bytes()


def compiled_words(path: Path) -> bytes:
    """Return the compiled catalogue of words for texts of libraries."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.parent.parent.name)
    compiled_catalog = BytesIO()
    write_mo(compiled_catalog, catalog)
    return compiled_catalog.getvalue()


def renewed(language: str) -> Catalog:
    """Return the marked texts with their existing translations."""
    catalog, texts = translated(language), marked()
    texts.creation_date = catalog.creation_date
    catalog.update(texts, no_fuzzy_matching=True)
    return catalog


def catalogue(language: str, kind: str) -> Path:
    """Return the path of a language's catalogue: "po" for translators, "mo" for Django."""
    return LOCALE / language / "LC_MESSAGES" / f"django.{kind}"


def _sources() -> Iterator[tuple[str, str]]:
    """Yield the path and source of every template and Python file with texts.

    A template is converted to Python that calls gettext.
    """
    for path in sorted(
        each for each in (ROOT / "templates").rglob("*") if each.suffix in (".html", ".txt")
    ):
        lines = templatize(path.read_text(encoding="utf-8")).splitlines()
        yield str(path.relative_to(ROOT)), "\n".join(line.lstrip() for line in lines)
    for path in sorted(
        each for package in (*APPS, "config", FACTS) for each in (ROOT / package).rglob("*.py")
    ):
        if "migrations" not in path.parts:
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def strings(message: Message) -> tuple[str, ...]:
    """Return the translation of a text with all its plural forms; "" for each missing one."""
    return tuple(message.string or "") if message.pluralizable else (str(message.string or ""),)


if __name__ == "__main__":
    main()
