"""The web server remembers the views of paths."""

import pytest
from django.http import Http404
from django.test import RequestFactory
from django.urls import get_resolver

from config.application import Application, match_of

FIRST, SECOND = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


@pytest.mark.parametrize("page", ["/battles/{}/", "/api/v1/campaigns/{}/standings/"])
def test_each_path_has_its_own_view_and_arguments(page: str) -> None:
    for _ in range(2):
        for key in (FIRST, SECOND):
            path = page.format(key)
            match = Application().resolve_request(RequestFactory().get(path))
            expected = get_resolver().resolve(path)
            assert match.func is expected.func
            assert match.kwargs == expected.kwargs


def test_unknown_paths_are_not_remembered() -> None:
    before = match_of.cache_info().currsize
    for _ in range(2):
        with pytest.raises(Http404):
            Application().resolve_request(RequestFactory().get("/no/such/page/"))
    assert match_of.cache_info().currsize == before
