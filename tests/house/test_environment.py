"""Reading the environment: every kind of value, and every kind of nonsense."""

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment as env

FULL_ADDRESS = "postgres://muster:p%40ss@db.example:5433/club?sslmode=require"


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that sets the variable X."""
    return lambda value: monkeypatch.setenv("X", value)


def test_a_text_loses_the_white_space_around_it(given):
    given("  musket \n")
    assert env.text("X") == "musket"


def test_a_blank_variable_counts_as_not_set(given):
    given("   ")
    assert env.text("X", "default") == "default"


def test_a_required_variable_that_is_missing_is_named(monkeypatch):
    monkeypatch.delenv("X", raising=False)
    with pytest.raises(ImproperlyConfigured, match="X is required"):
        env.text("X")


@pytest.mark.parametrize(
    ("word", "meaning"), [("1", True), ("Yes", True), ("on", True), ("0", False), ("False", False)]
)
def test_a_flag_understands_the_usual_words(given, word, meaning):
    given(word)
    assert env.flag("X") is meaning


def test_a_flag_refuses_other_words(given):
    given("perhaps")
    with pytest.raises(ImproperlyConfigured, match="'perhaps'"):
        env.flag("X", True)


def test_a_number_within_its_limits_is_taken(given):
    given("64")
    assert env.number("X", at_least=1, at_most=64) == 64


@pytest.mark.parametrize("nonsense", ["0", "65", "many", "1.5", "--3", "1e3"])
def test_a_number_out_of_its_limits_or_none_at_all_is_refused(given, nonsense):
    given(nonsense)
    with pytest.raises(ImproperlyConfigured, match="from 1 to 64"):
        env.number("X", at_least=1, at_most=64)


def test_names_are_split_at_commas(given):
    given("muster.example, www.muster.example ,")
    assert env.names("X") == ["muster.example", "www.muster.example"]


def test_a_choice_must_be_one_of_the_words(given):
    given("both")
    with pytest.raises(ImproperlyConfigured, match="embedded, server"):
        env.choice("X", ("embedded", "server"), "embedded")


def test_a_folder_is_made_absolute(given, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    given("files")
    assert env.folder("X", Path("/nowhere")) == tmp_path / "files"


@pytest.mark.parametrize("nonsense", ["60", "many/minute", "60/fortnight", "/minute"])
def test_a_rate_that_makes_no_sense_is_refused(given, nonsense):
    given(nonsense)
    with pytest.raises(ImproperlyConfigured, match="60/minute"):
        env.rate("X", "1/minute")


def test_a_rate_is_a_count_and_a_period(given):
    given("5/hour")
    assert env.rate("X", "1/minute") == "5/hour"


def test_a_secret_can_come_from_a_file(monkeypatch, tmp_path):
    monkeypatch.delenv("X", raising=False)
    (tmp_path / "secret").write_text("hush\n")
    monkeypatch.setenv("X_FILE", str(tmp_path / "secret"))
    assert env.secret("X") == "hush"


def test_a_secret_given_twice_is_refused(given, monkeypatch, tmp_path):
    given("hush")
    monkeypatch.setenv("X_FILE", str(tmp_path / "secret"))
    with pytest.raises(ImproperlyConfigured, match="which one"):
        env.secret("X")


def test_a_secret_file_that_cannot_be_read_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("X_FILE", str(tmp_path / "nowhere"))
    with pytest.raises(ImproperlyConfigured, match="X_FILE names a file"):
        env.secret("X", "")


def test_an_empty_secret_file_is_not_a_secret(monkeypatch, tmp_path):
    (tmp_path / "secret").touch()
    monkeypatch.setenv("X_FILE", str(tmp_path / "secret"))
    with pytest.raises(ImproperlyConfigured, match="required"):
        env.secret("X")


def test_the_parts_of_a_postgres_address_are_taken_apart(given):
    given(FULL_ADDRESS)
    assert env.database("X") == {
        "ENGINE": "core.postgres",
        "NAME": "club",
        "USER": "muster",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


def test_the_database_password_can_be_kept_apart_from_the_address(monkeypatch, tmp_path):
    (tmp_path / "password").write_text("hush\n")
    monkeypatch.setenv("DATABASE_URL", "postgres://muster@db/club")
    monkeypatch.setenv("DATABASE_PASSWORD_FILE", str(tmp_path / "password"))
    assert env.database("DATABASE_URL")["PASSWORD"] == "hush"


def test_a_sqlite_address_names_a_file(given):
    given("sqlite:////srv/muster.sqlite3")
    assert env.database("X") == {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": "/srv/muster.sqlite3",
    }


@pytest.mark.parametrize(
    "nonsense", ["mysql://db/club", "postgres://db/", "club", "postgres://db:port/club"]
)
def test_an_address_that_is_none_is_refused(given, nonsense):
    given(nonsense)
    with pytest.raises(ImproperlyConfigured, match="X"):
        env.database("X")


@pytest.mark.parametrize(
    ("address", "password", "expected"),
    [
        ("redis://redis:6379/0", "hush", "redis://:hush@redis:6379/0"),
        ("redis://redis:6379/0", "a/b@c d", "redis://:a%2Fb%40c%20d@redis:6379/0"),
        ("rediss://muster@redis/1", "hush", "rediss://muster:hush@redis/1"),
        ("redis://:own@redis:6379/0", "hush", "redis://:own@redis:6379/0"),
        ("redis://redis:6379/0", "", "redis://redis:6379/0"),
        ("files://localhost", "hush", "files://localhost"),
        ("", "hush", ""),
    ],
)
def test_password_of_redis_goes_into_its_address(address, password, expected):
    assert env.redis_address(address, password) == expected


BUCKET = {
    "bucket": "muster-files",
    "endpoint": "https://s3.example.org",
    "region": "",
    "access_key": "a-key",
    "secret_key": "a-secret",
    "prefix": "/club/",
}


def test_a_bucket_of_any_store_has_its_address_keys_and_folder():
    assert env.bucket_options(**BUCKET) == {
        "bucket_name": "muster-files",
        "endpoint_url": "https://s3.example.org",
        "region_name": "us-east-1",
        "access_key": "a-key",
        "secret_key": "a-secret",
        "location": "club",
    }
    assert env.bucket_options(**{**BUCKET, "bucket": ""}) == {}


def test_a_bucket_of_aws_can_do_without_keys():
    bare = dict.fromkeys(BUCKET, "") | {"bucket": "muster-files", "region": "eu-central-1"}
    assert env.bucket_options(**bare) == {
        "bucket_name": "muster-files",
        "region_name": "eu-central-1",
    }


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"bucket": "My Files"}, "S3_BUCKET should be a bucket's name"),
        ({"endpoint": "s3.example.org"}, "S3_ENDPOINT should look like"),
        ({"access_key": ""}, "S3_ACCESS_KEY is required"),
        ({"secret_key": ""}, "S3_SECRET_KEY is required"),
        ({"endpoint": "", "access_key": ""}, "S3_ACCESS_KEY is required"),
    ],
)
def test_a_bucket_that_cannot_work_is_named(changes, complaint):
    with pytest.raises(ImproperlyConfigured, match=complaint):
        env.bucket_options(**{**BUCKET, **changes})


def test_a_site_loses_the_slash_at_its_end(given):
    given("https://muster.example/")
    assert env.site("X", "") == "https://muster.example"


@pytest.mark.parametrize("nonsense", ["Europe/Nowhere", "Europe", "../UTC", "noon"])
def test_time_zone_that_does_not_exist_is_refused(given, nonsense):
    given(nonsense)
    with pytest.raises(ImproperlyConfigured, match="X should be a time zone"):
        env.time_zone("X", "UTC")


def test_time_zone_has_a_default(monkeypatch):
    monkeypatch.delenv("X", raising=False)
    assert env.time_zone("X", "Europe/Berlin") == "Europe/Berlin"
