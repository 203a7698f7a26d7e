// "What would you play here?": the reader answers with any legal move, whose value is in the page.

import { button, el } from "./dom.js";
import { findMove, findUci, parseFen, san } from "./rules.js";
import {
  CLASSES, classOfLoss, fenBefore, formatPercent, moveLabel, moverOf, numberedLine, scoreFor, sideName,
} from "./text.js";
import { squaresOf } from "./viewer.js";

/**
 * Judges an answer at a critical moment: its expected score for the side to move, the best one, what it loses, its
 * class. Undefined if the moment has no value for it.
 */
export function judge(game, moment, uci) {
  const position = parseFen(fenBefore(game, moment.ply));
  const side = position.turn;
  const scores = new Map();
  for (const [name, value] of Object.entries(moment.values)) {
    const move = findUci(position, name);
    if (move) scores.set(move.uci, scoreFor(side, value));
  }
  const move = findUci(position, uci);
  if (!move || !scores.has(move.uci)) return undefined;
  const ranked = [...scores].sort((a, b) => b[1] - a[1]);
  // The values are less exact than the line of the page, whose move is the best one unless they contradict it.
  const choice = findUci(position, game.moves[moment.ply - 1].bestLine?.[0]?.uci)?.uci;
  const best = scores.get(choice) >= ranked[0][1] - 2 ? choice : ranked[0][0];
  const score = scores.get(move.uci);
  const loss = Math.max(0, scores.get(best) - score);
  return {
    uci: move.uci, san: san(position, move), score, loss, class: classOfLoss(loss), side,
    rank: 1 + ranked.filter(([, other]) => other > score).length, of: ranked.length,
    best: { uci: best, san: san(position, findUci(position, best)), score: scores.get(best) },
    played: scoreOfPlayed(game, moment, scores, position),
  };
}

function scoreOfPlayed(game, moment, scores, position) {
  const played = game.moves[moment.ply - 1];
  const move = findUci(position, played.uci);
  const score = move && scores.get(move.uci);
  return { uci: move?.uci, san: played.san, score: score ?? scoreFor(position.turn, played.win ?? 50) };
}

/** The judgement in a sentence. */
export function verdict(result) {
  if (result.uci === result.best.uci) return `${result.san} is the best move.`;
  if (result.class === "best") return `${result.san} is as good as the best move.`;
  const points = Math.round(result.loss);
  const lost = `gives away ${points} ${points === 1 ? "point" : "points"} of expected score`;
  if (result.class === "good") return `${result.san} is good: it ${lost} at most.`;
  const article = result.class === "inaccuracy" ? "an" : "a";
  return `${result.san} is ${article} ${CLASSES[result.class].name}: it ${lost}.`;
}

/** The critical moments of a game that can be asked for: those of a side first, each side's in the game's order. */
export function questionsOf(game, side) {
  const moments = game.critical.filter(({ values }) => Object.keys(values).length > 0);
  const isOwn = ({ ply }) => moverOf(game, ply) === side;
  return [...moments.filter(isOwn), ...moments.filter((moment) => !isOwn(moment))];
}

