// The rules of chess: positions, games, SAN, FEN, PGN with variations, openings and pictures of boards.
//
// Call `init` once; everything after it is synchronous.

import { init } from "./rules/module.js";
import { BartizanError } from "./rules/error.js";
import { Game } from "./rules/game.js";
import { Position, START_FEN, squareColor, validateFen } from "./rules/position.js";
import { formatComment, parseComment } from "./rules/comment.js";
import { parsePgn, readPgn, writePgn } from "./rules/pgn.js";

export {
  BartizanError, Game, Position, START_FEN, formatComment, init, parseComment, parsePgn, readPgn, squareColor,
  validateFen, writePgn,
};

/** @typedef {import("./rules/types.js").Color} Color */
/** @typedef {import("./rules/types.js").PieceSymbol} PieceSymbol */
/** @typedef {import("./rules/types.js").Piece} Piece */
/** @typedef {import("./rules/types.js").PlacedPiece} PlacedPiece */
/** @typedef {import("./rules/types.js").Move} Move */
/** @typedef {import("./rules/types.js").MoveInput} MoveInput */
/** @typedef {import("./rules/types.js").Opening} Opening */
/** @typedef {import("./rules/types.js").Outcome} Outcome */
/** @typedef {import("./rules/types.js").PgnGame} PgnGame */
/** @typedef {import("./rules/types.js").PgnMove} PgnMove */
/** @typedef {import("./rules/types.js").PgnProblem} PgnProblem */
/** @typedef {import("./rules/types.js").CommentParts} CommentParts */
/** @typedef {import("./rules/types.js").SvgOptions} SvgOptions */
/** @typedef {import("./rules/types.js").PositionSetup} PositionSetup */
