// The analysis: a position that is set up, typed or read, and the value of every play.

import { get, lines, post } from "./api.js";
import { boardOf, emptyBoard, fieldsOf, PACK, place, zoneOf } from "./board.js";
import { byId, cardWords, coloured, make, picture, say, settings, toast } from "./dom.js";
import { HintPanel, holdsTable } from "./hint.js";

const LONGEST = 1000000; // characters of a file
const NOTE = "Expected points of the round for the seat to play, minus the others'; the line on a bar is its standard error. Press a play to make it.";
const EXAMPLE = "table=2s5h8dKc hands=As7c9hTd/????";

let board = null;
let active = "hand 0";
let view = null; // the position as the server has read it
let round = ""; // the text of the position with the plays before it
let source = null; // the record that was opened, and its plays
let problem = "";
let presets = {};
let opponents = [];
let reviewing = null;
const values = new HintPanel(playOn);

export async function openAnalysis(game) {
  if (!Object.keys(presets).length) ({ presets, opponents } = await get("/api/about"));
  if (game) {
    const answer = await fetch(`/api/games/${encodeURIComponent(game)}/record`);
    if (!answer.ok) throw new Error("there is no such game here");
    await read(await answer.text());
  } else if (!view) await read(settings.get("position", EXAMPLE));
  else draw();
}

export function leaveAnalysis() {
  values.close();
}

// Reading, changing, playing on

async function read(text, at = null) {
  try {
    const found = await post("/api/read", { text, at });
    view = found;
    round = found.round;
    source = found.plays.length > 1 || at ? { text, plays: found.plays, at: at || found.plays.at(-1)?.at, players: found.players } : null;
    if (found.error) toast(`The record is read up to an error: ${found.error}`);
    board = boardOf(found);
    problem = "";
    reviewing = null;
    remember();
  } catch (error) {
    toast(error.message);
    if (!board) { board = emptyBoard(); view = null; }
  }
  draw();
  think();
}

function remember() {
  settings.set("position", view.line);
}

// A change by hand: the plays before do not lead here any more.
async function changed() {
  source = null;
  draw();
  try {
    const asked = JSON.stringify(fieldsOf(board));
    const found = await post("/api/board", JSON.parse(asked));
    if (asked !== JSON.stringify(fieldsOf(board))) return; // changed again meanwhile
    view = found;
    round = found.line;
    problem = "";
    remember();
  } catch (error) {
    view = null;
    problem = error.message;
  }
  draw();
  think();
}

async function playOn(text) {
  if (!view) return;
  await read(`${round}\n${text}`);
}

function think() {
  if (!view || !view.known || settings.get("values", "yes") !== "yes") { values.close(); drawHolds(); return; }
  const isOpen = settings.get("open", "no") === "yes";
  values.ask("/api/values", { text: round, seconds: 10, open: isOpen }, { title: `Values for seat ${view.turn}`, quiet: true, note: NOTE })
    .then(drawHolds);
}

// Drawing

function draw() {
  const focus = focusKey();
  byId("analysis").replaceChildren(make("div", { class: "analysis" },
    make("div", { class: "side-by-side" }, optionsRow(), felt(), pack()),
    make("div", { class: "side-by-side" }, status(), values.element, make("div", { id: "holds" }), stepsPanel(), textPanel())));
  drawHolds();
  refocus(focus);
}

function select(name, entries, value, change) {
  return make("select", { "data-key": name, onchange: (event) => change(event.target.value) },
    entries.map(([key, words]) => make("option", { value: key, selected: key === String(value ?? "") }, words)));
}

function labelled(words, control) {
  return make("label", {}, make("span", {}, words), control);
}

function check(words, name, usual) {
  const box = make("input", { type: "checkbox", "data-key": name, checked: settings.get(name, usual) === "yes" });
  box.addEventListener("change", () => { settings.set(name, box.checked ? "yes" : "no"); think(); });
  return make("label", { class: "check" }, box, words);
}

