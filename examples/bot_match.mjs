// A match between a bot of your own and a level, through the engine.
//
//     casino-core engine --javascript > casino_core.mjs
//     node bot_match.mjs [LEVEL] [TARGET] [SEED]
//
// The bot sees what its seat sees and picks a legal move: change `bot`. docs/engine.md explains the
// requests; bot_match.py is the same program in Python.

import { EngineClient } from "./casino_core.mjs";

/** The move of the bot: the one that takes the most cards. */
function bot(view, moves) {
  const worth = (move) => move.loose.length + 2 * move.builds.length;
  return moves.reduce((best, move) => (worth(move) > worth(best) ? move : best)).move;
}

/** The state of the match at its end. The bot is player a, the level player b. */
async function playMatch(engine, { level, target, seed }) {
  let record;
  for (; ; seed += 1) {
    const match = record ? { position: record } : { rules: `standard,target=${target}` };
    const dealt = await engine.ask("deal", { seed, ...match });
    let { turn } = dealt;
    record = dealt.record;
    for (let over = false; !over; ) {
      let move;
      if (dealt.seating["ab".indexOf(turn)] === "a") {
        const view = await engine.ask("view", { position: record });
        const { moves } = await engine.ask("moves", { position: view.record });
        move = bot(view, moves);
      } else {
        ({ move } = await engine.ask("agent", { position: record, level, seed }));
      }
      ({ record, over, turn } = await engine.ask("play", { position: record, move }));
    }
    const state = await engine.ask("match", { position: record });
    console.log(`round ${dealt.number}: ${state.score.a} to ${state.score.b}`);
    if (state.over) return state;
  }
}

const [level = 3, target = 21, seed = 1] = process.argv.slice(2).map(Number);
const command = (process.env.CASINO_CORE ?? "casino-core").split(" ");
const engine = EngineClient.start({ command });
const { winner } = await playMatch(engine, { level, target, seed });
console.log(winner === "a" ? "the bot wins" : `level ${level} wins`);
await engine.close();
