"""Ctrl-C and SIGTERM while the program starts, works and ends: one line, and no work is lost."""

import os

__all__ = ["end_at_once", "interrupt_work", "interrupted_status"]

_SHELL = 128  # what shells add to the number of the signal that ended a program
_received = [2]  # the last signal; 2 is Ctrl-C


def interrupted_status() -> int:
    """The exit status after an interrupt: 130 for Ctrl-C, 143 for SIGTERM, as shells report it."""
    return _SHELL + _received[0]


def end_at_once() -> None:
    """End the process at Ctrl-C or SIGTERM from now on, unless that is ignored or handled."""
    try:
        import signal  # this import takes a moment

        usual = ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL))
        for number, handler in usual:
            if signal.getsignal(number) in (handler, _interrupt):
                signal.signal(number, _end)
    except KeyboardInterrupt:
        _end()


def interrupt_work() -> None:
    """Raise `KeyboardInterrupt` at Ctrl-C and SIGTERM, after `end_at_once`."""
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is _end:
            signal.signal(number, _interrupt)


def _interrupt(number: int, _: object) -> None:
    _received[0] = number
    raise KeyboardInterrupt


def _end(number: int = 2, *_: object) -> None:
    _received[0] = number
    try:
        os.write(2, b"casino-core: interrupted\n")
    finally:
        os._exit(interrupted_status())
