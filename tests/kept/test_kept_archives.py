"""Archives and passports of earlier releases are imported into an empty installation, and proved."""

import io
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from clubs.models import Club
from exchange.services.import_rows import import_archive
from exchange.services.passports import receive_passport
from tests.exchange.archives import files_in, manifest_in
from tests.kept import releases
from tests.kept.releases import kept_releases

pytestmark = pytest.mark.django_db
EACH = pytest.mark.parametrize("folder", kept_releases(), ids=lambda folder: folder.name)


@EACH
def test_archive_of_earlier_release_is_imported_and_proved(folder: Path, charlie: User) -> None:
    archive = (folder / releases.ARCHIVE).read_bytes()
    result = import_archive(file=io.BytesIO(archive), user=charlie, people={})
    rows = {table.name: table.rows for table in manifest_in(files_in(archive)).tables}
    assert min(rows[name] for name in ("warbands", "battles", "campaigns")) > 0
    made = {table.name: table.rows for table in result.counts}
    for name in ("warbands", "battles", "campaigns", "chronicle", "events"):
        assert made[name] == rows[name], name
    assert Club.objects.get().pk == result.subject
    call_command("check_chronicle", stdout=io.StringIO(), stderr=io.StringIO())


@EACH
def test_passport_of_earlier_release_is_accepted(folder: Path, charlie: User) -> None:
    content = (folder / releases.PASSPORT).read_bytes()
    assert receive_passport(content=content, user=charlie).name
