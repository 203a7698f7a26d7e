// The page without a network, and its updates, in Chromium. It needs `vite build`.

import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "../../test/serve.mjs";
import { writeServiceWorker } from "../build/offline.js";
import { dist, executablePath, skip } from "./browser.mjs";

test("offline, and updates", { skip, timeout: 120_000 }, async (context) => {
  const { chromium } = createRequire(new URL("../../package.json", import.meta.url))("playwright-core");
  const folder = await mkdtemp(join(tmpdir(), "board-"));
  await cp(dist, folder, { recursive: true });
  const server = await serve(folder);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  context.after(async () => {
    await browser.close();
    server.close();
    await rm(folder, { recursive: true });
  });
  const window = await browser.newContext();
  const page = await window.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (line) => line.type() === "error" && problems.push(`${line.text()} ${line.location().url}`));
  await page.goto(`${server.address}/index.html`);
  const isControlled = () => page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await isControlled();
  const caches = () => page.evaluate(() => caches.keys());
  const first = await caches();
  assert.equal(first.length, 1);

  await window.setOffline(true);
  await page.reload();
  await page.getByRole("link", { name: "Analyse" }).click();
  await page.locator(".lines .chip").first().waitFor();
  await page.getByRole("link", { name: "Play" }).click();
  await page.getByRole("button", { name: "Start the game" }).click();
  for (const square of ["e2", "e4"]) await page.locator(`.bd .b-cell[data-square=${square}]`).click();
  await page.waitForFunction(() => document.querySelectorAll(".moves .mv:not(.gap)").length === 2);
  await window.setOffline(false);

  // A build whose files do not fit its list is not used.
  const html = await readFile(join(folder, "index.html"), "utf8");
  const change = (name) => writeFile(join(folder, "index.html"), html.replace("<html", `<html data-build="${name}"`));
  const build = (page) => page.evaluate(() => document.documentElement.dataset.build);
  const update = () => page.evaluate(() => navigator.serviceWorker.getRegistration().then((own) => own.update()).then(
    async (own) => {
      const next = own.installing;
      while (next?.state === "installing") await new Promise((done) => next.addEventListener("statechange", done));
      return next?.state;
    }));
  await change("New");
  writeServiceWorker(folder);
  await change("Half");
  assert.equal(await update(), "redundant");
  assert.deepEqual(await caches(), first);
  await page.reload();
  assert.equal(await build(page), undefined);

  // A whole one waits for the next start. Other pages of the old one keep it.
  await change("New");
  assert.equal(await update(), "installed");
  assert.equal(await build(page), undefined);
  const other = await window.newPage();
  await other.goto(`${server.address}/index.html`);
  assert.equal(await build(other), undefined);
  await other.close();
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.build === "New");
  await page.locator(".bd .b-cell").first().waitFor();
  const second = await caches();
  assert.equal(second.length, 1);
  assert.notDeepEqual(second, first);
  assert.deepEqual(problems, []);
});
