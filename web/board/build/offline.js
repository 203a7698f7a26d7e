// Writes the service worker of a build: the list of its files with their hashes, and the script.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const NAME = "sw.js";
const script = new URL("service-worker.js", import.meta.url);

/** @returns {import("vite").Plugin} */
export function offline() {
  return {
    name: "offline",
    apply: "build",
    writeBundle: {
      order: "post",
      sequential: true,
      handler: ({ dir }) => writeServiceWorker(/** @type {string} */ (dir)),
    },
  };
}

/** @param {string} folder of the build */
export function writeServiceWorker(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(folder, path).split(sep).join("/"), hash("base64", readFileSync(path))])
    .filter(([name]) => name !== NAME)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const code = readFileSync(script, "utf8");
  const version = hash("hex", JSON.stringify(files) + code).slice(0, 16);
  const list = files.map(([name, digest]) => `  ${JSON.stringify([name, `sha256-${digest}`])},\n`).join("");
  writeFileSync(join(folder, NAME), `const VERSION = "${version}";\nconst FILES = [\n${list}];\n\n${code}`);
}

/** @param {"hex" | "base64"} encoding @param {string | Buffer} data */
const hash = (encoding, data) => createHash("sha256").update(data).digest(encoding);
