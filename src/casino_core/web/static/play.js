// A game: its table, what the player chooses, and what the others play.

import { get, lines, post } from "./api.js";
import { byId, cardSign, coloured, hideToast, make, say, settings, toast } from "./dom.js";
import { HintPanel } from "./hint.js";
import { cardButton, feltOf, pileWords, seatLine, sideOf } from "./table.js";

const SHOWN = 1100; // milliseconds for which the play of another is shown before it is done

let state = null; // the game as the server has sent it last
let shown = null; // the state that is drawn
let chosen = nothing();
let typed = ""; // what is in the field for plays
let events = null;
let queue = [];
let timer = null;
let reviewing = null; // what is known of the review that is made
const hint = new HintPanel(pick);

function nothing() {
  return { card: null, loose: new Set(), builds: new Set() };
}

// A new game

export async function newGame() {
  const about = await get("/api/about");
  const place = byId("new");
  place.replaceChildren(form(about));
}

function options(names, usual) {
  return names.map(([value, text]) => make("option", { value, selected: value === usual }, text));
}

function form(about) {
  const opponents = about.opponents.map(({ name, title }) => [name, title]);
  const usual = settings.get("opponent", opponents[Math.min(4, opponents.length - 1)][0]);
  const rules = Object.keys(about.presets).map((name) => [name, name]);
  const begin = async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    const players = { 2: "", 3: ",players=3", 4: ",players=4", partners: ",players=4,partners=yes" }[fields.players];
    settings.set("opponent", fields.opponent);
    settings.set("rules", fields.rules);
    try {
      const game = await post("/api/games", {
        rules: fields.rules + players,
        opponent: fields.opponent,
        target: fields.target === "" ? null : fields.target === "none" ? "none" : Number(fields.target),
        seat: fields.seat,
      });
      location.hash = `#/game/${game.id}`;
    } catch (error) { toast(error.message); }
  };
  return make("form", { class: "form card-box", onsubmit: begin },
    make("h2", { id: "new-title" }, "A new game"),
    field("Against", make("select", { name: "opponent" }, options(opponents, usual))),
    field("Rules", make("select", { name: "rules" }, options(rules, settings.get("rules", "standard")))),
    field("Players", make("select", { name: "players" }, options([["2", "two"], ["3", "three"], ["4", "four"], ["partners", "four, as partners"]], "2"))),
    field("The match ends at", make("select", { name: "target" }, options([["", "the points of the rules"], ["11", "11 points"], ["21", "21 points"], ["50", "50 points"], ["none", "no end"]], ""))),
    field("Who leads", make("select", { name: "seat" }, options([["a", "you"], ["b", "the other player"]], "a"))),
    make("button", { class: "main" }, "Deal"));
}

function field(words, control) {
  return make("label", {}, make("span", {}, words), control);
}

// Opening, leaving, and news of the server

export async function openGame(id) {
  state = shown = null;
  chosen = nothing();
  typed = "";
  queue = [];
  reviewing = null;
  hint.close();
  accept(await get(`/api/games/${encodeURIComponent(id)}`));
  settings.set("game", id);
  listen();
}

export function leaveGame() {
  if (events) events.close();
  clearTimeout(timer);
  hint.close();
  events = state = shown = timer = null;
}

function listen() {
  if (events) events.close();
  events = null;
  if (!state || document.hidden) return; // a hidden window needs no connection
  events = new EventSource(`/api/games/${encodeURIComponent(state.id)}/events`);
  events.onmessage = (event) => accept(JSON.parse(event.data));
}

document.addEventListener("visibilitychange", listen);

function accept(next) {
  if (state && (next.id !== state.id || next.version <= state.version)) return;
  state = next;
  queue.push(next);
  if (!timer) advance();
}

// Draw the states one after the other, with a moment for each play of another.
function advance() {
  timer = null;
  const next = queue.shift();
  if (!next) return;
  const play = newPlay(next);
  const wait = () => { timer = setTimeout(() => { timer = null; show(next); advance(); }, SHOWN); };
  if (play && play.seat !== next.you && settings.get("slow", "yes") === "yes") {
    drawPlay(play);
    wait();
  } else {
    show(next);
    advance();
  }
}

