"""Secrets of second factors are locked by the installation's key; until now they stood in plain text."""

from collections.abc import Callable
from typing import Any

from django.db import migrations

from accounts.second_factors import lock_secret, rewritten, unlock_secret


def _change(apps: Any, change: Callable[[str], str]) -> None:
    factors = apps.get_model("mfa", "Authenticator").objects.filter(type__in=("totp", "recovery_codes"))
    for factor in factors:
        factor.data = rewritten(factor.data, change)
        factor.save(update_fields=["data"])


def lock_all(apps: Any, schema_editor: Any) -> None:
    """Lock every secret."""
    _change(apps, lock_secret)


def unlock_all(apps: Any, schema_editor: Any) -> None:
    """Back to plain text."""
    _change(apps, unlock_secret)


class Migration(migrations.Migration):
    initial = True
    dependencies = [("mfa", "0003_authenticator_type_uniq")]
    operations = [migrations.RunPython(lock_all, unlock_all)]
