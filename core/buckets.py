"""Files in a bucket of any S3-compatible store. Loaded only if ``S3_BUCKET`` is set.

django-storages does the work. Added here: every fault is an OSError as with a disk; files are
streamed, so that no download needs space on a disk; and a store that does not answer is not waited
for by every request.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EACCES, EIO
from functools import cache
from threading import Lock
from typing import IO, Any

import boto3
from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    ReadTimeoutError,
)
from django.core.files.base import File
from storages.backends.s3 import S3Storage
from storages.utils import clean_name

from core.cache import Breaker
from core.file_stores import StoreError

CONNECT_SECONDS, READ_SECONDS = 2, 15
"""The longest wait for a connection, and for the next bytes."""
TRIES = 2
"""One more try: a kept connection may have been closed by the store."""
BUFFER = 256 * 1024
MISSING = {"404", "NoSuchKey", "NotFound"}
REFUSALS = {"401", "403", "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch"}
TIMEOUTS = (ConnectTimeoutError, ReadTimeoutError)

silent_store = Breaker()
"""Open while requests skip the store, because it has just let one wait for nothing."""
_lock = Lock()


@cache
def _session(access_key: str, secret_key: str) -> boto3.Session:
    """Return one session for all threads: each would load the description of S3 again (15 MB)."""
    return boto3.Session(access_key or None, secret_key or None)


@contextmanager
def request_to_store(name: str, breaker: Breaker) -> Iterator[None]:
    """Skip the store if it has just not answered, else do as ``faults_as_os_errors``."""
    if breaker.is_open:
        raise StoreError(EIO, "The file store did not answer a moment ago", name)
    with faults_as_os_errors(name, breaker):
        yield


@contextmanager
def faults_as_os_errors(name: str, breaker: Breaker) -> Iterator[None]:
    """Raise FileNotFoundError for a missing object, and StoreError for all other faults."""
    try:
        yield
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", ""))
        if code in MISSING:
            raise FileNotFoundError(f"File does not exist: {name}") from error
        raise StoreError(EACCES if code in REFUSALS else EIO, str(error), name) from error
    except (BotoCoreError, Boto3Error) as error:
        if isinstance(error, TIMEOUTS):
            breaker.trip()
        raise StoreError(EIO, str(error), name) from error


class BucketStorage(S3Storage):
    """Files in a bucket. Nothing in it is public: Muster itself sends each file after its check."""

    def __init__(
        self,
        *,
        connect_seconds: int = CONNECT_SECONDS,
        read_seconds: int = READ_SECONDS,
        **options: Any,
    ) -> None:
        """Make a storage. It takes the ``options`` of django-storages."""
        client_config = Config(
            signature_version="s3v4",
            # Every store knows addresses with the bucket in their path; only AWS prefers others.
            s3={"addressing_style": "path" if options.get("endpoint_url") else "auto"},
            connect_timeout=connect_seconds,
            read_timeout=read_seconds,
            retries={"total_max_attempts": TRIES, "mode": "standard"},
            # Checksums that only AWS supports.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        super().__init__(
            client_config=client_config,
            # Big files are sent part by part: ten threads with a part each would fill the memory.
            transfer_config=TransferConfig(use_threads=False),
            # A file keeps its name while it is read, as on a disk.
            file_overwrite=False,
            **options,
        )
        self._shared: Any = None
        # Health checks wait for less time, so they do not decide for everybody.
        self._breaker = silent_store if read_seconds == READ_SECONDS else Breaker()

    @property
    def connection(self) -> Any:
        """One connection for all threads: clients are safe to share."""
        with _lock:
            if self._shared is None:
                session = _session(self.access_key or "", self.secret_key or "")
                self._shared = session.resource(
                    "s3",
                    region_name=self.region_name,
                    endpoint_url=self.endpoint_url,
                    config=self.client_config,
                )
        return self._shared

    def names(self) -> Iterator[str]:
        """Yield the names of all files, in order. One request for each thousand."""
        start = f"{self.location}/" if self.location else ""
        with request_to_store(start, self._breaker):
            pages = self.connection.meta.client.get_paginator("list_objects_v2").paginate(
                Bucket=self.bucket_name, Prefix=start
            )
            for page in pages:
                for entry in page.get("Contents", ()):
                    yield entry["Key"].removeprefix(start)

    def replace(self, name: str, content: IO[bytes]) -> None:
        """Store a file under exactly this name. A bucket shows an object when it is complete."""
        with request_to_store(name, self._breaker):
            super()._save(name, content)

    def url(self, name: str, *args: Any, **options: Any) -> str:
        """Refuse: a link into the bucket would go around the check of permissions."""
        raise NotImplementedError("Files in a bucket have no address of their own.")

    def exists(self, name: str) -> bool:
        try:
            with request_to_store(name, self._breaker):
                return bool(super().exists(name))
        except FileNotFoundError:
            return False

    def delete(self, name: str) -> None:
        with request_to_store(name, self._breaker):
            super().delete(name)

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with request_to_store(name, self._breaker):
            folders, files = super().listdir(name)
        return folders, files

    def size(self, name: str) -> int:
        with request_to_store(name, self._breaker):
            return int(super().size(name))

    def get_modified_time(self, name: str) -> Any:
        with request_to_store(name, self._breaker):
            return super().get_modified_time(name)

    def _save(self, name: str, content: Any) -> str:
        with request_to_store(name, self._breaker):
            return str(super()._save(name, content))

    def _open(self, name: str, mode: str = "rb") -> "ObjectFile":
        if mode != "rb":
            raise ValueError("Files in a bucket are only read here. Use `save` to write one.")
        return ObjectFile(name, self._fetcher(name))

    def _fetcher(self, name: str) -> "Fetch":
        """Return a function that requests an object from a position on."""
        key = self._normalize_name(clean_name(name))

        def fetch(start: int, tag: str) -> Any:
            # Only the same version: an object that was replaced meanwhile must not be mixed in.
            rest = {"Range": f"bytes={start}-", "IfMatch": tag} if start else {}
            with request_to_store(name, self._breaker):
                return self.connection.meta.client.get_object(
                    Bucket=self.bucket_name, Key=key, **rest
                )

        return fetch


Fetch = Callable[[int, str], Any]
"""A function that takes a position and the ETag of an object, and returns the response of S3."""


class ObjectFile(File):  # type: ignore[type-arg]
    """A file in a bucket, streamed while it is read."""

    def __init__(self, name: str, fetch: Fetch) -> None:
        self._fetch = fetch
        self._raw = _ObjectStream(name, fetch)
        super().__init__(io.BufferedReader(self._raw, BUFFER), name)
        self.mode = "rb"

    @property
    def size(self) -> int:
        return self._raw.size

    def open(self, mode: str | None = None, *args: Any, **options: Any) -> "ObjectFile":
        """Start again from the first byte, as Django's files do."""
        if self.closed:
            self._raw = _ObjectStream(self.name or "", self._fetch)
            self.file = io.BufferedReader(self._raw, BUFFER)
        else:
            self.seek(0)
        return self


class _ObjectStream(io.RawIOBase):
    """The bytes of an object. Reading from another position requests the rest again."""

    def __init__(self, name: str, fetch: Fetch) -> None:
        super().__init__()
        self._name, self._fetch = name, fetch
        response = fetch(0, "")
        self._body, self._tag = response["Body"], response["ETag"]
        self.size = int(response["ContentLength"])
        self._place = self._streamed = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self.size}[whence]
        self._place = max(0, start + offset)
        return self._place

    def readinto(self, buffer: Any) -> int:
        if self._place >= self.size:
            return 0
        if self._place != self._streamed:
            self._body.close()
            self._body = self._fetch(self._place, self._tag)["Body"]
            self._streamed = self._place
        with faults_as_os_errors(self._name, silent_store):
            piece = self._body.read(len(buffer))
        if not piece:
            raise StoreError(EIO, "The file store ended a file too early", self._name)
        buffer[: len(piece)] = piece
        self._place = self._streamed = self._place + len(piece)
        return len(piece)

    def close(self) -> None:
        if not self.closed:
            self._body.close()
        super().close()
