"""A bucket in a local S3 server, which a test can stop, and everything that Muster puts into it."""

from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import boto3
import pytest
from moto.server import ThreadedMotoServer
from msgspec import Struct

from core.buckets import silent_store
from tests.documents.conftest import battle, blues, campaign, club, reds, toy
from tests.full_toy import register_toy

__all__ = ["battle", "blues", "campaign", "club", "reds", "register_toy", "toy"]

BUCKET, PREFIX = "muster-files", "club"
KEYS = {"access_key": "a-key", "secret_key": "a-secret"}


class Bucket(Struct):
    """A bucket, and the server that holds it."""

    server: Any
    address: str
    client: Any

    def names(self) -> list[str]:
        """Return the keys of all objects."""
        entries = self.client.list_objects_v2(Bucket=BUCKET).get("Contents", ())
        return [entry["Key"] for entry in entries]

    def content(self, key: str) -> bytes:
        """Return the content of an object."""
        content: bytes = self.client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        return content

    def put(self, key: str, content: bytes) -> None:
        self.client.put_object(Bucket=BUCKET, Key=key, Body=content)

    def stop(self) -> None:
        """Stop the server, as if the store had gone."""
        self.server.stop()


def storages_with(address: str) -> dict[str, Any]:
    """Return the setting STORAGES for the bucket, as config.settings makes it."""
    options = {
        "bucket_name": BUCKET,
        "endpoint_url": address,
        "region_name": "us-east-1",
        "location": PREFIX,
        **KEYS,
    }
    return {
        "default": {"BACKEND": "core.buckets.BucketStorage", "OPTIONS": options},
        "health": {
            "BACKEND": "core.buckets.BucketStorage",
            "OPTIONS": {**options, "connect_seconds": 1, "read_seconds": 2},
        },
        "staticfiles": {"BACKEND": "core.bundles.BundlingStorage"},
    }


@pytest.fixture
def bucket(settings: Any, own_world: None) -> Iterator[Bucket]:
    """Put all files of the test into a bucket."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    client = boto3.client(
        "s3",
        endpoint_url=address,
        region_name="us-east-1",
        aws_access_key_id=KEYS["access_key"],
        aws_secret_access_key=KEYS["secret_key"],
    )
    # All servers of one process share what they hold.
    urlopen(Request(f"{address}/moto-api/reset", method="POST")).close()
    client.create_bucket(Bucket=BUCKET)
    settings.S3_BUCKET, settings.STORAGES = BUCKET, storages_with(address)
    yield Bucket(server, address, client)
    silent_store.reset()
    server.stop()
