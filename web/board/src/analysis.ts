// The analysis of the position shown: a search that runs until another position is shown.

import { signal } from "@preact/signals";
import { message, type App, type BookMove, type EngineLike, type Evaluation, type Info } from "./store.ts";

export interface Request {
  fen: string;
  moves: string[];
  chess960: boolean;
  multipv: number;
  /** Milliseconds; without them the search runs until it is stopped. */
  movetime?: number;
  /** Whether only facts are asked for, without a search. */
  isQuiet?: boolean;
}

/** What the engine knows without a search; a part is missing where the engine cannot tell it. */
export interface Facts {
  evaluation?: Evaluation | null;
  book?: BookMove[];
}

export type Status = "off" | "loading" | "running" | "done" | "failed";

export interface Analysis {
  /** What the lines are of: the key of the request. */
  key: string;
  lines: Info[];
  status: Status;
  facts: Facts;
  error?: string;
}

export const IDLE: Analysis = { key: "", lines: [], status: "off", facts: {} };

/** What tells one request from another. */
export const keyOf = (request: Request): string => JSON.stringify(request);

/** Reports come faster than a page can show them. */
const INTERVAL = 120;

export function createAnalyser(app: App) {
  const state = signal<Analysis>(IDLE);
  let stop: AbortController | null = null;
  let wanted = "";
  let current: Request | null = null;

  async function run(request: Request, key: string, signal: AbortSignal): Promise<void> {
    let hasFailed = false;
    for (;;) {
      try {
        const { status } = state.peek();
        if (status === "off" || status === "failed") state.value = { ...IDLE, status: "loading" };
        const engine = await app.engine();
        if (signal.aborted) return;
        // A search would let the questions wait.
        const facts = await factsOf(engine, request);
        if (signal.aborted) return;
        if (request.isQuiet) {
          state.value = { key, lines: [], status: "done", facts };
          return;
        }
        await search(engine, request, key, facts, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        // The engine replaces a worker that has died.
        if (!hasFailed) {
          hasFailed = true;
          app.notify("The engine has stopped. It is started again.", "info");
          continue;
        }
        state.value = { ...IDLE, key, status: "failed", error: message(error) };
        return;
      }
    }
  }

  async function search(
    engine: EngineLike, request: Request, key: string, facts: Facts, signal: AbortSignal,
  ): Promise<void> {
    const lines: Info[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (status: Status) => {
      clearTimeout(timer);
      timer = undefined;
      if (!signal.aborted) state.value = { key, lines: lines.filter(Boolean), status, facts };
    };
    try {
      for await (const info of engine.analyse({ ...request, signal })) {
        if (signal.aborted) return;
        if (info.bound) continue;
        lines[info.multipv - 1] = info;
        if (state.peek().key !== key) show("running");
        else timer ??= setTimeout(show, INTERVAL, "running");
      }
      show("done");
    } finally {
      clearTimeout(timer);
    }
  }

  /** Analyses a position; the same request again changes nothing. */
  function start(request: Request): void {
    const key = keyOf(request);
    if (key === wanted) return;
    stop?.abort();
    stop = new AbortController();
    wanted = key;
    current = request;
    void run(request, key, stop.signal);
  }

  return {
    state, start,
    stop(): void {
      stop?.abort();
      stop = null;
      wanted = "";
      current = null;
      if (state.peek().status !== "off") state.value = IDLE;
    },
    /** Asks the engine something that would wait for the end of the search; then the search begins again. */
    interrupt<T>(ask: () => Promise<T>): Promise<T> {
      stop?.abort();
      const answer = ask();
      wanted = "";
      if (current) start(current);
      return answer;
    },
  };
}

/** Asks what the engine knows; a question that fails is left out. */
async function factsOf(engine: EngineLike, { fen, moves, chess960 }: Request): Promise<Facts> {
  const facts: Facts = {};
  const quietly = async (ask: () => Promise<void>) => {
    try {
      await ask();
    } catch {
      // The search says what is wrong.
    }
  };
  await quietly(async () => {
    facts.evaluation = await engine.evaluate?.({ fen, moves, chess960 });
  });
  await quietly(async () => {
    facts.book = await engine.bookMoves?.({ fen, moves, chess960 });
  });
  return facts;
}
