// The page as one file, from a disk: in Chromium and Firefox. It needs `vite build --mode onefile`.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(new URL("../../package.json", import.meta.url));
const file = new URL("../dist-onefile/bartizan.html", import.meta.url);
const found = (...paths) => paths.find((path) => existsSync(path));
const chromiumPath = process.env.CHROMIUM ?? found("/usr/bin/chromium", "/usr/bin/google-chrome");
const firefoxPath = process.env.FIREFOX ?? found("/usr/bin/firefox-esr", "/usr/bin/firefox");

const inChromium = () =>
  require("playwright-core").chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
const inFirefox = () => require("puppeteer-core").launch({ browser: "firefox", executablePath: firefoxPath });

for (const [name, path, launch] of [["Chromium", chromiumPath, inChromium], ["Firefox", firefoxPath, inFirefox]]) {
  const skip = !path ? `${name} is not installed` : !existsSync(file) ? "the file is not built" : false;
  test(`one file in ${name}`, { skip, timeout: 120_000 }, async (context) => {
    const browser = await launch();
    context.after(() => browser.close());
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (line) => line.type() === "error" && problems.push(line.text()));
    await page.goto(file.href);
    await page.waitForSelector(".bd .b-cell");
    // What both drivers have in common: scripts in the page.
    const click = (selector, text) => page.evaluate(([selector, text]) => {
      const element = [...document.querySelectorAll(selector)].find((element) => element.textContent.includes(text));
      if (!element) throw new Error(`there is no ${selector} with '${text}'`);
      element.click();
    }, [selector, text]);
    await click("a", "Analyse");
    await page.waitForSelector(".lines .chip", { timeout: 30_000 });
    await click("a", "Play");
    await page.waitForSelector(".bd .b-cell[data-square=e2]");
    await click("button", "Start the game");
    // The level answers, from its book or from a search; both need the worker.
    for (const square of ["e2", "e4"]) await page.locator(`.bd .b-cell[data-square=${square}]`).click();
    const moves = () => page.evaluate(() => document.querySelectorAll(".moves .mv:not(.gap)").length);
    for (let wait = 0; (await moves()) < 2; wait++) {
      assert.ok(wait < 300, `no answer to the move; ${problems.join("; ")}`);
      await new Promise((done) => setTimeout(done, 100));
    }
    // A match has engines of its own.
    await click("a", "Arena");
    await page.waitForSelector(".arena-form");
    await click("button", "Start the match");
    const answered = () => page.evaluate(() => document.querySelector(".b-last-move") !== null
      && document.querySelector(".arena .danger") !== null);
    for (let wait = 0; !(await answered()); wait++) {
      assert.ok(wait < 300, `the match does not begin; ${problems.join("; ")}`);
      await new Promise((done) => setTimeout(done, 100));
    }
    await click("button", "Stop the match");
    const rest = await page.evaluate(() => document.querySelectorAll("script[data-file]").length);
    assert.equal(rest, 0);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/onefile-${name}.png` });
    assert.deepEqual(problems, []);
  });
}
