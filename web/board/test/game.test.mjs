// Games against the engine in Chromium: to the end by mouse and by keyboard, on time, by agreement. It needs
// `npm run build`.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Game, init } from "../../src/rules.js";
import { open, skip } from "./browser.mjs";

await init();

/** Lets the engine answer at once: its pause is drawn by lot. */
const prepare = (page) => page.addInitScript(() => (Math.random = () => 0));

/** Plays random legal moves with `move(page, uci)` to the end of the game; the seed fixes the moves. */
async function playOut({ page }, move, seed) {
  const game = new Game();
  const done = page.locator(".result-box");
  while (await done.count() === 0) {
    const legal = game.position.legalMoves();
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    const { uci } = legal[Math.floor((seed / 2 ** 31) * legal.length)];
    await move(uci);
    game.push(uci);
    await page.waitForFunction((plies) => document.querySelector(".result-box")
      || document.querySelectorAll(".moves .mv:not(.gap)").length > plies, game.moves.length);
    const list = await page.locator(".moves .mv:not(.gap)").allInnerTexts();
    assert.ok(list.length - game.moves.length <= 1 && list.length < 400);
    if (list.length > game.moves.length) game.push(list.at(-1).trim());
  }
  const outcome = game.outcome ?? { result: "1/2-1/2" };
  const said = outcome.result === "0-1" ? /You lose/ : outcome.result === "1-0" ? /You win/ : /Draw/;
  assert.match(await done.innerText(), said);
  return game;
}

test("a whole game by mouse", { skip, timeout: 240_000 }, async (context) => {
  const opened = await open(context, { prepare });
  const { page, problems, click } = opened;
  await page.getByRole("slider", { name: /Level/ }).fill("1200");
  await page.getByRole("button", { name: "Start the game" }).click();
  const game = await playOut(opened, async (uci) => {
    await click(uci.slice(0, 4));
    const kind = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" }[uci[4]];
    if (kind) await page.getByRole("button", { name: kind }).click();
  }, 1);
  console.log(`# ${game.moves.length} plies`);
  await page.getByRole("button", { name: "Rematch" }).click();
  assert.match(await page.locator(".status-box").innerText(), /Your move/);
  assert.deepEqual(problems, []);
});

