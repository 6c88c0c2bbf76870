"""Ctrl-C while the moves of a crowded table are listed or counted."""

import signal
import sys
import time

import pytest

import casino_core as cc
from helpers.programs import started

MANY = "table=2s2h2d2c3s3h3d3c4s4h4d4c5s5h5d5c6s6h6d6c hands=KhTsAsAh/???? piles=????????/????????"
#: Whether a set of cards can be captured is looked up among all larger sets.
SLOW = (
    "rules=royal,players=3,capture=maximal,trail=last_resort,raising=opponents,"
    "raise_own_needs_both=no,add_to=own,partner_builds=declared,draw=yes "
    "table=AhAdAc2s2h2d2c3s3h3c4s4h4d4c5h5d5c6s6h6c7s7h7c8s9s9h9d9cTsTdJdJcQdQcKsKhKdKc "
    "hands=8cThJhQs/8h8dJsQh/3d5s7dTc out=As6d"
)
#: Calls without end and without a line of Python between them, so that only the call can hear.
CHILD = """
import sys, collections, itertools, casino_core
call = getattr(casino_core.Position.parse(sys.argv[1]), sys.argv[2])
try:
    print("ready", flush=True)
    collections.deque(itertools.starmap(call, itertools.repeat(())), maxlen=0)
except KeyboardInterrupt:
    print("heard", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT to a child is POSIX's")
@pytest.mark.parametrize(
    ("position", "call"),
    [(MANY, "legal_moves"), (SLOW, "count_legal_moves"), (SLOW, "some_legal_moves")],
)
@pytest.mark.parametrize("wait", [0.05, 0.1, 0.2])
def test_ctrl_c_is_heard(position, call, wait):
    with started(sys.executable, "-c", CHILD, position, call, stdout=-1, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(wait)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "heard\n"
        assert time.monotonic() - sent < 10  # 0.1 s where the machine is free
        assert child.wait() == 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that raises signals")
def test_what_a_handler_raises_comes_through_and_the_position_lives_on():
    def end(*_):
        raise TimeoutError("enough")

    position = cc.Position.parse(SLOW)
    before = signal.signal(signal.SIGALRM, end)
    try:
        for call in (position.count_legal_moves, position.some_legal_moves):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(TimeoutError, match="enough"):
                call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    moves = cc.Position.parse(MANY).legal_moves()
    assert len(moves) == cc.Position.parse(MANY).count_legal_moves() > 100_000
