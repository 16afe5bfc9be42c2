"""The story of a battle in sentences: what fits of its plan, in wordings that do not repeat."""

from collections.abc import Collection, Sequence
from hashlib import sha256

from msgspec import Struct

from documents.content.structs import Clause, Sentence
from documents.prose import battle_prose
from documents.prose.beats import Beat, Phrase
from documents.prose.language import BattleProse
from documents.prose.variation import Parts, slots_of, tag_of, untagged

FEWEST_WORDS, MOST_WORDS = 90, 150
LITTLE = 12
"""Beats that are worth less are left out of a story that has ``FEWEST_WORDS``."""
ENOUGH_WORDS = 130
"""A story with this number of words is complete, so that it ends below ``MOST_WORDS``."""
SHORT = 12
"""The most words of a clause that shares its sentence with another one of the same turn."""
SIMILAR = 9
"""The weight that a beat loses for each chosen one of the same phrase."""
SAME_TURN = 6
"""The weight that a beat loses for each chosen one of the same turn."""
FAR_TURN = 4
"""The weight that a beat gains for each turn between it and the nearest chosen one, up to three."""
PREVIEW = 200
"""The most letters of a story's beginning in a link preview or a message."""


class Telling(Struct, frozen=True):
    """A story, and the wordings that it has used: "kill:3"."""

    sentences: tuple[Sentence, ...] = ()
    wordings: frozenset[str] = frozenset()

    @property
    def words(self) -> int:
        """The number of words."""
        return sum(len(each.sentence.split()) for each in self.sentences)


def tell(plan: Sequence[Beat], seed: str, used: Collection[str] = ()) -> Telling:
    """Return the story of a battle in the active language, of up to ``MOST_WORDS`` words.

    ``seed`` decides between wordings, so that the same story always has the same words.
    ``used`` are the wordings of stories near by, which are not used again.
    """
    writer = _Writer(battle_prose(), seed, frozenset(used))
    chosen = [beat for beat in plan if beat.needed]
    left = [beat for beat in plan if not beat.needed]
    telling = writer.written(plan, chosen)
    while left and telling.words < ENOUGH_WORDS:
        best = max(left, key=lambda beat: _worth(beat, chosen))
        if telling.words >= FEWEST_WORDS and _worth(best, chosen) < LITTLE:
            break
        left.remove(best)
        longer = writer.written(plan, [*chosen, best])
        if longer.words <= MOST_WORDS:
            chosen.append(best)
            telling = longer
    return telling


def opening(sentences: Sequence[Sentence], most: int = PREVIEW) -> str:
    """Return the first sentences of a story for link previews and messages, "" without a story.

    At least one sentence, and more as long as ``most`` letters are not exceeded.
    """
    text = ""
    for each in sentences:
        longer = f"{text} {each.sentence}".strip()
        if text and len(longer) > most:
            break
        text = longer
    return text


def _worth(beat: Beat, chosen: Sequence[Beat]) -> float:
    same = sum(each.phrase == beat.phrase for each in chosen)
    turn = sum(each.turn == beat.turn != 0 for each in chosen)
    gaps = [abs(each.turn - beat.turn) for each in chosen if each.turn]
    far = min(gaps, default=0) if beat.turn else 0
    return beat.weight - SIMILAR * same - SAME_TURN * turn + FAR_TURN * min(far, 3)


