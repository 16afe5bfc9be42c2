"""`manage.py sign_chronicles`: accept the database as it is, and sign it."""

from typing import Any

from django.core.management.base import BaseCommand

from audit.services.proof import sign_audit
from battles.services.verification import sign_battles
from warbands.services.verification import sign_chronicles
from warbands.signed import sign_rows


class Command(BaseCommand):
    help = (
        "Sign every chronicle, battle, row and activity log entry in its current state, even if "
        "someone has tampered with it. Run check_chronicle first."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        sign_chronicles(trusting=True)
        sign_battles(trusting=True)
        sign_audit(trusting=True)
        sign_rows(trusting=True)
        self.stdout.write("Everything is signed in its current state.")
