// A client of `casino-core engine`, protocol 2: one file, no dependencies, for node and browsers.
//
//     import { EngineClient } from "./casino_core.mjs";
//     const engine = EngineClient.start({ threads: 2 });             // node: a child process
//     const { record } = await engine.ask("deal", { seed: 17 });
//     const { move } = await engine.ask("agent", { position: record, level: 5 });
//     await engine.close();
//
// In a browser the engine is reached through a server: `new EngineClient(overWebSocket(url))`, where
// each message is a line, or `new EngineClient(overFetch(url))`, where the body of a POST is a line
// and so is that of its response. The commands are described in docs/engine.md.

const MOST_OPEN = 500; // requests without an answer; the engine takes more
const TRIES = 2; // times that a request is sent before it is given up
const PATIENCE = 5000; // milliseconds to wait for an engine that was told to quit

/** An answer that is an error, or an engine that is gone (`engine_gone`). */
export class EngineError extends Error {
  constructor({ error, code = "internal", field = null, reason = null }) {
    super(error);
    this.name = "EngineError";
    this.code = code; // a code of errors of the engine
    this.field = field; // the field of the request at fault
    this.reason = reason; // for `illegal_move`: the `code` and `text` of the reason
  }
}

/** An engine behind a transport; `EngineClient.start` runs one as a child process of node. */
export class EngineClient {
  #connect;
  #timeout;
  #link = null; // a promise of the connection
  #open = new Map(); // requests without an answer, by id
  #queue = []; // requests that wait for room
  #next = 1;
  #closed = false;

  /**
   * @param connect called with `onLine` and `onEnd`; gives a connection, or a promise of one, with
   *   `send(line)` and `close()`.
   * @param timeout milliseconds to wait for an answer; 0 for no limit.
   */
  constructor(connect, { timeout = 60000 } = {}) {
    this.#connect = connect;
    this.#timeout = timeout;
  }

  /** Start the engine as a child process. `command` is the program with its first arguments. */
  static start({ command = ["casino-core"], threads = 1, timeout } = {}) {
    return new EngineClient(asProcess({ command, threads }), { timeout });
  }

