// Scores and times in text, from White's view.

import { Position, type Info, type PgnGame } from "bartizan";
import { movesTo, type Path } from "./tree.ts";
import type { Side } from "./store.ts";

/** The side to move of a FEN. */
export const turnOf = (fen: string): Side => (fen.split(" ")[1] === "b" ? "b" : "w");

/** "+0.35", "−1.20", "#3", "#−2". The score is from the view of `turn`. */
export function scoreText({ type, value }: Info["score"], turn: Side): string {
  const white = turn === "w" ? value : -value;
  if (type === "mate") return `#${white < 0 || (value === 0 && turn === "w") ? "−" : ""}${Math.abs(white)}`;
  const pawns = (Math.abs(white) / 100).toFixed(Math.abs(white) >= 1000 ? 1 : 2);
  return `${white < 0 ? "−" : white > 0 ? "+" : ""}${pawns}`;
}

/** White's expected score of a line, 0 to 1. */
export function expectation(info: Pick<Info, "score" | "wdl">, turn: Side): number {
  const { score, wdl } = info;
  // At 100 centipawns half of the games are won: without chances, a curve through that point.
  const own = score.type === "mate" ? (score.value > 0 ? 1 : 0)
    : wdl ? (wdl[0] + wdl[1] / 2) / 1000 : 1 / (1 + Math.exp(-score.value / 90));
  return turn === "w" ? own : 1 - own;
}

/** "1.2 M", "850 k". */
export function count(number: number): string {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1000 ? `${Math.round(number / 1000)} k` : String(number);
}

/** "1 game", "2 games"; `many` is the word for several. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** A clock: "4:59", "0:09.4" below twenty seconds, "1:02:03". */
export function clockText(milliseconds: number): string {
  const rest = Math.max(0, milliseconds);
  const tenths = rest < 20_000 ? Math.floor(rest / 100) : Math.ceil(rest / 1000) * 10;
  const seconds = Math.floor(tenths / 10);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  const text = h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
  return rest < 20_000 ? `${text}.${tenths % 10}` : text;
}

/** "12." or "12…", the number of the move that is made in a position. */
export function numberOf(fen: string): string {
  return `${fen.split(" ")[5] ?? "1"}${turnOf(fen) === "w" ? "." : "…"}`;
}

export interface LineMove {
  san: string;
  uci: string;
  /** The FEN after the move. */
  fen: string;
  /** The number before the move, if it is to be written. */
  number: string;
}

/** A line of moves in coordinates as SAN; it ends before a move that is not legal. */
export function sanLine(fen: string, chess960: boolean, moves: readonly string[], most = 14): LineMove[] {
  const line: LineMove[] = [];
  let before = fen;
  try {
    for (const uci of moves.slice(0, most)) {
      const move = new Position(before, { chess960, tolerant: true }).move(uci);
      const number = turnOf(before) === "w" || line.length === 0 ? numberOf(before) : "";
      line.push({ san: move.san, uci: move.uci, fen: move.after, number });
      before = move.after;
    }
  } catch {
    // What is known so far is shown.
  }
  return line;
}

/** A node for the engine: a position with the moves that led to it, from the last null move. */
export function specOf(game: PgnGame, path: Path): { fen: string; moves: string[]; chess960: boolean } {
  const moves = movesTo(game, path);
  const isNull = ({ uci }: { uci: string }) => uci === "0000";
  const last = moves.findLastIndex(isNull);
  return {
    fen: last < 0 ? game.fen : moves[last].fen,
    moves: moves.slice(last + 1).map(({ uci }) => uci),
    chess960: game.chess960,
  };
}

/** The position with the other side to move, or null where that side would be in check. */
export function passed(fen: string, chess960: boolean): string | null {
  const fields = fen.split(" ");
  fields[1] = fields[1] === "w" ? "b" : "w";
  fields[3] = "-";
  try {
    if (new Position(fen, { chess960, tolerant: true }).isCheck) return null;
    return new Position(fields.join(" "), { chess960, tolerant: true }).fen;
  } catch {
    return null;
  }
}
