"""Ctrl-C while the program starts or ends: one line and exit status 130, as no work is lost."""

import os

__all__ = ["INTERRUPTED", "end_at_once", "interrupt_work"]

INTERRUPTED = 130  # the status that shells report after Ctrl-C


def end_at_once() -> None:
    """End the process at Ctrl-C from now on, unless Ctrl-C is ignored or handled otherwise."""
    try:
        import signal  # this import takes a moment

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _end)
    except KeyboardInterrupt:
        _end()


def interrupt_work() -> None:
    """Raise `KeyboardInterrupt` at Ctrl-C again, after `end_at_once`."""
    import signal

    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    try:
        os.write(2, b"casino-core: interrupted\n")
    finally:
        os._exit(INTERRUPTED)
