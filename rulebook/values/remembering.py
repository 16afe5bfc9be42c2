"""What has been asked of a state is kept with it: states never change, and the rules of one event
ask much twice."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from msgspec import Struct


class RemembersAnswers(Struct, frozen=True, dict=True):
    """A value that keeps what ``remembered`` questions have found. None of it is stored, compared
    or passed on."""


Remembering = TypeVar("Remembering", bound=RemembersAnswers)
About = ParamSpec("About")
Answer = TypeVar("Answer")


def remembered(
    question: Callable[Concatenate[Remembering, About], Answer],
) -> Callable[Concatenate[Remembering, About], Answer]:
    """The question about a value, answered once for each. What else it is about has to be hashable,
    and is not named.

    An answer has to be something that nobody changes, and no generator. Errors are not kept.
    """

    answer: Callable[..., Answer] = question
    name = f"{question.__module__}.{question.__qualname__}"

    @wraps(question)
    def ask_once(who: Remembering, /, *about: Any) -> Answer:
        answers: dict[Any, Answer] | None = who.__dict__.get(name)
        if answers is None:
            answers = who.__dict__[name] = {}
        elif about in answers:
            return answers[about]
        new_answer = answers[about] = answer(who, *about)
        return new_answer

    return cast("Callable[Concatenate[Remembering, About], Answer]", ask_once)