class _Writer(Struct, frozen=True):
    """The language and the wordings that may not be used again."""

    language: BattleProse
    seed: str
    used: frozenset[str]

    def written(self, plan: Sequence[Beat], chosen: Sequence[Beat]) -> Telling:
        """Return the chosen beats of a plan as sentences, in the order of the plan."""
        used: set[str] = set()
        introduced: list[str] = []
        sentences: list[Sentence] = []
        open_clauses: list[tuple[Beat, Parts]] = []
        when, turn, opening_word = "", 0, ""
        for beat in (each for each in plan if each in chosen):
            timed = beat.turn not in (0, turn)
            wording = self.wording(beat, used, opening_word, timed=timed)
            if not wording:
                continue
            opening_word = _first_word(wording)
            clause = self.language.clause(
                _named_once(untagged(wording)), self.filled(beat, introduced)
            )
            untimed = not beat.turn or tag_of(wording) == "untimed"
            if open_clauses and self.joins(open_clauses, beat, clause, untimed=untimed):
                open_clauses.append((beat, clause))
                continue
            if open_clauses:
                sentences.append(self.sentence(open_clauses, when))
            when = "" if untimed else self.language.in_turn(beat.turn, turn)
            turn = beat.turn or turn
            open_clauses = [(beat, clause)]
        if open_clauses:
            sentences.append(self.sentence(open_clauses, when))
        return Telling(tuple(sentences), frozenset(used))

    def joins(
        self,
        before: Sequence[tuple[Beat, Parts]],
        beat: Beat,
        clause: Parts,
        *,
        untimed: bool,
    ) -> bool:
        """Return whether a clause shares the sentence of the one before it: both are short, and
        about the same turn."""
        first, parts = before[-1]
        short = max(_words(parts), _words(clause)) <= SHORT
        sums_up = beat.phrase in (Phrase.SWING, Phrase.SWING_ALONE, Phrase.DEADLIEST)
        return len(before) < 2 and short and not (untimed or sums_up) and first.turn == beat.turn

    def filled(self, beat: Beat, introduced: list[str]) -> dict[str, str]:
        """Return what fills the slots of a wording; sides that are named by it are introduced."""
        filled = self.language.slots(beat, introduced)
        introduced += [
            each.side
            for each in (*beat.who, *beat.whom, *beat.by)
            if each.side and each.side not in introduced
        ]
        again = self.language.slots(beat, introduced)
        filled |= {f"{slot}_again": again[slot] for slot in ("who", "whom") if slot in again}
        return filled

    def wording(self, beat: Beat, used: set[str], opening_word: str, *, timed: bool) -> str:
        """Return a wording for a beat that has not been used, and note it; "" if none is left.

        What has to be said is said in a used wording, if there is no other. ``opening_word`` is
        that of the wording before. ``timed`` says that words of time come before it.
        """
        filled = self.language.slots(beat, ())
        tags = self.language.tags(beat)
        fitting = [
            (place, wording)
            for place, wording in enumerate(self.language.PHRASES[beat.phrase])
            if slots_of(wording) <= filled.keys()
            and tag_of(wording) in ("", *tags)
            and self.language.fits(untagged(wording), timed=timed)
        ]
        fresh = [each for each in fitting if f"{beat.phrase}:{each[0]}" not in self.used | used]
        choices = fresh or (fitting if beat.needed else [])
        # Two sentences that begin alike, such as "At the end", are not put side by side.
        if opening_word:
            choices = [each for each in choices if _first_word(each[1]) != opening_word] or choices
        if not choices:
            return ""
        seal = sha256(f"{self.seed} {beat.phrase} {beat.events}".encode()).digest()
        place, wording = choices[seal[0] % len(choices)]
        used.add(f"{beat.phrase}:{place}")
        return wording

    def sentence(self, clauses: Sequence[tuple[Beat, Parts]], when: str) -> Sentence:
        pieces = self.language.sentence([parts for _, parts in clauses], when)
        pieces_with_source = tuple(
            Clause(text, beat.turn, beat.events, self.language.turn_title(beat.turn, beat.events))
            for text, (beat, _) in zip(pieces, clauses, strict=True)
        )
        return Sentence("".join(pieces), clauses=pieces_with_source)


def _first_word(wording: str) -> str:
    word = untagged(wording).split()[0]
    return "" if word.startswith("{") else word


def _words(parts: Parts) -> int:
    return sum(len(part.split()) for part in parts)


def _named_once(wording: str) -> str:
    """Return a wording whose second mention of a name does not introduce it again."""
    for slot in ("{who}", "{whom}"):
        first, name, rest = wording.partition(slot)
        wording = first + name + rest.replace(slot, f"{slot[:-1]}_again}}")
    return wording
