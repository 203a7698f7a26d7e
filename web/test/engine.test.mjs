// The engine in node.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { BartizanError, Engine } from "../src/index.js";

const FOOLS_MATE = "1. f3 e5 2. g4 Qh4# 0-1";

/** @type {Engine} */
let engine;
before(async () => {
  engine = await Engine.create({ hash: 8 });
});
after(() => engine.close());

test("three lines", async () => {
  const lines = new Map();
  for await (const info of engine.analyse({ depth: 8, multipv: 3 })) lines.set(info.multipv, info);
  assert.deepEqual([...lines.keys()].sort(), [1, 2, 3]);
  assert.equal(new Set([...lines.values()].map((info) => info.pv[0])).size, 3);
  assert.ok([...lines.values()].every((info) => info.depth >= 7 && info.score.type === "cp" && info.nodes > 0));
});

test("an analysis without a limit ends with its loop", async () => {
  let depth = 0;
  for await (const info of engine.analyse({ moves: ["e2e4"] })) {
    depth = info.depth;
    if (depth >= 6) break;
  }
  assert.equal(depth, 6);
  assert.equal((await engine.bestMove({ depth: 1 })).info?.depth, 1);
});

test("a signal ends an analysis", async () => {
  const stop = new AbortController();
  const analysis = engine.analyse({ signal: stop.signal });
  assert.equal((await analysis.next()).done, false);
  const start = performance.now();
  stop.abort();
  let last;
  do last = await analysis.next(); while (!last.done);
  assert.ok(last.value.move);
  assert.ok(performance.now() - start < 500);
  const aborted = AbortSignal.abort();
  await assert.rejects(engine.bestMove({ depth: 3, signal: aborted }), { kind: "aborted" });
});

test("mates", async () => {
  const { move, info } = await engine.bestMove({ fen: "7k/8/6K1/8/8/8/8/R7 w - - 0 1", depth: 6 });
  assert.deepEqual([move, info?.score], ["a1a8", { type: "mate", value: 1 }]);
  const mated = await engine.bestMove({ fen: "R6k/8/6K1/8/8/8/8/8 b - - 0 1", depth: 6 });
  assert.deepEqual([mated.move, mated.ponder], [null, null]);
});

test("a level plays from the book and differs", async () => {
  const moves = new Set();
  for (let game = 0; game < 8; game++) {
    await engine.newGame();
    moves.add((await engine.play({ rating: 1200 })).move);
  }
  assert.ok(moves.size > 1, [...moves].join());
  const fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
  assert.ok((await engine.play({ fen, rating: 700 })).move);
});

test("Chess960", async () => {
  const fen = "1k6/8/8/8/8/8/8/RK5R w AH - 0 1";
  const { move } = await engine.bestMove({ fen, chess960: true, searchmoves: ["b1h1"], depth: 4 });
  assert.equal(move, "b1h1");
});

test("a review", async () => {
  const steps = [];
  const report = await engine.review(FOOLS_MATE, { nodes: 3000, onProgress: (step) => steps.push(step) });
  assert.equal(report?.moves[2].class, "blunder");
  assert.match(report?.moves[2].reasons.join(" ") ?? "", /mate/);
  assert.equal(report?.counts[0].blunders, 1);
  assert.deepEqual([steps[0].done, steps[0].stage], [1, "positions"]);
  assert.equal(steps.at(-1)?.done, steps.at(-1)?.total);
  assert.equal(await engine.review('[White "Nobody"]\n\n*'), null);
  const move = await engine.explain({ moves: ["f2f3", "e7e5", "g2g4"], nodes: 3000 });
  assert.equal(move?.class, "blunder");
});