function optionsRow() {
  const [base, ...more] = board.rules.split(",");
  const rules = Object.keys(presets).map((name) => [name, name]);
  const changeRules = (name) => { board.rules = [name, ...more].join(","); changed(); };
  const changeSeats = (choice) => {
    const seats = { 2: "ab", 3: "abc", 4: "abcd", partners: "abcd" }[choice];
    const kept = more.filter((option) => !/^(players|partners)=/.test(option));
    const players = { 2: [], 3: ["players=3"], 4: ["players=4"], partners: ["players=4", "partners=yes"] }[choice];
    const next = emptyBoard([base, ...kept, ...players].join(","), seats, choice === "partners" ? 2 : seats.length);
    next.table = board.table;
    next.hands.forEach((_, i) => { if (board.hands[i]) next.hands[i] = board.hands[i]; });
    next.hands.forEach((hand) => { if (!hand.cards.length && !hand.hidden) hand.hidden = 4; });
    board = next;
    changed();
  };
  const partners = board.rules.includes("partners=yes");
  const seats = [...board.seats].map((seat) => [seat, `seat ${seat}`]);
  const deal = 4 * board.seats.length;
  const stock = [["", "as it follows"], ...Array.from({ length: Math.floor(48 / deal) + 1 }, (_, i) => [String(i * deal), `${i * deal} cards`])];
  const known = board.stock === null || stock.some(([key]) => key === String(board.stock)) ? stock : [...stock, [String(board.stock), `${board.stock} cards`]];
  return make("div", { class: "card-box options" },
    labelled("Rules", select("rules", rules, base, changeRules)),
    labelled("Players", select("players", [["2", "two"], ["3", "three"], ["4", "four"], ["partners", "four, as partners"]], partners ? "partners" : board.seats.length, changeSeats)),
    labelled("To play", select("turn", seats, board.turn, (seat) => { board.turn = seat; changed(); })),
    labelled("Captured last", select("last", [["", "nobody"], ...seats], board.last, (seat) => { board.last = seat || null; changed(); })),
    labelled("Stock", select("stock", known, board.stock, (size) => { board.stock = size === "" ? null : Number(size); changed(); })),
    check("Values", "values", "yes"), check("Open cards", "open", "no"),
    make("button", { type: "button", "data-key": "empty", onclick: empty }, "Empty board"));
}

function empty() {
  const next = emptyBoard(board.rules, board.seats, board.piles.length);
  next.hands.forEach((hand, i) => { if (i) hand.hidden = 4; });
  board = next;
  active = "hand 0";
  changed();
}

function zone(key, name, cards, hidden, more = []) {
  const node = make("section", { class: `zone${active === key ? " active" : ""}`, "data-zone": key, "aria-label": name },
    make("div", { class: "zone-head" },
      make("button", { type: "button", class: "name", "data-key": `zone ${key}`, "aria-pressed": String(active === key), onclick: () => { active = key; draw(); } }, name), more),
    make("div", { class: "zone-cards" }, cards.map(placed), Array.from({ length: hidden }, () => { const back = picture("?"); back.className = "back"; return back; })));
  dropOn(node, key);
  return node;
}

function placed(card) {
  const take = () => { place(board, card, null); changed(); };
  const node = make("button", { type: "button", class: "card", draggable: "true", "data-key": `card ${card}`, "data-card": card, "aria-label": `${cardWords(card)}: back to the pack`, onclick: take }, picture(card));
  dragOf(node, card);
  return node;
}

function dragOf(node, card) {
  node.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", card));
}

function dropOn(node, key) {
  node.addEventListener("dragover", (event) => { event.preventDefault(); node.classList.add("over"); });
  node.addEventListener("dragleave", () => node.classList.remove("over"));
  node.addEventListener("drop", (event) => {
    event.preventDefault();
    const card = event.dataTransfer.getData("text/plain");
    if (PACK.includes(card)) { place(board, card, key); changed(); }
  });
}

function hiddenInput(key, one) {
  const box = make("input", { type: "number", min: 0, max: 52, value: one.hidden, "data-key": `hidden ${key}` });
  box.addEventListener("change", () => { one.hidden = Math.min(52, Math.max(0, Math.trunc(Number(box.value)) || 0)); changed(); });
  return make("label", {}, "hidden", box);
}

