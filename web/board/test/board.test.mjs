// The page in Chromium: a game by mouse and keyboard, an analysis, a review, puzzles. It needs `npm run build`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, shoot, skip } from "./browser.mjs";

test("a game by mouse and keyboard", { skip }, async (context) => {
  const { page, problems, cell, count, untilMoves } = await open(context);
  await page.getByRole("radio", { name: "5+3" }).check();
  await page.getByRole("slider", { name: /Level/ }).fill("800");
  await page.getByRole("button", { name: "Start the game" }).click();
  assert.match(await page.locator(".who .clock").first().innerText(), /5:00/);
  // An illegal move says why, and changes nothing.
  await cell("e2").click();
  await cell("e5").click();
  assert.match(await page.locator(".notice").innerText(), /e5/);
  assert.equal(await count(), 0);
  // By clicks, then by dragging.
  await cell("e2").click();
  await cell("e4").click();
  await untilMoves(2);
  await cell("d2").dragTo(cell("d3"));
  await untilMoves(4);
  assert.notEqual(await page.locator(".who .clock").last().innerText(), "5:00");
  // By keyboard: the cursor is on the king after the board has been entered.
  await cell("h2").focus();
  for (const key of ["Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await untilMoves(6);
  assert.match(await page.locator(".moves").innerText(), /h3/);
  await page.getByRole("button", { name: "Take back" }).click();
  await untilMoves(4);
  // Takes no move in an earlier position.
  await page.getByRole("button", { name: "First position" }).click();
  await cell("a2").click();
  await cell("a3").click();
  assert.equal(await count(), 4);
  await page.getByRole("button", { name: "Back to the game" }).click();
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".b-arrow.b-best").waitFor();
  await shoot(page, "play");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  assert.match(await page.locator(".result-box").innerText(), /You lose\s+Black wins by resignation\./);
  assert.match(await page.locator("[aria-live].vh").first().textContent() ?? "", /Black wins by resignation/);
  await shoot(page, "result");
  assert.deepEqual(problems, []);
});

test("an analysis, a review and puzzles", { skip }, async (context) => {
  const { page, problems, cell, type } = await open(context);
  await page.getByRole("link", { name: "Analyse" }).click();
  await page.locator(".lines .chip").first().waitFor();
  await type("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#");
  assert.match(await page.locator(".engine .end").innerText(), /White wins by checkmate\./);
  // Another move becomes a variation.
  await page.locator(".moves").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await cell("g7").click();
  await cell("g6").click();
  assert.match(await page.locator(".variation").innerText(), /3…\s*g6/);
  await type("Qxh9");
  assert.match(await page.locator(".typed .problem").innerText(), /Qxh9/);
  await page.locator(".lines .chip").nth(1).waitFor();
  await page.locator(".b-arrow.b-best").waitFor();
  await page.getByText("Why: the evaluation in words").click();
  await page.getByLabel(/Show the value of each piece/).check();
  await page.locator(".b-chip-text").first().waitFor();
  await shoot(page, "analyse");
  await page.getByLabel(/Show the value of each piece/).uncheck();
  // The best move by a key; the page needs no field focused.
  const before = await page.locator(".moves .mv:not(.gap)").count();
  await page.locator(".moves").focus();
  await page.keyboard.press("Space");
  await page.waitForFunction((old) => document.querySelectorAll(".moves .mv:not(.gap)").length === old + 1, before);
  await page.getByRole("button", { name: "mistake", exact: true }).click();
  await page.getByRole("button", { name: "Promote" }).click();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("Play the best move").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Promote" }).waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.locator(".report [data-game] .move-button").first().waitFor();
  await shoot(page, "review");
  await page.keyboard.press("ArrowRight");
  await page.locator(".report [aria-current=step]").first().waitFor();
  await page.getByRole("button", { name: "Back to the analysis" }).click();
  await page.getByRole("link", { name: "Puzzles" }).click();
  await page.getByRole("button", { name: "Find puzzles in this game" }).click();
  await page.locator(".notice, .found-none", { hasText: /puzzle/i }).first().waitFor();
  await shoot(page, "puzzles");
  assert.deepEqual(problems, []);
});