  /**
   * Send a request and wait for its answer.
   *
   * @param command the command, such as "hint".
   * @param fields the fields of the request; those that are undefined or null are left out.
   * @param timeout milliseconds to wait; 0 for no limit.
   * @param signal an AbortSignal: the request is cancelled in the engine when it fires.
   * @param onInterim called with each interim answer.
   * @returns the answer; rejected with an EngineError if it is an error, or late.
   */
  ask(command, fields = {}, { timeout = this.#timeout, signal, onInterim } = {}) {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      const line = JSON.stringify({ protocol: 2, id, command, ...given(fields) });
      const one = { id, line, resolve, reject, onInterim, tries: 0, link: null, stop: () => {} };
      if (this.#closed) return this.#settle(one, gone("the client is closed"));
      if (signal?.aborted) return this.#settle(one, cancelled(`${command}: cancelled`));
      const timer = timeout
        ? setTimeout(() => this.#giveUp(one, `${command}: no answer within ${timeout} ms`), timeout)
        : undefined;
      const abort = () => this.#giveUp(one, `${command}: cancelled`);
      signal?.addEventListener("abort", abort);
      one.stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      if (this.#open.size < MOST_OPEN) this.#begin(one);
      else this.#queue.push(one);
    });
  }

  /** End the engine, or the connection; requests without an answer fail. */
  async close() {
    this.#closed = true;
    const link = this.#link;
    for (const one of [...this.#open.values(), ...this.#queue.splice(0)]) {
      this.#settle(one, gone("the client is closed"));
    }
    if (link) await link.then((found) => found.close(), () => {});
  }

  #begin(one) {
    this.#open.set(one.id, one);
    this.#send(one);
  }

  #send(one) {
    one.tries += 1;
    if (!this.#link) this.#link = this.#connected();
    const link = (one.link = this.#link);
    link.then(
      (found) => found.send(one.line),
      (error) => this.#open.has(one.id) && this.#settle(one, gone(error.message)),
    );
  }

  #connected() {
    const begin = async () =>
      this.#connect((line) => this.#take(line), () => this.#ended(link));
    const link = begin();
    link.catch(() => {
      if (this.#link === link) this.#link = null;
    });
    return link;
  }

  #take(line) {
    const answer = JSON.parse(line);
    const one = this.#open.get(answer.id);
    if (!one) return;
    if (answer.interim) one.onInterim?.(answer);
    else this.#settle(one, "error" in answer ? new EngineError(answer) : null, answer);
  }

  /** Repeat, or give up, the requests that a dead engine has left open. */
  #ended(link) {
    if (this.#link === link) this.#link = null;
    for (const one of [...this.#open.values()].filter((item) => item.link === link)) {
      if (this.#closed || one.tries >= TRIES) {
        this.#settle(one, gone("the engine has ended without an answer, twice"));
      } else this.#send(one);
    }
  }

  #giveUp(one, text) {
    const begun = this.#open.has(one.id);
    this.#queue = this.#queue.filter((item) => item !== one);
    this.#settle(one, cancelled(text));
    if (begun) {
      const line = JSON.stringify({ protocol: 2, id: 0, command: "cancel", request: one.id });
      one.link?.then((found) => found.send(line), () => {});
    }
  }

  #settle(one, error, answer) {
    one.stop();
    this.#open.delete(one.id);
    if (error) one.reject(error);
    else one.resolve(answer);
    if (!this.#closed && this.#queue.length && this.#open.size < MOST_OPEN) {
      this.#begin(this.#queue.shift());
    }
  }
}

/** A transport: the engine as a child process of node. */
export function asProcess({ command = ["casino-core"], threads = 1 } = {}) {
  return async (onLine, onEnd) => {
    const { spawn } = await import("node:child_process");
    const [program, ...first] = command;
    const options = ["engine", "--protocol", "2", "--threads", String(threads)];
    const child = spawn(program, [...first, ...options], { stdio: ["pipe", "pipe", "inherit"] });
    await new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(new Error(`cannot start ${program}: ${error.message}`)));
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    const split = lines(onLine);
    child.stdout.setEncoding("utf8").on("data", split);
    child.stdin.on("error", () => {}); // the end of the output tells of it
    child.on("error", () => {});
    ended.then(onEnd);
    return {
      send: (line) => child.stdin.write(`${line}\n`),
      close: async () => {
        child.stdin.end(`${JSON.stringify({ protocol: 2, id: 0, command: "quit" })}\n`);
        const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
        await ended;
        clearTimeout(timer);
      },
    };
  };
}

/** A transport: a WebSocket of a server that passes each message on as a line. */
export function overWebSocket(url, { WebSocket = globalThis.WebSocket } = {}) {
  return (onLine, onEnd) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url);
      socket.onopen = () =>
        resolve({ send: (line) => socket.send(line), close: () => socket.close() });
      socket.onerror = () => reject(new Error(`cannot reach ${url}`));
      socket.onmessage = (event) => lines(onLine)(`${event.data}\n`);
      socket.onclose = () => onEnd();
    });
}

/** A transport: a server that answers each POST of a line with lines. */
export function overFetch(url, { fetch = globalThis.fetch, headers = {} } = {}) {
  return (onLine) => ({
    send: async (line) => {
      const { id } = JSON.parse(line);
      const told = (error) => onLine(JSON.stringify({ id, error, code: "engine_gone" }));
      try {
        const type = { "content-type": "application/json" };
        const response = await fetch(url, {
          method: "POST",
          headers: { ...type, ...headers },
          body: line,
        });
        if (response.ok) lines(onLine)(`${await response.text()}\n`);
        else told(`${url} answers with status ${response.status}`);
      } catch (error) {
        told(`cannot reach ${url}: ${error.message}`);
      }
    },
    close: () => {},
  });
}

/** A function of pieces of text that calls another with each whole line. */
function lines(onLine) {
  let begun = "";
  return (piece) => {
    const parts = (begun + piece).split("\n");
    begun = parts.pop();
    for (const line of parts) if (line.trim()) onLine(line);
  };
}

function given(fields) {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function gone(error) {
  return new EngineError({ error, code: "engine_gone" });
}

function cancelled(error) {
  return new EngineError({ error, code: "cancelled" });
}
