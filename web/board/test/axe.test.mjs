// Accessibility: axe finds nothing in any view, light and dark, on a phone and on a desktop. It needs `npm run build`.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { open, skip, testdata } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Checks what is shown, light and dark, at two widths. */
async function check(page, name) {
  const findings = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [width, height] of [[360, 740], [1280, 800]]) {
      await page.setViewportSize({ width, height });
      if (!await page.evaluate(() => "axe" in globalThis)) await page.addScriptTag({ path: axe });
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      for (const { id, nodes } of violations) {
        for (const { target, failureSummary } of nodes) {
          findings.push(`${colorScheme} ${width} ${id}: ${target.join(" ")}: ${failureSummary}`);
        }
      }
    }
  }
  assert.deepEqual(findings, [], name);
}

test("axe finds nothing", { skip, timeout: 300_000 }, async (context) => {
  const { page, view, type } = await open(context, { bypassCSP: true });
  const see = (name) => context.test(name, () => check(page, name));
  await see("a new game");
  await page.getByRole("radio", { name: "5+3" }).check();
  await page.getByRole("button", { name: "Start the game" }).click();
  await type("e4");
  await see("a game");
  await view("Analyse");
  await see("the analysis during a game");
  await view("Play");
  await page.getByRole("button", { name: "Resign" }).click();
  await see("the question before resigning");
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await see("the result");

  await view("Analyse");
  await page.locator(".fen input").fill("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
  await page.keyboard.press("Enter");
  await type("Bc4", "Nd4", "Nxe5", "Qg5");
  await page.getByRole("button", { name: "mistake", exact: true }).click();
  await page.keyboard.press("ArrowLeft");
  await type("Bxf7+");
  await page.getByRole("button", { name: "dubious move", exact: true }).click();
  await page.getByRole("button", { name: "Comment" }).click();
  await page.getByLabel("Comment", { exact: true }).fill("Not yet");
  await page.locator(".lines .chip").nth(1).waitFor();
  for (const summary of await page.locator(".fold summary").all()) await summary.click();
  await see("the analysis");
  await page.getByRole("button", { name: "Keys and settings" }).click();
  await see("the help");
  await page.keyboard.press("Escape");

  await view("Set up");
  await page.locator(".s-board").waitFor();
  await see("a position");
  await page.getByRole("button", { name: "Clear" }).click();
  await see("an illegal position");
  await view("Games");
  await see("no games");
  await page.getByLabel("A file of games").setInputFiles(testdata("judgement/games.pgn"));
  await page.locator(".g-list button").first().click();
  await see("games");
  await page.locator(".g-file input").fill("nobody");
  await see("no game found");

  await view("Puzzles");
  await see("no puzzles");
  await page.evaluate(() => localStorage.setItem("bartizan-board-puzzles", JSON.stringify([{
    id: "one", fen: "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1", moves: ["a1a8", "b2b8", "a8b8"], themes: ["back rank"],
    source: "A game",
  }])));
  await page.reload();
  await view("Puzzles");
  await page.getByText("Find the best move").waitFor();
  await see("a puzzle");
  await page.getByRole("button", { name: "Show the solution" }).click();
  await see("a solution");

  await view("Arena");
  await see("a new match");
  await page.getByRole("radio", { name: "Test suite" }).check();
  await page.getByLabel("Positions in EPD")
    .fill('6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id "one";\n8/8/8 w - - bm Ra1;');
  await page.getByRole("button", { name: "Use the pasted positions" }).click();
  await page.getByLabel("A position").fill("50");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("1 run is kept in this browser").waitFor();
  await see("a suite");

  await view("Analyse");
  await page.locator(".fen input").fill("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
  await page.keyboard.press("Enter");
  await type("Qxf7#");
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.locator(".report [data-game] .move-button").first().waitFor();
  await see("a review");
});
