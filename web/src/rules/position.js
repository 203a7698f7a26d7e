// Positions.

import { BartizanError } from "./error.js";
import { call, color, integer, text } from "./module.js";

/** @typedef {import("./types.js").Color} Color */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").PieceSymbol} PieceSymbol */
/** @typedef {import("./types.js").PlacedPiece} PlacedPiece */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").MoveInput} MoveInput */

/** The starting position of chess. */
export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/**
 * What the module tells of a position.
 * @typedef {object} Info
 * @property {string} fen
 * @property {boolean} chess960
 * @property {Color} turn
 * @property {string} castling
 * @property {string | null} enPassant
 * @property {number} halfmoveClock
 * @property {number} fullmoveNumber
 * @property {string[]} checkers
 * @property {boolean} isCheckmate
 * @property {boolean} isStalemate
 * @property {boolean} isInsufficientMaterial
 */

/** A legal position. It never changes. */
export class Position {
  /** @type {Info} */
  #info;
  /** The pieces from a8 to h1. @type {(PlacedPiece | null)[] | undefined} */
  #squares;
  /** @type {readonly Move[] | undefined} */
  #moves;

  /**
   * Reads a FEN, X-FEN or Shredder-FEN. Trailing fields may be missing.
   * @param {string} [fen] by default the starting position
   * @param {object} [options]
   * @param {boolean} [options.chess960] whether castling is that of Chess960; by default, the castling rights tell
   * @param {boolean} [options.tolerant] whether to accept positions that no game reaches, such as those with nine
   *   queens and eight pawns, and to drop impossible castling rights
   * @throws {BartizanError} of kind `fen`: what is wrong, the column, or every reason why the position is illegal
   */
  constructor(fen = START_FEN, { chess960, tolerant = false } = {}) {
    this.#info = JSON.parse(call((module) => module.position(text(fen, "fen"), chess960, Boolean(tolerant))));
  }

  /**
   * A starting position of Chess960.
   * @param {number} number from 0 to 959, in Scharnagl's scheme; 518 is that of chess
   */
  static chess960(number) {
    const fen = call((module) => module.chess960_start(integer(number, "number", 0, 959)));
    return new Position(fen, { chess960: true });
  }

  /**
   * Sets up a position.
   * @param {import("./types.js").PositionSetup} setup
   * @param {{ chess960?: boolean, tolerant?: boolean }} [options] as of the constructor
   */
  static from(setup, options) {
    const { pieces, turn = "w", castling = "-", enPassant, halfmoveClock = 0, fullmoveNumber = 1 } = setup;
    /** @type {string[]} */
    const letters = new Array(64).fill("1");
    for (const [square, piece] of Object.entries(pieces)) letters[index(square)] = letter(piece);
    const ranks = [];
    for (let rank = 0; rank < 64; rank += 8) {
      ranks.push(letters.slice(rank, rank + 8).join("").replace(/1+/g, (empty) => String(empty.length)));
    }
    const fields = [turn, castling || "-", enPassant ?? "-", halfmoveClock, fullmoveNumber];
    return new Position([ranks.join("/"), ...fields].join(" "), options);
  }

  /** The FEN. It names an en passant square only if a pawn can capture there. */
  get fen() {
    return this.#info.fen;
  }

  /** Whether castling is that of Chess960. */
  get chess960() {
    return this.#info.chess960;
  }

  /** The side to move. */
  get turn() {
    return this.#info.turn;
  }

  /** The castling rights as in the FEN: `KQkq`, file letters, or `-`. */
  get castling() {
    return this.#info.castling;
  }

  /** The square on which a pawn can capture en passant. */
  get enPassant() {
    return this.#info.enPassant;
  }

  /** The number of plies since the last capture or pawn move. */
  get halfmoveClock() {
    return this.#info.halfmoveClock;
  }

  /** The number of the move, from 1. */
  get fullmoveNumber() {
    return this.#info.fullmoveNumber;
  }

  /** Whether the side to move is in check. */
  get isCheck() {
    return this.#info.checkers.length > 0;
  }

