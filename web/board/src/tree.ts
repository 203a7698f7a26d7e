// Paths in a game's tree, and edits that make another game.

import type { PgnGame, PgnMove } from "bartizan";

/**
 * A node. `[n]` is the position after `n` moves of the main line; `[0]` is the start. `[i, v, n]` is the one after `n`
 * moves, at least 1, of `moves[i].variations[v]`, where `moves` is the main line; and so on for deeper variations.
 */
export type Path = readonly number[];

/** The line that holds a node. */
export function lineAt(game: PgnGame, path: Path): PgnMove[] {
  let line = game.moves;
  for (let at = 0; at + 2 < path.length; at += 2) line = line[path[at]].variations[path[at + 1]];
  return line;
}

/** The move that leads to a node; null at the start. */
export function nodeAt(game: PgnGame, path: Path): PgnMove | null {
  return lineAt(game, path)[path[path.length - 1] - 1] ?? null;
}

/** The FEN of a node. */
export function fenAt(game: PgnGame, path: Path): string {
  return nodeAt(game, path)?.fen ?? game.fen;
}

/** The moves from the start to a node. */
export function movesTo(game: PgnGame, path: Path): PgnMove[] {
  const moves: PgnMove[] = [];
  let line = game.moves;
  for (let at = 0; at < path.length; at += 2) {
    moves.push(...line.slice(0, path[at]));
    if (at + 2 < path.length) line = line[path[at]].variations[path[at + 1]];
  }
  return moves;
}

/** The node before, or null at the start. */
export function previous(path: Path): Path | null {
  const head = path.slice(0, -1);
  const last = path[path.length - 1];
  if (path.length === 1) return last > 0 ? [last - 1] : null;
  return last > 1 ? [...head, last - 1] : path.slice(0, -2);
}

/** The nodes after, that of the line first. */
export function replies(game: PgnGame, path: Path): Path[] {
  const next = lineAt(game, path)[path[path.length - 1]];
  if (!next) return [];
  const head = path.slice(0, -1);
  const last = path[path.length - 1];
  return [[...head, last + 1], ...next.variations.flatMap((line, at) => (line.length > 0 ? [[...path, at, 1]] : []))];
}

/** The last node of the line of a node. */
export function lastOf(game: PgnGame, path: Path): Path {
  return [...path.slice(0, -1), lineAt(game, path).length];
}

/** The game with the line of a node replaced. */
function withLine(game: PgnGame, path: Path, change: (line: PgnMove[]) => PgnMove[]): PgnGame {
  const inner = (line: PgnMove[], at: number): PgnMove[] => {
    if (at + 2 >= path.length) return change(line);
    const move = line[path[at]];
    const variations = move.variations.with(path[at + 1], inner(move.variations[path[at + 1]], at + 2));
    return line.with(path[at], { ...move, variations });
  };
  return { ...game, moves: inner(game.moves, 0) };
}

/** Adds a move after a node, as a variation if the line has another move there. */
export function addMove(
  game: PgnGame, path: Path, move: Pick<PgnMove, "san" | "uci" | "fen"> & Partial<PgnMove>,
): { game: PgnGame; path: Path } {
  const known = replies(game, path).find((reply) => nodeAt(game, reply)?.uci === move.uci);
  if (known) return { game, path: known };
  const node: PgnMove = { nags: [], commentBefore: "", comment: "", variations: [], ...move };
  const last = path[path.length - 1];
  const next = lineAt(game, path)[last];
  if (!next) return { game: withLine(game, path, (line) => [...line, node]), path: [...path.slice(0, -1), last + 1] };
  const changed = withLine(game, path, (line) =>
    line.with(last, { ...next, variations: [...next.variations, [node]] }));
  return { game: changed, path: [...path, next.variations.length, 1] };
}

/** Changes the move that leads to a node. */
export function editMove(game: PgnGame, path: Path, change: (move: PgnMove) => Partial<PgnMove>): PgnGame {
  const at = path[path.length - 1] - 1;
  return withLine(game, path, (line) => (line[at] ? line.with(at, { ...line[at], ...change(line[at]) }) : line));
}

/** The first node after, in the line of the node. */
export function next(game: PgnGame, path: Path): Path | null {
  return replies(game, path)[0] ?? null;
}

/** Whether a game has such a node. */
export function hasNode(game: PgnGame, path: Path): boolean {
  if (path.length % 2 === 0 || path.some((number) => !Number.isInteger(number) || number < 0)) return false;
  let line = game.moves;
  for (let at = 0; at + 2 < path.length; at += 2) {
    const inner = line[path[at]]?.variations[path[at + 1]];
    if (!inner) return false;
    line = inner;
  }
  const last = path[path.length - 1];
  return last <= line.length && (last > 0 || path.length === 1);
}

