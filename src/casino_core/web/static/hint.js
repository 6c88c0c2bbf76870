// Hints as bars over the plays, better as time goes by.

import { lines } from "./api.js";
import { coloured, make, say, toast } from "./dom.js";

const FIRST = 8; // plays shown before "all"

const NOTE = "Expected points of the round, yours minus the others'; the line on a bar is its standard error. Press a play to choose its cards.";

const NOTE_OF_MATCH = "Chance to win the match; the line on a bar is its standard error. Press a play to choose its cards.";

const percent = (value) => (100 * value).toFixed(1);
const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "±") + Math.abs(value).toFixed(2);

export class HintPanel {
  // `pick` is called with the text of a play that is pressed.
  constructor(pick) {
    this.pick = pick;
    this.found = null;
    this.all = false;
    this.stopping = null;
    this.items = new Map();
    this.list = make("ol", { class: "bars" });
    this.element = make("section", { class: "panel hint", "aria-label": "Hint", hidden: true });
  }

  // Ask, and draw what comes until it is done.
  async ask(path, fields, { title = "Hint", quiet = false, note = NOTE } = {}) {
    this.stop();
    const stopping = new AbortController();
    this.stopping = stopping;
    this.title = title;
    this.note = note;
    this.found = null;
    this.items.clear();
    this.element.hidden = false;
    this.draw("Thinking …");
    try {
      await lines(path, fields, (found) => {
        if (this.stopping !== stopping) return;
        if (found.error) {
          if (quiet) this.draw(found.error);
          else { this.close(); toast(found.error); }
          return;
        }
        this.found = found;
        this.draw(found.done ? "" : "Thinking …");
        if (found.done && !quiet) say(this.words());
      }, stopping.signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (quiet) this.draw(error.message);
      else { this.close(); toast(error.message); }
    }
  }

  stop() {
    if (this.stopping) this.stopping.abort();
    this.stopping = null;
  }

  close() {
    this.stop();
    this.found = null;
    this.element.hidden = true;
  }

  // Whether the values are chances to win the match.
  get ofMatch() { return this.found?.objective === "match"; }

  words() {
    const best = this.found.moves[0];
    const worth = this.ofMatch ? `${percent(best.value)} percent to win the match` : `${signed(best.value)} points`;
    return `Best: ${best.words}, ${worth}. ${this.found.reasons.join(". ")}`;
  }

  draw(state) {
    const found = this.found;
    const focused = document.activeElement;
    const heads = [make("h2", {}, this.title), make("button", { type: "button", class: "quiet", "aria-label": "Close the hint", onclick: () => this.close() }, "×")];
    const parts = [make("div", { class: "row between" }, heads)];
    if (found) {
      this.drawBars(found.moves.slice(0, this.all ? undefined : FIRST), found.moves);
      parts.push(this.list);
      if (!this.all && found.moves.length > FIRST) {
        parts.push(make("button", { type: "button", class: "quiet", onclick: () => { this.all = true; this.draw(state); } }, `All ${found.count} plays`));
      }
      if (found.reasons.length) parts.push(make("ul", { class: "reasons" }, found.reasons.map((reason) => make("li", {}, reason))));
    }
    const how = !found ? state : found.exact ? "Exact." : `From ${found.samples} possible deals in ${found.seconds.toFixed(1)} s. ${state}`;
    parts.push(make("p", { class: "soft" }, how));
    if (found) parts.push(make("p", { class: "soft small" }, this.ofMatch ? NOTE_OF_MATCH : this.note));
    this.element.replaceChildren(...parts);
    if (focused !== document.activeElement && this.element.contains(focused)) focused.focus({ preventScroll: true });
  }

  // The bars stay where they are if the order of the plays does, so that they can be pressed.
  drawBars(shown, all) {
    const low = Math.min(...all.map((move) => move.value - move.stderr));
    const high = Math.max(...all.map((move) => move.value + move.stderr));
    const width = Math.max(high - low, this.ofMatch ? 0.01 : 0.5);
    const worth = this.ofMatch ? (move) => [`${percent(move.value)} %`, percent(move.stderr)] : (move) => [signed(move.value), move.stderr.toFixed(2)];
    const share = (value) => `${(4 + 96 * (value - low) / width).toFixed(2)}%`;
    const nodes = shown.map((move, place) => {
      if (!this.items.has(move.text)) this.items.set(move.text, this.bar(move));
      const item = this.items.get(move.text);
      const [value, fill, error] = ["value", "fill", "error"].map((name) => item.querySelector(`.${name}`));
      item.className = place === 0 ? "best" : "";
      value.textContent = move.stderr ? worth(move).join(" ± ") : worth(move)[0];
      fill.style.width = share(move.value);
      error.style.left = share(move.value - move.stderr);
      error.style.width = `${(96 * 2 * move.stderr / width).toFixed(2)}%`;
      return item;
    });
    const now = [...this.list.children];
    if (now.length !== nodes.length || now.some((node, i) => node !== nodes[i])) this.list.replaceChildren(...nodes);
  }

  bar(move) {
    return make("li", {},
      make("button", { type: "button", "data-hint": move.text, onclick: () => this.pick && this.pick(move.text) },
        make("span", { class: "what" }, coloured(move.words)), make("span", { class: "value" })),
      make("span", { class: "track", "aria-hidden": "true" }, make("span", { class: "fill" }), make("span", { class: "error" })));
  }
}

// What a hidden hand may hold: a grid of the pack.
const RANKS = [..."A23456789TJQK"];
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

export function holdsTable(name, cards) {
  const head = make("tr", {}, make("td", {}), RANKS.map((rank) => make("th", { scope: "col" }, rank === "T" ? "10" : rank)));
  const rows = Object.entries(SIGNS).map(([suit, sign]) => make("tr", {},
    make("th", { scope: "row", class: "hd".includes(suit) ? "red" : null }, sign),
    RANKS.map((rank) => {
      const share = cards[rank + suit] || 0;
      const cell = make("td", {}, share ? String(Math.round(100 * share)) : "·");
      cell.style.setProperty("--share", share.toFixed(3));
      return cell;
    })));
  return make("table", { class: "holds" }, make("caption", {}, `What ${name} may hold, in percent`),
    make("thead", {}, head), make("tbody", {}, rows));
}
