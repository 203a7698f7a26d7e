// Makes the pages of reports interactive. Without it they are complete; it adds what a reader can do.

import { copyButton } from "./copy.js";
import { button } from "./dom.js";
import { createQuiz } from "./quiz.js";
import { createTrainer } from "./trainer.js";
import { createViewer } from "./viewer.js";

/** Makes the markup of a game interactive; returns its viewer. Its questions begin with those of `side`. */
export function enhanceGame(root, game, { side = "w" } = {}) {
  const viewer = createViewer(root, game);
  const quiz = createQuiz(viewer, side);
  if (quiz.count > 0) {
    root.querySelector("[data-quiz]")?.append(
      button(`What would you play here? (${quiz.count})`, () => quiz.ask(0), { class: "primary" }),
    );
    for (const place of root.querySelectorAll("[data-try]")) {
      const index = quiz.plies.indexOf(Number(place.dataset.try));
      if (index >= 0) place.append(button("Try it yourself", () => quiz.ask(index)));
    }
  }
  root.querySelector("[data-copy-pgn]")?.append(copyButton("Copy PGN", () => game.pgn));
  viewer.show(0);
  return viewer;
}

/** Starts the games of a page. They become interactive when they are first shown. */
function start() {
  const text = document.getElementById("report-data")?.textContent;
  if (!text) return;
  const data = JSON.parse(text);
  const trainer = document.querySelector("[data-trainer]");
  if (trainer) createTrainer(trainer, data.puzzles, { hash: location.hash });
  const roots = [...document.querySelectorAll("[data-game]")];
  if (roots.length === 0) return;
  document.documentElement.classList.add("js");
  const viewers = new Map();
  const index = document.querySelector("[data-index]");
  let shown = null;

  /** Shows the game of the address, or the first page. */
  function route() {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    const root = target?.closest("[data-game]") ?? (index ? null : roots[0]);
    // Another place of the page, such as that of the skip link.
    if (target && !root && shown && !index.contains(target)) return;
    if (index) {
      index.hidden = root !== null;
      roots.forEach((each) => {
        each.hidden = each !== root;
      });
    }
    shown = root;
    if (root && !viewers.has(root)) viewers.set(root, enhanceGame(root, data.games[Number(root.dataset.game)]));
    target?.scrollIntoView();
  }

  addEventListener("hashchange", route);
  // Everything is printed.
  addEventListener("beforeprint", () => [index, ...roots].forEach((part) => part?.removeAttribute("hidden")));
  addEventListener("afterprint", route);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest?.("input, textarea, select, [role=grid]")) return;
    if (viewers.get(shown)?.onKey(event.key)) event.preventDefault();
  });
  route();
}

start();
