// The arena: matches between engines, and test suites. Both go on while another view is shown.

import { batch, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import "./arena.css";
import { counted } from "./format.ts";
import { parseEpd, type EpdPosition, type EpdProblem } from "./epd.ts";
import {
  estimate, eloText, gameOf, gamePlan, initialOpening, knownOpenings, MOST_GAMES, openingsOf, playerNames, playGame,
  readMatch, scoreOf, type GameRecord, type Live, type MatchSpec, type MatchState, type Opening, type PlayerSpec,
} from "./match.ts";
import { Stage } from "./stage.tsx";
import { download } from "./save.ts";
import { message, pageEngine, type App, type EngineLike, type View } from "./store.ts";
import {
  compare, keyOf, loadRuns, merged, readRuns, runsOf, saveRuns, solve, summary, writeRuns, type Answer, type Change,
  type Limit, type Run,
} from "./suite.ts";
import { SUITES } from "./suites.ts";

const MATCH_KEY = "bartizan-board-match";
const MOST_BYTES = 8_000_000;
const storage = () => localStorage;

// What outlives the view.
const part = signal<"match" | "suite">("match");
const form = signal({
  players: [
    { kind: "full", level: 2000, movetime: 100 }, { kind: "level", level: 2000, movetime: 100 },
  ] as [PlayerSpec, PlayerSpec],
  games: 10, length: 150, plies: 16, source: "known" as "initial" | "known" | "pgn",
});
const pgn = signal<{ name: string; bytes: Uint8Array } | null>(null);
const match = signal<MatchState | null>(null);
const live = signal<(Live & { number: number }) | null>(null);
const problem = signal("");
const matchStop = signal<AbortController | null>(null);
const suite = signal<{ name: string; positions: EpdPosition[]; problems: EpdProblem[] } | null>(null);
const answers = signal<Answer[]>([]);
const limit = signal<Limit>({ kind: "movetime", value: 1000 });
const suiteStop = signal<AbortController | null>(null);
const runs = signal<Run[]>([]);
/** The run to compare with: its id, or "" for none. */
const beforeId = signal("");
const pasted = signal("");
let isRestored = false;

function restore(): void {
  if (isRestored) return;
  isRestored = true;
  runs.value = loadRuns(storage);
  try {
    match.value = readMatch(localStorage.getItem(MATCH_KEY) ?? "");
  } catch {
    // Without storage nothing is restored.
  }
  addEventListener("beforeunload", (event) => {
    if (matchStop.peek() || suiteStop.peek()) event.preventDefault();
  });
}

async function nativeEngine(app: App): Promise<EngineLike> {
  const engine = await app.newEngine();
  if (app.settings.peek().native) return engine;
  // The page's own came in its place.
  await engine.close();
  throw new Error("the native engine does not answer");
}

async function playMatch(app: App, state: MatchState): Promise<void> {
  const stop = new AbortController();
  const engines: EngineLike[] = [];
  let isKept = true;
  batch(() => {
    match.value = state;
    matchStop.value = stop;
    problem.value = "";
  });
  try {
    for (const { kind } of state.spec.players) {
      engines.push(kind === "native" ? await nativeEngine(app) : await pageEngine(32));
    }
    for (let { games } = state; games.length < state.spec.games && !stop.signal.aborted;) {
      const number = games.length;
      const game = await playGame(state.spec, number, [engines[0], engines[1]], stop.signal, (shown) => {
        live.value = { ...shown, number };
      });
      if (!game) break;
      games = [...games, game];
      match.value = { spec: state.spec, games };
      const { wins, draws, losses } = scoreOf(games);
      const score = `${wins + draws / 2} to ${losses + draws / 2}`;
      app.announce(`Game ${number + 1}: ${game.result}, ${game.end}. Score ${score}.`);
      try {
        localStorage.setItem(MATCH_KEY, JSON.stringify(match.peek()));
      } catch {
        if (isKept) {
          app.notify("The browser does not keep this match: download its games before you close the page.", "error");
        }
        isKept = false;
      }
    }
  } catch (error) {
    problem.value = message(error);
    app.notify(`The match has stopped: ${message(error)}`, "error");
  } finally {
    matchStop.value = null;
    await Promise.all(engines.map((engine) => engine.close()));
  }
}

function keepRuns(app: App, list: Run[]): void {
  runs.value = list;
  const why = saveRuns(storage, list);
  if (why) app.notify(`Not kept: ${why}. Export the runs, or delete some.`, "error");
}

async function runSuite(app: App): Promise<void> {
  const chosen = suite.peek();
  if (!chosen) return;
  const stop = new AbortController();
  const within = limit.peek();
  batch(() => {
    answers.value = [];
    suiteStop.value = stop;
    beforeId.value = runsOf(runs.peek(), chosen.positions)[0]?.id ?? "";
  });
  let engine: EngineLike | undefined;
  try {
    engine = await app.newEngine();
    // The first search of an engine is slow: the browser still compiles it.
    await engine.bestMove({ depth: 6, signal: stop.signal }).catch(() => {});
    for (const position of chosen.positions) {
      if (stop.signal.aborted) break;
      const answer = await solve(engine, position, within, stop.signal);
      if (!answer) break;
      answers.value = [...answers.peek(), answer];
    }
  } catch (error) {
    app.notify(`The run has stopped: ${message(error)}`, "error");
  } finally {
    suiteStop.value = null;
    await engine?.close();
  }
  const done = answers.peek();
  app.announce(`Solved ${summary(done).solved} of ${done.length}.`);
  if (done.length === 0) return;
  keepRuns(app, merged(runs.peek(), [{
    id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, suite: chosen.name.slice(0, 300),
    engine: app.settings.peek().native ? "Native engine" : "Bartizan", limit: within, date: Date.now(), answers: done,
  }]));
}

function openSuite(app: App, name: string, text: string): void {
  const { positions, problems } = parseEpd(text);
  if (positions.length === 0) {
    const [first] = problems;
    return app.notify(first ? `No position can be read. Line ${first.line}, column ${first.column}: ${first.message}.`
      : "There is no position in this text.", "error");
  }
  batch(() => {
    suite.value = { name, positions, problems };
    answers.value = [];
    beforeId.value = "";
  });
  const unread = problems.length > 0 ? `, ${problems.length} lines cannot be read` : "";
  app.announce(`${name}: ${positions.length} positions${unread}.`);
}

async function readFile<T>(app: App, file: File | undefined, use: (file: File) => Promise<T>): Promise<void> {
  if (!file) return;
  try {
    if (file.size > MOST_BYTES) throw new Error(`${file.name} is larger than ${MOST_BYTES / 1e6} MB`);
    await use(file);
  } catch (error) {
    app.notify(`The file cannot be used: ${message(error)}`, "error");
  }
}

function FileField({ app, label, accept, use }: {
  app: App; label: string; accept: string; use: (file: File) => Promise<void>;
}) {
  return (
    <label class="file">{label} <input type="file" accept={accept} onChange={async (event) => {
      const field = event.currentTarget;
      await readFile(app, field.files?.[0], use);
      field.value = "";
    }} /></label>
  );
}

function NumberField({ label, value, least, most, set }: {
  label: string; value: number; least: number; most: number; set: (value: number) => void;
}) {
  return (
    <label>{label}
      <input type="number" required min={least} max={most} step={1} value={value} onChange={({ currentTarget }) => {
        if (currentTarget.checkValidity()) set(currentTarget.valueAsNumber);
        else currentTarget.reportValidity();
      }} />
    </label>
  );
}

export const ArenaView: View = ({ app }) => {
  restore();
  return (
    <div class="arena">
      <fieldset class="choice arena-parts" aria-label="Part of the arena">
        {([["match", "Match"], ["suite", "Test suite"]] as const).map(([value, name]) => (
          <label><input type="radio" name="arena-part" checked={part.value === value}
            onChange={() => (part.value = value)} /><span>{name}</span></label>
        ))}
      </fieldset>
      {part.value === "match" ? <Match app={app} /> : <Suite app={app} />}
    </div>
  );
};

function Match({ app }: { app: App }) {
  const state = match.value;
  const shown = live.value;
  const isRunning = matchStop.value !== null;
  const number = shown?.number ?? 0;
  const names = playerNames(state?.spec.players ?? form.value.players);
  const isFirstWhite = number % 2 === 0;
  const turn = shown?.fen.split(" ")[1];
  const start = initialOpening();
  const { orientation } = app.settings.value;
  const player = (side: "w" | "b") => ({
    side, name: names[(side === "w") === isFirstWhite ? 0 : 1], isRunning: isRunning && turn === side,
  });
  return (
    <Stage top={player(orientation === "w" ? "b" : "w")} bottom={player(orientation)}
      board={{
        fen: shown?.fen ?? start.fen, chess960: shown?.chess960 ?? false, orientation, lastMove: shown?.lastMove,
        label: shown ? `Game ${number + 1}, ${shown.plies} plies.` : "The first position.",
      }}>
      {state && <Result app={app} state={state} isRunning={isRunning} names={names} />}
      {!isRunning && <MatchForm app={app} />}
    </Stage>
  );
}

function Result({ app, state, isRunning, names }: {
  app: App; state: MatchState; isRunning: boolean; names: [string, string];
}) {
  const { spec, games } = state;
  const { wins, draws, losses } = scoreOf(games);
  const found = estimate({ wins, draws, losses });
  const open = (game: GameRecord) => {
    app.openGame(gameOf(game));
    app.view.value = "analyse";
  };
  return (
    <section class="box" aria-label="Result of the match">
      <h2>{names[0]} – {names[1]}</h2>
      <p class="arena-score">
        Won {wins}, drawn {draws}, lost {losses}{found && ` (${(found.share * 100).toFixed(1)}\u00a0%)`}
      </p>
      {found && <p>Elo {eloText(found.elo)}, 95 % between {eloText(found.low)} and {eloText(found.high)}</p>}
      <label>{games.length} of {spec.games} games <progress max={spec.games} value={games.length} /></label>
      {isRunning && <p class="muted">{gamePlan(spec, games.length).opening.name}</p>}
      {problem.value && <p class="problem">{problem.value}</p>}
      <div class="buttons">
        {isRunning
          ? <button type="button" class="danger" onClick={() => matchStop.value?.abort()}>Stop the match</button>
          : games.length < spec.games && <button type="button"
            onClick={() => void playMatch(app, state)}>Continue</button>}
        <button type="button" disabled={games.length === 0}
          onClick={() => download("match.pgn", games.map((game) => game.pgn).join(""), "application/x-chess-pgn")}>
          Download PGN
        </button>
      </div>
      {games.length > 0 && (
        <Table caption="Games of the match" heads={["Game", "White", "Result", "End", "Opening"]}>
          {games.map((game, at) => (
            <tr key={at} onClick={() => open(game)}>
              <th scope="row"><button type="button" class="mv" aria-label={`Open game ${at + 1}`}>{at + 1}</button></th>
              <td>{names[game.isFirstWhite ? 0 : 1]}</td><td>{game.result}</td><td>{game.end}</td>
              <td>{game.opening}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function Table({ caption, heads, children }: { caption: string; heads: string[]; children: ComponentChildren }) {
  return (
    <div class="arena-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="arena-table">
        <caption class="vh">{caption}</caption>
        <thead>
          <tr>{heads.map((head) => (
            <th scope="col" class={/^(Time|Depth)$/.test(head) ? "number" : ""}>{head}</th>
          ))}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function MatchForm({ app }: { app: App }) {
  const value = form.value;
  const change = (changes: Partial<typeof value>) => (form.value = { ...form.peek(), ...changes });
  const setPlayer = (at: number, changes: Partial<PlayerSpec>) =>
    change({ players: value.players.with(at, { ...value.players[at], ...changes }) as [PlayerSpec, PlayerSpec] });
  const start = (event: Event) => {
    event.preventDefault();
    let openings: Opening[] = value.source === "known" ? knownOpenings() : [initialOpening()];
    if (value.source === "pgn") {
      openings = pgn.value ? openingsOf(pgn.value.bytes, value.plies) : [];
      if (openings.length === 0) {
        const why = pgn.value ? "The file has no opening that can be played." : "Choose a PGN file first.";
        return app.notify(why, "error");
      }
    }
    const { players, games, length } = value;
    const spec: MatchSpec = { players, games, length, openings, date: Date.now() };
    void playMatch(app, { spec, games: [] });
  };
  return (
    <form class="box arena-form" onSubmit={start}>
      <h2>New match</h2>
      {value.players.map((player, at) => (
        <fieldset>
          <legend>{at === 0 ? "First player" : "Second player"}</legend>
          <div class="arena-fields">
            <label>Strength
              <select value={player.kind}
                onChange={(event) => setPlayer(at, { kind: event.currentTarget.value as PlayerSpec["kind"] })}>
                <option value="full">Full</option><option value="level">Level</option>
                {(app.settings.value.native || player.kind === "native")
                  && <option value="native">Native engine</option>}
              </select>
            </label>
            {player.kind === "level" && (
              <NumberField label="Level" value={player.level} least={600} most={3000}
                set={(level) => setPlayer(at, { level })} />
            )}
            <NumberField label="ms a move" value={player.movetime} least={5} most={60_000}
              set={(movetime) => setPlayer(at, { movetime })} />
          </div>
        </fieldset>
      ))}
      <div class="arena-fields">
        <NumberField label="Games" value={value.games} least={1} most={MOST_GAMES} set={(games) => change({ games })} />
        <NumberField label="Draw after moves (0: never)" value={value.length} least={0} most={1000}
          set={(length) => change({ length })} />
        <label>Openings
          <select value={value.source}
            onChange={(event) => change({ source: event.currentTarget.value as typeof value.source })}>
            <option value="known">Well-known openings</option><option value="initial">Initial position</option>
            <option value="pgn">PGN file</option>
          </select>
        </label>
        {value.source === "pgn" && (
          <NumberField label="Plies of each game" value={value.plies} least={0} most={60}
            set={(plies) => change({ plies })} />
        )}
      </div>
      {value.source === "pgn" && (
        <>
          <FileField app={app} label="PGN file" accept=".pgn" use={async (file) => {
            pgn.value = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
          }} />
          {pgn.value && <p class="muted">{pgn.value.name}</p>}
        </>
      )}
      <button type="submit" class="primary">Start the match</button>
    </form>
  );
}

const CHANGES: Record<Change, string> = { gained: "gained", lost: "lost", same: "as before", new: "new" };
/** A run as it is called in a list. */
function runText({ date, answers: all, limit: { value, kind } }: Run): string {
  const { solved } = summary(all);
  const unit = kind === "nodes" ? "nodes" : "ms";
  return `${new Date(date).toLocaleString()}: ${solved} of ${all.length}, ${value} ${unit}`;
}

const seconds = (time: number) => `${(time / 1000).toFixed(2)} s`;

function Suite({ app }: { app: App }) {
  const chosen = suite.value;
  const isRunning = suiteStop.value !== null;
  const useFile = async (file: File) => openSuite(app, file.name, await file.text());
  const known = chosen ? runsOf(runs.value, chosen.positions) : [];
  const before = known.find(({ id }) => id === beforeId.value);
  const compared = before ? compare(answers.value, before) : null;
  const byKey = new Map(answers.value.map((answer) => [answer.key, answer]));
  const { solved, time } = summary(answers.value);
  const open = (position: EpdPosition) => {
    app.openPosition(position.fen, position.chess960);
    app.view.value = "analyse";
  };
  return (
    <div class="arena-suite">
      {!isRunning && (
        <section class="box arena-form" aria-label="Open a suite">
          <h2>Open a suite</h2>
          <div class="buttons">
            {SUITES.map(({ name, epd }) => <button type="button"
              onClick={() => openSuite(app, name, epd)}>{name}</button>)}
          </div>
          <div class="arena-drop" onDragOver={(event) => event.preventDefault()} onDrop={(event) => {
            event.preventDefault();
            void readFile(app, event.dataTransfer?.files[0], useFile);
          }}>
            <FileField app={app} label="EPD file, chosen or dropped here" accept=".epd,.txt" use={useFile} />
            <textarea rows={2} aria-label="Positions in EPD" placeholder="Or paste positions in EPD"
              value={pasted.value} spellcheck={false} onInput={(event) => (pasted.value = event.currentTarget.value)} />
            <div class="buttons"><button type="button" disabled={!pasted.value.trim()}
              onClick={() => openSuite(app, "Pasted positions", pasted.value)}>Use the pasted positions</button></div>
          </div>
        </section>
      )}
      {chosen && (
        <section class="box arena-form" aria-label="Run">
          <h2>{chosen.name}: {chosen.positions.length} positions</h2>
          {chosen.problems.length > 0 && (
            <ul class="arena-problems" aria-label="Lines that cannot be read">
              {chosen.problems.slice(0, 100).map(({ line, column, message: text }) => (
                <li>Line {line}, column {column}: {text}</li>
              ))}
            </ul>
          )}
          <div class="arena-fields">
            <label>Limit
              <select disabled={isRunning} value={limit.value.kind} onChange={(event) => {
                limit.value = event.currentTarget.value === "nodes" ? { kind: "nodes", value: 200_000 }
                  : { kind: "movetime", value: 1000 };
              }}><option value="movetime">Milliseconds</option><option value="nodes">Nodes</option></select>
            </label>
            <NumberField label="A position" value={limit.value.value} least={1} most={1e9}
              set={(value) => (limit.value = { ...limit.value, value })} />
            {isRunning
              ? <button type="button" class="danger" onClick={() => suiteStop.value?.abort()}>Stop</button>
              : <button type="button" class="primary" onClick={() => void runSuite(app)}>Run</button>}
            {known.length > 0 && (
              <label>Compare with
                <select value={beforeId.value} onChange={(event) => (beforeId.value = event.currentTarget.value)}>
                  <option value="">No run</option>
                  {known.map((run) => (
                    <option value={run.id}>{runText(run)}</option>
                  ))}
                </select>
              </label>
            )}
          </div>
          <label>
            {answers.value.length} of {chosen.positions.length} positions{" "}
            <progress max={chosen.positions.length} value={answers.value.length} />
          </label>
          {answers.value.length > 0 && (
            <p class="arena-score">
              Solved {solved} of {answers.value.length} in {seconds(time)}
              {compared && `; gained ${compared.gained}, lost ${compared.lost}`}
            </p>
          )}
          <Table caption="Positions of the suite"
            heads={["Position", "Best", "Found", "Solved", "Time", "Depth", ...(compared ? ["Compared"] : [])]}>
            {chosen.positions.map((position) => {
              const answer = byKey.get(keyOf(position.fen));
              const change = answer && compared?.changes.get(answer.key);
              const avoid = position.avoid.map(({ san }) => `not ${san}`);
              const best = [...position.best.map(({ san }) => san), ...avoid].join(", ");
              return (
                <tr key={position.line} onClick={() => open(position)}>
                  <th scope="row">
                    <button type="button" class="mv" aria-label={`Open ${position.id}`}>{position.id}</button>
                  </th>
                  <td>{best}</td><td>{answer?.found}</td>
                  <td class={answer?.isSolved ? "arena-yes" : "arena-no"}>
                    {answer && (answer.isSolved ? "yes" : "no")}
                  </td>
                  <td class="number">{answer && answer.time !== null && seconds(answer.time)}</td>
                  <td class="number">{answer?.depth}</td>
                  {compared && (
                    <td class={change === "gained" ? "arena-yes" : change === "lost" ? "arena-no" : ""}>
                      {change && CHANGES[change]}
                    </td>
                  )}
                </tr>
              );
            })}
          </Table>
        </section>
      )}
      <section class="box" aria-label="Runs that are kept">
        <p>{counted(runs.value.length, "run is", "runs are")} kept in this browser.</p>
        <div class="buttons">
          <button type="button" disabled={runs.value.length === 0}
            onClick={() => download("runs.json", writeRuns(runs.value), "application/json")}>Export runs</button>
          <button type="button" disabled={!before}
            onClick={() => keepRuns(app, runs.value.filter(({ id }) => id !== beforeId.value))}>
            Delete the compared run
          </button>
        </div>
        <FileField app={app} label="Import runs" accept=".json"
          use={async (file) => keepRuns(app, merged(runs.value, readRuns(await file.text())))} />
      </section>
    </div>
  );
}
