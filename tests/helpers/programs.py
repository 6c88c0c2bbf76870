"""Child processes of the tests: Ctrl-C as from a terminal, waits with an end, none left behind."""

import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PROGRAM = (sys.executable, "-m", "casino_core")
PATIENCE = 60  # seconds after which something hangs
MARK = "CASINO_CORE_TEST_RUN"  # in the environment of each process that a run of tests starts


@contextmanager
def interrupts_heard() -> Iterator[None]:
    """Hear SIGINT, which a background job starts without, and SIGHUP, which `nohup` ignores."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = {signal.SIGINT: signal.default_int_handler}
    if hasattr(signal, "SIGHUP"):
        usual[signal.SIGHUP] = signal.SIG_DFL
    before = {number: signal.getsignal(number) for number in usual}
    for number, handler in usual.items():
        if before[number] is signal.SIG_IGN:
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def started(*command: object, patience: float = PATIENCE, **options: Any) -> Iterator[Any]:
    """Start a process in a group of its own; the whole group is killed at the end."""
    with interrupts_heard():
        process = subprocess.Popen(
            [str(part) for part in command], start_new_session=True, **options
        )
    guard = threading.Timer(patience, kill, [process])
    guard.start()
    try:
        yield process
    finally:
        guard.cancel()
        kill(process)
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            with suppress(OSError):
                pipe.close()
        process.wait()


def kill(process: "subprocess.Popen[Any]") -> None:
    """Kill a process and all that it started."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def ran(
    *command: object, data: str | None = None, patience: float = PATIENCE, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end, with this text as its input."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    if data is not None:
        options["stdin"] = subprocess.PIPE
    with started(*command, patience=patience, text=True, **options) as process:
        out, errors = process.communicate(data)
        return subprocess.CompletedProcess(process.args, process.returncode, out, errors)


def in_terminal(width: int, *command: object, **options: Any) -> str:
    """What a command prints on a terminal of this width."""
    import fcntl
    import pty
    import termios

    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 40, width, 0, 0))
    shown = b""
    with started(*command, stdin=its, stdout=its, stderr=its, **options):
        os.close(its)
        with suppress(OSError):  # the end, on Linux
            while part := os.read(ours, 65536):
                shown += part
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def left_behind(mark: str, patience: float = 10) -> list[str]:
    """Commands of processes with this mark that go on after some patience, killed now.

    Only Linux shows the environment of other processes; elsewhere none are found.
    """
    end = time.monotonic() + patience
    while (found := marked(mark)) and time.monotonic() < end:
        time.sleep(0.05)
    for process in found:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return list(found.values())


def marked(mark: str) -> dict[int, str]:
    """Command by process, of those that were started with the mark."""
    wanted = f"{MARK}={mark}".encode()
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes()
            # Python's own tracker lives as long as the process that uses it.
            ours = wanted in (folder / "environ").read_bytes().split(b"\0")
            if ours and command and b"resource_tracker" not in command:
                found[int(folder.name)] = command.replace(b"\0", b" ").decode(errors="replace")
    return found
