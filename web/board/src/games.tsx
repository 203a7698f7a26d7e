// The view of files of games: list, filter, headers, save.

import { effect, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Game, type PgnGame } from "bartizan";
import "./games.css";
import { counted } from "./format.ts";
import {
  entryOf, filePgn, filterEntries, gamesIn, hasGames, indexPgn, tagsOf, type Entry, type PgnFile,
} from "./pgnfile.ts";
import { emptyGame, message, type App } from "./store.ts";
import { download, isSave, saveGame } from "./save.ts";
import { detailOf, openSaved, removeSaved, savedGames, titleOf } from "./storage.ts";

interface FileHandle {
  name: string;
  getFile(): Promise<File>;
  createWritable(): Promise<{ write(data: Blob): Promise<void>; close(): Promise<void> }>;
}

/** The File System Access API, which Firefox and Safari lack. */
interface Pickers {
  showOpenFilePicker?(options: object): Promise<FileHandle[]>;
  showSaveFilePicker?(options: object): Promise<FileHandle>;
}
const pickers = globalThis as Pickers;
const TYPES = [{ description: "Chess games", accept: { "application/x-chess-pgn": [".pgn"] } }];

const file = signal<PgnFile | null>(null);
const handle = signal<FileHandle | null>(null);
const progress = signal<{ share: number; found: number } | null>(null);
const filter = signal("");
/** The key of the game on the board. */
const openKey = signal(0);
const isChanged = signal(false);
let reading: AbortController | undefined;
/** The open game as it was opened, and the number of games opened then. */
let link: { game: PgnGame; opened: number } | null = null;
let isWatched = false;

/** Takes the edits of the open game over into the file, in whatever view they are made. */
function watch(app: App): void {
  if (isWatched) return;
  isWatched = true;
  effect(() => {
    const [game, opened] = [app.game.value, app.opened.value];
    if (!link) return;
    if (opened !== link.opened) {
      link = null;
      openKey.value = 0;
      return;
    }
    if (game === link.game) return;
    link = { game, opened };
    const now = file.peek();
    if (!now) return;
    const entries = now.entries.map((entry) =>
      (entry.key === openKey.peek() ? { ...entry, edited: game, tags: tagsOf(game) } : entry));
    file.value = { ...now, entries };
    isChanged.value = true;
  });
  addEventListener("beforeunload", (event) => isChanged.peek() && event.preventDefault());
}

async function load(app: App, name: string, blob: Blob, from: FileHandle | null): Promise<void> {
  if (isChanged.peek() && !confirm("The file has changes that are not saved. Open another and lose them?")) return;
  reading?.abort();
  const mine = (reading = new AbortController());
  try {
    progress.value = { share: 0, found: 0 };
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const found = await indexPgn(name, bytes, (share, count) => {
      if (!mine.signal.aborted) progress.value = { share, found: count };
    }, mine.signal);
    if (!hasGames(found)) throw new Error("it has no games");
    file.value = found;
    handle.value = from;
    isChanged.value = false;
    filter.value = "";
    link = null;
    openKey.value = 0;
    app.announce(counted(found.entries.length, "game"));
  } catch (error) {
    if (!mine.signal.aborted) app.notify(`${name} cannot be opened: ${message(error)}`, "error");
  } finally {
    if (reading === mine) progress.value = null;
  }
}

function open(app: App, entry: Entry): void {
  const now = file.peek();
  if (!now) return;
  try {
    const games = gamesIn(now, entry);
    if (games.length === 0) throw new Error("there are no moves");
    const [game, ...more] = games;
    let { key } = entry;
    if (more.length > 0) {
      // Games without tags follow each other: each becomes an entry.
      const split = games.map(entryOf);
      key = split[0].key;
      file.value = { ...now, entries: now.entries.flatMap((other) => (other === entry ? split : [other])) };
    }
    app.openGame(game);
    link = { game, opened: app.opened.peek() };
    openKey.value = key;
    app.announce(`Opened ${titleOf(game)}`);
  } catch (error) {
    app.notify(`The game at line ${entry.line} cannot be opened: ${message(error)}`, "error");
  }
}

async function saveFile(app: App): Promise<void> {
  const now = file.peek();
  if (!now) return;
  try {
    const blob = filePgn(now);
    let to = handle.peek();
    if (!to && pickers.showSaveFilePicker) {
      to = await pickers.showSaveFilePicker({ suggestedName: now.name, types: TYPES });
      handle.value = to;
    }
    if (to) {
      const writable = await to.createWritable();
      await writable.write(blob);
      await writable.close();
    } else download(now.name, blob, "application/x-chess-pgn");
    isChanged.value = false;
    app.notify(`${counted(now.entries.length, "game is", "games are")} saved in ${to?.name ?? now.name}.`, "info");
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    app.notify(`The file cannot be saved: ${message(error)}`, "error");
  }
}

