// Makes game.json, the game of the tests: node make-game.mjs ENGINE > game.json
// The evaluations are those of a UCI engine; clocks and sentences are made up.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { START_FEN, findMove, findUci, legalMoves, parseFen, play, san, toFen } from "../rules.js";
import { classOfLoss } from "../text.js";

const MOVES = `e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8
  Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#`.split(/\s+/);
const BOOK_PLIES = 7;
const NODES = 60000;
const VALUE_NODES = 4000;

const engine = spawn(process.argv[2]);
const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
const send = (text) => engine.stdin.write(`${text}\n`);

/** White's evaluation and the best line of a position. */
async function search(position, options) {
  send(`position fen ${toFen(position)}`);
  send(`go ${options}`);
  let found = { eval: { cp: 0 }, line: [] };
  for (;;) {
    const { value: line } = await lines.next();
    if (line.startsWith("bestmove")) return found;
    const score = line.match(/ score (cp|mate) (-?\d+)/);
    const pv = line.match(/ pv (.*)/);
    if (!score || !pv) continue;
    const white = Number(score[2]) * (position.turn === "w" ? 1 : -1);
    found = { eval: { [score[1]]: white || 0 }, line: pv[1].split(" ") };
  }
}

const win = ({ cp, mate }) => (mate !== undefined ? (mate > 0 ? 100 : 0) : 100 / (1 + Math.exp(-0.0037 * cp)));

function named(position, line, length) {
  const moves = [];
  for (const uci of line.slice(0, length)) {
    const move = findUci(position, uci);
    if (!move) break;
    moves.push({ san: san(position, move), uci: move.uci });
    position = play(position, move);
  }
  return moves;
}

/** Sentences by ply. */
const REASONS = {
  8: ["It gives a pawn to lure the bishop from c4, for less than it is worth."],
  22: ["It takes the bishop. After h4 the queen is short of squares."],
  32: ["It attacks the rook on g1, but White gains time by d4: the bishop must move again.", "The queen on f6 stays exposed."],
  33: ["It lets the bishop stay on c5, from where it attacks the rook on g1. d4 drives it away."],
  35: ["It leaves both rooks undefended: Qxa1+ takes one with check, Bxg1 the other."],
  36: ["It takes the wrong rook: Qxa1+ wins one with check and keeps an eye on g7."],
  40: ["It allows mate in three, beginning with Nxg7+."],
};

let position = parseFen(START_FEN);
let before = await search(position, `nodes ${NODES}`);
const clocks = [300, 300];
const game = {
  tags: {
    white: "Anderssen, Adolf", black: "Kieseritzky, Lionel", whiteElo: "", blackElo: "", result: "1-0",
    date: "1851.06.21", event: "Casual game", site: "London", round: "", timeControl: "300+2",
  },
  opening: { eco: "C33", name: "King's Gambit Accepted: Bishop's Gambit, Bryan Countergambit" },
  lastBookPly: BOOK_PLIES, startFen: START_FEN, startWin: Number(win(before.eval).toFixed(1)), moves: [], accuracy: [{}, {}],
  counts: [0, 1].map(() => ({ inaccuracies: 0, mistakes: 0, blunders: 0, missedWins: 0 })), critical: [], pgn: "",
};
for (const [index, name] of MOVES.entries()) {
  const side = index % 2;
  const move = findMove(position, name);
  const next = play(position, move);
  const isOver = legalMoves(next).length === 0;
  const after = isOver ? { eval: { mate: side === 0 ? 1 : -1 }, line: [] } : await search(next, `nodes ${NODES}`);
  const change = win(after.eval) - win(before.eval);
  const isBest = before.line[0] === move.uci;
  const loss = isBest ? 0 : Math.max(0, side === 0 ? -change : change);
  const judged = isBest ? "best" : { best: "good" }[classOfLoss(loss)] ?? classOfLoss(loss);
  const isBook = index < BOOK_PLIES;
  const spent = isBook ? 1 + (index % 3) : 4 + ((index * 37) % 23) + (loss > 10 ? 0 : 6);
  clocks[side] += 2 - spent;
  const report = {
    san: san(position, move), uci: move.uci, fen: toFen(next), eval: isOver ? null : after.eval,
    win: Number(win(after.eval).toFixed(1)), class: isBook ? "book" : judged, loss: Number(loss.toFixed(1)),
    accuracy: Number(Math.max(0, Math.min(100, 103.17 * Math.exp(-0.0435 * loss) - 3.17)).toFixed(1)),
    clock: clocks[side], spent, bestLine: named(position, before.line, 7),
    refutation: loss >= 5 && !isBook ? named(next, after.line, 6) : [], refutationLength: loss >= 5 ? 5 : null,
    reasons: REASONS[index + 1] ?? [], phase: index < 16 ? "opening" : "middlegame", isTurningPoint: index + 1 === 36,
  };
  if (REASONS[index + 1] && loss >= 5) {
    const values = {};
    for (const each of legalMoves(position)) {
      const found = await search(position, `nodes ${VALUE_NODES} searchmoves ${each.uci}`);
      values[each.uci] = Number(win(found.eval).toFixed(1));
    }
    values[move.uci] = report.win;
    if (report.bestLine[0]) values[report.bestLine[0].uci] = Number(win(before.eval).toFixed(1));
    game.critical.push({ ply: index + 1, values });
  }
  const plural = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" }[report.class];
  if (plural) game.counts[side][plural] += 1;
  game.moves.push(report);
  [position, before] = [next, after];
}
for (const side of [0, 1]) {
  const mean = (phase) => {
    const own = game.moves.filter((move, index) => index % 2 === side && (phase === "game" || move.phase === phase));
    return own.length > 0 ? Number((own.reduce((sum, move) => sum + move.accuracy, 0) / own.length).toFixed(1)) : null;
  };
  for (const phase of ["game", "opening", "middlegame", "endgame"]) game.accuracy[side][phase] = mean(phase);
}
const text = MOVES.map((name, index) => (index % 2 === 0 ? `${index / 2 + 1}. ${name}` : name)).join(" ");
game.pgn = `[Event "Casual game"]\n[Site "London"]\n[Date "1851.06.21"]\n[Round "?"]\n[White "Anderssen, Adolf"]\n`
  + `[Black "Kieseritzky, Lionel"]\n[Result "1-0"]\n\n${text} 1-0\n`;
send("quit");
const report = { title: "", engine: "Bartizan", budget: `${NODES / 1000}k nodes per position`, games: [game] };
console.log(JSON.stringify(report, null, 1));
process.exit(0);
