"""Forms of archives, passports and keys."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from core.display_names import display_name
from core.forms import PageForm
from core.input_forms import form_class, hidden
from exchange.archive_structs import ArchivePreview
from exchange.models import ArchiveKind
from exchange.passports import file_format as passports
from exchange.services import trust

ACCEPTED = ".json,application/json"
PERSON = "person-"


class ExportForm(PageForm):
    """A form with only a submit button: the URL says what is exported."""


class PassportForm(PageForm):
    """The upload of a passport."""

    file = forms.FileField(
        label=_("Passport"),
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
        help_text=_("The file whose name ends in .passport.json, at most 4 MB."),
    )

    @property
    def content(self) -> bytes:
        """Return the content of the file.

        Raises InvalidInput if it exceeds the limit of a passport.
        """
        file = self.cleaned_data["file"]
        if file.size > passports.MAX_BYTES:
            raise passports.too_large(file.size)
        return bytes(file.read())


class KeyForm(PageForm):
    """The public key of another installation, as a file or as pasted text."""

    places = {"public": "text"}
    text = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=trust.MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=_("The 64 digits, or the whole text of the key file."),
    )
    file = forms.FileField(
        label=_("Or the key file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
    )

    def clean(self) -> dict[str, Any]:
        """Use the content of the file if no key was pasted."""
        cleaned = {**(super().clean() or {})}
        file = cleaned.get("file")
        if file is not None and not cleaned.get("text"):
            cleaned["text"] = file.read(trust.MAX_BYTES).decode(errors="replace")
        if not cleaned.get("text") and not self.errors:
            self.add_error("text", gettext("Paste a key, or choose its file."))
        return cleaned


class ComparedForm(PageForm):
    """The confirmation that the fingerprint of a key was compared."""

    field_order = ("public", "name", "address", "compared")
    compared = forms.BooleanField(
        label=_("I compared the fingerprint with them digit by digit, on the phone or in person.")
    )


TrustForm = form_class(trust.Trust, ComparedForm, public=hidden())


class UploadForm(PageForm):
    """The upload of an archive to import."""

    file = forms.FileField(
        label=_("Archive"),
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )


class PeopleForm(PageForm):
    """The account for each person in the archive, and the club that gets a campaign."""

    def __init__(
        self,
        *args: Any,
        preview: ArchivePreview,
        candidates: Sequence[User],
        clubs: Iterable[Club],
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.people = preview.people
        me, *others = candidates
        choices = [("", gettext("Guest player"))]
        choices += [(display_name(me), gettext("Me (%(name)s)") % {"name": display_name(me)})]
        choices += [(display_name(other), _called(other)) for other in others]
        names: dict[int | None, str] = {each.pk: display_name(each) for each in candidates}
        for person in self.people:
            self.fields[f"{PERSON}{person.reference}"] = forms.ChoiceField(
                label=person.name,
                choices=choices,
                required=False,
                initial=names.get(person.user, ""),
            )
            self.fields[f"{PERSON}{person.reference}"].needed = True  # type: ignore[attr-defined]
        clubs = list(clubs) if preview.kind == ArchiveKind.CAMPAIGN else []
        if clubs:
            self.fields["club"] = forms.TypedChoiceField(
                label=gettext("Club for the campaign"),
                choices=[
                    ("", gettext("Create a separate club for it")),
                    *((str(club.pk), club.name) for club in clubs),
                ],
                required=False,
                empty_value=None,
            )

    def place_of(self, field: str) -> str | None:
        """Return the form field of an error. Services report "people.REFERENCE" for a person."""
        return super().place_of(field.replace("people.", PERSON))

    def chosen(self) -> dict[str, Any]:
        """Return the choices as keyword arguments of the import services."""
        people = {
            each.reference: self.cleaned_data[f"{PERSON}{each.reference}"] or None
            for each in self.people
        }
        return {"people": people, "club": self.cleaned_data.get("club")}


def _called(user: User) -> str:
    full = user.get_full_name()
    return f"{full} ({display_name(user)})" if full else display_name(user)
