"""Outputs of a batch: standard output, or a file that appears when it is complete.

During a run the answers are appended to `OUT.partial` (some formats need several such files), and
`OUT.state` records how many of their bytes are safe on disk: after a kill, the files are cut to
that size, and a resumed run continues there. At the end the output appears as `OUT` in one step,
and `OUT.made` records its settings and input. Both records have digests of all bytes written, so
that later changes of the files are noticed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from casino_core._version import __version__
from casino_core.batch.files import folders
from casino_core.batch.files.formats import Archive, Format
from casino_core.errors import CasinoError, quoted
from casino_core.hints.options import options_of

__all__ = ["FileSink", "State", "StreamSink"]

_READ = 1 << 20  # bytes per read


@dataclass
class State:
    """The state of a run, for resuming it.

    Attributes:
        settings: the settings of the run; it can be resumed only with the same ones.
        sizes: sizes of the partial files that are safe; of the output once it is complete.
        contents: digests of these bytes.
        done: number of positions answered, failed ones included.
        failed: number of positions that ended with an error.
        digest: digest of the input read so far.
        rules: the rule sets of the positions answered.
    """

    settings: dict[str, Any]
    sizes: list[int]
    contents: list[str]
    done: int = 0
    failed: int = 0
    digest: str = ""
    rules: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> State:
        """Read the state from a file.

        Args:
            path: the path of the file.

        Raises:
            CasinoError: the file does not hold a state.
        """
        try:
            state = cls(**json.loads(path.read_text("utf-8")))
            if isinstance(state.settings, dict) and len(state.sizes) == len(state.contents):
                return state
        except (ValueError, TypeError):
            pass
        raise CasinoError(f"{quoted(path.name)} cannot be read")

    def write(self, path: Path) -> None:
        """Write the state to a file, in one step.

        Args:
            path: the path of the file.
        """
        fresh = path.with_name(path.name + ".new")
        with fresh.open("wb") as file:
            file.write(json.dumps(asdict(self)).encode())
            folders.settle_file(file)
        os.replace(fresh, path)

    def check(self, settings: dict[str, Any], what: str) -> None:
        """Validate that settings are those of the state.

        Args:
            settings: the settings of the current run.
            what: the file that was made, for the message.

        Raises:
            CasinoError: a setting differs; the message names it.
        """
        for name in [*settings, *self.settings]:
            before, now = self.settings.get(name), settings.get(name)
            if before != now:
                raise CasinoError(
                    f"--resume: {what} was made {_with(name, before)}, not {_with(name, now)}"
                )


_NO_OPTIONS = ("columns",)  # settings that are taken from the input
#: The option of the command for each name of a setting.
_FLAGS = {option.name: option.flag for option in options_of("batch")}


def _with(name: str, value: Any) -> str:
    flag = name if name in _NO_OPTIONS else _FLAGS.get(name, f"--{name}")
    return f"without {flag}" if value is None else f"with {flag} {value}"


def _digest(file: IO[bytes], size: int) -> Any:
    """The running digest of the next bytes of a file, up to its end."""
    found = blake2b(digest_size=16)
    while size and (block := file.read(min(size, _READ))):
        found.update(block)
        size -= len(block)
    return found


class StreamSink:
    """Standard output, written as answers come.

    Args:
        format_: the format of the text.
        task: the task of the answers.
    """

    def __init__(self, format_: Format, task: str) -> None:
        self._file: IO[bytes] = sys.stdout.buffer
        self.state = State({}, [], [])
        self._write(format_.begin(task))

    def _write(self, parts: list[bytes]) -> None:
        self._file.write(b"".join(parts))
        self._file.flush()

    def add(
        self, parts: list[bytes], done: int, failed: int, digest: str, rules: Iterable[str]
    ) -> None:
        """Write answers."""
        self._write(parts)
        self.state.done += done
        self.state.failed += failed

    def close(self) -> None:
        """Do nothing: standard output stays open."""

    def keep(self) -> None:
        """Do nothing: the text is already written."""

    def leave(self) -> bool:
        """Return False, as a run to standard output cannot be resumed."""
        return False

    def finish(self) -> None:
        """Do nothing: the output is already complete."""


class FileSink:
    """A file that appears when it is complete.

    Args:
        path: the path of the file.
        format_: its format.
        settings: the settings of the run.
        resume: whether to continue a run that was stopped.

    Raises:
        CasinoError: the file exists; a stopped run has left a part of it and `resume` is False,
            or the run to resume had other settings.
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
        self._kept = 0  # number of positions whose answers are safe
        if path.exists():
            raise CasinoError(f"{quoted(path.name)} exists already; remove it, or choose another")
        there = self._state_path.exists()
        if there and not resume:
            raise CasinoError(
                f"a part of {quoted(path.name)} exists: --resume continues it; to start again, "
                f"remove {self._state_path.name}"
            )
        if there:
            self.state = State.read(self._state_path)
            self.state.check(settings, "the existing part")
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
        """Open the partial files of the stopped run and cut them to the safe size."""
        self._kept = self.state.done
        for path, size, content in zip(
            self._partial, self.state.sizes, self.state.contents, strict=True
        ):
            try:
                file = path.open("r+b")
            except FileNotFoundError:
                raise CasinoError(
                    f"{quoted(path.name)} is missing, so --resume cannot continue"
                ) from None
            self._files.append(file)
            if file.seek(0, os.SEEK_END) < size:
                raise CasinoError(f"{quoted(path.name)} is shorter than it was")
            file.seek(0)
            self._digests.append(_digest(file, size))
            if self._digests[-1].hexdigest() != content:
                raise CasinoError(
                    f"{quoted(path.name)} is not what the run wrote, so --resume cannot continue:"
                    f" it was changed or damaged; to start again, remove {self._state_path.name}"
                )
            file.truncate(size)
            file.seek(size)

    def _write(self, parts: list[bytes]) -> None:
        for index, part in enumerate(parts):
            self._files[index].write(part)
            self._digests[index].update(part)
            self.state.sizes[index] += len(part)

    def add(
        self, parts: list[bytes], done: int, failed: int, digest: str, rules: Iterable[str]
    ) -> None:
        """Write answers, which are safe after the next `keep`.

        Args:
            parts: the answers as the format has encoded them.
            done: number of positions.
            failed: number of failed ones among them.
            digest: digest of the input up to them.
            rules: the rule sets of the positions.
        """
        self._write(parts)
        self.state.done += done
        self.state.failed += failed
        self.state.digest = digest
        self.state.rules = sorted({*self.state.rules, *rules})

    def close(self) -> None:
        """Close the partial files without removing them."""
        for file in self._files:
            with suppress(OSError):  # a full disk cannot take the last bytes
                file.close()

    def keep(self) -> None:
        """Make all answers so far safe on disk, and record this in the state file."""
        for file in self._files:
            folders.settle_file(file)
        self.state.contents = [found.hexdigest() for found in self._digests]
        self.state.write(self._state_path)
        self._kept = self.state.done

    def leave(self) -> bool:
        """End before the output is complete: keep the answers, or remove all files without answers.

        Returns:
            Whether the run can be resumed.
        """
        with suppress(OSError):  # the answers of the last `keep` are still safe
            if self.state.done > self._kept:
                self.keep()
        self.close()
        if not self._kept:
            self.clean_up(self._path)
        return bool(self._kept)

    def finish(self) -> None:
        """Make the complete output appear under its name.

        Raises:
            CasinoError: something else has written to the partial files.
        """
        self.keep()
        self.close()
        for path, size, content in zip(
            self._partial, self.state.sizes, self.state.contents, strict=True
        ):
            if folders.content(path) != (size, content):
                raise CasinoError(f"{quoted(path.name)} was changed while this run wrote it")
        fresh = self._partial[0]
        if not self._format.is_whole:
            fresh = _new_path(self._path)
            folders.remove(fresh)
            self._format.made = self._made()
            self._format.finish(self._task, self._partial, fresh)
            folders.settle(fresh)
        size, content = folders.content(fresh)
        self.state.sizes, self.state.contents = [size], [content]
        self.state.write(_made_path(self._path))
        os.replace(fresh, self._path)
        self.clean_up(self._path)

    def _made(self) -> dict[str, Any]:
        """How the output was made, for formats that hold it."""
        left_out = ("out", "columns")  # the same bytes under any name
        settings = {name: one for name, one in self.state.settings.items() if name not in left_out}
        counts = {"positions": self.state.done, "failed": self.state.failed}
        source = {"rules": self.state.rules, "input_digest": self.state.digest}
        return {"version": __version__, **settings, **counts, **source}

    @staticmethod
    def made(path: Path) -> State:
        """The final state of the run that made a complete output.

        Args:
            path: the path of the output.

        Raises:
            CasinoError: there is no record of that run.
        """
        try:
            return State.read(_made_path(path))
        except (OSError, CasinoError):
            raise CasinoError(
                f"{quoted(path.name)} exists already, and there is no record of how it was made; "
                "remove it, or choose another"
            ) from None

    @staticmethod
    def check_content(path: Path, made: State) -> None:
        """Validate that a complete output is as its run wrote it.

        Args:
            path: the path of the output.
            made: the final state of the run.

        Raises:
            CasinoError: the file was changed.
        """
        size, content = folders.content(path)
        if (made.sizes, made.contents) != ([size], [content]):
            raise CasinoError(
                f"{quoted(path.name)} is not what the run wrote: it was changed or damaged; remove "
                "it, or choose another"
            )

    @staticmethod
    def clean_up(path: Path) -> None:
        """Remove the files of a run beside its output.

        Args:
            path: the path of the output.
        """
        endings = (".state", ".state.new", ".made.new", ".partial", ".new")
        left = [path.name + ending for ending in endings]
        left += [f"{path.name}.{part}.partial" for part in Archive.parts]
        for name in left:
            folders.remove(path.with_name(name))


def _made_path(path: Path) -> Path:
    return path.with_name(path.name + ".made")


def _new_path(path: Path) -> Path:
    return path.with_name(path.name + ".new")
