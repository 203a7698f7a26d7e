// The pages in a browser: node --test web/report/test/browser/pages.mjs

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { HOSTILE, PUZZLES, findBrowser, makePages, readGame } from "./setup.mjs";

const { chromium, executablePath, missing } = findBrowser();
if (missing) console.error(`\nTHE TESTS IN A BROWSER ARE SKIPPED: ${missing}\n`);

describe("pages in Chromium", { skip: missing }, () => {
  const game = readGame().games[0];
  let browser;
  let folder;

  before(async () => {
    folder = makePages();
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath, args });
  });
  after(() => browser?.close());

  /** Opens a page, and closes it after a check that it had no errors and used no network; `use` gets both. */
  async function open(file, options, use) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const problems = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith("file://")) problems.push(`request: ${request.url()}`);
    });
    await page.goto(pathToFileURL(join(folder, file)).href);
    await use(page, problems);
    assert.deepEqual(problems, []);
    await context.close();
  }

  const current = (page) => page.locator("[data-moves] [aria-current]").innerText();
  const title = (page) => page.locator("[data-card] .card-title").innerText();
  const cell = (page, square) => page.locator(`.b-cell[data-square=${square}]`);
  const piecesOn = (page, square) =>
    page.locator(`[data-board] use[data-square=${square}]`).evaluateAll((uses) => uses.map((use) => use.href.baseVal));

  test("the keyboard steps through the game", () => open("game.html", {}, async (page) => {
    await page.keyboard.press("ArrowRight");
    assert.match(await current(page), /^\+0\.\d\d\se4|e4/);
    assert.deepEqual(await piecesOn(page, "e4"), ["#piece-white-pawn"]);
    await page.keyboard.press("End");
    assert.match(await title(page), /^23\.Be7#/);
    await page.keyboard.press("ArrowLeft");
    assert.match(await title(page), /^22…Nxf6/);
    assert.match(await page.locator("[role=status]").first().innerText(), /^22…Nxf6, best move\./);
    await page.keyboard.press("Home");
    assert.equal(await title(page), "First position");
    const label = await page.locator(".b-board").getAttribute("aria-label");
    assert.match(label, /White: king e1; queen d1;/);
    await page.keyboard.press("f");
    assert.equal(await page.locator(".is-flipped").count(), 1);
  }));

  test("buttons, moves and the graph go to moves", () => open("game.html", {}, async (page) => {
    await page.getByRole("button", { name: "Last position" }).click();
    assert.match(await title(page), /^23\.Be7#/);
    assert.ok(await page.getByRole("button", { name: "Next move" }).isDisabled());
    await page.getByRole("button", { name: "Previous move" }).click();
    await page.locator("[data-moves] button", { hasText: "Qh4+" }).click();
    assert.match(await title(page), /^3…Qh4\+/);
    await page.getByRole("button", { name: "Next mistake" }).click();
    assert.match(await title(page), /^4…b5\?!/);
    const graph = page.locator("[data-graph] svg").first();
    const { width, height } = await graph.boundingBox();
    await graph.click({ position: { x: (width * 40) / 45, y: height / 2 } });
    assert.match(await title(page), /^20…Na6\?\?/);
    assert.equal(await page.locator("[data-board] .b-arrow.b-green").count(), 1);
    await page.getByRole("button", { name: "Best move as an arrow" }).click();
    assert.equal(await page.locator("[data-board] .b-arrow").count(), 0);
  }));

  test("the reader steps into a line and back", () => open("game.html", {}, async (page) => {
    await page.locator("[data-moves] button", { hasText: "Na6" }).click();
    const line = page.locator("[data-card] .line", { hasText: "Reply" });
    await line.locator("button").first().click();
    assert.match(await title(page), /Line after the move at 20…Na6/);
    assert.deepEqual(await piecesOn(page, "g7"), ["#piece-white-knight"]);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await piecesOn(page, "f6"), ["#piece-white-queen"]);
    await page.keyboard.press("ArrowLeft");
    assert.match(await page.locator("[data-card] [aria-current]").innerText(), /Kd8/);
    await page.keyboard.press("Escape");
    assert.match(await title(page), /^20…Na6/);
    // A line of a moment leads to the board too.
    await page.locator(".moment [data-line=best] button").first().click();
    assert.match(await title(page), /Better line/);
    assert.ok(await page.locator("[data-board]").evaluate((board) => board.getBoundingClientRect().top < innerHeight));
  }));

  test("any answer to the quiz is judged", () => open("game.html", {}, async (page) => {
    await page.getByRole("button", { name: /What would you play here/ }).click();
    assert.equal(await title(page), "What would you play here?");
    // White's questions come first; Black's are after two of them.
    await page.getByRole("button", { name: "Questions for Black" }).click();
    assert.ok(await page.locator("[data-moves]").evaluate((list) => getComputedStyle(list).visibility === "hidden"));
    // By clicks: a move of the game's first moment.
    await cell(page, "d7").click();
    assert.ok((await page.locator(".b-target").count()) > 0);
    await cell(page, "d6").click();
    assert.match(await title(page), /^d6 is the best move\.$/);
    assert.match(await page.locator(".answers").innerText(), /Game \(red arrow\)\s+b5/);
    await page.getByRole("button", { name: "Try again" }).click();
    // By typing: no move, then a blunder.
    await page.getByLabel("Your move").fill("Ke9");
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".problem").innerText(), /not a legal move/);
    await page.getByLabel("Your move").fill("Qxh2");
    await page.keyboard.press("Enter");
    assert.match(await title(page), /^Qxh2 is a blunder: it gives away \d+ points/);
    // By dragging, at the next moment.
    await page.getByRole("button", { name: "Next position" }).click();
    const moment = game.critical[1];
    const before = await page.locator("[data-card]").innerText();
    assert.match(before, new RegExp(`position 4 of ${game.critical.length}`));
    const [from, to] = [cell(page, "f8"), cell(page, "e7")];
    await from.dragTo(to);
    assert.match(await title(page), /^Be7 /);
    assert.equal(game.moves[moment.ply - 1].san, "Bc5");
    await page.getByRole("button", { name: "Back to the game" }).click();
    assert.match(await title(page), /^16…Bc5/);
  }));

  test("the quiz is answered by keyboard alone", () => open("game.html", {}, async (page) => {
    await page.getByRole("button", { name: "Try it yourself" }).first().focus();
    await page.keyboard.press("Enter");
    const king = cell(page, "e8");
    await king.focus();
    assert.equal(await king.getAttribute("role"), "gridcell");
    assert.equal(await king.getAttribute("aria-label"), "e8, black king");
    // Black is at the bottom: d8 is on the right of e8. To d7, then two ranks on.
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "d7, black pawn");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-selected")), "true");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    assert.match(await title(page), /^d5 is /);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "BUTTON");
  }));

  test("the page can be copied from", () => open("game.html", { permissions: ["clipboard-read", "clipboard-write"] },
    async (page) => {
      await page.keyboard.press("ArrowRight");
      await page.getByRole("button", { name: "Copy FEN" }).click();
      await page.getByText("Copied").waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), game.moves[0].fen);
      await page.getByRole("button", { name: "Copy PGN" }).click();
      await page.waitForFunction(() => document.querySelector("[data-copy-pgn]").innerText === "Copied");
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\[Event /);
    }));

  test("without scripts there are pictures and sentences", () => open("game.html", { javaScriptEnabled: false },
    async (page) => {
      const text = await page.locator("body").innerText();
      for (const { ply } of game.critical) {
        for (const reason of game.moves[ply - 1].reasons) assert.ok(text.includes(reason), reason);
        assert.ok(await page.locator(`#g1-m${ply} .board svg`).isVisible());
      }
      assert.ok(await page.locator("[data-graph] svg").first().isVisible());
      assert.ok(await page.locator("[data-moves] td", { hasText: "Be7#" }).first().isVisible());
      // Pieces are drawn.
      const { width } = await page.locator(".moment use").first().boundingBox();
      assert.ok(width > 10);
    }));

  test("hostile texts do nothing but show", async () => {
    for (const javaScriptEnabled of [true, false]) {
      await open("hostile.html", { javaScriptEnabled }, async (page) => {
        assert.ok((await page.locator("h1").innerText()).includes("<img src=x"));
        assert.equal(await page.locator("img").count(), 0);
        assert.equal(await page.locator("[onload], [onerror]").count(), 0);
        if (!javaScriptEnabled) return;
        for (let ply = 0; ply < 10; ply++) await page.keyboard.press("ArrowRight");
        assert.ok((await page.locator("[data-card]").innerText()).includes(HOSTILE.slice(0, 20)));
        await page.getByRole("button", { name: /What would you play here/ }).click();
        await page.getByRole("button", { name: "Show the answer" }).click();
        assert.equal(await page.evaluate(() => window.hacked), undefined);
        assert.equal(await page.locator("img").count(), 0);
      });
    }
  });

  test("a script that is injected is blocked", async () => {
    const problems = [];
    await open("game.html", {}, async (page, found) => {
      await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "window.hacked = 1";
        document.body.append(script);
        document.body.insertAdjacentHTML("beforeend", '<img src="https://example.com/x.png" onerror="window.hacked = 1">');
      });
      await page.waitForTimeout(100);
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      problems.push(...found.splice(0));
    });
    const blocked = problems.filter((text) => /Content Security Policy/.test(text));
    assert.equal(blocked.length, 3, String(problems));
  });

  test("pages fit a phone", async () => {
    for (const file of ["game.html", "several.html", "several.html#g2", "pages/index.html", "puzzles.html", "hostile.html"]) {
      for (const javaScriptEnabled of [true, false]) {
        const [name, hash] = file.split("#");
        await open(name, { viewport: { width: 360, height: 740 }, javaScriptEnabled }, async (page) => {
          if (hash && javaScriptEnabled) await page.locator(`a[href="#${hash}"]`).first().click();
          const wide = await page.evaluate(() => {
            const wider = [...document.querySelectorAll("body *")].filter((each) =>
              each.getBoundingClientRect().right > innerWidth + 1 && !each.closest(".table-scroll, .vh, .board > svg, .graph > svg, pre, symbol"));
            return { width: document.documentElement.scrollWidth, wider: wider.slice(0, 5).map((each) => each.outerHTML.slice(0, 120)) };
          });
          assert.deepEqual(wide, { width: 360, wider: [] }, file);
        });
      }
    }
  });

  test("dark and light differ, and text is readable in both", async () => {
    const contrasts = {};
    for (const colorScheme of ["light", "dark"]) {
      await open("game.html", { colorScheme }, async (page) => {
        await page.locator("[data-moves] button", { hasText: "Na6" }).click();
        contrasts[colorScheme] = await page.evaluate(() => {
          const channels = (color) => color.match(/[\d.]+/g).map(Number);
          const light = (color) => {
            const [r, g, b] = channels(color).map((each) => each / 255)
              .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const ground = (node) => {
            for (let each = node; each; each = each.parentElement) {
              const color = getComputedStyle(each).backgroundColor;
              if (channels(color)[3] !== 0) return color;
            }
            return "rgb(255, 255, 255)";
          };
          const low = [];
          for (const node of document.querySelectorAll("p, li, td, th, h1, h2, h3, h4, button, span, caption, a")) {
            if (!node.textContent.trim() || node.closest(".vh, svg, .skip, :disabled")) continue;
            const [a, b] = [light(getComputedStyle(node).color), light(ground(node))].sort((x, y) => y - x);
            const contrast = (a + 0.05) / (b + 0.05);
            if (contrast < 4.5) low.push(`${node.className} ${node.textContent.slice(0, 20)} ${contrast.toFixed(2)}`);
          }
          return { page: getComputedStyle(document.body).backgroundColor, low };
        });
      });
    }
    assert.notEqual(contrasts.light.page, contrasts.dark.page);
    assert.deepEqual([contrasts.light.low, contrasts.dark.low], [[], []]);
  });

  test("names, roles and focus are there for a screen reader", () => open("game.html", {}, async (page) => {
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, a, input, select, [role=img]")]
      .filter((each) => !(each.getAttribute("aria-label") || each.textContent.trim()))
      .map((each) => each.outerHTML.slice(0, 100)));
    assert.deepEqual(nameless, []);
    const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((each) => each.id));
    assert.equal(new Set(ids).size, ids.length);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
    for (const role of ["main", "banner", "contentinfo"]) assert.equal(await page.getByRole(role).count(), 1, role);
    const levels = await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3, h4")].map((each) => Number(each.tagName[1])));
    assert.equal(levels[0], 1);
    levels.reduce((before, level) => {
      assert.ok(level <= before + 1, `heading ${level} after ${before}`);
      return level;
    });
  }));

  test("print shows everything on white", () => open("game.html", { colorScheme: "dark" }, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const state = await page.evaluate(() => ({
      page: getComputedStyle(document.body).backgroundColor,
      text: getComputedStyle(document.body).color,
      controls: getComputedStyle(document.querySelector("[data-controls]")).display,
      moves: document.querySelector("[data-moves]").scrollHeight - document.querySelector("[data-moves]").clientHeight,
    }));
    assert.deepEqual(state, { page: "rgb(255, 255, 255)", text: "rgb(0, 0, 0)", controls: "none", moves: 0 });
    assert.ok((await page.pdf({ format: "A4" })).length > 10000);
  }));

  test("many games have a first page and one viewer each", async () => {
    await open("several.html", {}, async (page) => {
      assert.match(await page.locator("h1").first().innerText(), /Three games/);
      assert.match(await page.locator("#index").innerText(), /By opening/);
      assert.ok(!(await page.locator("#g2").isVisible()));
      await page.locator('a[href="#g2"]').click();
      await page.locator("#g2").waitFor();
      await page.locator("#index").waitFor({ state: "hidden" });
      await page.keyboard.press("End");
      assert.match(await page.locator("#g2 [data-card] .card-title").innerText(), /^23\.Be7#/);
      await page.locator('a[href="#index"]:visible').click();
      await page.locator("#index").waitFor();
      await page.goBack();
      await page.locator("#g2").waitFor();
      await page.emulateMedia({ media: "print" });
    });
    await open("pages/index.html", {}, async (page) => {
      await page.locator('a[href="game-2.html"]').click();
      assert.match(await page.locator("h1").innerText(), /Staunton/);
      await page.getByText("Next game").click();
      assert.match(await page.locator("h1").innerText(), /Löwenthal/);
      // The heading is there before the script runs.
      await page.locator("[data-controls] button").first().waitFor();
      await page.keyboard.press("ArrowRight");
      assert.match(await title(page), /^1\.e4/);
    });
  });

  test("puzzles are trained and remembered", () => open("puzzles.html", {}, async (page) => {
    const card = page.locator("[data-trainer] .card");
    assert.match(await card.innerText(), /White to move\./);
    await cell(page, "a1").click();
    await cell(page, "a7").click();
    assert.match(await card.innerText(), /Ra7 is not the move/);
    await cell(page, "a1").click();
    await cell(page, "a8").click();
    assert.match(await card.innerText(), /Ra8\+ is right/);
    await page.getByLabel("Your move").fill("Rxb8#");
    await page.keyboard.press("Enter");
    assert.match(await card.innerText(), /Solved at the second try\./);
    assert.match(await page.locator("[data-trainer]").innerText(), /3 puzzles, 3 due/);
    await page.getByRole("button", { name: "Next puzzle" }).click();
    await page.getByLabel("Your move").fill("Qxf7");
    await page.keyboard.press("Enter");
    assert.match(await card.innerText(), /Solved\./);
    // A promotion is asked for.
    await page.getByText("Choose a theme").click();
    await page.getByLabel("Theme").selectOption("promotion");
    await cell(page, "a7").click();
    await cell(page, "a8").click();
    await page.getByRole("button", { name: "Queen" }).click();
    assert.match(await card.innerText(), /Solved\./);
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem("bartizan-puzzles")));
    assert.deepEqual(PUZZLES.puzzles.map(({ id }) => stored[id].box), [1, 1, 1]);
    await page.reload();
    assert.match(await card.innerText(), /White to move/);
  }));
});
