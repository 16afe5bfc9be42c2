"""The pages of pictures: their files, and adding, captioning and removing them."""

from functools import partial
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import Forbidden, MusterError, NotFound
from core.views import (
    AuthenticatedRequest,
    login_required_page,
    minutes_to_wait,
    post_data,
    public_page,
    question,
    render_form,
    run_service,
)
from pictures.downloads import file_answer
from pictures.forms import CaptionForm, PictureForm
from pictures.models import Picture
from pictures.services.pictures import (
    MAX_PHOTOS,
    add_picture,
    caption_picture,
    expect_editable,
    remove_picture,
)
from pictures.subjects import PictureKind, all_subjects
from pictures.uploads import UploadThrottle

PAGES = {
    PictureKind.FIGHTER: "warbands:fighter",
    PictureKind.WARBAND: "warbands:warband",
    PictureKind.CLUB: "home:club",
    PictureKind.BATTLE: "battles:battle",
}
"""The page of each kind of subject."""


@require_safe
@public_page
def file(request: HttpRequest, pk: UUID, size: str) -> HttpResponseBase:
    """Return a picture if the user may see its subject, else 404 without a redirect to sign in."""
    picture = Picture.objects.filter(pk=pk).first()
    if picture is None or not picture.is_visible_to(request.user):
        return HttpResponse(status=404)
    return file_answer(request, picture, size)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def pictures(request: AuthenticatedRequest, pk: UUID, kind: str) -> HttpResponse:
    """Show the pictures of a subject, with forms to add, caption and remove them."""
    of = PictureKind(kind)
    expect_editable(request.user, of, pk)
    subject = all_subjects()[of].get(pk=pk)
    captioned = of == PictureKind.BATTLE
    form = PictureForm(post_data(request), request.FILES or None, captioned=captioned)
    waits = minutes_to_wait(request, UploadThrottle) if request.method == "POST" else 0
    if waits:
        form.add_error(None, _too_often(waits))
    elif form.is_valid() and _add(request, form, of, pk):
        return redirect(f"{reverse(PAGES[of], args=[pk])}{'#pictures' if captioned else ''}")
    shown = _shown(of, subject)
    if waits:
        answer = render(request, "pictures/pictures.html", {"form": form, **shown}, status=429)
        answer.headers["Retry-After"] = str(60 * waits)
        return answer
    return render_form(request, "pictures/pictures.html", form, **shown)


pictures.upload_limit = "PHOTOS_LIMIT"  # type: ignore[attr-defined]


def _shown(kind: PictureKind, subject: Any) -> dict[str, Any]:
    """Return the context of the page, except its form."""
    pictures = Picture.objects.filter(kind=kind, subject=subject.pk)
    return {
        "kind": kind,
        "subject": subject,
        "name": getattr(subject, "name", "") or str(subject),
        "home": reverse(PAGES[kind], args=[subject.pk]),
        "kept": [
            (row, CaptionForm(initial={"caption": row.caption}, auto_id=f"{row.pk}_%s"))
            for row in pictures
        ],
        "most": MAX_PHOTOS,
        "section": {"club": "clubs", "battle": "battles"}.get(kind.value, "warbands"),
    }


def _add(
    request: AuthenticatedRequest, form: PictureForm, kind: PictureKind, subject: UUID
) -> bool:
    """Add each uploaded file, and return whether all were added. Errors name their file."""
    files = form.cleaned_data["file"]
    caption = form.cleaned_data.get("caption", "")
    for place, uploaded in enumerate(files):
        waits = minutes_to_wait(request, UploadThrottle) if place else 0
        if waits:
            form.add_error(None, _too_often(waits))
            break
        try:
            add_picture(
                user=request.user,
                kind=kind,
                subject=subject,
                file=uploaded,
                size=uploaded.size,
                name=uploaded.name,
                caption=caption,
            )
        except (Forbidden, NotFound):
            raise
        except MusterError as error:
            if len(files) > 1:
                form.add_error("file", f"{uploaded.name}: {error.sentence}")
            else:
                form.add_errors(error)
    return not form.errors


def _too_often(minutes: int) -> str:
    sentence = ngettext(
        "You have uploaded too many pictures. Try again in %(minutes)d minute.",
        "You have uploaded too many pictures. Try again in %(minutes)d minutes.",
        minutes,
    )
    return sentence % {"minutes": minutes}


@require_POST
@login_required_page
def caption(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change the caption of a photo."""
    picture = _found(pk)
    change = partial(
        caption_picture, user=request.user, picture_id=pk, caption=request.POST.get("caption", "")
    )
    run_service(request, change, gettext("Caption saved."))
    return redirect(_pictures_of(picture))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def remove(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Remove a picture, after a confirmation page."""
    picture = _found(pk)
    if request.method != "POST":
        expect_editable(request.user, PictureKind(picture.kind), picture.subject)
        return question(
            request,
            heading=gettext("Remove this picture?"),
            lines=[
                *([picture.caption] if picture.caption else []),
                gettext("It cannot be restored."),
            ],
            button=gettext("Remove picture"),
            back=_pictures_of(picture),
        )
    run_service(
        request,
        partial(remove_picture, user=request.user, picture_id=pk),
        gettext("Picture removed."),
    )
    return redirect(_pictures_of(picture))


def _found(pk: UUID) -> Picture:
    """Return the picture or raise Http404. The services check permissions."""
    picture = Picture.objects.filter(pk=pk).first()
    if picture is None:
        raise Http404
    return picture


def _pictures_of(picture: Picture) -> str:
    return reverse(f"pictures:of-{picture.kind}", args=[picture.subject])
