"""The world on a loopback socket, with what can go wrong on the way."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest

from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.wire import (
    Chunked,
    CloseBeforeAnswer,
    Drip,
    Endless,
    ResetAfter,
    ShortBy,
    Stall,
    WireResponse,
    WrongLength,
)
from tests.demo.asking import new_world

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentaudit.demo.wire import Fault
    from agentaudit.demo.world import World

PATH = "/v1/compliance/organizations"


@contextmanager
def served(*, latency_s: float = 0.0, timeout: float = 5.0) -> Iterator[tuple[World, httpx.Client]]:
    """A served world and a client of it."""
    world, _, _ = new_world()
    with (
        LoopbackServer(world, latency_s=latency_s) as server,
        httpx.Client(
            base_url=server.url, headers={"x-api-key": world.key()}, trust_env=False, timeout=timeout
        ) as client,
    ):
        yield world, client


@contextmanager
def spoken() -> Iterator[tuple[World, socket.socket]]:
    """A served world and a bare connection to it."""
    world, _, _ = new_world()
    with LoopbackServer(world) as server:
        port = int(server.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            yield world, connection


def _everything(connection: socket.socket) -> bytes:
    pieces = []
    while piece := connection.recv(65_536):
        pieces.append(piece)
    return b"".join(pieces)


def test_server_listens_on_loopback_only() -> None:
    """The address is 127.0.0.1 and the port a free one."""
    world, _, _ = new_world()
    with LoopbackServer(world) as server, LoopbackServer(world) as other:
        assert server.url.startswith("http://127.0.0.1:")
        assert server.url != other.url


def test_one_connection_serves_many_requests() -> None:
    """A connection stays open between requests and the answers are the world's."""
    with served() as (world, client):
        ports, ids = set(), []
        for _ in range(3):
            with client.stream("GET", PATH) as response:
                response.read()
                ports.add(response.extensions["network_stream"].get_extra_info("client_addr"))
                ids.append(response.headers["request-id"])
        assert len(ports) == 1
        assert len(world.requests) == 3
        assert ids == [f"req_demo{number:016d}" for number in (1, 2, 3)]


def test_encoded_ids_arrive_as_they_were_meant() -> None:
    """A percent-encoded id reaches its session over the socket."""
    with served() as (world, client):
        session_id = world.add_session()
        encoded = session_id.replace("/", "%2F").replace("+", "%2B").replace("=", "%3D")
        assert client.get(f"/v1/compliance/apps/sessions/local/{encoded}").json()["id"] == session_id


def test_large_bodies_arrive_whole() -> None:
    """A body larger than one send arrives whole."""
    with served() as (world, client):
        world.fail_next(200, body=b"x" * 3_000_000)
        assert len(client.get(PATH).content) == 3_000_000


@pytest.mark.parametrize(
    "fault", [ResetAfter(0), ResetAfter(10), ShortBy(1), ShortBy(10_000), WrongLength(5), CloseBeforeAnswer()]
)
def test_broken_answers_break_the_client(fault: Fault) -> None:
    """A reset, a short body, a longer announcement and a close are errors, and the next request works."""
    with served() as (world, client):
        world.fault_next(fault)
        with pytest.raises(httpx.TransportError):
            client.get(PATH)
        assert client.get(PATH).status_code == 200


def test_reset_is_a_reset() -> None:
    """A reset reaches a reader as such, and not as an orderly end."""
    with spoken() as (world, connection):
        world.fault_next(ResetAfter(4))
        connection.sendall(f"GET {PATH} HTTP/1.1\r\nx-api-key: {world.key()}\r\n\r\n".encode())
        with pytest.raises(ConnectionResetError):
            _everything(connection)


def test_shorter_announcement_leaves_bytes_behind() -> None:
    """With a smaller announced length the client sees a body that is cut without an error."""
    with served() as (world, client):
        whole = client.get(PATH).content
        world.fault_next(WrongLength(-5))
        assert client.get(PATH).content == whole[:-5]


def test_stall_outlasts_an_impatient_client() -> None:
    """A stall is a time-out for an impatient client, and only a delay for a patient one."""
    with served(timeout=0.15) as (world, client):
        world.fault_next(Stall(3, 0.6))
        with pytest.raises(httpx.ReadTimeout):
            client.get(PATH)
    with served() as (world, client):
        world.fault_next(Stall(3, 0.05))
        assert len(client.get(PATH).json()["data"]) == 2


def test_drip_is_slow_and_whole() -> None:
    """A dripping body is whole, and the connection goes on."""
    with served() as (world, client):
        world.fault_next(Drip(50, 0.002))
        assert client.get(PATH).json() == client.get(PATH).json()


def test_a_chunked_body_is_whole_without_a_length() -> None:
    """Its length is not announced, and the connection goes on."""
    with served() as (world, client):
        whole = client.get(PATH)
        world.fault_next(Chunked(7), times=2)
        first, second = client.get(PATH), client.get(PATH)
        assert (first.json()["data"], second.json()["data"]) == (whole.json()["data"], whole.json()["data"])
        assert "content-length" not in first.headers


