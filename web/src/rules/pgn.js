// PGN: games with variations.

import { BartizanError } from "./error.js";
import { call, text } from "./module.js";
import { START_FEN } from "./position.js";

/** @typedef {import("./types.js").PgnGame} PgnGame */
/** @typedef {import("./types.js").PgnMove} PgnMove */
/** @typedef {import("./types.js").PgnGameInput} PgnGameInput */
/** @typedef {import("./types.js").PgnMoveInput} PgnMoveInput */

/**
 * How a text is read: `lenient` mends it, `moves` takes a game whose moves cannot all be read for broken, `strict`
 * every game that departs from the standard.
 * @typedef {{ strictness?: "lenient" | "moves" | "strict" }} PgnReadOptions
 */

/**
 * All games of a text. A game with errors is among them, with the moves before the error.
 * @param {string | Uint8Array} pgn bytes are UTF-8 or Windows-1252
 * @param {PgnReadOptions} [options]
 * @returns {PgnGame[]}
 */
export function parsePgn(pgn, options) {
  return [...readPgn(pgn, options)];
}

/**
 * The games of a text, one after the other: for large files.
 * @param {string | Uint8Array} pgn bytes are UTF-8 or Windows-1252
 * @param {PgnReadOptions} [options]
 * @returns {Generator<PgnGame, void>}
 */
export function* readPgn(pgn, { strictness = "lenient" } = {}) {
  const bytes = pgn instanceof Uint8Array ? pgn : new TextEncoder().encode(text(pgn, "pgn"));
  const games = call((module) => new module.PgnGames(bytes, text(strictness, "strictness")));
  try {
    for (;;) {
      const game = call(() => games.next());
      if (game === undefined) return;
      yield tree(JSON.parse(game));
    }
  } finally {
    games.free();
  }
}

/**
 * The only game of a text.
 * @param {string | Uint8Array} pgn
 * @returns {PgnGame}
 * @throws {BartizanError} of kind `pgn` with line and column, if a move cannot be read or there is not one game
 */
export function onlyGame(pgn) {
  const [game, more] = firstTwo(readPgn(pgn));
  if (!game) throw new BartizanError({ kind: "pgn", message: "there is no game", line: 1, column: 1 });
  const error = game.errors.find(({ severity }) => severity === "error");
  if (error) throw new BartizanError({ kind: "pgn", ...error });
  if (more) throw new BartizanError({ kind: "pgn", message: "there is more than one game" });
  return game;
}

/** @param {Generator<PgnGame, void>} games @returns {PgnGame[]} */
function firstTwo(games) {
  const found = [];
  for (const game of games) {
    found.push(game);
    if (found.length === 2) break;
  }
  return found;
}

/**
 * Nests the moves of a game, which the module lists.
 * @param {Omit<PgnGame, "moves" | "tags"> & { tags: [string, string][],
 *   moves: (Omit<PgnMove, "variations"> & { parent: number })[] }} flat
 * @returns {PgnGame}
 */
function tree({ tags, moves, ...rest }) {
  /** @type {PgnGame} */
  const game = { tags: Object.create(null), ...rest, moves: [] };
  for (const [name, value] of tags) game.tags[name] ??= value;
  /** The lines that the moves belong to; the first is that of the start. @type {PgnMove[][]} */
  const lines = [game.moves];
  /** The first move after each. @type {(PgnMove | undefined)[]} */
  const next = [];
  for (const { parent, ...rest } of moves) {
    /** @type {PgnMove} */
    const move = { ...rest, variations: [] };
    const first = next[parent];
    let line = lines[parent];
    if (first) first.variations.push((line = []));
    else next[parent] = move;
    line.push(move);
    lines.push(line);
  }
  return game;
}

/**
 * Writes a game in the export format.
 * @param {PgnGameInput} game what `parsePgn` returns, or less
 * @param {import("./types.js").PgnWriteOptions} [options]
 * @returns {string}
 * @throws {BartizanError} of kind `move`, `tag` or `fen`
 */
export function writePgn(game, { width = 79, marks = false } = {}) {
  const { tags = {}, fen = START_FEN, chess960 = false, comment = "", moves = [], result = "*" } = game;
  const pgn = call((module) => {
    const writer = new module.PgnWriter(
      text(fen, "fen"), Boolean(chess960), text(result, "result"), text(comment, "comment"),
    );
    try {
      for (const [name, value] of Object.entries(tags)) writer.tag(name, text(value, name));
      /** Lines, each with the number of the move before it; a line is left for its variations. */
      const lines = [{ moves, at: 0, after: 0 }];
      /** @type {{ moves: PgnMoveInput[], at: number, after: number } | undefined} */
      let line;
      while ((line = lines.pop())) {
        const move = line.moves[line.at];
        if (!move) continue;
        const number = add(writer, line.after, move);
        lines.push({ moves: line.moves, at: line.at + 1, after: number });
        // They come before the rest of the line, the first of them on top.
        for (const variation of [...(move.variations ?? [])].reverse()) {
          lines.push({ moves: variation, at: 0, after: line.after });
        }
      }
      return writer.finish(Boolean(marks));
    } finally {
      writer.free();
    }
  });
  return width === 79 ? pgn : wrap(pgn, width);
}

/**
 * @param {import("../../dist/rules_bg.js").PgnWriter} writer
 * @param {number} after
 * @param {PgnMoveInput} move
 */
function add(writer, after, move) {
  const { san, uci, nags = [], commentBefore = "", comment = "" } = move;
  const [before, behind] = [text(commentBefore, "commentBefore"), text(comment, "comment")];
  return writer.add(after, text(san ?? uci, "san"), Uint8Array.from(nags), before, behind);
}

/**
 * Breaks the lines of the moves elsewhere.
 * @param {string} pgn
 * @param {number} width 0 for one line
 */
function wrap(pgn, width) {
  const start = pgn.indexOf("\n\n") + 2;
  const words = pgn.slice(start).trimEnd().split(/[ \n]/);
  const lines = [""];
  let isCommand = false;
  for (const word of words) {
    const line = lines[lines.length - 1];
    // At the beginning of a line, `%` would hide the line, and `[` would look like a tag.
    const isFree = !isCommand && !word.startsWith("%") && !word.startsWith("[");
    if (line === "") lines[lines.length - 1] = word;
    else if (width > 0 && isFree && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] += ` ${word}`;
    const open = word.lastIndexOf("[%");
    isCommand = (isCommand || open >= 0) && word.lastIndexOf("]") <= open;
  }
  return `${pgn.slice(0, start)}${lines.join("\n")}\n\n`;
}
