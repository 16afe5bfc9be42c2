"""A kind of event is offered by its fields and its declarations alone."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Annotated, Any

from rulebook.at_table.offers import OfferedEvent, offered
from rulebook.battle_log.kinds import FighterId, field_meta, kind
from rulebook.values.fields import Choices

STATE = SimpleNamespace(turn=3)


@kind("rest", "Rest", phase="move")
class Rested(OfferedEvent[Any], frozen=True, kw_only=True):
    """Somebody rests: nothing special."""

    fighter: Annotated[FighterId, field_meta("Who")]
    place: Annotated[str, field_meta("Where")] = ""
    sleeps: Annotated[bool, field_meta("Asleep")] = False


@kind("rain", "It rains")
class Rained(OfferedEvent[Any], frozen=True, kw_only=True):
    """Nobody does it."""


@kind("dawn", "A turn begins", starts_turn=True)
class Dawned(OfferedEvent[Any], frozen=True, kw_only=True):
    """A turn begins."""


@kind("greet", "Greet", asked_first=("words", "friend"))
class Greeted(OfferedEvent[Any], frozen=True, kw_only=True):
    """Somebody greets a friend."""

    fighter: Annotated[FighterId, field_meta("Who")]
    friend: Annotated[FighterId, field_meta("Whom")]
    words: Annotated[str, field_meta("How")] = ""

    @classmethod
    def choices_for(cls, state: Any, actor: str) -> Mapping[str, Choices]:
        return {
            "friend": tuple(
                (key, key.capitalize()) for key in ("anna", "bo")[: state.turn] if key != actor
            )
        }

    @classmethod
    def hurdle_for(cls, state: Any, actor: str) -> str:
        return "is shy" if actor == "bo" else ""


def test_kind_that_declares_nothing_is_offered_by_its_fields() -> None:
    (action,) = Rested.offers(STATE, "anna")
    assert (action.kind, action.label, action.phase, action.turn) == ("rest", "Rest", "move", 3)
    assert action.given == {"fighter": "anna"}
    assert {field.key: field.group for field in action.fields} == {
        "place": "more",
        "sleeps": "more",
    }


def test_kind_about_nobody_is_offered_to_the_table_alone() -> None:
    kinds = (Rested, Rained, Dawned)
    assert [action.kind for action in offered(kinds, STATE, "")] == ["rain", "dawn"]
    assert [action.kind for action in offered(kinds, STATE, "anna")] == ["rest"]


def test_turn_that_begins_belongs_to_no_turn_before_it() -> None:
    assert [action.turn for action in Dawned.offers(STATE, "")] == [None]


def test_choices_order_and_hurdle_come_from_the_kind() -> None:
    (action,) = Greeted.offers(STATE, "bo")
    assert [(field.key, field.group) for field in action.fields] == [("words", ""), ("friend", "")]
    assert dict(action.fields[1].choices) == {"anna": "Anna"}
    assert action.hurdle == "is shy"


def test_kind_is_not_offered_where_nobody_is_left_to_choose() -> None:
    assert [*Greeted.offers(SimpleNamespace(turn=1), "anna")] == []
