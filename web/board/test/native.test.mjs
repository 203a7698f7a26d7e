// The page's side of `bartizan-server board`, with the real server: BARTIZAN_SERVER names it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Worker } from "node:worker_threads";
import WebSocket from "ws";
import { load } from "./load.mjs";

const program = process.env.BARTIZAN_SERVER;
const skip = program === undefined && "BARTIZAN_SERVER is not set";
const folder = mkdtempSync(join(tmpdir(), "bartizan-"));
writeFileSync(join(folder, "index.html"), "<p>");
/** @type {import("node:child_process").ChildProcess[]} */
const servers = [];
/** @type {typeof import("../src/native.ts")} */
let native;

/** Starts the server; returns the address of its engine. @param {string[]} args */
async function serve(...args) {
  const server = spawn(String(program), ["board", "--no-open", "--dir", folder, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.push(server);
  const line = String(await new Promise((done) => server.stdout?.once("data", done)));
  const [, host, token] = /^http:\/\/([^/]+)\/#token=(\w+)/.exec(line) ?? [];
  // In a browser, the page has this origin.
  globalThis.WebSocket = /** @type {any} */ (class extends WebSocket {
    /** @param {string | URL} address */
    constructor(address) {
      super(address, { origin: `http://${new URL(address).host}` });
    }
  });
  return `ws://${host}/engine?token=${token}`;
}

/** A worker of node as one of a browser. */
function wasm() {
  const worker = new Worker(new URL("../../src/worker.js", import.meta.url));
  /** @type {any} */
  const like = {
    postMessage: (/** @type {any} */ message) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
  };
  worker.on("message", (data) => like.onmessage?.({ data }));
  return like;
}

before(async () => {
  if (!skip) native = await load("native.ts");
});
after(() => {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true });
});

test("the native engine searches, plays and reviews", { skip }, async () => {
  const engine = await native.NativeEngine.connect(await serve("--hash", "4"), wasm);
  assert.match(engine.name, /^Bartizan/);
  const lines = new Map();
  for await (const info of engine.analyse({ depth: 6, multipv: 3 })) lines.set(info.multipv, info);
  assert.equal(lines.size, 3);
  let last = 0;
  for await (const info of engine.analyse({ moves: ["e2e4"] })) if ((last = info.depth) >= 5) break;
  assert.equal(last, 5);
  assert.ok((await engine.play({ rating: 1200, nodes: 1000 })).move);
  const mate = await engine.bestMove({ fen: "7k/8/6K1/8/8/8/8/R7 w - - 0 1", depth: 4 });
  assert.deepEqual([mate.move, mate.info?.score], ["a1a8", { type: "mate", value: 1 }]);
  await assert.rejects(engine.bestMove({ fen: "8/8/8/8/8/8/8/8 w - - 0 1" }), { kind: "fen" });
  await assert.rejects(engine.setOption("Hash", 512), { kind: "option" });
  // The engine of the page.
  const report = await engine.review("1. f3 e5 2. g4 Qh4# 0-1", { nodes: 2000 });
  assert.equal(report?.moves[2].class, "blunder");
  assert.equal((await engine.bestMove({ depth: 1 })).info?.depth, 1);
  await engine.close();
  await assert.rejects(engine.bestMove(), { kind: "closed" });
});

test("a connection that is refused is an error with a kind", { skip }, async () => {
  const address = await serve();
  await assert.rejects(native.connect(`${address}0`), { kind: "engine", message: /refused/ });
  await assert.rejects(native.connect("http://127.0.0.1/"), { kind: "engine", message: /no address/ });
});

test("another engine that dies is started again", { skip: skip || process.platform === "win32" }, async () => {
  const path = join(folder, "engine");
  writeFileSync(path, "#!/bin/sh\nwhile read -r line; do case $line in uci) printf 'id name S\\nuciok\\n';; " +
    "isready) echo readyok;; 'go depth 1') exit 1;; go*) echo info depth 1 seldepth 1 multipv 1 score cp 5 nodes 1 " +
    "nps 1 hashfull 0 time 1 pv e2e4; echo bestmove e2e4;; quit) exit;; esac; done\n");
  chmodSync(path, 0o755);
  const engine = await native.NativeEngine.connect(await serve("--engine", path), wasm);
  assert.equal((await engine.bestMove({ depth: 2 })).move, "e2e4");
  await assert.rejects(engine.bestMove({ depth: 1 }), { kind: "engine", message: /exit status: 1/ });
  assert.equal((await engine.bestMove({ depth: 2 })).move, "e2e4");
  // It has no levels and one line.
  assert.ok((await engine.play({ rating: 1000, nodes: 500 })).move);
  await assert.rejects(engine.analyse({ depth: 2, multipv: 3 }).next(), { kind: "option" });
  await engine.close();
});