test("a whole game by keyboard", { skip, timeout: 240_000 }, async (context) => {
  const opened = await open(context, { prepare });
  const { page, problems, cell } = opened;
  // From the head of the page to the button, with keys alone.
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  for (let tabs = 0; tabs < 40 && await focused() !== "Start the game"; tabs++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Your move").waitFor();
  // The board has the focus then.
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-square") === "e1");
  const cursor = () => page.evaluate(() => document.activeElement?.getAttribute("data-square"));
  const walk = async (to) => {
    for (let at = await cursor(); at !== to; at = await cursor()) {
      await page.keyboard.press(at[0] < to[0] ? "ArrowRight" : at[0] > to[0] ? "ArrowLeft" : at[1] < to[1] ? "ArrowUp"
        : "ArrowDown");
    }
    await page.keyboard.press("Enter");
  };
  const back = async () => {
    for (let tabs = 0; tabs < 40 && !await cursor(); tabs++) await page.keyboard.press("Shift+Tab");
  };
  const game = await playOut(opened, async (uci) => {
    if (!await cursor()) await back();
    await walk(uci.slice(0, 2));
    await walk(uci.slice(2, 4));
    if (uci[4]) {
      for (let kind = 0; kind < "qrbn".indexOf(uci[4]); kind++) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
    }
  }, 2);
  console.log(`# ${game.moves.length} plies`);
  await cell("a1").waitFor();
  assert.deepEqual(problems, []);
});

test("a game is lost on time", { skip }, async (context) => {
  const { page, problems, click, untilMoves } = await open(context, { prepare });
  await page.getByRole("radio", { name: "Own" }).check();
  const field = page.getByLabel("Minutes + seconds a move");
  await field.fill("soon");
  await page.getByRole("button", { name: "Start the game" }).click();
  assert.match(await page.locator(".new-game .problem").innerText(), /“soon” is not a time control/);
  await field.fill("0.08");
  await page.getByRole("button", { name: "Start the game" }).click();
  await click("e2e4");
  await untilMoves(2);
  await page.getByText("Black wins on time.").first().waitFor();
  assert.match(await page.locator(".who .clock").last().innerText(), /^0:00/);
  const pgn = await page.evaluate(() => new Promise((done) => setTimeout(() =>
    done(JSON.parse(localStorage.getItem("bartizan-board-games"))[0].pgn), 900)));
  assert.match(pgn, /\[Termination "time forfeit"\]/);
  assert.match(pgn, /\[%clk 0:00:0\d\]/);
  // The move can be taken back: then the clock runs on.
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByRole("button", { name: "Start the game" }).waitFor();
  assert.deepEqual(problems, []);
});

test("draws, moves taken back, hints", { skip }, async (context) => {
  const { page, problems, click, untilMoves, setUp, view } = await open(context, { prepare });
  // Two queens down, the engine takes a draw.
  await setUp("7k/8/8/8/8/8/Q2Q4/K7 w - - 0 1");
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.getByText("From the position on the board").waitFor();
  await page.getByRole("button", { name: "Start the game" }).click();
  await page.getByRole("button", { name: "Offer draw" }).click();
  await page.getByText("Draw by agreement.").first().waitFor();
  // Another game begins with the same position.
  await page.getByRole("button", { name: "Rematch" }).click();
  await page.getByText("Your move").waitFor();
  assert.match(await page.locator(".who", { hasText: "You" }).innerText(), /\+18/);
  await page.getByRole("button", { name: "Offer draw" }).click();
  await page.getByText("Draw by agreement.").first().waitFor();
  // With more pieces it plays on, and says so.
  await setUp("kqq5/8/8/8/8/8/7P/7K w - - 0 1");
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.getByRole("button", { name: "Start the game" }).click();
  await page.getByRole("button", { name: "Offer draw" }).click();
  await page.getByText("declines the draw").first().waitFor();
  await click("h2h4");
  await untilMoves(2);
  await page.keyboard.press("u");
  await untilMoves(0);
  await page.keyboard.press("h");
  await page.locator(".b-arrow.b-best").waitFor();
  await view("Analyse");
  await page.getByText("A game is in progress").waitFor();
  await page.getByRole("button", { name: "Back to the game" }).click();
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Play on" }).click();
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await page.getByText("Black wins by resignation.").first().waitFor();
  assert.deepEqual(problems, []);
});

test("a game is one entry of the recent games", { skip }, async (context) => {
  const { page, problems, click, untilMoves, view } = await open(context, { prepare });
  await page.getByRole("button", { name: "Start the game" }).click();
  await click("e2e4");
  await untilMoves(2);
  await page.getByRole("button", { name: "Take back" }).click();
  await untilMoves(0);
  await click("d2d4");
  await untilMoves(2);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByRole("button", { name: "Start the game" }).click();
  await click("g1f3");
  await untilMoves(2);
  await view("Games");
  const entries = page.locator(".g-open");
  await page.waitForFunction(() => document.querySelectorAll(".g-open").length === 2);
  assert.match(await entries.nth(1).innerText(), /\d:\d\d.* · 0–1 · 1 move$/);
  assert.match(await entries.nth(0).innerText(), /no result · 1 move$/);
  for (let times = 0; times < 3; times++) {
    await page.locator(".g-open", { hasText: "0–1" }).click();
    await page.waitForTimeout(700);
    await page.locator(".g-open", { hasText: "no result" }).click();
    await page.waitForTimeout(700);
  }
  assert.equal(await entries.count(), 2);
  assert.match(await entries.nth(0).innerText(), /no result/);
  assert.deepEqual(problems, []);
});

test("a comment is written where the cursor is, beside its move", { skip }, async (context) => {
  const { page, problems, view, type, untilMoves } = await open(context, { viewport: { width: 1280, height: 640 } });
  await view("Analyse");
  const moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7".split(" ");
  await type(...moves);
  await untilMoves(moves.length);
  await page.getByRole("button", { name: "Comment" }).click();
  await page.keyboard.type("fast tea");
  assert.equal(await page.getByLabel("Comment", { exact: true }).inputValue(), "fast tea");
  assert.match(await page.locator(".moves .comment").innerText(), /fast tea/);
  await page.waitForFunction(() => {
    const [list, move] = [".moves", ".moves [aria-current]"].map((name) =>
      document.querySelector(name)?.getBoundingClientRect());
    return list && move && list.height > 90 && move.top >= list.top && move.bottom <= list.bottom;
  });
  assert.deepEqual(problems, []);
});

test("typed moves keep the focus and what is typed too early", { skip }, async (context) => {
  const { page, problems, untilMoves } = await open(context, { prepare: (page) => page.addInitScript(() => {
    Math.random = () => 0.99;
  }) });
  await page.getByRole("button", { name: "Start the game" }).click();
  const field = page.getByLabel("Type a move");
  await field.focus();
  await page.keyboard.type("pawn e4");
  await page.keyboard.press("Enter");
  await page.keyboard.type("uh");
  await page.keyboard.press("Enter");
  await page.getByText("It is not your move yet.").waitFor();
  assert.equal(await field.inputValue(), "uh");
  await untilMoves(2);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Type a move");
  await page.keyboard.press("Enter");
  await page.getByText("Type a move such as Nf3, e4 or g1f3.").waitFor();
  await field.fill("knight f3");
  await page.keyboard.press("Enter");
  await untilMoves(4);
  assert.deepEqual(problems, []);
});

test("threats are shown apart, for one game", { skip }, async (context) => {
  const { page, problems, setUp } = await open(context);
  await setUp("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 5 4");
  await page.locator(".moves").click();
  await page.keyboard.press("t");
  await page.locator(".threat", { hasText: "White threatens Qxf7 mate" }).waitFor();
  await page.locator("[role=status]", { hasText: "White threatens queen takes f7, checkmate" }).waitFor();
  await page.locator(".b-arrow.b-red").waitFor();
  await page.locator(".lines .chip").first().waitFor();
  assert.doesNotMatch(await page.locator(".engine .score").innerText(), /#/);
  await setUp("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  assert.equal(await page.locator(".threat").count(), 0);
  assert.equal(await page.getByRole("button", { name: "Threat (t)" }).getAttribute("aria-pressed"), "false");
  assert.deepEqual(problems, []);
});

test("a game continues after a reload", { skip }, async (context) => {
  const { page, problems, click, untilMoves, view } = await open(context, { prepare });
  await page.getByRole("radio", { name: "5+3" }).check();
  await page.getByRole("slider", { name: /Level/ }).fill("1200");
  await page.getByRole("button", { name: "Start the game" }).click();
  await click("e2e4");
  await untilMoves(2);
  await page.reload();
  await view("Play");
  await page.getByRole("slider", { name: /Level/ }).fill("800");
  await page.getByText("You play White, 1 move so far").waitFor();
  await page.getByRole("button", { name: "Continue the game against Bartizan (1200)" }).click();
  await untilMoves(2);
  assert.match(await page.locator(".who .clock").last().innerText(), /^[45]:\d\d$/);
  assert.match(await page.locator(".who").first().innerText(), /1200/);
  await click("d2d4");
  await untilMoves(4);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await page.reload();
  await view("Games");
  await page.locator(".g-open").first().waitFor();
  assert.equal(await page.locator(".g-open").count(), 1);
  await view("Play");
  await page.getByRole("button", { name: "Start the game" }).waitFor();
  assert.equal(await page.locator(".continue").count(), 0);
  assert.deepEqual(problems, []);
});

test("a game is saved by a button and by a key", { skip }, async (context) => {
  const { page, problems, view, type, untilMoves } = await open(context);
  await view("Analyse");
  await type("e4", "e5");
  await untilMoves(2);
  const text = async (act) => {
    const [file] = await Promise.all([page.waitForEvent("download"), act()]);
    assert.match(file.suggestedFilename(), /\.pgn$/);
    return readFile(await file.path(), "utf8");
  };
  assert.match(await text(() => page.getByRole("button", { name: "Save", exact: true }).click()), /1\. e4 e5/);
  await view("Set up");
  assert.match(await text(() => page.keyboard.press("Control+s")), /1\. e4 e5/);
  assert.deepEqual(problems, []);
});
