// The end of a game, by the rules and otherwise.

import { Game, Position, type PgnGame } from "bartizan";
import { movesTo, type Path } from "./tree.ts";
import type { Side } from "./store.ts";

export type Reason =
  | "checkmate" | "stalemate" | "insufficientMaterial" | "fivefoldRepetition" | "seventyFiveMoves"
  | "threefoldRepetition" | "fiftyMoves" | "resignation" | "time" | "timeWithoutMaterial" | "agreement";

export interface End {
  result: "1-0" | "0-1" | "1/2-1/2";
  reason: Reason;
}

const NAMES: Record<Reason, string> = {
  checkmate: "by checkmate", stalemate: "by stalemate", insufficientMaterial: "because neither side can checkmate",
  fivefoldRepetition: "by fivefold repetition", seventyFiveMoves: "by the seventy-five-move rule",
  threefoldRepetition: "by threefold repetition", fiftyMoves: "by the fifty-move rule",
  resignation: "by resignation", time: "on time",
  timeWithoutMaterial: "because the time is over and the opponent cannot checkmate", agreement: "by agreement",
};

/** "White wins by checkmate.", "Draw by stalemate." */
export function endText({ result, reason }: End): string {
  const who = result === "1-0" ? "White wins" : result === "0-1" ? "Black wins" : "Draw";
  return `${who} ${NAMES[reason]}.`;
}

export const winFor = (side: Side): End["result"] => (side === "w" ? "1-0" : "0-1");

/** The game to a node, with repetitions; null where it has null moves. */
export function replay(game: PgnGame, path: Path): Game | null {
  const replayed = new Game({ fen: new Position(game.fen, { chess960: game.chess960, tolerant: true }) });
  for (const { uci } of movesTo(game, path)) {
    if (uci === "0000") return null;
    replayed.push(uci);
  }
  return replayed;
}

/** The end by the rules at a node. */
export function endAt(game: PgnGame, path: Path): End | null {
  return replay(game, path)?.outcome ?? null;
}

/** The end when a side's time is over. */
export function endOnTime(fen: string, side: Side): End {
  const other = side === "w" ? "b" : "w";
  // A bare king cannot checkmate.
  const letters = fen.split(" ", 1)[0].replace(/[^a-z]/gi, "");
  const isOthers = (letter: string) => (letter === letter.toUpperCase()) === (other === "w");
  const isBare = ![...letters].some((letter) => isOthers(letter) && !/k/i.test(letter));
  return isBare ? { result: "1/2-1/2", reason: "timeWithoutMaterial" } : { result: winFor(other), reason: "time" };
}
