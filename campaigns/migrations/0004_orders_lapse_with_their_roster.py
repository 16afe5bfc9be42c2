from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0003_classic_campaigns")]

    operations = [
        migrations.AddField(
            model_name="sealedorder",
            name="sequence",
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
    ]
