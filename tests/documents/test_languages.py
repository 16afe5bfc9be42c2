"""A document in the language for which it was asked: its own row, its own texts, dates, quotation
marks and file."""

import inspect
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.translation import get_language
from msgspec.structs import replace
from pypdf import PdfReader
from rest_framework.test import APIClient

from battles.models import Battle
from campaigns.models import CampaignState, Format
from campaigns.scoring import IN_WORDS, Scoring
from core.errors import InvalidInput
from core.markdown import story_html
from core.ruleset_words import translated_tallies
from documents.content.labels import LABELS
from documents.content.print_jobs import plans
from documents.content.registry import content_hash
from documents.content.structs import Casualty
from documents.languages import language_named, language_of, speaking
from documents.models import Document, DocumentKind, Language, Paper
from documents.printing import markup
from documents.prose import IN, prose
from documents.prose.language import Prose
from documents.services.requesting import refresh_documents, request_document
from documents.templatetags.printed import day, ended
from drawings.bars import BarMark
from rulebook.registry import RULESETS, newest_ruleset
from scripts.translations import LANGUAGES
from tests.documents import samples
from tests.documents.conftest import made
from tests.documents.reading_pdfs import pages, printed
from tests.documents.reading_tags import document
from warbands.models import Warband

pytestmark = pytest.mark.one_database

URL = "/api/v1/documents/"
MARKS: tuple[BarMark, ...] = ("well", "dead")


@pytest.mark.django_db
def test_each_language_of_a_thing_is_a_document_of_its_own(alice: User, reds: Warband) -> None:
    kwargs: dict[str, Any] = {"user": alice, "kind": DocumentKind.ROSTER, "subject": reds.pk}
    english, german = (
        request_document(**kwargs),
        request_document(**kwargs, language=Language.GERMAN),
    )
    assert english.pk != german.pk
    assert request_document(**kwargs, language=Language.GERMAN).pk == german.pk


@pytest.mark.django_db
def test_a_worker_sets_a_document_in_its_language_and_speaks_its_own_afterwards(
    alice: User, battle: Battle
) -> None:
    before = get_language()
    kwargs: dict[str, Any] = {"user": alice, "kind": DocumentKind.BATTLE, "subject": battle.pk}
    english, german = (made(request_document(**kwargs, language=language)) for language in Language)
    assert get_language() == before
    assert english.content_hash != german.content_hash
    with english.file.open("rb") as file:
        reader = PdfReader(file)
        assert str(reader.root_object["/Lang"]) == "en-GB"
        assert "Created with Muster" in reader.pages[-1].extract_text()
    with german.file.open("rb") as file:
        reader = PdfReader(file)
        assert str(reader.root_object["/Lang"]) == "de"
        assert "Erstellt mit Muster" in reader.pages[-1].extract_text()


@pytest.mark.django_db
def test_an_unchanged_document_is_ready_at_once_in_its_language(alice: User, reds: Warband) -> None:
    kwargs: dict[str, Any] = {
        "user": alice,
        "kind": DocumentKind.ROSTER,
        "subject": reds.pk,
        "language": "de",
    }
    made(request_document(**kwargs))
    assert request_document(**kwargs).state == "ready"


@pytest.mark.django_db
def test_confirmation_refreshes_every_language(alice: User, battle: Battle) -> None:
    request_document(
        user=alice, kind=DocumentKind.BATTLE, subject=battle.pk, language=Language.GERMAN
    )
    documents = refresh_documents(DocumentKind.BATTLE, battle.pk)
    assert {(document.paper, document.language) for document in documents} == {
        ("A4", "en"),
        ("A4", "de"),
    }


def test_the_language_is_a_part_of_the_fingerprint() -> None:
    content = samples.warband()
    assert content_hash(content, Paper.A4, "de") != content_hash(content, Paper.A4, "en")


@pytest.mark.django_db
def test_the_api_takes_a_language_and_tells_it(as_alice: APIClient, reds: Warband) -> None:
    data = as_alice.post(URL, {"kind": "roster", "subject": str(reds.pk), "language": "de"}).data
    assert data["language"] == "de"
    assert [each["id"] for each in as_alice.get(URL, {"language": "de"}).data["results"]] == [
        data["id"]
    ]
    assert as_alice.get(URL, {"language": "en"}).data["results"] == []


@pytest.mark.django_db
def test_the_api_goes_by_the_languages_that_a_client_reads(
    as_alice: APIClient, reds: Warband
) -> None:
    body = {"kind": "roster", "subject": str(reds.pk)}
    german = as_alice.post(URL, body, headers={"Accept-Language": "fr, de-AT;q=0.9, en;q=0.1"})
    assert german.data["language"] == "de"
    assert as_alice.post(URL, body).data["language"] == "en"


