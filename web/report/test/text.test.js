import assert from "node:assert/strict";
import test from "node:test";
import { classOfLoss, formatEval, formatPercent, formatSeconds, moveLabel, numberedLine } from "../text.js";

test("evaluations are White's", () => {
  assert.equal(formatEval({ cp: 34 }), "+0.34");
  assert.equal(formatEval({ cp: -120 }), "−1.20");
  assert.equal(formatEval({ cp: 0 }), "0.00");
  assert.equal(formatEval({ mate: 5 }), "#5");
  assert.equal(formatEval({ mate: -3 }), "#−3");
  assert.equal(formatEval(null), "");
});

test("times and percents are short", () => {
  assert.deepEqual([3.25, 59.6, 125, 3723, null].map(formatSeconds), ["3.3 s", "1:00", "2:05", "1:02:03", ""]);
  assert.deepEqual([49.5, 100, null].map(formatPercent), ["50%", "100%", ""]);
});

test("moves have numbers", () => {
  const line = [{ san: "Nf6" }, { san: "c4" }, { san: "e6" }];
  const texts = (fen) => numberedLine(fen, line).map(({ text }) => text).join(" ");
  assert.equal(texts("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"), "1…Nf6 2.c4 e6");
  assert.equal(texts("8/8/8/8/8/8/8/8 w - - 0 7"), "7.Nf6 c4 8.e6");
  const game = {
    startFen: "4k3/8/8/8/8/8/8/4K3 w - - 0 12",
    moves: [{ san: "Kd2", class: "good", fen: "4k3/8/8/8/8/8/3K4/8 b - - 1 12" }, { san: "Kd7", class: "blunder" }],
  };
  assert.deepEqual([moveLabel(game, 1), moveLabel(game, 2)], ["12.Kd2", "12…Kd7??"]);
});

test("losses have classes", () => {
  const classes = [0, 1.9, 2, 5, 10, 15].map(classOfLoss);
  assert.deepEqual(classes, ["best", "best", "good", "inaccuracy", "mistake", "blunder"]);
});
