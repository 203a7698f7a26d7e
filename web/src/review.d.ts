/** What `Engine.review` returns: a game, judged move by move. `docs/judgement.md` defines classes and accuracy. */

/** In centipawns or moves to mate, for White: negative if Black is better, or mates. */
export type WhiteEval = { cp: number } | { mate: number };

export type MoveClass =
  | "forced" | "missedWin" | "blunder" | "mistake" | "inaccuracy" | "book" | "only" | "best" | "good" | "unjudged";

export interface LineMove {
  san: string;
  /** In coordinate notation. */
  uci: string;
}

export interface MoveReport {
  san: string;
  uci: string;
  /** The position after the move. */
  fen: string;
  /** After the move; null if the game is over or the position was not evaluated. */
  eval: WhiteEval | null;
  /** White's expected score after the move, in percent. */
  win: number | null;
  class: MoveClass;
  /** The expected score that the player lost, in points of percent. */
  loss: number;
  /** From 0 to 100. */
  accuracy: number | null;
  /** Seconds left after the move, from the clock in its comment. */
  clock: number | null;
  /** Seconds spent on the move. */
  spent: number | null;
  /** The best line before the move. */
  bestLine: LineMove[];
  /** How the move is punished. */
  refutation: LineMove[];
  /** The number of moves of `refutation` that show the point. */
  refutationLength: number | null;
  /** Sentences that say why the move was a mistake; each was checked by rules and searches. */
  reasons: string[];
  phase: "opening" | "middlegame" | "endgame";
  /** Whether the move decided the game. */
  isTurningPoint: boolean;
}

/** From 0 to 100; null without moves to judge. */
export interface PhaseAccuracy {
  game: number | null;
  opening: number | null;
  middlegame: number | null;
  endgame: number | null;
}

export interface MistakeCounts {
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  missedWins: number;
}

/** White's value, then Black's. */
export type ByColor<T> = [T, T];

export interface GameReport {
  /** Values of the tags; empty if unknown. */
  tags: Record<
    "white" | "black" | "whiteElo" | "blackElo" | "result" | "date" | "event" | "site" | "round" | "timeControl", string>;
  opening: { eco: string; name: string } | null;
  /** The number of plies in the table of openings. */
  lastBookPly: number;
  startFen: string;
  /** White's expected score at the start, in percent. */
  startWin: number | null;
  moves: MoveReport[];
  accuracy: ByColor<PhaseAccuracy>;
  counts: ByColor<MistakeCounts>;
  /** The moments that decided most: `ply` counts from 1; White's expected score after each legal move, in percent. */
  critical: { ply: number; values: Record<string, number> }[];
  pgn: string;
  /** What could not be read, with its place. An illegal move ends the game before it. */
  problems: string[];
  /** The markup for a page, if it was asked for. */
  page?: string;
}
