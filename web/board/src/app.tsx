// The page: views by tabs, notices, help.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import { AnalyseView } from "./analyse.tsx";
import { spokenText } from "./announce.ts";
import { activeKeys, useKeys } from "./keys.ts";
import { PageNotices } from "./notices.tsx";
import { PlayView } from "./play.tsx";
import { PuzzlesView, ReviewView } from "./review.tsx";
import { isSave, saveGame } from "./save.ts";
import { message, type App, type View, type ViewName } from "./store.ts";

const TABS: [ViewName, string, string][] = [
  ["play", "Play", "M8 5v14l11-7z"],
  ["analyse", "Analyse",
    "M10 3a7 7 0 1 0 4.2 12.6l5.1 5.1 1.4-1.4-5.1-5.1A7 7 0 0 0 10 3zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10z"],
  ["setup", "Set up", "M4 4h7v7H4zM13 13h7v7h-7zM13 4h7v7h-7zm2 2v3h3V6zM4 13h7v7H4zm2 2v3h3v-3z"],
  ["games", "Games", "M4 5h16v2H4zM4 11h16v2H4zM4 17h10v2H4z"],
  ["puzzles", "Puzzles", "M9 4a2.5 2.5 0 0 1 5 0v2h5v5h-2a2.5 2.5 0 0 0 0 5h2v5H4v-5h2a2.5 2.5 0 0 0 0-5H4V6h5z"],
  ["arena", "Arena",
    "M7 3h10v3h4v3a4 4 0 0 1-4.3 4A5 5 0 0 1 13 15.9V19h4v2H7v-2h4v-3.1A5 5 0 0 1 7.3 13 4 4 0 0 1 3 9V6h4zm0 5H5v1a2 2 0 0 0 2 2zm10 3a2 2 0 0 0 2-2V8h-2z"],
];

const TOWER = "M8 6h4v3h2V6h4v3h2V6h4v8l-3 3v5l3 4H8l3-4v-5l-3-3z";
const QUESTION = "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm-1 11h2v2h-2zm1-9"
  + "a3.6 3.6 0 0 0-3.6 3.4h2A1.6 1.6 0 1 1 12 11c-.8 0-1 .6-1 1.2V14h2v-1.3A3.6 3.6 0 0 0 12 6z";

/** Views of files that are loaded when they are first shown. */
const files = import.meta.glob<Record<string, View>>(["./setup.tsx", "./games.tsx", "./arena.tsx"]);
const LATER: Partial<Record<ViewName, [string, string]>> = {
  setup: ["./setup.tsx", "SetupView"], games: ["./games.tsx", "GamesView"], arena: ["./arena.tsx", "ArenaView"],
};
const loaded = signal<Partial<Record<ViewName, View>>>({});
const isHelpShown = signal(false);
const OWN: Partial<Record<ViewName, View>> = {
  play: PlayView, analyse: AnalyseView, puzzles: PuzzlesView, review: ReviewView,
};
const tabs = TABS.filter(([name]) => OWN[name] || files[LATER[name]?.[0] ?? ""]);

function Later({ app, name }: { app: App; name: ViewName }): JSX.Element {
  const Found = loaded.value[name];
  useEffect(() => {
    const [file, exported] = LATER[name] ?? ["", ""];
    if (loaded.peek()[name] || !files[file]) return;
    files[file]().then((module) => {
      loaded.value = { ...loaded.peek(), [name]: module[exported] };
    }, (error: unknown) => app.notify(`This part cannot be loaded: ${message(error)}`, "error"));
  }, [name]);
  return Found ? <Found app={app} /> : <p class="boot">Loading …</p>;
}

export function Page({ app }: { app: App }) {
  const view = app.view.value;
  const { squares, coordinates } = app.settings.value;
  const isHelp = isHelpShown.value;
  useKeys({ "?": { help: "This help", run: () => (isHelpShown.value = !isHelpShown.value) } });
  useEffect(() => {
    document.documentElement.dataset.squares = squares;
    document.documentElement.dataset.coordinates = String(coordinates);
  }, [squares, coordinates]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isSave(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (app.game.peek().moves.length > 0) saveGame(app);
      else app.notify("There is no game to save yet.", "info");
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [app]);
  const Own = OWN[view];
  const title = TABS.find(([name]) => name === view)?.[1];
  useEffect(() => {
    document.title = `${title ?? "Review"} – Bartizan board`;
  }, [title]);
  const active = view === "review" ? "analyse" : view;
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}>Skip to the board</a>
      <header class="top">
        <span class="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true"><path d={TOWER} /></svg>Bartizan
        </span>
        <nav aria-label="Views">
          {tabs.map(([name, title, path]) => (
            <a href={`#${name}`} aria-current={active === name ? "page" : undefined} onClick={(event) => {
              event.preventDefault();
              app.view.value = name;
            }}>
              <svg viewBox="0 0 24 24" aria-hidden="true"><path d={path} /></svg>
              <span>{title}</span>
            </a>
          ))}
        </nav>
        <button type="button" class="icon help-button" aria-label="Keys and settings" title="Keys and settings (?)"
          onClick={() => (isHelpShown.value = true)}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d={QUESTION} /></svg>
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {title && <h1 class="vh">{title}</h1>}
        {Own ? <Own app={app} /> : <Later key={view} app={app} name={view} />}
      </main>
      <div class="vh" role="status" aria-live="polite">{spokenText.value}</div>
      <PageNotices />
      {isHelp && <Help app={app} />}
    </div>
  );
}

const KEY_NAMES: Record<string, string> = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space",
};

function Help({ app }: { app: App }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const settings = app.settings.value;
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (isHelpShown.value = false)}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}>
      <div class="help-body">
        <h2 id="help-title">Keys and settings</h2>
        <dl class="keys">
          {activeKeys().map(([key, help]) => <div><dt><kbd>{KEY_NAMES[key] ?? key}</kbd></dt><dd>{help}</dd></div>)}
          <div><dt><kbd>Ctrl S</kbd></dt><dd>Save the game as a file</dd></div>
        </dl>
        <p class="muted">On the board: Tab to it, arrow keys, Enter to take and to drop a piece, Escape to put it back.
          The right mouse button draws arrows and marks; with Shift in red, with Alt in blue.</p>
        <fieldset class="choice">
          <legend>Squares</legend>
          {(["blue", "brown", "green", "grey"] as const).map((value) => (
            <label><input type="radio" name="squares" checked={settings.squares === value}
              onChange={() => app.set({ squares: value })} /><span>{value}</span></label>
          ))}
        </fieldset>
        <label class="check"><input type="checkbox" checked={settings.coordinates}
          onChange={() => app.set({ coordinates: !settings.coordinates })} />Coordinates</label>
        <p class="muted">Everything runs in this page: nothing is sent anywhere.</p>
        <p><button type="button" class="primary" onClick={() => dialog.current?.close()}>Close</button></p>
      </div>
    </dialog>
  );
}
