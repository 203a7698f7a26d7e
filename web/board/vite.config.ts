import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { init, Position } from "../src/rules.js";
import { notices } from "./build/notices.js";
import { offline } from "./build/offline.js";
import { oneFile } from "./build/one-file.js";

/** Puts the drawings of the pieces into the page, as symbols with ids such as `piece-white-knight`. */
function pieces(): Plugin {
  return {
    name: "pieces",
    async transformIndexHtml(html) {
      await init();
      const picture = new Position().svg({ coordinates: false, classes: "b-" });
      const symbols = new Map<string, string>();
      for (const [, , color, kind, rest] of picture.matchAll(
        /<g transform="([^"]+)" class="b-piece b-(\w+) b-(\w+)"([^]*?<\/g>)/g,
      )) {
        const id = `piece-${color}-${kind}`;
        const group = `<g class="b-piece b-${color} b-${kind}"${rest}`;
        symbols.set(id, `<symbol id="${id}" viewBox="0 0 100 100">${group}</symbol>`);
      }
      if (symbols.size !== 12) throw new Error(`the board has ${symbols.size} kinds of pieces, not 12`);
      const all = [...symbols.values()].join("").replaceAll(/>\n</g, "><");
      const hidden = 'width="0" height="0" style="position:absolute" aria-hidden="true"';
      return html.replace("<!-- pieces -->", () => `<svg ${hidden}>${all}</svg>`);
    },
  };
}

/** The licences, as a file beside the page. */
const licences: Plugin = {
  name: "licences",
  apply: "build",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "licences.txt", source: notices() });
  },
};

/** With `--mode onefile` the page becomes a single file. */
export default defineConfig(({ mode }) => ({
  base: "./",
  resolve: { alias: { bartizan: fileURLToPath(new URL("../src/index.js", import.meta.url)) } },
  plugins: [pieces(), ...(mode === "onefile" ? [oneFile("bartizan.html", notices)] : [licences, offline()])],
  server: { fs: { allow: [".."] } },
  worker: { format: mode === "onefile" ? "iife" : "es" },
  build: { target: "es2023", assetsInlineLimit: 0 },
}));
