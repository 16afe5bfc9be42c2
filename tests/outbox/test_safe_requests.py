"""Requests to addresses from members reach nothing on our own network."""

import ipaddress
import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from outbox.safe_requests import NoAnswer, Refused, check_address, is_public, send
from tests.outbox.conftest import Receiver

PRIVATE = (
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "2002:7f00:1::",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "::127.0.0.1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_address_is_not_public(address: str, settings: Any) -> None:
    settings.WEBHOOK_HOSTS = []
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(Refused):
        check_address(f"https://{host}/hook")


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"])
def test_public_address_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://",
        "https://user@example.org/",
        "https://example.org\\@127.0.0.1/",
        "https://exa mple.org/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://[::1/",
        "javascript:alert(1)",
        f"https://example.org/{'x' * 600}",
    ],
)
def test_odd_address_is_refused(url: str, settings: Any) -> None:
    settings.WEBHOOK_HOSTS = []
    with pytest.raises(Refused):
        check_address(url)


@pytest.mark.parametrize("names", [["10.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"]])
def test_name_with_a_private_address_is_refused(
    names: list[str], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.WEBHOOK_HOSTS = []
    rows = [(0, 0, 0, "", (name, 443)) for name in names]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)
    with pytest.raises(Refused, match="not-public"):
        send("POST", "https://example.org/", body=b"", headers={})


def test_name_is_resolved_once_and_its_address_used(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.WEBHOOK_HOSTS = ["bot.example"]
    port = receiver.server.server_address[1]
    hosts: list[str] = []
    resolve = socket.getaddrinfo

    def once(host: str, *rest: Any, **named: Any) -> Any:
        hosts.append(host)
        name = "127.0.0.1" if host == "bot.example" else host
        return resolve(name, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", once)
    answer = send("POST", f"http://bot.example:{port}/x?y=1", body=b"{}", headers={})
    assert answer.status == 200 and hosts.count("bot.example") == 1
    assert receiver.requests[0].path == "/x?y=1"
    assert receiver.requests[0].headers["host"] == f"bot.example:{port}"


def test_redirects_are_not_followed(receiver: Receiver) -> None:
    receiver.answers = [(302, {"Location": f"{receiver.url}/inside"})]
    assert send("POST", f"{receiver.url}/a", body=b"", headers={}).status == 302
    assert [each.path for each in receiver.requests] == ["/a"]


def test_nobody_there_is_no_answer(receiver: Receiver) -> None:
    receiver.server.shutdown()
    receiver.server.server_close()
    with pytest.raises(NoAnswer):
        send("POST", receiver.url, body=b"", headers={})


def certificate(folder: Path, name: str) -> Path:
    """Write a self-signed certificate for a host name, and its key; return the file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize("name", ["bot.example", "other.example"])
def test_certificate_must_be_that_of_the_host(
    name: str,
    trusted: bool,
    receiver: Receiver,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    """The connection goes to an address, but the certificate is checked for the host's name."""
    settings.WEBHOOK_HOSTS = ["bot.example"]
    file = certificate(tmp_path, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    receiver.server.socket = context.wrap_socket(receiver.server.socket, server_side=True)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", 443))]
    resolve = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **named: (
            rows if host == "bot.example" else resolve(host, *rest, **named)
        ),
    )
    url = f"https://bot.example:{receiver.server.server_address[1]}/hook"
    if trusted and name == "bot.example":
        assert send("POST", url, body=b"{}", headers={}).status == 200
        return
    with pytest.raises(NoAnswer, match="wrong-certificate"):
        send("POST", url, body=b"{}", headers={})
    assert receiver.requests == []