function felt() {
  const hands = board.hands.map((hand, i) => zone(`hand ${i}`, `Hand of ${board.seats[i]}${board.turn === board.seats[i] ? ", to play" : ""}`, hand.cards, hand.hidden, [hiddenInput(`hand ${i}`, hand)]));
  const builds = board.builds.map((build, i) => zone(`build ${i}`, `Build ${i + 1}`, build.cards, 0, buildTools(build, i)));
  const addBuild = () => {
    board.builds.push({ value: 9, owner: board.turn, multiple: false, cards: [] });
    active = `build ${board.builds.length - 1}`;
    changed();
  };
  const piles = board.piles.map((pile, i) => zone(`pile ${i}`, `Captured by ${board.piles.length === 2 && board.seats.length === 4 ? ["a + c", "b + d"][i] : board.seats[i]}`, pile.cards, 0, [hiddenInput(`pile ${i}`, pile)]));
  return make("div", { class: "board zones" }, hands.slice(1), zone("table", "Table", board.table, 0, [make("button", { type: "button", "data-key": "add-build", onclick: addBuild }, "New build")]), builds, hands[0],
    make("details", { open: active.startsWith("pile") }, make("summary", {}, "Captured cards"), make("div", { class: "zones" }, piles)));
}

function buildTools(build, i) {
  const value = make("input", { type: "number", min: 1, max: 14, value: build.value, "data-key": `value ${i}` });
  value.addEventListener("change", () => { build.value = Math.trunc(Number(value.value)) || 1; changed(); });
  const several = make("input", { type: "checkbox", checked: build.multiple, "data-key": `several ${i}` });
  several.addEventListener("change", () => { build.multiple = several.checked; changed(); });
  const remove = () => { board.builds.splice(i, 1); active = "table"; changed(); };
  return [make("label", {}, "value", value),
    make("label", {}, "of", select(`owner ${i}`, [...board.seats].map((seat) => [seat, seat]), build.owner, (seat) => { build.owner = seat; changed(); })),
    make("label", {}, several, "several groups"),
    make("button", { type: "button", "data-key": `remove ${i}`, onclick: remove }, "Remove")];
}

function pack() {
  const cards = PACK.map((card) => {
    const there = zoneOf(board, card);
    const put = () => { place(board, card, there && there.key === active ? null : active); changed(); };
    const node = make("button", { type: "button", class: `card${there ? " placed" : ""}`, draggable: "true", "data-key": `pack ${card}`, "data-pack": card, "aria-label": `${cardWords(card)}${there ? ", placed" : ""}`, onclick: put }, picture(card));
    dragOf(node, card);
    return node;
  });
  const node = make("section", { class: "card-box", "aria-label": "Pack" },
    make("p", { class: "soft small" }, "Press a card, and it goes to the framed place; or drag it there. Press a name to frame another place."),
    make("div", { class: "pack" }, [0, 13, 26, 39].map((from) => make("div", { class: "suit" }, cards.slice(from, from + 13)))));
  dropOn(node, null);
  return node;
}

function textPanel() {
  const area = make("textarea", { "data-key": "text", "aria-label": "Position line or record", spellcheck: "false" });
  area.value = source ? source.text : view ? view.line : "";
  const file = make("input", { type: "file", accept: ".txt,.json,text/plain", class: "for-ears", tabindex: -1, id: "file" });
  file.addEventListener("change", () => opened(file.files[0]));
  return make("section", { class: "card-box" },
    make("h2", {}, "As text"),
    area,
    make("div", { class: "row" },
      make("button", { type: "button", "data-key": "read", onclick: () => read(area.value) }, "Read the text"),
      make("button", { type: "button", "data-key": "file", onclick: () => file.click() }, "Open a file"), file,
      make("button", { type: "button", "data-key": "save", disabled: !view, onclick: () => download(source ? source.text : round) }, "Save"),
      source ? make("button", { type: "button", "data-key": "review", disabled: Boolean(reviewing && !reviewing.report), onclick: review }, reviewing?.words || "Review the game") : null,
      reviewing?.report ? make("a", { class: "button", href: reviewing.report, target: "_blank", "data-key": "report" }, "Open the review") : null));
}

