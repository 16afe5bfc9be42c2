"""The pages of pictures: their files, and for whoever may: uploading, captioning and removing
them."""

from functools import partial
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

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
"""Where each kind of subject is at home."""


@require_safe
@public_page
def file(request: HttpRequest, pk: UUID, size: str) -> HttpResponseBase:
    """A picture, for whoever may see what it shows; nobody is sent to sign in for it."""
    picture = Picture.objects.filter(pk=pk).first()
    if picture is None or not picture.is_visible_to(request.user):
        return HttpResponse(status=404)
    return file_answer(request, picture, size)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def pictures(request: AuthenticatedRequest, pk: UUID, kind: str) -> HttpResponse:
    """The pictures of a subject: adding one, captioning and removing those that are there."""
    of = PictureKind(kind)
    expect_editable(request.user, of, pk)
    subject = all_subjects()[of].get(pk=pk)
    captioned = of == PictureKind.BATTLE
    form = PictureForm(post_data(request), request.FILES or None, captioned=captioned)
    waits = minutes_to_wait(request, UploadThrottle) if request.method == "POST" else 0
    if waits:
        form.add_error(None, _too_often(waits))
    elif form.is_valid() and form.submit(partial(_add, request, form, of, pk)):
        return redirect(f"{reverse(PAGES[of], args=[pk])}{'#pictures' if captioned else ''}")
    shown = _shown(of, subject)
    if waits:
        answer = render(request, "pictures/pictures.html", {"form": form, **shown}, status=429)
        answer.headers["Retry-After"] = str(60 * waits)
        return answer
    return render_form(request, "pictures/pictures.html", form, **shown)


def _shown(kind: PictureKind, subject: Any) -> dict[str, Any]:
    """What the page shows beside its form."""
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
) -> Picture:
    uploaded = form.cleaned_data["file"]
    about = {
        "size": uploaded.size,
        "name": uploaded.name,
        "caption": form.cleaned_data.get("caption", ""),
    }
    return add_picture(user=request.user, kind=kind, subject=subject, file=uploaded, **about)


def _too_often(minutes: int) -> str:
    sentence = ngettext(
        "You have uploaded many pictures lately. Try again in %(minutes)d minute.",
        "You have uploaded many pictures lately. Try again in %(minutes)d minutes.",
        minutes,
    )
    return sentence % {"minutes": minutes}


@require_POST
@login_required_page
def caption(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Give a photo another caption."""
    picture = _found(pk)
    change = partial(
        caption_picture, user=request.user, picture_id=pk, caption=request.POST.get("caption", "")
    )
    run_service(request, change, gettext("The caption is changed."))
    return redirect(_pictures_of(picture))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def remove(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Remove a picture, after a question."""
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
            button=gettext("Remove"),
            back=_pictures_of(picture),
        )
    run_service(
        request,
        partial(remove_picture, user=request.user, picture_id=pk),
        gettext("The picture is removed."),
    )
    return redirect(_pictures_of(picture))


def _found(pk: UUID) -> Picture:
    """The picture, for a service to judge who may touch it. Raises Http404."""
    picture = Picture.objects.filter(pk=pk).first()
    if picture is None:
        raise Http404
    return picture


def _pictures_of(picture: Picture) -> str:
    return reverse(f"pictures:of-{picture.kind}", args=[picture.subject])
