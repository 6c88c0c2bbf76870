"""`casino-core web` as a program."""

import http.client
import os
import signal
import socket
import subprocess
import sys

import pytest


def program(*args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "casino_core", "web", "--no-browser", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent as a signal")
@pytest.mark.parametrize("watched", [False, True])
def test_it_serves_until_ctrl_c(watched: bool) -> None:
    with program("--port", "0") as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        assert line.startswith("casino-core: the page is at http://127.0.0.1:")
        port = int(line.split(":")[3].split("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/")
        assert connection.getresponse().read().startswith(b"<!doctype html>")
        if watched:  # a connection that never ends by itself
            connection.request("POST", "/api/games", b"{}", {"content-type": "application/json"})
            game = connection.getresponse().read().split(b'"')[3].decode()
            connection.request("GET", f"/api/games/{game}/events")
            connection.getresponse().readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
        connection.close()
    assert (running.returncode, out, err) == (0, "casino-core: stopped\n", "")


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with program("--port", str(port)) as running:
            out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (2, "")
    assert err == (
        f"casino-core: port {port} of 127.0.0.1 is in use: stop what listens there, or choose "
        "another with --port\n"
    )


def test_without_the_extra() -> None:
    code = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "from casino_core.cli import main\nmain(['web', '--no-browser'])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "casino-core: the page needs the package uvicorn: pip install 'casino-core[web]'\n"
    )
