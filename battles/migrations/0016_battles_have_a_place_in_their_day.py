from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("battles", "0015_line_ups_have_versions")]
    operations = [
        migrations.AddField(
            model_name="battle",
            name="place_in_day",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