  /** The squares of the pieces that give check. */
  get checkers() {
    return [...this.#info.checkers];
  }

  get isCheckmate() {
    return this.#info.isCheckmate;
  }

  get isStalemate() {
    return this.#info.isStalemate;
  }

  /** Whether no sequence of legal moves leads to checkmate: bare kings, a minor piece, bishops of one color. */
  get isInsufficientMaterial() {
    return this.#info.isInsufficientMaterial;
  }

  /**
   * What makes positions repetitions of each other: the FEN without the counters.
   * @returns {string}
   */
  get key() {
    return this.fen.split(" ", 4).join(" ");
  }

  /**
   * The piece on a square.
   * @param {string} square
   * @returns {Piece | null}
   */
  pieceAt(square) {
    const piece = this.#board()[index(square)];
    return piece && { type: piece.type, color: piece.color };
  }

  /**
   * All pieces with their squares, from a8 to h1.
   * @param {{ type?: PieceSymbol, color?: Color }} [only]
   * @returns {PlacedPiece[]}
   */
  pieces({ type, color: side } = {}) {
    /** @type {PlacedPiece[]} */
    const found = [];
    for (const piece of this.#board()) {
      if (!piece || (type ?? piece.type) !== piece.type || (side ?? piece.color) !== piece.color) continue;
      found.push({ ...piece });
    }
    return found;
  }

  /**
   * The ranks from the eighth to the first, each from a to h.
   * @returns {(PlacedPiece | null)[][]}
   */
  board() {
    const squares = this.#board().map((piece) => piece && { ...piece });
    return Array.from({ length: 8 }, (_, rank) => squares.slice(8 * rank, 8 * rank + 8));
  }

  #board() {
    if (this.#squares) return this.#squares;
    const letters = this.fen.split(" ", 1)[0].replaceAll("/", "").replace(/\d/g, (empty) => " ".repeat(Number(empty)));
    this.#squares = Array.from(letters, (letter, at) => (letter === " " ? null : {
      square: "abcdefgh"[at % 8] + (8 - Math.floor(at / 8)),
      type: /** @type {PieceSymbol} */ (letter.toLowerCase()),
      color: letter === letter.toLowerCase() ? "b" : "w",
    }));
    return this.#squares;
  }

  /**
   * The legal moves.
   * @param {object} [only]
   * @param {string} [only.square] the square that the piece leaves
   * @param {PieceSymbol} [only.piece] the type of the piece
   * @returns {Move[]}
   */
  legalMoves({ square, piece } = {}) {
    if (square !== undefined) index(square);
    this.#moves ??= Object.freeze(/** @type {Move[]} */ (
      JSON.parse(call((module) => module.legal_moves(this.fen, this.chess960))).map(Object.freeze)
    ));
    return this.#moves.filter((move) => (square ?? move.from) === move.from && (piece ?? move.piece) === move.piece);
  }

  /**
   * Finds a legal move.
   * @param {MoveInput} move SAN, also in usual variants such as `0-0` and `e8(Q)`; coordinates; or squares
   * @param {{ strict?: boolean }} [options] `strict` takes only the SAN that the standard says
   * @returns {Move}
   * @throws {BartizanError} of kind `move`: why no legal move is meant
   */
  move(move, { strict = false } = {}) {
    const input = moveText(this, move);
    return Object.freeze(JSON.parse(
      call((module) => module.find_move(this.fen, this.chess960, input, Boolean(strict))),
    ));
  }

  /**
   * Plays moves one after the other.
   * @param {...MoveInput} moves
   * @returns {Position} the position after them
   * @throws {BartizanError} of kind `move`
   */
  play(...moves) {
    /** @type {Position} */
    let position = this;
    for (const move of moves) {
      position = new Position(position.move(move).after, { chess960: this.chess960, tolerant: true });
    }
    return position;
  }

  /**
   * The squares of the pieces of a color that attack a square.
   * @param {string} square
   * @param {Color} [by] by default the side to move
   * @returns {string[]}
   */
  attackers(square, by = this.turn) {
    const isWhite = color(by) === "w";
    return JSON.parse(call((module) => module.attackers(this.fen, text(square, "square"), isWhite)));
  }

  /**
   * Whether a color attacks a square.
   * @param {string} square
   * @param {Color} by
   */
  isAttacked(square, by) {
    return this.attackers(square, by).length > 0;
  }

  /**
   * The number of leaves of the tree of legal moves.
   * @param {number} depth in plies, from 0 to 12
   * @returns {number}
   */
  perft(depth) {
    return call((module) => module.perft(this.fen, integer(depth, "depth", 0, 12)));
  }

  /**
   * The opening of the position, wherever on its line it is.
   * @returns {import("./types.js").Opening | null}
   */
  opening() {
    return JSON.parse(call((module) => module.opening(this.fen)));
  }

  /**
   * A picture of the board.
   * @param {import("./types.js").SvgOptions} [options]
   * @returns {string} SVG
   */
  svg(options = {}) {
    const { orientation = "w", lastMove, check = true, coordinates = true, theme, size, classes } = options;
    const { arrows = [], squares = [], labels = [], colors = {} } = options;
    return call((module) => {
      const picture = new module.Picture(this.fen, color(orientation) === "w", Boolean(check), Boolean(coordinates));
      try {
        if (theme !== undefined) picture.theme(text(theme, "theme"));
        for (const [part, value] of Object.entries(colors)) picture.color(part, text(value, part));
        if (lastMove) picture.last_move(text(typeof lastMove === "string" ? lastMove : lastMove.uci, "lastMove"));
        for (const arrow of arrows) {
          picture.arrow(typeof arrow === "string" ? arrow : `${arrow.color ?? "G"}${arrow.from}${arrow.to}`);
        }
        for (const mark of squares) {
          picture.mark(typeof mark === "string" ? mark : `${mark.color ?? "G"}${mark.square}`);
        }
        for (const label of labels) {
          picture.label(text(label.square, "square"), text(label.text, "text"), label.color);
        }
        if (size !== undefined) picture.size(integer(size, "size", 1, 100_000));
        if (classes !== undefined) picture.classes(text(classes, "classes"));
        return picture.svg();
      } finally {
        picture.free();
      }
    });
  }

  /**
   * A diagram of the board in text.
   * @param {{ orientation?: Color, figurines?: boolean }} [options]
   * @returns {string}
   */
  ascii({ orientation = "w", figurines = false } = {}) {
    const isWhite = color(orientation) === "w";
    return call((module) => module.diagram(this.fen, isWhite, Boolean(figurines)));
  }

  /**
   * Whether two positions are equal, counters included.
   * @param {unknown} other
   */
  equals(other) {
    return other instanceof Position && other.fen === this.fen && other.chess960 === this.chess960;
  }

  toString() {
    return this.fen;
  }
}

