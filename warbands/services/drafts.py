"""Drafts of rosters: change them, undo changes, carry them out; templates for new rosters."""

from collections.abc import Sequence
from random import SystemRandom
from typing import Annotated, Any
from uuid import UUID, uuid4

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from audit.verbs import Verb
from core.cleaning import MAX_REASON, field_error
from core.errors import InvalidInput, NotFound, StateConflict, problems_within
from core.inputs import Input, column, field, validate_fields
from rulebook.chronicle.facts import Recruited
from warbands.drafts.changes import ChangeContext, DraftChange
from warbands.drafts.values import Draft, DraftRecruit, drafted, facts_of, still_possible
from warbands.models import RosterDraft, RosterTemplate
from warbands.selectors.offered import builds_on_offer
from warbands.services.locking import LockedWarband, lock_warband, record_warband
from warbands.services.rank_up_offers import append_all
from warbands.services.roster import BUILD, MAX_FIGHTERS, reason_to_recruit
from warbands.services.warbands import with_new_ids

UNDO_STEPS = 20
KNOWN_IDS = 50
MAX_TEMPLATES = 100
MAX_CHANGES = 50


class DraftRequest(Input, frozen=True, kw_only=True):
    """Fields that every change of a draft accepts."""

    client_id: Annotated[
        UUID | None,
        field(api="Your id for this request: sent again, it changes nothing.", null=False),
    ] = None
    version: Annotated[
        int | None,
        field(
            api="The draft's version as you read it: 409 if it has changed since.", ge=0, null=False
        ),
    ] = None


class DraftChanges(DraftRequest, frozen=True, kw_only=True):
    """Changes of a draft; all of them are made, or none."""

    changes: Annotated[tuple[dict[str, Any], ...], field(min_length=1, max_length=MAX_CHANGES)]


class DraftUndo(DraftRequest, frozen=True, kw_only=True):
    """The extent of an undo."""

    all_of_it: Annotated[bool, field(api="Undo all changes, not only the last one.")] = False


class DraftRecord(DraftRequest, frozen=True, kw_only=True):
    """The reason for overriding the rules, if they are overridden."""

    overrule: Annotated[str, field(max_length=MAX_REASON, line=True)] = ""


class ChosenTemplate(Input, frozen=True, kw_only=True, rename={"template_id": "template"}):
    """The template to use."""

    template_id: UUID


class NewTemplate(Input, frozen=True, kw_only=True):
    """The name of a new template."""

    name: Annotated[str, column(RosterTemplate, "name", _("Name"), min_length=1, line=True)]


class NewPrice(Input, frozen=True, kw_only=True):
    """A build whose points are wanted before any fighter has it."""

    build: Annotated[dict[str, Any], BUILD]


@transaction.atomic
def change_draft(
    *,
    warband_id: UUID,
    user: User,
    changes: Sequence[DraftChange],
    client_id: UUID | None = None,
    digest: str = "",
    version: int | None = None,
) -> str:
    """Change the draft of a roster, all changes or none; return the messages about them.

    Nothing is recorded in the chronicle yet. A ``client_id`` that was sent before changes nothing:
    see ``sent_before`` for ``digest``. With ``version``, the draft must still have that version.
    Raises NotFound, Forbidden, RulesError, InvalidInput, StateConflict "draft-went-on",
    "client-id-reused".
    """
    locked = lock_warband(warband_id, user)
    row = draft_row(locked)
    if sent_before(row, client_id, digest):
        return ""
    expect_version(row, version)
    before = draft_content(row, locked)
    offered = builds_on_offer(locked.rules, locked.state).values()
    bare, special = (
        [each.build for each in offered if each.usual is usual] for usual in (True, False)
    )
    bench = ChangeContext(locked.state, locked.rules, locked.in_play, bare, SystemRandom(), special)
    draft, messages = before, list[str]()
    for place, change in enumerate(changes):
        with problems_within(f"changes.{place}"):
            draft, sentence = change.apply(draft, bench)
        messages += [sentence] if sentence else []
    if draft != before:
        row.undo = [*row.undo, msgspec.to_builtins(before)][-UNDO_STEPS:]
        keep_draft(row, draft, client_id, digest)
    return " ".join(messages)


