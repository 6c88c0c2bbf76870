"""Where the answers of a batch go: standard output, or a file that is whole, or marked partial.

While a run goes on, what it has is in `OUT.partial` (and in more such files where a format needs
them), which only grow, and `OUT.state` says up to where they hold: after a kill they are cut
there, and the run goes on. At the end they become `OUT` in one step, and `OUT.made` says of what.
Both hold a digest of every byte written, so that files which were changed since are noticed.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from casino_core.batch.files.formats import Archive, Format
from casino_core.errors import CasinoError, quoted
from casino_core.hints.options import options_of

__all__ = ["FileSink", "State", "StreamSink"]

_READ = 1 << 20  # bytes at once


@dataclass
class State:
    """How far a run has come.

    Attributes:
        settings: what was asked: a run goes on only with the same.
        sizes: bytes of each partial file that hold; of the output, once it is whole.
        contents: digests of these bytes.
        done: positions answered, failed ones included.
        failed: those that ended with an error.
        digest: of the input up to here.
    """

    settings: dict[str, Any]
    sizes: list[int]
    contents: list[str]
    done: int = 0
    failed: int = 0
    digest: str = ""

    @classmethod
    def read(cls, path: Path) -> State:
        """What was written of a run.

        Args:
            path: of the file.

        Raises:
            CasinoError: it is something else.
        """
        try:
            state = cls(**json.loads(path.read_text("utf-8")))
            if isinstance(state.settings, dict) and len(state.sizes) == len(state.contents):
                return state
        except (ValueError, TypeError):
            pass
        raise CasinoError(f"{quoted(path.name)} cannot be read")

    def write(self, path: Path) -> None:
        """Write it, in one step.

        Args:
            path: of the file.
        """
        fresh = path.with_name(path.name + ".new")
        with fresh.open("wb") as file:
            file.write(json.dumps(asdict(self)).encode())
            _settle(file)
        os.replace(fresh, path)

    def check(self, settings: dict[str, Any], what: str) -> None:
        """Refuse settings that are not the same.

        Args:
            settings: what is asked now.
            what: was made, for the message.

        Raises:
            CasinoError: with what differs.
        """
        for name in [*settings, *self.settings]:
            before, now = self.settings.get(name), settings.get(name)
            if before != now:
                raise CasinoError(
                    f"--resume: {what} was made {_with(name, before)}, not {_with(name, now)}"
                )


#: Options of the command by the names that settings have for them.
_NO_OPTIONS = ("columns",)  # settings that follow from the input
_FLAGS = {option.name: option.flag for option in options_of("batch")}


def _with(name: str, value: Any) -> str:
    flag = name if name in _NO_OPTIONS else _FLAGS.get(name, f"--{name}")
    return f"without {flag}" if value is None else f"with {flag} {value}"


def _settle(file: IO[bytes]) -> None:
    """Make what was written last, whatever happens to this process or the machine."""
    file.flush()
    os.fsync(file.fileno())


def _digest(file: IO[bytes], size: int) -> Any:
    """The running digest of the next bytes of a file, fewer only where it ends."""
    found = blake2b(digest_size=16)
    while size and (block := file.read(min(size, _READ))):
        found.update(block)
        size -= len(block)
    return found


def _content(path: Path) -> tuple[int, str]:
    """Size and digest of a file."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return size, _digest(file, size).hexdigest()


class StreamSink:
    """Standard output, written as answers come.

    Args:
        format_: of the text.
        task: of the answers.
    """

    def __init__(self, format_: Format, task: str) -> None:
        self._file: IO[bytes] = sys.stdout.buffer
        self.state = State({}, [], [])
        self._write(format_.begin(task))

    def _write(self, parts: list[bytes]) -> None:
        self._file.write(b"".join(parts))
        self._file.flush()

    def add(self, parts: list[bytes], done: int, failed: int, digest: str) -> None:
        """Write answers."""
        self._write(parts)
        self.state.done += done
        self.state.failed += failed

    def close(self) -> None:
        """Nothing: standard output stays open."""

    def keep(self) -> None:
        """Nothing: what was written is out."""

    def leave(self) -> bool:
        """Nothing can be gone on with."""
        return False

    def finish(self) -> None:
        """Nothing is left to do."""


