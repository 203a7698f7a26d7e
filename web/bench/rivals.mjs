// Sizes and speeds of this package beside stockfish.js, chess.js and js-chess-engine, in one run:
//
//   npm install --prefix web/bench --ignore-scripts
//   node web/bench/rivals.mjs [seconds for each search [native engine]]
//
// An engine whose name does not end in .js is a program, such as target/release/bartizan.
// The other packages are yardsticks; nothing of them is part of this one.

import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Position, init } from "../src/rules.js";

const seconds = Number(process.argv[2] ?? 5);
const FENS = [
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 10",
  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
  "8/5pk1/4p1p1/3pP2p/3P1P1P/1p1K2P1/1P6/8 w - - 0 40",
];
const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const packages = here("./node_modules");
if (!existsSync(packages)) {
  console.error("the other packages are missing: npm install --prefix web/bench --ignore-scripts");
  process.exit(1);
}

/** The size of files, gzipped, in kB. @param {string[]} paths */
const zipped = (...paths) => paths.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0) / 1000;

const all = (/** @type {string} */ folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)).filter((path) => path.endsWith(".js"));

/**
 * The nodes a second of a UCI engine, a script for node or a program: the median over the positions.
 * @param {string} program
 */
async function nodesPerSecond(program) {
  const [command, ...args] = program.endsWith(".js") ? [process.execPath, program] : [program];
  const engine = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
  const speeds = [];
  engine.stdin.write("uci\nsetoption name Hash value 16\n");
  for (const fen of FENS) {
    engine.stdin.write(`ucinewgame\nposition fen ${fen}\ngo movetime ${seconds * 1000}\n`);
    let speed = 0;
    for (;;) {
      const { value, done } = await lines.next();
      if (done || value.startsWith("bestmove")) break;
      const nodes = / nodes (\d+)/.exec(value)?.[1];
      const time = / time (\d+)/.exec(value)?.[1];
      if (nodes && Number(time) > 0) speed = (1000 * Number(nodes)) / Number(time);
    }
    speeds.push(speed);
  }
  engine.kill();
  return speeds.sort((a, b) => a - b)[FENS.length >> 1];
}

/** Calls something for a second; returns the calls a second. @param {() => number} task returns what it counts */
function rate(task) {
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < 1000) count += task();
  return (1000 * count) / (performance.now() - start);
}

const millions = (/** @type {number} */ value) => `${(value / 1e6).toFixed(2)} million`;
const row = (/** @type {unknown[]} */ ...cells) => console.log(`| ${cells.join(" | ")} |`);

await init();
const { Chess } = await import("chess.js");
const stockfish = join(packages, "stockfish/bin/stockfish-19-lite-single");
row("engine", "kB gzipped", "nodes a second");
row("---", "---:", "---:");
row("bartizan", zipped(here("../dist/engine.wasm"), here("../dist/engine_bg.js")).toFixed(0), millions(await nodesPerSecond(here("../src/cli.js"))));
row("stockfish 19 lite single", zipped(`${stockfish}.wasm`, `${stockfish}.js`).toFixed(0), millions(await nodesPerSecond(`${stockfish}.js`)));
if (process.argv[3]) row("bartizan, native, one thread", "", millions(await nodesPerSecond(process.argv[3])));
row("js-chess-engine 2.4.6", zipped(...all(join(packages, "js-chess-engine/dist"))).toFixed(0), "-");
console.log();
row("rules", "kB gzipped", "perft leaves a second", "lists of legal moves in SAN a second");
row("---", "---:", "---:", "---:");
const position = new Position(FENS[2]);
const chess = new Chess(FENS[2]);
row(
  "bartizan/rules",
  zipped(here("../dist/rules.wasm"), here("../dist/rules_bg.js")).toFixed(0),
  millions(rate(() => Number(position.perft(4)))),
  rate(() => (position.legalMoves(), 1)).toFixed(0),
);
row(
  "chess.js",
  zipped(join(packages, "chess.js/dist/esm/chess.js")).toFixed(0),
  millions(rate(() => chess.perft(3))),
  rate(() => (chess.moves({ verbose: true }), 1)).toFixed(0),
);
