// The analysis board.

import { byId, make } from "./dom.js";

export async function openAnalysis() {
  byId("analysis").replaceChildren(make("p", { class: "card-box" }, "The analysis board comes soon."));
}
