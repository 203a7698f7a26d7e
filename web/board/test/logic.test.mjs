// The logic of the page without a browser: clocks, ends of games, scores, words, drawings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init, parsePgn } from "../../src/index.js";
import { load } from "./load.mjs";

await init();
const [clock, ends, format, announce, drawings, board] = await Promise.all(
  ["clock.ts", "ends.ts", "format.ts", "announce.ts", "drawings.ts"].map(load)
    .concat(import("../../report/board.js")),
);

test("a clock runs, gets its increment and flags", () => {
  const { minutes, increment } = clock.parseControl("3+2");
  let state = clock.started(clock.createClock(minutes, increment), "w", 1000);
  assert.equal(clock.timeLeft(state, "w", 11_000), 170_000);
  assert.equal(clock.timeLeft(state, "b", 11_000), 180_000);
  state = clock.pressed(state, "w", 11_000);
  assert.deepEqual(state.left, { w: 172_000, b: 180_000 });
  assert.equal(clock.flagged(state, 190_999), null);
  assert.equal(clock.flagged(state, 191_000), "b");
  const still = clock.stopped(state, 21_000);
  assert.equal(clock.timeLeft(still, "b", 99_000), 170_000);
  for (const text of ["", "x", "5+", "-1+0", "0+0", "999+0", "5+3+1"]) assert.equal(clock.parseControl(text), null, text);
  assert.deepEqual(clock.parseControl(" 0.5 + 1 "), { minutes: 0.5, increment: 1 });
});

test("the engine's time is a part of what is left", () => {
  const low = { left: { w: 1000, b: 1000 }, increment: 0, running: "b", since: 0 };
  assert.ok(clock.budget(low, "b", 0, 3000) <= 50);
  assert.ok(clock.budget(low, "b", 990, 3000) <= 20);
  assert.equal(clock.budget(null, "b", 0, 3000), 1500);
  assert.ok(clock.delay(low, "b", 0, 800, 1) <= 25);
  assert.ok(clock.delay(null, "b", 0, 800, 0.5) > 500);
});

test("ends of games", () => {
  const [mate] = parsePgn("1. f3 e5 2. g4 Qh4#");
  assert.deepEqual(ends.endAt(mate, [4]), { result: "0-1", reason: "checkmate" });
  assert.equal(ends.endText(ends.endAt(mate, [4])), "Black wins by checkmate.");
  assert.equal(ends.endAt(mate, [3]), null);
  const round = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
  const [repeated] = parsePgn(round);
  assert.equal(ends.replay(repeated, [8]).claimableDraw, "threefoldRepetition");
  assert.equal(ends.endAt(repeated, [16]).reason, "fivefoldRepetition");
  assert.deepEqual(ends.endOnTime("4k3/8/8/8/8/8/8/QK6 w - - 0 1", "w"), { result: "1/2-1/2", reason: "timeWithoutMaterial" });
  assert.deepEqual(ends.endOnTime("4k3/8/8/8/8/8/8/QK6 w - - 0 1", "b"), { result: "1-0", reason: "time" });
});

test("scores and times in text", () => {
  const { scoreText, expectation, clockText, count, numberOf } = format;
  assert.equal(scoreText({ type: "cp", value: 35 }, "w"), "+0.35");
  assert.equal(scoreText({ type: "cp", value: 35 }, "b"), "−0.35");
  assert.equal(scoreText({ type: "cp", value: 0 }, "b"), "0.00");
  assert.equal(scoreText({ type: "mate", value: 3 }, "b"), "#−3");
  assert.equal(scoreText({ type: "mate", value: 0 }, "w"), "#−0");
  assert.equal(expectation({ score: { type: "cp", value: 0 }, wdl: [100, 800, 100] }, "b"), 0.5);
  assert.equal(expectation({ score: { type: "mate", value: -2 } }, "b"), 1);
  assert.deepEqual([0, 9_440, 20_000, 61_000, 3_723_000].map(clockText), ["0:00.0", "0:09.4", "0:20", "1:01", "1:02:03"]);
  assert.deepEqual([12, 4200, 2_340_000].map(count), ["12", "4 k", "2.3 M"]);
  assert.equal(numberOf("8/8/8/8/8/8/8/8 b - - 0 7"), "7…");
});

