// Instantiates a module: by streaming where that is possible, from bytes, or from a file in node.

/** @typedef {URL | string | ArrayBuffer | Uint8Array | WebAssembly.Module | Response} WasmSource */

const isNode = typeof process === "object" && process.versions?.node !== undefined;
// Not by import: bundlers would look for it.
const builtin = isNode ? process.getBuiltinModule : undefined;

/**
 * An absolute address. A relative one is resolved from the page, in node from the working folder.
 * @param {URL | string} address
 */
export function absolute(address) {
  // Not from `import.meta.url`: bundlers move this file.
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  return new URL(address, base ?? builtin?.("node:url").pathToFileURL(`${process.cwd()}/`));
}

/**
 * The bytes of a file or an address.
 * @param {URL | string} address
 * @returns {Promise<Uint8Array>}
 */
export async function bytesOf(address) {
  const url = absolute(address);
  if (builtin && url.protocol === "file:") return builtin("node:fs/promises").readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * @param {WasmSource} source
 * @param {WebAssembly.Imports} imports
 * @param {(module: WebAssembly.Module, imports: WebAssembly.Imports) => void} [prepare] may change the imports
 * @returns {Promise<WebAssembly.Instance>}
 */
export async function instantiate(source, imports, prepare) {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  const module = await compile(source);
  prepare?.(module, imports);
  return WebAssembly.instantiate(module, imports);
}

/** @param {WasmSource} source */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(/** @type {BufferSource} */ (source));
  }
  if (source instanceof Response) return WebAssembly.compileStreaming(source);
  const url = absolute(source);
  if (builtin && url.protocol === "file:") return WebAssembly.compile(/** @type {BufferSource} */ (await bytesOf(url)));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: ${response.status} ${response.statusText}`);
  // Streaming needs the type application/wasm, which not every server sends.
  if (response.headers.get("Content-Type")?.startsWith("application/wasm")) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Whether the vector instructions are there that the modules use. */
export const hasSimd = () =>
  // A module with one function: i8x16.popcnt(i8x16.splat(0)).
  WebAssembly.validate(new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ]));