/** The alternatives to a node, itself among them; the move of the line comes first. */
export function siblings(game: PgnGame, path: Path): Path[] {
  const parent = previous(path);
  return parent ? replies(game, parent) : [path];
}

/** The alternative `step` places below a node, around the end; null if it has none. */
export function sibling(game: PgnGame, path: Path, step: number): Path | null {
  const all = siblings(game, path);
  if (all.length < 2) return null;
  const at = all.findIndex((other) => other.join() === path.join());
  return all[(at + step + all.length) % all.length];
}

/** The last node of the main line. */
export function mainline(game: PgnGame): Path {
  return [game.moves.length];
}

const joined = (...texts: string[]): string => texts.filter(Boolean).join(" ");

/** Puts a comment behind the one of a node; the start has one as well. */
function addComment(game: PgnGame, path: Path, text: string): PgnGame {
  return text ? setComment(game, path, joined(commentOf(game, path), text)) : game;
}

/**
 * Puts a variation of the move after `at` in place of that move and of what follows it, and `rest` beside it. Only the
 * move of a line has variations, and only the first of a variation has a comment before it.
 */
function withContinuation(game: PgnGame, at: Path, line: PgnMove[], rest: PgnMove[][]): PgnGame {
  const [first, ...more] = line;
  const { commentBefore } = first;
  const isFirst = at.length > 1 && at[at.length - 1] === 0;
  const head = { ...first, commentBefore: isFirst ? commentBefore : "", variations: rest };
  const changed = withLine(game, at, (old) => [...old.slice(0, at[at.length - 1]), head, ...more]);
  return isFirst ? changed : addComment(changed, at, commentBefore);
}

/** Lets the variation that holds a node change places with the line that it leaves. */
export function promote(game: PgnGame, path: Path): { game: PgnGame; path: Path } {
  if (path.length === 1) return { game, path };
  const at = path.slice(0, -2);
  const number = path[path.length - 2];
  const index = at[at.length - 1];
  const [move, ...tail] = lineAt(game, at).slice(index);
  const rest = move.variations.with(number, [{ ...move, variations: [] }, ...tail]);
  const changed = withContinuation(game, at, move.variations[number], rest);
  return { game: changed, path: [...at.slice(0, -1), index + path[path.length - 1]] };
}

/** Makes the line that leads to a node the main line. */
export function promoteToMain(game: PgnGame, path: Path): { game: PgnGame; path: Path } {
  let result = { game, path };
  while (result.path.length > 1) result = promote(result.game, result.path);
  return result;
}

/** Deletes a node with all that follows it; an alternative takes its place. At the start, deletes all moves. */
export function removeFrom(game: PgnGame, path: Path): { game: PgnGame; path: Path } {
  const parent = previous(path);
  if (!parent) return { game: { ...game, moves: [] }, path };
  const last = path[path.length - 1];
  if (path.length > 1 && last === 1) {
    const at = parent[parent.length - 1];
    const changed = withLine(game, parent, (line) => line.with(at, {
      ...line[at], variations: line[at].variations.toSpliced(path[path.length - 2], 1),
    }));
    return { game: changed, path: parent };
  }
  const [line, ...rest] = lineAt(game, path)[last - 1].variations;
  if (line?.length) return { game: withContinuation(game, parent, line, rest), path: parent };
  return { game: withLine(game, path, (moves) => moves.slice(0, last - 1)), path: parent };
}

/** The comment after a node; that of the start comes before the first move. */
export function commentOf(game: PgnGame, path: Path): string {
  return path.length === 1 && path[0] === 0 ? game.comment : nodeAt(game, path)?.comment ?? "";
}

/** Sets the comment after a node. */
export function setComment(game: PgnGame, path: Path, text: string): PgnGame {
  // PGN ends a comment at a brace and may break it at a space.
  const comment = text.replaceAll("{", "(").replaceAll("}", ")").replaceAll(/\s+/g, " ").trim();
  return path.length === 1 && path[0] === 0 ? { ...game, comment } : editMove(game, path, () => ({ comment }));
}

/** Glyphs of which a move has one: those of the move, and those of the position. */
const group = (nag: number): number => (nag >= 1 && nag <= 6 ? 1 : nag >= 10 && nag <= 21 ? 2 : 0);

/** Gives a glyph to a move, or takes it away. */
export function toggleGlyph(game: PgnGame, path: Path, nag: number): PgnGame {
  return editMove(game, path, ({ nags }) => {
    if (nags.includes(nag)) return { nags: nags.filter((other) => other !== nag) };
    const kept = nags.filter((other) => group(nag) === 0 || group(other) !== group(nag));
    return { nags: [...kept, nag].sort((a, b) => a - b) };
  });
}