@transaction.atomic
def undo_draft(
    *,
    warband_id: UUID,
    user: User,
    client_id: UUID | None = None,
    digest: str = "",
    version: int | None = None,
    all_of_it: bool = False,
) -> None:
    """Undo the last change of a draft, or clear it with ``all_of_it``.

    Raises NotFound, Forbidden, StateConflict, InvalidInput "nothing-to-undo".
    """
    locked = lock_warband(warband_id, user)
    row = draft_row(locked)
    if sent_before(row, client_id, digest):
        return
    expect_version(row, version)
    if all_of_it:
        before = draft_content(row, locked)
        row.undo = [*row.undo, msgspec.to_builtins(before)][-UNDO_STEPS:]
        keep_draft(row, Draft(limit=before.limit), client_id, digest)
        return
    if not row.undo:
        raise InvalidInput("nothing-to-undo", gettext("There are no changes to undo."))
    *row.undo, last = row.undo
    keep_draft(row, msgspec.convert(last, Draft), client_id, digest)


@transaction.atomic
def carry_out_draft(
    *,
    warband_id: UUID,
    user: User,
    client_id: UUID | None = None,
    digest: str = "",
    version: int | None = None,
    overrule: str = "",
) -> int:
    """Write the whole draft into the chronicle and empty it; return the number of new fighters.

    While the roster is being built, any content is accepted and its problems are only shown. In
    play the rules decide about recruits, and an organiser may ``overrule`` them with a reason.
    Raises NotFound, Forbidden, StateConflict "draft-went-on", "client-id-reused", InvalidInput
    "nothing-to-record", "illegal-roster", "roster-full", RulesError.
    """
    locked = lock_warband(warband_id, user)
    row = draft_row(locked)
    # A repeated request writes nothing, however the draft has changed since.
    if sent_before(row, client_id, digest):
        return 0
    expect_version(row, version)
    draft = draft_content(row, locked)
    if len(locked.state.fighters) + len(draft.joining) > MAX_FIGHTERS:
        raise field_error(
            "fighters",
            "roster-full",
            gettext("A roster holds %(most_fighters)s fighters at most, including the fallen.")
            % {"most_fighters": MAX_FIGHTERS},
        )
    facts = facts_of(draft, locked.state)
    if not facts:
        raise InvalidInput("nothing-to-record", gettext("No changes to save."))
    reason = validate_fields(DraftRecord, {"overrule": overrule})["overrule"]
    facts = [
        replace(fact, reason=reason_to_recruit(locked, fact, user, reason))
        if isinstance(fact, Recruited)
        else fact
        for fact in facts
    ]
    append_all(locked, facts, user)
    record_warband(
        Verb.DRAFT_CARRIED_OUT, locked.warband, user, joined=len(draft.joining), overruled=reason
    )
    # Steps that are in the chronicle cannot be undone one by one. Keep the limit for the next
    # draft.
    row.undo = []
    keep_draft(row, Draft(limit=draft.limit), client_id, digest)
    return len(draft.joining)


@transaction.atomic
def save_template(*, warband_id: UUID, user: User, name: str) -> RosterTemplate:
    """Save the drafted roster as a named template to start others from.

    A template of the same name is replaced. Raises NotFound, Forbidden, InvalidInput
    "nobody-to-save", "too-many-templates".
    """
    locked = lock_warband(warband_id, user)
    state = drafted(draft_content(draft_row(locked), locked), locked.state)
    serving = [fighter for fighter in state.fighters.values() if not fighter.gone]
    if not serving:
        raise InvalidInput(
            "nobody-to-save",
            gettext("The roster is empty. Add fighters before you save it as a template."),
        )
    mine: dict[str, Any] = {
        "owner": user,
        "ruleset": state.ruleset,
        "faction": state.faction,
        "name": validate_fields(NewTemplate, {"name": name})["name"],
    }
    others = RosterTemplate.objects.filter(owner=user).exclude(**mine).count()
    if others >= MAX_TEMPLATES:
        raise InvalidInput(
            "too-many-templates",
            gettext("You can keep %(most_templates)s templates. Delete one first.")
            % {"most_templates": MAX_TEMPLATES},
        )
    content = Draft(
        joining=tuple(DraftRecruit(each.id, each.build) for each in serving),
        posts=state.posts,
        extras=state.extras,
    )
    points = locked.rules.roster_totals(state.roster).points
    template, _ = RosterTemplate.objects.update_or_create(
        **mine, defaults={"content": msgspec.to_builtins(content), "points": points}
    )
    return template


