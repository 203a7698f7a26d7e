#!/usr/bin/env node
// The engine as a program that speaks UCI: `npx bartizan`.

import { Worker } from "node:worker_threads";
import { createInterface } from "node:readline";

const stops = new Int32Array(new SharedArrayBuffer(4));
const worker = new Worker(new URL("./worker.js", import.meta.url));
worker.postMessage({ start: { stops } });
worker.on("message", (message) => {
  if (typeof message === "string") process.stdout.write(`${message}\n`);
  else if (message.failed) complain(message.failed);
});
worker.on("error", (error) => complain(error.message));
worker.on("exit", () => lines.close());

/** @param {string} problem */
function complain(problem) {
  process.stderr.write(`bartizan: ${problem}\n`);
  process.exitCode = 1;
}

/** The last `go`. */
let search = "";
const lines = createInterface({ input: process.stdin, terminal: false });
lines.on("line", (line) => {
  if (/^\s*go\b/.test(line)) search = line;
  send(line);
});
lines.on("close", () => {
  // A search that ends by itself is completed.
  if (!/\b(depth|nodes|movetime|mate|perft|[wb]time)\b/.test(search) || /\b(infinite|ponder)\b/.test(search)) send("stop");
  worker.postMessage({ end: true });
});

/** @param {string} line */
function send(line) {
  // The worker does not hear a message while it searches.
  if (/^\s*(stop|ponderhit|quit)\b/.test(line)) Atomics.add(stops, 0, 1);
  worker.postMessage(line);
}
