// The position in the address: `#fen=…&chess960=1&moves=e2e4,e7e5`. The name of a view opens that view.

import { effect } from "@preact/signals";
import { Position, START_FEN, type PgnGame } from "bartizan";
import { emptyGame, message, type App, type ViewName } from "./store.ts";
import { addMove, movesTo, nodeAt, replies, type Path } from "./tree.ts";

/** The most characters of a fragment: longer addresses do not pass everywhere. */
export const MOST = 2000;
const VIEWS: readonly string[] = ["play", "analyse", "setup", "games", "puzzles", "arena"] satisfies ViewName[];

/** A node as a fragment without `#`; the empty text for the initial position. A long line is only its last position. */
export function write(game: PgnGame, path: Path): string {
  const moves = movesTo(game, path);
  const text = (fen: string, line: string[]) => [
    fen === START_FEN ? "" : `fen=${encodeURIComponent(fen).replaceAll("%2F", "/").replaceAll("%20", "_")}`,
    game.chess960 ? "chess960=1" : "",
    line.length > 0 ? `moves=${line.join()}` : "",
  ].filter(Boolean).join("&");
  const full = text(game.fen, moves.map(({ uci }) => uci));
  const isNull = moves.some(({ uci }) => uci === "0000");
  return full.length <= MOST && !isNull ? full : text(moves.at(-1)?.fen ?? game.fen, []);
}

/** The game of a fragment, or null if it names none. @throws if it cannot be read */
export function read(fragment: string): { game: PgnGame; path: Path } | null {
  const text = fragment.replace(/^#/, "");
  if (!text || VIEWS.includes(text)) return null;
  if (text.length > 2 * MOST) throw new Error("it is too long");
  // `+` is not a space here.
  const fields = new URLSearchParams(text.replaceAll("+", "%2B"));
  for (const name of fields.keys()) {
    if (!/^(fen|chess960|moves)$/.test(name)) throw new Error(`unknown field '${name}'`);
  }
  const fen = fields.get("fen")?.replaceAll("_", " ");
  const chess960 = fields.has("chess960") ? fields.get("chess960") === "1" : undefined;
  let at: { game: PgnGame; path: Path } = { game: emptyGame(fen, chess960), path: [0] };
  let position = new Position(at.game.fen, { chess960: at.game.chess960, tolerant: true });
  for (const uci of (fields.get("moves") ?? "").split(",").filter(Boolean)) {
    if (!/^[a-h][1-8][a-h][1-8][qrbn]?$/.test(uci)) throw new Error(`'${uci.slice(0, 20)}' is not a move`);
    const move = position.move(uci);
    at = addMove(at.game, at.path, { san: move.san, uci: move.uci, fen: move.after });
    position = new Position(move.after, { chess960: at.game.chess960, tolerant: true });
  }
  return at;
}

/** The node of a game that the moves of another lead to, or null. */
function nodeOf(game: PgnGame, { game: other, path }: { game: PgnGame; path: Path }): Path | null {
  if (game.fen !== other.fen || game.chess960 !== other.chess960) return null;
  let at: Path | undefined = [0];
  for (const { uci } of movesTo(other, path)) {
    at = replies(game, at).find((reply) => nodeAt(game, reply)?.uci === uci);
    if (!at) return null;
  }
  return at;
}

export function install(app: App): void {
  let own = "";
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  let isReload = entry?.type === "reload";
  const open = () => {
    const fragment = decode(location.hash.slice(1));
    if (VIEWS.includes(fragment)) app.view.value = fragment as ViewName;
    if (fragment === own || fragment === write(app.game.peek(), app.path.peek())) return;
    try {
      const found = read(fragment);
      if (!found) return;
      // A page that was closed soon after a move has an older address than the game that it has kept.
      const known = nodeOf(app.game.peek(), found);
      if (known) {
        app.path.value = known;
        if (!isReload) app.view.value = "analyse";
        return;
      }
      app.openGame(found.game, found.path);
      app.view.value = "analyse";
    } catch (error) {
      app.openPosition(START_FEN, false);
      const why = message(error);
      app.notify(`The address names a position that cannot be read: ${why} This is the initial one.`, "error");
    }
  };
  open();
  isReload = false;
  addEventListener("hashchange", open);
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const [game, path] = [app.game.value, app.path.value];
    clearTimeout(timer);
    timer = setTimeout(() => {
      own = write(game, path);
      const here = `${location.pathname}${location.search}${own && `#${own}`}`;
      try {
        history.replaceState(null, "", here);
      } catch {
        // Browsers limit how often a page may do this.
      }
    }, 300);
  });
}

/** Some programs escape what they send in an address. */
function decode(text: string): string {
  try {
    return text.includes("=") ? text : decodeURIComponent(text);
  } catch {
    return text;
  }
}
