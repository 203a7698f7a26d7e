// The engine in Chromium: with stack switching, and without.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
const STOPS = Number(process.env.STOPS ?? 40);

for (const way of /** @type {const} */ (["suspend", "slice"])) {
  test(`in Chromium: ${way}`, { skip: executablePath ? false : "no Chromium" }, async (context) => {
    const server = await serve(new URL("..", import.meta.url).pathname);
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    context.after(async () => {
      await browser.close();
      server.close();
    });
    const page = await browser.newPage();
    /** @type {string[]} */
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(server.address);
    const result = await page.evaluate(async ({ way, stops }) => {
      const { Engine } = await import(/** @type {any} */ ("/src/index.js"));
      const start = performance.now();
      const engine = await Engine.create(way === "suspend" ? {} : { way });
      const lines = [];
      let first = 0;
      for await (const info of engine.analyse({ depth: 9, multipv: 3 })) {
        first ||= performance.now() - start;
        lines[info.multipv - 1] = info;
      }
      // The worker itself, as a program that knows stockfish.js uses it. `stop` is timed from its message to the answer.
      const worker = new Worker("/src/worker.js", { type: "module" });
      const said = [];
      let hear = (/** @type {string} */ line) => {};
      worker.onmessage = ({ data }) => {
        if (typeof data !== "string") return;
        said.push(data);
        hear(data);
      };
      const until = (/** @type {RegExp} */ pattern) =>
        new Promise((done) => (hear = (line) => pattern.test(line) && done(performance.now())));
      if (way === "slice") worker.postMessage({ start: { way } });
      worker.postMessage("uci");
      await until(/^uciok/);
      const times = [];
      for (let round = 0; round < stops; round++) {
        worker.postMessage("go infinite");
        await until(/^info depth [3-9]/);
        await new Promise((done) => setTimeout(done, Math.random() * 50));
        const asked = performance.now();
        worker.postMessage("stop");
        times.push((await until(/^bestmove/)) - asked);
      }
      worker.terminate();
      const moves = [];
      for (let ply = 0; ply < 12; ply++) moves.push((await engine.play({ moves, rating: 1200 })).move);
      const steps = [];
      const report = await engine.review("1. f3 e5 2. g4 Qh4# 0-1", { nodes: 2000, onProgress: (/** @type {any} */ s) => steps.push(s) });
      const error = await engine.bestMove({ fen: "x" }).catch((/** @type {any} */ error) => error.kind);
      await engine.close();
      return { first, lines, times, moves, steps: steps.length, blunder: report.moves[2].class, error };
    }, { way, stops: STOPS });
    assert.equal(result.lines.length, 3);
    assert.equal(result.moves.filter((move) => /^[a-h][1-8][a-h][1-8]/.test(move)).length, 12);
    assert.ok(result.steps > 3);
    assert.equal(result.blunder, "blunder");
    assert.equal(result.error, "fen");
    assert.deepEqual(problems, []);
    const sorted = result.times.toSorted((a, b) => a - b);
    // Reported, not asserted: the machine may be busy.
    const ms = (/** @type {number} */ time) => time.toFixed(1);
    context.diagnostic(`first answer after ${ms(result.first)} ms`);
    context.diagnostic(`${STOPS} stops: median ${ms(sorted[STOPS >> 1])} ms, greatest ${ms(sorted[STOPS - 1])} ms`);
    context.diagnostic(`${Math.max(...result.lines.map((info) => info.nps))} nodes a second`);
  });
}
