// The examples, built by Vite and webpack from the package as it is published, in Chromium; and the declarations.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
const skip = executablePath ? false : "no Chromium";
const web = fileURLToPath(new URL("..", import.meta.url));

/** @param {string} program @param {string[]} args @param {string} cwd */
async function run(program, args, cwd) {
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd }).catch((error) => {
    throw new Error(`${program} ${args.join(" ")}: ${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

/** Installs what an example depends on, and the package as it is now. @param {string} folder */
async function install(folder) {
  for (const old of ["node_modules/bartizan", "node_modules/.vite", "dist"]) {
    await rm(`${folder}/${old}`, { recursive: true, force: true });
  }
  await run("npm", ["install", "--install-links", "--no-package-lock", "--no-fund", "--no-audit"], folder);
}

/** Presses the button, and checks what it shows. @param {string} address */
async function tryPage(address) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    /** @type {string[]} */
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(address);
    await page.click("button");
    // Lines come while the search runs.
    await page.waitForSelector("button:disabled ~ #lines:not(:empty)");
    await page.waitForSelector("button:enabled");
    const text = async (/** @type {string} */ id) => (await page.textContent(`#${id}`)) ?? "";
    const lines = (await text("lines")).split("\n");
    assert.equal(lines.length, 3, lines.join("\n"));
    for (const line of lines) assert.match(line, /^depth \d+, (cp|mate) -?\d+: [a-h][1-8]/);
    assert.match(await text("level"), /^[a-h][1-8][a-h][1-8]$/);
    assert.equal((await text("moves")).split(" ").length, 31);
    await page.fill("input", "nonsense");
    await page.click("button");
    await page.waitForSelector("button:enabled");
    assert.match(await text("lines"), /FEN/i);
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
  }
}

for (const name of ["vite", "webpack"]) {
  test(`built by ${name}`, { skip }, async (context) => {
    const folder = `${web}examples/${name}`;
    await install(folder);
    const output = await run("npm", ["run", "build"], folder);
    assert.doesNotMatch(output, /warning/i);
    const server = await serve(`${folder}/dist`);
    context.after(() => server.close());
    await tryPage(`${server.address}/index.html`);
  });
}

test("served by Vite while it is developed", { skip }, async (context) => {
  const folder = `${web}examples/vite`;
  if (!existsSync(`${folder}/node_modules/vite`)) await install(folder);
  const options = ["--host", "127.0.0.1", "--clearScreen", "false"];
  const vite = spawn(process.execPath, ["node_modules/vite/bin/vite.js", ...options], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
  });
  context.after(() => vite.kill());
  let said = "";
  const address = await new Promise((done, fail) => {
    vite.stderr.on("data", (data) => (said += data));
    vite.stdout.on("data", (data) => {
      said += data;
      const address = said.match(/http:\S+/)?.[0];
      if (address) done(address);
    });
    vite.on("exit", () => fail(new Error(said)));
  });
  await tryPage(address);
});

test("in node", async () => {
  const output = await run(process.execPath, ["examples/node.mjs"], web);
  assert.match(output, /line 3, depth 12, cp/);
  assert.match(output, /rated 1500 plays [a-h]/);
  assert.match(output, /g4 blunder Allows mate/);
});

for (const [module, resolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
  test(`declarations: ${resolution}`, async () => {
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2022"];
    const lib = ["--lib", "es2023,dom,dom.asynciterable"];
    const how = ["--module", module, "--moduleResolution", resolution];
    await run(process.execPath, ["node_modules/typescript/bin/tsc", ...options, ...lib, ...how, "test/types.ts"], web);
  });
}
