// What does not work is said in the page, and the rest of it stays usable: an engine that does not start, one that dies
// while it works. It needs `npm run build`.

import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { open, skip } from "./browser.mjs";

const dist = fileURLToPath(new URL("../dist", import.meta.url));

/** A copy of the built page in which `change(path)` is done to each file whose name begins so. */
async function damaged(context, name, change) {
  const folder = await mkdtemp(join(tmpdir(), "board-"));
  context.after(() => rm(folder, { recursive: true }));
  await cp(dist, folder, { recursive: true });
  await rm(join(folder, "sw.js"));
  for (const file of await readdir(join(folder, "assets"))) {
    if (file.startsWith(name)) await change(join(folder, "assets", file));
  }
  return folder;
}

/** The analysis and the play say why there is no engine; moves, games and positions work all the same. */
async function survives({ page, view, type, count, click }) {
  await view("Analyse");
  await page.locator(".engine .status .problem").waitFor();
  const why = await page.locator(".engine .status").innerText();
  assert.ok(why.length > 10, why);
  await type("e4", "e5");
  assert.equal(await count(), 2);
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.getByText("The review has failed").waitFor();
  await page.getByRole("button", { name: "Back to the analysis" }).click();
  await view("Play");
  await page.getByRole("button", { name: "Start the game" }).click();
  await click("e2e4");
  await page.getByText(/The engine does not answer: ./).waitFor();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await view("Set up");
  await page.getByText("This position can be played").waitFor();
  await view("Arena");
  await page.getByRole("button", { name: "Start the match" }).click();
  await page.getByText(/The match has stopped: ./).waitFor();
  return why;
}

test("the module of the engine is damaged", { skip }, async (context) => {
  const folder = await damaged(context, "engine", (path) => writeFile(path, "\0asm nonsense"));
  await survives(await open(context, { folder }));
});

test("the module of the engine is missing", { skip }, async (context) => {
  const folder = await damaged(context, "engine", (path) => rm(path));
  await survives(await open(context, { folder }));
});

test("the script of the worker is missing", { skip }, async (context) => {
  const folder = await damaged(context, "worker", (path) => rm(path));
  const why = await survives(await open(context, { folder }));
  assert.match(why, /worker/);
});

test("the rules are damaged, or there is no WebAssembly", { skip }, async (context) => {
  const folder = await damaged(context, "rules", (path) => writeFile(path, "nonsense"));
  const { page } = await open(context, { folder });
  await page.getByText(/The board cannot start: ./).waitFor();
  const without = await open(context, { prepare: (page) => page.addInitScript(() => delete globalThis.WebAssembly) });
  await without.page.getByText(/The board cannot start: .*WebAssembly/).waitFor();
});

/** Keeps the workers of a page in `workers`. */
const prepare = (page) => page.addInitScript(() => {
  globalThis.workers = [];
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      globalThis.workers.push(this);
    }
  };
});

/** Lets the newest worker fail as one whose memory is exhausted. */
const kill = (page) => page.evaluate(() => {
  const worker = globalThis.workers.at(-1);
  worker.terminate();
  worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
});

test("an engine that dies is started again", { skip }, async (context) => {
  const { page, problems, view, click, untilMoves } = await open(context, { prepare });
  await view("Analyse");
  await page.locator(".lines .chip").first().waitFor();
  await kill(page);
  await page.getByText("The engine has stopped. It is started again.").waitFor();
  await page.waitForFunction(() => globalThis.workers.length === 2);
  await page.locator(".lines .chip").first().waitFor();
  await view("Play");
  await page.getByRole("button", { name: "Start the game" }).click();
  await click("e2e4");
  await page.getByText("Bartizan is thinking").waitFor();
  await kill(page);
  await untilMoves(2);
  // On a busy machine the answer may have been on its way; then the next move finds the engine gone.
  await click("d2d4");
  await untilMoves(4);
  assert.equal(await page.evaluate(() => globalThis.workers.length), 3);
  assert.deepEqual(problems, []);
});
