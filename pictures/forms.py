"""What is asked for a picture."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from core.forms import PageForm
from pictures.services.pictures import MAX_CAPTION

ACCEPTED = "image/jpeg,image/png,image/webp"


class PictureForm(PageForm):
    """A picture to upload, a photo of a battle with its caption."""

    file = forms.FileField(
        label=gettext_lazy("Picture"),
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
        help_text=gettext_lazy("JPEG, PNG or WebP, at most 10 MB. Where and when it was taken is not kept."),
    )
    caption = forms.CharField(
        label=gettext_lazy("Caption"),
        max_length=MAX_CAPTION,
        required=False,
        help_text=gettext_lazy("What it shows, also for those who cannot see it."),
    )

    def __init__(self, *args: Any, captioned: bool = True, **named: Any) -> None:
        super().__init__(*args, **named)
        if not captioned:
            del self.fields["caption"]


class CaptionForm(PageForm):
    """Another caption."""

    caption = forms.CharField(label=gettext_lazy("Caption"), max_length=MAX_CAPTION, required=False)
