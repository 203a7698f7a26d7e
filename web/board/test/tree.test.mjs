// Edits of a game's tree.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Position, init, parsePgn, writePgn } from "../../src/rules.js";
import { load } from "./load.mjs";

await init();
const tree = await load("tree.ts");

const game = (text) => parsePgn(text)[0];
/** The moves in PGN, without tags and numbers. */
const moves = (of) => writePgn(of, { width: 0 }).split("\n\n")[1].trim().replaceAll(/\d+\.+ ?/g, "").replace(/ \*$/, "");
const plain = (of) => JSON.parse(JSON.stringify(of));

test("a known move is followed, another becomes a variation", () => {
  const start = game("1. e4 e5 2. Nf3 *");
  const reply = (fen, san) => {
    const { uci, after } = new Position(fen).move(san);
    return { san, uci, fen: after };
  };
  const known = tree.addMove(start, [1], reply(start.moves[0].fen, "e5"));
  assert.deepEqual(known.path, [2]);
  assert.equal(known.game, start);
  const other = tree.addMove(start, [1], reply(start.moves[0].fen, "c5"));
  assert.deepEqual(other.path, [1, 0, 1]);
  assert.equal(moves(other.game), "e4 e5 (c5) Nf3");
  assert.equal(moves(start), "e4 e5 Nf3");
  assert.deepEqual(tree.movesTo(other.game, other.path).map(({ san }) => san), ["e4", "c5"]);
});

test("variations change places with their lines", () => {
  const start = game("1. e4 e5 (1... c5 {Sicilian} 2. Nf3 (2. c3 d5) 2... d6) (1... e6) 2. Nf3 Nc6 *");
  const inner = [1, 0, 1, 0, 2];
  assert.equal(tree.nodeAt(start, inner).san, "d5");
  const once = tree.promote(start, inner);
  assert.deepEqual(once.path, [1, 0, 3]);
  assert.equal(moves(once.game), "e4 e5 (c5 {Sicilian} c3 (Nf3 d6) d5) (e6) Nf3 Nc6");
  const main = tree.promoteToMain(start, inner);
  assert.deepEqual(main.path, [4]);
  assert.equal(moves(main.game), "e4 c5 {Sicilian} (e5 Nf3 Nc6) (e6) c3 (Nf3 d6) d5");
  assert.equal(tree.nodeAt(main.game, main.path).san, "d5");
});

test("a deleted move gives way to an alternative", () => {
  const start = game("1. e4 e5 (1... c5 2. Nf3) (1... e6) 2. Nf3 *");
  assert.equal(moves(tree.removeFrom(start, [2]).game), "e4 c5 (e6) Nf3");
  assert.deepEqual(tree.removeFrom(start, [2]).path, [1]);
  assert.equal(moves(tree.removeFrom(start, [1, 0, 1]).game), "e4 e5 (e6) Nf3");
  assert.equal(moves(tree.removeFrom(start, [1, 0, 2]).game), "e4 e5 (c5) (e6) Nf3");
  assert.equal(moves(tree.removeFrom(start, [3]).game), "e4 e5 (c5 Nf3) (e6)");
  assert.equal(tree.removeFrom(start, [0]).game.moves.length, 0);
});

test("a walk between alternatives comes back", () => {
  const start = game("1. e4 e5 (1... c5) (1... e6) *");
  let path = [2];
  const seen = [];
  for (let step = 0; step < 3; step++) {
    path = tree.sibling(start, path, 1);
    seen.push(tree.nodeAt(start, path).san);
  }
  assert.deepEqual(seen, ["c5", "e6", "e5"]);
  assert.equal(tree.sibling(start, [1], 1), null);
});

test("glyphs of one kind replace each other", () => {
  let start = game("1. e4 *");
  start = tree.toggleGlyph(start, [1], 1);
  start = tree.toggleGlyph(start, [1], 14);
  start = tree.toggleGlyph(start, [1], 4);
  assert.deepEqual(start.moves[0].nags, [4, 14]);
  assert.deepEqual(tree.toggleGlyph(start, [1], 4).moves[0].nags, [14]);
});

test("a game is written and read equal after random edits", () => {
  let state = 20_261_130;
  const random = (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const nodes = (of, path = [0], found = []) => {
    found.push(path);
    for (const reply of tree.replies(of, path)) nodes(of, reply, found);
    return found;
  };
  const comments = ["{a} b", "good", "[%clk 0:01:00] text", "two\nlines", "ends; here", "% first", ""];
  const fens = [undefined, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20"];
  const annotated = game(writePgn(game("{start} 1. e4 e5 ({old} 1... c5 {Sicilian} 2. Nf3 ({quiet} 2. c3 d5) 2... d6) 2. Nf3 *")));
  const { tags } = annotated;
  for (let round = 0; round < 40; round++) {
    const fen = new Position(fens[round % fens.length]).fen;
    let at = {
      game: { tags, fen, chess960: false, comment: "", moves: [], result: "*", errors: [] }, path: [0],
    };
    if (round % 4 === 0) at.game = annotated;
    for (let edit = 0; edit < 60; edit++) {
      const all = nodes(at.game);
      for (const path of all) assert.ok(tree.hasNode(at.game, path));
      const path = all[random(all.length)];
      const before = JSON.stringify(at.game);
      const old = at.game;
      const kind = random(12);
      if (kind < 7) {
        const legal = new Position(tree.fenAt(at.game, path), { tolerant: true }).legalMoves();
        if (legal.length === 0) continue;
        const { san, uci, after } = legal[random(legal.length)];
        at = tree.addMove(at.game, path, { san, uci, fen: after });
        assert.equal(tree.nodeAt(at.game, at.path).uci, uci);
      } else if (kind === 7) {
        const { san } = tree.nodeAt(at.game, path) ?? {};
        at = tree.promote(at.game, path);
        assert.equal(tree.nodeAt(at.game, at.path)?.san, san);
      } else if (kind === 8) at = { ...at, game: tree.setComment(at.game, path, comments[random(comments.length)]) };
      else if (kind === 9) at = { ...at, game: tree.toggleGlyph(at.game, path, 1 + random(20)) };
      else if (kind === 10) at = tree.promoteToMain(at.game, path);
      else if (random(4) === 0) at = tree.removeFrom(at.game, path);
      assert.equal(JSON.stringify(old), before, "the old game is as it was");
    }
    const text = writePgn(at.game);
    assert.deepEqual(plain(parsePgn(text)[0]), plain(at.game), text);
  }
});