function newPlay(next) {
  if (!shown || shown.round !== next.round || next.log.length !== shown.log.length + 1) return null;
  return next.log[next.log.length - 1];
}

function show(next) {
  const fresh = !shown || shown.version !== next.version;
  const play = newPlay(next);
  const before = shown;
  shown = next;
  if (fresh) {
    chosen = nothing();
    hint.close();
    if (!next.result) reviewing = null;
  }
  draw();
  if (!fresh) return;
  const words = [];
  if (play && play.seat === next.you) words.push(play.words);
  if (next.result) words.push(resultWords(next));
  else if (play && play.dealt) words.push("New cards are dealt.");
  if (next.mine && (!before || !before.mine || before.log.length !== next.log.length)) words.push("Your turn.");
  if (next.trouble) words.push(next.trouble);
  if (words.length) say(words.join(" "));
}

// Choosing cards

function fits(move, choice = chosen) {
  return (!choice.card || move.card === choice.card)
    && [...choice.loose].every((name) => move.loose.includes(name))
    && [...choice.builds].every((number) => move.builds.includes(number));
}

function isExact(move) {
  return move.card === chosen.card && fits(move)
    && move.loose.length === chosen.loose.size && move.builds.length === chosen.builds.size;
}

function pressHand(card) {
  hideToast();
  const next = { ...chosen, card: chosen.card === card ? null : card };
  if (next.card && !shown.moves.some((move) => fits(move, next))) {
    explain(next);
    next.loose = new Set();
    next.builds = new Set();
  }
  chosen = next;
  draw();
}

function pressTable(what) {
  hideToast();
  const next = { card: chosen.card, loose: new Set(chosen.loose), builds: new Set(chosen.builds) };
  const [set, item] = "loose" in what ? [next.loose, what.loose] : [next.builds, what.build];
  if (set.has(item)) set.delete(item);
  else {
    set.add(item);
    if (!shown.moves.some((move) => fits(move, next))) { explain(next); return; }
  }
  chosen = next;
  draw();
}

// Why the cards do not go together.
async function explain(choice) {
  const card = choice.card;
  if (!card) { toast("No card of your hand can be played with these."); return; }
  try {
    const answer = await post(`/api/games/${shown.id}/why`, {
      card, loose: [...choice.loose], builds: [...choice.builds],
    });
    toast(answer.reason || "These cards alone are a play; more cannot be added.");
  } catch (error) { toast(error.message); }
}

// Whether it was played.
async function play(text) {
  hideToast();
  try {
    accept(await post(`/api/games/${shown.id}/play`, { move: text, version: shown.version }));
    return true;
  } catch (error) { toast(error.message); }
  return false;
}

async function playTyped(event) {
  event.preventDefault();
  const text = typed.trim();
  if (!text) return;
  if (await play(text)) { typed = ""; draw(); }
  else byId("game").querySelector("[data-act=typed]")?.focus();
}

// The cards of a play of the hint.
function pick(text) {
  const move = shown.moves.find((one) => one.text === text);
  if (!move) { if (shown.mine) play(text); return; }
  chosen = { card: move.card, loose: new Set(move.loose), builds: new Set(move.builds) };
  draw();
  byId("game").querySelector(".chip.ready")?.focus();
}

function askHint() {
  if (!shown.mine) return;
  const objective = shown.win !== null && settings.get("for-match", "no") === "yes" ? "match" : "points";
  hint.ask(`/api/games/${shown.id}/hint`, { seconds: 5, objective });
}

async function review() {
  reviewing = { words: "Reviewing …" };
  draw();
  try {
    await lines(`/api/games/${shown.id}/review`, {}, (found) => {
      if (found.error) { reviewing = null; toast(found.error); }
      else if (found.report) { reviewing = { report: found.report }; say("The review is ready."); }
      else reviewing = { words: `Reviewing: ${found.made} of ${found.steps} steps` };
      if (shown) draw();
    });
  } catch (error) { reviewing = null; toast(error.message); if (shown) draw(); }
}

