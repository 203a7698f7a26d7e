// Files that the page writes.

import { writePgn } from "bartizan";
import { titleOf } from "./storage.ts";
import { message, type App } from "./store.ts";

/** Hands a file to the browser's downloads. */
export function download(name: string, data: BlobPart, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Saves the game on the board as a PGN file. */
export function saveGame(app: App): void {
  const game = app.game.peek();
  try {
    const name = `${titleOf(game).replaceAll(/[^\p{L}\p{N} .–-]/gu, "").slice(0, 80)}.pgn`;
    download(name, writePgn(game), "application/x-chess-pgn");
    app.notify(`Saved as ${name}.`, "info");
  } catch (error) {
    app.notify(`The game cannot be written: ${message(error)}`, "error");
  }
}

/** Whether a key event is Ctrl+S, or Cmd+S. */
export const isSave = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "s";
