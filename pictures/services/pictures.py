"""Add, caption and remove pictures, for users who may change the subject."""

import uuid
from typing import IO, Annotated
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from audit.verbs import Verb
from core.cleaning import field_error
from core.errors import Forbidden, NotFound
from core.inputs import Input, column, field, validate_fields
from core.quotas import Use, expect_room
from pictures.models import Picture
from pictures.services.decoding import Decoded, decode_picture
from pictures.services.files import delete_files, forget_pictures, store_files
from pictures.subjects import (
    PictureKind,
    all_subjects,
    clubs_of_subjects,
    editable_subjects,
    record_subject,
    visible_subjects,
)

MAX_PHOTOS = 12
"""The most photos of one battle."""
MAX_OF_A_MEMBER = 500
"""The most pictures that one member may have added."""
CAPTION = column(
    Picture,
    "caption",
    _("Caption"),
    _("Describe the photo. This also helps people who cannot see it."),
    api="For photos of battles.",
    line=True,
    default=True,
)


class NewPicture(Input, frozen=True, kw_only=True):
    """The data of a new picture in addition to its file."""

    kind: Annotated[PictureKind, field(api="What it shows.")]
    subject: Annotated[UUID, field(api="The id of the fighter, warband, club or battle.")]
    caption: Annotated[str, CAPTION] = ""


class NewCaption(Input, frozen=True, kw_only=True):
    """A new caption of a photo."""

    caption: Annotated[str, column(Picture, "caption", _("Caption"), line=True)]


def add_picture(
    *,
    user: User,
    kind: PictureKind,
    subject: UUID,
    file: IO[bytes],
    size: int,
    name: str = "",
    caption: str = "",
) -> Picture:
    """Add the picture in a file of ``size`` bytes; a new portrait or crest replaces the old one.

    Raises NotFound (`unknown-subject`), Forbidden (`not-your-subject`), StateConflict
    (`quota-reached`), Unavailable (`store-unusable`) and InvalidInput (`too-many-pictures`,
    `too-long`, and the codes of ``decode_picture``).
    """
    shown = expect_editable(user, kind, subject)
    caption = _cleaned(caption) if kind == PictureKind.BATTLE else ""
    decoded = decode_picture(file, size, name)
    key = uuid.uuid4()
    stored = store_files(key, decoded)
    try:
        picture = Picture(pk=key, kind=kind, subject=subject, caption=caption, **stored)
        return _stored(user, picture, decoded, shown)
    except BaseException:
        delete_files(key, stored.values())
        raise


@transaction.atomic
def caption_picture(*, user: User, picture_id: UUID, caption: str) -> Picture:
    """Change the caption of a photo.

    Raises NotFound (`unknown-picture`), Forbidden (`not-your-subject`) and InvalidInput
    (`too-long`; or `no-caption` for a portrait or a crest).
    """
    picture, shown = _own_picture(user, picture_id)
    if picture.kind != PictureKind.BATTLE:
        sentence = gettext("Only photos of battles have captions.")
        raise field_error("caption", "no-caption", sentence, caption[:40])
    picture.caption = _cleaned(caption)
    picture.save(update_fields=["caption"])
    record_subject(Verb.PICTURE_CAPTIONED, PictureKind(picture.kind), shown, user)
    return picture


@transaction.atomic
def remove_picture(*, user: User, picture_id: UUID) -> None:
    """Delete a picture with its files.

    Raises NotFound (`unknown-picture`) and Forbidden (`not-your-subject`).
    """
    picture, shown = _own_picture(user, picture_id)
    record_subject(Verb.PICTURE_REMOVED, PictureKind(picture.kind), shown, user)
    forget_pictures([picture])


def expect_editable(user: User, kind: PictureKind, subject: UUID) -> Model:
    """Return the subject of a picture if the user may change its pictures.

    Raises NotFound (`unknown-subject`) and Forbidden (`not-your-subject`).
    """
    if not visible_subjects(user)[kind].filter(pk=subject).exists():
        sentence = gettext("Not found, or you don't have access: %(kind)s.") % {"kind": kind.value}
        raise NotFound("unknown-subject", sentence, field="subject")
    shown: Model | None = editable_subjects(user)[kind].filter(pk=subject).first()
    if shown is None:
        sentence = gettext("Only people who can edit this can change its pictures.")
        raise Forbidden("not-your-subject", sentence)
    return shown


def _own_picture(user: User, picture_id: UUID) -> tuple[Picture, Model]:
    """Return the picture, locked, and its subject."""
    picture = Picture.objects.select_for_update(of=("self",)).filter(pk=picture_id).first()
    if picture is None or not picture.is_visible_to(user):
        raise NotFound("unknown-picture", gettext("Picture not found, or you don't have access."))
    return picture, expect_editable(user, PictureKind(picture.kind), picture.subject)


@transaction.atomic
def _stored(user: User, picture: Picture, decoded: Decoded, shown: Model) -> Picture:
    """Save the row.

    The subject is locked, so that two simultaneous uploads cannot both be the twelfth photo, or the
    portrait.
    """
    rows = all_subjects()[PictureKind(picture.kind)].filter(pk=picture.subject)
    rows.order_by().select_for_update(of=("self",), no_key=True).first()
    before = Picture.objects.filter(kind=picture.kind, subject=picture.subject)
    if picture.kind == PictureKind.BATTLE:
        _expect_room(user, before.count())
    else:
        forget_pictures(before)
        _expect_room(user)
    picture.club = clubs_of_subjects(PictureKind(picture.kind), [picture.subject]).get(
        picture.subject
    )
    picture.size = len(decoded.large.content) + len(decoded.small.content)
    expect_room(club=picture.club, user_id=user.pk, added=Use(pictures=1, size=picture.size))
    picture.digest = decoded.digest
    picture.large_width, picture.large_height = decoded.large.width, decoded.large.height
    picture.small_width, picture.small_height = decoded.small.width, decoded.small.height
    picture.added_by, picture.added_at = user, timezone.now()
    picture.save(force_insert=True)
    record_subject(Verb.PICTURE_ADDED, PictureKind(picture.kind), shown, user)
    return picture


def _expect_room(user: User, photos: int = 0) -> None:
    """Raises InvalidInput (`too-many-pictures`) if the battle or the user has the most allowed."""
    if photos >= MAX_PHOTOS:
        sentence = ngettext(
            "A battle has at most %(most)d photo. Remove one first.",
            "A battle has at most %(most)d photos. Remove one first.",
            MAX_PHOTOS,
        )
        raise field_error("file", "too-many-pictures", sentence % {"most": MAX_PHOTOS}, str(photos))
    count = Picture.objects.filter(added_by=user).count()
    if count >= MAX_OF_A_MEMBER:
        sentence = gettext("You have reached the limit of %(most)d pictures. Remove some first.")
        raise field_error(
            "file", "too-many-pictures", sentence % {"most": MAX_OF_A_MEMBER}, str(count)
        )


def _cleaned(caption: str) -> str:
    cleaned: str = validate_fields(NewCaption, {"caption": caption})["caption"]
    return cleaned
