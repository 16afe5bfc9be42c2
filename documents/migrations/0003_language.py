from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0002_claims_and_paths"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="language",
            field=models.CharField(choices=[("en", "English"), ("de", "Deutsch")], default="en", max_length=2),
        ),
        migrations.RemoveConstraint(model_name="document", name="one_document_per_subject"),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                fields=("kind", "subject", "paper", "language"), name="one_document_per_subject"
            ),
        ),
    ]
