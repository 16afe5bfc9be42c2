"""Django's application for the web server, which remembers the views of paths."""

from functools import lru_cache

from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest
from django.urls import ResolverMatch, get_resolver


@lru_cache(maxsize=1000)
def match_of(path: str) -> ResolverMatch:
    """Return the view of a path and its arguments, which requests share. Raises Resolver404.

    Django compares a path with up to a hundred patterns, in Python, for each request.
    """
    return get_resolver().resolve(path)


class Application(WSGIHandler):
    """Django's application, which remembers the views of the latest paths."""

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        """Return the view of a request and its arguments. Raises Resolver404."""
        request.resolver_match = match_of(request.path_info)
        return request.resolver_match
