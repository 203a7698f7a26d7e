// Files of games, suites of positions, addresses and what is stored, without a browser.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { init, parsePgn, writePgn } from "../../src/rules.js";
import { load } from "./load.mjs";

await init();
const { indexPgn, gamesIn, filePgn, entryOf, filterEntries, tagsOf } = await load("pgnfile.ts");
const url = await load("url.ts");
const storage = await load("storage.ts");

const data = new URL("../../../testdata/", import.meta.url);
const bytes = (text) => new TextEncoder().encode(text);
const plain = (value) => JSON.parse(JSON.stringify(value));

test("the index finds the games that the parser finds", async () => {
  for (const name of ["judgement/games.pgn", "examples/openings.pgn", "book/basic.pgn"]) {
    const text = await readFile(new URL(name, data));
    const file = await indexPgn(name, text);
    const games = parsePgn(text);
    assert.equal(file.entries.length, games.length, name);
    for (const [at, entry] of file.entries.entries()) {
      if (at % 7 > 0) continue;
      const [game, ...more] = gamesIn(file, entry);
      assert.equal(more.length, 0);
      assert.deepEqual(plain({ ...game, errors: [] }), plain({ ...games[at], errors: [] }));
      if (entry.tags.White) assert.equal(entry.tags.White, game.tags.White);
    }
  }
});

test("brackets in comments begin no game, an open comment ends at the next one", async () => {
  const text = '[Event "A"]\r\n\r\n1. e4 {[%clk\r\n[Event "no"]\r\n0:01]} e5 ; { [\r\n2. Nf3 *\r\n\r\n'
    + '[Event "B \\"q\\""]\n\n1. d4 {open\n[White "no"]\n\n[Event "C"]\n[White "W"]\n\n1. c4 Ke4 1-0\n';
  const file = await indexPgn("a.pgn", bytes(text));
  assert.deepEqual(file.entries.map(({ tags }) => tags.Event), ["A", 'B "q"', "C"]);
  assert.deepEqual(gamesIn(file, file.entries[0])[0].moves.map(({ san }) => san), ["e4", "e5", "Nf3"]);
  const [broken] = gamesIn(file, file.entries[2]);
  const lines = text.split(/\r\n|\n/);
  assert.match(lines[broken.errors[0].line - 1], /Ke4/);
  assert.equal(lines[broken.errors[0].line - 1].slice(broken.errors[0].column - 1).startsWith("Ke4"), true);
});

test("a file with edits is saved and opened equal", async () => {
  const text = await readFile(new URL("judgement/games.pgn", data));
  const file = await indexPgn("games.pgn", text);
  assert.deepEqual(Buffer.from(await filePgn(file).arrayBuffer()), text, "nothing has changed");
  const [game] = gamesIn(file, file.entries[1]);
  const edited = { ...game, comment: "edited", tags: { ...game.tags, White: "Ünï" } };
  const added = parsePgn(writePgn({ moves: [{ san: "e4" }], tags: { White: "New" } }))[0];
  const changed = {
    ...file,
    entries: [...file.entries.with(1, { ...file.entries[1], edited, tags: tagsOf(edited) }), entryOf(added)],
  };
  const again = await indexPgn("games.pgn", new Uint8Array(await filePgn(changed).arrayBuffer()));
  assert.equal(again.entries.length, file.entries.length + 1);
  assert.deepEqual(plain(gamesIn(again, again.entries[1])[0]), plain(edited));
  assert.deepEqual(plain(gamesIn(again, again.entries.at(-1))[0]), plain(added));
  assert.deepEqual(plain(gamesIn(again, again.entries[2])[0].moves), plain(gamesIn(file, file.entries[2])[0].moves));
  assert.equal(filterEntries(again.entries, "ünï").length, 1);
});

test("a file in Windows-1252 keeps its letters", async () => {
  const text = '[White "M\xfcller"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n';
  const file = await indexPgn("a.pgn", Buffer.from(text, "latin1"));
  assert.equal(file.entries[0].tags.White, "Müller");
  const edited = { ...gamesIn(file, file.entries[1])[0], comment: "é" };
  const saved = { ...file, entries: file.entries.with(1, { ...file.entries[1], edited }) };
  const again = await indexPgn("a.pgn", new Uint8Array(await filePgn(saved).arrayBuffer()));
  assert.equal(again.entries[0].tags.White, "Müller");
  assert.equal(gamesIn(again, again.entries[1])[0].comment, "é");
});

test("fifty megabytes are indexed in slices", async () => {
  const text = await readFile(new URL("judgement/games.pgn", data));
  const count = Math.ceil(50e6 / text.length);
  const start = performance.now();
  let [longest, last] = [0, start];
  const file = await indexPgn("big.pgn", Buffer.concat(Array(count).fill(text)), () => {
    longest = Math.max(longest, performance.now() - last);
    setTimeout(() => (last = performance.now()));
  });
  const [time, slice] = [performance.now() - start, longest].map(Math.round);
  console.log(`# ${file.entries.length} games in ${time} ms, slices to ${slice} ms`);
  assert.equal(file.entries.length, count * parsePgn(text).length);
});

test("an address holds a line, and garbage is refused", () => {
  for (const text of [
    "moves=e2e4,e7e5,g1f3", "fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1&moves=e2e4",
    "fen=rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR_w_KQkq_-_0_1&chess960=1",
  ]) {
    const { game, path } = url.read(text);
    const again = url.read(url.write(game, path));
    assert.deepEqual(plain(again), plain({ game, path }));
  }
  assert.equal(url.write(url.read("moves=e2e4").game, [0]), "");
  for (const text of ["fen=x", "moves=e2e5", "moves=e2e4,zz", "x=1", "%%%", "moves=0000", "\u0000", "a".repeat(9000)]) {
    assert.throws(() => url.read(text), text.slice(0, 10));
  }
  let long = { game: url.read("moves=g1f3").game, path: [1] };
  const shuffle = ["g8f6", "f3g1", "f6g8", "g1f3"];
  long = url.read(`moves=g1f3,${Array.from({ length: 380 }, (_, at) => shuffle[at % 4]).join()}`);
  const fen = long.game.moves.at(-1).fen;
  const many = { ...long.game, moves: [...long.game.moves, ...long.game.moves] };
  assert.ok(url.write(many, [many.moves.length]).length < 200);
  assert.equal(url.read(url.write(many, [many.moves.length])).game.fen, fen);
});

test("what is stored is checked, and a failure is told once", () => {
  const found = { level: 99_999, squares: "pink", orientation: "b", lines: 3, other: 1, clock: 5 };
  const settings = storage.settingsOf(found);
  const { level, squares, orientation, lines, clock } = settings;
  assert.deepEqual([level, squares, orientation, lines, clock], [1200, "blue", "b", 3, ""]);
  assert.equal("other" in settings, false);
  assert.deepEqual(storage.gamesOf([1, null, { id: "a" }, "x"]), []);
  const told = [];
  const app = { notify: (text) => told.push(text) };
  globalThis.localStorage = { setItem: () => { throw new DOMException("full", "QuotaExceededError"); } };
  assert.equal(storage.keep(app, "games", []), false);
  assert.equal(storage.keep(app, "games", []), false);
  assert.equal(told.length, 1);
  assert.match(told[0], /full/);
  assert.equal(storage.readSaved({ pgn: "1. e4 *", path: [9] }).path.length, 1);
});
