// What outlives the page: settings, the open game, games opened before. Storage that is full or forbidden is told once.

import { effect, signal } from "@preact/signals";
import { parsePgn, writePgn, type PgnGame } from "bartizan";
import { counted } from "./format.ts";
import { DEFAULTS, type App, type Settings } from "./store.ts";
import { hasNode, type Path } from "./tree.ts";

const PREFIX = "bartizan-board-";
const MOST_GAMES = 40;

export interface SavedGame {
  id: string;
  /** What it is called in the list. */
  title: string;
  pgn: string;
  path: Path;
  /** When it was last changed, in milliseconds since 1970. */
  time: number;
  /** Full moves; missing in games that older pages have kept. */
  moves?: number;
}

/** The games that were opened or played, the last first; the open one is among them if it has moves. */
export const savedGames = signal<SavedGame[]>([]);

let isTold = false;

/** Writes a text. When that fails, the user is told once, and the page continues with what it has in memory. */
function keepText(app: Pick<App, "notify">, key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    isTold = false;
    return true;
  } catch (error) {
    const isFull = error instanceof DOMException && /quota/i.test(error.name);
    if (!isTold) {
      app.notify(isFull
        ? "The browser's storage is full: save games as files, or delete some of the saved ones."
        : "The browser forbids storage: save games as files before you close the page.", "error");
    }
    isTold = true;
    return false;
  }
}

/** Writes a value, as `keepText` writes a text. */
export const keep = (app: Pick<App, "notify">, key: string, value: unknown): boolean =>
  keepText(app, PREFIX + key, JSON.stringify(value));

/** The storage for the boxes of the puzzles, which the trainer keeps itself. Null where the browser forbids it. */
export function boxStorage(app: Pick<App, "notify">): Storage | null {
  try {
    const { localStorage: storage } = globalThis;
    const boxes: Pick<Storage, "getItem" | "setItem"> = {
      getItem: (key) => storage.getItem(key), setItem: (key, text) => void keepText(app, key, text),
    };
    // The trainer calls no other method.
    return boxes as Storage;
  } catch {
    return null;
  }
}

/** Reads a value; undefined if there is none, or none that can be read. */
export function kept(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** The settings in a value from storage; what is not of the right type is the default. */
export function settingsOf(value: unknown): Settings {
  const settings: Settings = { ...DEFAULTS };
  if (typeof value !== "object" || value === null) return settings;
  const allowed: Partial<Record<keyof Settings, readonly unknown[]>> = {
    orientation: ["w", "b"], side: ["w", "b", "random"], squares: ["blue", "brown", "green", "grey"],
    lines: [1, 2, 3, 4, 5],
  };
  for (const [name, found] of Object.entries(value)) {
    if (!Object.hasOwn(DEFAULTS, name)) continue;
    const key = name as keyof Settings;
    if (typeof found !== typeof DEFAULTS[key] || !(allowed[key]?.includes(found) ?? true)) continue;
    if (key === "level" && !((found as number) >= 600 && (found as number) <= 3000)) continue;
    Object.assign(settings, { [key]: found });
  }
  return settings;
}

/** The games in a value from storage. */
export function gamesOf(value: unknown): SavedGame[] {
  if (!Array.isArray(value)) return [];
  const games = value.filter((item): item is SavedGame => typeof item === "object" && item !== null &&
    typeof item.id === "string" && typeof item.title === "string" && typeof item.pgn === "string" &&
    typeof item.time === "number" && /^(number|undefined)$/.test(typeof item.moves) && Array.isArray(item.path));
  // Older pages kept a copy for each time that a game was opened.
  const texts = new Set<string>();
  return games.filter(({ pgn }) => !texts.has(pgn) && texts.add(pgn)).slice(0, MOST_GAMES);
}

/** What tells a saved game from others with the same title: when, the result, the number of moves. */
export function detailOf({ time, pgn, moves }: SavedGame): string {
  const result = /^\[Result "(1-0|0-1|1\/2-1\/2)"\]$/m.exec(pgn)?.[1].replace("1/2-1/2", "½–½").replace("-", "–");
  const date = new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return [date, result ?? "no result", moves === undefined ? "" : counted(moves, "move")].filter(Boolean).join(" · ");
}

/** What a game is called in a list. */
export function titleOf(game: Pick<PgnGame, "tags" | "moves">): string {
  const known = (name: string) => (/^\??$/.test(game.tags[name] ?? "") ? "" : game.tags[name]);
  const players = [known("White"), known("Black")];
  if (players.some(Boolean)) return players.map((name) => name || "?").join(" – ");
  return known("Event") || game.moves.slice(0, 6).map(({ san }) => san).join(" ") || "Empty game";
}

/** The game of a saved text; null if it has none. */
export function readSaved({ pgn, path }: Pick<SavedGame, "pgn" | "path">): { game: PgnGame; path: Path } | null {
  try {
    const game = parsePgn(pgn)[0];
    return game ? { game, path: hasNode(game, path) ? path : [0] } : null;
  } catch {
    return null;
  }
}

/** The id of the saved game that is being opened. */
let opening: string | null = null;
/** The id of the open game. */
let openId = "";
/** Writes the open game now. */
let flush = () => {};

/** Opens a saved game, which stays one entry of the list; says whether it could be read. */
export function openSaved(app: App, id: string): boolean {
  flush();
  // A game that is being played goes on.
  if (id === openId) return true;
  const saved = savedGames.peek().find((game) => game.id === id);
  const found = saved && readSaved(saved);
  if (!found) return false;
  opening = id;
  app.openGame(found.game, found.path);
  opening = null;
  return true;
}

export function removeSaved(app: App, id: string): void {
  savedGames.value = savedGames.peek().filter((game) => game.id !== id);
  keep(app, "games", savedGames.peek());
}

export function install(app: App): void {
  app.settings.value = settingsOf(kept("settings"));
  savedGames.value = gamesOf(kept("games"));
  openId = crypto.randomUUID();
  const last = savedGames.peek()[0];
  const found = last && kept("open") === last.id && readSaved(last);
  if (last && found) {
    openId = last.id;
    app.openGame(found.game, found.path);
  }

  effect(() => {
    const settings = app.settings.value;
    if (settings !== DEFAULTS) keep(app, "settings", settings);
  });

  let shown = { game: app.game.peek(), path: app.path.peek(), opened: app.opened.peek() };
  let isChanged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    if (!isChanged) return;
    isChanged = false;
    const { game, path } = shown;
    if (game.moves.length === 0 && !game.comment) return void keep(app, "open", "");
    try {
      const pgn = writePgn(game);
      const old = savedGames.peek().find((other) => other.id === openId);
      const time = old?.pgn === pgn ? old.time : Date.now();
      const saved = { id: openId, title: titleOf(game), pgn, path, time, moves: Math.ceil(game.moves.length / 2) };
      const others = savedGames.peek().filter((other) => other.id !== openId && other.pgn !== pgn);
      savedGames.value = [saved, ...others].slice(0, MOST_GAMES);
    } catch {
      // A game that cannot be written stays on the board.
      return;
    }
    keep(app, "games", savedGames.peek());
    keep(app, "open", openId);
  };
  effect(() => {
    const now = { game: app.game.value, path: app.path.value, opened: app.opened.value };
    if (now.opened !== shown.opened) {
      write();
      openId = opening ?? crypto.randomUUID();
    }
    isChanged ||= now.game !== shown.game || now.path !== shown.path;
    shown = now;
    clearTimeout(timer);
    timer = setTimeout(write, 500);
  });
  flush = write;
  addEventListener("pagehide", write);
}
