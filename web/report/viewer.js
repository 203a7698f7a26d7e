// The viewer of a game: its moves and lines on a board. It works on the page's own markup of a game (see `game.rs`):
// a board in [data-board], moves in [data-ply], lines in [data-line], and places for a card and for buttons.

import { createBoard } from "./board.js";
import { announcer, button, el, iconButton } from "./dom.js";
import { copyButton } from "./copy.js";
import { enhanceGraph } from "./graph.js";
import { findUci, parseFen, play, toFen } from "./rules.js";
import {
  CLASSES, fenBefore, formatEval, formatPercent, formatSeconds, moveLabel, moverOf, numberedLine, sideName,
} from "./text.js";

/** The squares of a move in coordinate notation. */
export function squaresOf(fen, uci) {
  const move = findUci(parseFen(fen), uci);
  return move ? [move.from, move.to] : null;
}

/** The positions of a line, as FEN, beginning with its first; it ends before a move that is not legal. */
export function positionsOf(fen, line) {
  const fens = [fen];
  let position = parseFen(fen);
  for (const { uci } of line) {
    const move = findUci(position, uci);
    if (!move) break;
    position = play(position, move);
    fens.push(toFen(position));
  }
  return fens;
}

/** A line of a move: what was better ("best", before the move) or how it is punished ("refutation", after it). */
export function lineOf(game, kind, ply) {
  const move = game.moves[ply - 1];
  if (kind === "best") return { kind, ply, fen: fenBefore(game, ply), moves: move.bestLine };
  return { kind, ply, fen: move.fen, moves: move.refutation.slice(0, move.refutationLength ?? undefined) };
}

