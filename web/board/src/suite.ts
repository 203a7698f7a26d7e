// Runs of test suites: answers, comparison with runs before, and the runs that the browser keeps.

import { Position } from "bartizan";
import type { EpdPosition } from "./epd.ts";
import type { EngineLike, Info } from "./store.ts";

export interface Limit {
  kind: "movetime" | "nodes";
  /** Milliseconds or positions. */
  value: number;
}

export interface Answer {
  /** The four fields of the position, by which runs are compared. */
  key: string;
  /** The move in SAN; empty if there was none. */
  found: string;
  isSolved: boolean;
  /** Milliseconds and depth from which on the engine stayed with a right move; null if not solved. */
  time: number | null;
  depth: number | null;
  /** Milliseconds of the whole search. */
  total: number;
}

export interface Run {
  id: string;
  suite: string;
  engine: string;
  limit: Limit;
  /** Milliseconds since 1970. */
  date: number;
  answers: Answer[];
}

export const keyOf = (fen: string): string => fen.split(" ", 4).join(" ");

/** Whether a move in coordinates is right: a best move if there are any, and none to avoid. */
export function isRight({ best, avoid }: Pick<EpdPosition, "best" | "avoid">, move: string): boolean {
  const isIn = (moves: EpdPosition["best"]) => moves.some(({ uci }) => uci === move);
  return (best.length === 0 || isIn(best)) && !isIn(avoid);
}

/** Follows a search: since when the engine stays with a right move. */
export function follow(position: Pick<EpdPosition, "best" | "avoid">) {
  let since: { time: number; depth: number } | null = null;
  return {
    see({ pv, multipv, time, depth }: Pick<Info, "pv" | "multipv" | "time" | "depth">): void {
      if (multipv !== 1 || pv.length === 0) return;
      if (!isRight(position, pv[0])) since = null;
      else since ??= { time, depth };
    },
    since: () => since,
  };
}

/** Searches one position; null if the signal ended the search. */
export async function solve(
  engine: Pick<EngineLike, "analyse" | "newGame">, position: EpdPosition, limit: Limit, signal: AbortSignal,
): Promise<Answer | null> {
  const { fen, chess960 } = position;
  // An answer must not depend on the positions before.
  await engine.newGame();
  const start = performance.now();
  const followed = follow(position);
  const search = engine.analyse({ fen, chess960, [limit.kind]: limit.value, signal });
  let step = await search.next();
  for (; !step.done; step = await search.next()) followed.see(step.value);
  if (signal.aborted) return null;
  const total = Math.round(performance.now() - start);
  const move = step.value.move ? new Position(fen, { chess960, tolerant: true }).move(step.value.move) : null;
  const isSolved = move !== null && isRight(position, move.uci);
  const since = isSolved ? followed.since() ?? { time: total, depth: step.value.info?.depth ?? 0 } : null;
  return {
    key: keyOf(fen), found: move?.san ?? "", isSolved, time: since?.time ?? null, depth: since?.depth ?? null, total,
  };
}

export function summary(answers: readonly Answer[]): { solved: number; time: number } {
  return {
    solved: answers.filter(({ isSolved }) => isSolved).length,
    time: answers.reduce((sum, { total }) => sum + total, 0),
  };
}

export type Change = "gained" | "lost" | "same" | "new";

/** How the answers differ from those of a run before. */
export function compare(
  answers: readonly Answer[], before: Run,
): { changes: Map<string, Change>; gained: number; lost: number } {
  const old = new Map(before.answers.map(({ key, isSolved }) => [key, isSolved]));
  const changes = new Map<string, Change>();
  for (const { key, isSolved } of answers) {
    const was = old.get(key);
    changes.set(key, was === undefined ? "new" : was === isSolved ? "same" : isSolved ? "gained" : "lost");
  }
  const count = (wanted: Change) => [...changes.values()].filter((change) => change === wanted).length;
  return { changes, gained: count("gained"), lost: count("lost") };
}

/** The runs that share positions with a suite, newest first. */
export function runsOf(runs: readonly Run[], positions: readonly EpdPosition[]): Run[] {
  const keys = new Set(positions.map(({ fen }) => keyOf(fen)));
  return runs.filter(({ answers }) => answers.some(({ key }) => keys.has(key))).sort((a, b) => b.date - a.date);
}

const FORMAT = "bartizan-suite-runs";
/** Runs that are kept, and characters that they may take: storage is shared with the games of the page. */
export const MOST_RUNS = 40;
export const MOST_CHARACTERS = 1_500_000;

export const writeRuns = (runs: readonly Run[]): string => JSON.stringify({ format: FORMAT, version: 1, runs });

/** Reads what `writeRuns` wrote. The error says what is wrong. */
export function readRuns(text: string): Run[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error("this is not JSON");
  }
  if (!isObject(file) || file.format !== FORMAT) throw new Error("these are not runs of test suites");
  if (file.version !== 1) throw new Error("this file is of another version of the page");
  if (!Array.isArray(file.runs)) throw new Error("the file has no list of runs");
  return file.runs.map((run: unknown, at) => {
    const read = runOf(run);
    if (!read) throw new Error(`run ${at + 1} is damaged`);
    return read;
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 300;
const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

function runOf(value: unknown): Run | null {
  if (!isObject(value) || !isObject(value.limit) || !Array.isArray(value.answers)) return null;
  const { id, suite, engine, date } = value;
  const { kind, value: most } = value.limit;
  if (!isText(id) || !isText(suite) || !isText(engine) || !isCount(date) || !isCount(most)) return null;
  if (kind !== "movetime" && kind !== "nodes") return null;
  const answers = value.answers.map(answerOf);
  if (answers.length === 0 || !answers.every((answer) => answer !== null)) return null;
  return { id, suite, engine, date, limit: { kind, value: most }, answers };
}

function answerOf(value: unknown): Answer | null {
  if (!isObject(value)) return null;
  const { key, found, isSolved, time, depth, total } = value;
  if (!isText(key) || !isText(found) || typeof isSolved !== "boolean" || !isCount(total)) return null;
  if ((time !== null && !isCount(time)) || (depth !== null && !isCount(depth))) return null;
  return { key, found, isSolved, time, depth, total };
}

/** Two lists of runs in one, the newest first; a run is in it once. */
export function merged(runs: readonly Run[], more: readonly Run[]): Run[] {
  const all = new Map([...runs, ...more].map((run) => [run.id, run]));
  return [...all.values()].sort((a, b) => b.date - a.date);
}

type Store = Pick<Storage, "getItem" | "setItem">;
const KEY = "bartizan-board-suite-runs";

/** The runs in the browser's storage; none if they cannot be read. */
export function loadRuns(store: () => Store): Run[] {
  try {
    return readRuns(store().getItem(KEY) ?? "");
  } catch {
    return [];
  }
}

/** Keeps runs; says why they were not kept. Then the storage has what it had before. */
export function saveRuns(store: () => Store, runs: readonly Run[]): string | null {
  if (runs.length > MOST_RUNS) return `the browser keeps at most ${MOST_RUNS} runs`;
  const text = writeRuns(runs);
  if (text.length > MOST_CHARACTERS) return "the runs are too large for the browser";
  try {
    store().setItem(KEY, text);
    return null;
  } catch {
    return "the browser's storage is full or forbidden";
  }
}
