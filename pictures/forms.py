"""Forms for pictures."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from core.forms import PageForm
from core.input_forms import field_for, form_class
from pictures.services.pictures import NewCaption, NewPicture

ACCEPTED = "image/jpeg,image/png,image/webp"


class PictureForm(PageForm):
    """A picture to upload. A photo of a battle has a caption."""

    file = forms.FileField(
        label=gettext_lazy("Picture"),
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
        help_text=gettext_lazy(
            "JPEG, PNG or WebP, at most 10 MB. Muster does not store the place and time."
        ),
    )
    caption = field_for(NewPicture, "caption")

    def __init__(self, *args: Any, captioned: bool = True, **named: Any) -> None:
        super().__init__(*args, **named)
        if not captioned:
            del self.fields["caption"]


CaptionForm = form_class(NewCaption, PageForm)
