// Games between two engines: players, openings, the rules of a match, and its score.

import { Game, parsePgn, Position, readPgn, writePgn, type PgnGame } from "bartizan";
import type { End } from "./ends.ts";
import type { BestMove, EngineLike } from "./store.ts";

export interface PlayerSpec {
  /** The whole engine of the page, one of its levels, or the native engine. */
  kind: "full" | "level" | "native";
  /** The rating of a level, 600 to 3000. */
  level: number;
  /** Milliseconds a move. */
  movetime: number;
}

export interface Opening {
  name: string;
  fen: string;
  chess960: boolean;
  /** Moves in coordinates. */
  moves: string[];
}

export interface MatchSpec {
  players: [PlayerSpec, PlayerSpec];
  games: number;
  openings: Opening[];
  /** Moves of each side after which a game is a draw; 0 for no end. */
  length: number;
  /** Milliseconds since 1970. */
  date: number;
}

export interface GameRecord {
  pgn: string;
  opening: string;
  isFirstWhite: boolean;
  result: End["result"];
  /** How it ended, in words. */
  end: string;
  plies: number;
}

export interface MatchState {
  spec: MatchSpec;
  games: GameRecord[];
}

export const MOST_GAMES = 1000;
export const MOST_OPENINGS = 500;

export function playerName({ kind, level, movetime }: PlayerSpec): string {
  const who = kind === "level" ? `Bartizan ${level}` : kind === "native" ? "Native engine" : "Bartizan";
  return `${who}, ${movetime} ms`;
}

/** The names of both players; equal ones get numbers. */
export function playerNames([first, second]: MatchSpec["players"]): [string, string] {
  const names: [string, string] = [playerName(first), playerName(second)];
  return names[0] === names[1] ? [`${names[0]} (1)`, `${names[1]} (2)`] : names;
}

