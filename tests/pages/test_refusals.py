"""Refusals on pages: errors that look like pages, and forms that show the errors of services."""

from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from clubs.models import Club
from core.errors import Forbidden, InvalidInput, MusterError, NotFound, StateConflict
from core.forms import PageForm
from core.views import login_required_page, public_page, sentences
from rulebook.ruleset import Problem, RulesError, Severity
from tests.conftest import PASSWORD
from tests.pages.conftest import Clients

pytestmark = pytest.mark.one_database


class Order(PageForm):
    """A form to be refused."""

    places = {"quantity": "count"}
    name = forms.CharField()
    count = forms.IntegerField()


def order() -> Order:
    form = Order({"name": "Pike", "count": "3"})
    assert form.is_valid()
    return form


def refuse(error: Exception) -> Any:
    def verb() -> None:
        raise error

    return verb


def test_what_a_service_returns_is_the_form_s_answer() -> None:
    form = order()
    assert form.submit(lambda: "a pike")
    assert (form.answer, form.status) == ("a pike", 200)


def test_every_problem_is_shown_at_its_field() -> None:
    form = order()
    problems = [
        Problem("a", "Too long.", field="name"),
        Problem("b", "Too many.", field="quantity"),
    ]
    assert not form.submit(refuse(RulesError(*problems, Problem("c", "And it rains."))))
    assert form.errors == {
        "name": ["Too long."],
        "count": ["Too many."],
        "__all__": ["And it rains."],
    }
    assert form.status == 400


def test_refusal_without_problems_is_shown_at_field() -> None:
    form = order()
    form.submit(refuse(InvalidInput("full", "No room.", field="count")))
    form.submit(refuse(InvalidInput("shut", "We are closed.", field="door")))
    assert form.errors == {"count": ["No room."], "__all__": ["We are closed."]}


def test_warnings_are_not_what_a_form_was_refused_for() -> None:
    form = order()
    warning = Problem("w", "Unwise.", severity=Severity.WARNS)
    form.submit(refuse(RulesError(warning, Problem("f", "Forbidden."))))
    assert form.errors == {"__all__": ["Forbidden."]}


def test_state_conflict_gives_409() -> None:
    form = order()
    form.submit(refuse(StateConflict("stale", "Somebody was quicker.")))
    assert form.status == 409


@pytest.mark.parametrize("error", [Forbidden("no", "No."), NotFound("gone", "Gone.")])
def test_a_form_lets_through_what_is_no_matter_of_forms(error: MusterError) -> None:
    with pytest.raises(type(error)):
        order().submit(refuse(error))


def test_a_fresh_form_is_neither_right_nor_wrong() -> None:
    assert Order().status == 200
    assert Order({}).status == 400


def test_problem_that_several_share_is_said_once() -> None:
    form = order()
    form.submit(
        refuse(
            RulesError(
                *[Problem("a", "Too long.", field="name")] * 2, *[Problem("b", "It rains.")] * 2
            )
        )
    )
    assert form.errors == {"name": ["Too long."], "__all__": ["It rains."]}
    assert sentences(RulesError(*[Problem("a", "One.")] * 2, Problem("b", "Two."))) == [
        "One.",
        "Two.",
    ]
    assert str(RulesError(*[Problem("a", "One.")] * 2, Problem("b", "Two."))) == "One. Two."


def test_what_two_services_refuse_alike_is_said_once() -> None:
    form = order()
    for _ in range(2):
        form.submit(
            refuse(RulesError(Problem("a", "Too long.", field="name"), Problem("b", "It rains.")))
        )
    assert form.errors == {"name": ["Too long."], "__all__": ["It rains."]}


def test_refusals_become_sentences() -> None:
    assert sentences(InvalidInput("a", "No.")) == ["No."]
    assert sentences(RulesError(Problem("a", "One."), Problem("b", "Two."))) == ["One.", "Two."]


