"""Signs the chronicles that an installation has; and PostgreSQL refuses to empty their table as a whole."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from warbands.chronicle_seals import head_signature, sign_register

TABLE = "warbands_chronicleentry"


def sign_all(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Sign every head, and the register of all of them."""
    warbands = apps.get_model("warbands", "Warband").objects
    begun = []
    for key, sequence, seal in warbands.exclude(sequence=0).values_list("pk", "sequence", "head_seal"):
        warbands.filter(pk=key).update(head_signature=head_signature(key, sequence, seal))
        begun.append(key)
    register = apps.get_model("warbands", "ChronicleRegister")(pk=1)
    sign_register(register, begun)
    register.save()


def sign_nothing(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The way back: columns and table go with the migration before."""


def refuse_to_empty(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """TRUNCATE fires none of the triggers that refuse to change and delete rows. SQLite knows no TRUNCATE."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            f"CREATE TRIGGER chronicle_no_truncate BEFORE TRUNCATE ON {TABLE} "
            "FOR EACH STATEMENT EXECUTE FUNCTION chronicle_refuse()"
        )


def allow_to_empty(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the trigger away again."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP TRIGGER chronicle_no_truncate ON {TABLE}")


class Migration(migrations.Migration):
    dependencies = [("warbands", "0008_heads_are_signed")]
    operations = [
        migrations.RunPython(sign_all, sign_nothing),
        migrations.RunPython(refuse_to_empty, allow_to_empty),
    ]
