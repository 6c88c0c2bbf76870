"""A server of the page in a thread, and a client that reads all its traffic."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from casino_core.web.address import bound
from casino_core.web.app import Page
from casino_core.web.server import server_of


class Client:
    """Talks to the server as a page does, and keeps what it has received.

    Attributes:
        address: the address of the page, with its port.
        received: the text of every answer.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"127.0.0.1:{port}"
        self.received: list[str] = []

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and text of an answer; `content_type=` is the header Content-Type."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        self.received.append(text)
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, text

    def get(self, path: str) -> dict[str, Any]:
        """The fields of an answer that must succeed."""
        status, _, text = self.ask("GET", path)
        assert status == 200, text
        return json.loads(text)

    def post(self, path: str, expected: int = 200, /, **fields: Any) -> dict[str, Any]:
        """The fields of the answer to a request of the page."""
        status, _, text = self.ask(
            "POST",
            path,
            json.dumps(fields).encode(),
            content_type="application/json",
            origin=f"http://{self.address}",
            sec_fetch_site="same-origin",
        )
        assert status == expected, text
        return json.loads(text)

    def settled(self, game: dict[str, Any]) -> dict[str, Any]:
        """A game when no agent is thinking any more."""
        end = time.monotonic() + 60
        while game["thinking"] and time.monotonic() < end:
            time.sleep(0.01)
            game = self.get(f"/api/games/{game['id']}")
        assert not game["thinking"]
        return game


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Page:
    return Page(getattr(request, "param", ["greedy", "random", "careful"]))


@pytest.fixture
def client(page: Page) -> Iterator[Client]:
    """A client of a server that runs."""
    with bound(0) as listener:
        server = server_of(listener, page)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        while not server.started:
            time.sleep(0.005)
        yield Client(listener.getsockname()[1])
        server.should_exit = True
        thread.join()
        page.close()


@pytest.fixture
def play_round(client: Client) -> Callable[..., dict[str, Any]]:
    """Plays the rest of a round, always the last move of the list."""

    def played(game: dict[str, Any], most: int = 60) -> dict[str, Any]:
        game = client.settled(game)
        for _ in range(most):
            if game["over"]:
                break
            game = client.post(f"/api/games/{game['id']}/play", move=game["moves"][-1]["text"])
            game = client.settled(game)
        return game

    return played