async function opened(file) {
  if (!file) return;
  if (file.size > LONGEST) { toast("The file is too large for a game."); return; }
  await read(await file.text());
}

function download(text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text.trimEnd(), "\n"], { type: "text/plain" })), download: "casino.txt" });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function review() {
  const asked = source;
  reviewing = { words: "Reviewing …" };
  draw();
  try {
    await lines("/api/review", { text: asked.text }, (found) => {
      if (source !== asked) return;
      if (found.error) { reviewing = null; toast(found.error); }
      else if (found.report) { reviewing = { report: found.report }; say("The review is ready."); }
      else reviewing = { words: `Reviewing: ${found.made} of ${found.steps} steps` };
      draw();
    });
  } catch (error) { reviewing = null; toast(error.message); draw(); }
}

function status() {
  if (problem) return make("p", { class: "panel problem", role: "status" }, `Not a position yet: ${problem}`);
  if (!view) return make("p", { class: "panel" }, "No position yet.");
  const words = view.over ? "The round is over." : !view.known ? `Seat ${view.turn} is to play, and its hand is not known.` : `Seat ${view.turn} is to play; ${view.moves.length} plays, ${view.stock} cards in the stock.`;
  return make("section", { class: "panel", role: "status", "data-part": "status" }, make("p", {}, words),
    view.warnings.length ? make("ul", { class: "reasons" }, view.warnings.map((warning) => make("li", {}, warning))) : null);
}

function drawHolds() {
  const place = byId("holds");
  if (!place) return;
  const holds = Object.entries(values.found?.holds || {});
  place.replaceChildren(...(holds.length ? [make("section", { class: "panel" }, holds.map(([seat, cards]) => holdsTable(`seat ${seat}`, cards)))] : []));
}

function stepsPanel() {
  if (!source) return null;
  const at = source.plays.findIndex((play) => play.at === source.at);
  const go = (step) => { const next = source.plays[at + step]; if (next) read(source.text, next.at); };
  const list = make("ol", { class: "steps", "aria-label": "Plays" }, source.plays.map((play, i) => make("li", {},
    make("button", { type: "button", "data-key": `step ${play.at}`, "aria-current": i === at ? "true" : null, onclick: () => read(source.text, play.at) },
      coloured(play.end ? `End of round ${play.round}` : `${play.at.split(".")[1]}. ${play.words}`)))));
  queueMicrotask(() => list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }));
  return make("section", { class: "panel", "aria-label": "The game" }, make("h2", {}, "The game"),
    make("div", { class: "row" },
      make("button", { type: "button", "data-key": "back", disabled: at <= 0, onclick: () => go(-1) }, "‹ Before"),
      make("button", { type: "button", "data-key": "on", disabled: at >= source.plays.length - 1, onclick: () => go(1) }, "Next ›")),
    make("p", { class: "soft small" }, "The board shows the position before the play that is marked."), list, goOnRow());
}

// To play on from the position of a record, as the seat to play.
function goOnRow() {
  if (!view || view.over || !view.complete) return null;
  const usual = settings.get("opponent", opponents[Math.min(4, opponents.length - 1)].name);
  const names = opponents.map(({ name, title }) => [name, title]);
  const begin = async () => {
    try {
      const game = await post("/api/games", { record: source.text, at: source.at, opponent: settings.get("opponent", usual) });
      location.hash = `#/game/${game.id}`;
    } catch (error) { toast(error.message); }
  };
  return make("div", { class: "row" },
    labelled("Against", select("opponent", names, usual, (name) => settings.set("opponent", name))),
    make("button", { type: "button", "data-key": "go-on", onclick: begin }, `Play on as seat ${view.turn}`));
}

// Focus stays on the same thing when all is drawn anew.
function focusKey() {
  const at = document.activeElement;
  return at && byId("analysis").contains(at) ? at.dataset.key ?? null : null;
}

function refocus(key) {
  if (key) byId("analysis").querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
}
