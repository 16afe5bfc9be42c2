"""Reading settings from the environment: typed, and loud about nonsense.

Every function takes the variable's name and, where there is one, the value for when it is not set.
Without a default the variable is required. An empty value counts as not set, so that a blank line
in a `.env` file means "the default".
"""

import os
import re
import secrets
import stat
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured

REQUIRED: Any = object()
YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}
ENGINES = {
    "postgres": "django.db.backends.postgresql",
    "postgresql": "django.db.backends.postgresql",
    "sqlite": "django.db.backends.sqlite3",
}


def text(name: str, default: str = REQUIRED) -> str:
    """The variable, without white space around it. Raises ImproperlyConfigured when required and
    missing."""
    value = os.environ.get(name, "").strip()
    return value or _default(name, default)


def secret(name: str, default: str = REQUIRED) -> str:
    """The variable, or the content of the file that `<name>_FILE` names. Having both is refused."""
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
    """True or False, from 1/true/yes/on or 0/false/no/off."""
    value = text(name, "").lower()
    if not value:
        return bool(_default(name, default))
    if value not in YES | NO:
        _refuse(name, f"should be yes or no, not {value!r}")
    return value in YES


def number(name: str, default: int = REQUIRED, *, at_least: int = 0, at_most: int = 2**31) -> int:
    """A whole number within its limits, both included."""
    value = text(name, "")
    if not value:
        return int(_default(name, default))
    if not re.fullmatch(r"-?\d+", value, re.ASCII) or not at_least <= int(value) <= at_most:
        _refuse(name, f"should be a whole number from {at_least} to {at_most}, not {value!r}")
    return int(value)


def names(name: str, default: list[str] = REQUIRED) -> list[str]:
    """A list, written with commas."""
    value = text(name, "")
    return (
        [part.strip() for part in value.split(",") if part.strip()]
        if value
        else list(_default(name, default))
    )


def choice(name: str, choices: tuple[str, ...], default: str = REQUIRED) -> str:
    """One of the given words."""
    value = text(name, default)
    if value not in choices:
        _refuse(name, f"should be one of {', '.join(choices)}, not {value!r}")
    return value


def folder(name: str, default: Path) -> Path:
    """An absolute path; it need not exist yet."""
    return Path(text(name, str(default))).expanduser().resolve()


def rate(name: str, default: str) -> str:
    """A throttle such as `60/minute`: a count, a stroke, and second, minute, hour or day."""
    value = text(name, default)
    count, _, period = value.partition("/")
    if not count.isdecimal() or period not in {"second", "minute", "hour", "day"}:
        _refuse(name, f"should look like 60/minute, not {value!r}")
    return value


def database(name: str, default: str = REQUIRED) -> dict[str, Any]:
    """Django's settings for one database, from
    `postgres://user:password@host:port/name?option=value` or `sqlite:///path`.

    The password may be left out of the address and given as `<first part of name>_PASSWORD`, or in
    a file.
    """
    address = urlsplit(secret(name, default))
    if address.scheme not in ENGINES or not address.path.strip("/"):
        _refuse(name, "should look like postgres://user@host:5432/name or sqlite:///path/to/file")
    if address.scheme == "sqlite":
        return {"ENGINE": ENGINES["sqlite"], "NAME": unquote(address.path[1:])}
    return _postgres(name, address)


def redis_address(address: str, password: str) -> str:
    """The address of a Redis with the password in it, if it is one of a Redis and has none yet."""
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
    """Make the folders. Nobody but its owner can enter `var`, also if it was there before, with
    other rights.

    Raises ImproperlyConfigured when `var` is a folder of the whole machine, such as /tmp, or of
    another user.
    """
    for folder in (var, *folders):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if var.stat().st_mode & stat.S_ISVTX:
        raise ImproperlyConfigured(
            f"VAR_DIR is {var}, which everyone on this machine shares. Use a folder inside it."
        )
    _close(var, 0o700)


def kept_secret_key(var: Path) -> str:
    """The secret key in `var/secret_key`, made on the first call and the same ever after."""
    return _kept(var / "secret_key", 50)


def kept_vapid_key(var: Path) -> str:
    """The key in `var/vapid_key` by which push services know this installation; made once, as any
    32 bytes are one."""
    return _kept(var / "vapid_key", 32)


def _kept(file: Path, size: int) -> str:
    if not file.exists():
        _write_once(file, secrets.token_urlsafe(size))
    _close(file, 0o600)
    return file.read_text(encoding="ascii").strip()


def _write_once(file: Path, key: str) -> None:
    """Web server and worker start together: the first one's key counts, and nobody ever reads half
    of it."""
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
    """Take the rights of group and others away, if they have any. Raises ImproperlyConfigured when
    that is not ours."""
    if not path.stat().st_mode & 0o077:
        return
    try:
        path.chmod(mode)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Other users can read {path}, and Muster cannot change that ({error.strerror}). "
            f"Run `chmod {mode:o} {path}` as its owner."
        ) from error
