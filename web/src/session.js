// The engine's module in this thread: instantiates it, runs its tasks, and lets it hear a stop.

import * as glue from "../dist/engine_bg.js";
import { hasSimd, instantiate } from "./load.js";

// What `Session.command` and `Session.run` return.
const RUN = 1;
const RUN_AGAIN = 2;
const HOLD = 3;
const QUIT = 4;

/** How a search hears a stop, the first that is possible: it is suspended, it reads shared memory, it runs in slices. */
export const WAYS = /** @type {const} */ (["suspend", "share", "slice"]);

/** Lets the events happen that wait. A timer would take 4 ms. */
const turn = (() => {
  if (typeof setImmediate === "function") return () => new Promise((done) => setImmediate(done));
  const { port1, port2 } = new MessageChannel();
  /** @type {((value?: unknown) => void)[]} */
  const waiting = [];
  port1.onmessage = () => waiting.shift()?.();
  return () => new Promise((done) => {
    waiting.push(done);
    port2.postMessage(0);
  });
})();

/**
 * @typedef {object} SessionOptions
 * @property {(line: string) => void} onLine takes the engine's lines
 * @property {(stage: string, done: number, total: number) => void} [onProgress] takes the progress of a review
 * @property {Int32Array} [stops] shared memory with the number of stops that were sent, each before its message
 * @property {(typeof WAYS)[number]} [way] how a search hears a stop; tests choose
 * @property {import("./load.js").WasmSource} [wasm] the module
 */

/** One engine. Commands are executed one after another. */
export class EngineSession {
  /** @param {SessionOptions} options */
  static async create(options) {
    const session = new EngineSession(options);
    await session.#load(options.wasm ?? ownModule());
    return session;
  }

  /** @type {glue.Session | undefined} */
  #session;
  #options;
  #stopped = false;
  /** The number of stops that came as messages. */
  #heard = 0;
  /** @type {(() => void) | undefined} */
  #wake;
  /** The commands so far. @type {Promise<unknown>} */
  #queue = Promise.resolve();
  #isRunning = false;
  /** @type {(typeof WAYS)[number]} */
  way;

  /** @param {SessionOptions} options */
  constructor(options) {
    this.#options = options;
    const canSuspend = "Suspending" in WebAssembly && "promising" in WebAssembly;
    this.way = options.way ?? (canSuspend ? "suspend" : options.stops ? "share" : "slice");
  }

