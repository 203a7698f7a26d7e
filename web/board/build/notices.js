// The licences of what the page contains.

import { existsSync, readFileSync } from "node:fs";

/** @param {string} path @returns {string} "" if the file is not made yet */
const text = (path) => {
  const url = new URL(path, import.meta.url);
  return existsSync(url) ? readFileSync(url, "utf8") : "";
};

export function notices() {
  const packages = ["preact", "@preact/signals", "@preact/signals-core"]
    .map((name) => `${name}\n\n${text(`../node_modules/${name}/LICENSE`)}`);
  return ["Bartizan\n", text("../../../LICENSE-MIT"), ...packages, text("../../NOTICES.txt")].join("\n\n").trim();
}