async function choose(app: App, input: HTMLInputElement | null): Promise<void> {
  if (!pickers.showOpenFilePicker) return input?.click();
  try {
    const [found] = await pickers.showOpenFilePicker({ types: TYPES });
    await load(app, found.name, await found.getFile(), found);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) input?.click();
  }
}

const known = (value: string | undefined): string =>
  (!value || /^[?.]+$/.test(value) ? "" : value.replace(/\.\?\?/g, ""));

/** The openings of games whose tags do not tell them. */
const openings = new WeakMap<Entry, string>();
function openingOf(now: PgnFile, entry: Entry): string {
  const { ECO, Opening } = entry.tags;
  if (known(ECO)) return [ECO, known(Opening)].filter(Boolean).join(" ");
  let text = openings.get(entry);
  if (text === undefined) {
    text = "";
    try {
      const [game] = gamesIn(now, entry);
      const opening = game && Game.fromPgn({ ...game, moves: game.moves.slice(0, 30) }).opening();
      if (opening) text = `${opening.code} ${opening.name}`;
    } catch {
      // A game that cannot be read has no opening.
    }
    openings.set(entry, text);
  }
  return text;
}

function List({ app, now, shown }: { app: App; now: PgnFile; shown: readonly Entry[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800, row: 56 });
  const measure = () => {
    if (!box.current) return;
    const row = 3.5 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    setView({ top: box.current.scrollTop, height: box.current.clientHeight, row });
  };
  useEffect(() => {
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const first = Math.max(0, Math.floor(view.top / view.row) - 6);
  const rows = shown.slice(first, first + Math.ceil(view.height / view.row) + 12);
  const current = openKey.value;
  return (
    <div class="g-list" ref={box} onScroll={measure} tabIndex={0} role="region" aria-label="Games of the file">
      <ol style={{ height: `${shown.length * view.row}px`, paddingTop: `${first * view.row}px` }}>
        {rows.map((entry, at) => (
          <li key={entry.key} aria-posinset={first + at + 1} aria-setsize={shown.length}>
            <button type="button" aria-current={entry.key === current ? "true" : undefined}
              onClick={() => open(app, entry)}>
              <span class="g-players">
                {known(entry.tags.White) || "?"} – {known(entry.tags.Black) || "?"}
                {entry.edited && <span class="g-mark" title="Changed"> ●<span class="vh"> changed</span></span>}
              </span>
              <span class="g-result">{(entry.tags.Result ?? "*").replace("1/2-1/2", "½–½").replace("-", "–")}</span>
              <span class="g-more">
                {[known(entry.tags.Event), known(entry.tags.Date), openingOf(now, entry)].filter(Boolean).join(" · ")}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

const ROSTER = ["White", "Black", "Event", "Site", "Date", "Round"];

function Headers({ app }: { app: App }) {
  const game = app.game.value;
  const names = [...new Set([...ROSTER, ...Object.keys(game.tags)])];
  const set = (name: string, value: string) => {
    const tags = { ...game.tags, [name]: value.replaceAll(/[\r\n]+/g, " ").trim() };
    if (!tags[name] && !ROSTER.includes(name)) delete tags[name];
    app.game.value = { ...game, tags };
  };
  const errors = game.errors;
  return (
    <section class="box g-game" aria-label="The game on the board">
      <h2>{titleOf(game)}</h2>
      {errors.length > 0 && (
        <div class="g-errors" role="alert">
          <p><strong>{errors.length === 1 ? "There is a problem:" : `There are ${errors.length} problems:`}</strong></p>
          <ul>{errors.slice(0, 8).map(({ line, column, message: text, severity }) => (
            <li>Line {line}, column {column}: {text}{severity === "warning" ? " (corrected)" : ""}</li>
          ))}</ul>
        </div>
      )}
      <div class="buttons">
        <button type="button" class="primary" onClick={() => (app.view.value = "analyse")}>Analyse</button>
        <button type="button" onClick={() => saveGame(app)}>Save this game</button>
      </div>
      <div class="g-tags">
        {names.map((name) => (
          <label><span>{name}</span><input type="text" value={game.tags[name] ?? ""}
            onChange={(event) => set(name, event.currentTarget.value)} /></label>
        ))}
        <label><span>Result</span>
          <select value={game.result} onChange={(event) => {
            app.game.value = { ...game, result: event.currentTarget.value as PgnGame["result"] };
          }}>
            {["1-0", "0-1", "1/2-1/2", "*"].map((value) => <option value={value}>{value}</option>)}
          </select>
        </label>
      </div>
    </section>
  );
}

export function GamesView({ app }: { app: App }) {
  watch(app);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState("");
  const now = file.value;
  const saved = savedGames.value;
  const shown = now ? filterEntries(now.entries, filter.value) : [];
  const paste = (text: string) => void load(app, "pasted.pgn", new Blob([text]), null);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if ((event.target as Element | null)?.closest("input, textarea")) return;
      const [dropped] = event.clipboardData?.files ?? [];
      const text = event.clipboardData?.getData("text/plain");
      if (dropped) void load(app, dropped.name, dropped, null);
      else if (text?.trim()) paste(text);
    };
    // With a file open, Ctrl+S saves that.
    const onSave = (event: KeyboardEvent) => {
      if (!isSave(event) || !file.peek()) return;
      event.preventDefault();
      void saveFile(app);
    };
    document.addEventListener("paste", onPaste);
    addEventListener("keydown", onSave, true);
    return () => {
      document.removeEventListener("paste", onPaste);
      removeEventListener("keydown", onSave, true);
    };
  }, []);
  const add = (game: PgnGame) => {
    const entry = entryOf(game);
    const base = file.peek() ?? { name: "games.pgn", bytes: new Uint8Array(), entries: [] };
    file.value = { ...base, entries: [...base.entries, entry] };
    isChanged.value = true;
    open(app, entry);
  };
  return (
    <div class={`games ${isOver ? "is-over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [dropped] = event.dataTransfer?.files ?? [];
        const text = event.dataTransfer?.getData("text/plain");
        if (dropped) void load(app, dropped.name, dropped, null);
        else if (text) paste(text);
      }}>
      <div class="g-main">
        <div class="buttons g-bar">
          <button type="button" class={now ? "" : "primary"} onClick={() => void choose(app, input.current)}>
            Open a file
          </button>
          <input ref={input} class="vh" type="file" accept=".pgn,.txt,application/x-chess-pgn,text/plain" tabIndex={-1}
            aria-label="A file of games" onChange={(event) => {
              const [chosen] = event.currentTarget.files ?? [];
              event.currentTarget.value = "";
              if (chosen) void load(app, chosen.name, chosen, null);
            }} />
          {now && (
            <button type="button" class={isChanged.value ? "primary" : ""} onClick={() => void saveFile(app)}>
              Save all
            </button>
          )}
          {now && <button type="button" onClick={() => add(emptyGame())}>New game</button>}
          {openKey.value === 0 && app.game.value.moves.length > 0 && (
            <button type="button" onClick={() => add(app.game.peek())}>Add the game on the board</button>
          )}
        </div>
        {progress.value && (
          <p class="g-progress">
            <progress max={1} value={progress.value.share} aria-label="Reading the file" /> {progress.value.found} games
          </p>
        )}
        {now ? (
          <section class="box g-file" aria-label={now.name}>
            <header>
              <strong class="g-name">{now.name}{isChanged.value && " (changed)"}</strong>
              <span class="muted" role="status">{shown.length === now.entries.length
                ? counted(now.entries.length, "game")
                : `${shown.length} of ${now.entries.length} games`}</span>
              <input type="search" value={filter.value} placeholder="Player, event, year, opening"
                aria-label="Filter the games" onInput={(event) => (filter.value = event.currentTarget.value)} />
            </header>
            {shown.length > 0
              ? <List key={filter.value} app={app} now={now} shown={shown} />
              : <p class="muted g-none">No game has these words.</p>}
          </section>
        ) : (
          <section class="box g-drop"><p>Open a PGN file, drop one here, or paste games with Ctrl+V.</p></section>
        )}
        <details class="box fold">
          <summary>Paste games</summary>
          <form onSubmit={(event) => {
            event.preventDefault();
            if (pasted.trim()) paste(pasted);
          }}>
            <textarea rows={5} value={pasted} aria-label="Games in PGN" spellcheck={false}
              onInput={(event) => setPasted(event.currentTarget.value)} />
            <div class="buttons"><button type="submit">Open</button></div>
          </form>
        </details>
      </div>
      <div class="g-side">
        <Headers app={app} />
        <section class="box g-saved">
          <h2>Recent games</h2>
          {saved.length === 0
            && <p class="muted">Games that you play or analyse are kept here, in this browser only.</p>}
          <ul>{saved.map((game) => (
            <li key={game.id}>
              <button type="button" class="quiet g-open" onClick={() => {
                if (!openSaved(app, game.id)) app.notify("This game cannot be read.", "error");
              }}>
                <span>{game.title}</span> <span class="muted">{detailOf(game)}</span>
              </button>
              <button type="button" class="quiet" aria-label={`Delete ${game.title}`}
                onClick={() => removeSaved(app, game.id)}>×</button>
            </li>
          ))}</ul>
        </section>
      </div>
    </div>
  );
}
