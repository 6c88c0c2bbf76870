"use strict";
// Steps through the plays: one is open at a time, arrow keys and buttons go on, the plots follow.
(() => {
  const plays = [...document.querySelectorAll("li.play")];
  const details = (play) => play.querySelector("details");
  const summary = (play) => play.querySelector("summary");
  const roundOf = (play) => play.id.split("-")[0];
  const isOpen = (play) => details(play).open;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

  function cursor(play) {
    for (const line of document.querySelectorAll(`[data-round="${roundOf(play)}"] .cursor`)) {
      const plot = line.ownerSVGElement.dataset;
      const x = Number(plot.left) + Number(plot.step) * Number(play.dataset.at);
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      line.classList.add("on");
    }
  }

  // Scrolls the list only, or the page where the list has no height of its own.
  function bringIntoView(play) {
    const list = play.closest(".list");
    if (list.scrollHeight > list.clientHeight + 1) {
      const gap = play.getBoundingClientRect().top - list.getBoundingClientRect().top;
      const below = gap + play.offsetHeight - list.clientHeight;
      if (gap < 0) list.scrollTop += gap;
      else if (below > 0) list.scrollTop += below;
    }
  }

  function open(play, { focus = false, scroll = false } = {}) {
    for (const other of plays) {
      if (other !== play && isOpen(other) && roundOf(other) === roundOf(play)) {
        details(other).open = false;
      }
    }
    details(play).open = true;
    cursor(play);
    if (focus) summary(play).focus({ preventScroll: true });
    bringIntoView(play);
    if (scroll) play.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  }

  // The play to go on from: that with the focus, or the one that is open in the round.
  function current(round) {
    const focused = document.activeElement.closest("li.play");
    if (focused && (!round || roundOf(focused) === round)) return focused;
    return plays.find((play) => isOpen(play) && (!round || roundOf(play) === round));
  }

  const isFault = (play) => /inaccuracy|mistake|blunder/.test(play.className);

  function go(how, round, focus) {
    const own = plays.filter((play) => !round || roundOf(play) === round);
    const at = own.indexOf(current(round));
    let target;
    if (how === "first") target = own[0];
    else if (how === "last") target = own.at(-1);
    else if (how === "fault") {
      target = own.find((play, place) => place > at && isFault(play)) ?? own.find(isFault);
    } else target = own[at + how];
    if (target) open(target, { focus, scroll: true });
  }

  const KEYS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: "first", End: "last" };

  addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.altKey || event.ctrlKey || event.metaKey) return;
    const play = event.target.closest?.("li.play");
    const button = event.target.closest?.("[data-go]");
    if (!play && !button) return;
    event.preventDefault();
    go(KEYS[event.key], play ? roundOf(play) : roundOfBar(button), Boolean(play));
  });

  function roundOfBar(element) {
    return element.closest("section").id.split("-")[0];
  }

  for (const bar of document.querySelectorAll(".toolbar")) {
    bar.hidden = false;
    bar.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      if (!button) return;
      const how = button.dataset.go;
      go(how === "fault" ? how : Number(how), roundOfBar(button), false);
    });
  }

  for (const box of document.querySelectorAll("[data-veil]")) {
    box.addEventListener("change", () => {
      box.closest("section").querySelector(".plays").classList.toggle("cc-all", box.checked);
    });
  }

  for (const play of plays) {
    summary(play).addEventListener("click", (event) => {
      const list = play.closest(".list");
      const beside = list.scrollHeight > list.clientHeight + 1; // its panel stands beside the list
      if (isOpen(play) && !beside) return;
      event.preventDefault();
      open(play);
    });
    details(play).addEventListener("toggle", () => {
      if (isOpen(play)) open(play);
    });
    if (isOpen(play)) cursor(play);
  }

  for (const column of document.querySelectorAll(".column")) {
    column.addEventListener("click", () => {
      const round = column.closest("[data-round]").dataset.round;
      const play = document.getElementById(`${round}-p${column.dataset.at}`);
      if (play) open(play);
    });
  }

  function follow() {
    const play = document.getElementById(location.hash.slice(1));
    if (play?.matches("li.play")) open(play, { focus: true, scroll: true });
  }
  addEventListener("hashchange", follow);
  follow();
  for (const play of plays) if (isOpen(play)) bringIntoView(play);
})();
