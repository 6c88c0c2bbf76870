// The table: other players, loose cards, builds, the own hand.

import { cardWords, make, names, picture } from "./dom.js";

function count(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

export function pileWords(side) {
  const parts = [count(side.cards, "card"), count(side.spades, "spade")];
  if (side.big) parts.push("10♦");
  if (side.little) parts.push("2♠");
  if (side.aces) parts.push(`${side.aces} for aces`);
  if (side.sweeps) parts.push(count(side.sweeps, "sweep"));
  return parts.join(" · ");
}

export function sideOf(state, seat) {
  return state.sides.find((side) => side.seats.includes(seat));
}

export function seatLine(state, seat) {
  const hand = state.hands[seat];
  const toPlay = state.turn === seat && !state.over;
  return make("div", { class: "seat", "data-seat": seat },
    make("span", { class: `seat-name${toPlay ? " to-play" : ""}` }, state.names[seat]),
    make("span", { class: "backs", role: "img", "aria-label": count(hand.length, "card") + " in hand" },
      hand.map((name) => picture(name))),
    make("span", { class: "pile" }, pileWords(sideOf(state, seat))));
}

// `marks` says of a card which classes it has; `press` is called with what was pressed.
export function feltOf(state, marks, press) {
  const felt = make("div", { class: "felt", role: "group", "aria-label": "Table" });
  for (const name of state.table) {
    felt.append(cardButton(name, marks(name), press && (() => press({ loose: name }))));
  }
  state.builds.forEach((build, number) => {
    felt.append(buildButton(state, build, marks(`build ${number}`), press && (() => press({ build: number }))));
  });
  if (!felt.childNodes.length) felt.append(make("span", { class: "none" }, state.over ? "The round is over." : "The table is empty."));
  return felt;
}

export function cardButton(name, classes, press, more = {}) {
  return make("button", {
    type: "button",
    class: ["card", ...classes].join(" "),
    "data-card": name,
    "aria-label": cardWords(name) + spoken(classes),
    "aria-pressed": press ? String(classes.includes("chosen")) : null,
    disabled: !press,
    onclick: press || null,
    ...more,
  }, picture(name));
}

function spoken(classes) {
  if (classes.includes("taken")) return ", taken";
  if (classes.includes("idle")) return ", cannot be played now";
  if (classes.includes("played")) return ", just played";
  return classes.includes("fits") ? ", can be chosen" : "";
}

function buildButton(state, build, classes, press) {
  const owner = state.names[build.owner] === "You" ? "yours" : state.names[build.owner];
  const label = `${build.value}${build.multiple ? " ×" : ""} · ${owner}`;
  return make("button", {
    type: "button",
    class: ["card", "build", ...classes].join(" "),
    "data-build": build.value + build.owner,
    "aria-label": `build of ${build.value}, ${owner}${build.multiple ? ", several groups" : ""}: ${names(build.cards)}${spoken(classes)}`,
    "aria-pressed": press ? String(classes.includes("chosen")) : null,
    disabled: !press,
    onclick: press || null,
  },
  make("span", { class: "label" }, label),
  make("span", { class: "fan" }, build.cards.map((name, i) => picture(name, i < build.cards.length - 1))));
}
