// The types of the rules.

/** White or black. @typedef {"w" | "b"} Color */
/** Pawn, knight, bishop, rook, queen, king. @typedef {"p" | "n" | "b" | "r" | "q" | "k"} PieceSymbol */
/** @typedef {{ type: PieceSymbol, color: Color }} Piece */
/** @typedef {Piece & { square: string }} PlacedPiece */

/**
 * A legal move.
 * @typedef {object} Move
 * @property {string} from the square that the piece leaves
 * @property {string} to the square on which it lands; for castling, that of the king
 * @property {PieceSymbol} piece
 * @property {Color} color
 * @property {PieceSymbol} [captured]
 * @property {PieceSymbol} [promotion]
 * @property {string} san Standard Algebraic Notation
 * @property {string} uci coordinates; in Chess960, castling is the king taking its rook
 * @property {boolean} isCapture
 * @property {boolean} isCheck
 * @property {boolean} isCheckmate
 * @property {boolean} isCastling
 * @property {"k" | "q"} [castlingSide]
 * @property {boolean} isEnPassant
 * @property {string} before the FEN of the position before
 * @property {string} after the FEN of the position after
 */

/**
 * A move to find: SAN, coordinates, squares, or a move as returned. A promotion of a piece that does not promote is
 * ignored.
 * @typedef {string | { from: string, to: string, promotion?: string } | Move} MoveInput
 */

/**
 * An opening.
 * @typedef {object} Opening
 * @property {string} code the ECO code, from A00 to E99
 * @property {string} name
 * @property {string} moves a usual order of the moves
 */

/**
 * The end of a game by the rules.
 * @typedef {object} Outcome
 * @property {"1-0" | "0-1" | "1/2-1/2"} result
 * @property {"checkmate" | "stalemate" | "insufficientMaterial" | "fivefoldRepetition" | "seventyFiveMoves"} reason
 */

/** A draw that the side to move may claim. @typedef {"threefoldRepetition" | "fiftyMoves"} ClaimableDraw */

/** The result in PGN. @typedef {"1-0" | "0-1" | "1/2-1/2" | "*"} GameResult */

/**
 * A position to set up.
 * @typedef {object} PositionSetup
 * @property {Record<string, Piece | string>} pieces by square; a piece is also a letter of FEN, such as K or k
 * @property {Color} [turn] by default white
 * @property {string} [castling] as in a FEN, by default `-`
 * @property {string | null} [enPassant]
 * @property {number} [halfmoveClock]
 * @property {number} [fullmoveNumber]
 */

/**
 * The letter of a color: green, red, yellow, blue, orange, cyan.
 * @typedef {"G" | "R" | "Y" | "B" | "O" | "C"} MarkColor
 */

/**
 * A picture of a board.
 * @typedef {object} SvgOptions
 * @property {Color} [orientation] the side at the bottom, by default white
 * @property {Move | string} [lastMove] the move whose squares are tinted; a string is in coordinates
 * @property {boolean} [check] whether a king in check is marked, by default true
 * @property {boolean} [coordinates] whether the board has a frame with coordinates, by default true
 * @property {(string | { from: string, to: string, color?: MarkColor })[]} [arrows] `e2e4`, or `Re2e4` with a color
 * @property {(string | { square: string, color?: MarkColor })[]} [squares] `e4`, or `Re4` with a color
 * @property {{ square: string, text: string, color?: MarkColor }[]} [labels] short texts at the foot of squares
 * @property {"brown" | "green" | "blue" | "grey"} [theme]
 * @property {Partial<Record<"light" | "dark" | "lastMove" | "frame" | "text" | "white" | "black" | "check", string>>}
 *   [colors] colors in place of those of the theme, as `#rrggbb`
 * @property {number} [size] width and height in pixels; by default, the picture fills the available space
 * @property {string} [classes] gives the parts CSS classes, whose names begin with this
 */

/**
 * Something wrong in a PGN text.
 * @typedef {object} PgnProblem
 * @property {string} message
 * @property {number} line from 1
 * @property {number} column in characters, from 1
 * @property {"error" | "warning"} severity `error` if moves are missing
 */

/**
 * A move of a PGN game. A null move is `--` and `0000`.
 * @typedef {object} PgnMove
 * @property {string} san
 * @property {string} uci
 * @property {string} fen the FEN of the position after the move
 * @property {number[]} nags numeric annotation glyphs: 1 is `!`, 2 is `?`
 * @property {string} commentBefore the comment before the first move of a variation
 * @property {string} comment the comment after the move
 * @property {PgnMove[][]} variations lines that replace the move
 */

/**
 * A game with variations.
 * @typedef {object} PgnGame
 * @property {Record<string, string>} tags in order, without those that follow from the game: `Result`, `SetUp`, `FEN`,
 *   `Variant`
 * @property {string} fen the FEN of the start position
 * @property {boolean} chess960
 * @property {string} comment the comment before the first move
 * @property {PgnMove[]} moves
 * @property {GameResult} result
 * @property {PgnProblem[]} errors
 */

/**
 * A move to write: one of its notations suffices.
 * @typedef {object} PgnMoveInput
 * @property {string} [san]
 * @property {string} [uci]
 * @property {number[]} [nags]
 * @property {string} [commentBefore]
 * @property {string} [comment]
 * @property {PgnMoveInput[][]} [variations]
 */

/**
 * A game to write.
 * @typedef {object} PgnGameInput
 * @property {Record<string, string>} [tags]
 * @property {string} [fen]
 * @property {boolean} [chess960]
 * @property {string} [comment]
 * @property {PgnMoveInput[]} [moves]
 * @property {GameResult} [result]
 */

/**
 * @typedef {object} PgnWriteOptions
 * @property {number} [width] the most characters of a line, by default 79; 0 writes the moves in one line
 * @property {boolean} [marks] whether `!?` is written in place of `$5`
 */

/**
 * An evaluation from white's point of view.
 * @typedef {object} CommentEval
 * @property {number} [centipawns]
 * @property {number} [mate] moves to mate, negative if black mates
 * @property {number} [depth]
 */

/**
 * The parts of a comment.
 * @typedef {object} CommentParts
 * @property {string} text what is no command
 * @property {number} [clock] the seconds on the player's clock after the move: `[%clk …]`
 * @property {number} [elapsed] the seconds that the move took: `[%emt …]`
 * @property {CommentEval} [eval] `[%eval …]`
 * @property {string[]} squares marked squares with a color, such as `Ge4`: `[%csl …]`
 * @property {string[]} arrows arrows with a color, such as `Ge2e4`: `[%cal …]`
 */

export {};
