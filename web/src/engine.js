// The engine for programs: it runs in a worker, and answers with typed results.

import { absolute } from "./load.js";
import { BartizanError } from "./rules/error.js";

const node = typeof process === "object" && process.versions?.node !== undefined && typeof globalThis.Worker !== "function";

/**
 * Relative addresses are resolved from the page, in node from the working folder.
 * @typedef {object} EngineOptions
 * @property {number} [hash] size of the hash table in MiB, 1 to 1024; default 16
 * @property {string | URL | Uint8Array} [wasm] address or bytes of the module; default: the one of the package
 * @property {string | URL} [network] address of another network in Bartizan's format
 * @property {string | URL | Uint8Array | null} [book] address or bytes of an opening book in the Polyglot format;
 *   default: the one of the package, loaded before the first move of a level; null for none
 * @property {string | URL | (() => WorkerLike)} [worker] address of the worker's script, where a bundler does not find
 *   it; or starts what answers in place of a worker
 * @property {"suspend" | "share" | "slice"} [way] how a search hears a stop; the default is the first that is possible
 */

/**
 * What an engine needs of a worker: it takes the messages of `worker.js` and gives its answers.
 * @typedef {object} WorkerLike
 * @property {(message: any) => void} postMessage
 * @property {() => void} terminate
 * @property {((event: any) => any) | null} onmessage
 * @property {((event: any) => any) | null} onerror
 */

/**
 * A position with the moves that led to it, so that repetitions count.
 * @typedef {object} PositionSpec
 * @property {string} [fen] the first position; default: the initial position
 * @property {string[]} [moves] moves in coordinate notation (`e2e4`, `e7e8q`)
 * @property {boolean} [chess960] whether castling is written as king takes rook
 */

/**
 * When to stop: at the first that is reached.
 * @typedef {object} LimitSpec
 * @property {number} [depth] plies
 * @property {number} [nodes] positions
 * @property {number} [movetime] milliseconds
 * @property {number} [mate] moves
 * @property {string[]} [searchmoves] the only moves to consider
 * @property {AbortSignal} [signal] ends the search with the result so far
 */

/**
 * A line of an analysis. Scores are from the view of the side to move.
 * @typedef {object} Info
 * @property {number} depth plies
 * @property {number} seldepth plies of the longest line
 * @property {number} multipv the rank of the line, from 1
 * @property {{ type: "cp" | "mate", value: number }} score centipawns, of which 100 mean that half of the games are won,
 *   or moves to mate
 * @property {"lower" | "upper"} [bound] set if the score is only a bound
 * @property {[number, number, number]} [wdl] chances to win, draw and lose, in thousandths
 * @property {number} nodes
 * @property {number} nps nodes a second
 * @property {number} hashfull thousandths
 * @property {number} time milliseconds
 * @property {string[]} pv the line in coordinate notation
 */

/**
 * @typedef {object} BestMove
 * @property {string | null} move in coordinate notation; null if no move is legal
 * @property {string | null} ponder the expected reply
 * @property {Info | null} info the last report of the best line; null for a book move
 */

/**
 * @typedef {object} Progress
 * @property {"positions" | "details"} stage
 * @property {number} done
 * @property {number} total
 */

/**
 * An evaluation without a search, from White's point of view, in centipawns.
 * @typedef {object} Evaluation
 * @property {number} value
 * @property {string[]} words what decides it, most important first
 * @property {{ name: string, white: number, black: number }[]} terms
 * @property {{ square: string, value: number }[]} pieces how the value changes without each piece
 */

/** A move of the opening book; `share` is how often it is played, from 0 to 1. */
/** @typedef {{ uci: string, san: string, share: number }} BookMove */

/**
 * A result from endgame tables, for the side to move.
 * @typedef {object} TableResult
 * @property {number} wdl 2 for a win, 1 for one that the 50-move rule prevents, 0 for a draw, -1 and -2 for losses
 * @property {number | null} dtz plies to the next capture or pawn move; null without DTZ tables
 */

/** What endgame tables say of a position and, best first, of its moves. */
/** @typedef {TableResult & { moves: (TableResult & { uci: string, san: string })[] }} TablePosition */

/** A Syzygy table: the name of its file, such as `KQvK.rtbw`, and its content. */
/** @typedef {{ name: string, bytes: Uint8Array }} TableFile */

/** @typedef {{ id: string, fen: string, moves: string[], themes: string[], source: string }} Puzzle */

/** A chess engine. Requests are served one after another; several engines work side by side. */
export class Engine {
  /**
   * Starts an engine.
   * @param {EngineOptions} [options]
   * @returns {Promise<Engine>}
   */
  static async create(options = {}) {
    const engine = new Engine(options);
    await engine.#worker();
    return engine;
  }