test("positions for the engine", () => {
  const [game] = parsePgn("1. e4 -- 2. d4 e5");
  assert.deepEqual(format.specOf(game, [4]).moves, ["d2d4", "e7e5"]);
  assert.match(format.specOf(game, [4]).fen, / w /);
  assert.match(format.passed("4k3/8/8/8/8/8/8/QK6 w - - 0 1", false), / b /);
  // Neither in check nor by giving the king away.
  assert.equal(format.passed("4k3/8/8/8/4q3/8/8/4K3 w - - 0 1", false), null);
  const line = format.sanLine(game.fen, false, ["e2e4", "e7e5", "e4e5"]);
  assert.deepEqual(line.map(({ number, san }) => number + san), ["1.e4", "e5"]);
});

test("moves in words", () => {
  const words = { "Nxf3+": "knight takes f3, check", "O-O-O": "castles queenside", "exd8=Q#": "e takes d8 promotes to queen, checkmate", e4: "e4" };
  for (const [san, text] of Object.entries(words)) assert.equal(announce.spoken(san), text);
});

test("drawings are kept in comments", () => {
  const once = drawings.drawInto("A plan", "e2", "e4", "green");
  const both = drawings.drawInto(once, "d5", "d5", "red");
  assert.deepEqual(drawings.drawnIn(both), {
    arrows: [{ color: "green", from: "e2", to: "e4" }], squares: [{ color: "red", square: "d5" }],
  });
  assert.match(both, /A plan/);
  assert.deepEqual(drawings.drawnIn(drawings.drawInto(both, "e2", "e4", "blue")).arrows, [{ color: "blue", from: "e2", to: "e4" }]);
  assert.deepEqual(drawings.drawnIn(drawings.drawInto(both, "e2", "e4", "green")).arrows, []);
});

test("pieces slide from square to square", async () => {
  const { parseFen } = await import("../../report/rules.js");
  const between = (a, b) => board.slides(parseFen(a).board, parseFen(b).board);
  assert.deepEqual(between("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "4k3/8/8/8/8/8/4P3/5RK1 b - - 0 1"), [[7, 5], [4, 6]]);
  assert.deepEqual(between("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1"), [[48, 56]]);
});

test("moves are typed in words", async () => {
  const { typedMove } = await load("typed.ts");
  const fen = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
  const moves = { Castles: "e1g1", "castles kingside": "e1g1", "knight takes e5": "f3e5", "bishop takes f7, check": "c4f7",
    "Pawn to d4": "d2d4", "knight c3": "b1c3", "queen to e2": "d1e2", D4: "d2d4" };
  for (const [text, uci] of Object.entries(moves)) assert.equal(typedMove(fen, false, text), uci, text);
  assert.throws(() => typedMove(fen, false, "?"), /such as Nf3, e4 or g1f3/);
  assert.throws(() => typedMove(fen, false, "knight d6"), /illegal move/);
  assert.throws(() => typedMove(fen, false, "castles queenside"), /in the way/);
  const pawns = "4k3/P7/8/3p4/2P1P3/8/8/4K3 w - - 0 1";
  assert.throws(() => typedMove(pawns, false, "pawn takes d5"), /exd5 or cxd5/);
  assert.equal(typedMove(pawns, false, "e takes d5"), "e4d5");
  assert.equal(typedMove(pawns, false, "a8 promotes to knight"), "a7a8n");
});

test("glyphs without a sign are not shown", async () => {
  const { glyphText } = await load("moves.tsx");
  assert.equal(glyphText([1, 44, 200]), "! =∞");
  assert.equal(glyphText([255]), "");
});
