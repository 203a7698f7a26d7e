// What the views share: the open game, the node shown, the settings, the engine.

import { Engine, Position, type BestMove, type Info, type PgnGame } from "bartizan";
import { batch, signal, type Signal } from "@preact/signals";
import type { JSX } from "preact";
import { announce, notify } from "./announce.ts";
import { carriedFiles } from "./files.ts";
import type { Path } from "./tree.ts";

export type { BestMove, Info, Path, PgnGame };

/** The side at the bottom, or to move. */
export type Side = "w" | "b";

export interface Settings {
  /** The side at the bottom of the board. */
  orientation: Side;
  /** The colours of the squares. */
  squares: "blue" | "brown" | "green" | "grey";
  coordinates: boolean;
  /** Lines of the analysis, 1 to 5. */
  lines: number;
  /** Whether best moves are shown as arrows. */
  arrows: boolean;
  /** Whether the analysis runs. */
  analysing: boolean;
  /** The opponent's rating, 600 to 3000. */
  level: number;
  side: Side | "random";
  /** Minutes and seconds a move, "5+3"; "" for none. */
  clock: string;
  /** The address of a native engine, "ws://localhost:…"; "" for the one in the page. */
  native: string;
}

export const DEFAULTS: Settings = {
  orientation: "w", squares: "blue", coordinates: true, lines: 2, arrows: true,
  analysing: true, level: 1200, side: "w", clock: "", native: "",
};

/** A puzzle as the trainer of the reports takes it; its moves begin with the solver's. */
export type { BookMove, Evaluation, Puzzle, TablePosition } from "../../src/engine.js";

/** The methods of `Engine`. A native engine has the same, perhaps without those that ask for no search. */
export type EngineLike = Pick<
  Engine, "analyse" | "bestMove" | "play" | "review" | "explain" | "setOption" | "newGame" | "close"
> & Partial<Pick<Engine, "evaluate" | "bookMoves" | "setTables" | "probe" | "puzzles">>;

export type ViewName = "play" | "analyse" | "setup" | "games" | "puzzles" | "arena" | "review";

export interface App {
  /** The open game; replaced, never mutated, on each edit. */
  game: Signal<PgnGame>;
  /** The node shown. */
  path: Signal<Path>;
  /** The number of games opened so far. A game with the very tags of the open one is that game after an edit. */
  opened: Signal<number>;
  settings: Signal<Settings>;
  view: Signal<ViewName>;
  /** The shared engine for analysis. */
  engine(): Promise<EngineLike>;
  /** Another engine of the same kind, for play beside an analysis; the caller closes it. */
  newEngine(): Promise<EngineLike>;
  /** Opens a game without a question: the old one stays in the list of saved games. */
  openGame(game: PgnGame, path?: Path): void;
  openPosition(fen: string, chess960: boolean): void;
  /** Changes some of the settings. */
  set(changes: Partial<Settings>): void;
  /** Reads a text to users of screen readers. */
  announce(text: string): void;
  /** Shows a notice for some seconds. */
  notify(text: string, kind: "info" | "error"): void;
}

/**
 * A view. Those of `setup.tsx`, `games.tsx` and `arena.tsx` are loaded when they are first shown.
 */
export type View = (props: { app: App }) => JSX.Element;

/** A game without moves. */
export function emptyGame(fen?: string, chess960?: boolean): PgnGame {
  const start = new Position(fen, { chess960, tolerant: true });
  return {
    tags: {}, fen: start.fen, chess960: start.chess960, comment: "", moves: [], result: "*", errors: [],
  };
}

/** Starts an engine in the page; `hash` is in MiB. The caller closes it. */
export async function pageEngine(hash: number): Promise<EngineLike> {
  const { worker, wasm, book } = await carriedFiles();
  // From a disk, Chromium starts no modules as workers.
  return Engine.create({ hash, worker: worker ? () => new Worker(worker) : undefined, wasm, book });
}

type Connect = (address: string) => Promise<EngineLike>;

/** The rules must be loaded. `connect` reaches a native engine. */
export function createApp(connect?: Connect): App {
  const settings = signal(DEFAULTS);
  let shared: { address: string; engine: Promise<EngineLike> } | undefined;

  async function newEngine(): Promise<EngineLike> {
    const { native } = settings.peek();
    if (native && connect) {
      try {
        return await connect(native);
      } catch (error) {
        notify(`The engine at ${native} does not answer: ${message(error)} The one in the page is used.`, "error");
        app.set({ native: "" });
      }
    }
    return pageEngine(64);
  }

  const app: App = {
    game: signal(emptyGame()),
    path: signal<Path>([0]),
    opened: signal(0),
    settings,
    view: signal<ViewName>("play"),
    engine() {
      const { native } = settings.peek();
      if (shared?.address !== native) {
        void shared?.engine.then((old) => old.close()).catch(() => {});
        const engine = newEngine();
        const mine = { address: native, engine };
        shared = mine;
        // Another try begins afresh.
        engine.catch(() => {
          if (shared === mine) shared = undefined;
        });
      }
      return (shared as { engine: Promise<EngineLike> }).engine;
    },
    newEngine,
    openGame(game, path = [0]) {
      batch(() => {
        if (game.tags !== app.game.peek().tags) app.opened.value++;
        app.game.value = game;
        app.path.value = path;
      });
    },
    openPosition(fen, chess960) {
      app.openGame(emptyGame(fen, chess960));
    },
    set(changes) {
      settings.value = { ...settings.peek(), ...changes };
    },
    announce,
    notify,
  };
  return app;
}

/** An error in words. */
export function message(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
