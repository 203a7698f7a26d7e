// The rules of chess: positions, legal moves, notation. Squares are numbers from 0 (a1) over 1 (b1) to 63 (h8).
// Pieces are the letters of FEN. Castling rights are the squares of the rooks, so that Chess960 needs no case of its own.

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const KNIGHT_STEPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const KING_STEPS = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
const ROOK_STEPS = KING_STEPS.filter(([file, rank]) => file === 0 || rank === 0);
const BISHOP_STEPS = KING_STEPS.filter(([file, rank]) => file !== 0 && rank !== 0);
const PROMOTIONS = ["q", "r", "b", "n"];

const PIECE_NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

export function squareName(square) {
  return "abcdefgh"[square & 7] + ((square >> 3) + 1);
}

/** The number of a square, or -1 if the text is not a square. */
export function parseSquare(text) {
  return /^[a-h][1-8]$/.test(text) ? text.charCodeAt(0) - 97 + 8 * (text.charCodeAt(1) - 49) : -1;
}

export function colorOf(piece) {
  return piece === piece.toUpperCase() ? "w" : "b";
}

/** "white knight" for "N". */
export function pieceName(piece) {
  return `${colorOf(piece) === "w" ? "white" : "black"} ${PIECE_NAMES[piece.toLowerCase()]}`;
}

function pieceOf(kind, color) {
  return color === "w" ? kind.toUpperCase() : kind;
}

function opponent(color) {
  return color === "w" ? "b" : "w";
}

/** The square some files and ranks away, or -1 beyond the edge. */
function step(square, file, rank) {
  const toFile = (square & 7) + file;
  const toRank = (square >> 3) + rank;
  return toFile >= 0 && toFile < 8 && toRank >= 0 && toRank < 8 ? toFile + 8 * toRank : -1;
}

/** Reads a FEN, with castling as KQkq or as the files of the rooks. Throws an error if it is not one. */
export function parseFen(fen) {
  const [placement, turn = "w", castling = "-", enPassant = "-", halfmoves = "0", fullmoves = "1"] =
    fen.trim().split(/\s+/);
  const board = new Array(64).fill(null);
  const ranks = placement.split("/");
  if (ranks.length !== 8 || (turn !== "w" && turn !== "b")) throw new Error(`invalid FEN "${fen}"`);
  ranks.forEach((text, row) => {
    let file = 0;
    for (const letter of text) {
      if (/[1-8]/.test(letter)) file += Number(letter);
      else if (/[pnbrqk]/i.test(letter) && file < 8) board[file++ + 8 * (7 - row)] = letter;
      else throw new Error(`invalid FEN "${fen}"`);
    }
    if (file !== 8) throw new Error(`invalid FEN "${fen}"`);
  });
  const position = {
    board,
    turn,
    castling: [],
    enPassant: parseSquare(enPassant),
    halfmoves: Number(halfmoves) || 0,
    fullmoves: Number(fullmoves) || 1,
  };
  for (const letter of castling === "-" ? "" : castling) {
    const rook = castlingRook(position, letter);
    if (rook >= 0) position.castling.push(rook);
  }
  return position;
}

/** The square of the rook that a letter of the castling field names, or -1. */
function castlingRook({ board }, letter) {
  const color = colorOf(letter);
  const first = color === "w" ? 0 : 56;
  const king = board.indexOf(pieceOf("k", color));
  const rook = pieceOf("r", color);
  if (king < first || king > first + 7) return -1;
  const side = letter.toLowerCase();
  if (side === "k") {
    for (let square = first + 7; square > king; square--) if (board[square] === rook) return square;
  } else if (side === "q") {
    for (let square = first; square < king; square++) if (board[square] === rook) return square;
  } else {
    const square = first + "abcdefgh".indexOf(side);
    if (square >= first && board[square] === rook) return square;
  }
  return -1;
}

/** The letter that names a rook with a castling right: KQkq if it is the outermost one, else its file. */
function castlingLetter(position, square) {
  const color = square < 8 ? "w" : "b";
  const side = square > position.board.indexOf(pieceOf("k", color)) ? "k" : "q";
  const letter = castlingRook(position, pieceOf(side, color)) === square ? side : "abcdefgh"[square & 7];
  return pieceOf(letter, color);
}

export function toFen(position) {
  const ranks = [];
  for (let rank = 7; rank >= 0; rank--) {
    const letters = position.board.slice(8 * rank, 8 * rank + 8).map((piece) => piece ?? "1").join("");
    ranks.push(letters.replace(/1+/g, (empty) => empty.length));
  }
  const rights = position.castling.map((square) => castlingLetter(position, square));
  const castling = rights.sort((a, b) => "KQABCDEFGHkqabcdefgh".indexOf(a) - "KQABCDEFGHkqabcdefgh".indexOf(b));
  return [
    ranks.join("/"),
    position.turn,
    castling.join("") || "-",
    position.enPassant >= 0 ? squareName(position.enPassant) : "-",
    position.halfmoves,
    position.fullmoves,
  ].join(" ");
}

