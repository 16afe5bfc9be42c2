"""Read typed settings from the environment and report invalid values.

Every function takes the name of a variable and, for most, a default for when it is not set. Without
a default the variable is required. An empty value counts as not set, so a blank line in a `.env`
file means "the default".
"""

import os
import re
import secrets
import stat
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit, urlunsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

REQUIRED: Any = object()
YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}
ENGINES = {
    "postgres": "core.postgres",
    "postgresql": "core.postgres",
    "sqlite": "django.db.backends.sqlite3",
}


def text(name: str, default: str = REQUIRED) -> str:
    """Return the variable without surrounding white space.

    Raises ImproperlyConfigured if it is required and missing.
    """
    value = os.environ.get(name, "").strip()
    return value or _default(name, default)


def secret(name: str, default: str = REQUIRED) -> str:
    """Return the variable, or the content of the file in `<name>_FILE`.

    Raises ImproperlyConfigured if both are set or the file cannot be read.
    """
    file_name = text(f"{name}_FILE", "")
    if not file_name:
        return text(name, default)
    if text(name, ""):
        _refuse(name, f"is set, and so is {name}_FILE: which one is meant?")
    try:
        return Path(file_name).read_text(encoding="utf-8").strip() or _default(name, default)
    except OSError as error:
        _refuse(f"{name}_FILE", f"names a file that cannot be read: {error}")


def flag(name: str, default: bool = REQUIRED) -> bool:
    """Return True for 1/true/yes/on and False for 0/false/no/off."""
    value = text(name, "").lower()
    if not value:
        return bool(_default(name, default))
    if value not in YES | NO:
        _refuse(name, f"should be yes or no, not {value!r}")
    return value in YES


def number(name: str, default: int = REQUIRED, *, at_least: int = 0, at_most: int = 2**31) -> int:
    """Return a whole number within the limits, both included."""
    value = text(name, "")
    if not value:
        return int(_default(name, default))
    if not re.fullmatch(r"-?\d+", value, re.ASCII) or not at_least <= int(value) <= at_most:
        _refuse(name, f"should be a whole number from {at_least} to {at_most}, not {value!r}")
    return int(value)


def names(name: str, default: list[str] = REQUIRED) -> list[str]:
    """Return the items of a list, separated by commas."""
    value = text(name, "")
    return (
        [part.strip() for part in value.split(",") if part.strip()]
        if value
        else list(_default(name, default))
    )


def choice(name: str, choices: tuple[str, ...], default: str = REQUIRED) -> str:
    """Return one of the given words."""
    value = text(name, default)
    if value not in choices:
        _refuse(name, f"should be one of {', '.join(choices)}, not {value!r}")
    return value


def folder(name: str, default: Path) -> Path:
    """Return an absolute path. The folder need not exist yet."""
    return Path(text(name, str(default))).expanduser().resolve()


def time_zone(name: str, default: str) -> str:
    """Return the name of a time zone, such as Europe/Berlin."""
    value = text(name, default)
    try:
        return ZoneInfo(value).key
    # A name such as ../etc/passwd is a ValueError, and a folder such as Europe is an OSError.
    except (ZoneInfoNotFoundError, ValueError, OSError):
        _refuse(name, f"should be a time zone such as Europe/Berlin, not {value!r}")


def hosts(name: str, default: list[str] = REQUIRED) -> list[str]:
    """Return host names, separated by commas."""
    values = names(name, default)
    for value in values:
        if "/" in value:
            _refuse(name, f"should be host names such as muster.example.org, not {value!r}")
    return values


def matching(name: str, pattern: str, example: str) -> str:
    """Return a text that fully matches a regular expression, or "" if it is not set."""
    value = text(name, "")
    if value and not re.fullmatch(pattern, value, re.ASCII):
        _refuse(name, f"should look like {example}, not {value!r}")
    return value


def site(name: str, default: str) -> str:
    """Return the address of a site, such as https://muster.example.org, without a last slash."""
    value = text(name, default).rstrip("/")
    _check_site(name, value)
    return value


def sites(name: str) -> list[str]:
    """Return the addresses of sites, separated by commas."""
    values = names(name, [])
    for value in values:
        _check_site(name, value)
    return values


def _check_site(name: str, value: str) -> None:
    address = urlsplit(value)
    extra = address.path or address.query or address.fragment
    if address.scheme not in {"http", "https"} or not address.netloc or extra:
        _refuse(name, f"should look like https://muster.example.org, not {value!r}")


def rate(name: str, default: str) -> str:
    """Return a throttle rate such as `60/minute`: a count per second, minute, hour or day."""
    value = text(name, default)
    count, _, period = value.partition("/")
    if not count.isdecimal() or period not in {"second", "minute", "hour", "day"}:
        _refuse(name, f"should look like 60/minute, not {value!r}")
    return value


