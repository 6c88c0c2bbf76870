// The parts of the page: which one is shown follows from the address.

import { byId, settings, toast } from "./dom.js";
import { leaveGame, newGame, openGame } from "./play.js";

let leaveAnalysis = null; // set when the analysis has been opened
const PARTS = ["new", "game", "analysis"];

function show(part) {
  for (const id of PARTS) byId(id).hidden = id !== part;
  for (const link of document.querySelectorAll("nav a[data-part]")) {
    const current = (link.dataset.part === "analysis") === (part === "analysis");
    if (current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

async function route() {
  const [part, id] = location.hash.replace(/^#\//, "").split("/");
  leaveGame();
  if (leaveAnalysis) leaveAnalysis();
  try {
    if (part === "analysis") {
      show("analysis");
      const analysis = await import("./analysis.js");
      leaveAnalysis = analysis.leaveAnalysis;
      await analysis.openAnalysis(decodeURIComponent(id || ""));
    } else if (part === "game" && id) {
      show("game");
      await openGame(id);
    } else {
      show("new");
      await newGame();
    }
  } catch (error) {
    toast(error.message);
    if (part === "game") { settings.set("game", ""); location.hash = "#/new"; }
  }
}

function help() {
  const dialog = byId("help");
  byId("help-open").addEventListener("click", () => dialog.showModal());
  for (const [id, name] of [["keys-on", "keys"], ["slow-on", "slow"]]) {
    byId(id).checked = settings.get(name, "yes") === "yes";
    byId(id).addEventListener("change", () => settings.set(name, byId(id).checked ? "yes" : "no"));
  }
}

// The tab "Play" leads back to the game in progress.
for (const link of document.querySelectorAll('nav a[data-part="play"]')) {
  link.addEventListener("click", (event) => {
    const game = settings.get("game", "");
    if (game) { event.preventDefault(); location.hash = `#/game/${game}`; }
  });
}
window.addEventListener("hashchange", route);
help();
route();
