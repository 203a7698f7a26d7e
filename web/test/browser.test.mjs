// The engine in Chromium, with stack switching and without, and in Firefox.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";
import { serve } from "./serve.mjs";

const found = (/** @type {string[]} */ ...paths) => paths.find((path) => existsSync(path));
const chromiumPath = process.env.CHROMIUM ?? found("/usr/bin/chromium", "/usr/bin/google-chrome");
const firefoxPath = process.env.FIREFOX ?? found("/usr/bin/firefox-esr", "/usr/bin/firefox");
const STOPS = Number(process.env.STOPS ?? 40);

const inChromium = () => chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
const inFirefox = () => puppeteer.launch({ browser: "firefox", executablePath: firefoxPath });

for (const [name, path, launch, way] of /** @type {const} */ ([
  ["Chromium, suspended", chromiumPath, inChromium, "suspend"],
  ["Chromium, in slices", chromiumPath, inChromium, "slice"],
  ["Firefox", firefoxPath, inFirefox, undefined],
])) {
  test(`in ${name}`, { skip: path ? false : "not installed" }, async (context) => {
    const server = await serve(new URL("..", import.meta.url).pathname);
    const browser = await launch();
    context.after(async () => {
      await browser.close();
      server.close();
    });
    const page = await browser.newPage();
    /** @type {string[]} */
    const problems = [];
    page.on("pageerror", (/** @type {unknown} */ error) => problems.push(String(error)));
    await page.goto(server.address);
    const result = await page.evaluate(async ({ way, stops }) => {
      const { Engine } = await import(/** @type {any} */ ("/src/index.js"));
      const start = performance.now();
      const engine = await Engine.create(way === "slice" ? { way } : {});
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
      let started = "";
      worker.addEventListener("message", ({ data }) => (started ||= data.started ?? ""));
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
      return { first, started, lines, times, moves, steps: steps.length, blunder: report.moves[2].class, error };
    }, { way, stops: STOPS });
    if (way) assert.equal(result.started, way);
    assert.equal(result.lines.length, 3);
    assert.equal(result.moves.filter((move) => /^[a-h][1-8][a-h][1-8]/.test(move)).length, 12);
    assert.ok(result.steps > 3);
    assert.equal(result.blunder, "blunder");
    assert.equal(result.error, "fen");
    assert.deepEqual(problems, []);
    const sorted = result.times.toSorted((a, b) => a - b);
    // Reported, not asserted: the machine may be busy.
    const ms = (/** @type {number} */ time) => time.toFixed(1);
    context.diagnostic(`way: ${result.started}`);
    context.diagnostic(`first answer after ${ms(result.first)} ms`);
    context.diagnostic(`${STOPS} stops: median ${ms(sorted[STOPS >> 1])} ms, greatest ${ms(sorted[STOPS - 1])} ms`);
    context.diagnostic(`${Math.max(...result.lines.map((info) => info.nps))} nodes a second`);
  });
}