def database(name: str, default: str = REQUIRED, *, sqlite_too: bool = True) -> dict[str, Any]:
    """Return Django's settings for one database.

    The variable is `postgres://user:password@host:port/name?option=value` or `sqlite:///path`. The
    password may instead be in `<first part of name>_PASSWORD` or in a file. Without ``sqlite_too``
    it has to be PostgreSQL.
    """
    address = urlsplit(secret(name, default))
    if address.scheme == "sqlite" and not sqlite_too:
        _refuse(name, "should be the address of a PostgreSQL server")
    if address.scheme not in ENGINES or not address.path.strip("/"):
        _refuse(name, "should look like postgres://user@host:5432/name or sqlite:///path/to/file")
    if address.scheme == "sqlite":
        return {"ENGINE": ENGINES["sqlite"], "NAME": unquote(address.path[1:])}
    return _postgres(name, address)


def bucket_options(
    *, bucket: str, endpoint: str, region: str, access_key: str, secret_key: str, prefix: str
) -> dict[str, str]:
    """Return the options of a bucket of an S3-compatible store; {} without a bucket.

    Without an endpoint it is a bucket of AWS, where a machine's own role can replace the keys.
    Raises ImproperlyConfigured if a name or address is invalid, or a key is missing.
    """
    if not bucket:
        return {}
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", bucket):
        _refuse("S3_BUCKET", f"should be a bucket's name, such as muster-files, not {bucket!r}")
    if endpoint and urlsplit(endpoint).scheme not in {"http", "https"}:
        _refuse("S3_ENDPOINT", f"should look like https://s3.example.org, not {endpoint!r}")
    for name, key in (("S3_ACCESS_KEY", access_key), ("S3_SECRET_KEY", secret_key)):
        if not key and (endpoint or access_key or secret_key):
            _refuse(name, "is required for this bucket and not set")
    options = {
        "bucket_name": bucket,
        "endpoint_url": endpoint,
        "region_name": region or ("us-east-1" if endpoint else ""),
        "access_key": access_key,
        "secret_key": secret_key,
        "location": prefix.strip("/"),
    }
    return {name: value for name, value in options.items() if value}


def redis_address(address: str, password: str) -> str:
    """Return the address with the password, if it is a Redis address without one."""
    parts = urlsplit(address)
    if not password or parts.scheme not in {"redis", "rediss"} or parts.password:
        return address
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(
        parts._replace(netloc=f"{parts.username or ''}:{quote(password, safe='')}@{host}")
    )


def _postgres(name: str, address: SplitResult) -> dict[str, Any]:
    options = dict(parse_qsl(address.query))
    return {
        "ENGINE": ENGINES["postgres"],
        "NAME": unquote(address.path[1:]),
        "USER": unquote(address.username or ""),
        "PASSWORD": unquote(address.password or "") or secret(name.replace("URL", "PASSWORD"), ""),
        "HOST": options.pop("host", address.hostname or ""),
        "PORT": str(_port(name, address) or ""),
        "OPTIONS": options,
    }


def _port(name: str, address: SplitResult) -> int | None:
    try:
        return address.port
    except ValueError as error:
        _refuse(name, f"has a port that is none: {error}")


def _default(name: str, default: Any) -> Any:
    if default is REQUIRED:
        _refuse(name, "is required and not set")
    return default


def _refuse(name: str, complaint: str) -> NoReturn:
    raise ImproperlyConfigured(f"The environment variable {name} {complaint}.")


def var_folders(var: Path, *folders: Path) -> None:
    """Create the folders. Only its owner can enter `var`, even if it existed with other rights.

    Raises ImproperlyConfigured if `var` is a folder that all users share, such as /tmp, or belongs
    to another user and is open to others.
    """
    for folder in (var, *folders):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if var.stat().st_mode & stat.S_ISVTX:
        raise ImproperlyConfigured(
            f"VAR_DIR is {var}, which everyone on this machine shares. Use a folder inside it."
        )
    _close(var, 0o700)


def kept_secret_key(var: Path) -> str:
    """Return the secret key in `var/secret_key`. The first call creates it."""
    return _kept(var / "secret_key", 50)


def kept_vapid_key(var: Path) -> str:
    """Return the key in `var/vapid_key`, which identifies this installation to push services.

    The first call creates it: any 32 bytes are a key.
    """
    return _kept(var / "vapid_key", 32)


def _kept(file: Path, size: int) -> str:
    if not file.exists():
        _write_once(file, secrets.token_urlsafe(size))
    _close(file, 0o600)
    return file.read_text(encoding="ascii").strip()


def _write_once(file: Path, key: str) -> None:
    """Write a key unless there is one, and never let others read a partial key.

    Web server and worker start together: the first key is used.
    """
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.write_text(key, encoding="ascii")
    draft.chmod(0o600)
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _close(path: Path, mode: int) -> None:
    """Remove the rights of group and others. Raises ImproperlyConfigured if that is not allowed."""
    if not path.stat().st_mode & 0o077:
        return
    try:
        path.chmod(mode)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Other users can read {path}, and Muster cannot change that ({error.strerror}). "
            f"Run `chmod {mode:o} {path}` as its owner."
        ) from error
