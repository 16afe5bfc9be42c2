"""Sign with a new key from now on: `manage.py renew_signing_key`.

Signatures of earlier keys stay valid.
"""

from typing import Any

from django.core.management.base import BaseCommand

from exchange.signing import renew_signing_key


class Command(BaseCommand):
    help = (
        "Retire the key that signs passports and archives, and make another. Tell its fingerprint "
        "to your friends."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        key = renew_signing_key()
        self.stdout.write(f"From now on this key signs: {key.groups}")
