"""Which servers may be the broker: the one place that understands its URL.

    redis://HOST:PORT/DB                       on this machine; elsewhere only when forced
    rediss://USER:PASSWORD@HOST:PORT/DB        anywhere: TLS, and its certificate is checked
    redis+socket:///PATH                       a Unix socket

Whoever can write to the broker decides what workers do, so it is not spoken to over a network
without TLS and a password.
"""

import ipaddress
import re
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, urlsplit

from workers.errors import ConfigError

SCHEMES = ("redis", "rediss", "redis+socket")
MEANT = {"valkey": "redis", "valkeys": "rediss", "unix": "redis+socket"}
FORCE = "--insecure-broker or PUZZLEMILL_INSECURE_BROKER=1 forces it"


def checked_url(url: str, insecure: bool = False) -> str:
    """The URL as it is used; ConfigError when it is malformed, or unsafe and not `insecure`.

    Certificates are checked unless the URL says otherwise: left to itself, kombu trusts any.
    """
    parts = _split(url)
    if parts.scheme == "redis+socket":
        return url
    if parts.scheme == "rediss" and "ssl_cert_reqs" not in parse_qs(parts.query):
        url += ("&" if parts.query else "?") + "ssl_cert_reqs=required"
    unsafe = _unsafe(urlsplit(url))
    if unsafe and not insecure:
        what = f"{without_password(url)}: {unsafe}; use rediss://USER:PASSWORD@HOST:PORT ({FORCE})"
        raise ConfigError("broker", what)
    return url


def without_password(url: str) -> str:
    """The URL as it may be shown."""
    return re.sub(r"://[^/]*@", "://***@", url)


def _split(url: str) -> SplitResult:
    shown = without_password(url)
    if "#" in url:
        raise ConfigError("broker", f"{shown}: a # in a password is written %23")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as wrong:
        raise ConfigError("broker", f"{shown}: {_lowered(wrong)}") from None
    if parts.scheme not in SCHEMES or not url.startswith(f"{parts.scheme}://"):
        meant = MEANT.get(parts.scheme)
        advice = f"write {meant}://" if meant else f"a URL starts with {', '.join(_heads())}"
        raise ConfigError("broker", f"{shown}: {advice}")
    if parts.scheme == "redis+socket":
        if not Path(parts.path).is_absolute():
            raise ConfigError("broker", f"{shown}: the path of a socket is absolute")
    elif not re.fullmatch(r"|/\d{0,6}", parts.path):
        raise ConfigError("broker", f"{shown}: {parts.path[1:]!r} is no number of a database")
    return parts


def _unsafe(parts: SplitResult) -> str:
    """Why the server must not be used as the URL says, or nothing."""
    if _is_loopback(parts.hostname or "localhost"):
        return ""
    if parts.scheme != "rediss":
        return "not on this machine, and without TLS"
    if not parts.password:
        return "not on this machine, and without a password"
    if parse_qs(parts.query)["ssl_cert_reqs"] != ["required"]:
        return "not on this machine, and its certificate would not be checked"
    return ""


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _heads() -> list[str]:
    return [f"{scheme}://" for scheme in SCHEMES]


def _lowered(wrong: ValueError) -> str:
    return str(wrong)[:1].lower() + str(wrong)[1:]
