"""What has been asked of a state is kept with it: states never change, and the rules of one event ask much twice."""

from collections.abc import Callable, Hashable
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from msgspec import Struct


class RemembersAnswers(Struct, frozen=True, dict=True):
    """A state that keeps what ``remembered`` questions have found. None of it is stored, compared or passed on."""

    @cached_property
    def answers(self) -> dict[Hashable, Any]:
        """The answers so far, by question and what it was about."""
        return {}


Remembering = TypeVar("Remembering", bound=RemembersAnswers)
About = ParamSpec("About")
Answer = TypeVar("Answer")


def remembered(
    question: Callable[Concatenate[Remembering, About], Answer],
) -> Callable[Concatenate[Remembering, About], Answer]:
    """The question about a state, answered once for each state. What it is about has to be hashable.

    An answer has to be a value that nobody changes, and no generator. Errors are not kept.
    """

    @wraps(question)
    def asked(state: Remembering, /, *about: About.args, **named: About.kwargs) -> Answer:
        key = (question, about, *named.items()) if named else (question, about)
        answers = state.answers
        if key not in answers:
            answers[key] = question(state, *about, **named)
        found: Answer = answers[key]
        return found

    return asked
