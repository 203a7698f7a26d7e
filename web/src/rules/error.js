// Errors with a kind, and with the place in the text.

/** An error in what was given: a FEN, a move, a PGN text, an option. */
export class BartizanError extends Error {
  /**
   * @param {{ kind: string, message: string, line?: number, column?: number, reasons?: string[] }} failure
   */
  constructor({ kind, message, line, column, reasons }) {
    super(message);
    this.name = "BartizanError";
    /** What was wrong: `fen`, `move`, `pgn`, `tag`, `square` or `option`. */
    this.kind = kind;
    /** The line of the text, from 1. */
    this.line = line;
    /** The column in characters, from 1. */
    this.column = column;
    /** Every reason why a position is illegal. */
    this.reasons = reasons ?? [];
  }
}
