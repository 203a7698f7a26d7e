/** What can go wrong: bad input, or an engine that fails. */
export class BartizanError extends Error {
  /**
   * @param {string} kind `fen`, `move`, `pgn`, `option`, `limit`, `engine`, `aborted` or `closed`
   * @param {string} message
   * @param {{ line?: number, column?: number }} [place] of the problem in a text, from 1
   */
  constructor(kind, message, { line, column } = {}) {
    super(message);
    this.name = "BartizanError";
    this.kind = kind;
    this.line = line;
    this.column = column;
  }
}
