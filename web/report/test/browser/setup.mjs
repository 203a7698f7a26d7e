// What the tests in a browser need: the pages, playwright-core (`npm install` in web/report/test, or NODE_PATH) and
// Chromium (`apt-get install chromium`, or the variable CHROMIUM). What is missing is said, and the tests are skipped.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const HOSTILE = `</script><img src=x onerror="window.hacked=1"><svg onload='window.hacked=1'>"'&<!--`;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The browser's library and program, or why there is none. */
export function findBrowser() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    return { missing: `no Chromium at ${executablePath}: install the package chromium, or set CHROMIUM to its path` };
  }
  try {
    const { chromium } = createRequire(import.meta.url)("playwright-core");
    return { chromium, executablePath };
  } catch {
    return { missing: "playwright-core is not installed: run `npm install` in web/report/test, or set NODE_PATH" };
  }
}

export function readGame() {
  return JSON.parse(readFileSync(here("../game.json"), "utf8"));
}

/** Every text of a game's data from outside replaced. */
function hostile(report) {
  const game = structuredClone(report.games[0]);
  for (const name of Object.keys(game.tags)) game.tags[name] = HOSTILE;
  game.opening = { eco: HOSTILE, name: HOSTILE };
  game.pgn = HOSTILE;
  for (const move of game.moves) {
    move.reasons = [HOSTILE];
    for (const each of [...move.bestLine, ...move.refutation]) each.san = HOSTILE;
  }
  game.moves[0].san = HOSTILE;
  return { ...report, title: HOSTILE, engine: HOSTILE, games: [game] };
}

/** Many games: the same one with other players. */
function several(report) {
  const games = ["Morphy, Paul", "Staunton, Howard", "Löwenthal, Johann"].map((name, index) => {
    const game = structuredClone(report.games[0]);
    game.tags[index === 1 ? "white" : "black"] = name;
    if (index === 1) game.tags.black = "Anderssen, Adolf";
    game.tags.result = ["1-0", "0-1", "1/2-1/2"][index];
    return game;
  });
  return { ...report, title: "Three games of Adolf Anderssen", games };
}

export const PUZZLES = {
  title: "Puzzles",
  puzzles: [
    { id: "one", fen: "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1", moves: ["a1a8", "b2b8", "a8b8"],
      themes: ["back rank", "mate in two"], source: "From a game" },
    { id: "two", fen: "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", moves: ["h5f7"],
      themes: ["mate in one"], source: "Scholar's mate" },
    { id: "three", fen: "8/P7/8/8/8/8/6k1/4K3 w - - 0 1", moves: ["a7a8q"], themes: ["promotion"], source: "" },
  ],
};

/** Writes the pages into a folder, by the example of the crate; CARGO names another cargo. */
export function makePages() {
  const folder = process.env.PAGES ?? mkdtempSync(join(tmpdir(), "bartizan-pages-"));
  const report = readGame();
  const all = { game: report, hostile: hostile(report), several: several(report), puzzles: PUZZLES };
  const outputs = [["game", "game.html"], ["hostile", "hostile.html"], ["several", "several.html"],
    ["several", "pages"], ["puzzles", "puzzles.html"]];
  for (const [name, data] of Object.entries(all)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(data));
  const pairs = outputs.flatMap(([data, out]) => [join(folder, `${data}.json`), join(folder, out)]);
  const program = process.env.REPORT;
  if (program) execFileSync(program, pairs, { stdio: "inherit" });
  else {
    execFileSync(process.env.CARGO ?? "cargo", ["run", "-q", "-p", "bartizan-review", "--example", "report", "--", ...pairs], {
      cwd: here("../../../.."), stdio: "inherit",
    });
  }
  return folder;
}
