// Games as PGN in Chromium: edited, saved, opened again; dropped and pasted; many at once. It needs `npm run build`.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { init, parsePgn } from "../../src/rules.js";
import { open, skip, testdata } from "./browser.mjs";

await init();
const plain = (value) => JSON.parse(JSON.stringify(value));
const games = await readFile(testdata("judgement/games.pgn"), "utf8");

/** The text of the file that an action saves. */
async function saved(page, action) {
  const [file] = await Promise.all([page.waitForEvent("download"), action()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

/** Chromium has pickers that a test cannot answer: without them, files are downloaded. */
const prepare = (page) => page.addInitScript(() => {
  delete globalThis.showOpenFilePicker;
  delete globalThis.showSaveFilePicker;
});

const openText = (page, name, text) => page.getByLabel("A file of games").setInputFiles({
  name, mimeType: "application/x-chess-pgn", buffer: Buffer.from(text),
});

test("variations, comments and glyphs are edited, saved and opened again", { skip }, async (context) => {
  const { page, problems, view, type } = await open(context, { prepare });
  await view("Games");
  await openText(page, "games.pgn", games);
  await page.locator(".g-list button").nth(1).click();
  await view("Analyse");
  const moves = page.locator(".moves");
  const glyph = (name) => page.getByRole("button", { name, exact: true }).click();
  const go = async (...keys) => {
    await moves.focus();
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  const comment = page.getByLabel("Comment", { exact: true });
  await comment.fill("The whole game");
  const [original] = parsePgn(games).slice(1);
  await go("Home");
  // A line beside the first move, one within it, and one that is promoted over it.
  await type("a3", "a5", "a4", "h5");
  await glyph("dubious move");
  await comment.fill("A comment {in braces} of “h5”");
  await go("ArrowLeft", "ArrowLeft");
  await type("h4", "h6");
  await glyph("brilliant move");
  await page.getByRole("button", { name: "Promote" }).click();
  await go("Home");
  await type("Na3", "Nh6");
  await page.getByRole("button", { name: "Promote" }).click();
  await page.locator(".moves .row").first().getByText("Na3").waitFor();
  // Another line is deleted again.
  await go("Home");
  await type("g4", "g5");
  await go("ArrowLeft");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForFunction(() => !document.querySelector(".moves [aria-current]"));
  // A mark and an arrow.
  await go("Home", "ArrowRight");
  const cell = (square) => page.locator(`.bd .b-cell[data-square=${square}]`);
  await cell("e4").click({ button: "right" });
  await cell("d2").hover();
  await page.mouse.down({ button: "right" });
  await cell("d4").hover();
  await page.mouse.up({ button: "right" });
  await page.locator(".b-arrow.b-green").waitFor();

  await view("Games");
  const { name, text } = await saved(page, () => page.getByRole("button", { name: "Save this game" }).click());
  assert.match(name, /\.pgn$/);
  const [game] = parsePgn(text);
  assert.deepEqual(game.errors, []);
  assert.equal(game.comment, "The whole game");
  assert.equal(game.moves[0].san, "Na3");
  assert.match(game.moves[0].comment, /\[%csl Ge4\].*\[%cal Gd2d4\]|\[%cal Gd2d4\].*\[%csl Ge4\]/);
  const lines = game.moves[0].variations.map((line) => line[0].san);
  assert.deepEqual(lines.toSorted(), [original.moves[0].san, "a3"].toSorted());
  const line = game.moves[0].variations.find(([move]) => move.san === "a3");
  assert.deepEqual(line.map(({ san }) => san), ["a3", "a5", "h4", "h6"]);
  assert.deepEqual(line[3].nags, [3]);
  assert.equal(line[2].variations[0][1].comment, "A comment (in braces) of “h5”");
  assert.deepEqual(line[2].variations[0][1].nags, [6]);
  // The page opens what it saved, and saves the same again.
  await page.reload();
  await view("Games");
  await openText(page, "again.pgn", text);
  await page.locator(".g-list button").first().click();
  const again = await saved(page, () => page.getByRole("button", { name: "Save this game" }).click());
  assert.deepEqual(plain(parsePgn(again.text)), plain(parsePgn(text)));
  // All of them: the others are as they were.
  const all = await saved(page, () => page.getByRole("button", { name: "Save all" }).click());
  assert.equal(all.text, text);
  assert.deepEqual(problems, []);
});

test("a file is dropped, games are pasted, one is edited and all are saved", { skip }, async (context) => {
  const { page, problems, view } = await open(context, { prepare });
  await view("Games");
  await page.locator(".g-drop").waitFor();
  const drop = (name, text) => page.evaluate(([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const type of ["dragover", "drop"]) {
      const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector(".games").dispatchEvent(event);
    }
  }, [name, text]);
  await drop("dropped.pgn", games);
  const status = page.locator(".g-file header [role=status]");
  await page.locator(".g-name", { hasText: "dropped.pgn" }).waitFor();
  assert.equal(await status.innerText(), `${parsePgn(games).length} games`);
  await page.locator(".g-list button").nth(2).click();
  await page.locator(".g-tags label", { hasText: "White" }).first().locator("input").fill("Änne");
  await page.keyboard.press("Tab");
  const { name, text } = await saved(page, () => page.getByRole("button", { name: "Save all" }).click());
  assert.equal(name, "dropped.pgn");
  const [before, after] = [parsePgn(games), parsePgn(text)];
  assert.equal(after[2].tags.White, "Änne");
  assert.deepEqual(plain(after.toSpliced(2, 1)), plain(before.toSpliced(2, 1)));
  // What is no game leaves the file as it was.
  await drop("picture.png", "\u0089PNG\r\n\u001a\n");
  await page.locator(".notice.error").waitFor();
  assert.equal(await status.innerText(), `${before.length} games`);
  const paste = (text) => page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
  await paste('[White "A"]\n\n1. e4 e5 *\n\n[White "B"]\n\n1. d4 Ke4 *\n');
  await page.locator(".g-name", { hasText: "pasted.pgn" }).waitFor();
  await page.locator(".g-list button").nth(1).click();
  assert.match(await page.locator(".g-errors").innerText(), /Line 7, column 7: .*Ke4/);
  await page.getByText("Paste games").click();
  await page.getByLabel("Games in PGN").fill("1. c4 e5 2. g3 *");
  await page.locator("form").getByRole("button", { name: "Open" }).click();
  await page.getByText("1 game", { exact: true }).first().waitFor();
  assert.deepEqual(problems, []);
});

test("a thousand games are opened in less than two seconds", { skip }, async (context) => {
  const { page, problems, view } = await open(context, { prepare });
  const count = parsePgn(games).length;
  const copies = Math.ceil(1000 / count);
  const text = `${games.trimEnd()}\n\n`.repeat(copies);
  await view("Games");
  await page.locator(".g-drop").waitFor();
  await openText(page, "warm.pgn", games);
  await page.locator(".g-list button").first().waitFor();
  const folder = await mkdtemp(join(tmpdir(), "board-"));
  context.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "thousand.pgn");
  await writeFile(path, text);
  const start = performance.now();
  await page.getByLabel("A file of games").setInputFiles(path);
  await page.locator(".g-name", { hasText: "thousand.pgn" }).waitFor();
  const time = Math.round(performance.now() - start);
  console.log(`# ${count * copies} games, ${Math.round(text.length / 1000)} kB in ${time} ms`);
  assert.equal(await page.locator(".g-file header [role=status]").innerText(), `${count * copies} games`);
  await page.locator(".g-file input").fill("nobody");
  await page.getByText("No game has these words").waitFor();
  assert.deepEqual(problems, []);
});
