"""The form to create an account and join a club in one step, by an invitation."""

from typing import Any

from allauth.account.forms import SignupForm
from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from clubs.models import Invitation
from clubs.services.invitations import Accept, accept_invitation, find_invitation
from clubs.services.members import free_name
from core.errors import MusterError
from core.input_forms import field_for


class InvitedSignupForm(SignupForm):
    """allauth's own form, with a name in the club."""

    secret = forms.CharField(widget=forms.HiddenInput)
    name = field_for(Accept, "name")
    invitation: Invitation

    def clean(self) -> dict[str, Any]:
        """Check that the link still works and that the name is free in the club."""
        cleaned: dict[str, Any] = super().clean()
        try:
            self.invitation = find_invitation(cleaned.get("secret", ""))
        except MusterError as error:
            raise forms.ValidationError(error.sentence) from error
        name = cleaned.get("name") or cleaned.get("username")
        if name and self.invitation.seat is None:
            try:
                free_name(self.invitation.club, name)
            except MusterError as error:
                self.add_error("name", error.sentence)
        return cleaned

    @transaction.atomic
    def save(self, request: HttpRequest) -> User:
        """Create the account, join the club, and return the account.

        If this raises MusterError, no account is created.
        """
        user: User = super().save(request)
        accept_invitation(
            secret=self.cleaned_data["secret"], user=user, name=self.cleaned_data.get("name", "")
        )
        return user