  /** @param {import("./load.js").WasmSource} wasm */
  async #load(wasm) {
    const imports = /** @type {Record<string, any>} */ ({ ...glue });
    const instance = await instantiate(wasm, { "./engine_bg.js": imports }, (module) => {
      if (this.way !== "suspend") return;
      const pause = WebAssembly.Module.imports(module).find(({ name }) => name.startsWith("__wbg_pause_"));
      if (!pause) throw new Error("the module does not pause");
      // @ts-ignore: not in TypeScript yet
      imports[pause.name] = new WebAssembly.Suspending(imports[pause.name]);
    });
    /** @type {Record<string, any>} */
    const exports = { ...instance.exports };
    // @ts-ignore: not in TypeScript yet
    if (this.way === "suspend") exports.session_run = WebAssembly.promising(exports.session_run);
    glue.__wbg_set_wasm(exports);
    exports.__wbindgen_start();
    this.#session = new glue.Session(this.#host(), seed(), this.way === "slice");
  }

  #host() {
    const { onLine, onProgress, stops } = this.#options;
    const pauses = {
      suspend: async () => {
        await turn();
        return Number(this.#stopped);
      },
      // A stop that was sent, but not heard as a message.
      share: () => Number(stops !== undefined && Atomics.load(stops, 0) > this.#heard),
      slice: () => 0,
    };
    return {
      now: () => performance.now(),
      pause: pauses[this.way],
      line: onLine,
      progress: (/** @type {string} */ stage, /** @type {number} */ done, /** @type {number} */ total) =>
        onProgress?.(stage, done, total),
    };
  }

  /** Ends the running task. */
  stop() {
    this.#stopped = true;
    this.#heard++;
    if (this.#isRunning) glue.stop();
    this.#wake?.();
  }

  /**
   * Executes a UCI command after those before; returns whether the engine goes on.
   * @param {string} line
   * @returns {Promise<boolean>}
   */
  command(line) {
    const word = line.trim().split(/\s+/, 1)[0];
    // A ponder hit ends pondering with the move found so far.
    if (word === "stop" || word === "ponderhit") {
      this.stop();
      return Promise.resolve(true);
    }
    if (word === "isready" && this.#isRunning) {
      this.#options.onLine("readyok");
      return Promise.resolve(true);
    }
    if (word === "quit") this.stop();
    const heard = this.#heard;
    return this.#enqueue(async (session) => {
      // A stop that came after this command is for it, or for one before.
      this.#stopped = this.#heard > heard;
      const next = session.command(line, seed());
      if (next === QUIT) return false;
      await this.#finish(session, next);
      return true;
    });
  }

  /** Waits for the end of all commands. */
  async idle() {
    await this.#queue;
  }

  /**
   * Reviews the first game of a PGN text; the result is JSON.
   * @param {string} pgn
   * @param {{ skipped?: number, nodes?: number, critical?: number, page?: boolean }} options
   */
  review(pgn, { skipped = 0, nodes = 100_000, critical = 8, page = false } = {}) {
    return this.#task((session) => session.prepare_review(pgn, skipped, nodes, critical, page));
  }

  /**
   * Reviews the last move of a game; the result is JSON.
   * @param {string} fen empty for the initial position
   * @param {string} moves in coordinate notation, separated by spaces
   * @param {number} nodes
   */
  explain(fen, moves, nodes) {
    return this.#task((session) => session.prepare_explanation(fen, moves, nodes));
  }

  /**
   * Looks for puzzles in the first game of a PGN text; the result is JSON.
   * @param {string} pgn
   * @param {number} [nodes]
   */
  puzzles(pgn, nodes = 50_000) {
    return this.#task((session) => session.prepare_puzzles(pgn, nodes));
  }

  /**
   * @param {(session: glue.Session) => void} prepare
   * @returns {Promise<string>}
   */
  #task(prepare) {
    return this.#enqueue(async (session) => {
      this.#stopped = false;
      prepare(session);
      await this.#finish(session, RUN);
      return session.take_result();
    });
  }

  /** The evaluation of the position in words and by pieces, as JSON. */
  evaluation() {
    return this.#enqueue(async (session) => session.evaluation());
  }

  /** The book's moves in the position, as JSON. */
  bookMoves() {
    return this.#enqueue(async (session) => session.book_moves());
  }

  /** What the endgame tables say of the position, as JSON. */
  probe() {
    return this.#enqueue(async (session) => session.probe());
  }

  /**
   * Replaces the endgame tables. Returns the number of pieces that they cover.
   * @param {{ name: string, bytes: Uint8Array }[]} files
   */
  setTables(files) {
    return this.#enqueue(async (session) => {
      for (const { name, bytes } of files) session.add_table(name, bytes);
      return session.use_tables();
    });
  }

  /**
   * Replaces the opening book by one in the Polyglot format.
   * @param {Uint8Array} bytes
   */
  setBook(bytes) {
    return this.#enqueue(async (session) => session.set_book(bytes));
  }

  /**
   * Replaces the network by one in Bartizan's format.
   * @param {Uint8Array} bytes
   */
  setNetwork(bytes) {
    return this.#enqueue(async (session) => session.set_network(bytes));
  }

  /**
   * @template T
   * @param {(session: glue.Session) => Promise<T>} task
   * @returns {Promise<T>}
   */
  #enqueue(task) {
    const done = this.#queue.then(() => {
      if (!this.#session) throw new Error("the engine is closed");
      return task(this.#session);
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  /**
   * Runs a task to its end.
   * @param {glue.Session} session
   * @param {number} next
   */
  async #finish(session, next) {
    this.#isRunning = true;
    try {
      while (next === RUN || next === RUN_AGAIN) {
        // A stop may have come before the task, in the same turn.
        if (this.#stopped) glue.stop();
        next = await session.run();
        if (next === RUN_AGAIN) await turn();
      }
      if (next === HOLD) {
        await this.#untilStopped();
        session.release();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #untilStopped() {
    if (!this.#stopped) await new Promise((done) => (this.#wake = () => done(undefined)));
    this.#wake = undefined;
  }
}

/** The module of the package. A worker that is given one may have no address of its own. */
function ownModule() {
  return hasSimd()
    ? new URL("../dist/engine.wasm", import.meta.url)
    : new URL("../dist/engine-plain.wasm", import.meta.url);
}

/** A number that differs each time. */
function seed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}
