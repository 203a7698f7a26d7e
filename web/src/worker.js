// The engine as a worker. It speaks UCI as stockfish.js does: a message is a command, each answer is a line. Messages
// that are objects are those of `Engine`.

import { EngineSession } from "./session.js";
import { bytesOf } from "./load.js";

/** @type {any} */
const port = typeof self === "object" && typeof postMessage === "function"
  ? self
  : process.getBuiltinModule("node:worker_threads").parentPort;

/** Commands that came while the module was loading. @type {unknown[]} */
let early = [];
/** @type {EngineSession | undefined} */
let session;
let isStarting = false;
/** The request that is served. */
let current = 0;

/** @param {import("./session.js").SessionOptions & { network?: string }} options */
async function start(options) {
  isStarting = true;
  try {
    session = await EngineSession.create({
      ...options,
      onLine: (line) => port.postMessage(line),
      onProgress: (stage, done, total) => port.postMessage({ id: current, progress: { stage, done, total } }),
    });
    if (options.network) await session.setNetwork(await bytesOf(options.network));
    port.postMessage({ started: session.way });
    const waiting = early;
    early = [];
    waiting.forEach(take);
  } catch (error) {
    port.postMessage({ failed: String(error instanceof Error ? error.message : error) });
  }
}

/** @param {any} message */
async function take(message) {
  if (typeof message === "object" && message?.start) return start(message.start);
  if (!session) {
    early.push(message);
    // A program that knows only UCI does not start the engine.
    if (!isStarting) start(/** @type {any} */ ({}));
    return;
  }
  if (typeof message === "string") {
    for (const line of message.split(/\r\n|\r|\n/)) {
      session.command(line).then((goesOn) => goesOn || close(), fail);
    }
    return;
  }
  const { id, ready, end, ...request } = message;
  try {
    if (ready) {
      await session.idle();
      port.postMessage("readyok");
    } else if (end) {
      await session.idle();
      close();
    } else {
      current = id;
      port.postMessage({ id, result: await serve(session, request) });
    }
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) fail(error);
    port.postMessage({ id, error: String(error instanceof Error ? error.message : error) });
  }
}

/**
 * Serves a request of `Engine`.
 * @param {EngineSession} session
 * @param {Record<string, any>} request with one name
 */
async function serve(session, { review, explain, puzzles, setBook, setTables, about }) {
  if (review) return JSON.parse(await session.review(review.pgn, review));
  if (explain) return JSON.parse(await session.explain(explain.fen, explain.moves, explain.nodes));
  if (puzzles) return JSON.parse(await session.puzzles(puzzles.pgn, puzzles.nodes));
  if (setBook) return session.setBook(setBook instanceof Uint8Array ? setBook : await bytesOf(setBook));
  if (setTables) return session.setTables(setTables);
  if (about === "evaluation") return JSON.parse(await session.evaluation());
  if (about === "book") return JSON.parse(await session.bookMoves());
  if (about === "tables") return JSON.parse(await session.probe());
  throw new Error("unknown request");
}

/** The module has failed: nothing that it says can be trusted. @param {unknown} error */
function fail(error) {
  port.postMessage({ failed: String(error) });
  close();
}

function close() {
  if (typeof self === "object" && typeof self.close === "function") self.close();
  else port.close();
}

if (typeof port.on === "function") port.on("message", take);
else port.onmessage = (/** @type {MessageEvent} */ event) => take(event.data);
