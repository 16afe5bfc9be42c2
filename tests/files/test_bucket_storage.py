"""Files in a bucket behave as files on a disk."""

import zipfile
from io import BytesIO
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from core.buckets import silent_store
from core.file_stores import StoreError, file_store, local_copy
from core.jobs.stored_files import folders_in
from tests.files.conftest import PREFIX, Bucket

LONG = bytes(range(256)) * 4096


def test_a_file_is_stored_under_the_prefix_and_read_again(bucket: Bucket) -> None:
    name = default_storage.save("documents/ab/one.pdf", ContentFile(b"%PDF"))
    assert (name, bucket.names()) == ("documents/ab/one.pdf", [f"{PREFIX}/documents/ab/one.pdf"])
    with default_storage.open(name) as file:
        assert (file.size, file.read()) == (4, b"%PDF")
    with file.open() as again:
        assert again.read() == b"%PDF"
    assert default_storage.size(name) == 4


def test_a_name_that_is_taken_gets_another_name(bucket: Bucket) -> None:
    first, second = (default_storage.save("a.pdf", ContentFile(each)) for each in (b"1", b"2"))
    assert first != second
    assert default_storage.open(first).read() == b"1"


def test_a_file_can_be_replaced(bucket: Bucket) -> None:
    file_store().replace("a.pdf", BytesIO(b"old"))
    file_store().replace("a.pdf", BytesIO(b"new"))
    assert bucket.content(f"{PREFIX}/a.pdf") == b"new"


def test_a_missing_file_is_named_as_missing(bucket: Bucket) -> None:
    with pytest.raises(FileNotFoundError):
        default_storage.open("nothing.pdf")
    with pytest.raises(FileNotFoundError):
        default_storage.size("nothing.pdf")
    assert not default_storage.exists("nothing.pdf")
    assert folders_in("nothing") == []
    default_storage.delete("nothing.pdf")


def test_a_long_file_is_read_from_any_place(bucket: Bucket) -> None:
    bucket.put(f"{PREFIX}/long", LONG)
    with default_storage.open("long") as file:
        assert file.read(3) == LONG[:3]
        file.seek(700_000)
        assert file.read(5) == LONG[700_000:700_005]
        file.seek(-2, 2)
        assert (file.read(), file.tell()) == (LONG[-2:], len(LONG))
        file.seek(0)
        assert file.read() == LONG


def test_a_zip_is_read_in_the_bucket_and_from_a_copy(bucket: Bucket) -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("first", LONG)
        archive.writestr("second", b"two")
    default_storage.save("some.zip", ContentFile(packed.getvalue()))
    with default_storage.open("some.zip") as file:
        assert zipfile.ZipFile(file).read("second") == b"two"
    with default_storage.open("some.zip") as file, local_copy(file) as copy:
        assert copy is not file
        assert zipfile.ZipFile(copy).read("first") == LONG


def test_an_object_that_is_replaced_while_it_is_read_is_not_mixed(bucket: Bucket) -> None:
    bucket.put(f"{PREFIX}/long", LONG)
    with default_storage.open("long") as file:
        assert file.read(3) == LONG[:3]
        bucket.put(f"{PREFIX}/long", LONG[::-1])
        file.seek(800_000)
        with pytest.raises(StoreError):
            file.read()


def test_all_names_are_listed_without_those_of_other_prefixes(bucket: Bucket) -> None:
    bucket.put("club2/c.pdf", b"another club's")
    for name in ("b/2.pdf", "a/1.pdf", "a/b/3.pdf"):
        default_storage.save(name, ContentFile(b"x"))
    assert list(file_store().names()) == ["a/1.pdf", "a/b/3.pdf", "b/2.pdf"]
    assert folders_in("a") == ["b"]


def test_a_file_has_no_public_address(bucket: Bucket) -> None:
    default_storage.save("a.pdf", ContentFile(b"x"))
    with pytest.raises(NotImplementedError):
        default_storage.url("a.pdf")
    grants = bucket.client.get_object_acl(Bucket="muster-files", Key=f"{PREFIX}/a.pdf")["Grants"]
    assert [grant["Grantee"]["Type"] for grant in grants] == ["CanonicalUser"]


@pytest.mark.parametrize(
    "use",
    [
        lambda: default_storage.open("a.pdf"),
        lambda: default_storage.exists("a.pdf"),
        lambda: default_storage.delete("a.pdf"),
        lambda: default_storage.size("a.pdf"),
        lambda: default_storage.listdir(""),
        lambda: default_storage.get_modified_time("a.pdf"),
        lambda: default_storage.save("b.pdf", ContentFile(b"x")),
        lambda: file_store().replace("b.pdf", BytesIO(b"x")),
        lambda: list(file_store().names()),
    ],
)
def test_a_store_that_is_gone_is_an_error_of_the_system(bucket: Bucket, use: Any) -> None:
    default_storage.save("a.pdf", ContentFile(b"x"))
    bucket.stop()
    with pytest.raises(StoreError):
        use()


def test_a_missing_bucket_is_an_error_of_the_system(bucket: Bucket) -> None:
    bucket.client.delete_bucket(Bucket="muster-files")
    with pytest.raises(OSError):
        default_storage.save("b.pdf", ContentFile(b"x"))


def test_a_store_that_let_somebody_wait_is_skipped_for_some_seconds(bucket: Bucket) -> None:
    silent_store.trip()
    with pytest.raises(StoreError, match="a moment ago"):
        default_storage.exists("a.pdf")
    silent_store.reset()
    assert not default_storage.exists("a.pdf")
