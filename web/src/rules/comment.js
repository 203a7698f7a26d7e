// Commands in comments: clocks, evaluations, marks and arrows.

import { call, integer, text } from "./module.js";

/** @typedef {import("./types.js").CommentParts} CommentParts */

/**
 * Splits a comment into its commands and its text.
 * @param {string} comment
 * @param {{ color?: import("./types.js").Color }} [options] with the color of the player, the scores of match programs
 *   (`+0.25/12 1.5s`) are read, too
 * @returns {CommentParts}
 */
export function parseComment(comment, { color } = {}) {
  const read = JSON.parse(call((module) => module.parse_comment(text(comment, "comment"), color)));
  const { clock, elapsed, centipawns, mate, depth } = read;
  /** @type {CommentParts} */
  const parts = { text: read.text, squares: read.squares, arrows: read.arrows };
  if (clock !== null) parts.clock = clock / 1000;
  if (elapsed !== null) parts.elapsed = elapsed / 1000;
  if (centipawns !== null) parts.eval = { centipawns };
  if (mate !== null) parts.eval = { mate };
  if (parts.eval && depth !== null) parts.eval.depth = depth;
  return parts;
}

/**
 * Writes a comment.
 * @param {Partial<CommentParts>} parts
 * @returns {string}
 */
export function formatComment(parts) {
  const { clock, elapsed, eval: score, squares = [], arrows = [] } = parts;
  const number = (/** @type {number | undefined} */ value, /** @type {string} */ name, low = 0, high = 2 ** 31 - 1) =>
    value === undefined ? undefined : integer(value, name, low, high);
  const time = (/** @type {number | undefined} */ seconds, /** @type {string} */ name) =>
    number(seconds === undefined ? undefined : Math.round(seconds * 1000), name);
  return call((module) => module.write_comment(
    text(parts.text ?? "", "text"),
    time(clock, "clock"),
    time(elapsed, "elapsed"),
    number(score?.centipawns, "centipawns", -1e8, 1e8),
    number(score?.mate, "mate", -1e8, 1e8),
    number(score?.depth, "depth"),
    squares.join(","),
    arrows.join(","),
  ));
}