class FileSink:
    """A file that appears when it is whole.

    Args:
        path: of the file.
        format_: of the file.
        settings: what was asked.
        resume: go on with what is there.

    Raises:
        CasinoError: the file, or a part of it, is there already; or what is there was made with
            other settings.
    """

    def __init__(
        self, path: Path, format_: Format, settings: dict[str, Any], *, resume: bool
    ) -> None:
        self._path = path
        self._format = format_
        self._task = str(settings["task"])
        self._state_path = path.with_name(path.name + ".state")
        names = ["", *(f".{part}" for part in format_.parts)]
        self._partial = [path.with_name(f"{path.name}{name}.partial") for name in names]
        self._files: list[IO[bytes]] = []
        self._digests: list[Any] = []
        self._kept = 0  # positions done whose answers are safe
        if path.exists():
            raise CasinoError(f"{quoted(path.name)} is there already; remove it, or take another")
        there = self._state_path.exists()
        if there and not resume:
            raise CasinoError(
                f"a part of {quoted(path.name)} is there: --resume goes on with it; to begin anew, "
                f"remove {self._state_path.name}"
            )
        if there:
            self.state = State.read(self._state_path)
            self.state.check(settings, "the part that is there")
        try:
            if there:
                self._open_again()
            else:
                self._begin(settings)
        except OSError as error:
            self.close()
            raise CasinoError(f"cannot write {quoted(path.name)}: {error.strerror}") from None
        except BaseException:
            self.close()
            raise

    def _begin(self, settings: dict[str, Any]) -> None:
        begin = self._format.begin(self._task)
        self.state = State(settings, [0] * len(begin), [""] * len(begin))
        try:
            for partial in self._partial:
                self._files.append(partial.open("w+b"))
                self._digests.append(blake2b(digest_size=16))
            self._write(begin)
            self.keep()
        except BaseException:
            self.leave()
            raise

    def _open_again(self) -> None:
        """Cut the partial files where they hold."""
        self._kept = self.state.done
        for path, size, content in zip(
            self._partial, self.state.sizes, self.state.contents, strict=True
        ):
            try:
                file = path.open("r+b")
            except FileNotFoundError:
                raise CasinoError(
                    f"{quoted(path.name)} is gone, so --resume cannot go on"
                ) from None
            self._files.append(file)
            if file.seek(0, os.SEEK_END) < size:
                raise CasinoError(f"{quoted(path.name)} is shorter than it was")
            file.seek(0)
            self._digests.append(_digest(file, size))
            if self._digests[-1].hexdigest() != content:
                raise CasinoError(
                    f"{quoted(path.name)} is not what the run wrote, so --resume cannot go on: it "
                    f"was changed or damaged; to begin anew, remove {self._state_path.name}"
                )
            file.truncate(size)
            file.seek(size)

    def _write(self, parts: list[bytes]) -> None:
        for index, part in enumerate(parts):
            self._files[index].write(part)
            self._digests[index].update(part)
            self.state.sizes[index] += len(part)

    def add(self, parts: list[bytes], done: int, failed: int, digest: str) -> None:
        """Write answers; they hold once they are kept.

        Args:
            parts: as the format has encoded them.
            done: how many positions.
            failed: how many of these have failed.
            digest: of the input up to them.
        """
        self._write(parts)
        self.state.done += done
        self.state.failed += failed
        self.state.digest = digest

    def close(self) -> None:
        """Close the partial files; what was kept stays."""
        for file in self._files:
            with suppress(OSError):  # a full disk does not take what was not kept
                file.close()

    def keep(self) -> None:
        """Make what was added last, whatever happens to this process or the machine."""
        for file in self._files:
            _settle(file)
        self.state.contents = [found.hexdigest() for found in self._digests]
        self.state.write(self._state_path)
        self._kept = self.state.done

    def leave(self) -> bool:
        """End before the output is whole: keep what is done, or nothing where nothing is.

        Returns:
            Whether there is something to go on with.
        """
        with suppress(OSError):  # what was kept before still holds
            if self.state.done > self._kept:
                self.keep()
        self.close()
        if not self._kept:
            self.clean_up(self._path)
        return bool(self._kept)

    def finish(self) -> None:
        """Make the whole output appear.

        Raises:
            CasinoError: something else has written to the partial files.
        """
        self.keep()
        self.close()
        for path, size, content in zip(
            self._partial, self.state.sizes, self.state.contents, strict=True
        ):
            if _content(path) != (size, content):
                raise CasinoError(f"{quoted(path.name)} was changed while this run wrote it")
        fresh = self._partial[0]
        if not self._format.is_whole:
            fresh = _new_path(self._path)
            fresh.unlink(missing_ok=True)
            self._format.finish(self._task, self._partial, fresh)
            with fresh.open("r+b") as file:
                _settle(file)
        size, content = _content(fresh)
        self.state.sizes, self.state.contents = [size], [content]
        self.state.write(_made_path(self._path))
        os.replace(fresh, self._path)
        self.clean_up(self._path)

    @staticmethod
    def made(path: Path) -> State:
        """Of what a whole output was made.

        Args:
            path: of the output.

        Raises:
            CasinoError: nothing tells.
        """
        try:
            return State.read(_made_path(path))
        except (OSError, CasinoError):
            raise CasinoError(
                f"{quoted(path.name)} is there already, and nothing tells of what it was made; "
                "remove it, or take another"
            ) from None

    @staticmethod
    def check_content(path: Path, made: State) -> None:
        """Refuse a whole output that is no longer as it was written.

        Args:
            path: of the output.
            made: of what it was made.

        Raises:
            CasinoError: it is something else.
        """
        if made.sizes != [path.stat().st_size] or _content(path)[1] != made.contents[0]:
            raise CasinoError(
                f"{quoted(path.name)} is not what the run wrote: it was changed or damaged; remove "
                "it, or take another"
            )

    @staticmethod
    def clean_up(path: Path) -> None:
        """Remove what a run has left beside its output.

        Args:
            path: of the output.
        """
        endings = (".state", ".state.new", ".made.new", ".partial", ".new")
        left = [path.name + ending for ending in endings]
        left += [f"{path.name}.{part}.partial" for part in Archive.parts]
        for name in left:
            path.with_name(name).unlink(missing_ok=True)


def _made_path(path: Path) -> Path:
    return path.with_name(path.name + ".made")


def _new_path(path: Path) -> Path:
    return path.with_name(path.name + ".new")
