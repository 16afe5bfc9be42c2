"""Later choices that a correction makes impossible: each is undone, or kept with a reason."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated
from uuid import UUID

from django.utils.translation import gettext, ngettext
from msgspec import Struct

from battles.models import Side
from core.cleaning import MAX_REASON, clean_text
from core.errors import InvalidInput, StateConflict
from rulebook.chronicle.facts import FACT_KINDS, Standing
from rulebook.chronicle.states import Conflict
from rulebook.ruleset import Problem
from rulebook.values.described import closed
from warbands.fact_sentences import KINDS
from warbands.models import ChronicleEntry
from warbands.services.chronicle import Preview


class Undo(Struct, frozen=True):
    """A later fact of a warband's chronicle that is to be removed."""

    warband: UUID
    sequence: int


class LetStandAnswer(Struct, frozen=True):
    """A later fact that is kept although it has become impossible, and the reason."""

    warband: UUID
    sequence: int
    reason: str


class ConflictAnswers(Struct, frozen=True):
    """The decisions about the later choices that a correction makes impossible."""

    undo: tuple[Undo, ...] = ()
    stand: tuple[LetStandAnswer, ...] = ()

    def undone(self, warband: UUID) -> tuple[int, ...]:
        """Return the sequence numbers of a warband's facts that are to be undone."""
        return tuple(sorted({undo.sequence for undo in self.undo if undo.warband == warband}))

    def standing(self, warband: UUID) -> tuple[Standing, ...]:
        """Return a warband's facts that are to be kept, each with its reason."""
        return tuple(
            Standing(stand.sequence, stand.reason)
            for stand in self.stand
            if stand.warband == warband
        )

    def answer(self, warband: UUID, conflict: Conflict) -> str:
        """Return the answer to a conflict, "undo" or "stand".

        Returns "" if it has no answer or cannot be kept.
        """
        if conflict.sequence in self.undone(warband):
            return "undo"
        return "stand" if conflict.stands else ""


NO_ANSWERS = ConflictAnswers()


def clean_answers(answers: ConflictAnswers) -> ConflictAnswers:
    """Return the answers with reasons that can be stored.

    Raises InvalidInput for a fact that is kept without a reason.
    """
    stand = tuple(
        LetStandAnswer(
            each.warband,
            each.sequence,
            clean_text(f"stand.{place}.reason", each.reason, most=MAX_REASON, least=1),
        )
        for place, each in enumerate(answers.stand)
    )
    return ConflictAnswers(answers.undo, stand)


class LaterConflict(Struct, frozen=True):
    """A later choice that the correction makes impossible.

    ``answer`` is "undo", "stand" or "" while it is open. ``title`` is that of a battle, "" for
    other facts.
    """

    warband: UUID
    warband_name: str
    sequence: int
    kind: str
    code: str
    sentence: str
    fighter: UUID | None = None
    fighter_name: str = ""
    answer: Annotated[str, closed("ConflictAnswer", ("undo", "stand"), blank=True)] = ""
    may_be_undone: bool = True
    title: str = ""

    @property
    def where(self) -> str:
        """The warband, and the battle or the kind of choice, for the label of a question."""
        choice = self.title or (gettext(KINDS[self.kind]) if self.kind in KINDS else "")
        return f"{self.warband_name}, {choice}" if choice else self.warband_name


def later_conflicts(
    sides: Iterable[Side], previews: Mapping[UUID, Preview], answers: ConflictAnswers
) -> tuple[LaterConflict, ...]:
    """Return the new conflicts and those that are kept, in the order of sides and facts.

    One query.
    """
    kinds = _kinds(previews)
    return tuple(
        _later_conflict(side, conflict, kinds, previews[side.warband_id], answers)
        for side in sides
        for conflict in _conflicts(previews[side.warband_id], answers.standing(side.warband_id))
    )


def _conflicts(preview: Preview, standing: Iterable[Standing]) -> list[Conflict]:
    places = {stand.sequence for stand in standing}
    let_stand = (
        conflict
        for conflict in preview.after.conflicts
        if conflict.stands and conflict.sequence in places
    )
    return sorted((*preview.new_conflicts, *let_stand), key=lambda conflict: conflict.sequence)