async function act(name) {
  hideToast();
  try { accept(await post(`/api/games/${state.id}/${name}`)); } catch (error) { toast(error.message); }
}

// Drawing

function marksOf(name) {
  const number = name.startsWith("build ") ? Number(name.slice(6)) : null;
  const classes = [];
  const has = (choice) => number === null ? choice.loose.has(name) : choice.builds.has(number);
  if (has(chosen)) classes.push("chosen");
  else if (chosen.card && shown.moves.some((move) => fits(move)
    && (number === null ? move.loose.includes(name) : move.builds.includes(number)))) classes.push("fits");
  const last = shown.log[shown.log.length - 1];
  if (last && last.card === name) classes.push("played");
  return classes;
}

function others(of) {
  const seats = Object.keys(of.hands);
  const at = seats.indexOf(of.you);
  return [...seats.slice(at + 1), ...seats.slice(0, at)];
}

function draw() {
  const focus = focusKey();
  const place = byId("game");
  place.replaceChildren(make("div", { class: "game" },
    make("div", { class: "side-by-side" }, board(shown, marksOf, shown.mine ? pressTable : null, newsOf(shown)), actions()),
    make("div", { class: "side-by-side", id: "panels" }, panels())));
  refocus(focus);
}

// The play of another, before its cards are taken.
function drawPlay(play) {
  const taken = (name) => {
    const number = name.startsWith("build ") ? Number(name.slice(6)) : null;
    const hit = number === null ? play.loose.includes(name) : play.builds.includes(number);
    return hit ? ["taken"] : [];
  };
  const before = { ...shown, mine: false };
  const now = board(before, taken, null, play.words);
  now.querySelector(".felt").append(cardButton(play.card, ["played"], null));
  const old = document.querySelector("#game .board");
  if (old) old.replaceWith(now);
  say(play.words);
}

function newsOf(of) {
  if (of.trouble) return of.trouble;
  const last = of.log[of.log.length - 1];
  if (of.thinking) return `${of.names[of.turn]} is thinking …`;
  return last ? last.words : `${of.names[of.turn]} lead${of.mine ? "" : "s"}.`;
}

function board(of, marks, press, news) {
  const hand = make("div", { class: "hand", role: "group", "aria-label": "Your hand" });
  of.hands[of.you].forEach((name, i) => {
    const classes = chosen.card === name && of.mine ? ["chosen"] : [];
    if (of.mine && !of.moves.some((move) => move.card === name)) classes.push("idle");
    hand.append(cardButton(name, classes, press && (() => pressHand(name)), { "data-hand": i + 1 }));
  });
  return make("div", { class: of.over ? "board over" : "board" },
    others(of).map((seat) => seatLine(of, seat)),
    make("div", { class: "news" }, coloured(news)),
    feltOf(of, marks, press),
    choices(of, press),
    hand,
    of.over ? null : typedForm(of),
    make("div", { class: "seat" },
      make("span", { class: `seat-name${of.mine ? " to-play" : ""}` }, "You"),
      make("span", { class: "pile" }, `${pileWords(sideOf(of, of.you))}${of.over ? "" : ` · stock ${of.stock}`}`)));
}

function choices(of, press) {
  const place = make("div", { class: "choices", role: "group", "aria-label": "Plays" });
  if (!press) return place;
  if (!chosen.card && !chosen.loose.size && !chosen.builds.size) {
    place.append(make("span", { class: "prompt" }, "Your turn: choose a card of your hand."));
    return place;
  }
  const found = of.moves.filter((move) => fits(move));
  found.sort((a, b) => isExact(b) - isExact(a));
  for (const move of found.slice(0, 8)) {
    place.append(make("button", {
      type: "button", class: `chip${isExact(move) ? " ready" : ""}`, "data-move": move.text,
      onclick: () => play(move.text),
    }, move.words));
  }
  if (found.length > 8) place.append(make("span", { class: "prompt" }, `and ${found.length - 8} more: choose cards`));
  return place;
}

