// Matches: openings, the end of games, scores, and games of the engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, Game, init, parsePgn } from "../../src/index.js";
import { load } from "./load.mjs";

await init();
const match = await load("match.ts");

const player = (kind, movetime = 5, level = 1200) => ({ kind, level, movetime });
const spec = (changes = {}) => ({
  players: [player("full"), player("level")], games: 4, openings: match.knownOpenings(), length: 0, date: 1e12,
  ...changes,
});

test("the openings are legal, and each is played with both colours", () => {
  const openings = match.knownOpenings();
  assert.equal(openings.length, 12);
  assert.ok(openings.every(({ moves }) => moves.length >= 10));
  assert.equal(new Set(openings.map(({ moves }) => moves.join())).size, 12);
  const plans = [0, 1, 2, 24].map((number) => match.gamePlan(spec(), number));
  assert.deepEqual(plans.map(({ isFirstWhite }) => isFirstWhite), [true, false, true, true]);
  assert.deepEqual(plans.map(({ opening }) => openings.indexOf(openings.find(({ name }) => name === opening.name))), [0, 0, 1, 0]);
});

test("openings of a PGN text are taken once, without games that are over", () => {
  const pgn = `[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n[White "C"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *\n
[White "mate"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n*\n
[White "bad"]\n\n1. d4 d5 2. Qh7 *\n`;
  const four = match.openingsOf(pgn, 4);
  assert.deepEqual(four.map(({ moves }) => moves.length), [4, 0, 2]);
  assert.equal(four[1].fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  assert.equal(match.openingsOf(pgn, 5).length, 4);
  assert.deepEqual(match.openingsOf("", 8), []);
  assert.deepEqual(match.openingsOf("nonsense", 8), []);
});

test("draws by repetition, by length and by material", () => {
  const game = new Game();
  for (const move of ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]) game.push(move);
  assert.equal(match.endOf(game, 7, 0), null);
  assert.deepEqual(match.endOf(game, 8, 4), { result: "1/2-1/2", end: "length" });
  game.push("Ng8");
  assert.deepEqual(match.endOf(game, 8, 0), { result: "1/2-1/2", end: "repetition" });
  assert.equal(match.endOf(new Game({ fen: "4k3/8/8/8/8/8/8/4K2B w - - 0 1" }), 0, 0).end, "too little material");
  assert.equal(match.endOf(new Game({ fen: "4k3/8/8/8/8/8/7R/4K3 w - - 100 80" }), 0, 0).end, "50 moves");
});

test("scores become Elo differences with intervals", () => {
  const games = [["1-0", true], ["0-1", false], ["1/2-1/2", true], ["1-0", false]]
    .map(([result, isFirstWhite]) => ({ result, isFirstWhite }));
  assert.deepEqual(match.scoreOf(games), { wins: 2, draws: 1, losses: 1 });
  assert.equal(match.estimate({ wins: 0, draws: 0, losses: 0 }), null);
  // Without draws it is Wilson's interval: 60 of 100 is 0.502 to 0.691.
  const plain = match.estimate({ wins: 60, draws: 0, losses: 40 });
  assert.ok(Math.abs(plain.elo - 70.4) < 0.1);
  const share = (elo) => 1 / (1 + 10 ** (-elo / 400));
  assert.ok(Math.abs(share(plain.low) - 0.502) < 0.001 && Math.abs(share(plain.high) - 0.691) < 0.001);
  // Draws make it narrower: with 1000 games, it is nearly the normal one.
  const drawn = match.estimate({ wins: 250, draws: 600, losses: 150 });
  assert.ok(Math.abs(share(drawn.high) - (0.55 + 1.96 * Math.sqrt((0.55 * 0.45 - 0.15) / 1000))) < 0.001);
  const won = match.estimate({ wins: 10, draws: 0, losses: 0 });
  assert.deepEqual([won.elo, won.high], [Infinity, Infinity]);
  assert.ok(won.low > 100 && won.low < 250);
  const lost = match.estimate({ wins: 0, draws: 0, losses: 10 });
  assert.deepEqual([lost.elo, lost.low, lost.high], [-Infinity, -Infinity, -won.low]);
  const draws = match.estimate({ wins: 0, draws: 2, losses: 0 });
  assert.ok(draws.low < -100 && draws.high > 100);
  for (let wins = 0; wins <= 6; wins++) {
    for (let losses = 0; losses <= 6; losses++) {
      for (let draws = wins + losses === 0 ? 1 : 0; draws <= 6; draws++) {
        const { low, elo, high } = match.estimate({ wins, draws, losses });
        assert.ok(low <= elo && elo <= high, `${wins} ${draws} ${losses}`);
      }
    }
  }
  assert.deepEqual([35.4, -120.6, 0.2, Infinity, -Infinity].map(match.eloText), ["+35", "−121", "0", "+∞", "−∞"]);
});

test("two games of the engine against a level", async () => {
  const engines = [await Engine.create({ hash: 2 }), await Engine.create({ hash: 2 })];
  try {
    const short = spec({ length: 6, players: [player("full"), player("level", 5, 800)] });
    for (const number of [0, 1]) {
      const seen = [];
      const game = await match.playGame(short, number, engines, new AbortController().signal, (live) => seen.push(live));
      assert.equal(game.isFirstWhite, number === 0);
      assert.equal(seen.length, game.plies - 16 + 1);
      const [read] = parsePgn(game.pgn);
      assert.deepEqual(read.errors, []);
      assert.equal(read.result, game.result);
      assert.equal(read.moves.length, game.plies);
      assert.equal(read.tags.White, number === 0 ? "Bartizan, 5 ms" : "Bartizan 800, 5 ms");
      if (game.end === "length") assert.equal(read.tags.Termination, "adjudication");
    }
    const stop = new AbortController();
    const live = () => stop.abort();
    assert.equal(await match.playGame(spec({ players: [player("full", 60_000), player("full")] }), 0, engines, stop.signal, live), null);
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
});

test("an illegal move loses, a dead engine is asked once more", async () => {
  const of = (bestMove) => ({ newGame: async () => {}, bestMove });
  const full = spec({ players: [player("full"), player("full")], openings: [match.initialOpening()] });
  const play = (first, second) => match.playGame(full, 1, [of(first), of(second)], new AbortController().signal, () => {});
  const illegal = await play(async () => ({ move: "e2e4" }), async () => ({ move: "e2e5" }));
  assert.deepEqual([illegal.result, illegal.end, illegal.plies], ["0-1", "illegal move", 0]);
  let tries = 0;
  const fails = async () => {
    tries++;
    throw new Error("dead");
  };
  await assert.rejects(play(fails, fails), /dead/);
  assert.equal(tries, 2);
});

test("a match is read from storage, a damaged one is not", () => {
  const game = { pgn: "*", opening: "x", isFirstWhite: true, result: "1-0", end: "checkmate", plies: 3 };
  const state = { spec: spec(), games: [game] };
  assert.deepEqual(match.readMatch(JSON.stringify(state)), state);
  for (const text of ["", "null", "{}", JSON.stringify({ ...state, games: [{ ...game, result: "*" }] }),
    JSON.stringify({ ...state, spec: spec({ openings: [] }) }), JSON.stringify({ ...state, spec: spec({ games: 1e9 }) })]) {
    assert.equal(match.readMatch(text), null);
  }
});
