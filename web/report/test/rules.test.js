import assert from "node:assert/strict";
import test from "node:test";
import {
  START_FEN, checkedKing, describe, findMove, findUci, legalMoves, parseFen, parseSquare, perft, play, san, squareName,
  toFen,
} from "../rules.js";

test("perft counts agree with the known ones", () => {
  const known = [
    [START_FEN, [20, 400, 8902]],
    ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039]],
    ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812]],
    ["r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264]],
    ["rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486]],
    // Promotions on every file.
    ["n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", [24, 496]],
    // Chess960.
    ["bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [21, 528]],
    ["2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807]],
    ["b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [20, 479]],
  ];
  for (const [fen, counts] of known) {
    counts.forEach((count, index) => assert.equal(perft(parseFen(fen), index + 1), count, `${fen} ${index + 1}`));
  }
});

test("a FEN is written as it was read", () => {
  const fens = [
    START_FEN,
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 40",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "1rr1k3/8/8/8/8/8/8/1RR1K3 w Cc - 0 1",
  ];
  for (const fen of fens) assert.equal(toFen(parseFen(fen)), fen);
  for (const fen of ["", "8/8 w", "9/8/8/8/8/8/8/8 w - - 0 1", "x7/8/8/8/8/8/8/8 w - - 0 1"]) {
    assert.throws(() => parseFen(fen), /invalid FEN/);
  }
});

test("a game is played by names of moves", () => {
  let position = parseFen(START_FEN);
  const line = [
    ["e2e4", "e4"], ["e7e5", "e5"], ["g1f3", "Nf3"], ["b8c6", "Nc6"], ["f1b5", "Bb5"], ["a7a6", "a6"],
    ["b5c6", "Bxc6"], ["d7c6", "dxc6"], ["e1g1", "O-O"],
  ];
  for (const [uci, expected] of line) {
    const move = findUci(position, uci);
    assert.equal(san(position, move), expected);
    position = play(position, move);
  }
  assert.equal(toFen(position), "r1bqkbnr/1pp2ppp/p1p5/4p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 5");
});

test("SAN names the origin where it must, and check and mate", () => {
  const cases = [
    ["4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"],
    ["R7/4k3/8/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4"],
    ["k7/2Q5/8/8/8/2Q1Q3/8/4K3 w - - 0 1", "c3e5", "Qc3e5"],
    ["k7/7P/1K6/8/8/8/8/8 w - - 0 1", "h7h8q", "h8=Q#"],
    ["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"],
    // The other knight is pinned.
    ["4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"],
  ];
  for (const [fen, uci, expected] of cases) {
    const position = parseFen(fen);
    assert.equal(san(position, findUci(position, uci)), expected, fen);
  }
});

test("people type moves in many ways", () => {
  const position = parseFen("r3k2r/1P6/8/3pP3/8/5N2/8/R3K2R w KQkq d6 0 1");
  const cases = {
    Nd4: "f3d4", nd4: "f3d4", f3d4: "f3d4", "0-0": "e1g1", "o-o-o": "e1c1", exd6: "e5d6", e1h1: "e1g1",
    "bxa8=N": "b7a8n", bxa8n: "b7a8n", "b8=Q+": "b7b8q", "Rxh8+": "h1h8",
  };
  for (const [text, uci] of Object.entries(cases)) assert.equal(findMove(position, text)?.uci, uci, text);
  for (const text of ["", "Ne9", "Ke3", "xyz", "+"]) assert.equal(findMove(position, text), undefined, text);
});

test("castling in Chess960 is king takes rook", () => {
  const position = parseFen("1rk3r1/6p1/8/8/8/8/8/1RK3R1 w GBgb - 0 1");
  const castling = legalMoves(position).filter((move) => move.castling).map((move) => move.uci);
  assert.deepEqual(castling.sort(), ["c1b1", "c1g1"]);
  const long = findUci(position, "c1b1");
  assert.equal(san(position, long), "O-O-O");
  assert.match(toFen(play(position, long)), /^1rk3r1\/6p1\/8\/8\/8\/8\/8\/2KR2R1 b kq - 1 1$/);
});

test("a king in check is found, squares have names", () => {
  assert.equal(squareName(checkedKing(parseFen("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"))), "e8");
  assert.equal(checkedKing(parseFen(START_FEN)), -1);
  assert.equal(parseSquare("h8"), 63);
  assert.equal(parseSquare("i9"), -1);
  assert.equal(describe(parseFen("6k1/8/8/8/8/8/PP6/6K1 w - - 0 1")), "White: king g1; pawns a2, b2. Black: king g8.");
});