function actions() {
  const place = make("div", { class: "actions" });
  if (shown.result) {
    if (shown.result.match_over) place.append(make("button", { type: "button", class: "main", onclick: () => { location.hash = "#/new"; } }, "New match"));
    else place.append(make("button", { type: "button", class: "main", "data-act": "next", onclick: () => act("next") }, "Next round"));
  }
  if (shown.result) {
    if (reviewing?.report) place.append(make("a", { class: "button", href: reviewing.report, target: "_blank", "data-act": "report" }, "Open the review"));
    else place.append(make("button", { type: "button", "data-act": "review", disabled: Boolean(reviewing), onclick: review }, reviewing ? reviewing.words : "Review"));
  } else {
    place.append(make("button", { type: "button", "data-act": "hint", disabled: !shown.mine, onclick: askHint }, "Hint"));
    if (shown.win !== null) place.append(forMatch());
  }
  place.append(
    make("button", { type: "button", "data-act": "take-back", disabled: !shown.can_take_back, onclick: () => act("take-back") }, "Take back"),
    make("a", { class: "button", href: `/api/games/${shown.id}/record`, download: "casino.txt", "data-act": "save" }, "Save"),
    make("a", { class: "button", href: `#/analysis/${shown.id}`, "data-act": "analysis" }, "Analyse"),
    make("a", { class: "button", href: "#/new", "data-act": "new" }, "New game"));
  return place;
}

// Whether hints are for the match or the points of the round.
function forMatch() {
  const change = (event) => { settings.set("for-match", event.target.checked ? "yes" : "no"); if (hint.found) askHint(); };
  return make("label", { class: "tick" },
    make("input", { type: "checkbox", "data-act": "for-match", checked: settings.get("for-match", "no") === "yes", onchange: change }),
    "Hints to win the match");
}

// A play as text, for those who would rather type.
function typedForm(of) {
  return make("form", { class: "typed", onsubmit: playTyped },
    make("label", {}, make("span", {}, "Or type a play"), make("input", {
      id: "typed", type: "text", "data-act": "typed", value: typed, placeholder: "7cx2s5h", maxlength: 200,
      autocomplete: "off", autocapitalize: "off", spellcheck: "false", oninput: (event) => { typed = event.target.value; },
    })),
    make("button", { type: "submit", disabled: !of.mine }, "Play"));
}

function panels() {
  const parts = [hint.element];
  if (shown.result) parts.push(resultPanel(shown));
  parts.push(scorePanel(shown), logPanel(shown));
  return parts;
}

function sideName(of, side) {
  return side.seats.map((seat) => of.names[seat]).join(" + ");
}

const STEPS = { cards: "Most cards", spades: "Most spades", sweeps: "Sweeps" };

function stepName(name) {
  return STEPS[name] || cardSign(name);
}

function resultPanel(of) {
  const head = make("tr", {}, make("td", {}), of.sides.map((side) => make("th", { scope: "col" }, sideName(of, side))));
  const rows = [];
  const labels = of.sides.map((side) => side.seats.join("+"));
  const seen = new Map();
  for (const step of of.result.steps) {
    const row = seen.get(step.name) || labels.map(() => 0);
    if (step.side !== null) row[labels.indexOf(step.side)] += step.points;
    seen.set(step.name, row);
  }
  for (const [name, points] of seen) {
    if (points.every((one) => one === 0) && name === "sweeps") continue;
    rows.push(make("tr", {}, make("th", { scope: "row" }, coloured(stepName(name))), points.map((one) => make("td", {}, one || "–"))));
  }
  const sum = (name, points) => make("tr", { class: "sum" }, make("th", { scope: "row" }, name), points.map((one) => make("td", {}, one)));
  return make("section", { class: "panel", "data-part": "result", "aria-label": "Score of the round" },
    make("h2", {}, resultWords(of)),
    make("table", { class: "score" }, make("thead", {}, head),
      make("tbody", {}, rows, sum("This round", of.result.points), sum("Match", of.result.totals))));
}

