"""`casino-core batch`: answers for a whole file of positions."""

from __future__ import annotations

import os
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from casino_core._arguments import MIB, NODES, SECONDS, THREADS, measure
from casino_core._interrupts import interrupted_status
from casino_core._processes import process_pool
from casino_core.batch.analysis import Worker, failures, limits_of, lost_arrays
from casino_core.batch.array_analysis import ArrayAnalysis
from casino_core.batch.arrays import POSITION_DTYPE, PositionArray
from casino_core.batch.chunks import Chunk, ChunkSizes, LostChunk, default_workers, ordered
from casino_core.batch.files.folders import Folders
from casino_core.batch.files.formats import Format, Parquet, format_of
from casino_core.batch.files.lock import locked
from casino_core.batch.files.rows import Answers
from casino_core.batch.files.sinks import FileSink, State, StreamSink
from casino_core.batch.files.sources import EVERY, Items, Source
from casino_core.cli.common import NumberOf, check_place, hint_options, read_text
from casino_core.errors import CasinoError, quoted
from casino_core.formats.reading import read_round
from casino_core.render.text import print_line, screen

__all__ = ["batch"]

_SOME_FAILED = 1
_PAUSE = measure("a number of seconds", 86_400, least=0)
_NO_LOCK = (
    "warning: the output's file system has no locks: make sure that no second run writes to it"
)


class _EncodingWorker:
    """A worker that answers a chunk and encodes the answers in the format of the output."""

    def __init__(self, worker: Worker, format_: Format) -> None:
        self.worker = worker
        self.format = format_

    def __call__(self, chunk: Chunk[Items]) -> tuple[list[bytes], int, set[str]]:
        items = chunk.items
        found = self.worker(Chunk(chunk.first, items.positions, chunk.size))
        return self.encode(items, found), failures(chunk, found), _rules_of(items, found)

    def encode(self, items: Items, found: Any) -> list[bytes]:
        """Encode the answers of `Worker` to some items."""
        hints = self.worker.task == "hint"
        answers = Answers(
            self.worker.task,
            items.numbers,
            None if hints else found,
            found if hints else None,
            items.carried,
        )
        return self.format.encode(answers)

    def lost(self, chunk: Chunk[Items], message: str) -> list[bytes]:
        """Encode the errors of a chunk that was given up."""
        if self.worker.task == "hint":
            errors = [CasinoError(message)] * chunk.size
            return self.encode(chunk.items, self.worker.hints(chunk.first, errors))
        blank = PositionArray(np.zeros(chunk.size, POSITION_DTYPE))
        blank.errors = dict.fromkeys(range(chunk.size), message)
        found = lost_arrays(self.worker.task, Chunk(chunk.first, blank, chunk.size))
        return self.encode(chunk.items, found)


def _rules_of(items: Items, found: Any) -> set[str]:
    """The rule sets of some positions and their answers."""
    array = found.positions if isinstance(found, ArrayAnalysis) else items.positions
    if not isinstance(array, PositionArray):
        array = PositionArray.from_texts(array)
    used = np.unique(array.data["rules"]).tolist()
    return {str(array.rules[at]) for at in used if at < len(array.rules)}


def _worker(task: str, given: dict[str, Any]) -> Worker:
    """The worker for a task; an option of another task is an error that names the option."""
    flags = {option.name: option.opts[0] for option in click.get_current_context().command.params}
    known = [flags[name] for name in limits_of(task)]
    for name in given:
        if flags[name] not in known:
            takes = ", ".join(known) or "no such options"
            raise CasinoError(f"--task {task} takes {takes}, not {flags[name]}")
    if "history" in given:
        given["history"] = read_round(read_text(given["history"]))
    return Worker(task, given)


