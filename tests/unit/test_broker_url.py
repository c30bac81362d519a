"""Which URLs may be a broker's: malformed ones, and ones that are not safe, are told in a line."""

import pytest

from workers.broker_url import checked_url, without_password
from workers.errors import ConfigError

pytestmark = pytest.mark.nojit
SAFE = "rediss://user:secret@broker.example:6379/0"


@pytest.mark.parametrize(
    "url",
    ["redis://localhost", "redis://127.0.0.1:6379/1", "redis://[::1]:1", "redis://",
     "redis://:secret@127.8.0.1:6379", "redis+socket:///tmp/v.sock"],
)  # fmt: skip
def test_a_broker_on_this_machine_needs_neither_tls_nor_password(url: str) -> None:
    assert checked_url(url) == url


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("http://localhost:1", "a URL starts with redis://, rediss://"),
        ("localhost:6379", "a URL starts with"),
        ("redis:/localhost", "a URL starts with"),
        ("", "a URL starts with"),
        ("valkey://localhost", "write redis://"),
        ("unix:///tmp/v.sock", r"write redis\+socket://"),
        ("redis://localhost:abc", "port could not be cast"),
        ("redis://localhost:70000", "port out of range"),
        ("redis://[::1", "invalid IPv6"),
        ("redis://localhost/jobs", "'jobs' is no number of a database"),
        ("redis://:a#b@localhost", "written %23"),
        ("redis+socket://v.sock", "path of a socket is absolute"),
    ],
)
def test_a_malformed_url_is_told(url: str, what: str) -> None:
    with pytest.raises(ConfigError, match=what):
        checked_url(url, insecure=True)


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("redis://broker.example:6379", "without TLS"),
        ("redis://:secret@10.0.0.7", "without TLS"),
        ("redis://localhost.example", "without TLS"),
        ("rediss://broker.example", "without a password"),
        ("rediss://user@broker.example", "without a password"),
        (SAFE + "?ssl_cert_reqs=none", "would not be checked"),
        (SAFE + "?ssl_cert_reqs=optional", "would not be checked"),
        (SAFE + "?ssl_cert_reqs=required&ssl_cert_reqs=none", "would not be checked"),
    ],
)
def test_a_broker_elsewhere_without_tls_and_password_is_refused_unless_forced(
    url: str, what: str
) -> None:
    with pytest.raises(ConfigError, match=rf"{what}.*--insecure-broker") as told:
        checked_url(url)
    assert "secret" not in str(told.value)
    assert checked_url(url, insecure=True).startswith(url)


def test_certificates_are_checked_by_all_who_use_the_url() -> None:
    from kombu import Connection
    from redis import ConnectionPool

    url = checked_url(SAFE)
    assert Connection(url).ssl["ssl_cert_reqs"].name == "CERT_REQUIRED"
    pool = ConnectionPool.from_url(url)
    assert pool.connection_kwargs["ssl_cert_reqs"] == "required"
    assert checked_url(url) == url


def test_a_password_is_never_shown() -> None:
    for url in (SAFE, "redis://:p@ss@host", "redis://user:secret@host:x/1"):
        assert without_password(url).split("***@")[1].startswith(("broker", "host"))
    assert without_password("redis://host/0") == "redis://host/0"
