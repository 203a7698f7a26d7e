// Test suites: reading EPD, judging answers, runs in storage.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Engine, init } from "../../src/index.js";
import { load } from "./load.mjs";

await init();
const { parseEpd, MOST_POSITIONS } = await load("epd.ts");
const suite = await load("suite.ts");
const { SUITES } = await load("suites.ts");

const MATE = '6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id "back rank";';

test("operations are read, unknown ones are kept", () => {
  const { positions, problems } = parseEpd(`\ufeff# a comment\r\n\r\n${MATE}\n`
    + 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O Ke2; am Kf1; ce +35; acd 12; c0 "a; b"; xyz 1 "two words"; hmvc 7; fmvn 30\n'
    + "6k1/5ppp/8/8/8/8/8/R5K1 w - - 3 40 am Kf1;");
  assert.deepEqual(problems, []);
  assert.deepEqual(positions.map(({ id }) => id), ["back rank", "line 4", "line 5"]);
  assert.deepEqual(positions[0].best, [{ san: "Ra8#", uci: "a1a8" }]);
  assert.equal(positions[1].fen, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 30");
  assert.deepEqual(positions[1].best.map(({ san }) => san), ["O-O", "Ke2"]);
  assert.deepEqual(positions[1].operations.c0, ["a; b"]);
  assert.deepEqual(positions[1].operations.xyz, ["1", "two words"]);
  assert.deepEqual(positions[1].operations.ce, ["+35"]);
  assert.equal(positions[2].fen, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 3 40");
});

test("a bad line is told with its place, good ones stay", () => {
  const bad = [
    ["hello", 1, /four fields/],
    ["6k1/5ppp/8/8/8/8/8/R5K1 x - - bm Ra8#;", 25, /unexpected 'x' in the side to move$/],
    ["  6k1/5ppp/8/9/8/8/8/R5K1   w - - bm Ra8#;", 14, /board/],
    ["6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8# Rb9;", 39, /Rb9/],
    ["6k1/5ppp/8/8/8/8/8/R5K1 w - - id \"🙂\"; bm Qh5;", 42, /Qh5/],
    ["6k1/5ppp/8/8/8/8/8/R5K1 w - - id \"none\";", 30, /neither/],
    ["6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; c0 \"open;", 43, /no end/],
    ["6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; bm Ra7;", 40, /twice/],
    ["6k1/5ppp/8/8/8/8/8/R5K1 w - - 17 bm;", 31, /name of an operation/],
    ["8/8/8/8/8/8/8/8 w - - bm Ra8#;", 1, /king/],
  ];
  const { positions, problems } = parseEpd(bad.map(([line]) => `${line}\n${MATE}\n`).join(""));
  assert.equal(positions.length, bad.length);
  assert.deepEqual(problems.map(({ line, column }) => [line, column]), bad.map(([, column], at) => [2 * at + 1, column]));
  for (const [at, [, , message]] of bad.entries()) assert.match(problems[at].message, message);
});

test("a suite has a bound", () => {
  const { positions, problems } = parseEpd(`${MATE}\n`.repeat(MOST_POSITIONS + 5));
  assert.equal(positions.length, MOST_POSITIONS);
  assert.equal(problems.length, 1);
});

test("the suites of the page are those of testdata", async () => {
  let count = 0;
  for (const { epd } of SUITES) {
    const { positions, problems } = parseEpd(epd);
    assert.deepEqual(problems, []);
    count += positions.length;
    const file = positions[0].id.split(" ")[0];
    const known = parseEpd(await readFile(new URL(`../../../testdata/epd/${file}.epd`, import.meta.url), "utf8"));
    const byId = new Map(known.positions.map((position) => [position.id, position]));
    for (const { id, fen, best } of positions) {
      assert.deepEqual({ fen, best }, { fen: byId.get(id)?.fen, best: byId.get(id)?.best });
    }
  }
  assert.equal(count, 60);
});

test("a move found for good is the last change to a right one", () => {
  const position = { best: [{ uci: "a1a8" }, { uci: "a1a7" }], avoid: [{ uci: "a1a7" }] };
  assert.equal(suite.isRight(position, "a1a8"), true);
  assert.equal(suite.isRight(position, "a1a7"), false);
  assert.equal(suite.isRight({ best: [], avoid: position.avoid }, "a1a6"), true);
  const followed = suite.follow(position);
  const see = (move, depth) => followed.see({ pv: [move], multipv: 1, time: depth * 10, depth });
  for (const [at, move] of ["a1a8", "a1a2", "a1a8", "a1a8"].entries()) see(move, at + 1);
  followed.see({ pv: ["g1g2"], multipv: 2, time: 99, depth: 9 });
  assert.deepEqual(followed.since(), { time: 30, depth: 3 });
  see("g1g2", 5);
  assert.equal(followed.since(), null);
});

test("the engine solves a mate, and a stop gives no answer", async () => {
  const engine = await Engine.create({ hash: 4 });
  try {
    const [position] = parseEpd(MATE).positions;
    const limit = { kind: "nodes", value: 20_000 };
    const answer = await suite.solve(engine, position, limit, new AbortController().signal);
    assert.equal(answer.isSolved, true);
    assert.equal(answer.found, "Ra8#");
    assert.ok(answer.time <= answer.total + 5 && answer.depth >= 1);
    const [wrong] = parseEpd("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Kf1;").positions;
    const other = await suite.solve(engine, wrong, limit, new AbortController().signal);
    assert.deepEqual([other.isSolved, other.time, other.depth], [false, null, null]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const [long] = parseEpd("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5;").positions;
    assert.equal(await suite.solve(engine, long, { kind: "movetime", value: 60_000 }, stop.signal), null);
  } finally {
    await engine.close();
  }
});

const answer = (key, isSolved) => ({ key, found: "Ra8#", isSolved, time: isSolved ? 3 : null, depth: isSolved ? 2 : null, total: 10 });
const run = (id, date, answers) =>
  ({ id, suite: "Mates", engine: "Bartizan", limit: { kind: "nodes", value: 1000 }, date, answers });

test("runs are compared", () => {
  const before = run("1", 1, [answer("a", true), answer("b", false), answer("c", true)]);
  const { changes, gained, lost } = suite.compare([answer("a", false), answer("b", true), answer("c", true), answer("d", true)], before);
  assert.deepEqual([...changes.values()], ["lost", "gained", "same", "new"]);
  assert.deepEqual([gained, lost], [1, 1]);
  assert.deepEqual(suite.summary(before.answers), { solved: 2, time: 30 });
});

test("runs are written and read, damaged ones are refused", () => {
  const runs = [run("1", 1, [answer("a", true)]), run("2", 2, [answer("b", false)])];
  assert.deepEqual(suite.readRuns(suite.writeRuns(runs)), runs);
  assert.deepEqual(suite.merged(runs, [runs[1]]).map(({ id }) => id), ["2", "1"]);
  for (const [text, message] of [
    ["{", /not JSON/], ["null", /not runs/], ['{"format":"bartizan-suite-runs","version":2}', /version/],
    ['{"format":"bartizan-suite-runs","version":1}', /no list/],
    [suite.writeRuns([runs[0], { ...runs[1], answers: [{ key: 1 }] }]), /run 2 is damaged/],
    [suite.writeRuns([{ ...runs[0], limit: { kind: "__proto__", value: 1 } }]), /run 1 is damaged/],
    [suite.writeRuns([{ ...runs[0], id: "x".repeat(1000) }]), /run 1 is damaged/],
  ]) assert.throws(() => suite.readRuns(text), message);
});

test("a full storage keeps what it had", () => {
  let kept = null;
  let isFull = false;
  const store = () => ({
    getItem: () => kept,
    setItem: (_, text) => {
      if (isFull) throw new DOMException("full", "QuotaExceededError");
      kept = text;
    },
  });
  const first = [run("1", 1, [answer("a", true)])];
  assert.equal(suite.saveRuns(store, first), null);
  isFull = true;
  assert.match(suite.saveRuns(store, [...first, run("2", 2, [answer("b", true)])]), /full/);
  isFull = false;
  const many = Array.from({ length: suite.MOST_RUNS + 1 }, (_, at) => run(String(at), at, [answer("a", true)]));
  assert.match(suite.saveRuns(store, many), /at most/);
  assert.deepEqual(suite.loadRuns(store), first);
  assert.deepEqual(suite.loadRuns(() => { throw new Error("forbidden"); }), []);
  kept = "nonsense";
  assert.deepEqual(suite.loadRuns(store), []);
});
