// The rules: positions, moves, games, PGN, and what hostile input does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import {
  BartizanError, Game, Position, START_FEN, formatComment, init, parseComment, parsePgn, readPgn, squareColor,
  validateFen, writePgn,
} from "../src/rules.js";

before(() => init());

/** Checks that a function throws a `BartizanError`, and returns it. */
function failure(run, expected) {
  let error;
  try {
    run();
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof BartizanError, `expected a BartizanError, got ${error}`);
  for (const [name, value] of Object.entries(expected ?? {})) {
    if (value instanceof RegExp) assert.match(error[name], value);
    else assert.deepEqual(error[name], value, `${name} of ${error.message}`);
  }
  return error;
}

/** The lines of a file of perft counts. */
function perftSuite(name) {
  const text = readFileSync(new URL(`../../testdata/perft/${name}`, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => {
    const [fen, counts] = line.split("#")[0].split(";");
    return { fen, counts: counts.trim().split(" ").map(Number) };
  });
}

const classicFens = perftSuite("classic.txt").map(({ fen }) => fen);

const sans = (moves) => moves.map(({ san }) => san);
const play = (moves, options) => {
  const game = new Game(options);
  for (const move of moves.split(" ")) game.push(move);
  return game;
};

describe("loading", () => {
  test("init may be called again", async () => {
    await Promise.all([init(), init()]);
    assert.equal(new Position().legalMoves().length, 20);
  });

  test("without init, functions say what to do", async () => {
    const script = 'import("./rules.js").then(({ Position }) => new Position()).catch((e) => console.log(e.message))';
    const { execFileSync } = await import("node:child_process");
    const out = execFileSync(process.execPath, ["-e", script], { cwd: new URL("../src/", import.meta.url) });
    assert.match(String(out), /the rules are not loaded: await init\(\) first/);
  });

  test("a failed init can be repeated", async () => {
    const script = `import("./rules.js").then(async ({ init, Position }) => {
      await init(new Uint8Array([1, 2, 3])).catch((e) => console.log(e.name));
      await init();
      console.log(new Position().turn);
    })`;
    const { execFileSync } = await import("node:child_process");
    const out = execFileSync(process.execPath, ["-e", script], { cwd: new URL("../src/", import.meta.url) });
    assert.equal(String(out), "CompileError\nw\n");
  });
});

describe("perft", () => {
  test("the six positions", () => {
    const suite = perftSuite("classic.txt");
    assert.equal(suite.length, 6);
    for (const { fen, counts } of suite) {
      const position = new Position(fen);
      assert.equal(position.perft(0), 1);
      assert.deepEqual([1, 2, 3, 4].map((depth) => position.perft(depth)), counts.slice(0, 4), fen);
    }
  });

  test("Chess960", () => {
    for (const { fen, counts } of perftSuite("chess960.txt").slice(0, 60)) {
      assert.equal(new Position(fen, { chess960: true }).perft(3), counts[2], fen);
    }
  });

  test("playing the listed moves gives the same numbers", () => {
    const count = (position, depth) => depth === 0 ? 1
      : position.legalMoves().reduce((sum, move) => sum + count(position.play(move), depth - 1), 0);
    for (const { fen, counts } of perftSuite("classic.txt")) assert.equal(count(new Position(fen), 2), counts[1], fen);
    const [{ fen, counts }] = perftSuite("chess960.txt");
    assert.equal(count(new Position(fen, { chess960: true }), 2), counts[1]);
  });

  test("the depth is checked", () => {
    for (const depth of [-1, 1.5, NaN, 1e9, "3"]) assert.throws(() => new Position().perft(depth), RangeError);
  });
});

describe("positions", () => {
  test("the starting position", () => {
    const position = new Position();
    assert.equal(position.fen, START_FEN);
    assert.equal(position.turn, "w");
    assert.equal(position.castling, "KQkq");
    assert.equal(position.enPassant, null);
    assert.equal(position.halfmoveClock, 0);
    assert.equal(position.fullmoveNumber, 1);
    assert.equal(position.chess960, false);
    assert.equal(position.isCheck, false);
    assert.deepEqual(position.pieceAt("e1"), { type: "k", color: "w" });
    assert.deepEqual(position.pieceAt("d8"), { type: "q", color: "b" });
    assert.equal(position.pieceAt("e4"), null);
    assert.equal(String(position), START_FEN);
  });

  test("pieces and board", () => {
    const position = new Position("4k3/8/8/3q4/8/8/4P3/4K3 w - - 3 20");
    assert.deepEqual(position.pieces(), [
      { square: "e8", type: "k", color: "b" },
      { square: "d5", type: "q", color: "b" },
      { square: "e2", type: "p", color: "w" },
      { square: "e1", type: "k", color: "w" },
    ]);
    assert.deepEqual(position.pieces({ type: "k", color: "w" }), [{ square: "e1", type: "k", color: "w" }]);
    assert.equal(position.pieces({ color: "b" }).length, 2);
    const board = position.board();
    assert.equal(board.length, 8);
    assert.deepEqual(board[0][4], { square: "e8", type: "k", color: "b" });
    assert.deepEqual(board[3][3], { square: "d5", type: "q", color: "b" });
    assert.equal(board[4][4], null);
    // What is returned may be changed.
    board[0][4].type = "p";
    position.pieces()[0].type = "p";
    assert.equal(position.pieceAt("e8").type, "k");
  });

  test("squares are checked", () => {
    const position = new Position();
    for (const square of ["e9", "i1", "", "E1", "e10", "e1\0", 5, null, {}]) {
      failure(() => position.pieceAt(square), { kind: "square" });
    }
    failure(() => position.legalMoves({ square: "z1" }), { kind: "square" });
    failure(() => position.attackers("e9", "w"), { kind: "square", message: /invalid square 'e9'/ });
  });

  test("missing fields of a FEN have defaults", () => {
    assert.equal(new Position("4k3/8/8/8/8/8/8/4K3 b").fen, "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
  });

  test("an en passant square is kept only if a capture is legal", () => {
    assert.equal(new Position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").enPassant, null);
    assert.equal(new Position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").enPassant, "e3");
    // The pawn is pinned.
    assert.equal(new Position("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1").enPassant, null);
  });

  test("setting up", () => {
    const position = Position.from({ pieces: { e1: "K", h1: "R", e8: { type: "k", color: "b" } }, castling: "K" });
    assert.equal(position.fen, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    failure(() => Position.from({ pieces: { e1: "K" } }), { kind: "fen", reasons: ["black has no king"] });
    failure(() => Position.from({ pieces: { e9: "K" } }), { kind: "square" });
    failure(() => Position.from({ pieces: { e1: "X" } }), { kind: "option", message: /invalid piece 'X'/ });
  });

  test("positions never change", () => {
    const start = new Position();
    const after = start.play("e4", { from: "e7", to: "e5" }, "g1f3");
    assert.equal(after.fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    assert.equal(start.fen, START_FEN);
    assert.ok(start.equals(new Position()));
    assert.ok(!start.equals(after));
    assert.ok(!start.equals(START_FEN));
    assert.throws(() => { start.legalMoves()[0].san = "x"; }, TypeError);
    start.legalMoves().length = 0;
    assert.equal(start.legalMoves().length, 20);
  });

  test("keys ignore the counters", () => {
    const start = new Position();
    assert.equal(start.play("Nf3", "Nf6", "Ng1", "Ng8").key, start.key);
    assert.notEqual(start.play("e4").key, start.key);
  });

  test("attackers", () => {
    const position = new Position("4k3/8/8/3q4/8/2N5/4P3/3RK3 w - - 0 1");
    assert.deepEqual(position.attackers("d5", "w").sort(), ["c3", "d1"]);
    assert.deepEqual(position.attackers("d5").sort(), ["c3", "d1"]);
    assert.deepEqual(position.attackers("d1", "b"), ["d5"]);
    assert.deepEqual(position.attackers("a7", "w"), []);
    assert.ok(position.isAttacked("d3", "w"));
    assert.ok(!position.isAttacked("h8", "w"));
    failure(() => position.attackers("d5", "white"), { kind: "option" });
  });

  test("the colors of squares", () => {
    assert.equal(squareColor("a1"), "dark");
    assert.equal(squareColor("h1"), "light");
    assert.equal(squareColor("e4"), "light");
    assert.equal(squareColor("d4"), "dark");
    assert.equal(squareColor("a8"), "light");
  });

  test("diagrams", () => {
    const position = new Position();
    const edge = " +---+---+---+---+---+---+---+---+\n";
    assert.ok(position.ascii().startsWith(`${edge} | r | n | b | q | k | b | n | r | 8\n${edge}`));
    assert.ok(position.ascii({ orientation: "b" }).includes("| R | N | B | K | Q | B | N | R | 1\n"));
    assert.ok(position.ascii({ figurines: true }).includes("♞"));
  });

  test("openings", () => {
    assert.equal(new Position().opening(), null);
    const sicilian = new Position().play("e4", "c5").opening();
    assert.deepEqual(sicilian, { code: "B20", name: "Sicilian Defence", moves: "1. e4 c5" });
    const najdorf = play("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 h3 h5 Kd2 Rh7").opening();
    assert.equal(najdorf.code, "B90");
    assert.match(najdorf.name, /^Sicilian Defence: Najdorf Variation/);
    // Another order of moves, and no opening after the start of an ending.
    assert.equal(play("Nf3 d5 d4 Nf6 c4 e6 Nc3 Be7 a3").opening().code, "D37");
    assert.equal(play("Kd2", { fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1" }).opening(), null);
  });
});

describe("moves", () => {
  test("a move tells everything", () => {
    const position = new Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 10");
    const move = position.move("Rxh8+");
    assert.deepEqual({ ...move }, {
      from: "h1", to: "h8", piece: "r", color: "w", captured: "r", san: "Rxh8+", uci: "h1h8", isCapture: true,
      isCheck: true, isCheckmate: false, isCastling: false, isEnPassant: false,
      before: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 10", after: "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 10",
    });
  });

  test("moves of a square and of a piece", () => {
    const position = new Position();
    assert.deepEqual(sans(position.legalMoves({ square: "g1" })).sort(), ["Nf3", "Nh3"]);
    assert.deepEqual(sans(position.legalMoves({ square: "e2" })).sort(), ["e3", "e4"]);
    assert.equal(position.legalMoves({ piece: "n" }).length, 4);
    assert.deepEqual(position.legalMoves({ square: "e4" }), []);
    assert.deepEqual(position.legalMoves({ square: "e7" }), []);
    assert.deepEqual(position.legalMoves({ square: "b1", piece: "p" }), []);
  });

  test("every listed move is found by all its notations", () => {
    for (const { fen } of [...perftSuite("classic.txt"), ...perftSuite("chess960.txt").slice(0, 20)]) {
      const position = new Position(fen);
      for (const move of position.legalMoves()) {
        assert.deepEqual(position.move(move.san, { strict: true }), move);
        assert.deepEqual(position.move(move.uci), move);
        assert.deepEqual(position.move(move), move);
      }
    }
  });

  test("ambiguous moves are told apart", () => {
    assert.deepEqual(sans(new Position("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1").legalMoves({ piece: "n" }))
      .filter((san) => san.endsWith("d2")).sort(), ["Nbd2", "Nfd2"]);
    failure(() => new Position("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1").move("Nd2"), {
      kind: "move", message: /illegal move 'Nd2': it could be the knight on b1 or f3/,
    });
    const queens = new Position("8/k7/8/8/4Q2Q/8/K7/7Q w - - 0 1");
    assert.equal(queens.move("h4e1").san, "Qh4e1");
    // The other knight is pinned.
    assert.equal(new Position("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1").move("a1c2").san, "Nc2");
  });

  test("usual variants of SAN are read", () => {
    const variants = [
      [START_FEN, "Nf3", ["Ng1f3", "Nf3!?", "Nf3+", "nf3", "g1f3", "Ng1-f3", "♘f3", " Nf3 "]],
      [START_FEN, "e4", ["e2e4", "e2-e4", "Pe4", "e4!"]],
      ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", ["0-0", "o-o", "OO", "e1g1", "e1h1", "Kg1"]],
      ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O", ["0-0-0", "o-o-o", "e1c1"]],
      ["3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=Q+", ["e8Q", "e8=Q", "e8(Q)", "e8/Q", "e7e8q", "e7e8Q", "e8=q"]],
      ["3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=N", ["ed8N", "e7xd8=N", "exd8N", "e7d8n"]],
      ["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", ["exd6 e.p.", "ed6", "exd", "e5d6", "e:d6"]],
    ];
    for (const [fen, san, texts] of variants) {
      const position = new Position(fen);
      assert.equal(position.move(san, { strict: true }).san, san);
      for (const text of texts) {
        assert.equal(position.move(text).san, san, text);
        failure(() => position.move(text, { strict: true }), { kind: "move" });
      }
    }
  });

  test("en passant", () => {
    const position = new Position().play("e4", "a6", "e5", "d5");
    assert.equal(position.enPassant, "d6");
    const move = position.move({ from: "e5", to: "d6" });
    assert.equal(move.san, "exd6");
    assert.equal(move.captured, "p");
    assert.ok(move.isEnPassant && move.isCapture);
    assert.equal(position.play(move).pieceAt("d5"), null);
    assert.equal(position.play("h3", "h6").enPassant, null);
    failure(() => position.play("h3", "h6").move("exd6"), { kind: "move" });
  });

  test("promotion", () => {
    const position = new Position("8/4P2k/8/8/8/8/8/4K3 w - - 0 1");
    assert.deepEqual(sans(position.legalMoves({ square: "e7" })).sort(), ["e8=B", "e8=N", "e8=Q", "e8=R"]);
    for (const promotion of ["q", "r", "b", "n"]) {
      const move = position.move({ from: "e7", to: "e8", promotion });
      assert.equal(move.promotion, promotion);
      assert.deepEqual(position.play(move).pieceAt("e8"), { type: promotion, color: "w" });
    }
    failure(() => position.move({ from: "e7", to: "e8" }), { kind: "move", message: /the promotion needs a piece/ });
    failure(() => position.move({ from: "e7", to: "e8", promotion: "k" }), { kind: "move" });
    failure(() => position.move("e7e8p"), { kind: "move" });
    // Boards that always pass a queen need not know which moves promote.
    assert.equal(new Position().move({ from: "e2", to: "e4", promotion: "q" }).san, "e4");
  });

  test("castling", () => {
    const fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const move = new Position(fen).move({ from: "e1", to: "g1" });
    assert.deepEqual([move.san, move.uci, move.isCastling, move.castlingSide], ["O-O", "e1g1", true, "k"]);
    const after = new Position(fen).play(move);
    assert.deepEqual([after.pieceAt("g1").type, after.pieceAt("f1").type, after.castling], ["k", "r", "kq"]);
    assert.equal(new Position(fen).move("O-O-O").to, "c1");
    // A rook that moves or is captured costs a right.
    assert.equal(new Position(fen).play("Rh2").castling, "Qkq");
    assert.equal(new Position(fen).play("Rxa8+").castling, "Kk");
    assert.equal(new Position(fen).play("Kf2").castling, "kq");
  });

  test("errors tell why a move is illegal", () => {
    const why = (fen, move, message) => failure(() => new Position(fen).move(move), { kind: "move", message });
    why(START_FEN, "e2e5", /illegal move 'e2e5': the pawn on e2 cannot go to e5/);
    why(START_FEN, "e7e5", /the pawn on e7 is Black's/);
    why(START_FEN, "e4e5", /there is no piece on e4/);
    why(START_FEN, "Ke2", /illegal move 'Ke2': the king cannot go to e2/);
    why(START_FEN, "O-O", /a piece is in the way/);
    why(START_FEN, "castle", /invalid move 'castle'/);
    why(START_FEN, "", /invalid move/);
    why(START_FEN, "--", /a null move cannot be played/);
    why("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", /the king would be in check/);
    why("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", /the king would be in check/);
    why("4r2k/8/8/8/8/8/8/N3K3 w - - 0 1", "a1b3", /the king would still be in check/);
    why("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", "O-O-O", /the king is in check/);
    why("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", /the king would pass through check/);
    why("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", /there is no right to castle on that side/);
  });

  test("checkmate, stalemate and insufficient material", () => {
    const mate = new Position().play("f3", "e5", "g4", "Qh4#");
    assert.ok(mate.isCheckmate && mate.isCheck && !mate.isStalemate);
    assert.deepEqual(mate.legalMoves(), []);
    assert.deepEqual(mate.checkers, ["h4"]);
    assert.ok(new Position().play("f3", "e5", "g4").move("Qh4").isCheckmate);
    const stalemate = new Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert.ok(stalemate.isStalemate && !stalemate.isCheck && !stalemate.isCheckmate);
    for (const [fen, expected] of [
      ["8/8/8/4k3/8/8/8/4K3 w - - 0 1", true],
      ["8/8/8/4k3/8/8/8/4KN2 w - - 0 1", true],
      ["8/8/8/4k3/8/8/8/4KB2 w - - 0 1", true],
      ["8/b7/4k3/8/8/8/8/B3K3 w - - 0 1", true],
      ["8/b7/8/4k3/8/8/8/1B2K3 w - - 0 1", false],
      ["8/8/8/4k3/8/8/8/4KNN1 w - - 0 1", false],
      ["8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", false],
      ["8/8/8/4k3/8/8/8/4K2R w - - 0 1", false],
      [START_FEN, false],
    ]) {
      assert.equal(new Position(fen).isInsufficientMaterial, expected, fen);
    }
  });
});

describe("Chess960", () => {
  test("starting positions", () => {
    assert.equal(Position.chess960(518).fen, START_FEN);
    assert.ok(Position.chess960(518).chess960);
    assert.ok(Position.chess960(0).fen.startsWith("bbqnnrkr/"));
    assert.equal(new Set(Array.from({ length: 960 }, (_, number) => Position.chess960(number).fen)).size, 960);
    for (const number of [-1, 960, 1.5, "3", NaN]) assert.throws(() => Position.chess960(number), RangeError);
  });

  test("castling is the king taking its rook", () => {
    const position = new Position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    assert.ok(position.chess960);
    const castling = position.legalMoves().filter(({ isCastling }) => isCastling);
    assert.deepEqual(castling.map(({ from, to, uci, san }) => [from, to, uci, san]), [["f1", "g1", "f1g1", "O-O"]]);
    assert.equal(position.play("O-O").fen, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    // The same squares on a usual board.
    const usual = new Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", { chess960: true });
    assert.equal(usual.move("O-O").uci, "e1h1");
    assert.equal(usual.move("e1a1").san, "O-O-O");
    assert.ok(usual.play("O-O").chess960);
  });

  test("its castling rights are refused in chess", () => {
    const fen = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
    failure(() => new Position(fen, { chess960: false }), { kind: "fen", message: /exist only in Chess960/ });
    assert.equal(new Position(fen, { chess960: false, tolerant: true }).castling, "-");
  });

  test("games are written and read", () => {
    const game = new Game({ fen: Position.chess960(0) });
    for (const move of game.position.legalMoves().slice(0, 1)) game.push(move);
    const pgn = game.pgn();
    assert.match(pgn, /\[Variant "Chess960"\]\n\[SetUp "1"\]\n\[FEN "bbqnnrkr\//);
    const read = Game.fromPgn(pgn);
    assert.ok(read.position.chess960);
    assert.equal(read.fen, game.fen);
  });
});

describe("FEN", () => {
  test("valid ones", () => {
    for (const fen of [START_FEN, "8/8/8/4k3/8/8/8/4K3 w - - 0 1", ...classicFens]) {
      assert.deepEqual(validateFen(fen), { ok: true });
    }
  });

  test("errors give the column", () => {
    for (const [fen, column, message] of [
      ["", 1, /the board is missing/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 1, /the side to move is missing/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", 43, /unexpected 'X' in the board/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", 1, /the board has 7 ranks, not 8/],
      ["rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 17, /rank 7 has 7 squares, not 8/],
      ["rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20, /two numbers side by side/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", 45, /unexpected 'x' in the side to move/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1", 49, /unexpected 'x' in the castling rights/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KK - 0 1", 48, /repeated castling right 'K'/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e4 0 1", 53, /in the en passant square/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1", 54, /in the halfmove clock/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 x", 56, /in the fullmove number/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99999", 56, /exceeds 9999/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 more", 58, /unexpected text after the sixth field/],
    ]) {
      const { ok, error } = validateFen(fen);
      assert.ok(!ok);
      assert.deepEqual([error.kind, error.line, error.column], ["fen", 1, column], `${fen}: ${error.message}`);
      assert.match(error.message, message);
      failure(() => new Position(fen), { kind: "fen" });
      failure(() => new Game({ fen }), { kind: "fen" });
    }
  });

  test("illegal positions give every reason", () => {
    for (const [fen, reasons] of [
      ["8/8/8/8/8/8/8/8 w - - 0 1", ["white has no king", "black has no king"]],
      ["4k3/8/8/8/8/8/8/3KK3 w - - 0 1", ["white has more than one king"]],
      ["4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", ["black is in check, but it is not black's move"]],
      ["P3k3/8/8/8/8/8/8/4K3 w - - 0 1", ["there is a pawn on a8"]],
      ["4k3/8/8/8/8/8/8/4K3 w K - 0 1", ["invalid castling right for h1: the king or the rook is not in place"]],
      ["4k3/8/8/8/8/8/8/4K3 w - e6 0 1", ["invalid en passant square 'e6': no pawn can have passed it"]],
      ["4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", ["white has more than 8 pawns"]],
    ]) {
      const { ok, error } = validateFen(fen);
      assert.ok(!ok, fen);
      for (const reason of reasons) assert.ok(error.reasons.includes(reason), `${fen}: ${error.reasons}`);
      assert.match(error.message, /^illegal position: /);
    }
  });

  test("tolerance", () => {
    const mended = new Position("4k3/8/8/8/8/8/8/4K3 w K e6 0 1", { tolerant: true });
    assert.equal(mended.fen, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert.deepEqual(validateFen("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - -", { tolerant: true }), { ok: true });
    assert.ok(!validateFen("8/8/8/8/8/8/8/8 w - - 0 1", { tolerant: true }).ok);
  });
});

describe("games", () => {
  test("moves, undo and outcome", () => {
    const game = play("e4 e5 Qh5 Nc6 Bc4 Nf6");
    assert.equal(game.outcome, null);
    assert.equal(game.isOver, false);
    assert.equal(game.result, "*");
    assert.equal(game.push("Qxf7#").san, "Qxf7#");
    assert.deepEqual(game.outcome, { result: "1-0", reason: "checkmate" });
    assert.ok(game.isOver);
    assert.deepEqual(sans(game.moves), ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]);
    failure(() => game.push("Kxf7"), { kind: "move" });
    assert.equal(game.moves.length, 7);
    assert.equal(game.undo().san, "Qxf7#");
    assert.equal(game.outcome, null);
    while (game.undo());
    assert.equal(game.fen, START_FEN);
    assert.equal(game.undo(), null);
    assert.deepEqual(game.moves, []);
  });

  test("a wrong move changes nothing", () => {
    const game = play("e4");
    for (const move of ["e4", "Ke7", "x", { from: "e7", to: "e4" }]) failure(() => game.push(move), { kind: "move" });
    assert.deepEqual(sans(game.moves), ["e4"]);
    assert.equal(game.push("e5").before, game.start.play("e4").fen);
    assert.throws(() => game.push(null), TypeError);
    assert.throws(() => game.push(5), TypeError);
    assert.throws(() => game.push({ from: "e2" }), TypeError);
  });

  test("stalemate and insufficient material", () => {
    const stalemate = play("e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6");
    assert.deepEqual(stalemate.outcome, { result: "1/2-1/2", reason: "stalemate" });
    const bare = play("Kxe2", { fen: "8/8/8/4k3/8/8/4q3/4K3 w - - 0 1" });
    assert.deepEqual(bare.outcome, { result: "1/2-1/2", reason: "insufficientMaterial" });
  });

  test("repetition", () => {
    const game = new Game();
    const dance = ["Nf3", "Nf6", "Ng1", "Ng8"];
    for (const move of dance) game.push(move);
    assert.deepEqual([game.occurrences, game.isThreefoldRepetition, game.claimableDraw], [2, false, null]);
    for (const move of dance) game.push(move);
    assert.deepEqual([game.occurrences, game.isThreefoldRepetition], [3, true]);
    assert.equal(game.claimableDraw, "threefoldRepetition");
    assert.equal(game.outcome, null);
    game.undo();
    assert.equal(game.isThreefoldRepetition, false);
    game.push("Ng8");
    for (const move of [...dance, ...dance]) game.push(move);
    assert.deepEqual(game.outcome, { result: "1/2-1/2", reason: "fivefoldRepetition" });
  });

  test("positions with other castling rights do not repeat each other", () => {
    const game = play("Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8", { fen: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" });
    assert.equal(game.occurrences, 2);
    for (const move of ["Rg1", "Rb8", "Rh1", "Ra8"]) game.push(move);
    assert.ok(game.isThreefoldRepetition);
  });

  test("fifty and seventy-five moves", () => {
    assert.equal(play("Kd2", { fen: "4k3/8/8/8/8/8/8/R3K3 w - - 98 100" }).claimableDraw, null);
    assert.equal(play("Kd2", { fen: "4k3/8/8/8/8/8/8/R3K3 w - - 99 100" }).claimableDraw, "fiftyMoves");
    assert.equal(play("Kd2", { fen: "4k3/8/8/8/8/8/8/R3K3 w - - 99 100" }).outcome, null);
    const over = play("Kd2", { fen: "4k3/8/8/8/8/8/8/R3K3 w - - 149 100" });
    assert.deepEqual(over.outcome, { result: "1/2-1/2", reason: "seventyFiveMoves" });
    // Checkmate comes first.
    const mate = play("Ra8#", { fen: "7k/8/6K1/8/8/8/8/R7 w - - 149 100" });
    assert.equal(mate.outcome.reason, "checkmate");
  });

  test("writing PGN", () => {
    const game = play("e4 e5 Nf3", undefined);
    game.tags.White = 'Anna "Ann" B\\C';
    game.tags.WhiteElo = "2400";
    game.setComment("before", 0);
    game.setComment("best by test", 1);
    game.setNags([1, 14], 1);
    game.result = "1-0";
    assert.equal(game.pgn(), `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Anna \\"Ann\\" B\\\\C"]
[Black "?"]
[Result "1-0"]
[WhiteElo "2400"]

{before} 1. e4 $1 $14 {best by test} 1... e5 2. Nf3 1-0

`);
    assert.ok(game.pgn({ marks: true }).includes("1. e4! $14 {best by test} 1... e5"));
    assert.throws(() => game.setComment("x", 4), RangeError);
    assert.throws(() => game.setNags([256]), RangeError);
    failure(() => { game.result = "2-0"; }, { kind: "tag" });
  });

  test("a FEN is written where the start needs one", () => {
    const pgn = play("Kd7", { fen: "4k3/8/8/8/8/8/8/R3K3 b Q - 7 30" }).pgn();
    assert.match(pgn, /\[SetUp "1"\]\n\[FEN "4k3\/8\/8\/8\/8\/8\/8\/R3K3 b Q - 7 30"\]\n\n30\.\.\. Kd7 \*/);
    assert.equal(Game.fromPgn(pgn).pgn(), pgn);
  });

  test("invalid tags", () => {
    const game = new Game({ tags: { "White Elo": "2400" } });
    failure(() => game.pgn(), { kind: "tag", message: /invalid tag name 'White Elo'/ });
    assert.throws(() => new Game({ tags: { Round: 5 } }).pgn(), TypeError);
    // Those that follow from the game are not taken from the tags.
    assert.match(new Game({ tags: { Result: "1-0", FEN: "x", SetUp: "1" } }).pgn(), /\[Result "\*"\]\n\n\*/);
  });

  test("a game is read back", () => {
    const text = `[Event "Test"]\n[White "A"]\n\n{start} 1. e4! {x} e5 (1... c5) 2. Nf3 $14 {y [%clk 0:05:00]} 1/2-1/2`;
    const game = Game.fromPgn(text);
    assert.deepEqual(sans(game.moves), ["e4", "e5", "Nf3"]);
    assert.deepEqual([0, 1, 2, 3].map((ply) => game.comment(ply)), ["start", "x", "", "y [%clk 0:05:00]"]);
    assert.deepEqual([1, 2, 3].map((ply) => game.nags(ply)), [[1], [], [14]]);
    assert.deepEqual([game.tags.Event, game.tags.White, game.result], ["Test", "A", "1/2-1/2"]);
    assert.equal(Game.fromPgn(game.pgn()).pgn(), game.pgn());
    assert.deepEqual(sans(Game.fromPgn(parsePgn(text)[0]).moves), ["e4", "e5", "Nf3"]);
  });

  test("a text that is not one whole game is refused", () => {
    failure(() => Game.fromPgn(""), { kind: "pgn", message: "there is no game", line: 1, column: 1 });
    failure(() => Game.fromPgn("1. e4 *\n\n1. d4 *"), { kind: "pgn", message: "there is more than one game" });
    failure(() => Game.fromPgn('[White "A"]\n\n1. e4 e5\n2. Ke3 *'), {
      kind: "pgn", message: /no legal move matches 'Ke3'/, line: 4, column: 4,
    });
    failure(() => Game.fromPgn('[FEN "x"]\n\n1. e4 *'), { kind: "pgn", line: 1, column: 1, message: /invalid FEN/ });
    failure(() => Game.fromPgn('[Variant "Atomic"]\n\n1. e4 *'), { kind: "pgn", message: /unsupported variant/ });
  });
});

describe("PGN", () => {
  const text = `[Event "Tree"]
[Site "here"]
[Result "1-0"]

{The game.} 1. e4 {King's pawn [%clk 0:09:58] [%eval 0.25,18]} e5 $1 ({or} 1... c5 {Sicilian} 2. Nf3 (2. c3 d5)
2... d6) (1... e6) 2. Nf3!? {[%csl Ge5][%cal Gf3e5]} Nc6 3. Bb5 1-0

`;

  test("a tree", () => {
    const [game] = parsePgn(text);
    assert.deepEqual({ ...game.tags }, { Event: "Tree", Site: "here" });
    assert.deepEqual([game.fen, game.comment, game.result, game.errors], [START_FEN, "The game.", "1-0", []]);
    assert.deepEqual(sans(game.moves), ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
    const [e4, e5, nf3] = game.moves;
    assert.deepEqual([e4.uci, e4.comment], ["e2e4", "King's pawn [%clk 0:09:58] [%eval 0.25,18]"]);
    assert.equal(e4.fen, new Position().play("e4").fen);
    assert.deepEqual([e5.nags, nf3.nags], [[1], [5]]);
    assert.deepEqual(e5.variations.map(sans), [["c5", "Nf3", "d6"], ["e6"]]);
    const [sicilian] = e5.variations;
    assert.deepEqual([sicilian[0].commentBefore, sicilian[0].comment], ["or", "Sicilian"]);
    assert.deepEqual(sicilian[1].variations.map(sans), [["c3", "d5"]]);
    assert.equal(sicilian[2].fen, new Position().play("e4", "c5", "Nf3", "d6").fen);
  });

  test("a tree is written and read back", () => {
    const [game] = parsePgn(text);
    const written = writePgn(game);
    assert.deepEqual(parsePgn(written)[0].moves, game.moves);
    assert.equal(writePgn(parsePgn(written)[0]), written);
    const variations = "1... e5 $1 ({or} 1... c5 {Sicilian} 2. Nf3 (2. c3 d5) 2... d6) (1... e6)";
    assert.ok(writePgn(game, { width: 0 }).includes(variations));
    assert.ok(written.split("\n").every((line) => line.length < 80));
  });

  test("the width of lines", () => {
    const [game] = parsePgn(text);
    const movetext = (width) => writePgn(game, { width }).split("\n\n")[1];
    assert.ok(!movetext(0).includes("\n"));
    for (const width of [30, 40, 200]) {
      // Commands are not broken.
      const isShort = (line) => line.length <= width || line.includes("[%");
      assert.ok(movetext(width).split("\n").every(isShort), `${width}\n${movetext(width)}`);
      assert.ok(movetext(width).split("\n").every((line) => !/^[%[]/.test(line)));
      assert.deepEqual(parsePgn(writePgn(game, { width }))[0].moves, game.moves);
    }
    assert.equal(movetext(0), movetext(40).replaceAll("\n", " "));
  });

  test("games by hand", () => {
    const pgn = writePgn({
      tags: { White: "A" },
      moves: [
        { san: "e4" },
        { uci: "e7e5", nags: [2], variations: [[{ san: "c5", commentBefore: "better" }]] },
        { san: "g1f3", comment: "develops {well}" },
      ],
      result: "1/2-1/2",
    });
    assert.ok(pgn.endsWith("1. e4 e5 $2 ({better} 1... c5) 2. Nf3 {develops (well)} 1/2-1/2\n\n"), pgn);
    failure(() => writePgn({ moves: [{ san: "e5" }] }), { kind: "move", message: /illegal move 'e5': no pawn can go to e5/ });
    failure(() => writePgn({ result: "2-0" }), { kind: "tag" });
    failure(() => writePgn({ fen: "x" }), { kind: "fen" });
    assert.throws(() => writePgn({ moves: [{}] }), TypeError);
    assert.match(writePgn({}), /\n\n\*\n\n$/);
  });

  test("a variation that repeats the game's move loses nothing", () => {
    const [game] = parsePgn("1. e4 {a} e5 (1... e5 {b} 2. f4 {c}) 2. Nf3 {d} *");
    const written = writePgn(game);
    for (const comment of ["a", "b", "c", "d"]) assert.match(written, new RegExp(`[{ ]${comment}[} ]`));
  });

  test("null moves", () => {
    const [game] = parsePgn("1. e4 e5 (1... -- 2. d4 {threat}) 2. Nf3 *");
    assert.deepEqual(game.errors, []);
    const [pass, d4] = game.moves[1].variations[0];
    assert.deepEqual([pass.san, pass.uci, d4.san], ["--", "0000", "d4"]);
    assert.ok(writePgn(game).includes("(1... -- 2. d4 {threat})"));
    assert.deepEqual(sans(Game.fromPgn("1. e4 -- 2. d4 *").moves), ["e4"]);
  });

  test("several games, the broken ones with line and column", () => {
    const games = parsePgn(`[White "1"]

1. e4 e5 1-0

[White "2"]

1. e4 e5 2. Ke3 {no} Nf6 *

[White "3"]
[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]

1. e4 *

[White "4"]

1. d4 (1. c4 c5 2. Rxh8) d5 1/2-1/2
`);
    assert.deepEqual(games.map(({ tags }) => tags.White), ["1", "2", "3", "4"]);
    assert.deepEqual(games.map(({ moves }) => sans(moves)), [["e4", "e5"], ["e4", "e5"], [], ["d4", "d5"]]);
    const places = games.map(({ errors }) => errors.map(({ line, column, severity }) => [line, column, severity]));
    assert.deepEqual(places, [[], [[7, 13, "error"]], [[10, 1, "error"]], [[16, 20, "error"]]]);
    assert.match(games[1].errors[0].message, /^no legal move matches 'Ke3'; the rest of the line is kept/);
    assert.match(games[2].errors[0].message, /^illegal position: white has no king/);
    assert.deepEqual(games[3].moves[0].variations.map(sans), [["c4", "c5"]]);
  });

  test("warnings", () => {
    const [game] = parsePgn("[White \"A\"]\n[White \"B\"]\n\n1. e4 ) d5 2. d5 $999");
    assert.equal(game.tags.White, "A");
    assert.deepEqual(sans(game.moves), ["e4", "d5", "exd5"]);
    assert.ok(game.errors.length >= 3 && game.errors.every(({ severity }) => severity === "warning"));
    assert.ok(game.errors.every(({ line, column }) => line >= 1 && column >= 1));
  });

  test("strictness", () => {
    const sloppy = "1. e4 e5 2. Ng1f3 *";
    assert.deepEqual(parsePgn(sloppy)[0].errors, []);
    assert.deepEqual(parsePgn(sloppy, { strictness: "moves" })[0].errors, []);
    const [strict] = parsePgn(sloppy, { strictness: "strict" });
    assert.match(strict.errors[0].message, /'Ng1f3' is not standard notation: expected 'Nf3'/);
    assert.deepEqual([strict.errors[0].line, strict.errors[0].column], [1, 13]);
    failure(() => parsePgn(sloppy, { strictness: "harsh" }), { kind: "option" });
  });

  test("what programs write", () => {
    const movesOf = (pgn) => sans(parsePgn(pgn)[0].moves);
    assert.deepEqual(movesOf("1.e4 e5 2.Nf3"), ["e4", "e5", "Nf3"]);
    assert.deepEqual(movesOf("1. e4 1... e5 2. Nf3 *"), ["e4", "e5", "Nf3"]);
    assert.deepEqual(movesOf("e4 e5 Nf3 *"), ["e4", "e5", "Nf3"]);
    assert.deepEqual(movesOf("1. e2e4 e7e5 2. 0-0"), ["e4", "e5"]);
    const windows = '\ufeff[White "A"]\r\n\r\n1. e4 ; a comment\r\n% hidden\r\n1... e5 *\r\n';
    assert.deepEqual(movesOf(windows), ["e4", "e5"]);
    assert.deepEqual(movesOf('[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O *'), ["O-O"]);
    assert.equal(parsePgn('[White "R\u00e9ti"]\n\n1. Nf3 *')[0].tags.White, "Réti");
    // Windows-1252.
    const bytes = Uint8Array.from("[White \"R\xe9ti\"]\n\n1. Nf3 *", (c) => c.charCodeAt(0));
    assert.equal(parsePgn(bytes)[0].tags.White, "Réti");
    assert.deepEqual(parsePgn(""), []);
    assert.deepEqual(parsePgn("\n{nothing}\n"), []);
  });

  test("tags with the names of an object's properties", () => {
    const [game] = parsePgn('[__proto__ "a"]\n[constructor "b"]\n[toString "c"]\n\n1. e4 *');
    assert.deepEqual(Object.entries(game.tags), [["__proto__", "a"], ["constructor", "b"], ["toString", "c"]]);
    assert.equal({}.a, undefined);
    assert.match(writePgn(game), /\[__proto__ "a"\]\n\[constructor "b"\]/);
    assert.match(Game.fromPgn(game).pgn(), /\[__proto__ "a"\]/);
  });

  test("games are read one after the other", () => {
    const games = readPgn("1. e4 *\n".repeat(1000));
    assert.equal(games.next().value.moves[0].san, "e4");
    games.return();
    assert.equal(parsePgn("1. e4 *\n".repeat(1000)).length, 1000);
  });

  test("comments have parts", () => {
    const parts = parseComment("a novelty [%eval -0.25,18] [%clk 1:05:00.5] [%csl Ge4,Rd5] [%cal Ge2e4]");
    assert.deepEqual(parts, {
      text: "a novelty", clock: 3900.5, eval: { centipawns: -25, depth: 18 }, squares: ["Ge4", "Rd5"],
      arrows: ["Ge2e4"],
    });
    assert.equal(
      formatComment(parts), "[%clk 1:05:00.5] [%eval -0.25,18] [%csl Ge4,Rd5] [%cal Ge2e4] a novelty",
    );
    assert.deepEqual(parseComment("[%eval #-3]").eval, { mate: -3 });
    assert.equal(formatComment({ eval: { mate: -3 } }), "[%eval #-3]");
    assert.deepEqual(parseComment("-0.84/12 1.5s", { color: "b" }).eval, { centipawns: 84, depth: 12 });
    assert.equal(parseComment("[%emt 0:00:07]").elapsed, 7);
    assert.equal(formatComment({ elapsed: 7, text: "x" }), "[%emt 0:00:07] x");
    assert.deepEqual(parseComment("[%clk nonsense] [%"), { text: "[%clk nonsense] [%", squares: [], arrows: [] });
    assert.equal(formatComment({}), "");
    failure(() => formatComment({ arrows: ["e2"] }), { kind: "option" });
    failure(() => formatComment({ squares: ["x"] }), { kind: "option" });
    for (const clock of [-1, NaN, Infinity, 1e12, "5x"]) assert.throws(() => formatComment({ clock }), RangeError);
  });
});

describe("pictures", () => {
  test("options", () => {
    const position = new Position().play("e4");
    const svg = position.svg({
      orientation: "b", lastMove: "e2e4", arrows: ["e7e5", { from: "g8", to: "f6", color: "R" }], squares: ["Re4"],
      labels: [{ square: "d4", text: "<1> & \"2\"", color: "B" }], theme: "green", colors: { dark: "#123456" },
      size: 320, classes: "b-",
    });
    assert.ok(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"') && svg.endsWith("</svg>\n"));
    for (const part of ['width="320"', "#123456", "b-arrow b-red", "b-last-move", "b-mark b-red", "&lt;1&gt; &amp; "]) {
      assert.ok(svg.includes(part), part);
    }
    assert.ok(position.svg({ coordinates: false }).length < position.svg().length);
    const check = new Position("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1");
    assert.ok(check.svg({ classes: "b-" }).includes("b-check"));
    assert.ok(!check.svg({ classes: "b-", check: false }).includes("b-check"));
    assert.ok(position.svg({ lastMove: new Position().move("e4"), classes: "b-" }).includes("b-last-move"));
  });

  test("invalid options", () => {
    const svg = (options) => failure(() => new Position().svg(options), { kind: "option" });
    svg({ orientation: "white" });
    svg({ theme: "plaid" });
    svg({ arrows: ["e2"] });
    svg({ squares: ["e9"] });
    svg({ colors: { light: "red" } });
    svg({ colors: { nothing: "#123456" } });
    svg({ lastMove: "Nf3" });
    svg({ labels: [{ square: "e4", text: "x", color: "Z" }] });
    failure(() => new Position().svg({ labels: [{ square: "e9", text: "x" }] }), { kind: "square" });
    assert.throws(() => new Position().svg({ size: -1 }), RangeError);
    assert.throws(() => new Position().svg({ labels: [{ square: "e4" }] }), TypeError);
  });
});

describe("hostile input", () => {
  /** A generator with a fixed seed: xorshift. */
  let state = 0x9e3779b9;
  const below = (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };

  /** Runs, and takes every error but a trap of the module. */
  function survives(run, what) {
    try {
      run();
    } catch (error) {
      assert.ok(!(error instanceof WebAssembly.RuntimeError), `${what}: ${error}`);
      assert.ok(error instanceof BartizanError || error instanceof TypeError || error instanceof RangeError,
        `${what}: ${error?.stack}`);
    }
  }

  const everything = (text) => {
    survives(() => new Position(text), text);
    survives(() => new Position(text, { tolerant: true, chess960: true }).legalMoves(), text);
    survives(() => validateFen(text), text);
    survives(() => new Position().move(text), text);
    survives(() => new Game().push(text, { strict: true }), text);
    survives(() => parsePgn(text).forEach((game) => writePgn(game)), text);
    survives(() => Game.fromPgn(text).pgn(), text);
    survives(() => formatComment(parseComment(text, { color: "w" })), text);
    survives(() => new Position().svg({ arrows: [text], theme: text, lastMove: text, classes: text }), text);
    survives(() => new Position().svg({ classes: text, labels: [{ square: "e4", text }] }), text);
    survives(() => writePgn({ tags: { [text]: text }, comment: text, moves: [{ san: text }] }), text);
    survives(() => writePgn({ comment: text, moves: [{ san: "e4", comment: text, commentBefore: text }] }), text);
  };

  test("texts of all kinds", () => {
    for (const text of [
      "", "\0", "\0".repeat(1000), "\ud800", "\udfff\ud800", "♔".repeat(100), "1".repeat(10_000), "/".repeat(10_000),
      "{".repeat(10_000), "(".repeat(10_000), "[".repeat(10_000), '"'.repeat(10_000), ")".repeat(1000),
      "}".repeat(1000),
      "\n".repeat(10_000), "1. e4 (".repeat(5000), `[%clk ${"9".repeat(1000)}]`, "[%eval #99999999999]", "O-O-O-O",
      "e8=Q=Q", "e2e4e5", "0-0-0-0", "$".repeat(100), "<".repeat(100), "8/8/8/8/8/8/8/8 w - - 0 1", "e9e5",
      "ÿ".repeat(50),
      "4k3/8/8/8/8/8/8/4K3 w - - 65536 65536", "%".repeat(100), ";".repeat(100), "\ufeff\ufeff", "é1é", "[%csl é]",
      "[%cal éé]",
    ]) everything(text);
  });

  test("random bytes", () => {
    for (let round = 0; round < 400; round++) {
      const bytes = Uint8Array.from({ length: below(200) }, () => below(256));
      survives(() => parsePgn(bytes).forEach((game) => writePgn(game)), `round ${round}`);
      everything(String.fromCharCode(...bytes));
    }
  });

  test("mutated FENs and games", () => {
    const pieces = ["pnbrqkPNBRQK12345678/ wb-KQkqABHabh", '{}()[]"\\%;$!?.*1234567890 \n\t-+#=xNBRQKabcdefghO0é'];
    const tags = '[White "A"]\n[FEN "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"]\n\n';
    const pgn = `${tags}1. e4 {a [%clk 0:01:00]} Kd7 (1... Ke7 2. O-O) *`;
    for (let round = 0; round < 3000; round++) {
      const isFen = round % 2 === 0;
      const chars = Array.from(isFen ? classicFens[below(classicFens.length)] : pgn);
      for (let changes = 1 + below(4); changes > 0; changes--) {
        const letters = pieces[isFen ? 0 : 1];
        chars.splice(below(chars.length), below(3), ...(below(3) ? [letters[below(letters.length)]] : []));
      }
      const text = chars.join("");
      if (isFen) {
        survives(() => {
          const position = new Position(text, { tolerant: below(2) === 0 });
          position.legalMoves().forEach((move) => position.play(move).svg());
        }, text);
      } else {
        survives(() => parsePgn(text).forEach((game) => parsePgn(writePgn(game))), text);
      }
    }
  });
  test("deep nesting and long games", () => {
    const depth = 100_000;
    const [deep] = parsePgn(`1. e4 ${"(1. d4 ".repeat(depth)}${")".repeat(depth)} e5 *`);
    assert.deepEqual(sans(deep.moves), ["e4", "e5"]);
    assert.equal(deep.moves[0].variations.length, depth);
    assert.match(writePgn(deep), /\n1\. e4 \(1\. d4\) 1\.\.\. e5 \*/);
    const [nested] = parsePgn(`1. e4 ${"e5 (c5 2. d4 ".repeat(depth)} *`);
    survives(() => writePgn(nested), "nested");
    const [long] = parsePgn(`${"Nf3 Nf6 Ng1 Ng8 ".repeat(10_000)}*`);
    assert.equal(long.moves.length, 40_000);
    assert.deepEqual(parsePgn(writePgn(long))[0].moves.length, 40_000);
    const [longer] = parsePgn(`${"Nf3 Nf6 Ng1 Ng8 ".repeat(100_000)}*`);
    assert.match(longer.errors.at(-1).message, /too long: a game of more than 250000 moves/);
    const [comment] = parsePgn(`1. e4 {${"word ".repeat(300_000)}} *`);
    assert.match(comment.errors[0].message, /too long/);
  });

  test("values of other types", () => {
    for (const value of [null, 5, {}, [], true, Symbol("x"), () => {}, new Uint8Array(4), 10n]) {
      assert.throws(() => new Position(value), TypeError);
      assert.throws(() => new Position().move(value), (error) => !(error instanceof WebAssembly.RuntimeError));
      assert.throws(() => new Game().push(value), (error) => !(error instanceof WebAssembly.RuntimeError));
      assert.throws(() => parseComment(value), TypeError);
      survives(() => parsePgn(value), "parsePgn");
      survives(() => new Position().svg({ labels: [{ square: "e4", text: value }] }), "svg");
      survives(() => writePgn({ moves: [{ san: value }] }), "writePgn");
    }
  });

  test("many games", () => {
    const dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(20).trim().split(" ");
    for (let count = 0; count < 300; count++) {
      const game = new Game();
      for (const move of dance) game.push(move);
      assert.equal(game.outcome.reason, "fivefoldRepetition");
    }
  });

  test("the module works afterwards", () => assert.equal(new Position().perft(3), 8902));
});