def asked(view: Any, user: Any, method: str = "get") -> Any:
    request: HttpRequest = getattr(RequestFactory(), method)("/somewhere/?page=2")
    request.user = user
    return view(request)


def test_a_door_for_members_sends_others_to_sign_in_and_back() -> None:
    page = login_required_page(lambda request: HttpResponse("in"))
    assert (
        asked(page, AnonymousUser())["Location"] == "/accounts/login/?next=/somewhere/%3Fpage%3D2"
    )
    assert asked(page, AnonymousUser(), "post")["Location"] == "/accounts/login/?next=/"
    assert asked(page, User(username="bob")).content == b"in"


@pytest.mark.parametrize(
    ("error", "answer"),
    [(NotFound("gone", "Gone."), Http404), (Forbidden("no", "No."), PermissionDenied)],
)
def test_an_open_door_tells_members_what_is_wrong_and_others_to_sign_in(
    error: MusterError, answer: type[Exception]
) -> None:
    page = public_page(refuse_page(error))
    with pytest.raises(answer):
        asked(page, User(username="bob"))
    assert asked(page, AnonymousUser()).status_code == 302


def refuse_page(error: Exception) -> Any:
    def view(request: HttpRequest) -> HttpResponse:
        raise error

    return view


def test_what_is_not_there_is_said_in_our_own_dress(browsers: Clients) -> None:
    page = browsers.alice.get("/nowhere/")
    assert page.status_code == 404
    assert 'class="masthead"' in page.content.decode()


def test_forbidden_edit_shows_site_error_page(browsers: Clients, club: Club) -> None:
    page = browsers.bob.get(reverse("home:change-club", args=[club.pk]))
    assert page.status_code == 403
    assert "view this but not edit it" in page.content.decode()


def test_a_fault_is_said_without_a_database(
    browsers: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("home.views.home.inbox_of", refuse(ValueError("broken")))
    browsers.alice.raise_request_exception = False
    page = browsers.alice.get("/")
    assert page.status_code == 500
    assert "Something went wrong" in page.content.decode()


def test_a_host_that_is_not_ours_gets_a_plain_no(browsers: Clients) -> None:
    page = browsers.nobody.get("/", headers={"host": "evil.example"})
    assert page.status_code == 400
    assert "could not read this request" in page.content.decode()


def test_a_form_without_its_token_is_refused(bob: User) -> None:
    careful = Client(enforce_csrf_checks=True)
    assert careful.login(username="bob", password=PASSWORD)
    page = careful.post(reverse("home:found"), {"name": "Forged", "visibility": "private"})
    assert page.status_code == 403
    assert "has expired" in page.content.decode()
    assert not Club.objects.exists()


def test_every_form_that_posts_carries_a_token(browsers: Clients, club: Club) -> None:
    body = browsers.alice.get(reverse("home:club", args=[club.pk])).content.decode()
    assert body.count('method="post"') == body.count("csrfmiddlewaretoken")


def test_pages_may_load_nothing_from_elsewhere(browsers: Clients) -> None:
    policy = browsers.nobody.get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy
    assert settings.X_FRAME_OPTIONS == "DENY"


@pytest.mark.parametrize(
    ("address", "sent", "refusals"),
    [
        ("/clubs/found/", {"name": "", "story": "x" * 50_000}, ["This field is required."]),
        (
            "/accounts/password/change/",
            {"oldpassword": PASSWORD, "password1": "123"},
            ["This field is required."],
        ),
    ],
)
def test_field_alone_says_why_and_the_list_above_leads_there(
    browsers: Clients, address: str, sent: dict[str, str], refusals: list[str]
) -> None:
    page = browsers.bob.post(address, sent)
    html = page.content.decode()
    above = html[html.index('id="errors"') :].partition("</ul>")[0]
    for refusal in refusals:
        assert refusal in html and refusal not in above
    assert 'href="#id_' in above
