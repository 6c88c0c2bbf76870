// Elements of the page, cards among them.

const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };

export function make(tag, fields = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== false));
  return node;
}

export const byId = (id) => document.getElementById(id);

export function cardWords(name) {
  return name === "?" ? "hidden card" : `${RANKS[name[0]] || name[0]} of ${SUITS[name[1]]}`;
}

export function cardSign(name) {
  return name[0].replace("T", "10") + SIGNS[name[1]];
}

export function picture(name, covered = false) {
  const file = name === "?" ? "back" : name + (covered ? "-covered" : "");
  return make("img", { src: `/cards/${file}.svg`, alt: "", width: 38, height: 52, draggable: "false" });
}

// A text in which the red suits are red.
export function coloured(text) {
  return text.split(/((?:10|[A2-9JQK])[♥♦])/u).map((part, i) =>
    i % 2 ? make("span", { class: "red" }, part) : part);
}

export function say(text) {
  const place = byId("said");
  place.textContent = "";
  requestAnimationFrame(() => { place.textContent = text; });
}

let hiding;
export function toast(text) {
  const place = byId("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { place.hidden = true; }, 4000 + 40 * text.length);
}

export function hideToast() {
  byId("toast").hidden = true;
}

export const settings = {
  get(name, usual) { return localStorage.getItem(`casino.${name}`) ?? usual; },
  set(name, value) { localStorage.setItem(`casino.${name}`, value); },
};

export function names(cards) {
  return cards.map(cardWords).join(", ");
}