def _kinds(previews: Mapping[UUID, Preview]) -> dict[tuple[UUID, int], tuple[str, str]]:
    """Return the kinds of the facts in conflict and the titles of battles, by warband and sequence.

    One query, none if there are no conflicts.
    """
    places = {
        conflict.sequence for preview in previews.values() for conflict in preview.after.conflicts
    }
    if not places:
        return {}
    entries = ChronicleEntry.objects.filter(warband__in=previews, sequence__in=places)
    rows = entries.values_list("warband_id", "sequence", "kind", "payload__title")
    return {(warband, place): (kind, title or "") for warband, place, kind, title in rows}


def _later_conflict(
    side: Side,
    conflict: Conflict,
    kinds: Mapping[tuple[UUID, int], tuple[str, str]],
    preview: Preview,
    answers: ConflictAnswers,
) -> LaterConflict:
    kind, title = kinds.get((side.warband_id, conflict.sequence), ("", ""))
    fighter = preview.before.state.fighters.get(conflict.fighter or "")
    return LaterConflict(
        warband=side.warband_id,
        warband_name=side.warband.name,
        sequence=conflict.sequence,
        kind=kind,
        code=conflict.code,
        sentence=conflict.sentence,
        fighter=UUID(conflict.fighter) if conflict.fighter else None,
        fighter_name=fighter.name if fighter else "",
        answer=answers.answer(side.warband_id, conflict),
        may_be_undone=kind in FACT_KINDS and FACT_KINDS[kind].undoable,
        title=title,
    )


def refuse_idle_answers(answers: ConflictAnswers, conflicts: Iterable[LaterConflict]) -> None:
    """Refuse answers to facts that are not in conflict, and answers that are not possible.

    Raises InvalidInput "not-a-conflict", "not-undoable" or "cannot-stand", with every problem.
    """
    by_key = {(conflict.warband, conflict.sequence): conflict for conflict in conflicts}
    problems = [*_idle(answers.undo, "undo", by_key), *_idle(answers.stand, "stand", by_key)]
    if problems:
        raise InvalidInput(problems[0].code, problems[0].sentence, problems=problems)


def _idle(
    given: Sequence[Undo | LetStandAnswer],
    field: str,
    by_key: Mapping[tuple[UUID, int], LaterConflict],
) -> Iterator[Problem]:
    for place, answer in enumerate(given):
        conflict = by_key.get((answer.warband, answer.sequence))
        value = f"{answer.warband}/{answer.sequence}"
        if conflict is None:
            sentence = gettext(
                "This correction does not conflict with anything there. Remove that answer."
            )
            yield Problem("not-a-conflict", sentence, field=f"{field}.{place}", value=value)
        elif field == "undo" and not conflict.may_be_undone:
            sentence = gettext("You cannot undo a battle here. Correct that battle, or keep it.")
            yield Problem("not-undoable", sentence, field=f"{field}.{place}", value=value)
        elif field == "stand" and not conflict.answer:
            sentence = gettext("The rules no longer have this rank-up. Undo it.")
            yield Problem("cannot-stand", sentence, field=f"{field}.{place}", value=value)


def refuse_open(conflicts: Iterable[LaterConflict]) -> None:
    """Check that every conflict has an answer.

    Raises StateConflict "open-conflicts" with a problem for each conflict without one.
    """
    unanswered = [conflict for conflict in conflicts if not conflict.answer]
    if not unanswered:
        return
    sentence = ngettext(
        "%(number)s later choice would become impossible. Undo it, or keep it with a reason.",
        "%(number)s later choices would no longer be allowed. For each one, undo it, or keep it "
        "and give a reason.",
        len(unanswered),
    ) % {"number": len(unanswered)}
    raise StateConflict(
        "open-conflicts", sentence, problems=[_problem(conflict) for conflict in unanswered]
    )


def _problem(conflict: LaterConflict) -> Problem:
    return Problem(
        code=conflict.code,
        sentence=f"{conflict.where}: {conflict.sentence}",
        fighters=(str(conflict.fighter),) if conflict.fighter else (),
        field="undo" if conflict.may_be_undone else "stand",
        value=f"{conflict.warband}/{conflict.sequence}",
    )