/** Well-known openings after which both sides can play for a win. */
const KNOWN: readonly [string, string][] = [
  ["Ruy Lopez, Closed", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O"],
  ["Italian Game, Giuoco Pianissimo", "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O a6"],
  ["Petrov's Defence", "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4 d4 d5 Bd3 Nc6"],
  ["Sicilian, Najdorf", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"],
  ["Sicilian, Sveshnikov", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5 Ndb5 d6"],
  ["French, Winawer", "e4 e6 d4 d5 Nc3 Bb4 e5 c5 a3 Bxc3+ bxc3 Ne7"],
  ["Caro-Kann, Classical", "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5 Ng3 Bg6 h4 h6"],
  ["Queen's Gambit Declined", "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6"],
  ["Slav Defence", "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4 a4 Bf5 e3 e6"],
  ["Nimzo-Indian", "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5 Nf3 c5"],
  ["King's Indian", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5"],
  ["Symmetrical English", "c4 c5 Nf3 Nf6 Nc3 Nc6 g3 g6 Bg2 Bg7 O-O O-O"],
];

export const initialOpening = (): Opening =>
  ({ name: "Initial position", fen: new Position().fen, chess960: false, moves: [] });

export function knownOpenings(): Opening[] {
  return KNOWN.map(([name, moves]) => {
    const game = new Game();
    for (const san of moves.split(" ")) game.push(san);
    return { name, fen: game.start.fen, chess960: false, moves: game.moves.map(({ uci }) => uci) };
  });
}

/**
 * The openings of a PGN text: the first moves of its games, each position once. `plies` is the most of a game.
 * Games that are over by then are left out.
 */
export function openingsOf(pgn: string | Uint8Array, plies: number): Opening[] {
  const openings = new Map<string, Opening>();
  const initial = new Position().fen;
  for (const read of readPgn(pgn)) {
    if (openings.size >= MOST_OPENINGS) break;
    // Text that is no game reads as a game without moves.
    if (read.moves.length === 0 && read.fen === initial) continue;
    const game = new Game({ fen: new Position(read.fen, { chess960: read.chess960, tolerant: true }) });
    for (const { uci } of read.moves.slice(0, plies)) {
      if (uci === "0000") break;
      game.push(uci);
    }
    if (game.isOver || game.claimableDraw) continue;
    const { White = "?", Black = "?", Opening: opening } = read.tags;
    const players = /^\?*$/.test(White + Black) ? `Opening ${openings.size + 1}` : `${White} – ${Black}`;
    const name = opening ?? game.opening()?.name ?? players;
    const key = game.fen.split(" ", 4).join(" ");
    if (!openings.has(key)) {
      openings.set(key, {
        name: name.slice(0, 80), fen: game.start.fen, chess960: game.start.chess960,
        moves: game.moves.map(({ uci }) => uci),
      });
    }
  }
  return [...openings.values()];
}

/** What game `number`, from 0, begins with: each opening is played twice, with both colours. */
export function gamePlan(spec: MatchSpec, number: number): { opening: Opening; isFirstWhite: boolean } {
  return { opening: spec.openings[Math.floor(number / 2) % spec.openings.length], isFirstWhite: number % 2 === 0 };
}

export interface Live {
  fen: string;
  chess960: boolean;
  lastMove: string | null;
  plies: number;
}

const REASONS: Record<string, string> = {
  checkmate: "checkmate", stalemate: "stalemate", insufficientMaterial: "too little material",
  fivefoldRepetition: "repetition", threefoldRepetition: "repetition",
  seventyFiveMoves: "75 moves", fiftyMoves: "50 moves",
};

/** The end of a game: by the rules, by a draw that a player may claim, or by its length. */
export function endOf(game: Game, plies: number, length: number): { result: End["result"]; end: string } | null {
  const { outcome } = game;
  if (outcome) return { result: outcome.result, end: REASONS[outcome.reason] };
  const claim = game.claimableDraw;
  if (claim) return { result: "1/2-1/2", end: REASONS[claim] };
  return length > 0 && plies >= 2 * length ? { result: "1/2-1/2", end: "length" } : null;
}

/** Asks for a move. An engine that has stopped is asked once more: it replaces a worker that has died. */
async function ask(
  engine: EngineLike, { kind, level, movetime }: PlayerSpec, game: Game, signal: AbortSignal,
): Promise<BestMove> {
  const request = {
    fen: game.start.fen, moves: game.moves.map(({ uci }) => uci), chess960: game.start.chess960, movetime, signal,
  };
  const search = () => (kind === "level" ? engine.play({ ...request, rating: level }) : engine.bestMove(request));
  try {
    return await search();
  } catch (error) {
    if (signal.aborted) throw error;
    return search();
  }
}

/** Plays game `number` of a match; null if the signal ended it. `engines` are those of the players, in their order. */
export async function playGame(
  spec: MatchSpec, number: number, engines: readonly [EngineLike, EngineLike], signal: AbortSignal,
  onMove: (live: Live) => void,
): Promise<GameRecord | null> {
  const { opening, isFirstWhite } = gamePlan(spec, number);
  const game = new Game({ fen: new Position(opening.fen, { chess960: opening.chess960, tolerant: true }) });
  for (const move of opening.moves) game.push(move);
  const begun = game.moves.length;
  await Promise.all(engines.map((engine) => engine.newGame()));
  for (;;) {
    if (signal.aborted) return null;
    const { fen, moves } = game;
    onMove({ fen, chess960: opening.chess960, lastMove: moves.at(-1)?.uci ?? null, plies: moves.length });
    const isWhite = game.position.turn === "w";
    let ended = endOf(game, moves.length - begun, spec.length);
    if (!ended) {
      const player = isWhite === isFirstWhite ? 0 : 1;
      let answer: BestMove | null = null;
      try {
        answer = await ask(engines[player], spec.players[player], game, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (signal.aborted || !answer) return null;
      try {
        game.push(answer.move ?? "");
        continue;
      } catch {
        ended = { result: isWhite ? "0-1" : "1-0", end: "illegal move" };
      }
    }
    return { ...record(spec, number, game, ended.result, ended.end), opening: opening.name };
  }
}

function record(
  spec: MatchSpec, number: number, game: Game, result: End["result"], end: string,
): Omit<GameRecord, "opening"> {
  const { isFirstWhite } = gamePlan(spec, number);
  const names = playerNames(spec.players);
  const date = new Date(spec.date);
  const two = (value: number) => String(value).padStart(2, "0");
  const tags = {
    Event: "Match of engines", Site: "?",
    Date: `${date.getFullYear()}.${two(date.getMonth() + 1)}.${two(date.getDate())}`,
    Round: String(number + 1), White: names[isFirstWhite ? 0 : 1], Black: names[isFirstWhite ? 1 : 0],
    Termination: end === "length" ? "adjudication" : end === "illegal move" ? "rules infraction" : "normal",
  };
  const pgn = writePgn({ ...game.toPgnGame(), tags, result });
  return { pgn, isFirstWhite, result, end, plies: game.moves.length };
}

/** The game of a record, to be opened. */
export function gameOf({ pgn }: GameRecord): PgnGame {
  return parsePgn(pgn)[0];
}

export interface Score {
  wins: number;
  draws: number;
  losses: number;
}

/** The score of the first player. */
export function scoreOf(games: readonly Pick<GameRecord, "result" | "isFirstWhite">[]): Score {
  const score: Score = { wins: 0, draws: 0, losses: 0 };
  for (const { result, isFirstWhite } of games) {
    if (result === "1/2-1/2") score.draws++;
    else if ((result === "1-0") === isFirstWhite) score.wins++;
    else score.losses++;
  }
  return score;
}

/** An Elo difference for an expected score of 0 to 1. */
const eloOf = (share: number): number =>
  (share <= 0 ? -Infinity : share >= 1 ? Infinity : -400 * Math.log10(1 / share - 1));

/**
 * The Elo difference with its interval of 95 %; null before the first game. The interval is Wilson's, with the smaller
 * variance of games that may be drawn: it is sound for few games, too, and after wins alone. With two games added to
 * the number, draws alone do not seem certain.
 */
export function estimate(
  { wins, draws, losses }: Score,
): { share: number; elo: number; low: number; high: number } | null {
  const games = wins + draws + losses;
  if (games === 0) return null;
  const share = (wins + draws / 2) / games;
  // The variance of a game with mean p and draws d is p (1 − p) − d / 4; the ends solve (share − p)² = k · variance.
  const k = 1.96 ** 2 / games;
  const d = draws / (games + 2);
  const root = Math.sqrt((2 * share + k) ** 2 - 4 * (1 + k) * (share ** 2 + (k * d) / 4));
  const end = (sign: number) => Math.min(1, Math.max(0, (2 * share + k + sign * root) / (2 * (1 + k))));
  // Rounding must not hide that all games were won.
  const low = share === 0 ? 0 : end(-1);
  const high = share === 1 ? 1 : end(1);
  return { share, elo: eloOf(share), low: eloOf(low), high: eloOf(high) };
}

/** "+35", "−120", "+∞". */
export function eloText(elo: number): string {
  const rounded = Math.round(Math.abs(elo));
  const sign = rounded === 0 ? "" : elo < 0 ? "−" : "+";
  return `${sign}${Number.isFinite(elo) ? rounded : "∞"}`;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= least && value <= most;

function isPlayer(value: unknown): value is PlayerSpec {
  return isObject(value) && ["full", "level", "native"].includes(String(value.kind)) && isWithin(value.level, 600, 3000)
    && isWithin(value.movetime, 1, 600_000);
}

function isOpening(value: unknown): value is Opening {
  return isObject(value) && typeof value.name === "string" && typeof value.fen === "string"
    && typeof value.chess960 === "boolean"
    && Array.isArray(value.moves) && value.moves.every((move) => typeof move === "string");
}

function isRecord(value: unknown): value is GameRecord {
  return isObject(value) && typeof value.pgn === "string" && typeof value.opening === "string"
    && typeof value.isFirstWhite === "boolean" && ["1-0", "0-1", "1/2-1/2"].includes(String(value.result))
    && typeof value.end === "string" && isWithin(value.plies, 0, 1e6);
}

/** A match from storage; null if it is damaged. */
export function readMatch(text: string): MatchState | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value.spec) || !Array.isArray(value.games)) return null;
    const { players, games, openings, length, date } = value.spec;
    const isSpec = Array.isArray(players) && players.length === 2 && players.every(isPlayer)
      && isWithin(games, 1, MOST_GAMES) && isWithin(length, 0, 1000) && isWithin(date, 0, 1e15)
      && Array.isArray(openings) && openings.length > 0 && openings.every(isOpening);
    return isSpec && value.games.every(isRecord) ? value as unknown as MatchState : null;
  } catch {
    return null;
  }
}
