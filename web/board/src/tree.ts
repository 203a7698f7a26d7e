// Paths in a game's tree.

/**
 * A node. `[n]` is the position after `n` moves of the main line; `[0]` is the start. `[i, v, n]` is the one after `n`
 * moves, at least 1, of `moves[i].variations[v]`, where `moves` is the main line; and so on for deeper variations.
 */
export type Path = readonly number[];
