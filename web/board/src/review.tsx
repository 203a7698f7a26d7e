// The review of a game and puzzles: the markup of the reports and their modules.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { writePgn } from "bartizan";
import { enhanceGame } from "../../report/report.js";
import { createTrainer } from "../../report/trainer.js";
import { needsKey } from "./keys.ts";
import { boxStorage, keep, kept } from "./storage.ts";
import { message, type App, type PgnGame, type Puzzle } from "./store.ts";

interface Done {
  page: string;
  report: object;
}

type State =
  | { kind: "none" }
  | { kind: "running"; done: number; total: number }
  | { kind: "failed"; text: string }
  | { kind: "ready"; review: Done };

function createReview(app: App) {
  const state = signal<State>({ kind: "none" });
  let stop: AbortController | null = null;
  let reviewed: PgnGame | null = null;

  async function start(): Promise<void> {
    const game = app.game.peek();
    app.view.value = "review";
    if (game === reviewed && state.peek().kind === "ready") return;
    stop?.abort();
    const mine = stop = new AbortController();
    reviewed = game;
    state.value = { kind: "running", done: 0, total: 0 };
    try {
      const engine = await app.engine();
      const report = await engine.review(writePgn(game), {
        page: true, signal: mine.signal,
        onProgress: ({ done, total }) => {
          if (!mine.signal.aborted) state.value = { kind: "running", done, total };
        },
      });
      if (mine.signal.aborted) return;
      if (!report?.page) throw new Error(report ? "this engine does not write reviews" : "the game has no moves");
      state.value = { kind: "ready", review: { page: report.page, report } };
      app.announce("The review is ready.");
    } catch (error) {
      if (mine.signal.aborted) return;
      reviewed = null;
      state.value = { kind: "failed", text: message(error) };
    }
  }

  return {
    state, start,
    cancel: () => {
      stop?.abort();
      reviewed = null;
      state.value = { kind: "none" };
      app.view.value = "analyse";
    },
  };
}

const reviews = new WeakMap<App, ReturnType<typeof createReview>>();

export function reviewOf(app: App) {
  let review = reviews.get(app);
  if (!review) reviews.set(app, review = createReview(app));
  return review;
}

export function ReviewView({ app }: { app: App }) {
  const review = reviewOf(app);
  const state = review.state.value;
  if (state.kind === "ready") return <Report app={app} review={state.review} />;
  return (
    <div class="narrow box">
      <h1>Review</h1>
      {state.kind === "running" && (
        <>
          <p>The engine looks at every move.</p>
          <progress max={state.total || undefined} value={state.total ? state.done : undefined} aria-label="Progress" />
          <p class="muted">{state.total ? `${state.done} of ${state.total}` : "…"}</p>
          <button type="button" onClick={review.cancel}>Cancel</button>
        </>
      )}
      {state.kind === "failed" && (
        <>
          <p class="problem" role="alert">The review has failed: {state.text}</p>
          <div class="buttons">
            <button type="button" class="primary" onClick={() => review.start()}>Try again</button>
            <button type="button" onClick={review.cancel}>Back to the analysis</button>
          </div>
        </>
      )}
      {state.kind === "none" && (
        <div class="buttons">
          <button type="button" class="primary" disabled={app.game.value.moves.length === 0}
            onClick={() => review.start()}>
            Review the open game
          </button>
        </div>
      )}
    </div>
  );
}

/** The page of a report, which its modules make interactive. */
function Report({ app, review }: { app: App; review: Done }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    // The report escapes what is in a game.
    host.current.innerHTML = review.page;
    // The pieces are in this page already.
    for (const copy of host.current.querySelectorAll("svg symbol")) copy.closest("svg")?.remove();
    document.documentElement.classList.add("js");
    const root = host.current.querySelector("[data-game]") ?? host.current;
    const viewer = enhanceGame(root, review.report) as { onKey: (key: string) => boolean };
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (!needsKey(event.target as Element, event.key) && viewer.onKey(event.key)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [review]);
  return (
    <div class="report">
      <p class="buttons back">
        <button type="button" onClick={() => (app.view.value = "analyse")}>Back to the analysis</button>
        <FindPuzzles app={app} />
      </p>
      <div ref={host} />
    </div>
  );
}

const MOST = 500;
export const puzzles = signal<Puzzle[]>(stored());

function stored(): Puzzle[] {
  const list = kept("puzzles");
  return Array.isArray(list) ? list.filter(isPuzzle) : [];
}

function isPuzzle(value: unknown): value is Puzzle {
  const { id, fen, moves, themes } = (value ?? {}) as Partial<Puzzle>;
  return typeof id === "string" && typeof fen === "string" && Array.isArray(moves) && Array.isArray(themes);
}

/** Keeps puzzles for the trainer. */
export function addPuzzles(app: App, added: Puzzle[]): void {
  const ids = new Set(added.map(({ id }) => id));
  puzzles.value = [...puzzles.peek().filter(({ id }) => !ids.has(id)), ...added].slice(-MOST);
  keep(app, "puzzles", puzzles.peek());
}

/** The search for puzzles that runs. */
const search = signal<{ done: number; total: number; stop: AbortController } | null>(null);

async function findPuzzles(app: App): Promise<void> {
  const stop = new AbortController();
  search.value = { done: 0, total: 0, stop };
  try {
    const engine = await app.engine();
    if (!engine.puzzles) throw new Error("this engine does not look for puzzles");
    const found = await engine.puzzles(writePgn(app.game.peek()), {
      signal: stop.signal,
      onProgress: ({ done, total }) => (search.value = { done, total, stop }),
    });
    const { length } = found.puzzles;
    const what = length === 1 ? "A puzzle" : `${length} puzzles`;
    app.notify(length === 0 ? "This game has no puzzles." : `${what} found.`, "info");
    if (length === 0) return;
    addPuzzles(app, found.puzzles);
    app.view.value = "puzzles";
  } catch (error) {
    if (!stop.signal.aborted) app.notify(`The search for puzzles has failed: ${message(error)}`, "error");
  } finally {
    search.value = null;
  }
}

function FindPuzzles({ app }: { app: App }) {
  const running = search.value;
  if (running) {
    return (
      <span class="finding">
        <progress max={running.total || undefined} value={running.total ? running.done : undefined}
          aria-label="Search for puzzles" />
        <button type="button" onClick={() => running.stop.abort()}>Cancel</button>
      </span>
    );
  }
  return (
    <button type="button" disabled={app.game.value.moves.length === 0} onClick={() => findPuzzles(app)}>
      Find puzzles in the open game
    </button>
  );
}

export function PuzzlesView({ app }: { app: App }) {
  const host = useRef<HTMLDivElement>(null);
  const list = puzzles.value;
  useEffect(() => {
    if (host.current && list.length > 0) createTrainer(host.current, list, { storage: boxStorage(app) });
  }, [list]);
  if (list.length > 0) {
    return (
      <div class="report trainer">
        <div ref={host} />
        <p class="buttons"><FindPuzzles app={app} /></p>
      </div>
    );
  }
  return (
    <div class="narrow box">
      <h2>Puzzles</h2>
      <p>Puzzles come from your games: positions in which a player missed the only good move. They come back here until
        you know them.</p>
      <div class="buttons">
        <FindPuzzles app={app} />
        <button type="button" onClick={() => (app.view.value = "games")}>Open a game</button>
      </div>
    </div>
  );
}