@transaction.atomic
def use_template(*, warband_id: UUID, template_id: UUID, user: User) -> None:
    """Add all fighters of one of the user's templates to the draft, with posts and purchases.

    Posts and purchases are taken only if roster and draft are empty. Nothing is recorded in the
    chronicle yet. Raises NotFound, Forbidden, InvalidInput "another-list" for a template of another
    rule system or faction, RulesError if the rules no longer know a build or a purchase.
    """
    locked = lock_warband(warband_id, user)
    row = draft_row(locked)
    template = RosterTemplate.objects.filter(owner=user, pk=template_id).first()
    if template is None:
        raise NotFound("unknown-template", gettext("Template not found."))
    if (template.ruleset, template.faction) != (locked.state.ruleset, locked.state.faction):
        raise InvalidInput(
            "another-list",
            gettext("This template is for another list. Use it in a warband of that list."),
        )
    before, content = draft_content(row, locked), msgspec.convert(template.content, Draft)
    bench = ChangeContext(locked.state, locked.rules, locked.in_play, (), SystemRandom())
    ids = {each.id: str(uuid4()) for each in content.joining}
    joining = tuple(
        DraftRecruit(ids[each.id], bench.cleaned(content, each.build)) for each in content.joining
    )
    posts = {
        post: tuple(ids[old_id] for old_id in holders if old_id in ids)
        for post, holders in (content.posts or {}).items()
    }
    free = before.empty and not locked.state.roster.fighters
    draft = replace(before, joining=(*before.joining, *joining))
    if free:
        extras = locked.rules.clean_extras(
            with_new_ids(content.extras or {}, ids), locked.state.terms
        )
        draft = replace(draft, posts=posts, extras=dict(extras))
    row.undo = [*row.undo, msgspec.to_builtins(before)][-UNDO_STEPS:]
    keep_draft(row, draft)


@transaction.atomic
def delete_template(*, template_id: UUID, user: User) -> None:
    """Delete one of the user's templates. Raises NotFound."""
    deleted, _ = RosterTemplate.objects.filter(owner=user, pk=template_id).delete()
    if not deleted:
        raise NotFound("unknown-template", gettext("Template not found."))


def draft_row(locked: LockedWarband) -> RosterDraft:
    """Return the row of the draft, new if there is none; the lock of its warband protects it."""
    row = RosterDraft.objects.filter(warband=locked.warband).first()
    return row or RosterDraft(warband=locked.warband)


def draft_content(row: RosterDraft, locked: LockedWarband) -> Draft:
    """Return the draft without the parts that later facts of the chronicle have made impossible."""
    return still_possible(msgspec.convert(row.content, Draft), locked.state)


def expect_version(row: RosterDraft, version: int | None) -> None:
    """Check that the draft still has this version, if one is given.

    Raises StateConflict "draft-went-on".
    """
    if version is not None and version != row.version:
        sentence = gettext(
            "This roster was changed elsewhere. Check the current version below and try again."
        )
        raise StateConflict("draft-went-on", sentence, field="version")


def sent_before(row: RosterDraft, client_id: UUID | None, digest: str) -> bool:
    """Return whether a request with this ``client_id`` was carried out.

    ``digest`` is that of the request's content. If it differs from the first request's,
    StateConflict "client-id-reused" is raised. Pages send no digest, so theirs are not compared.
    """
    if client_id is None:
        return False
    for line in row.carried_out:
        key, _, former = line.partition(" ")
        if key == str(client_id):
            # Requests from pages have no digest: see ``keep_draft``.
            if digest and former and digest != former:
                sentence = (
                    f"The client_id {client_id} was used for another request. Make a new one for "
                    "each request."
                )
                raise StateConflict("client-id-reused", sentence, field="client_id")
            return True
    return False


def keep_draft(
    row: RosterDraft, draft: Draft, client_id: UUID | None = None, digest: str = ""
) -> None:
    """Store the draft as its next version. One query."""
    carried_out = [*row.carried_out, *([f"{client_id} {digest}".rstrip()] if client_id else [])]
    RosterDraft.objects.bulk_create(
        [
            RosterDraft(
                warband_id=row.warband_id,
                content=msgspec.to_builtins(draft),
                version=row.version + 1,
                undo=row.undo,
                carried_out=carried_out[-KNOWN_IDS:],
            )
        ],
        update_conflicts=True,
        unique_fields=["warband"],
        update_fields=["content", "version", "undo", "carried_out", "changed_at"],
    )
