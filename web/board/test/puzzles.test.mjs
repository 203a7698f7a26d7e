// Puzzles in Chromium: found in a game, trained, repeated; what a full storage does. It needs `npm run build`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, skip } from "./browser.mjs";

const PUZZLES = [
  { id: "one", fen: "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1", moves: ["a1a8", "b2b8", "a8b8"],
    themes: ["back rank"], source: "" },
  { id: "two", fen: "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", moves: ["h5f7"],
    themes: ["mate in one"], source: "" },
];

const prepare = (page) => page.addInitScript((list) => {
  localStorage.setItem("bartizan-board-puzzles", JSON.stringify(list));
}, PUZZLES);

test("puzzles are trained, and their boxes outlive the page", { skip }, async (context) => {
  const { page, problems, view, click } = await open(context, { prepare });
  await view("Puzzles");
  const card = page.locator(".trainer .card");
  await page.getByText("2 puzzles, 2 due, 0 known.").waitFor();
  await page.getByText("Choose a theme").click();
  await page.getByLabel("Theme").selectOption("back rank");
  await click("a1a7");
  await card.getByText("Ra7 is not the move").waitFor();
  await click("a1a8");
  await card.getByText("Ra8+ is right").waitFor();
  await click("a8b8");
  await card.getByText("Solved at the second try.").waitFor();
  await page.getByLabel("Theme").selectOption("mate in one");
  await page.getByLabel("Your move").fill("Qxf7");
  await page.keyboard.press("Enter");
  await card.getByText("Solved.").waitFor();
  const boxes = () => page.evaluate(() => JSON.parse(localStorage.getItem("bartizan-puzzles")));
  const before = await boxes();
  assert.deepEqual([before.one.box, before.two.box], [1, 1]);
  await page.reload();
  await view("Puzzles");
  // In the first box a puzzle is due at once; in the second it waits for a day.
  await page.getByText("2 puzzles, 2 due, 0 known.").waitFor();
  await page.getByText("Choose a theme").click();
  await page.getByLabel("Theme").selectOption("back rank");
  await click("a1a8");
  await click("a8b8");
  await card.getByText("Solved.").waitFor();
  assert.equal((await boxes()).one.box, 2);
  await page.getByRole("button", { name: "Next puzzle" }).click();
  await card.getByText("No other puzzle is due.").waitFor();
  assert.deepEqual(problems, []);
});

test("a full storage is an error that loses nothing", { skip }, async (context) => {
  const { page, problems, view, click, type } = await open(context, { prepare });
  await page.evaluate(() => {
    const big = "x".repeat(1 << 16);
    for (let at = 0, size = big.length; size > 0; at++) {
      try {
        localStorage.setItem(`fill-${at}`, big.slice(0, size));
      } catch {
        size >>= 1;
      }
    }
  });
  await view("Puzzles");
  await page.getByText("Choose a theme").click();
  await page.getByLabel("Theme").selectOption("mate in one");
  await click("h5f7");
  await page.locator(".trainer .card").getByText("Solved.").waitFor();
  await page.locator(".notice.error", { hasText: "The browser's storage is full" }).waitFor();
  // The boxes are kept in memory.
  await page.getByRole("button", { name: "Next puzzle" }).click();
  await page.locator(".trainer .card").getByText("No other puzzle is due.").waitFor();
  await page.getByRole("button", { name: "Again" }).click();
  await click("h5f7");
  await page.getByText("1 puzzle, 0 due").waitFor();
  await page.locator(".notice button").first().click();
  // The game stays on the board, and what was stored before is still there.
  await view("Analyse");
  await type("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6");
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("bartizan-board-puzzles")).length), 2);
  assert.equal(await page.locator(".moves .mv").count(), 8);
  assert.deepEqual(problems, []);
});