/** Makes a game's part of the page interactive. */
export function createViewer(root, game) {
  const find = (name) => root.querySelector(`[data-${name}]`);
  const board = createBoard(find("board"));
  const announce = announcer(root);
  const plies = game.moves.length;
  const state = { ply: 0, line: null, hasArrows: true, quiz: null };
  const card = find("card");

  const controls = {
    first: iconButton("M6 5h2.5v14H6zM19 5v14l-10-7z", "First position", () => show(0), { title: "First position (Home)" }),
    back: iconButton("M16.5 5v14l-10-7z", "Previous move", back, { title: "Previous move (left arrow)" }),
    next: iconButton("M7.5 5v14l10-7z", "Next move", forward, { title: "Next move (right arrow)" }),
    last: iconButton("M15.5 5H18v14h-2.5zM5 5v14l10-7z", "Last position", () => show(plies), { title: "Last position (End)" }),
    flip: iconButton("M7 20V8H3l5.5-6L14 8h-4v12zM14 4v12h-4l5.5 6 5.5-6h-4V4z", "Turn the board", flip, {
      title: "Turn the board (f)",
    }),
    arrows: iconButton("M4.6 17.3l9-9H8V5h11v11h-3.3v-5.6l-9 9z", "Best move as an arrow", toggleArrows, {
      title: "Best move as an arrow (a)", "aria-pressed": "true",
    }),
  };
  const mistakes = game.moves.flatMap((move, index) => (CLASSES[move.class]?.isMistake ? [index + 1] : []));
  const nextMistake = () => mistakes.find((ply) => ply > state.ply);
  const toMistake = button("Next mistake", () => show(nextMistake() ?? state.ply), {
    class: "wide", title: "Next mistake (m)",
  });
  find("controls").replaceChildren(
    ...Object.values(controls), mistakes.length > 0 ? toMistake : "", copyButton("Copy FEN", () => currentFen()),
  );

  const bar = el("div", { class: "eval-fill" });
  find("eval-bar")?.replaceChildren(bar);

  const cells = new Map();
  for (const cell of root.querySelectorAll("[data-moves] [data-ply]")) {
    const ply = Number(cell.dataset.ply);
    const inner = el("button", { type: "button", class: "move-button", onclick: () => show(ply) }, ...cell.childNodes);
    cell.replaceChildren(inner);
    cells.set(ply, inner);
  }
  for (const host of root.querySelectorAll("[data-line]")) {
    const line = lineOf(game, host.dataset.line, Number(host.dataset.of));
    host.replaceChildren(...lineButtons(line, true));
  }
  for (const link of root.querySelectorAll("[data-goto]")) {
    const ply = Number(link.dataset.goto);
    link.append(button("Show on the board", () => {
      show(ply);
      reveal();
    }));
  }
  const graphs = [...root.querySelectorAll("[data-graph]")].map((host) => enhanceGraph(host, plies, show));

  function currentFen() {
    const { line, ply } = state;
    if (line) return line.fens[line.index];
    return ply === 0 ? game.startFen : game.moves[ply - 1].fen;
  }

  /** The buttons of a line, with spaces for print; those outside the card also bring the board into view. */
  function lineButtons(line, isOutside) {
    const positions = positionsOf(line.fen, line.moves);
    return numberedLine(line.fen, line.moves.slice(0, positions.length - 1)).flatMap(({ text }, index) => {
      const isCurrent = !isOutside && state.line?.kind === line.kind && state.line.index === index + 1;
      const onclick = () => {
        enterLine(line.kind, line.ply, index + 1);
        if (isOutside) reveal();
        else card.querySelector("[aria-current]")?.focus();
      };
      return [button(text, onclick, { class: "line-move", "aria-current": isCurrent ? "step" : null }), " "];
    });
  }

  function reveal() {
    const box = find("board").getBoundingClientRect();
    const isVisible = box.top >= 0 && box.bottom <= innerHeight;
    if (!isVisible) find("board").closest(".play").scrollIntoView({ block: "start", behavior: "instant" });
  }

  function show(ply) {
    leaveQuiz();
    state.ply = Math.max(0, Math.min(plies, ply));
    state.line = null;
    render();
  }

  function enterLine(kind, ply, index = 1) {
    leaveQuiz();
    const line = lineOf(game, kind, ply);
    const fens = positionsOf(line.fen, line.moves);
    if (fens.length < 2) return;
    state.ply = ply;
    state.line = { ...line, fens, index: Math.min(index, fens.length - 1) };
    render();
  }

  function leaveLine() {
    if (state.line) show(state.ply);
  }

  function forward() {
    const { line } = state;
    if (!line) return show(state.ply + 1);
    if (line.index < line.fens.length - 1) line.index += 1;
    render();
  }

  function back() {
    const { line } = state;
    if (!line) return show(state.ply - 1);
    line.index -= 1;
    if (line.index < 1) leaveLine();
    else render();
  }

  function flip() {
    board.turnTo(board.bottom() === "w" ? "b" : "w");
    root.classList.toggle("is-flipped", board.bottom() === "b");
  }

  function toggleArrows() {
    state.hasArrows = !state.hasArrows;
    controls.arrows.setAttribute("aria-pressed", String(state.hasArrows));
    if (!state.quiz) render();
  }

  function render() {
    const { ply, line } = state;
    if (line) renderLine(line);
    else renderMove(ply);
    for (const [each, cell] of cells) {
      if (each === ply) cell.setAttribute("aria-current", "step");
      else cell.removeAttribute("aria-current");
    }
    keepInView(cells.get(ply));
    graphs.forEach((mark) => mark(ply));
    controls.first.disabled = controls.back.disabled = ply === 0 && !line;
    controls.next.disabled = line ? line.index >= line.fens.length - 1 : ply >= plies;
    controls.last.disabled = ply >= plies && !line;
    toMistake.disabled = nextMistake() === undefined;
  }

  /** Scrolls the list of moves, not the page. */
  function keepInView(cell) {
    const list = find("moves");
    if (!list) return;
    if (!cell) {
      list.scrollTop = 0;
      return;
    }
    const [box, frame] = [cell.getBoundingClientRect(), list.getBoundingClientRect()];
    if (box.top < frame.top + 32) list.scrollTop += box.top - frame.top - 48;
    else if (box.bottom > frame.bottom) list.scrollTop += box.bottom - frame.bottom + 48;
  }

  function setBar(win) {
    const known = win ?? 50;
    bar.style.height = `${known}%`;
    find("eval-bar")?.setAttribute("title", `White's expected score: ${formatPercent(known)}`);
  }

  function renderMove(ply) {
    const move = game.moves[ply - 1];
    const fen = currentFen();
    const next = game.moves[ply]?.bestLine?.[0];
    const best = state.hasArrows && next ? squaresOf(fen, next.uci) : null;
    board.show(fen, {
      lastMove: move ? squaresOf(fenBefore(game, ply), move.uci) : null,
      arrows: best ? [{ from: best[0], to: best[1], color: "green" }] : [],
      label: move ? `After ${moveLabel(game, ply)}.` : "The first position.",
    });
    const win = move ? move.win : game.startWin;
    setBar(win);
    card.replaceChildren(...(move ? moveCard(ply, move) : startCard()));
    if (!move) return announce("First position");
    const judged = judgement(move);
    const score = win === null ? "" : ` White's expected score ${formatPercent(win)}.`;
    announce(`${moveLabel(game, ply)}${judged ? `, ${judged}` : ""}.${score}`);
  }

  /** What the move is called: as `MoveReport::name` of the crate `review` has it, no move of a lost game is good. */
  function judgement(move) {
    const isLost = move.win !== null && (move.fen.split(" ")[1] === "b" ? move.win < 10 : move.win > 90);
    return move.class === "good" && isLost ? "in a lost game" : CLASSES[move.class]?.name;
  }

  function startCard() {
    return [
      el("p", { class: "card-title" }, "First position"),
      el("p", { class: "muted" }, "Step through the game with the buttons, the list of moves, the graph or the arrow keys."),
    ];
  }

  function moveCard(ply, move) {
    const before = ply === 1 ? game.startWin : game.moves[ply - 2].win;
    const judged = judgement(move);
    const facts = [];
    if (move.win !== null && before !== null && before !== undefined) {
      facts.push(`Expected score of White ${formatPercent(before)} → ${formatPercent(move.win)}`);
    }
    if (move.eval) facts.push(`Evaluation ${formatEval(move.eval)}`);
    if (move.spent !== null) facts.push(`Time ${formatSeconds(move.spent)}`);
    if (move.clock !== null) facts.push(`Clock ${formatSeconds(move.clock)}`);
    return [
      el("p", { class: "card-title" },
        el("span", { class: `san c-${move.class}` }, moveLabel(game, ply)), " ",
        judged && el("span", { class: `chip c-${move.class}` }, judged),
        move.isTurningPoint && el("span", { class: "chip" }, "turning point")),
      ...move.reasons.map((reason) => el("p", {}, reason)),
      ...lineParts(ply),
      facts.length > 0 && el("p", { class: "muted" }, facts.join(" · ")),
    ].filter(Boolean);
  }

  function lineParts(ply) {
    // The reply to a good move says nothing.
    const isMistake = CLASSES[game.moves[ply - 1].class]?.isMistake;
    const titles = isMistake ? { best: "Better", refutation: "Reply" } : { best: "Best line" };
    return Object.entries(titles).map(([kind, title]) => {
      const line = lineOf(game, kind, ply);
      if (line.moves.length === 0) return null;
      return el("p", { class: "line" }, el("span", { class: "line-title" }, title), " ", ...lineButtons(line, false));
    });
  }

  function renderLine(line) {
    const [before, fen] = [line.fens[line.index - 1], line.fens[line.index]];
    const { uci } = line.moves[line.index - 1];
    const title = line.kind === "best" ? "Better line" : "Line after the move";
    const { text } = numberedLine(line.fen, line.moves)[line.index - 1];
    board.show(fen, { lastMove: squaresOf(before, uci), label: `${title}, after ${text}.` });
    card.replaceChildren(
      el("p", { class: "card-title" }, `${title} at ${moveLabel(game, line.ply)}`),
      el("p", { class: "line" }, ...lineButtons(line, false)),
      el("p", {}, button("Back to the game", leaveLine, { title: "Back to the game (Escape)" })),
    );
    announce(`${title}: ${text}`);
  }

  function leaveQuiz() {
    if (!state.quiz) return;
    state.quiz = null;
    root.classList.remove("is-quiz");
  }

  /** Handles a key of the page; says whether it did. */
  function onKey(key) {
    const actions = {
      ArrowRight: forward, ArrowLeft: back, Home: () => show(0), End: () => show(plies), f: flip, a: toggleArrows,
      m: () => toMistake.click(),
    };
    if (key === "Escape") {
      if (state.quiz) show(state.quiz.ply - 1);
      else leaveLine();
    } else if (actions[key] && !(state.quiz && key === "a")) actions[key]();
    else return false;
    return true;
  }

  return {
    game, root, board, card, announce, show, enterLine, leaveLine, onKey, reveal,
    state: () => ({ ply: state.ply, line: state.line && { kind: state.line.kind, index: state.line.index } }),
    /** Hides the moves and their judgements while the reader looks for the move of a ply. */
    beginQuiz(ply) {
      state.line = null;
      state.quiz = { ply };
      state.ply = ply - 1;
      root.classList.add("is-quiz");
      board.turnTo(moverOf(game, ply));
      root.classList.toggle("is-flipped", board.bottom() === "b");
      setBar(ply === 1 ? game.startWin : game.moves[ply - 2].win);
      announce(`What would you play here? ${sideName(moverOf(game, ply))} to move.`);
    },
  };
}
