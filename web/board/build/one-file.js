// Puts the whole page into one file, which opens from a disk without a server: styles, scripts, modules and book.

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** What `src/files.ts` takes out of the page. */
const CARRIED = ["worker.js", "engine.wasm", "rules.wasm", "book.bin"];

const NAMES = { entryFileNames: "[name].js", assetFileNames: "[name][extname]" };

/**
 * @param {string} name of the file
 * @param {() => string} notices the licences of what is in it
 * @returns {import("vite").Plugin}
 */
export function oneFile(name, notices) {
  return {
    name: "one-file",
    // The names by which the parts are found below.
    config: () => ({
      build: {
        outDir: "dist-onefile",
        modulePreload: false,
        rolldownOptions: { output: { ...NAMES, codeSplitting: false } },
      },
      worker: { rolldownOptions: { output: NAMES } },
    }),
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        /** @param {string} file */
        const take = (file) => {
          const part = bundle[file];
          if (!part) throw new Error(`the build has no '${file}', but ${Object.keys(bundle).join(", ")}`);
          delete bundle[file];
          return Buffer.from(part.type === "chunk" ? part.code : part.source);
        };
        const script = `\n${inScript(String(take("index.js")))}\n`;
        const carried = CARRIED.map((file) => {
          const zipped = gzipSync(take(file), { level: 9 }).toString("base64");
          return `<script type="application/gzip" data-file="${file}">${zipped}</script>\n`;
        });
        const page = String(take("index.html"))
          .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${take("index.css")}</style>`)
          .replace(/\s*<script type="module"[^>]*><\/script>/, "")
          .replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy(script))
          .replace("</body>", () => `${carried.join("")}<script type="module">${script}</script>\n</body>`);
        // For browsers without vector instructions; the folder has it.
        delete bundle["engine-plain.wasm"];
        const rest = Object.keys(bundle);
        if (rest.length > 0) throw new Error(`the page does not carry ${rest.join(", ")}`);
        // Two hyphens may not be in a comment.
        const comment = notices().replaceAll("--", "- -");
        this.emitFile({ type: "asset", fileName: name, source: `${page.trimEnd()}\n<!--\n${comment}\n-->\n` });
      },
    },
  };
}

/**
 * What the page may do: run its script and the worker that it carries, and connect to native engines.
 * @param {string} script
 */
function policy(script) {
  const hash = createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}' 'wasm-unsafe-eval'`,
    "worker-src blob:", "style-src 'unsafe-inline'",
    "img-src blob: data:", "connect-src http: https: ws: wss:", "base-uri 'none'", "form-action 'none'",
  ].join("; ");
}

/** A script as it may stand in a page: these are only in its strings. @param {string} code */
const inScript = (code) => code.replaceAll(/<(?=\/script|!--)/gi, "\\x3C");
