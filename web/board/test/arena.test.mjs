// The arena in Chromium: a suite of mates, and a match that goes on in another view. It needs `npm run build`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, shoot, skip } from "./browser.mjs";

const MATES = `6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id "back rank";
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "scholar";
k7/8/1K6/8/8/8/8/6Q1 w - - bm Qg8#; id "corner";
rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - bm Qh4#; id "fool";
7k/8/6K1/8/8/8/8/R7 w - - bm Ra8#; id "rook";
6k1/8/8/8/8/8/8/R5K1 w - - bm Ra9; id "bad";
`;

/** Opens the arena. @param {import("node:test").TestContext} context */
async function arena(context) {
  const { page, problems, view } = await open(context);
  await view("Arena");
  return { page, problems };
}

/** Looks at the page at two widths, light and dark: nothing is too wide. */
async function look(page, name) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [[1280, 800], [360, 740]]) {
      await page.setViewportSize({ width, height });
      await shoot(page, `${name}-${width}-${colorScheme}`, { fullPage: width === 360 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${name} is ${overflow} px too wide at ${width}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("a suite of mates is solved, kept and compared", { skip }, async (context) => {
  const { page, problems } = await arena(context);
  await page.getByRole("radio", { name: "Test suite" }).check();
  await page.getByLabel("Positions in EPD").fill(MATES);
  await page.getByRole("button", { name: "Use the pasted positions" }).click();
  assert.match(await page.locator(".arena-problems").innerText(), /Line 6, column 31: .*Ra9/);
  await page.getByLabel("A position").fill("50");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("1 run is kept in this browser").waitFor();
  assert.match(await page.locator(".arena-score").innerText(), /Solved 5 of 5/);
  assert.match(await page.locator("[aria-live].vh").first().textContent() ?? "", /Solved 5 of 5/);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("2 runs are kept in this browser").waitFor();
  assert.match(await page.locator(".arena-score").innerText(), /gained 0, lost 0/);
  await look(page, "suite");
  await page.reload();
  await page.getByRole("link", { name: "Arena" }).click();
  await page.getByRole("radio", { name: "Test suite" }).check();
  await page.getByText("2 runs are kept in this browser").waitFor();
  await page.getByRole("button", { name: "Endgames" }).click();
  await page.getByRole("button", { name: "Open endgame 002" }).click();
  await page.locator(".lines .chip").first().waitFor();
  assert.equal(await page.getByRole("link", { name: "Analyse" }).getAttribute("aria-current"), "page");
  assert.deepEqual(problems, []);
});

test("a match goes on in another view, and its games are opened", { skip }, async (context) => {
  const { page, problems } = await arena(context);
  for (const field of await page.getByLabel("ms a move").all()) await field.fill("20");
  await page.getByLabel("Games", { exact: true }).fill("2");
  await page.getByLabel("Draw after moves").fill("8");
  await look(page, "new-match");
  await page.getByRole("button", { name: "Start the match" }).click();
  await page.getByRole("button", { name: "Stop the match" }).waitFor();
  await page.getByRole("link", { name: "Puzzles" }).click();
  await page.waitForFunction(() =>
    (JSON.parse(localStorage.getItem("bartizan-board-match") ?? "{}").games ?? []).length === 2);
  await page.getByRole("link", { name: "Arena" }).click();
  assert.match(await page.locator(".arena-score").innerText(), /Won \d, drawn \d, lost \d \([\d.]+\s%\)/);
  assert.equal(await page.locator(".arena-table tbody tr").count(), 2);
  await look(page, "match");
  const [file] = await Promise.all([
    page.waitForEvent("download"), page.getByRole("button", { name: "Download PGN" }).click(),
  ]);
  assert.equal(file.suggestedFilename(), "match.pgn");
  await page.getByRole("button", { name: "Open game 2" }).click();
  await page.locator(".moves .mv").nth(20).waitFor();
  assert.deepEqual(problems, []);
});
