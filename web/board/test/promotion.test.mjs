// Promotions in Chromium: by mouse, by keyboard, and typed. It needs `npm run build`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, skip } from "./browser.mjs";

const FEN = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1";

test("a pawn becomes the piece that is chosen", { skip }, async (context) => {
  const { page, problems, cell, click, type, setUp } = await open(context);
  await setUp(FEN);
  const picker = page.getByRole("group", { name: "Promote to" });
  const moves = () => page.locator(".moves").innerText();
  const back = async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No moves yet").waitFor();
  };
  // By mouse: a click on the square, then on the piece.
  await click("a7a8");
  await picker.waitFor();
  assert.deepEqual(await picker.getByRole("button").allInnerTexts(), ["Queen", "Rook", "Bishop", "Knight", "Cancel"]);
  await picker.getByRole("button", { name: "Cancel" }).click();
  await picker.waitFor({ state: "hidden" });
  assert.match(await moves(), /No moves yet/);
  await click("a7b8");
  await picker.getByRole("button", { name: "Knight" }).click();
  assert.match(await moves(), /axb8=N/);
  await back();
  // By dragging.
  await cell("a7").dragTo(cell("a8"));
  await picker.getByRole("button", { name: "Rook" }).click();
  assert.match(await moves(), /a8=R/);
  await back();
  // By keyboard: Escape cancels, Tab and Enter choose.
  await cell("a1").focus();
  for (let up = 0; up < 6; up++) await page.keyboard.press("ArrowUp");
  for (const key of ["Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await picker.waitFor();
  await page.keyboard.press("Escape");
  await picker.waitFor({ state: "hidden" });
  await page.keyboard.press("Tab");
  await cell("a7").focus();
  for (const key of ["Enter", "ArrowUp", "Enter", "Tab", "Tab", "Enter"]) await page.keyboard.press(key);
  await page.locator(".moves", { hasText: "a8=B" }).waitFor();
  await back();
  // Typed, in letters and in coordinates.
  for (const [text, san] of [["axb8=Q", "axb8=Q"], ["a8=N", "a8=N"], ["a7a8r", "a8=R"]]) {
    await type(text);
    await page.locator(".moves", { hasText: san }).waitFor();
    await back();
  }
  await type("a7a8k");
  assert.match(await page.locator(".typed .problem").innerText(), /a7a8k/);
  assert.deepEqual(problems, []);
});

test("an underpromotion in a game against the engine", { skip }, async (context) => {
  const { page, problems, click, setUp } = await open(context);
  await setUp("8/5P1k/8/6K1/8/8/8/8 w - - 0 1");
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.getByRole("button", { name: "Start the game" }).click();
  await click("f7f8");
  await page.getByRole("button", { name: "Bishop" }).click();
  await page.locator(".moves", { hasText: "f8=B" }).waitFor();
  // King and bishop cannot checkmate.
  await page.getByText("Draw because neither side can checkmate.").first().waitFor();
  assert.deepEqual(problems, []);
});
