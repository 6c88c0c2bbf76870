"""The client in JavaScript in a real browser: a round over a server that passes lines on."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import casino_core as cc
from casino_core.engine.engine import Engine
from helpers.browser import Browser
from helpers.node import CLIENT

pytestmark = pytest.mark.browser

ROUND = """
const done = arguments[arguments.length - 1];
import("/casino_core.mjs").then(async ({ EngineClient, overFetch }) => {
  const engine = new EngineClient(overFetch("/engine"));
  let { record } = await engine.ask("deal", { seed: 17 });
  for (let over = false; !over; ) {
    const { move } = await engine.ask("agent", { position: record, level: 1 });
    ({ record, over } = await engine.ask("play", { position: record, move }));
  }
  const refused = await engine.ask("play", { position: record, move: "As" }).catch((e) => e.code);
  done([record, refused]);
}).catch((error) => done(String(error)));
"""


class Server(BaseHTTPRequestHandler):
    """A page, the client, and an engine."""

    def do_GET(self) -> None:
        if self.path == "/casino_core.mjs":
            self.reply("text/javascript", CLIENT.read_bytes())
        else:
            self.reply("text/html", b'<!doctype html><link rel="icon" href="data:,">')

    def do_POST(self) -> None:
        line = self.rfile.read(int(self.headers["content-length"]))
        got: list[str] = []
        engine = Engine(got.append)
        engine.take(line)
        engine.close()
        engine.work()
        self.reply("application/json", "\n".join(got).encode())

    def reply(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


def test_a_whole_round_in_a_browser(browser: Browser, address: str) -> None:
    browser.open(address)
    found = browser.driver.execute_async_script(ROUND)
    assert isinstance(found, list), found
    record, refused = found
    assert cc.Game.parse(record).result
    assert refused == "illegal_move"
    assert not browser.errors()