/** Lets the viewer of a game ask for its critical moments; returns a function that asks for one. */
export function createQuiz(viewer, side = "w") {
  const { game, card, board } = viewer;
  const moments = questionsOf(game, side);

  function ask(index) {
    const moment = moments[index];
    const fen = fenBefore(game, moment.ply);
    viewer.beginQuiz(moment.ply);
    const previous = game.moves[moment.ply - 2];
    board.show(fen, {
      lastMove: previous ? squaresOf(fenBefore(game, moment.ply - 1), previous.uci) : null,
      label: "What would you play here?",
    });
    const field = el("input", {
      type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", size: 8, "aria-label": "Your move",
      placeholder: "e.g. Nf3",
    });
    const problem = el("p", { class: "problem", role: "alert" });
    const submit = (event) => {
      event.preventDefault();
      const move = findMove(parseFen(fen), field.value);
      if (move) answer(index, move);
      else problem.textContent = `“${field.value}” is not a legal move here.`;
    };
    const title = el("p", { class: "card-title", tabindex: "-1" }, "What would you play here?");
    const mover = moverOf(game, moment.ply);
    const others = moments.findIndex(({ ply }) => moverOf(game, ply) !== mover);
    card.replaceChildren(
      title,
      el("p", {}, `${sideName(mover)} to move, position ${index + 1} of ${moments.length}. `
        + "Move a piece on the board, or type a move."),
      el("form", { class: "answer", onsubmit: submit }, field, el("button", { type: "submit" }, "Play")),
      problem,
      el("p", { class: "buttons" },
        button("Show the answer", () => reveal(index)),
        others >= 0 && button(`Questions for ${sideName(mover === "w" ? "b" : "w")}`, () => ask(others)),
        button("Back to the game", () => viewer.show(moment.ply))),
    );
    board.ask((move) => answer(index, move));
    viewer.reveal();
    title.focus({ preventScroll: true });
  }

  function answer(index, move) {
    const moment = moments[index];
    const result = judge(game, moment, move.uci);
    if (!result) return ask(index);
    finish(index, result, verdict(result));
  }

  function reveal(index) {
    const moment = moments[index];
    const best = Object.keys(moment.values)[0];
    const result = judge(game, moment, best);
    finish(index, result && { ...result, uci: null }, result ? `The best move is ${result.best.san}.` : "");
  }

  function finish(index, result, sentence) {
    const moment = moments[index];
    const { ply } = moment;
    const fen = fenBefore(game, ply);
    const move = game.moves[ply - 1];
    const arrows = [];
    const rows = [];
    if (result) {
      const answers = [["Best", "green", result.best], ["Game", "red", result.played], ["You", "blue", result.uci && result]]
        .filter(([, , entry]) => entry)
        .map(([name, color, entry]) => {
          const squares = entry.uci && squaresOf(fen, entry.uci);
          const isNew = squares && !arrows.some(({ from, to }) => from === squares[0] && to === squares[1]);
          if (isNew) arrows.push({ from: squares[0], to: squares[1], color });
          return [isNew ? `${name} (${color} arrow)` : name, entry];
        });
      rows.push(el("table", { class: "answers" },
        el("caption", { class: "vh" }, "Moves compared"),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, ""), el("th", { scope: "col" }, "Move"),
          el("th", { scope: "col" }, "Expected score"))),
        el("tbody", {}, ...answers.map(([name, entry]) =>
          el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, entry.san),
            el("td", {}, formatPercent(entry.score)))))));
    }
    board.show(fen, { arrows, label: sentence });
    const isLast = index + 1 >= moments.length;
    const isOfBest = !result || squaresOf(fen, result.best.uci)?.join() === squaresOf(fen, move.bestLine[0]?.uci)?.join();
    const line = isOfBest ? numberedLine(fen, move.bestLine).map(({ text }) => text).join(" ") : "";
    const again = button("Try again", () => ask(index));
    card.replaceChildren(
      ...[
        el("p", { class: `card-title${result?.uci ? ` c-${result.class}` : ""}`, tabindex: "-1" }, sentence),
        ...rows,
        line && el("p", {}, el("span", { class: "line-title" }, "Line"), ` ${line}`),
        ...move.reasons.map((reason) => el("p", {}, `${moveLabel(game, ply)}: ${reason}`)),
        el("p", { class: "buttons" }, !isLast && button("Next position", () => ask(index + 1), { class: "primary" }),
          again, button("Back to the game", () => viewer.show(ply))),
      ].filter(Boolean),
    );
    card.querySelector("button").focus({ preventScroll: true });
    viewer.announce(sentence);
  }

  return { count: moments.length, ask, plies: moments.map(({ ply }) => ply) };
}