  #options;
  /** @type {Promise<WorkerPort> | undefined} */
  #running;
  /** The options that were set, for a worker that replaces one that has died. @type {Map<string, string>} */
  #set = new Map();
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve();
  #isClosed = false;
  #hasBook = false;
  /** The endgame tables, for a worker that replaces one that has died. @type {TableFile[]} */
  #tables = [];

  /** Use {@link Engine.create}. @param {EngineOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Sets a UCI option, such as `Contempt`.
   * @param {string} name
   * @param {string | number | boolean} value
   */
  async setOption(name, value) {
    await this.#serve(async (port) => {
      await this.#apply(port, name, String(value));
      this.#set.set(name, String(value));
    });
  }

  /** Forgets what the searches of the last game have found, before another game. */
  async newGame() {
    await this.#serve((port) => port.ask("ucinewgame"));
  }

  /**
   * Analyses a position and yields each line as it is found. Without a limit it goes on until the signal is aborted, or
   * the loop is left.
   * @param {PositionSpec & LimitSpec & { multipv?: number }} [request] `multipv` is the number of lines, default 1
   * @returns {AsyncGenerator<Info, BestMove>}
   */
  async *analyse(request = {}) {
    /** @type {Info[]} */
    const infos = [];
    let wake = () => {};
    const stop = new AbortController();
    const signals = [stop.signal, ...(request.signal ? [request.signal] : [])];
    const search = this.#serve((port) =>
      this.#search(port, { ...request, multipv: request.multipv ?? 1, level: null }, AbortSignal.any(signals), (info) => {
        infos.push(info);
        wake();
      }));
    let isOver = false;
    const end = search.then(() => undefined, () => undefined).then(() => {
      isOver = true;
      wake();
    });
    try {
      while (!isOver || infos.length > 0) {
        const info = infos.shift();
        if (info) yield info;
        else if (!isOver) await new Promise((done) => (wake = () => done(undefined)));
      }
    } finally {
      stop.abort();
      await end;
    }
    return search;
  }

  /**
   * The best move. Without a limit it takes a second.
   * @param {PositionSpec & LimitSpec} [request]
   * @returns {Promise<BestMove>}
   */
  bestMove(request = {}) {
    const limits = hasLimit(request) ? {} : { movetime: 1000 };
    return this.#serve((port) => this.#search(port, { ...request, ...limits, multipv: 1, level: null }, request.signal));
  }

  /**
   * The move of a player with a rating, who errs as people err: 600 is a beginner, from 3000 on it is the full engine.
   * The opening book is used as far as such a player knows it.
   * @param {PositionSpec & LimitSpec & { rating: number }} request
   * @returns {Promise<BestMove>}
   */
  play(request) {
    const limits = hasLimit(request) ? {} : { movetime: 1000 };
    return this.#serve(async (port) => {
      await this.#loadBook(port);
      return this.#search(port, { ...request, ...limits, multipv: 1, level: request.rating }, request.signal);
    });
  }

  /**
   * Reviews a game: judges each move, and says why it was a mistake.
   * @param {string} pgn the first game of this text is reviewed
   * @param {{ nodes?: number, critical?: number, skipped?: number, page?: boolean, signal?: AbortSignal,
   *   onProgress?: (progress: Progress) => void }} [options] `nodes` is the budget for each position, default 100,000;
   *   `critical` is the number of moments for which all moves are judged, default 8; the first `skipped` plies are not
   *   judged; with `page`, the report has the markup of a page
   * @returns {Promise<import("./review.js").GameReport | null>} null if the game has no moves
   */
  review(pgn, options = {}) {
    const { signal, onProgress, ...rest } = options;
    return this.#task({ review: { pgn, ...rest } }, signal, onProgress);
  }

  /**
   * Looks for puzzles in a game: positions in which a player missed the only good move.
   * @param {string} pgn the first game of this text
   * @param {{ nodes?: number, signal?: AbortSignal, onProgress?: (progress: Progress) => void }} [options] `nodes` is
   *   the budget for each move, default 50,000; ten times as many check a puzzle
   * @returns {Promise<{ puzzles: Puzzle[], page: string }>} `page` is the markup of a page with them
   */
  puzzles(pgn, options = {}) {
    const { signal, onProgress, ...rest } = options;
    return this.#task({ puzzles: { pgn, ...rest } }, signal, onProgress);
  }

  /**
   * Explains the last move of a game: its judgement, what was better, and why.
   * @param {PositionSpec & { nodes?: number, signal?: AbortSignal }} request
   * @returns {Promise<import("./review.js").MoveReport | null>} null without a move
   */
  explain({ fen = "", moves = [], nodes = 300_000, signal }) {
    const report = this.#task({ explain: { fen, moves: moves.join(" "), nodes } }, signal);
    return report.then((report) => report?.moves.at(-1) ?? null);
  }

  /**
   * The evaluation of a position in words, by terms and by pieces; null in check.
   * @param {PositionSpec} request
   * @returns {Promise<Evaluation | null>}
   */
  evaluate(request) {
    return this.#about("evaluation", request);
  }

  /**
   * The moves of the opening book, best first.
   * @param {PositionSpec} request
   * @returns {Promise<BookMove[]>}
   */
  bookMoves(request) {
    return this.#about("book", request);
  }

  /**
   * What the endgame tables say of a position; null if they do not cover it.
   * @param {PositionSpec} request
   * @returns {Promise<TablePosition | null>}
   */
  probe(request) {
    return this.#about("tables", request);
  }

  /**
   * Replaces the endgame tables, which searches use as well. They are kept in memory.
   * @param {TableFile[]} files
   * @returns {Promise<{ count: number, men: number }>} the number of files, and of pieces that they cover
   */
  setTables(files) {
    return this.#serve(async (port) => {
      const men = await port.request({ setTables: files });
      this.#tables = files;
      return { count: files.length, men };
    });
  }

  /** Ends the engine. Requests that are not served yet fail. */
  async close() {
    this.#isClosed = true;
    (await this.#running?.catch(() => undefined))?.end(new BartizanError({ kind: "closed", message: "the engine is closed" }));
  }

  /** @returns {Promise<WorkerPort>} */
  #worker() {
    this.#running ??= this.#start().catch((error) => {
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }

  async #start() {
    const { wasm, network, worker, way, hash } = this.#options;
    const port = new WorkerPort(worker);
    port.onEnd = () => {
      this.#running = undefined;
      this.#hasBook = false;
    };
    await port.start({ wasm: wasm && addressOrBytes(wasm), network: network && String(absolute(network)), way });
    if (hash !== undefined) await this.#apply(port, "Hash", String(hash));
    for (const [name, value] of this.#set) await this.#apply(port, name, value);
    if (this.#tables.length > 0) await port.request({ setTables: this.#tables });
    return port;
  }

  /**
   * Serves a request after those before it.
   * @template T
   * @param {(port: WorkerPort) => Promise<T>} task
   * @returns {Promise<T>}
   */
  #serve(task) {
    const done = this.#queue.then(async () => {
      if (this.#isClosed) throw new BartizanError({ kind: "closed", message: "the engine is closed" });
      return task(await this.#worker());
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  /**
   * A long task, which a signal can abort.
   * @param {object} request
   * @param {AbortSignal} [signal]
   * @param {(progress: Progress) => void} [onProgress]
   * @returns {Promise<any>}
   */
  #task(request, signal, onProgress) {
    return this.#serve((port) => {
      // A search in slices cannot be stopped within a review: then the worker is replaced.
      const stop = () => (port.way === "slice" ? this.#replace(port) : port.stop());
      return cancellable(signal, stop, () => port.request(request, onProgress));
    });
  }

  /**
   * What is known of a position without a search.
   * @param {"evaluation" | "book" | "tables"} about
   * @param {PositionSpec} position
   * @returns {Promise<any>}
   */
  #about(about, position) {
    return this.#serve(async (port) => {
      if (about === "book") await this.#loadBook(port);
      await this.#setPosition(port, position);
      return port.request({ about });
    });
  }

  /** @param {WorkerPort} port */
  async #loadBook(port) {
    if (this.#hasBook || this.#options.book === null) return;
    const book = this.#options.book ?? new URL("../dist/book.bin", import.meta.url);
    await port.request({ setBook: addressOrBytes(book) });
    this.#hasBook = true;
  }

  /** @param {WorkerPort} port @param {PositionSpec} position */
  async #setPosition(port, { fen, moves = [], chess960 = false }) {
    const command = `position ${fen ? `fen ${fen}` : "startpos"}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
    if (/[\r\n]/.test(command)) throw new BartizanError({ kind: "fen", message: "a position is one line" });
    await this.#apply(port, "UCI_Chess960", String(chess960));
    const answer = await port.ask(command);
    const error = answer.find((line) => line.startsWith("info string error: "));
    if (error) throw new BartizanError({ kind: fen ? "fen" : "move", message: error.slice("info string error: ".length) });
  }

  /** @param {WorkerPort} port */
  #replace(port) {
    port.end(new BartizanError({ kind: "aborted", message: "the request was aborted" }));
  }

  /** @param {WorkerPort} port @param {string} name @param {string} value */
  async #apply(port, name, value) {
    if (/[\r\n]/.test(name + value)) throw new BartizanError({ kind: "option", message: "an option is one line" });
    const lines = await port.ask(`setoption name ${name} value ${value}`);
    const error = lines.find((line) => line.startsWith("info string error: "));
    if (error) throw new BartizanError({ kind: "option", message: error.slice("info string error: ".length) });
  }

  /**
   * @param {WorkerPort} port
   * @param {PositionSpec & LimitSpec & { multipv: number, level: number | null }} request
   * @param {AbortSignal} [signal]
   * @param {(info: Info) => void} [onInfo]
   * @returns {Promise<BestMove>}
   */
  async #search(port, request, signal, onInfo) {
    const { multipv, level } = request;
    await this.#apply(port, "MultiPV", String(multipv));
    await this.#apply(port, "UCI_LimitStrength", String(level !== null));
    if (level !== null) await this.#apply(port, "UCI_Elo", String(Math.round(Math.min(Math.max(level, 600), 3000))));
    await this.#setPosition(port, request);
    if (signal?.aborted && !onInfo) throw new BartizanError({ kind: "aborted", message: "the request was aborted" });
    /** @type {Info | null} */
    let last = null;
    const stop = () => port.stop();
    signal?.addEventListener("abort", stop);
    try {
      const done = port.search(goCommand(request), (line) => {
        const info = parseInfo(line);
        if (!info) return;
        if (info.multipv === 1) last = info;
        onInfo?.(info);
      });
      if (signal?.aborted) stop();
      const [move, ponder] = await done;
      return { move, ponder, info: last };
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }
}

/** The worker of an engine. */
class WorkerPort {
  /** @type {any} */
  #worker;
  #stops = typeof SharedArrayBuffer === "function" ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  /** Takes the lines of the engine. @type {((line: string) => void) | undefined} */
  #onLine;
  /** What waits for an answer. @type {Set<(error: Error) => void>} */
  #waiting = new Set();
  /** @type {Map<number, { done: (result: any) => void, fail: (error: Error) => void, onProgress?: Function }>} */
  #requests = new Map();
  #number = 0;
  /** @type {(way: "suspend" | "share" | "slice") => void} */
  #onStart = () => {};
  #isOver = false;
  /** @type {"suspend" | "share" | "slice" | undefined} */
  way;
  onEnd = () => {};

  /** @param {string | URL | (() => WorkerLike)} [address] */
  constructor(address) {
    if (node && typeof address !== "function") {
      const { Worker } = process.getBuiltinModule("node:worker_threads");
      // Bundlers take the worker from the other branch.
      const script = new URL(/* @vite-ignore */ /* webpackIgnore: true */ "./worker.js", import.meta.url);
      this.#worker = new Worker(address ? absolute(address) : script);
      this.#worker.on("message", (/** @type {any} */ message) => this.#take(message));
      this.#worker.on("error", (/** @type {Error} */ error) => this.end(error));
      this.#worker.on("exit", () => this.end(new Error("the engine has ended")));
    } else {
      if (typeof address === "function") this.#worker = address();
      else this.#worker = address
        ? new Worker(address, { type: "module" })
        : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      this.#worker.onmessage = (/** @type {{ data: any }} */ event) => this.#take(event.data);
      this.#worker.onerror = (/** @type {{ message?: string }} */ event) =>
        this.end(new Error(event.message || "the worker's script cannot be loaded"));
    }
  }

  /** @param {object} options */
  async start(options) {
    this.way = await this.#wait((done) => {
      this.#onStart = done;
      this.#worker.postMessage({ start: { ...options, stops: this.#stops } });
    });
  }

  /** Ends the running task. */
  stop() {
    if (this.#stops) Atomics.add(this.#stops, 0, 1);
    this.#worker.postMessage("stop");
  }

  /**
   * Sends a command that is answered at once, and returns what the engine says to it.
   * @param {string} command
   * @returns {Promise<string[]>}
   */
  ask(command) {
    /** @type {string[]} */
    const lines = [];
    return this.#wait((done) => {
      this.#onLine = (line) => (line === "readyok" ? done(lines) : lines.push(line));
      // Two messages: `isready` waits for the command before it only if that is not running.
      this.#worker.postMessage(command);
      this.#worker.postMessage({ ready: true });
    });
  }

  /**
   * Sends a `go` and returns the best move and the expected reply.
   * @param {string} command
   * @param {(line: string) => void} onInfo
   * @returns {Promise<[string | null, string | null]>}
   */
  search(command, onInfo) {
    return this.#wait((done) => {
      this.#onLine = (line) => {
        const words = line.split(" ");
        if (words[0] !== "bestmove") return onInfo(line);
        const move = (/** @type {string | undefined} */ text) => (!text || text === "(none)" || text === "0000" ? null : text);
        done([move(words[1]), move(words[3])]);
      };
      this.#worker.postMessage(command);
    });
  }

  /**
   * @param {object} request
   * @param {(progress: Progress) => void} [onProgress]
   * @returns {Promise<any>}
   */
  request(request, onProgress) {
    const id = ++this.#number;
    return this.#wait((done, fail) => {
      this.#requests.set(id, { done, fail, onProgress });
      this.#worker.postMessage({ id, ...request });
    });
  }

  /** Ends the worker; what waits for it fails. @param {Error} error */
  end(error) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#worker.terminate();
    this.onEnd();
    for (const fail of [...this.#waiting]) fail(error);
  }

  /**
   * @template T
   * @param {(done: (result: T) => void, fail: (error: Error) => void) => void} begin
   * @returns {Promise<T>}
   */
  #wait(begin) {
    return new Promise((resolve, reject) => {
      const fail = (/** @type {Error} */ error) => {
        this.#waiting.delete(fail);
        reject(error);
      };
      this.#waiting.add(fail);
      begin((result) => {
        this.#waiting.delete(fail);
        resolve(result);
      }, fail);
    });
  }

  /** @param {any} message */
  #take(message) {
    if (typeof message === "string") return this.#onLine?.(message);
    if (message.started) return this.#onStart(message.started);
    if (message.failed) return this.end(new BartizanError({ kind: "engine", message: message.failed }));
    const request = this.#requests.get(message.id);
    if (!request) return;
    if (message.progress) return request.onProgress?.(message.progress);
    this.#requests.delete(message.id);
    if (message.error === undefined) request.done(message.result);
    else if (message.error === "stopped") request.fail(new BartizanError({ kind: "aborted", message: "the request was aborted" }));
    else request.fail(new BartizanError({ kind: "engine", message: message.error }));
  }
}

/**
 * Runs a task that a signal can abort.
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {() => void} stop
 * @param {() => Promise<T>} task
 * @returns {Promise<T>}
 */
async function cancellable(signal, stop, task) {
  if (signal?.aborted) throw new BartizanError({ kind: "aborted", message: "the request was aborted" });
  signal?.addEventListener("abort", stop);
  try {
    return await task();
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** What a worker can be sent. @param {string | URL | Uint8Array} source */
const addressOrBytes = (source) => (source instanceof Uint8Array ? source : String(absolute(source)));

/** @param {LimitSpec} limits */
const hasLimit = ({ depth, nodes, movetime, mate }) => [depth, nodes, movetime, mate].some((limit) => limit !== undefined);

/** @param {LimitSpec} request */
function goCommand(request) {
  const words = ["go"];
  for (const name of /** @type {const} */ (["depth", "nodes", "movetime", "mate"])) {
    const value = request[name];
    if (value === undefined) continue;
    if (!Number.isFinite(value) || value < 0) throw new BartizanError({ kind: "limit", message: `${name} is not a number from 0 on` });
    words.push(name, String(Math.round(value)));
  }
  if (!hasLimit(request)) words.push("infinite");
  if (request.searchmoves?.length) words.push("searchmoves", ...request.searchmoves);
  return words.join(" ").replaceAll(/[\r\n]/g, " ");
}

/**
 * @param {string} line
 * @returns {Info | null} null if it has no line of moves
 */
function parseInfo(line) {
  const words = line.split(" ");
  const pv = words.indexOf("pv");
  if (words[0] !== "info" || words[1] === "string" || pv < 0) return null;
  const number = (/** @type {string} */ name) => Number(words[words.indexOf(name) + 1]);
  const score = words.indexOf("score");
  const wdl = words.indexOf("wdl");
  const bound = words.includes("lowerbound") ? "lower" : words.includes("upperbound") ? "upper" : undefined;
  return {
    depth: number("depth"),
    seldepth: number("seldepth"),
    multipv: number("multipv"),
    score: { type: words[score + 1] === "mate" ? "mate" : "cp", value: Number(words[score + 2]) },
    ...(bound ? { bound } : {}),
    ...(wdl > 0 ? { wdl: /** @type {[number, number, number]} */ (words.slice(wdl + 1, wdl + 4).map(Number)) } : {}),
    nodes: number("nodes"),
    nps: number("nps"),
    hashfull: number("hashfull"),
    time: number("time"),
    pv: words.slice(pv + 1),
  };
}