function isAttacked(board, square, by) {
  const pawnRank = by === "w" ? -1 : 1;
  for (const file of [-1, 1]) {
    const from = step(square, file, pawnRank);
    if (from >= 0 && board[from] === pieceOf("p", by)) return true;
  }
  for (const [steps, kind] of [[KNIGHT_STEPS, "n"], [KING_STEPS, "k"]]) {
    for (const [file, rank] of steps) {
      const from = step(square, file, rank);
      if (from >= 0 && board[from] === pieceOf(kind, by)) return true;
    }
  }
  for (const [steps, kind] of [[ROOK_STEPS, "r"], [BISHOP_STEPS, "b"]]) {
    for (const [file, rank] of steps) {
      let from = step(square, file, rank);
      while (from >= 0 && !board[from]) from = step(from, file, rank);
      if (from >= 0 && (board[from] === pieceOf(kind, by) || board[from] === pieceOf("q", by))) return true;
    }
  }
  return false;
}

/** The square of the king of the side to move if it is in check, else -1. */
export function checkedKing({ board, turn }) {
  const king = board.indexOf(pieceOf("k", turn));
  return king >= 0 && isAttacked(board, king, opponent(turn)) ? king : -1;
}

function pawnMoves({ board, turn, enPassant }, from, add) {
  const forward = turn === "w" ? 1 : -1;
  const push = (to, extra) => {
    const rank = to >> 3;
    if (rank === 0 || rank === 7) PROMOTIONS.forEach((promotion) => add({ from, to, promotion, ...extra }));
    else add({ from, to, ...extra });
  };
  const one = step(from, 0, forward);
  if (one >= 0 && !board[one]) {
    push(one);
    const two = step(one, 0, forward);
    if (from >> 3 === (turn === "w" ? 1 : 6) && !board[two]) push(two, { passes: one });
  }
  for (const file of [-1, 1]) {
    const to = step(from, file, forward);
    if (to < 0) continue;
    if (board[to] && colorOf(board[to]) !== turn) push(to);
    else if (to === enPassant && !board[to]) push(to, { captured: step(from, file, 0) });
  }
}

function castlingMoves({ board, turn, castling }, king, add) {
  const first = turn === "w" ? 0 : 56;
  for (const rook of castling) {
    if (rook >> 3 !== king >> 3 || rook < first || rook > first + 7) continue;
    const isShort = rook > king;
    const [kingTo, rookTo] = isShort ? [first + 6, first + 5] : [first + 2, first + 3];
    const left = Math.min(king, rook, kingTo, rookTo);
    const right = Math.max(king, rook, kingTo, rookTo);
    let isFree = true;
    for (let square = left; square <= right; square++) {
      if (board[square] && square !== king && square !== rook) isFree = false;
    }
    const path = [];
    for (let square = Math.min(king, kingTo); square <= Math.max(king, kingTo); square++) path.push(square);
    // The rook may shield the king where it stands, so it is taken off; the king's last square is checked again later.
    const without = board.map((piece, square) => (square === king || square === rook ? null : piece));
    const isSafe = () =>
      !isAttacked(board, king, opponent(turn)) &&
      path.every((square) => square === king || !isAttacked(without, square, opponent(turn)));
    if (isFree && isSafe()) add({ from: king, to: kingTo, castling: { rook, rookTo, isShort } });
  }
}

function pseudoMoves(position) {
  const { board, turn } = position;
  const moves = [];
  const add = (move) => moves.push(move);
  const go = (from, steps, isSlider) => {
    for (const [file, rank] of steps) {
      let to = step(from, file, rank);
      while (to >= 0) {
        if (!board[to] || colorOf(board[to]) !== turn) add({ from, to });
        if (board[to] || !isSlider) break;
        to = step(to, file, rank);
      }
    }
  };
  board.forEach((piece, from) => {
    if (!piece || colorOf(piece) !== turn) return;
    const kind = piece.toLowerCase();
    if (kind === "p") pawnMoves(position, from, add);
    else if (kind === "n") go(from, KNIGHT_STEPS, false);
    else if (kind === "b") go(from, BISHOP_STEPS, true);
    else if (kind === "r") go(from, ROOK_STEPS, true);
    else if (kind === "q") go(from, KING_STEPS, true);
    else {
      go(from, KING_STEPS, false);
      castlingMoves(position, from, add);
    }
  });
  return moves;
}

/** The board after a move. */
function boardAfter({ board, turn }, move) {
  const after = board.slice();
  const piece = after[move.from];
  after[move.from] = null;
  if (move.castling) {
    after[move.castling.rook] = null;
    after[move.castling.rookTo] = pieceOf("r", turn);
  }
  if (move.captured !== undefined) after[move.captured] = null;
  after[move.to] = move.promotion ? pieceOf(move.promotion, turn) : piece;
  return after;
}

/** The coordinate notation of a move: castling of standard chess as e1g1, of other arrays as king takes rook. */
export function moveName(move) {
  const castling = move.castling;
  const isStandard = castling && (move.from & 7) === 4 && (castling.rook & 7) === (castling.isShort ? 7 : 0);
  const to = castling && !isStandard ? castling.rook : move.to;
  return squareName(move.from) + squareName(to) + (move.promotion ?? "");
}

