"""What the embedded mode makes for itself under `var/`."""

import os
import secrets
from pathlib import Path


def var_folders(*folders: Path) -> None:
    """Make the folders, readable by their owner alone."""
    for folder in folders:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def kept_secret_key(var: Path) -> str:
    """The secret key in `var/secret_key`, made on the first call and the same ever after."""
    return _kept(var / "secret_key", 50)


def kept_vapid_key(var: Path) -> str:
    """The key in `var/vapid_key` by which push services know this installation; made once, as any 32 bytes are one."""
    return _kept(var / "vapid_key", 32)


def _kept(file: Path, size: int) -> str:
    if not file.exists():
        _write_once(file, secrets.token_urlsafe(size))
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
