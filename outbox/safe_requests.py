"""Requests to addresses that members have typed in, which must not reach our own network.

A host name is resolved once. All of its addresses must be public, and the connection goes to the
address that was checked: a name that changes between check and connection changes nothing.
Redirects are not followed. ``WEBHOOK_HOSTS`` lists hosts that are exempt, such as a bot on the same
server.
"""

import ipaddress
import socket
import ssl
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, Timeout
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NewConnectionError,
    ReadTimeoutError,
    SSLError,
)

AnyAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

LONGEST_ANSWER = 64 * 1024
"""The bytes of an answer that are read."""
LONGEST_ADDRESS = 500
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""IPv6 addresses that lead to IPv4 addresses (NAT64)."""
NEVER_PUBLIC = (
    # For the NAT64 of a network's own, and the old form of IPv4 addresses in IPv6.
    ipaddress.IPv6Network("64:ff9b:1::/48"),
    ipaddress.IPv6Network("::/96"),
)
PATIENCE = Timeout(connect=5, read=10)


class Refused(Exception):
    """An address to which nothing is sent. The text is a code of ``outbox.failures``."""


class NoAnswer(Exception):
    """The request may have arrived, or not. The text is a code of ``outbox.failures``."""


class Answer(NamedTuple):
    """The status of an answer, its headers, and the start of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def check_address(url: str) -> SplitResult:
    """Return the parts of an address to which Muster may send, without resolving its host.

    Raises Refused.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Refused("not-an-address") from error
    host = parts.hostname or ""
    plain = len(url) <= LONGEST_ADDRESS and url.isascii() and url.isprintable() and " " not in url
    if not plain or not host or "\\" in url or "@" in parts.netloc or port == 0:
        raise Refused("not-an-address")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_exempt(host)):
        raise Refused("not-https")
    literal = _literal(host)
    if literal is not None and not is_exempt(host) and not is_public(literal):
        raise Refused("not-public")
    return parts


def is_exempt(host: str) -> bool:
    """Return whether the installation lets webhooks reach this host wherever it is."""
    return host in settings.WEBHOOK_HOSTS


def is_public(address: AnyAddress) -> bool:
    """Return whether an address belongs to the internet, not to a machine or its network.

    An IPv6 address that contains an IPv4 address is as public as that.
    """
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if address.teredo or any(address in network for network in NEVER_PUBLIC):
            return False
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def send(method: str, url: str, *, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send a request and return the answer. Raises Refused and NoAnswer."""
    parts = check_address(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    address = _resolve(host, port)
    # Connect to the address that was checked. The certificate must still be that of the host.
    pool = (
        HTTPSConnectionPool(address, port, timeout=PATIENCE, server_hostname=host)
        if parts.scheme == "https"
        else HTTPConnectionPool(address, port, timeout=PATIENCE)
    )
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    try:
        answer = pool.urlopen(
            method,
            path,
            body=body,
            headers={**headers, "Host": parts.netloc, "User-Agent": "Muster"},
            redirect=False,
            retries=False,
            preload_content=False,
        )
        start = answer.read(LONGEST_ANSWER)
        return Answer(answer.status, answer.headers, start)
    except (HTTPError, OSError) as error:
        raise NoAnswer(_code_of(error)) from error
    finally:
        pool.close()


def _code_of(error: HTTPError | OSError) -> str:
    match error:
        case SSLError() | ssl.SSLError():
            return "wrong-certificate"
        case NewConnectionError() | ConnectTimeoutError():
            return "no-connection"
        case ReadTimeoutError() | TimeoutError():
            return "too-slow"
    return "connection-lost"


def _resolve(host: str, port: int) -> str:
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NoAnswer("unknown-host") from error
    addresses = [str(row[4][0]).partition("%")[0] for row in rows]
    if not addresses:
        raise NoAnswer("unknown-host")
    # One private address among public ones is refused as well: it is an attack or a mistake.
    if not is_exempt(host) and not all(is_public(ipaddress.ip_address(each)) for each in addresses):
        raise Refused("not-public")
    return addresses[0]


def _literal(host: str) -> AnyAddress | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