test("a review can be aborted, and the engine goes on", async () => {
  const stop = new AbortController();
  const long = engine.review("1. e4 e5 2. Nf3 Nc6 *", {
    nodes: 400_000,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await assert.rejects(long, { kind: "aborted" });
  assert.ok((await engine.bestMove({ depth: 2 })).move);
});

test("a review with the markup of a page", async () => {
  const report = await engine.review(FOOLS_MATE, { nodes: 500, critical: 1, page: true });
  assert.match(report?.page ?? "", /data-game="0"[^]*data-ply="4"/);
  assert.equal((await engine.review(FOOLS_MATE, { nodes: 500 }))?.page, undefined);
});

test("puzzles of a game", async () => {
  const done = /** @type {number[]} */ ([]);
  const pgn = "1. f3 e5 2. g4 d5 *";
  const { puzzles, page } = await engine.puzzles(pgn, { nodes: 2000, onProgress: (progress) => done.push(progress.done) });
  assert.deepEqual(puzzles.map(({ moves }) => moves), [["d8h4"]]);
  assert.match(page, /mate in 1/);
  assert.deepEqual(done, [0, 1, 2, 3]);
});

test("an evaluation in words and by pieces", async () => {
  const evaluation = await engine.evaluate({ fen: "4k3/8/8/8/8/8/PPP5/4K2R w K - 0 1" });
  assert.ok(evaluation && evaluation.value > 300);
  assert.ok(evaluation.words.length > 0 && evaluation.terms.some(({ white }) => white > 0));
  assert.ok((evaluation.pieces.find(({ square }) => square === "h1")?.value ?? 0) > 200);
  assert.equal(await engine.evaluate({ fen: "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1" }), null);
  await assert.rejects(engine.evaluate({ fen: "nonsense" }), { kind: "fen" });
});

test("the moves of the book", async () => {
  const moves = await engine.bookMoves({});
  assert.ok(moves.some(({ uci, san }) => uci === "e2e4" && san === "e4"));
  assert.ok(Math.abs(moves.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
  assert.deepEqual(await engine.bookMoves({ fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1" }), []);
});

test("endgame tables in memory", async () => {
  const file = (/** @type {string} */ name) => ({ name, bytes: readFileSync(new URL(`../../testdata/syzygy/${name}`, import.meta.url)) });
  assert.equal(await engine.probe({ fen: "4k3/8/8/8/8/8/8/4K2Q w - - 0 1" }), null);
  const files = ["KQvK.rtbw", "KQvK.rtbz"].map(file);
  assert.deepEqual(await engine.setTables(files), { count: 2, men: 3 });
  const probe = await engine.probe({ fen: "4k3/8/8/8/8/8/8/4K2Q w - - 0 1" });
  assert.equal(probe?.wdl, 2);
  assert.ok(probe.moves.length > 20 && probe.moves[0].wdl === 2);
  const damaged = { name: "KRvK.rtbw", bytes: files[0].bytes };
  await assert.rejects(engine.setTables([damaged]), /KRvK.rtbw/);
  await assert.rejects(engine.setTables([{ name: "x", bytes: new Uint8Array(3) }]), /not named as a table/);
  assert.equal((await engine.probe({ fen: "4k3/8/8/8/8/8/8/4K2Q w - - 0 1" }))?.wdl, 2);
});

test("errors say what is wrong", async () => {
  const fails = async (/** @type {Promise<unknown>} */ done, /** @type {string} */ kind, /** @type {RegExp} */ message) =>
    assert.rejects(done, (/** @type {BartizanError} */ error) => error.kind === kind && message.test(error.message));
  await fails(engine.bestMove({ fen: "8/8/8/8/8/8/8/8 w - - 0 1" }), "fen", /king/);
  await fails(engine.bestMove({ fen: "nonsense" }), "fen", /./);
  await fails(engine.bestMove({ moves: ["e2e5"] }), "move", /move 1: illegal move 'e2e5'/);
  await fails(engine.bestMove({ moves: ["e2e4\nquit"] }), "fen", /one line/);
  await fails(engine.bestMove({ depth: Number.NaN }), "limit", /depth/);
  await fails(engine.setOption("Hash", 5000), "option", /1024/);
  await fails(engine.setOption("Hahs", 5), "option", /Hash/);
  const cut = await engine.review("1. e4 e5 2. Ke3 *", { nodes: 500 });
  assert.equal(cut?.moves.length, 2);
  assert.match(cut?.problems[0] ?? "", /line 1.*Ke3/);
  await fails(engine.explain({ moves: ["e2e4", "e2e4"] }), "engine", /move 2/);
  assert.equal((await engine.bestMove({ depth: 1 })).info?.depth, 1);
});

test("a worker that dies is replaced", async () => {
  const engine = await Engine.create({ wasm: new URL("../dist/engine.wasm", import.meta.url), hash: 4 });
  await engine.setOption("Contempt", 20);
  await engine.review("1. e4 *", { nodes: 1 });
  const stop = new AbortController();
  // Slices are not stopped within a review.
  const sliced = await Engine.create({ way: "slice" });
  const review = sliced.review("1. e4 e5 *", { nodes: 300_000, signal: stop.signal, onProgress: () => stop.abort() });
  await assert.rejects(review, { kind: "aborted" });
  assert.ok((await sliced.bestMove({ depth: 3 })).move);
  await sliced.close();
  await engine.close();
  await assert.rejects(engine.bestMove(), { kind: "closed" });
});

test("a file that is no module or no network is told", async () => {
  const readme = new URL("../package.json", import.meta.url);
  await assert.rejects(Engine.create({ wasm: readme }), { kind: "engine" });
  await assert.rejects(Engine.create({ network: readme }), { kind: "engine" });
  await assert.rejects(Engine.create({ wasm: new URL("./nothing.wasm", import.meta.url) }), { kind: "engine" });
});

test("relative addresses are from the working folder", async () => {
  const file = (/** @type {string} */ name) =>
    relative(process.cwd(), fileURLToPath(new URL(`../${name}`, import.meta.url))).replaceAll("\\", "/");
  const files = { wasm: file("dist/engine.wasm"), book: file("dist/book.bin"), worker: file("src/worker.js") };
  const engine = await Engine.create({ ...files, hash: 4 });
  assert.ok((await engine.play({ rating: 1200 })).move);
  await engine.close();
});

for (const way of /** @type {const} */ (["share", "slice"])) {
  test(`stops: ${way}`, async () => {
    const engine = await Engine.create({ way });
    for (let round = 0; round < 20; round++) {
      const stop = new AbortController();
      const analysis = engine.analyse({ signal: stop.signal });
      await analysis.next();
      await new Promise((done) => setTimeout(done, Math.random() * 30));
      stop.abort();
      for await (const info of analysis) assert.ok(info);
    }
    await engine.close();
  });
}

/** Runs the program with lines on its input. @param {string} input */
function cli(input) {
  return new Promise((done, fail) => {
    const program = spawn(process.execPath, [new URL("../src/cli.js", import.meta.url).pathname]);
    let output = "";
    program.stdout.on("data", (data) => (output += data));
    program.stderr.on("data", (data) => (output += data));
    program.on("error", fail);
    program.on("close", () => done(output));
    program.stdin.end(input);
  });
}

test("the program speaks UCI", async () => {
  const output = await cli("uci\nisready\nposition startpos moves e2e4\ngo depth 5\n");
  assert.match(output, /^id name Bartizan/);
  for (const line of ["option name Hash type spin", "option name UCI_Elo", "uciok", "readyok"]) assert.ok(output.includes(line));
  assert.match(output, /bestmove \w+ ponder \w+\n$/);
  const perft = await cli("go perft 3\n");
  assert.match(perft, /Nodes searched: 8902/);
  assert.match(await cli("go infinite\n"), /bestmove/);
  assert.match(await cli("position fen 8/8/8/8/8/8/8/8 w - - 0 1\ngo depth 1\nnonsense\n"), /error: .*king[^]*bestmove \(none\)[^]*nonsense/);
});
