"""House rules that are numbers nobody has settled yet."""

import pytest
from msgspec import Struct

from campaigns.house_rules import in_words
from rulebook.book.house_rules import HouseRuleBook
from rulebook.values.problems import RulesError

RULES = '[[rule]]\nkey = "price"\nlabel = "Price"\nleast = 0\nmost = 9\n'


class Settled(Struct, frozen=True):
    """The house rules of a club."""

    price: int | None = None


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "house_rules.toml"
    path.write_text(RULES)
    return HouseRuleBook(path, Settled)


def test_a_number_may_stay_unsettled(book):
    (rule,) = book.rules
    assert (rule.kind, rule.default, rule.required) == ("number", None, False)
    assert [book.complete({"price": price}).price for price in (None, 0, 9)] == [None, 0, 9]
    assert [in_words(rule, price) for price in (None, 0)] == ["not set", "0"]


@pytest.mark.parametrize("wrong", ["", "4", 10, True])
def test_and_takes_nothing_else_but_such_a_number(book, wrong):
    with pytest.raises(RulesError, match="Give a whole number from 0 to 9, or nothing"):
        book.complete({"price": wrong})
