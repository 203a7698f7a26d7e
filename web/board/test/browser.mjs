// What the tests in Chromium share: a server for the built page, a browser, and the problems that the page has met.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { serve } from "../../test/serve.mjs";

export const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
export const dist = fileURLToPath(new URL("../dist", import.meta.url));

/** Why the tests cannot run, or false. */
export const skip = !executablePath ? "Chromium is not installed" : !existsSync(dist) ? "the page is not built" : false;
if (skip) console.error(`The tests in a browser are skipped: ${skip}.`);

/**
 * Writes a picture of a page to the folder that SHOTS names, if it is set.
 * @param {import("playwright-core").Page} page @param {string} name
 */
export async function shoot(page, name, options = {}) {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, ...options });
}

/** A file of `testdata`. @param {string} name */
export const testdata = (name) => fileURLToPath(new URL(`../../../testdata/${name}`, import.meta.url));

/**
 * Opens the page; the browser is closed with the test. `problems` collects errors of the page and of its console.
 * `folder` has the files of the page, `prepare(page)` is called before they are loaded.
 * @param {import("node:test").TestContext} context
 */
export async function open(context, { folder = dist, prepare, ...options } = {}) {
  const { chromium } = createRequire(new URL("../../package.json", import.meta.url))("playwright-core");
  const server = await serve(folder);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  context.after(async () => {
    await browser.close();
    server.close();
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (line) => line.type() === "error" && problems.push(line.text()));
  page.setDefaultTimeout(20_000);
  await prepare?.(page);
  await page.goto(`${server.address}/index.html`);
  const view = (name) => page.getByRole("link", { name, exact: true }).click();
  const cell = (square) => page.locator(`.b-cell[data-square=${square}]`);
  /** Moves by clicks, "e2e4". */
  const click = async (...moves) => {
    for (const move of moves) for (const square of [move.slice(0, 2), move.slice(2, 4)]) await cell(square).click();
  };
  const type = async (...moves) => {
    for (const move of moves) {
      await page.getByLabel("Type a move").fill(move);
      await page.keyboard.press("Enter");
    }
  };
  const count = () => page.locator(".moves .mv:not(.gap)").count();
  const untilMoves = (number) => page.waitForFunction(
    (wanted) => document.querySelectorAll(".moves .mv:not(.gap)").length === wanted, number);
  const setUp = async (fen) => {
    await view("Analyse");
    const field = page.getByLabel("FEN", { exact: true });
    await field.fill(fen);
    await field.press("Enter");
    await page.waitForFunction((wanted) => document.querySelector(".fen input").value === wanted, fen);
  };
  return { page, problems, address: server.address, browser, view, cell, click, type, count, untilMoves, setUp };
}
