"""Marks of entries that came with an archive. Columns that may be empty are added without touching a row, so that the
triggers that refuse changes stay where they are."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_append_only")]

    operations = [
        migrations.AddField("auditentry", "origin", models.CharField(max_length=32, null=True)),
        migrations.AddField("auditentry", "number", models.BigIntegerField(null=True)),
        migrations.AddField("auditentry", "brought_by", models.CharField(max_length=32, null=True)),
        migrations.AddField("auditentry", "imported_at", models.DateTimeField(null=True)),
    ]
