"""The way to the source."""

from pathlib import Path

import pytest

from agentaudit.acquire.endpoint import VENDOR_ROOT
from agentaudit.cli.reach import reach
from agentaudit.errors import UsageFault


def way(root: str = VENDOR_ROOT, rate: int = 300, connections: int = 4, proxy: str | None = None) -> str:
    """The root as it is understood."""
    return reach(root, rate=rate, connections=connections, ca_file=None, proxy=proxy).api_root


@pytest.mark.parametrize(
    "root",
    [VENDOR_ROOT, "https://gateway.example:8443/anthropic", "http://127.0.0.1:9", "http://localhost", "http://[::1]:9"],
)
def test_https_anywhere_and_plain_http_on_loopback(root: str) -> None:
    """A root is scheme, host, port and path."""
    assert way(root) == root


def test_a_slash_at_the_end_is_no_other_root() -> None:
    """Paths are appended to the root."""
    assert way("https://gateway.example/") == "https://gateway.example"


@pytest.mark.parametrize(
    "root",
    [
        "http://api.anthropic.com", "http://127.0.0.1.example", "ftp://localhost", "api.anthropic.com", "", "https://",
        "https://user@gateway.example", "https://u:p@gateway.example", "https://gateway.example?x=1",
        "https://gateway.example/#f", "https://gateway.example?", "https://gate way.example", "https://g\x1b.example",
        "https://\u0430pi.example", "https://gateway.example:port", "https://gateway.example:99999", "https://[::1",
    ],
)  # fmt: skip
def test_a_root_that_no_key_may_be_sent_to_is_refused(root: str) -> None:
    """Plain http beyond loopback, credentials, queries, and what is no address."""
    with pytest.raises(UsageFault):
        way(root)


@pytest.mark.parametrize(("rate", "connections"), [(0, 4), (601, 4), (-1, 4), (300, 0), (300, 17)])
def test_rates_and_connections_have_bounds(rate: int, connections: int) -> None:
    """The organisation's budget is shared with its other clients."""
    with pytest.raises(UsageFault, match="it goes from 1 to"):
        way(rate=rate, connections=connections)


def test_a_synthetic_source_may_be_asked_faster() -> None:
    """A loopback root has no budget to share; it has a bound all the same."""
    assert way("http://127.0.0.1:9", rate=600_000)
    with pytest.raises(UsageFault):
        way("http://127.0.0.1:9", rate=600_001)


def test_a_proxy_is_an_address_without_credentials() -> None:
    """What stands on a command line is recorded."""
    assert way(proxy="http://proxy.example:3128")
    for proxy in ("http://u:p@proxy.example", "socks5://proxy.example", "proxy", "http://proxy.example/path"):
        with pytest.raises(UsageFault, match="--proxy"):
            way(proxy=proxy)


def test_a_key_never_goes_to_a_proxy_in_the_clear() -> None:
    """Plain http is for this machine: through a proxy the whole request, its key included, would reach another."""
    for root in ("http://localhost:9", "http://127.0.0.1:9"):
        with pytest.raises(UsageFault, match="--proxy"):
            way(root, proxy="http://proxy.example:3128")
    assert way("https://localhost:9", proxy="http://proxy.example:3128")


def test_a_file_without_certificates_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    """`--ca-file` replaces the usual authorities, so it must hold some."""
    empty = tmp_path / "ca.pem"
    empty.write_text("no certificate\n")
    for path in (empty, tmp_path / "none"):
        with pytest.raises(UsageFault, match="--ca-file"):
            reach(VENDOR_ROOT, rate=1, connections=1, ca_file=path, proxy=None)


def test_the_system_s_own_authorities_are_a_file_of_certificates() -> None:
    """A PEM file of certificates is taken."""
    import certifi  # noqa: PLC0415 - a stock file of authorities

    assert reach(VENDOR_ROOT, rate=1, connections=1, ca_file=Path(certifi.where()), proxy=None).ca_file is not None
