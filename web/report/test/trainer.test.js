import assert from "node:assert/strict";
import test from "node:test";
import { findUci, parseFen } from "../rules.js";
import { WAITS, createBoxes, solutionText, tryMove } from "../trainer.js";

const DAY = 24 * 60 * 60 * 1000;

function memory() {
  const texts = new Map();
  return { getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => texts.set(key, text) };
}

test("puzzles climb from box to box and fall back", () => {
  let time = 0;
  const storage = memory();
  const boxes = createBoxes(storage, "key", () => time);
  for (let solved = 1; solved <= 7; solved++) {
    boxes.record("a", true);
    const box = Math.min(solved, WAITS.length);
    assert.equal(boxes.box("a"), box);
    assert.equal(boxes.isDue("a"), box === 1);
    time += WAITS[box - 1] * DAY;
    assert.ok(boxes.isDue("a"));
  }
  assert.equal(createBoxes(storage, "key", () => time).box("a"), WAITS.length);
  boxes.record("a", false);
  assert.equal(boxes.box("a"), 1);
  assert.ok(boxes.isDue("a"));
});

test("puzzles that failed come before new ones, new ones before those known well", () => {
  let time = 0;
  const boxes = createBoxes(null, "key", () => time);
  const puzzles = [{ id: "known" }, { id: "new" }, { id: "failed" }];
  boxes.record("known", true);
  boxes.record("known", true);
  boxes.record("failed", false);
  time += 30 * DAY;
  assert.equal(boxes.next(puzzles).id, "failed");
  assert.equal(boxes.next(puzzles, "failed").id, "new");
  assert.equal(boxes.next(puzzles.slice(0, 1)).id, "known");
  assert.equal(boxes.next([]), undefined);
});

test("a storage that refuses or holds nonsense does no harm", () => {
  const refusing = {
    getItem() {
      throw new Error("no");
    },
    setItem() {
      throw new Error("no");
    },
  };
  const boxes = createBoxes(refusing);
  boxes.record("a", true);
  assert.equal(boxes.box("a"), 1);
  for (const text of ["{", "null", "[1]", '{"a":{"box":"x","due":"y"}}', '{"a":{"box":99}}']) {
    const stored = createBoxes({ getItem: () => text, setItem() {} });
    assert.ok(stored.box("a") >= 0 && stored.box("a") <= WAITS.length);
    assert.ok(stored.isDue("a"));
    assert.equal(stored.box("constructor"), 0);
  }
});

test("moves of a puzzle are right, wrong, or solve it", () => {
  // A rook sacrifice, then mate.
  const puzzle = { fen: "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1", moves: ["a1a8", "b2b8", "a8b8"] };
  const position = parseFen(puzzle.fen);
  const attempt = (index, from, uci) => tryMove(puzzle, index, from, findUci(from, uci));
  assert.equal(attempt(0, position, "a1a7").outcome, "wrong");
  const first = attempt(0, position, "a1a8");
  assert.deepEqual([first.outcome, first.reply.uci], ["right", "b2b8"]);
  assert.equal(attempt(2, first.position, "a8b8").outcome, "solved");
  assert.equal(solutionText(puzzle), "1.Ra8+ Rb8 2.Rxb8#");
});

test("another mate than that of the solution counts", () => {
  const puzzle = { fen: "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", moves: ["g6g7"] };
  const position = parseFen(puzzle.fen);
  assert.equal(tryMove(puzzle, 0, position, findUci(position, "g6h6")).outcome, "wrong");
  const two = { fen: "k7/8/1K6/8/8/8/8/6QR w - - 0 1", moves: ["h1h8"] };
  const start = parseFen(two.fen);
  assert.equal(tryMove(two, 0, start, findUci(start, "g1g8")).outcome, "solved");
});