@pytest.mark.django_db
def test_unknown_language_error_lists_languages(as_alice: APIClient, reds: Warband) -> None:
    answer = as_alice.post(URL, {"kind": "roster", "subject": str(reds.pk), "language": "la"})
    assert (answer.status_code, answer.data["code"]) == (400, "unknown-language")
    assert '"en" (English), "de" (Deutsch)' in answer.data["errors"][0]["detail"]
    assert not Document.objects.exists()


@pytest.mark.django_db
def test_the_form_asks_for_the_language_and_offers_the_reader_s_own(
    client: Client, alice: User, reds: Warband
) -> None:
    client.force_login(alice)
    address = f"{reverse('documents:ask')}?kind=roster&subject={reds.pk}"
    form = client.get(address, headers={"Accept-Language": "de"}).context["form"]
    assert form["language"].value() == Language.GERMAN
    client.post(
        address, {"kind": "roster", "subject": str(reds.pk), "paper": "A4", "language": "de"}
    )
    assert Document.objects.get().language == "de"


def test_languages_are_found_by_their_names_and_by_what_a_browser_asks_for() -> None:
    assert language_named("de") is Language.GERMAN
    with pytest.raises(InvalidInput):
        language_named(["de"])
    asking = RequestFactory().get
    assert (
        language_of(asking("/", headers={"Accept-Language": "en-US,de;q=0.5"})) == Language.ENGLISH
    )
    assert language_of(asking("/", headers={"Accept-Language": "de-CH"})) == Language.GERMAN
    assert language_of(asking("/", headers={"Accept-Language": "fr"})) == Language.ENGLISH
    assert language_of(asking("/")) == Language.ENGLISH


def test_dates_words_and_quotes_follow_language() -> None:
    assert (day("1648-03-12"), ended("lost")) == ("12 March 1648", "lost")
    assert story_html('She said "no".') == "<p>She said “no”.</p>"
    with speaking("de"):
        assert (day("1648-03-12"), day("some day"), ended("lost")) == (
            "12. März 1648",
            "some day",
            "verloren",
        )
        assert story_html('Sie sagte "nein".') == "<p>Sie sagte „nein“.</p>"


def test_every_kind_of_document_is_printed_in_german() -> None:
    contents = (
        samples.campaign(2, 2),
        samples.warband(),
        samples.battle_summary(4),
        samples.career(),
        samples.rank_ups(),
    )
    with speaking("de"):
        texts = [" ".join(pages(printed(content).pdf)) for content in contents]
    for text, word in zip(
        texts, ("Tabelle", "3 Gefechte", "Runden", "Werdegang", "EP verfügbar"), strict=True
    ):
        assert word in text
        # A sheet for the table has no room for a colophon.
        assert ("Erstellt mit Muster" in text) == (word != "3 Gefechte")


def test_every_language_can_tell_everything() -> None:
    """Each module has every function of the protocol, with as many parameters."""
    functions = {
        name: member
        for name, member in vars(Prose).items()
        if inspect.isfunction(member) and not name.startswith("_")
    }
    for language, module in IN.items():
        for name, function in functions.items():
            parameters = inspect.signature(getattr(module, name)).parameters
            assert len(parameters) == len(inspect.signature(function).parameters) - 1, (
                language,
                name,
            )


def test_prose_is_in_the_active_language() -> None:
    assert prose() is IN["en"]
    with speaking("de"):
        assert prose() is IN["de"]
    assert set(IN) == set(Language.values) == {"en", *LANGUAGES}


def test_what_other_rooms_call_things_is_known_to_translators() -> None:
    assert set(LABELS) == {*Format.labels, *CampaignState.labels, *IN_WORDS.values()}


@pytest.mark.parametrize("language", Language.values)
def test_how_a_table_counts_is_said_in_every_language(language: str) -> None:
    with speaking(language):
        sentences = (
            prose().scoring(Scoring(clear_win=1, margin=5)),
            prose().scoring(Scoring(bye=2), True).partition(". ")[2],
            prose().tie_rule(Scoring()),
            prose().tie_rule(Scoring(tie_breakers=())),
        )
    expected = {
        "en": (
            Scoring(clear_win=1, margin=5).rule,
            "A bye is worth 2. A walkover counts as a win and a forfeit as a defeat, also in "
            "tie-breakers.",
            Scoring().tie_rule,
            Scoring(tie_breakers=()).tie_rule,
        ),
        "de": (
            "Punkte: 3 für einen Sieg, 1 für ein Unentschieden, 0 für eine Niederlage, 1 mehr für "
            "einen Sieg mit "
            "mindestens 5 Siegpunkten Vorsprung.",
            "Für ein Freilos gibt es 2; ein kampfloser Sieg zählt als Sieg, Nichtantreten als "
            "Niederlage, auch wenn "
            "bei Gleichstand Siege oder der direkte Vergleich entscheiden.",
            "Bei gleicher Punktzahl entscheiden die Differenz der Siegpunkte, dann die erzielten "
            "Siegpunkte, "
            "dann die Punkte aus den Gefechten untereinander, dann die gewonnenen Gefechte; wer "
            "dann noch gleich "
            "ist, teilt sich den Platz.",
            "Wer gleich viele Punkte hat, teilt sich den Platz.",
        ),
    }
    assert sentences == expected[language]