def test_endless_body_ends_with_the_client_or_its_limit() -> None:
    """An endless body runs until the client hangs up, or to its limit without a proper end."""
    with served() as (world, client):
        world.fault_next(Endless(1_000_000_000))
        with client.stream("GET", PATH) as response:
            seen = 0
            for piece in response.iter_raw():
                seen += len(piece)
                if seen > 100_000:
                    break
        world.fault_next(Endless(20_000))
        with pytest.raises(httpx.RemoteProtocolError):
            client.get(PATH)


def test_latency_is_slept_for_each_request() -> None:
    """A latency delays each answer."""
    with served(latency_s=0.03) as (_, client):
        begun = time.monotonic()
        client.get(PATH)
        client.get(PATH)
        assert time.monotonic() - begun >= 0.06


def test_leaving_ends_a_waiting_connection() -> None:
    """Leaving the context wakes a stalled answer and an idle connection, and leaves no thread behind."""
    world, _, _ = new_world()
    others = set(threading.enumerate())
    begun = time.monotonic()
    with LoopbackServer(world) as server:
        port = int(server.url.rpartition(":")[2])
        idle = socket.create_connection(("127.0.0.1", port), 5)
        stalled = socket.create_connection(("127.0.0.1", port), 5)
        world.fault_next(Stall(1, 60.0))
        stalled.sendall(f"GET {PATH} HTTP/1.1\r\nx-api-key: {world.key()}\r\n\r\n".encode())
        stalled.recv(10)
    idle.close()
    stalled.close()
    assert time.monotonic() - begun < 5
    assert not [one for one in set(threading.enumerate()) - others if one.name.startswith("world-")]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET nopath HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/2\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n folded: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\ncontent-length: -1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\ncontent-length: 2000000\r\n\r\n", 413),
        (b"GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n", 411),
        (b"GET / HTTP/1.1\r\nx: " + b"y" * 70_000, 431),
        (b"GET / HTTP/1.1\r\nx: " + b"y" * 65_530 + b"\r\n\r\n", 431),
    ],
)
def test_requests_that_cannot_be_read_end_the_connection(sent: bytes, status: int) -> None:
    """What is no request is answered with its status, and the connection ends."""
    with spoken() as (_, connection):
        connection.sendall(sent)
        try:
            answer = _everything(connection)
        except ConnectionResetError:
            # Bytes that the server did not read turn its close into a reset; the status may be lost with them.
            assert status == 431
        else:
            assert answer.startswith(f"HTTP/1.1 {status} ".encode())


def test_request_bodies_are_dropped() -> None:
    """A body in one or several pieces is read and dropped, and the next request is understood."""
    with spoken() as (world, connection):
        connection.sendall(f"POST / HTTP/1.1\r\nx-api-key: {world.key()}\r\ncontent-length: 6\r\n\r\nabc".encode())
        time.sleep(0.02)
        connection.sendall(b"defGET / HTTP/1.1\r\nconnection: close\r\n\r\n")
        answers = _everything(connection)
    assert answers.count(b"HTTP/1.1 ") == 2
    assert answers.startswith(b"HTTP/1.1 405 ")


def test_body_that_ends_early_is_refused() -> None:
    """A client that closes inside its body gets a 400."""
    with spoken() as (_, connection):
        connection.sendall(b"GET / HTTP/1.1\r\ncontent-length: 6\r\n\r\nabc")
        connection.shutdown(socket.SHUT_WR)
        assert _everything(connection).startswith(b"HTTP/1.1 400 ")


def test_older_clients_and_heads_alone() -> None:
    """HTTP/1.0 closes behind its answer, and HEAD gets the length without the body."""
    with spoken() as (_, connection):
        connection.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
        answer = _everything(connection)
    assert answer.endswith(b"\r\n\r\n")
    assert b"connection: close" in answer
    assert b"content-length: 0" not in answer


def test_unnamed_status_has_a_reason() -> None:
    """A status that has no standard name is sent all the same."""
    with served() as (world, client):
        world.fail_next(529)
        assert client.get(PATH).status_code == 529


def test_many_clients_at_once_get_their_own_answers() -> None:
    """Concurrent connections each get whole answers with distinct request ids."""
    ids: list[str] = []
    with served() as (_, client):

        def ask() -> None:
            ids.extend(client.get(PATH).headers["request-id"] for _ in range(10))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(set(ids)) == 40


def test_server_that_cannot_bind_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that cannot listen fails as the system says, and closes its socket."""
    world, _, _ = new_world()

    def refuse(_self: socket.socket, _backlog: int) -> None:
        raise OSError("no")

    monkeypatch.setattr(socket.socket, "listen", refuse)
    with pytest.raises(OSError, match="no"):
        LoopbackServer(world).__enter__()


def test_wire_response_has_no_framing() -> None:
    """The world leaves framing to whoever sends its answers."""
    _, _, asker = new_world()
    response = asker.get(("organizations",)).response
    assert isinstance(response, WireResponse)
    assert response.header("content-length") is None
