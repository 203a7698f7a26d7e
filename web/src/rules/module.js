// The module of the rules.

import * as glue from "../../dist/rules_bg.js";
import { instantiate } from "../load.js";
import { BartizanError } from "./error.js";

/** @type {Promise<void> | undefined} */
let loading;
let isReady = false;

/**
 * Loads the rules. Later calls do nothing, unless the first has failed.
 * @param {import("../load.js").WasmSource} [source] the module `rules.wasm`, by default that of the package
 * @returns {Promise<void>}
 */
export function init(source = new URL("../../dist/rules.wasm", import.meta.url)) {
  loading ??= load(source).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** @param {import("../load.js").WasmSource} source */
async function load(source) {
  // The module imports the functions of the glue.
  const imports = /** @type {WebAssembly.ModuleImports} */ (/** @type {unknown} */ (glue));
  const { exports } = await instantiate(source, { "./rules_bg.js": { ...imports } });
  glue.__wbg_set_wasm(exports);
  /** @type {() => void} */ (exports.__wbindgen_start)();
  isReady = true;
}

/**
 * Calls the module, and turns what it throws into errors.
 * @template T
 * @param {(module: typeof glue) => T} use
 * @returns {T}
 */
export function call(use) {
  if (!isReady) throw new Error("the rules are not loaded: await init() first");
  try {
    return use(glue);
  } catch (error) {
    throw typeof error === "string" ? new BartizanError(JSON.parse(error)) : error;
  }
}

/**
 * Checks that a value is a string: the module cannot.
 * @param {unknown} value
 * @param {string} name what the value is, for the error
 * @returns {string}
 */
export function text(value, name) {
  if (typeof value !== "string") throw new TypeError(`${name}: expected a string, not ${typeof value}`);
  return value;
}

/**
 * Checks that a value is an integer in a range.
 * @param {unknown} value
 * @param {string} name what the value is, for the error
 * @param {number} min
 * @param {number} max
 * @returns {number}
 */
export function integer(value, name, min, max) {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${name}: expected an integer from ${min} to ${max}, not ${String(value)}`);
}

/** @param {unknown} value @returns {import("./types.js").Color} */
export function color(value) {
  if (value === "w" || value === "b") return value;
  throw new BartizanError({ kind: "option", message: `invalid color '${String(value)}': expected w or b` });
}
