// Numbers, moves and judgements as people read them.

/** The judgements of moves: a glyph of chess notation, a name, and whether it is a mistake. */
export const CLASSES = {
  book: { glyph: "", name: "book move" },
  forced: { glyph: "", name: "only legal move" },
  best: { glyph: "", name: "best move" },
  only: { glyph: "□", name: "only good move" },
  good: { glyph: "", name: "good move" },
  inaccuracy: { glyph: "?!", name: "inaccuracy", isMistake: true },
  mistake: { glyph: "?", name: "mistake", isMistake: true },
  blunder: { glyph: "??", name: "blunder", isMistake: true },
  missedWin: { glyph: "??", name: "missed win", isMistake: true },
};

/** The class of a move that loses points of expected score, by the limits that judge the game's own moves. */
export function classOfLoss(loss) {
  if (loss < 2) return "best";
  if (loss < 5) return "good";
  if (loss < 10) return "inaccuracy";
  return loss < 15 ? "mistake" : "blunder";
}

/** "+0.34", "−1.20", "#5" or "#−5", from White's point of view. */
export function formatEval(value) {
  if (!value) return "";
  if (value.mate !== undefined) return `#${value.mate < 0 ? "−" : ""}${Math.abs(value.mate)}`;
  const pawns = Math.abs(value.cp / 100).toFixed(2);
  return pawns === "0.00" ? pawns : (value.cp < 0 ? "−" : "+") + pawns;
}

export function formatPercent(value) {
  return value === null || value === undefined ? "" : `${Math.round(value)}%`;
}

/** Seconds as "1:02:03", "2:03", or "9.4 s" below ten seconds. */
export function formatSeconds(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The move number of a position and its side to move: "23." or "23…". */
export function moveNumber(fen) {
  const fields = fen.split(" ");
  return `${fields[5] ?? 1}${fields[1] === "b" ? "…" : "."}`;
}

/** The FEN before the move of a ply, which counts from 1. */
export function fenBefore(game, ply) {
  return ply <= 1 ? game.startFen : game.moves[ply - 2].fen;
}

/** "23…Nf5??" for a ply. */
export function moveLabel(game, ply) {
  const move = game.moves[ply - 1];
  return moveNumber(fenBefore(game, ply)) + move.san + (CLASSES[move.class]?.glyph ?? "");
}

/** The side that makes the move of a ply: "w" or "b". */
export function moverOf(game, ply) {
  return fenBefore(game, ply).split(" ")[1];
}

/** The moves of a line with their numbers: `[{ text: "23…Nf5", san, uci }, …]`. */
export function numberedLine(fen, line) {
  const fields = fen.split(" ");
  let number = Number(fields[5] ?? 1);
  let isWhite = fields[1] !== "b";
  return line.map((move, index) => {
    const prefix = isWhite ? `${number}.` : index === 0 ? `${number}…` : "";
    if (!isWhite) number += 1;
    isWhite = !isWhite;
    return { ...move, text: prefix + move.san };
  });
}

/** White's expected score as that of a side. */
export function scoreFor(side, whiteWin) {
  return side === "w" ? whiteWin : 100 - whiteWin;
}

export function sideName(side) {
  return side === "w" ? "White" : "Black";
}
