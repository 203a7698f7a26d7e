// The trainer of puzzles: positions with a solution, repeated after Leitner: a puzzle solved goes one box up and waits
// longer; one failed goes back to the first. The boxes live in the browser's storage, or in memory where there is none.

import { createBoard } from "./board.js";
import { announcer, button, el } from "./dom.js";
import { findMove, findUci, parseFen, play, san, toFen } from "./rules.js";
import { numberedLine, sideName } from "./text.js";

const DAY = 24 * 60 * 60 * 1000;

/** Days that a puzzle waits in each box. */
export const WAITS = [0, 1, 3, 7, 21];

/** The boxes of puzzles by their ids. `storage` is like `localStorage`; it may be null or refuse. */
export function createBoxes(storage, key = "bartizan-puzzles", now = Date.now) {
  let boxes = {};
  try {
    const stored = JSON.parse(storage?.getItem(key) ?? "{}");
    if (stored !== null && typeof stored === "object" && !Array.isArray(stored)) boxes = stored;
  } catch {
    // A page without storage, or a text that another program stored: begin anew.
  }
  const entry = (id) => {
    const { box = 0, due = 0 } = Object.hasOwn(boxes, id) ? boxes[id] : {};
    return { box: Math.max(0, Math.min(WAITS.length, Number(box) || 0)), due: Number(due) || 0 };
  };
  return {
    /** 0 for a puzzle never tried, then 1 to 5. */
    box: (id) => entry(id).box,
    isDue: (id) => entry(id).due <= now(),
    record(id, isSolved) {
      const box = isSolved ? Math.min(entry(id).box + 1, WAITS.length) : 1;
      const wait = isSolved ? WAITS[box - 1] : 0;
      boxes[id] = { box, due: now() + wait * DAY };
      try {
        storage?.setItem(key, JSON.stringify(boxes));
      } catch {
        // Kept for this visit only.
      }
    },
    /** The puzzle to try next: one that is due, from the lowest box that was begun, else a new one. Not `except`. */
    next(puzzles, except) {
      const due = puzzles.filter(({ id }) => id !== except && entry(id).due <= now());
      const order = ({ id }) => entry(id).box || 1.5;
      return due.reduce((best, puzzle) => (best && order(best) <= order(puzzle) ? best : puzzle), undefined);
    },
  };
}

/** The storage of the browser, or null. */
export function browserStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/**
 * What a try does: "wrong", "right" (with the opponent's reply, if any) or "solved". A move that mates is always
 * right.
 */
export function tryMove(puzzle, index, position, move) {
  const after = play(position, move);
  const isMate = san(position, move).endsWith("#");
  const expected = findUci(position, puzzle.moves[index]);
  if (!isMate && expected?.uci !== move.uci) return { outcome: "wrong", position: after };
  const reply = isMate ? undefined : puzzle.moves[index + 1] && findUci(after, puzzle.moves[index + 1]);
  if (!reply) return { outcome: "solved", position: after };
  return { outcome: puzzle.moves[index + 2] ? "right" : "solved", position: play(after, reply), reply };
}

/**
 * Puts a trainer into an element. A puzzle has an `id`, a `fen`, `moves` in coordinate notation that begin with the
 * solver's, `themes`, and a `source` in words.
 */
