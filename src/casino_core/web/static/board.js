// The board of the analysis: cards in zones, which are set up by pressing or by dragging.

const SUITS = "shdc";
const RANKS = "A23456789TJQK";

export const PACK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

export function emptyBoard(rules = "standard", seats = "ab", sides = 2) {
  return {
    rules,
    seats,
    table: [],
    builds: [],
    hands: [...seats].map(() => ({ cards: [], hidden: 0 })),
    piles: Array.from({ length: sides }, () => ({ cards: [], hidden: 0 })),
    turn: "a",
    last: null,
    stock: null, // null: as many whole deals as are left
  };
}

// The board of a position that the server has sent.
export function boardOf(view) {
  const seats = Object.keys(view.hands).join("");
  const split = (names) => ({ cards: names.filter((name) => name !== "?"), hidden: names.filter((name) => name === "?").length });
  return {
    rules: view.rules,
    seats,
    table: [...view.table],
    builds: view.builds.map((build) => ({ ...build, cards: [...build.cards] })),
    hands: [...seats].map((seat) => split(view.hands[seat])),
    piles: view.piles.map((text) => split(text === "-" ? [] : text.match(/\?|[A2-9TJQK][shdc]/g) || [])),
    turn: view.turn,
    last: view.last,
    stock: view.stock,
  };
}

export function zones(board) {
  return [
    { key: "table", cards: board.table },
    ...board.builds.map((build, i) => ({ key: `build ${i}`, cards: build.cards })),
    ...board.hands.map((hand, i) => ({ key: `hand ${i}`, cards: hand.cards })),
    ...board.piles.map((pile, i) => ({ key: `pile ${i}`, cards: pile.cards })),
  ];
}

export function zoneOf(board, card) {
  return zones(board).find((zone) => zone.cards.includes(card));
}

// Put a card into a zone, or back into the pack.
export function place(board, card, key) {
  const from = zoneOf(board, card);
  if (from) from.cards.splice(from.cards.indexOf(card), 1);
  const to = zones(board).find((zone) => zone.key === key);
  if (!to) return;
  const hand = key.startsWith("hand ") ? board.hands[Number(key.slice(5))] : null;
  if (hand && hand.hidden > 0) hand.hidden -= 1; // a hidden card becomes known
  to.cards.push(card);
}

function known(board) {
  const hidden = [...board.hands, ...board.piles].reduce((sum, one) => sum + one.hidden, 0);
  return hidden + zones(board).reduce((sum, zone) => sum + zone.cards.length, 0);
}

// The stock if nothing else is said: the whole deals that fit.
function stockOf(board) {
  if (board.stock !== null) return board.stock;
  const left = Math.max(0, 52 - known(board));
  const deal = /draw/.test(board.rules) ? 1 : 4 * board.seats.length;
  return left - (left % deal);
}

// What the server needs to know of a board.
export function fieldsOf(board) {
  const text = (one) => one.cards.join("") + "?".repeat(one.hidden);
  return {
    rules: board.rules,
    table: board.table.join(""),
    builds: board.builds.filter((build) => build.cards.length).map(({ value, owner, multiple, cards }) => ({ value, owner, multiple: Boolean(multiple), cards: cards.join("") })),
    hands: board.hands.map(text),
    piles: board.piles.map(text),
    turn: board.turn,
    last: board.last,
    stock: stockOf(board),
  };
}
