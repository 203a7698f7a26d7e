// A server for tests: the files of a folder, without the headers that shared memory needs.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = /** @type {Record<string, string>} */ ({
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
});

/** @param {string} folder @returns {Promise<{ address: string, close: () => void }>} */
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    if (path === "/") return response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Test</title>");
    try {
      const data = await readFile(join(folder, path));
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" }).end(data);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(undefined)));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}
