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
  const changed = withLine(game, path, (line) => line.with(last, { ...next, variations: [...next.variations, [node]] }));
  return { game: changed, path: [...path, next.variations.length, 1] };
}

/** Changes the move that leads to a node. */
export function editMove(game: PgnGame, path: Path, change: (move: PgnMove) => Partial<PgnMove>): PgnGame {
  const at = path[path.length - 1] - 1;
  return withLine(game, path, (line) => (line[at] ? line.with(at, { ...line[at], ...change(line[at]) }) : line));
}

/** Makes a variation the line above, which becomes its variation. The start of a line stays where it is. */
export function promote(game: PgnGame, path: Path): { game: PgnGame; path: Path } {
  if (path.length < 3) return { game, path };
  const [at, number, depth] = path.slice(-3);
  const parent: Path = path.slice(0, -2);
  const changed = withLine(game, parent, (line) => {
    const [old, ...rest] = line.slice(at);
    const [first, ...others] = old.variations[number];
    const back: PgnMove[] = [{ ...old, variations: [] }, ...rest];
    // A comment before the first move belongs to a variation.
    const { commentBefore, ...move } = first;
    const variations = old.variations.with(number, back).concat(first.variations);
    return [...line.slice(0, at), { ...move, commentBefore: "", variations }, ...others];
  });
  return { game: changed, path: [...path.slice(0, -3), at + depth] };
}

/** Removes a move and those after it; the variations of the first of them go with it, unless they can replace it. */
export function removeFrom(game: PgnGame, path: Path): { game: PgnGame; path: Path } {
  const last = path[path.length - 1];
  const before = previous(path);
  if (!before) return { game, path };
  if (path.length > 1 && last === 1) {
    // The whole variation.
    const [at, number] = path.slice(-3);
    const parent = path.slice(0, -2);
    const changed = withLine(game, parent, (line) =>
      line.with(at, { ...line[at], variations: line[at].variations.toSpliced(number, 1) }));
    return { game: changed, path: before };
  }
  const changed = withLine(game, path, (line) => {
    const [heir, ...others] = line[last - 1].variations;
    if (!heir) return line.slice(0, last - 1);
    return [...line.slice(0, last - 1), { ...heir[0], variations: [...heir[0].variations, ...others] }, ...heir.slice(1)];
  });
  return { game: changed, path: before };
}
