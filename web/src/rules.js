// The rules of chess: positions, games, SAN, FEN, PGN with variations, openings and pictures of boards.
//
// Call `init` once; everything after it is synchronous.
//
//   import { init, Game, Position, parsePgn } from "bartizan/rules";
//   await init();
//   const game = new Game();
//   game.push("e4");
//   game.push({ from: "c7", to: "c5" });
//   game.opening();                        // { code: "B20", name: "Sicilian Defence", moves: "1. e4 c5" }
//   game.position.legalMoves({ square: "g1" }).map((move) => move.san);  // ["Nf3", "Nh3", "Ne2"]
//   try { game.push("e2e5"); } catch (error) { console.log(error.message); }
//   for (const { moves, errors } of parsePgn(text)) { … }               // errors have line and column

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
