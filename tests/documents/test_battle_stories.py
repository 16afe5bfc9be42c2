"""The stories from logs: of all rule systems, in all languages, nothing invented."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from documents.content.battle_plan import Ending, battle_plan
from documents.content.narratives import MOST_WORDS, Telling, opening, tell
from documents.languages import speaking
from documents.prose import BATTLES_IN
from documents.prose.beats import Beat, Phrase
from documents.prose.variation import slots_of, tag_of, untagged
from rulebook.battle_log.play import Play, replay
from rulebook.registry import newest_ruleset
from rulebook.ruleset import Fate
from rulebook.values.moments import BattleMoments, MomentKind
from tests.rulebook.sample_battles import SETUPS, refereed

SEEDS = range(4)
BATTLES = [(key, seed) for key in SETUPS for seed in SEEDS]
LANGUAGES = tuple(BATTLES_IN)


@cache
def played(key: str, seed: int) -> Play[object]:
    setup, events = refereed(key, seed)
    return replay(newest_ruleset(key).log, setup, events)


def moments_of(key: str, seed: int) -> BattleMoments:
    return newest_ruleset(key).moments(played(key, seed))


@cache
def plan_of(key: str, seed: int) -> tuple[Beat, ...]:
    rules, play = newest_ruleset(key), played(key, seed)
    result = rules.result(play)
    dead = {
        record.fighter
        for side in result.sides
        for record in side.records
        if rules.progression.fate_after(record, play.setup.settings)[0] is Fate.DEAD
    }
    points = {side.side: side.victory_points for side in result.sides if rules.victory_points}
    mortal = rules.words.lost == "dead"
    return battle_plan(moments_of(key, seed), Ending(frozenset(dead), mortal, points))


def story(key: str, seed: int, language: str = "en", used: Sequence[str] = ()) -> Telling:
    with speaking(language):
        return tell(plan_of(key, seed), f"{key} {seed}", used)


def clauses(telling: Telling) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    for sentence in telling.sentences:
        for clause in sentence.clauses:
            yield clause.text, clause.turn, clause.events


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("key", "seed"), BATTLES)
def test_story_of_a_log_has_60_to_150_words(key: str, seed: int, language: str) -> None:
    telling = story(key, seed, language)
    # The sample battle of Argad! is over after two or three blows that tell.
    few = len(plan_of(key, seed)) < 8
    assert (25 if few else 60) <= telling.words <= MOST_WORDS


@pytest.mark.parametrize(("key", "seed"), BATTLES)
def test_clauses_name_events_of_their_turn(key: str, seed: int) -> None:
    steps = {step.logged.sequence: step.logged for step in played(key, seed).steps}
    for text, turn, events in clauses(story(key, seed)):
        assert events and set(events) <= steps.keys(), text
        assert not turn or steps[max(events)].turn in (turn, None), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("key", "seed"), BATTLES)
def test_clauses_name_people_of_their_events(key: str, seed: int, language: str) -> None:
    """Everybody in a clause is in one of its moments, or is a side."""
    battle = moments_of(key, seed)
    by_event: dict[int, set[str]] = {}
    for moment in battle.moments:
        for event in moment.events:
            people = {moment.actor, moment.target, *moment.others}
            by_event.setdefault(event, set()).update(people)
    named: dict[str, set[str]] = {}
    for who, each in battle.people.items():
        if each.sort != "side":
            named.setdefault(each.name, set()).add(who)
    for text, turn, events in clauses(story(key, seed, language)):
        if not turn:
            continue
        allowed = {who for event in events for who in by_event.get(event, ())}
        for name, bearers in named.items():
            if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) and not any(
                name in other and name != other and other in text for other in named
            ):
                assert bearers & allowed, (text, name)


@pytest.mark.parametrize(("key", "seed"), BATTLES)
def test_a_clause_has_the_weapon_and_range_of_its_moment(key: str, seed: int) -> None:
    battle = moments_of(key, seed)
    weapons = {each.weapon for each in battle.moments if each.weapon}
    for text, _, events in clauses(story(key, seed)):
        own = [each for each in battle.moments if set(each.events) & set(events)]
        for weapon in weapons:
            if re.search(rf"\b{weapon}\b", text):
                assert any(weapon in each.weapon for each in own), text
        for distance in re.findall(r"at (\d+) (?:inch|centimetre)", text):
            assert float(distance) in {each.distance for each in own}, text


@pytest.mark.parametrize(("key", "seed"), BATTLES)
def test_nobody_is_called_killed_who_lived(key: str, seed: int) -> None:
    battle = moments_of(key, seed)
    killed = {each.target for each in battle.moments if each.kind is MomentKind.KILL}
    names = {battle.people[who].name for who in killed}
    kills = (Phrase.KILL, Phrase.KILL_SHOT, Phrase.KILL_MANY, Phrase.DUEL_KILL, Phrase.LAST_FELL)
    for beat in plan_of(key, seed):
        if beat.phrase in kills:
            assert {each.text for each in beat.whom} <= names


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", SETUPS)
def test_facing_pages_share_no_wording(key: str, language: str) -> None:
    used: list[str] = []
    for seed in SEEDS:
        telling = story(key, seed, language, tuple(used))
        assert not set(used) & telling.wordings
        assert telling.words >= (25 if len(plan_of(key, seed)) < 8 else 60)
        used += telling.wordings


def test_same_story_has_the_same_words() -> None:
    assert story("en-garde", 1) == story("en-garde", 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_has_wordings_with_slots_that_can_be_filled(language: str) -> None:
    prose = BATTLES_IN[language]
    assert set(prose.PHRASES) == set(Phrase)
    for phrase, wordings in prose.PHRASES.items():
        assert len(wordings) == len(set(wordings)) >= 3, phrase
        for wording in wordings:
            assert tag_of(wording) in ("", "gun", "blade", "blow", "figures", "mounted", "untimed")
            assert "(" not in untagged(wording)[:1]
            assert language != "de" or untagged(wording).count("|") == 2, wording
            assert slots_of(wording) <= SLOTS, wording


SLOTS = {
    *(
        "who",
        "whom",
        "by",
        "side",
        "with",
        "at",
        "dice",
        "roll",
        "weapon",
        "weapon_acc",
        "weapon_dat",
    ),
    *("number", "of", "other_number", "other_of", "since", "turn", "both", "times", "cost"),
    *(
        "losses",
        "number_nom",
        "number_dat",
        "other_number_nom",
        "other_number_dat",
        "fire",
        "shot",
        "shot_dat",
        "score",
        "strength",
        "n",
        "en",
    ),
}


def test_log_without_turns_has_no_plan() -> None:
    assert battle_plan(BattleMoments(), Ending(frozenset())) == ()


def test_opening_keeps_whole_sentences() -> None:
    sentences = story("en-garde", 1).sentences
    assert opening(sentences).startswith(sentences[0].sentence)
    assert len(opening(sentences)) <= max(200, len(sentences[0].sentence))
    assert opening(()) == ""
