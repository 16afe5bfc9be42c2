"""Forms for pictures."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from core.forms import PageForm
from core.input_forms import field_for, form_class
from pictures.services.pictures import NewCaption, NewPicture

ACCEPTED = "image/jpeg,image/png,image/webp"


class FilesInput(forms.FileInput):
    """A file input for several files."""

    allow_multiple_selected = True

    def use_required_attribute(self, initial: Any) -> bool:
        """Return False: the files may come from the field for the camera instead."""
        return False


class FilesField(forms.FileField):
    """A field for several files. Its value is the list of those that were sent."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Return the files, each of them checked."""
        files = data if isinstance(data, list | tuple) else [data]
        return [super(FilesField, self).clean(each, initial) for each in files or [None]]


class PictureForm(PageForm):
    """A picture to upload. Photos of a battle are uploaded together, and have a caption."""

    file = FilesField(
        label=gettext_lazy("Picture"),
        widget=FilesInput(attrs={"accept": ACCEPTED}),
        help_text=gettext_lazy(
            "JPEG, PNG or WebP, at most 10 MB. Muster removes the location and time."
        ),
    )
    caption = field_for(NewPicture, "caption")

    def __init__(self, *args: Any, captioned: bool = True, **named: Any) -> None:
        super().__init__(*args, **named)
        if captioned:
            self.fields["file"].label = gettext_lazy("Photos")
            self.fields["file"].widget.attrs["multiple"] = True
        else:
            del self.fields["caption"]


CaptionForm = form_class(NewCaption, PageForm)
