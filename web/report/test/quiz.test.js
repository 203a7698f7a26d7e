import assert from "node:assert/strict";
import test from "node:test";
import { plyAt } from "../graph.js";
import { judge, questionsOf, verdict } from "../quiz.js";
import { positionsOf, squaresOf } from "../viewer.js";

// Black can mate on the back rank, and took a pawn.
const fen = "6k1/5ppp/8/8/8/P1r5/5PPP/6K1 b - - 0 1";
const game = {
  startFen: fen,
  moves: [{ san: "Rxa3", uci: "c3a3", win: 20, class: "blunder" }],
};
const moment = { ply: 1, values: { c3a3: 20, c3c1: 0, c3b3: 1, g7g6: 6, h7h6: 12, g8f8: 55 } };

test("any answer is judged from the side to move", () => {
  const best = judge(game, moment, "c3c1");
  assert.deepEqual([best.san, best.score, best.loss, best.class, best.rank, best.of], ["Rc1#", 100, 0, "best", 1, 6]);
  assert.equal(verdict(best), "Rc1# is the best move.");
  assert.equal(verdict(judge(game, moment, "c3b3")), "Rb3 is as good as the best move.");
  assert.equal(
    verdict(judge(game, moment, "g7g6")), "g6 is an inaccuracy: it gives away 6 points of expected score.",
  );
  assert.equal(verdict(judge(game, moment, "h7h6")), "h6 is a mistake: it gives away 12 points of expected score.");
  assert.equal(verdict(judge(game, moment, "g8f8")), "Kf8 is a blunder: it gives away 55 points of expected score.");
  assert.deepEqual(best.played, { uci: "c3a3", san: "Rxa3", score: 80 });
  assert.equal(judge(game, moment, "c3h8"), undefined);
});

test("the line of the page names the best move unless the values contradict it", () => {
  const withLine = (uci) => ({ ...game, moves: [{ ...game.moves[0], bestLine: [{ uci, san: "" }] }] });
  assert.equal(judge(withLine("c3b3"), moment, "c3c1").best.san, "Rb3");
  assert.equal(verdict(judge(withLine("c3b3"), moment, "c3c1")), "Rc1# is as good as the best move.");
  assert.equal(judge(withLine("g7g6"), moment, "g7g6").best.san, "Rc1#");
  assert.equal(judge(withLine("a1a1"), moment, "g7g6").best.san, "Rc1#");
});

test("castling is found in either notation", () => {
  const castle = {
    startFen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    moves: [{ san: "O-O", uci: "e1g1", win: 90 }],
  };
  for (const name of ["e1g1", "e1h1"]) {
    assert.equal(judge(castle, { ply: 1, values: { [name]: 90, e1e2: 80 } }, "e1g1").san, "O-O");
  }
});

test("lines are stepped through while they are legal", () => {
  const fens = positionsOf(fen, [{ uci: "c3a3" }, { uci: "g1f1" }, { uci: "c3c1" }]);
  assert.equal(fens.length, 3);
  assert.equal(fens[2], "6k1/5ppp/8/8/8/r7/5PPP/5K2 b - - 1 2");
  assert.deepEqual(squaresOf(fen, "c3a3"), [18, 16]);
  assert.equal(squaresOf(fen, "c3h8"), null);
});

test("a click on a graph goes to the nearest ply", () => {
  assert.deepEqual([-0.1, 0, 0.51, 1, 1.2].map((share) => plyAt(share, 10)), [0, 0, 5, 10, 10]);
});

test("the questions of the reader's side come first", () => {
  const plies = [1, 2, 3, 4];
  const played = { startFen: fen, moves: plies.map((ply) => ({ fen: `8/8/8/8/8/8/8/8 ${ply % 2 ? "w" : "b"} - - 0 1` })),
    critical: [...plies.map((ply) => ({ ply, values: { a1a2: 1 } })), { ply: 3, values: {} }] };
  assert.deepEqual(questionsOf(played, "w").map(({ ply }) => ply), [2, 4, 1, 3]);
  assert.deepEqual(questionsOf(played, "b").map(({ ply }) => ply), [1, 3, 2, 4]);
});