@click.command()
@click.argument("source", metavar="IN")
@click.option(
    "--task",
    type=click.Choice(["value", "solve", "hint", "moves", "score"]),
    required=True,
    help="The kind of answer for each position.",
)
@click.option(
    "--column",
    default="position",
    show_default=True,
    help="The column, or key of JSON objects, with the positions.",
)
@click.option(
    "--at", metavar="N", help="Of games: the position of play N, or R.N.  [default: the end]"
)
@click.option("--every-play", "every", is_flag=True, help="Of games: the position of every play.")
@click.option("--out", required=True, help="The output; - for standard output.")
@click.option(
    "--partition",
    metavar="COLUMNS",
    help="Make --out, a .parquet, a folder of files in folders NAME=VALUE of these columns.",
)
@click.option(
    "--workers",
    type=NumberOf(THREADS, int),
    help="Number of threads.  [default: number of processors]",
)
@click.option("--resume", is_flag=True, help="Continue a run that was stopped.")
@click.option("--nodes", type=NumberOf(NODES, int), help="Most positions to search for one answer.")
@click.option("--seconds", type=NumberOf(SECONDS, float), help="Longest time for one answer.")
@click.option(
    "--table",
    "table_mib",
    type=NumberOf(MIB, float),
    help="Size in MiB of each worker's table.  [default: 32; for hints, to fit the deal]",
)
@hint_options("batch", without=("seconds", "table_mib"))
@click.option(
    "--keep-every",
    type=NumberOf(_PAUSE, float),
    default=1.0,
    show_default=True,
    help="Seconds between two saves from which --resume can continue.",
)
def batch(
    source: str,
    task: str,
    column: str,
    at: str | None,
    every: bool,
    out: str,
    partition: str | None,
    workers: int | None,
    resume: bool,
    keep_every: float,
    **budget: Any,
) -> None:
    """Answer every position of the file IN; - is standard input.

    IN has one position per line, as text or as JSON, or is a .csv, .npz or .parquet file; .gz and
    .zst are unpacked. A folder, or a pattern in quotation marks such as 'deals/*.csv', stands for
    all its files; the output then has a column file, and one for each folder NAME=VALUE. A file of
    games, records or JSON, gives the position at the end of each, or with --every-play one for each
    play. The ending of --out gives its format: .jsonl, .csv, both also with .gz or .zst, .parquet,
    .npz. --history takes the record of a game in which every position was reached. An invalid line
    gives a record with its number and the error.

    Other columns, and other keys of JSON objects, are copied to the output; a name that answers
    use gets the prefix in_.

    The exit status is 0, or 1 if some positions have failed, or 2 if the run was refused or
    stopped.
    """
    if every and at is not None:
        raise click.UsageError("--every-play does not go with --at")
    at = EVERY if every else at
    worker = _worker(task, {name: value for name, value in budget.items() if value is not None})
    format_ = format_of(out, task)
    if out == "-" and resume:
        raise CasinoError("--resume needs an output file, not standard output")
    path = Path(os.path.realpath(out))  # one name for the output, however it is written
    if out != "-":
        if partition is None or not path.is_dir():
            check_place("--out", out)
        format_ = format_of(path.name, task)
    if partition is not None:
        format_ = _parted(format_, partition)
    asked = {"at": at, "partition": partition}
    settings = {"out": path.name, **worker.settings}
    settings |= {name: value for name, value in asked.items() if value is not None}
    with ExitStack() as stack:
        positions = stack.enter_context(Source(source, column, at))
        if format_.has_columns:
            positions.look_ahead()
            format_.columns = positions.columns
            if positions.columns:
                settings["columns"] = list(positions.columns)
        sink: StreamSink | FileSink
        if out == "-":
            sink = StreamSink(format_, task)
        else:
            if not stack.enter_context(locked(path)):
                click.echo(_NO_LOCK, err=True)
            if resume and path.exists():
                made = _check_finished(path, settings, positions)
                click.echo(f"{out} is finished: nothing is left to do", err=True)
                raise click.exceptions.Exit(_status(made))
            sink = FileSink(path, format_, settings, resume=resume)
        done_before, failed_before = sink.state.done, sink.state.failed
        stack.callback(sink.close)
        if done_before and positions.skip(done_before) != sink.state.digest:
            raise CasinoError("--resume: the input is not that of the stopped run")
        start = perf_counter()

        def summary() -> None:
            done, failed = sink.state.done - done_before, sink.state.failed - failed_before
            rate = done / max(perf_counter() - start, 1e-9)
            print_line(
                screen(errors=True), f"{done:,} done, {failed:,} failed, {rate:,.0f} a second"
            )

        try:
            with _pool(task, workers) as executor:
                work = _EncodingWorker(worker, format_)
                _run(work, positions, sink, workers, executor, keep_every)
            sink.finish()
        except BaseException as error:
            interrupted = isinstance(error, KeyboardInterrupt)
            if interrupted or sink.state.done > done_before:
                summary()
            if sink.leave():
                word = "interrupted" if interrupted else "stopped"
                click.echo(f"{word}; --resume continues {out}.partial", err=True)
            elif interrupted:
                click.echo("casino-core: interrupted", err=True)
            if interrupted:
                raise click.exceptions.Exit(interrupted_status()) from None
            raise
        summary()
    raise click.exceptions.Exit(_status(sink.state))


