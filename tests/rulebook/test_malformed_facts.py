"""Facts of every wrong kind are refused with a reason, and a fact that can be read never breaks the
replay."""

import json
from collections.abc import Callable
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.chronicle.facts import VERSION, AnyFact, Mustered, decode, decode_json
from rulebook.chronicle.replay import replay_chronicle
from rulebook.registry import find_ruleset
from rulebook.ruleset import RulesError
from tests.soak import made_up

KINDS = {fact.__struct_config__.tag: fact for fact in get_args(AnyFact)}
FIELDS = sorted(
    {field.name for fact in KINDS.values() for field in msgspec.structs.fields(fact)} | {"rubbish"}
)
WORDS = st.sampled_from(
    ["f1", "f2", "c", "fit", "dead", "won", "landsknechts/oberst", "toy", "", "retired", "struck"]
)
KEYS = st.sampled_from(
    ["fighter", "build", "profile", "options", "fate", "rank", "kind", "sequence", "reason", "name"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
NOT_ENOUGH = st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4)


def refused(data: Any) -> bool:
    """Return whether the data are refused as a fact. Any other error fails the test."""
    fact, text = _answer(decode, data), json.dumps(data)
    # JSON has no infinite numbers.
    assert _answer(decode_json, text) == (None if "Infinity" in text else fact)
    return fact is None


def _answer(read: Callable[[Any], AnyFact], data: Any) -> AnyFact | None:
    """Return the fact, or None if it is refused."""
    try:
        return read(data)
    except RulesError as error:
        assert [problem.code for problem in error.problems] == ["unreadable-fact"]
        return None


@given(JSON)
@made_up("facts of every wrong kind", 300, sample=75)
def test_malformed_fact_is_refused(data: Any) -> None:
    assert refused(data)


@given(st.sampled_from([*sorted(KINDS), "unheard-of"]), NOT_ENOUGH)
@made_up("facts of every wrong kind", 600, sample=150)
def test_a_fact_is_read_or_refused(kind: str, data: dict[str, Any]) -> None:
    assert refused({**data, "kind": kind}) or kind in KINDS


@pytest.mark.parametrize("version", ["2", None, [], {}, VERSION + 1, 1.5])
def test_an_odd_version_is_refused(version: object) -> None:
    assert refused({"kind": "mustered", "version": version})


def test_correction_cannot_replace_a_fact() -> None:
    assert not refused(
        {"kind": "corrected", "target": 2, "replacement": {"kind": "renamed", "name": "Reds"}}
    )
    assert refused(
        {"kind": "corrected", "target": 2, "replacement": {"kind": "corrected", "target": 3}}
    )


ANYBODY = st.sampled_from(["f1", "f2", "f3"])
BUILD = st.fixed_dictionaries(
    {
        "profile": st.sampled_from(["landsknechts/landsknecht", "custom/rank-1", "aztecs/none"])
        | WORDS
    },
    optional={
        "options": st.dictionaries(WORDS, st.lists(WORDS, max_size=2), max_size=2),
        "kept": JSON,
        "choice": WORDS,
    },
)
RULES = st.sampled_from(
    ["legality", "prices", "wounds_after", "captives", "survival", "experience_per_wound", "dice"]
)
LOOSE = {
    "fighter": ANYBODY,
    "posts": st.dictionaries(WORDS, st.lists(ANYBODY, max_size=2), max_size=2),
    "build": BUILD,
    "recruits": st.lists(
        st.fixed_dictionaries({"fighter": ANYBODY, "name": WORDS, "build": BUILD}), max_size=2
    ),
    "records": st.lists(
        st.fixed_dictionaries(
            {
                "fighter": ANYBODY,
                "rank": st.integers(-1, 9),
                "fate": st.sampled_from(["fit", "dead", "captured"]),
            },
            optional={
                "wounds": WORDS,
                "recovery_roll": st.integers(-1, 9),
                "captured": st.booleans(),
            },
        ),
        max_size=3,
    ),
    "deeds": st.lists(
        st.fixed_dictionaries(
            {
                "fighter": ANYBODY,
                "kind": st.sampled_from(["wound", "banner", "objective", "captive", "song"]),
            },
            optional={
                "result": WORDS,
                "means": WORDS,
                "victim": ANYBODY,
                "detail": st.dictionaries(KEYS, JSON),
            },
        ).map(lambda deed: {"rank": 1, **deed}),
        max_size=3,
    ),
    "outcome": st.sampled_from(["won", "drew", "lost"]),
    "settings": st.dictionaries(RULES | WORDS, WORDS | JSON, max_size=2),
    "extras": st.dictionaries(
        st.sampled_from(["morale", "banner", "ordnance", "spoons"]), JSON, max_size=2
    ),
    "fate": st.none() | st.sampled_from(["fit", "dead", "recovering", "retired"]),
    "experience": st.integers(-5, 9),
    "step": st.sampled_from(["landsknechts/doppelsoldner", "custom/rank-2"]) | WORDS,
    "picks": st.dictionaries(WORDS, JSON, max_size=2),
    "target": st.integers(2, 9),
    "undone": st.lists(st.integers(2, 9), max_size=2),
    "parallel": st.booleans(),
    "agreed_points": st.none() | st.integers(-9, 300),
}


def loose(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for facts of a kind, with fields mostly of the right shape and no sense."""
    names = {field.name for field in msgspec.structs.fields(KINDS[kind])} & LOOSE.keys()
    likely = {name: LOOSE[name] for name in sorted(names)}
    return st.fixed_dictionaries({"kind": st.just(kind)}, optional=likely)


READABLE = st.sampled_from(sorted(KINDS.keys() - {"mustered", "edition-adopted"})).flatmap(loose)


@given(st.lists(READABLE, max_size=8))
@made_up("facts of every wrong kind", 400, sample=100)
def test_readable_facts_have_sentences(entries: list[dict[str, Any]]) -> None:
    mustered = Mustered(ruleset="en-garde", edition="2026.1", faction="landsknechts", name="Any")
    history: list[AnyFact] = [mustered, *(decode(data) for data in entries if not refused(data))]
    turned = replay_chronicle(history, find_ruleset)
    assert turned.state.sequence == len(history)
    assert all(conflict.code and conflict.sentence for conflict in turned.conflicts)
