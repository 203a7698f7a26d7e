// The review of a game and puzzles: the markup of the reports and their modules.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { writePgn } from "bartizan";
import { enhanceGame } from "../../report/report.js";
import { createTrainer } from "../../report/trainer.js";
import { needsKey } from "./keys.ts";
import { boxStorage, keep, kept } from "./storage.ts";
import { message, type App, type PgnGame, type Puzzle, type Side } from "./store.ts";

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
    /** How many questions the review of the open game has. */
    questions: (): number => {
      const now = state.peek();
      if (now.kind !== "ready" || reviewed !== app.game.peek()) return 0;
      const { critical = [] } = now.review.report as { critical?: { values: object }[] };
      return critical.filter(({ values }) => Object.keys(values).length > 0).length;
    },
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
            Review this game
          </button>
        </div>
      )}
    </div>
  );
}

/** The side of the player in a game against the engine, else White. */
const sideOf = ({ tags }: PgnGame): Side => (tags.Black === "You" ? "b" : "w");

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
    const side = sideOf(app.game.peek());
    const viewer = enhanceGame(root, review.report, { side }) as { onKey: (key: string) => boolean };
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

/** What a game without puzzles is told. */
const outcome = signal<{ game: PgnGame; text: string } | null>(null);

/** Why a game has no puzzles, and what else there is to learn from it. */
function noPuzzles(app: App): string {
  const questions = reviewOf(app).questions();
  return "No puzzle was found in this game. A puzzle is a position with one good move, which was missed."
    + (questions > 0 ? " The review has questions about this game: see “What would you play here?”." : "");
}

/** The search for puzzles that runs. */
const search = signal<{ done: number; total: number; stop: AbortController } | null>(null);

async function findPuzzles(app: App): Promise<void> {
  const stop = new AbortController();
  search.value = { done: 0, total: 0, stop };
  outcome.value = null;
  const game = app.game.peek();
  app.announce("Looking for puzzles");
  try {
    const engine = await app.engine();
    if (!engine.puzzles) throw new Error("this engine does not look for puzzles");
    const found = await engine.puzzles(writePgn(game), {
      signal: stop.signal,
      onProgress: ({ done, total }) => (search.value = { done, total, stop }),
    });
    const { length } = found.puzzles;
    const what = length === 1 ? "A puzzle" : `${length} puzzles`;
    if (length === 0) {
      outcome.value = { game, text: noPuzzles(app) };
      return app.announce(outcome.value.text);
    }
    app.notify(`${what} found.`, "info");
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
    const { done, total } = running;
    return (
      <span class="finding">
        <progress max={total || undefined} value={done > 0 ? done : undefined} aria-label="Search for puzzles" />
        <span>Looking for puzzles{done > 0 ? `: position ${done} of ${total}` : " …"}</span>
        <button type="button" onClick={() => running.stop.abort()}>Cancel</button>
      </span>
    );
  }
  return (
    <>
      <button type="button" disabled={app.game.value.moves.length === 0} onClick={() => findPuzzles(app)}>
        Find puzzles in this game
      </button>
      {outcome.value?.game === app.game.value && <span class="found-none">{outcome.value.text}</span>}
    </>
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
      <p>Puzzles come from your games: positions with one good move, which a player missed. They come back here until
        you know them.</p>
      <div class="buttons">
        <FindPuzzles app={app} />
        <button type="button" onClick={() => (app.view.value = "games")}>Open a game</button>
      </div>
    </div>
  );
}
