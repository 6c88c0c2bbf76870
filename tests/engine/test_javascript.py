"""The client in JavaScript, run by node."""

import json
import re
from pathlib import Path

import pytest

import casino_core as cc
from casino_core.engine.client import EngineClient
from helpers.node import Node

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "bot_match.mjs"

pytestmark = pytest.mark.node

BEGIN = """
import { EngineClient, EngineError, overFetch, overWebSocket } from "./casino_core.mjs";
const command = process.env.CASINO_CORE.split(" ");
const engine = EngineClient.start({ command, threads: 2 });
const show = (value) => console.log(JSON.stringify(value));
"""


def shown(node: Node, script: str) -> list:
    """What a script with an engine shows."""
    done = node.run(BEGIN + script + "\nawait engine.close();\n")
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_whole_round(node: Node) -> None:
    found = shown(
        node,
        """
        let { record } = await engine.ask("deal", { seed: 17, rules: "royal" });
        for (let over = false; !over; ) {
          const { move } = await engine.ask("agent", { position: record, level: 2, seed: 3 });
          const played = await engine.ask("play", { position: record, move });
          ({ record, over } = played);
          if (over) show([record, played.counted.points]);
        }
        """,
    )
    ((record, points),) = found
    game = cc.Game.parse(record)
    assert game.result == tuple(points.values())
    with EngineClient() as engine:
        for play in range(1, 49, 7):
            move = engine.ask("agent", position=record, at=play, level=2, seed=3)["move"]
            assert move == str(game.rounds[0].round.plays[play - 1])


def test_errors_timeouts_and_aborts(node: Node) -> None:
    found = shown(
        node,
        """
        const told = (error) => show([error instanceof EngineError, error.code, error.field]);
        const { record } = await engine.ask("deal", { seed: 1 });
        await engine.ask("play", { position: record, move: "Qs" }).catch(told);
        await engine.ask("hint", { position: record, samples: 0 }).catch(told);
        const long = { position: record, samples: 2147483647, measure_all: true };
        await engine.ask("hint", long, { timeout: 200 }).catch(told);
        const abort = new AbortController();
        setTimeout(() => abort.abort(), 200);
        await engine.ask("hint", long, { signal: abort.signal }).catch(told);
        let news = 0;
        const onInterim = () => { news += 1; };
        const fields = { ...long, seconds: 0.5, interim: 0.05 };
        const answer = await engine.ask("hint", fields, { onInterim });
        show([news > 0, answer.best !== undefined]);
        while ((await engine.ask("ping")).waiting) await new Promise((go) => setTimeout(go, 50));
        show("all ended");
        """,
    )
    assert found == [
        [True, "illegal_move", "move"],
        [True, "bad_field", "samples"],
        [True, "cancelled", None],
        [True, "cancelled", None],
        [True, True],
        "all ended",
    ]


def test_many_at_once(node: Node) -> None:
    (found,) = shown(
        node,
        """
        const asked = [];
        for (let n = 0; n < 1200; n += 1) {
          const position = `hands=As/Ah out=- score=${n}/7`;
          asked.push(engine.ask("show", { position }));
        }
        show((await Promise.all(asked)).map(({ score }) => score[0]));
        """,
    )
    assert found == [*range(1200)]


def test_a_dead_engine_is_started_again(node: Node) -> None:
    (found,) = shown(
        node,
        """
        const { readFileSync } = await import("node:fs");
        const file = new URL("process", import.meta.url).pathname;
        const script = `import os, runpy
with open("${file}", "w") as file: file.write(str(os.getpid()))
runpy.run_module("casino_core", run_name="__main__")`;
        const one = EngineClient.start({ command: [command[0], "-c", script] });
        const before = await one.ask("ping");
        process.kill(Number(readFileSync(file)), "SIGKILL");
        const after = await one.ask("ping");
        show([before.ping, after.ping]);
        await one.close();
        """,
    )
    assert found == [True, True]


def test_a_program_that_is_not_there(node: Node) -> None:
    (found,) = shown(
        node,
        """
        const none = EngineClient.start({ command: ["./no-such-program"] });
        await none.ask("ping").catch(({ code, message }) => show([code, message]));
        await none.close();
        """,
    )
    assert found[0] == "engine_gone"
    assert "cannot start ./no-such-program" in found[1]


def test_other_transports(node: Node) -> None:
    found = shown(
        node,
        """
        const reply = (line) => {
          const { id, command } = JSON.parse(line);
          return JSON.stringify({ id, heard: command });
        };
        const fetch = async (url, { method, body }) =>
          ({ ok: true, text: async () => `${reply(body)}\\n`, method, url });
        const one = new EngineClient(overFetch("/engine", { fetch }));
        show((await one.ask("about")).heard);
        const down = async () => ({ ok: false, status: 503 });
        const two = new EngineClient(overFetch("/engine", { fetch: down }));
        await two.ask("about").catch(({ code, message }) => show([code, message]));
        class Socket {
          constructor() { setTimeout(() => this.onopen(), 1); }
          send(line) { setTimeout(() => this.onmessage({ data: reply(line) }), 1); }
          close() { this.onclose(); }
        }
        const three = new EngineClient(overWebSocket("ws://here", { WebSocket: Socket }));
        show((await three.ask("ping")).heard);
        await three.close();
        await three.ask("ping").catch(({ code }) => show(code));
        """,
    )
    assert found == [
        "about",
        ["engine_gone", "/engine answers with status 503"],
        "ping",
        "engine_gone",
    ]


def test_the_bot_of_the_document(node: Node) -> None:
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"^```javascript\n(.*?)^```", text, re.M | re.S)
    start = 'EngineClient.start({ command: process.env.CASINO_CORE.split(" ") })'
    done = node.run(script.replace("EngineClient.start()", start))
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 49


def test_the_match_of_the_example(node: Node) -> None:
    done = node.run(EXAMPLE, 2, 11, 1)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("round 1: ")
    assert lines[-1] in ("the bot wins", "level 2 wins")