function resultWords(of) {
  const mine = of.sides.findIndex((side) => side.seats.includes(of.you));
  const points = of.result.points;
  const round = `The round: ${of.sides.map((side, i) => `${sideName(of, side)} ${points[i]}`).join(", ")}.`;
  if (of.result.match_over) {
    if (of.result.winner === null) return `${round} The match is drawn.`;
    return `${round} ${of.result.winner === mine ? "You win the match!" : `${sideName(of, of.sides[of.result.winner])} wins the match.`}`;
  }
  return `${round} ${of.result.leader === "You" ? "You lead next." : `${of.result.leader} leads next.`}`;
}

function scorePanel(of) {
  const goal = of.target === null ? "no end" : `to ${of.target}`;
  const lines = of.sides.map((side) => make("tr", {},
    make("th", { scope: "row" }, sideName(of, side)),
    make("td", {}, side.score), make("td", {}, side.cards), make("td", {}, side.spades), make("td", {}, side.points)));
  const heads = [of.result ? "Match before" : "Match", "Cards", "Spades", of.result ? "From cards" : "Points"].map((word) => make("th", { scope: "col" }, word));
  return make("section", { class: "panel", "aria-label": "Score" },
    make("h2", {}, `Round ${of.round}, ${of.rules}, ${goal}`),
    make("table", { class: "score" }, make("thead", {}, make("tr", {}, make("td", {}), heads)), make("tbody", {}, lines)),
    of.win === null ? null : make("p", { class: "soft" }, `Chance to win the match, ${of.result ? "as it stands now" : "as this round began"}: ${Math.round(100 * of.win)} %`));
}

function logPanel(of) {
  const list = make("ol", { class: "log", tabindex: 0, "aria-label": "Plays of the round" });
  let dealt = false;
  for (const play of of.log) {
    list.append(make("li", { class: dealt ? "deal" : null }, coloured(play.words)));
    dealt = play.dealt;
  }
  queueMicrotask(() => { list.scrollTop = list.scrollHeight; });
  return make("section", { class: "panel", "aria-label": "Plays" }, make("h2", {}, "Plays"),
    of.log.length ? list : make("p", { class: "soft" }, "Nothing has been played yet."));
}

// Keyboard

function focusKey() {
  const at = document.activeElement;
  if (!at || !byId("game").contains(at)) return null;
  for (const name of ["data-card", "data-build", "data-move", "data-act"]) {
    if (at.hasAttribute(name)) return `[${name}="${at.getAttribute(name)}"]`;
  }
  return "";
}

function refocus(key) {
  if (key === null) return;
  const place = byId("game");
  const node = (key && place.querySelector(key)) || place.querySelector(".hand .card:enabled") || place.querySelector(".actions button:enabled");
  if (!node) return;
  node.focus({ preventScroll: true });
  if (node.matches("input[type=text]")) node.setSelectionRange(node.value.length, node.value.length);
}

function arrows(event) {
  const cards = [...byId("game").querySelectorAll("button.card:enabled, .chip")];
  const at = cards.indexOf(document.activeElement);
  if (at < 0) return false;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return false;
  cards[(at + step + cards.length) % cards.length].focus();
  return true;
}

const LETTERS = { h: askHint, u: () => shown.can_take_back && act("take-back"), n: () => shown.result && !shown.result.match_over && act("next") };

function onKey(event) {
  if (!shown || byId("game").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, textarea, select") || byId("help").open) return;
  const onButton = event.target.matches("button, a");
  let done = arrows(event);
  if (event.key === "Escape") { chosen = nothing(); hideToast(); draw(); done = true; }
  if (event.key === "Enter" && (!onButton || event.target.matches(".card.chosen"))) {
    const ready = byId("game").querySelector(".chip.ready");
    if (ready) { ready.click(); done = true; }
  }
  if (settings.get("keys", "yes") === "yes") {
    if (/^[1-9]$/.test(event.key) && shown.mine) {
      const card = shown.hands[shown.you][Number(event.key) - 1];
      if (card) { pressHand(card); byId("game").querySelector(`.hand [data-card="${card}"]`)?.focus(); done = true; }
    } else if (LETTERS[event.key]) { LETTERS[event.key](); done = true; }
  }
  if (done) event.preventDefault();
}

document.addEventListener("keydown", onKey);
