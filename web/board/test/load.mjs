// Loads the modules of the page, which are TypeScript, into node: bundled, with the package beside them.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const rules = new URL("../../src/index.js", import.meta.url).href;

/** @param {string} name such as `tree.ts` */
export async function load(name) {
  const folder = await mkdtemp(join(tmpdir(), "board-"));
  try {
    const bundle = await rolldown({
      input: fileURLToPath(new URL(`../src/${name}`, import.meta.url)),
      plugins: [{
        name: "package",
        resolveId: (id) => (id === "bartizan" ? { id: rules, external: true } : undefined),
      }],
      transform: { jsx: { runtime: "automatic", importSource: "preact" } },
      logLevel: "silent",
    });
    await bundle.write({ file: join(folder, "module.mjs"), format: "esm" });
    await bundle.close();
    return await import(pathToFileURL(join(folder, "module.mjs")).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