/** The legal moves of a position, each with `from`, `to`, perhaps `promotion`, and its coordinate notation `uci`. */
export function legalMoves(position) {
  return pseudoMoves(position)
    .filter((move) => {
      const after = boardAfter(position, move);
      const king = after.indexOf(pieceOf("k", position.turn));
      return king < 0 || !isAttacked(after, king, opponent(position.turn));
    })
    .map((move) => ({ ...move, uci: moveName(move) }));
}

/** The position after a legal move. */
export function play(position, move) {
  const { board, turn } = position;
  const piece = board[move.from];
  const isPawn = piece.toLowerCase() === "p";
  const isCapture = move.captured !== undefined || (!move.castling && board[move.to] !== null);
  const keeps = (rook) =>
    rook !== move.from && rook !== move.to && !(piece.toLowerCase() === "k" && (rook < 8) === (turn === "w"));
  const after = {
    board: boardAfter(position, move),
    turn: opponent(turn),
    castling: position.castling.filter(keeps),
    enPassant: -1,
    halfmoves: isPawn || isCapture ? 0 : position.halfmoves + 1,
    fullmoves: position.fullmoves + (turn === "b" ? 1 : 0),
  };
  if (move.passes !== undefined) {
    after.enPassant = move.passes;
    // FEN names the square only if a pawn can capture there.
    const canCapture = legalMoves(after).some((reply) => reply.captured !== undefined);
    if (!canCapture) after.enPassant = -1;
  }
  return after;
}

/** The legal move that has a coordinate notation, in either form of castling, or undefined. */
export function findUci(position, uci) {
  const moves = legalMoves(position);
  const isRook = (move) => move.castling && squareName(move.from) + squareName(move.castling.rook) === uci;
  const isKing = (move) => squareName(move.from) + squareName(move.to) + (move.promotion ?? "") === uci;
  return moves.find((move) => move.uci === uci) ?? moves.find(isRook) ?? moves.find(isKing);
}

/** The standard algebraic notation of a legal move. */
export function san(position, move) {
  const { board, turn } = position;
  const moves = legalMoves(position);
  const kind = board[move.from].toLowerCase();
  let text;
  if (move.castling) {
    text = move.castling.isShort ? "O-O" : "O-O-O";
  } else {
    const isCapture = board[move.to] !== null || move.captured !== undefined;
    const from = squareName(move.from);
    if (kind === "p") {
      text = isCapture ? from[0] : "";
    } else {
      text = kind.toUpperCase();
      const rivals = moves.filter(
        (other) => other.to === move.to && other.from !== move.from && !other.castling
          && board[other.from] === board[move.from],
      );
      if (rivals.length > 0) {
        const isFileUnique = rivals.every((other) => (other.from & 7) !== (move.from & 7));
        const isRankUnique = rivals.every((other) => other.from >> 3 !== move.from >> 3);
        text += isFileUnique ? from[0] : isRankUnique ? from[1] : from;
      }
    }
    text += (isCapture ? "x" : "") + squareName(move.to);
    if (move.promotion) text += `=${move.promotion.toUpperCase()}`;
  }
  const after = play({ ...position, turn }, move);
  if (checkedKing(after) < 0) return text;
  return text + (legalMoves(after).length > 0 ? "+" : "#");
}

/** The legal move that a person typed, in algebraic or coordinate notation, or undefined. */
export function findMove(position, text) {
  const plain = (notation) => notation.replace(/[+#!?=x\s-]/g, "").replace(/0/g, "O");
  const wanted = plain(text);
  if (wanted === "") return undefined;
  const named = legalMoves(position).map((move) => ({ move, name: plain(san(position, move)) }));
  const found = named.filter(({ name }) => name === wanted);
  if (found.length === 1) return found[0].move;
  const isSameButCase = ({ name }) => name.toLowerCase() === wanted.toLowerCase();
  const similar = named.filter(isSameButCase);
  return findUci(position, wanted.toLowerCase()) ?? (similar.length === 1 ? similar[0].move : undefined);
}

/** The number of move sequences of a length. */
export function perft(position, depth) {
  const moves = legalMoves(position);
  if (depth <= 1) return depth < 1 ? 1 : moves.length;
  return moves.reduce((sum, move) => sum + perft(play(position, move), depth - 1), 0);
}

/** The position in words: "White: king g1, pawns a2, b2. Black: king g8." */
export function describe({ board }) {
  const side = (color) => {
    const groups = ["k", "q", "r", "b", "n", "p"].map((kind) => {
      const squares = [];
      board.forEach((piece, square) => {
        if (piece === pieceOf(kind, color)) squares.push(squareName(square));
      });
      return squares.length === 0 ? "" : `${PIECE_NAMES[kind]}${squares.length > 1 ? "s" : ""} ${squares.join(", ")}`;
    });
    return groups.filter((group) => group !== "").join("; ");
  };
  return `White: ${side("w")}. Black: ${side("b")}.`;
}
