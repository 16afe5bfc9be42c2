"""Cache answers about a state with the state itself.

States never change, and the rules of one event ask the same questions repeatedly.
"""

from collections.abc import Callable
from functools import wraps
from inspect import getfullargspec
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, cast, overload

from msgspec import Struct


class RemembersAnswers(Struct, frozen=True, dict=True):
    """A value that caches the answers of ``remembered`` functions.

    The cache is not stored, compared or copied.
    """


Remembering = TypeVar("Remembering", bound=RemembersAnswers)
About = ParamSpec("About")
Answer = TypeVar("Answer")


def remembered(
    question: Callable[Concatenate[Remembering, About], Answer],
) -> Callable[Concatenate[Remembering, About], Answer]:
    """Cache a function's answer on its first argument, for each set of further arguments.

    Further arguments must be hashable and positional. The answer must be something that nobody
    changes, and not a generator. Errors are not cached.
    """

    answer: Callable[..., Answer] = question
    name = f"{question.__module__}.{question.__qualname__}"

    @wraps(question)
    def ask_once_about(who: Remembering, about: Any, /) -> Answer:
        answers: dict[Any, Answer] | None = who.__dict__.get(name)
        if answers is None:
            answers = who.__dict__[name] = {}
        elif about in answers:
            return answers[about]
        new_answer = answers[about] = answer(who, about)
        return new_answer

    @wraps(question)
    def ask_once(who: Remembering, /, *about: Any) -> Answer:
        answers: dict[Any, Answer] | None = who.__dict__.get(name)
        if answers is None:
            answers = who.__dict__[name] = {}
        elif about in answers:
            return answers[about]
        new_answer = answers[about] = answer(who, *about)
        return new_answer

    # The most frequent questions take one further argument, and need no tuple of them.
    arguments = getfullargspec(question)
    takes_one = len(arguments.args) == 2 and not (arguments.varargs or arguments.defaults)
    return cast(
        "Callable[Concatenate[Remembering, About], Answer]",
        ask_once_about if takes_one else ask_once,
    )


class remembered_property(Generic[Answer]):
    """A property that is worked out once for each value, like ``functools.cached_property``.

    That of Python 3.11 takes a lock, which costs more than most of these answers do.
    """

    def __init__(self, question: Callable[[Any], Answer]) -> None:
        self.question = question
        self.name = question.__name__
        self.__doc__ = question.__doc__

    @overload
    def __get__(self, who: None, owner: type[Any]) -> Self: ...

    @overload
    def __get__(self, who: object, owner: type[Any]) -> Answer: ...

    def __get__(self, who: object | None, owner: type[Any]) -> Self | Answer:
        if who is None:
            return self
        # From now on the value's own attribute goes before this property.
        answer = who.__dict__[self.name] = self.question(who)
        return answer
