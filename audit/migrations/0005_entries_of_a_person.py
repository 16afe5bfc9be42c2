from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0004_chains"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(condition=models.Q(("actor__isnull", False)), fields=["actor"], name="audit_by_actor"),
        ),
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(
                condition=models.Q(("person__isnull", False)), fields=["person"], name="audit_about_person"
            ),
        ),
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(fields=["-at", "-id"], name="audit_newest_first"),
        ),
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(
                condition=models.Q(("request", ""), _negated=True), fields=["request"], name="audit_of_request"
            ),
        ),
    ]