def _parted(format_: Format, names: str) -> Folders:
    """The format of a folder with a file for each value of some columns."""
    if not isinstance(format_, Parquet):
        raise CasinoError("--partition: --out ends in .parquet then")
    return Folders(names.split(","))


def _status(state: State) -> int:
    return _SOME_FAILED if state.failed else 0


def _check_finished(out: Path, settings: dict[str, Any], positions: Source) -> State:
    """Validate that a complete output was made with the same settings and input.

    Args:
        out: the path of the output, which exists.
        settings: the settings of this run.
        positions: the input.

    Returns:
        The final state of the run that made the output.

    Raises:
        CasinoError: a difference, named in the message.
    """
    made = FileSink.made(out)
    made.check(settings, quoted(out.name))
    FileSink.check_content(out, made)
    if positions.skip(made.done) != made.digest or positions.take(1).numbers:
        raise CasinoError(f"--resume: {quoted(out.name)} was made from another input")
    FileSink.clean_up(out)
    return made


def _pool(task: str, workers: int | None) -> AbstractContextManager[Executor | None]:
    """A pool of processes for hints, which hold the GIL for much of their time; else None."""
    count = workers or default_workers()
    if task != "hint" or count == 1:
        return nullcontext()
    return process_pool(count)


def _run(
    work: _EncodingWorker,
    positions: Source,
    sink: StreamSink | FileSink,
    workers: int | None,
    executor: Executor | None,
    keep_every: float,
) -> None:
    first = sink.state.done
    left = None if positions.count is None else positions.count - first
    run = ordered(
        work,
        lambda size: positions.chunks(size, first),
        workers=workers,
        executor=executor,
        sizes=ChunkSizes(None, left),
        stop=work.worker.stop,
    )
    kept = perf_counter()
    with _progress() as bar:
        shown = bar.add_task("", total=None, completed=first, rate="")
        start = perf_counter()
        try:
            for chunk, found in run:
                if isinstance(found, LostChunk):
                    parts, failed = work.lost(chunk, found.message), chunk.size
                    rules: set[str] = set()
                else:
                    parts, failed, rules = found
                sink.add(parts, chunk.size, failed, chunk.items.digest, rules)
                now = perf_counter()
                if now - kept >= keep_every:
                    sink.keep()
                    kept = now
                rate = f"{(sink.state.done - first) / max(now - start, 1e-9):,.0f} a second"
                total = positions.estimate(sink.state.done)
                bar.update(shown, completed=sink.state.done, rate=rate, total=total)
        finally:
            run.close()  # type: ignore[attr-defined]


def _progress() -> Progress:
    console = Console(stderr=True)
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
