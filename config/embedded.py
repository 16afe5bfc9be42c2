"""What the embedded mode makes for itself under `var/`."""

import os
import secrets
import stat
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def var_folders(var: Path, *folders: Path) -> None:
    """Make the folders. Nobody but its owner can enter `var`, also if it was there before, with other rights.

    Raises ImproperlyConfigured when `var` is a folder of the whole machine, such as /tmp, or of another user.
    """
    for folder in (var, *folders):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if var.stat().st_mode & stat.S_ISVTX:
        raise ImproperlyConfigured(f"VAR_DIR is {var}, which everyone on this machine shares. Use a folder inside it.")
    _close(var, 0o700)


def kept_secret_key(var: Path) -> str:
    """The secret key in `var/secret_key`, made on the first call and the same ever after."""
    return _kept(var / "secret_key", 50)


def kept_vapid_key(var: Path) -> str:
    """The key in `var/vapid_key` by which push services know this installation; made once, as any 32 bytes are one."""
    return _kept(var / "vapid_key", 32)


def _kept(file: Path, size: int) -> str:
    if not file.exists():
        _write_once(file, secrets.token_urlsafe(size))
    _close(file, 0o600)
    return file.read_text(encoding="ascii").strip()


def _write_once(file: Path, key: str) -> None:
    """Web server and worker start together: the first one's key counts, and nobody ever reads half of it."""
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
    """Take the rights of group and others away, if they have any. Raises ImproperlyConfigured when that is not ours."""
    if not path.stat().st_mode & 0o077:
        return
    try:
        path.chmod(mode)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Other users can read {path}, and Muster cannot change that ({error.strerror}). "
            f"Run `chmod {mode:o} {path}` as its owner."
        ) from error
