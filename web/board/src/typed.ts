// Moves as people type them: in notation, in coordinates, or in the words in which they are announced.

import { Position } from "bartizan";

const LETTERS: [RegExp, string][] = [
  [/\bking\b/g, "K"], [/\bqueen\b/g, "Q"], [/\brook\b/g, "R"], [/\bbishop\b/g, "B"], [/\bknight\b/g, "N"],
  [/\bpawn\b/g, ""],
];

/** Castling in words as SAN; "O-?" if the side is not named. Null if the text is no castling. */
function castling(text: string): string | null {
  if (!/^(castles?|castling)\b/.test(text)) return null;
  if (/queen|long/.test(text)) return "O-O-O";
  return /king|short/.test(text) ? "O-O" : "O-?";
}

/** "Bc4" for "bishop c4", "Nxe5" for "knight takes e5", "xe5" for "pawn takes e5". */
export function sanOf(words: string): string {
  let text = words.toLowerCase().replace(/[,.]/g, " ").replace(/\b(and |it is )?(check|checkmate|mate)\b/g, " ").trim();
  const castled = castling(text);
  if (castled) return castled;
  text = text.replace(/\b(promotes to|promoting to|becomes|equals) (a )?/g, "=").replace(/\b(takes|captures)\b/g, "x");
  for (const [word, letter] of LETTERS) text = text.replace(word, letter);
  return text.replace(/\b(moves )?(to|from|on|the)\b/g, "").replace(/\s+/g, "");
}

/** The move of a text, in coordinates. @throws if it names no legal move */
export function typedMove(fen: string, chess960: boolean, text: string): string {
  const position = new Position(fen, { chess960, tolerant: true });
  try {
    return position.move(text).uci;
  } catch (error) {
    const san = sanOf(text);
    const legal = position.legalMoves();
    const castles = legal.filter((move) => move.isCastling);
    if (san === "O-?") {
      if (castles.length === 1) return castles[0].uci;
      throw new Error(castles.length > 1
        ? "Type “castles kingside” or “castles queenside”." : "Castling is not legal.");
    }
    const takes = /^x([a-h][1-8](?:=[QRBN])?)$/.exec(san);
    const pawns = takes ? legal.filter((move) => move.piece === "p" && move.san.includes(`x${takes[1]}`)) : [];
    if (pawns.length === 1) return pawns[0].uci;
    if (pawns.length > 1) throw new Error(`Two pawns can do that: type ${pawns.map((move) => move.san).join(" or ")}.`);
    // What has the form of a move is illegal, or ambiguous: why is told.
    const isMove = /^([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?|O-O(-O)?)$/.test(san);
    if (isMove) return position.move(san).uci;
    if (error instanceof Error && !/^invalid move/.test(error.message)) throw error;
    throw new Error(`“${text.slice(0, 30)}” is not a move. Type a move such as Nf3, e4 or g1f3.`);
  }
}