export function createTrainer(root, puzzles, { storage = browserStorage(), now = Date.now, hash = "" } = {}) {
  const boxes = createBoxes(storage, undefined, now);
  const host = el("div", { class: "board" });
  const card = el("div", { class: "card" });
  const themes = [...new Set(puzzles.flatMap((puzzle) => puzzle.themes))].sort();
  const choice = el("select", { onchange: () => next() },
    el("option", { value: "" }, "All themes"), ...themes.map((theme) => el("option", { value: theme }, theme)));
  const status = el("p", { class: "muted" });
  root.replaceChildren(
    el("div", { class: "play" },
      el("div", { class: "board-column" }, host),
      el("div", { class: "side" }, card, status,
        // A theme says what to look for: who does not want to know leaves this closed.
        themes.length > 0 && el("details", {}, el("summary", {}, "Choose a theme (a hint at what to look for)"),
          el("p", {}, el("label", {}, "Theme ", choice))))),
  );
  const board = createBoard(host);
  const announce = announcer(root);
  let current = null;

  const chosen = () => puzzles.filter(({ themes }) => choice.value === "" || themes.includes(choice.value));

  function count() {
    const all = chosen();
    const due = all.filter(({ id }) => boxes.isDue(id)).length;
    const known = all.filter(({ id }) => boxes.box(id) >= WAITS.length).length;
    status.textContent = `${all.length} ${all.length === 1 ? "puzzle" : "puzzles"}, ${due} due, ${known} known.`
      + (storage ? "" : " This browser does not keep results for later.");
  }

  function next(except) {
    const all = chosen();
    const puzzle = boxes.next(all, except);
    if (puzzle) return start(puzzle);
    count();
    current = null;
    board.rest();
    const last = all.find(({ id }) => id === except);
    const others = all.filter(({ id }) => id !== except);
    const sentence = last ? "No other puzzle is due." : "Nothing is due.";
    card.replaceChildren(
      el("p", { class: "card-title" }, sentence),
      others.length > 0 ? el("p", {}, `${last ? "The others wait" : "Every puzzle waits"} for a later day.`) : "",
      el("p", { class: "buttons" },
        last && button("Again", () => start(last)),
        others.length > 0
          && button("Practise anyway", () => start(others[Math.floor(Math.random() * others.length)]))),
    );
    announce(sentence);
  }

  function start(puzzle) {
    const position = parseFen(puzzle.fen);
    current = { puzzle, position, index: 0, failed: 0, isRecorded: false };
    board.turnTo(position.turn);
    ask(`${sideName(position.turn)} to move.`, null);
    count();
  }

  function record(isSolved) {
    if (current.isRecorded) return;
    current.isRecorded = true;
    boxes.record(current.puzzle.id, isSolved);
    count();
  }

  function ask(sentence, lastMove) {
    const { puzzle, position } = current;
    board.show(toFen(position), { lastMove, label: sentence });
    board.ask(answer);
    const field = el("input", {
      type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", size: 8, "aria-label": "Your move",
    });
    const problem = el("p", { class: "problem", role: "alert" });
    const submit = (event) => {
      event.preventDefault();
      const move = findMove(position, field.value);
      if (move) answer(move);
      else problem.textContent = `“${field.value}” is not a legal move here.`;
    };
    card.replaceChildren(
      el("p", { class: "card-title" }, sentence),
      el("p", {}, "Find the best move."),
      el("form", { class: "answer", onsubmit: submit }, field, el("button", { type: "submit" }, "Play")),
      problem,
      el("p", { class: "buttons" }, button("Show the solution", giveUp), button("Skip", () => next(puzzle.id))),
    );
    announce(sentence);
  }

  function answer(move) {
    const { puzzle, position, index } = current;
    const name = san(position, move);
    const result = tryMove(puzzle, index, position, move);
    if (result.outcome === "wrong") {
      record(false);
      current.failed += 1;
      return ask(`${name} is not the move. Try again.`, null);
    }
    current.position = result.position;
    current.index = index + 2;
    const last = result.reply ?? move;
    if (result.outcome === "solved") {
      record(current.failed === 0);
      return finish(solvedText(current.failed), [last.from, last.to]);
    }
    ask(`${name} is right. Continue.`, [last.from, last.to]);
  }

  function giveUp() {
    record(false);
    const { puzzle } = current;
    let position = parseFen(puzzle.fen);
    let last = null;
    for (const uci of puzzle.moves) {
      const move = findUci(position, uci);
      if (!move) break;
      last = [move.from, move.to];
      position = play(position, move);
    }
    current.position = position;
    finish("The solution:", last);
  }

  function finish(sentence, lastMove) {
    const { puzzle, position } = current;
    board.show(toFen(position), { lastMove, label: sentence });
    card.replaceChildren(
      ...[
        el("p", { class: "card-title" }, sentence),
        el("p", {}, solutionText(puzzle)),
        puzzle.themes.length > 0 && el("p", {}, ...puzzle.themes.map((theme) => el("span", { class: "chip" }, theme))),
        puzzle.source && el("p", { class: "muted" }, puzzle.source),
        el("p", { class: "buttons" }, button("Next puzzle", () => next(puzzle.id), { class: "primary" }),
          button("Again", () => start(puzzle))),
      ].filter(Boolean),
    );
    card.querySelector("button").focus({ preventScroll: true });
    announce(`${sentence} ${solutionText(puzzle)}`);
  }

  const asked = puzzles.find(({ id }) => hash === `#${id}`);
  if (asked) start(asked);
  else next();
  return { current: () => current?.puzzle, start };
}

/** How a puzzle was solved after a number of wrong moves. */
export function solvedText(failed) {
  const number = ["", "second", "third", "fourth", "fifth"][failed];
  if (failed === 0) return "Solved.";
  return number ? `Solved at the ${number} try.` : `Solved after ${failed} wrong tries.`;
}

/** The solution of a puzzle in algebraic notation. */
export function solutionText(puzzle) {
  let position = parseFen(puzzle.fen);
  const line = [];
  for (const uci of puzzle.moves) {
    const move = findUci(position, uci);
    if (!move) break;
    line.push({ san: san(position, move), uci });
    position = play(position, move);
  }
  return numberedLine(puzzle.fen, line).map(({ text }) => text).join(" ");
}