def test_a_battle_is_won_in_german_too() -> None:
    two, four = samples.battle(sides=2).sides, samples.battle(sides=4).sides
    with speaking("de"):
        assert prose().battle_verdict(two, True) == "The Cardinal's Guard gewinnt."
        assert prose().battle_verdict(two[1:], False) == "Das Gefecht endete unentschieden."
        assert prose().battle_verdict(four, True) == "The Cardinal's Guard gewinnt."
        assert prose().casualties(MARKS) == "Von 2 im Feld: 1 unversehrt, 1 verloren."
    assert prose().battle_verdict(two, True) == "The Cardinal's Guard won."


@pytest.mark.parametrize(
    ("ended", "sentence"),
    [
        (
            (("won", 0), ("lost", 2)),
            "A gewinnt. Die Siegpunkte gaben nicht den Ausschlag.",
        ),
        ((("drew", 4), ("drew", 4)), "Das Gefecht endete unentschieden."),
        (
            (("lost", 2), ("drew", 5), ("lost", -3), ("drew", 5)),
            "Unentschieden zwischen B und D.",
        ),
        (
            (("won", 4), ("won", 3), ("lost", 1)),
            "A und B gewinnen gemeinsam.",
        ),
    ],
)
def test_german_verdicts_leave_points_to_the_table(
    ended: tuple[tuple[str, int], ...], sentence: str
) -> None:
    bare = samples.battle(sides=2).sides[0]
    sides = [
        replace(bare, warband=name, outcome=outcome, victory_points=points)
        for name, (outcome, points) in zip("ABCD", ended, strict=False)
    ]
    assert IN["de"].battle_verdict(sides, True) == sentence


def test_german_tells_who_came_to_harm_where_no_points_are_scored() -> None:
    hurt = (
        Casualty("Otto", harm="außer Gefecht"),
        Casualty("Jan", harm="außer Gefecht"),
        Casualty("Piet", dead=True),
    )
    won, lost = samples.battle(sides=2).sides
    sides = replace(won, casualties=()), replace(lost, casualties=hurt, fielded=8)
    assert IN["de"].battle_verdict(sides, False) == (
        f"{won.warband} gewinnt. "
        f"Zu Schaden kamen: {won.warband} niemand; {lost.warband} 3 von 8 (2 außer Gefecht, 1 "
        "verloren)."
    )


def test_verdict_counts_units_with_losses_and_leaves_the_parts_to_their_list() -> None:
    hurt = (
        Casualty("The Bills", harm="2 von 4 Basen verloren"),
        Casualty("The Bows", harm="1½ von 4½ Basen verloren"),
        Casualty("Black Meg", dead=True),
    )
    won, lost = samples.battle(sides=2).sides
    sides = replace(won, casualties=()), replace(lost, casualties=hurt, fielded=8)
    assert "3 von 8 (2 mit Verlusten, 1 verloren)" in IN["de"].battle_verdict(sides, False)
    assert "3 of 8 (2 with losses, 1 lost)" in IN["en"].battle_verdict(sides, False)


def test_what_rules_say_in_english_is_marked_in_a_german_print_and_nowhere_else() -> None:
    """In the markup, and in the tags of the cells of tables, so that it is read aloud as
    English."""
    for language, marked in ((Language.GERMAN, True), (Language.ENGLISH, False)):
        with speaking(language):
            html, pdf = markup(plans(samples.career())[0]), printed(samples.career()).pdf
        assert ('<td class="weapon" lang="en">' in html) == marked
        assert ('<li lang="en">' in html) == marked
        assert ('<td class="rule">Erfahrung' in html) == marked, "a translated text has no mark"
        cells = [each.language for each in document(pdf).walk() if each.kind in ("TD", "TH")]
        assert ("en" in cells) == marked
        assert "" in cells, "numbers have no language"


def test_what_a_rule_system_counts_is_said_in_german_in_every_system() -> None:
    for rules in (newest_ruleset(key) for key in RULESETS):
        with speaking("de"):
            translations = translated_tallies(rules.tallies)
        for own, german in zip(rules.tallies, translations, strict=True):
            assert not {own.label, own.one, own.many} & {german.label, german.one, german.many}
            assert (own.key, own.short) == (german.key, german.short)
        assert translated_tallies(rules.tallies) == rules.tallies
