"""Who may talk to the server, and how much."""

import json
import socket
from typing import Any

import pytest

import casino_core.web.requests as requests

JSON = {"content_type": "application/json"}


def test_headers_of_the_page(client: Any) -> None:
    for path in ("/", "/static/main.js", "/cards/As.svg", "/api/about", "/nowhere"):
        status, headers, _ = client.ask("GET", path)
        assert status == (404 if path == "/nowhere" else 200)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in headers


def test_nothing_of_the_page_comes_from_elsewhere(client: Any) -> None:
    status, _, page = client.ask("GET", "/")
    assert status == 200
    assert "http:" not in page
    assert "https:" not in page
    assert " style=" not in page
    assert "<script>" not in page


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "evil.example:{port}", "", "a, b"])
def test_another_host_is_refused(client: Any, host: str) -> None:
    """A name that was made to lead here (DNS rebinding)."""
    status, headers, text = client.ask("GET", "/api/about", host=host.format(port=client.port))
    assert status in (400, 403)
    if status == 403:
        assert "not this server's" in json.loads(text)["error"]
        assert "content-security-policy" in headers


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}"])
def test_own_hosts(client: Any, host: str) -> None:
    assert client.ask("GET", "/api/about", host=host.format(port=client.port))[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1:{port}"},
        {"origin": "http://localhost:{port}"},  # the request goes to 127.0.0.1
        {"origin": "http://127.0.0.1:1"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"content_type": "text/plain"},
        {"content_type": "application/x-www-form-urlencoded"},
    ],
    ids=str,
)
def test_a_foreign_page_is_refused(client: Any, headers: dict[str, str]) -> None:
    given = JSON | {name: text.format(port=client.port) for name, text in headers.items()}
    status, _, text = client.ask("POST", "/api/games", b"{}", **given)
    assert status == 403, text
    assert client.ask("POST", "/api/games", b"{}", **JSON)[0] == 200


def test_a_foreign_page_may_link_here_but_not_read(client: Any) -> None:
    assert client.ask("GET", "/", sec_fetch_site="cross-site")[0] == 200
    assert client.ask("GET", "/api/about", sec_fetch_site="cross-site")[0] == 403
    assert client.ask("GET", "/", origin="http://evil.example")[0] == 403


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"7", b"\xff", b"[" * 100_000, b'{"seed": NaN}', b'{"seed": 1e999}']
)
def test_bad_bodies(client: Any, body: bytes) -> None:
    status, _, text = client.ask("POST", "/api/games", body, **JSON)
    assert status == (200 if not body else 400)
    if body:
        found = json.loads(text)
        assert "\n" not in found["error"]
        assert "Traceback" not in text


def test_a_large_body_is_refused(client: Any) -> None:
    body = b'{"rules": "' + b"x" * requests.LARGEST_BODY + b'"}'
    try:
        status, _, text = client.ask("POST", "/api/games", body, **JSON)
    except (BrokenPipeError, ConnectionResetError):
        return
    assert status == 413
    assert "larger" in text


def test_a_slow_body_is_given_up(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "_LONGEST_WAIT", 0.2)
    with socket.create_connection(("127.0.0.1", client.port), timeout=30) as connection:
        head = (
            f"POST /api/games HTTP/1.1\r\nHost: {client.address}\r\n"
            "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        connection.sendall(head.encode())
        assert b" 408 " in connection.recv(100)


@pytest.mark.parametrize("path", ["/static/..%2fapp.py", "/static/app.py", "/cards/Zz.svg", "/x"])
def test_no_other_file_is_served(client: Any, path: str) -> None:
    status, _, text = client.ask("GET", path)
    assert status == 404
    assert list(json.loads(text)) == ["error"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods(client: Any, method: str) -> None:
    status, headers, _ = client.ask(method, "/api/games", b"{}", **JSON)
    assert status == 405
    assert "access-control-allow-origin" not in headers
