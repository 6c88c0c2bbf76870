// A bot for `exec:`: it captures as much as it can.
//
//     casino-core arena "exec:node examples/bot.mjs" greedy
//
// docs/agents.md describes what a bot is asked, and what it answers.

import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { id, moves } = JSON.parse(line);
  const captures = moves.filter((move) => move.includes("x"));
  const move = (captures.length ? captures : moves).reduce((best, one) => (one.length > best.length ? one : best));
  console.log(JSON.stringify({ id, move }));
}
