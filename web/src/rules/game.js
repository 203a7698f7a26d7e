// Games: moves that can be taken back, draws by repetition, PGN.

import { call, integer, text } from "./module.js";
import { BartizanError } from "./error.js";
import { onlyGame, writePgn } from "./pgn.js";
import { Position } from "./position.js";

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").MoveInput} MoveInput */
/** @typedef {import("./types.js").PgnGame} PgnGame */
/** @typedef {import("./types.js").GameResult} GameResult */

/**
 * What the module tells of a game.
 * @typedef {object} State
 * @property {import("./types.js").Outcome | null} outcome
 * @property {import("./types.js").ClaimableDraw | null} claimableDraw
 * @property {number} occurrences
 */

/** The moves in coordinates. @param {Move[]} moves */
const texts = (moves) => moves.map(({ uci }) => uci).join(" ");

/** A game: a start position and moves. */
export class Game {
  #start;
  /** @type {Move[]} */
  #moves = [];
  /** The comment before the first move, and after each. @type {string[]} */
  #comments = [""];
  /** The glyphs of each move. @type {number[][]} */
  #nags = [[]];
  /** @type {State | undefined} */
  #state;
  /** @type {Position | undefined} */
  #position;
  /** @type {GameResult | undefined} */
  #result;
  /** The tags of PGN. Those that follow from the game are not written from here. @type {Record<string, string>} */
  tags;

  /**
   * @param {object} [options]
   * @param {string | Position} [options.fen] the start position
   * @param {boolean} [options.chess960] see `Position`
   * @param {boolean} [options.tolerant] see `Position`
   * @param {Record<string, string>} [options.tags]
   */
  constructor({ fen, chess960, tolerant, tags = {} } = {}) {
    this.#start = fen instanceof Position ? fen : new Position(fen, { chess960, tolerant });
    this.tags = { ...tags };
  }

  /**
   * Reads a text with one game, or takes the main line of a game that was read.
   * @param {string | Uint8Array | PgnGame} pgn
   * @returns {Game}
   * @throws {BartizanError} of kind `pgn` with line and column, if a move cannot be read or there is not one game
   */
  static fromPgn(pgn) {
    const { fen, chess960, tags, comment, moves, result } =
      typeof pgn === "string" || pgn instanceof Uint8Array ? onlyGame(pgn) : pgn;
    const game = new Game({ fen, chess960, tolerant: true, tags });
    game.setComment(comment, 0);
    for (const { san, nags, comment } of moves) {
      if (san === "--") break;
      game.push(san);
      game.setComment(comment);
      game.setNags(nags);
    }
    if (result !== "*") game.result = result;
    return game;
  }

  /** The start position. */
  get start() {
    return this.#start;
  }

  /** The current position. */
  get position() {
    this.#position ??= this.#moves.length === 0 ? this.#start
      : new Position(this.fen, { chess960: this.#start.chess960, tolerant: true });
    return this.#position;
  }

  /** The FEN of the current position. */
  get fen() {
    return this.#moves.at(-1)?.after ?? this.#start.fen;
  }

  /** The moves. */
  get moves() {
    return [...this.#moves];
  }

  /** @returns {State} */
  #current() {
    if (!this.#state) {
      // Positions before a capture or pawn move cannot recur.
      const recent = this.#moves.slice(Math.max(0, this.#moves.length - this.position.halfmoveClock));
      const before = recent[0]?.before ?? this.fen;
      this.#state = JSON.parse(call((module) => module.game_state(before, texts(recent))));
    }
    return /** @type {State} */ (this.#state);
  }

  #changed() {
    this.#state = undefined;
    this.#position = undefined;
  }

  /**
   * Plays a move.
   * @param {MoveInput} move as for `Position.move`
   * @param {{ strict?: boolean }} [options]
   * @returns {Move}
   * @throws {BartizanError} of kind `move`; the game is then unchanged
   */
  push(move, { strict = false } = {}) {
    const played = this.position.move(move, { strict });
    this.#moves.push(played);
    this.#comments.push("");
    this.#nags.push([]);
    this.#changed();
    return played;
  }

  /**
   * Takes back the last move, with its comment.
   * @returns {Move | null} the move; `null` at the start
   */
  undo() {
    const last = this.#moves.pop();
    if (!last) return null;
    this.#comments.pop();
    this.#nags.pop();
    this.#changed();
    return last;
  }

  /** The end of the game by the rules; `null` while it continues. */
  get outcome() {
    return this.#current().outcome;
  }

  /** The draw that the side to move may claim. */
  get claimableDraw() {
    return this.#current().claimableDraw;
  }

  /** Whether the current position has occurred three times. */
  get isThreefoldRepetition() {
    return this.#current().occurrences >= 3;
  }

  /** How often the current position has occurred. */
  get occurrences() {
    return this.#current().occurrences;
  }

  /** Whether the game is over by the rules, without a claim. */
  get isOver() {
    return this.outcome !== null;
  }

  /**
   * The result for PGN: by the rules, or as it was set.
   * @returns {GameResult}
   */
  get result() {
    return this.outcome?.result ?? this.#result ?? "*";
  }

  set result(result) {
    if (!["1-0", "0-1", "1/2-1/2", "*"].includes(result)) {
      throw new BartizanError({ kind: "tag", message: `invalid result '${String(result)}'` });
    }
    this.#result = result;
  }

  /**
   * The opening: that of the last position that is in the table.
   * @returns {import("./types.js").Opening | null}
   */
  opening() {
    return JSON.parse(call((module) => module.game_opening(this.#start.fen, texts(this.#moves))));
  }

  /**
   * The comment after a move.
   * @param {number} [ply] the number of the move in plies; 0 is the start; by default the last
   * @returns {string}
   */
  comment(ply = this.#moves.length) {
    return this.#comments[this.#ply(ply, 0)];
  }

  /**
   * Sets the comment after a move.
   * @param {string} comment
   * @param {number} [ply] as for `comment`
   */
  setComment(comment, ply = this.#moves.length) {
    this.#comments[this.#ply(ply, 0)] = text(comment, "comment");
  }

  /**
   * The numeric annotation glyphs of a move: 1 is `!`, 2 is `?`.
   * @param {number} [ply] from 1; by default the last
   * @returns {number[]}
   */
  nags(ply = this.#moves.length) {
    return [...this.#nags[this.#ply(ply, 1)]];
  }

  /**
   * Sets the glyphs of a move.
   * @param {number[]} nags
   * @param {number} [ply] as for `nags`
   */
  setNags(nags, ply = this.#moves.length) {
    this.#nags[this.#ply(ply, 1)] = nags.map((nag) => integer(nag, "nag", 0, 255));
  }

  /**
   * @param {number} ply
   * @param {number} first
   */
  #ply(ply, first) {
    return integer(ply, "ply", first, this.#moves.length);
  }

  /**
   * The game as `parsePgn` returns it.
   * @returns {PgnGame}
   */
  toPgnGame() {
    return {
      tags: { ...this.tags },
      fen: this.#start.fen,
      chess960: this.#start.chess960,
      comment: this.#comments[0],
      moves: this.#moves.map(({ san, uci, after }, at) => ({
        san, uci, fen: after, nags: [...this.#nags[at + 1]], commentBefore: "", comment: this.#comments[at + 1],
        variations: [],
      })),
      result: this.result,
      errors: [],
    };
  }

  /**
   * Writes the game in the export format of PGN.
   * @param {import("./types.js").PgnWriteOptions} [options]
   * @returns {string}
   */
  pgn(options) {
    return writePgn(this.toPgnGame(), options);
  }
}
