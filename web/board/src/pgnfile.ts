// A file of games. An index finds where each begins and reads its tags; a game is parsed when it is opened.

import { parsePgn, writePgn, type PgnGame } from "bartizan";

export interface Entry {
  readonly key: number;
  /** Where it is in the file, in bytes; nothing for a game that was added. */
  readonly start: number;
  readonly end: number;
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly tags: Readonly<Record<string, string>>;
  /** The game, once it has changed. */
  readonly edited: PgnGame | null;
}

export interface PgnFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly entries: readonly Entry[];
}

const [LF, CR, OPEN, CLOSE, TAG, SEMICOLON, PERCENT] = [10, 13, 123, 125, 91, 59, 37];
/** The longest work in one go, milliseconds. */
const SLICE = 12;

const utf8 = new TextDecoder("utf-8", { fatal: true });
const latin = new TextDecoder("windows-1252");

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin.decode(bytes);
  }
}

let lastKey = 0;

/** An entry for a game that is in no file. */
export const entryOf = (game: PgnGame): Entry =>
  ({ key: ++lastKey, start: 0, end: 0, line: 0, tags: tagsOf(game), edited: game });

export const tagsOf = (game: PgnGame): Record<string, string> => ({ ...game.tags, Result: game.result });

/** Finds the games of a text, in slices of time. `onProgress` takes the share that is done. */
export async function indexPgn(
  name: string, bytes: Uint8Array, onProgress?: (share: number, found: number) => void, signal?: AbortSignal,
): Promise<PgnFile> {
  const entries: Entry[] = [];
  let tags: Record<string, string> = Object.create(null);
  let [start, startLine, line, at] = [0, 1, 1, 0];
  let [hasTags, hasMoves, inComment, wasEmpty] = [false, false, false, false];
  let due = performance.now() + SLICE;
  const close = (end: number) => {
    if (hasTags || hasMoves) entries.push({ key: ++lastKey, start, end, line: startLine, tags, edited: null });
    [start, startLine, tags] = [end, line, Object.create(null)];
    [hasTags, hasMoves, inComment] = [false, false, false];
  };
  while (at < bytes.length) {
    if ((line & 63) === 0 && performance.now() > due) {
      onProgress?.(at / bytes.length, entries.length);
      await new Promise((done) => setTimeout(done));
      signal?.throwIfAborted();
      due = performance.now() + SLICE;
    }
    // `at` is the beginning of a line.
    let end = at;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
    const first = bytes[at];
    const isTag = first === TAG && (!inComment || (wasEmpty && decode(bytes.subarray(at, at + 7)) === "[Event "));
    if (isTag && (!inComment || hasMoves)) {
      if (hasMoves) close(at);
      hasTags = true;
      const found = /^\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"/.exec(decode(bytes.subarray(at, Math.min(end, at + 1000))));
      if (found) tags[found[1]] ??= found[2].replaceAll(/\\(.)/g, "$1");
    } else if (first !== PERCENT || inComment) {
      for (let byte = at; byte < end; byte++) {
        const value = bytes[byte];
        if (inComment) inComment = value !== CLOSE;
        else if (value === OPEN) {
          inComment = true;
          hasMoves = true;
        } else if (value === SEMICOLON) break;
        else if (value > 32) hasMoves = true;
      }
    }
    wasEmpty = end === at;
    at = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1);
    line++;
  }
  close(bytes.length);
  return { name, bytes, entries };
}

/**
 * The games of an entry: one, unless games without tags follow each other. Errors have the lines of the file.
 * @throws if the text cannot be read
 */
export function gamesIn(file: PgnFile, entry: Entry): PgnGame[] {
  if (entry.edited) return [entry.edited];
  return parsePgn(file.bytes.subarray(entry.start, entry.end)).map((game) => ({
    ...game, errors: game.errors.map((error) => ({ ...error, line: error.line + entry.line - 1 })),
  }));
}

/** Whether a file seems to hold games: its first one has tags or moves. */
export function hasGames({ bytes, entries: [first] }: PgnFile): boolean {
  if (!first) return false;
  if (Object.keys(first.tags).length > 0) return true;
  const begin = bytes.subarray(first.start, Math.min(first.end, first.start + 100_000));
  try {
    return parsePgn(begin).some(({ moves }) => moves.length > 0);
  } catch {
    return false;
  }
}

/** The text of a game: of one that has not changed, the very bytes of the file. */
function textOf(file: PgnFile, entry: Entry): Uint8Array {
  if (entry.edited) return new TextEncoder().encode(`${writePgn(entry.edited).trimEnd()}\n\n`);
  return file.bytes.subarray(entry.start, entry.end);
}

/** The file with what has changed. */
export function filePgn(file: PgnFile): Blob {
  const parts: BlobPart[] = [];
  // A file in Windows-1252 stays one only if nothing has changed.
  const isLatin = file.entries.some(({ edited }) => edited) && !isUtf8(file.bytes);
  for (const [at, entry] of file.entries.entries()) {
    const bytes = textOf(file, entry);
    parts.push(isLatin && !entry.edited ? decode(bytes) : bytes as Uint8Array<ArrayBuffer>);
    if (at + 1 === file.entries.length) break;
    const [last, before] = [bytes[bytes.length - 1], bytes[bytes.length - 2]];
    if (last !== LF && last !== CR) parts.push("\n\n");
    else if (before !== LF && before !== CR) parts.push("\n");
  }
  return new Blob(parts, { type: "application/x-chess-pgn" });
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    for (let at = 0; at < bytes.length; at += 1 << 20) {
      utf8.decode(bytes.subarray(at, at + (1 << 20)), { stream: true });
    }
    utf8.decode();
    return true;
  } catch {
    return false;
  }
}

/** The entries that a text is found in: players, event, date, result, opening. All words must be found. */
export function filterEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter(({ tags }) => {
    const all = [tags.White, tags.Black, tags.Event, tags.Site, tags.Date, tags.Result, tags.ECO, tags.Opening]
      .join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