/**
 * Whether a text is the FEN of a legal position.
 * @param {string} fen
 * @param {{ chess960?: boolean, tolerant?: boolean }} [options] as of `Position`
 * @returns {{ ok: true } | { ok: false, error: BartizanError }}
 */
export function validateFen(fen, options) {
  try {
    new Position(text(fen, "fen"), options);
    return { ok: true };
  } catch (error) {
    if (error instanceof BartizanError) return { ok: false, error };
    throw error;
  }
}

/**
 * The color of a square.
 * @param {string} square
 * @returns {"light" | "dark"}
 */
export function squareColor(square) {
  const at = index(square);
  return (at + Math.floor(at / 8)) % 2 === 0 ? "light" : "dark";
}

/**
 * The text of a move for the module.
 * @param {Position} position
 * @param {MoveInput} move
 * @returns {string}
 */
function moveText(position, move) {
  if (typeof move === "string") return move;
  if (typeof move !== "object" || move === null) throw new TypeError(`move: expected a string or an object`);
  // In Chess960, the squares do not tell castling from a step of the king.
  if ("uci" in move) return text(move.uci, "uci");
  const [from, to] = [text(move.from, "from"), text(move.to, "to")];
  const isPromotion = position.pieceAt(from)?.type === "p" && /^[a-h][18]$/.test(to);
  return from + to + (isPromotion ? move.promotion ?? "" : "");
}

/**
 * The index of a square, from a8 to h1.
 * @param {string} square
 * @returns {number}
 */
function index(square) {
  if (typeof square === "string" && /^[a-h][1-8]$/.test(square)) {
    return 8 * (8 - Number(square[1])) + square.charCodeAt(0) - 97;
  }
  throw new BartizanError({ kind: "square", message: `invalid square '${String(square)}': expected a1 to h8` });
}

/**
 * The letter of a piece in a FEN.
 * @param {Piece | string} piece
 */
function letter(piece) {
  const name = typeof piece === "string" ? piece
    : piece.color === "w" ? String(piece.type).toUpperCase() : String(piece.type).toLowerCase();
  if (/^[pnbrqk]$/i.test(name)) return name;
  throw new BartizanError({ kind: "option", message: `invalid piece '${name}': expected one of PNBRQKpnbrqk` });
}
