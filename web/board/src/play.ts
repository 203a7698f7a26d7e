// A game against the engine: whose turn it is, the clock, draws, and the end.

import { batch, computed, signal } from "@preact/signals";
import { Position, writePgn, type PgnGame } from "bartizan";
import { spoken } from "./announce.ts";
import { budget, createClock, delay, flagged, parseControl, pressed, started, stopped, type Clock } from "./clock.ts";
import { endAt, endOnTime, endText, replay, winFor, type End } from "./ends.ts";
import { specOf, turnOf } from "./format.ts";
import { keep, kept, readSaved } from "./storage.ts";
import { emptyGame, message, type App, type Info, type Side } from "./store.ts";
import { fenAt, type Path } from "./tree.ts";

export interface Session {
  human: Side;
  level: number;
  control: string;
  clock: Clock | null;
  isThinking: boolean;
  /** The engine's last score, from its own view. */
  score: Info["score"] | null;
  /** Plies when a draw was last offered: it may be offered again later. */
  offered: number;
  hint: string | null;
  end: End | null;
  /** Why the engine does not answer. */
  problem: string | null;
}

const LEVELS: [number, string][] = [
  [800, "first games"], [1000, "beginner"], [1200, "casual player"], [1500, "hobby player"], [1800, "club player"],
  [2000, "strong club player"], [2200, "expert"], [2400, "master"], [2700, "grandmaster"], [2999, "world class"],
  [3000, "the full engine"],
];

/** A rating in words. */
export const levelName = (level: number): string =>
  (LEVELS.find(([most]) => level <= most) ?? LEVELS[LEVELS.length - 1])[1];

const last = (game: PgnGame): Path => [game.moves.length];
const other = (side: Side): Side => (side === "w" ? "b" : "w");
const wait = (time: number) => new Promise((done) => setTimeout(done, time));

/** Whether the engine takes a draw at this score, from its own view. */
export function takesDraw(score: Info["score"], plies: number): boolean {
  if (score.type === "mate") return score.value < 0;
  // Early in the game it wants to play.
  return plies >= 20 ? score.value <= 15 : score.value <= -80;
}

export type Start = { fen?: string; chess960?: boolean };

/** A game that was not finished, as it is kept in the browser. */
export interface Unfinished {
  human: Side;
  level: number;
  control: string;
  /** The milliseconds that the sides had left. */
  left: Record<Side, number> | null;
  pgn: string;
  moves: number;
}

/** The unfinished game in a value from storage, or null. */
export function unfinishedOf(value: unknown): Unfinished | null {
  const { human, level, control, left, pgn, moves } = (value ?? {}) as Partial<Unfinished>;
  const isTime = (time: unknown) => typeof time === "number" && time >= 0;
  if ((human !== "w" && human !== "b") || typeof level !== "number" || !(level >= 600 && level <= 3000)) return null;
  if (typeof control !== "string" || typeof pgn !== "string" || typeof moves !== "number") return null;
  const clock = parseControl(control) && left && isTime(left.w) && isTime(left.b) ? { w: left.w, b: left.b } : null;
  return { human, level, control: clock ? control : "", left: clock, pgn, moves };
}

function createPlay(app: App) {
  const session = signal<Session | null>(null);
  const unfinished = signal(unfinishedOf(kept("playing")));
  const now = signal(performance.now());
  /** The game as this session left it; another game means that the player has opened one. */
  let mine: PgnGame | null = null;
  let thinking: AbortController | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;

  const change = (changes: Partial<Session>) => {
    if (session.peek()) session.value = { ...(session.peek() as Session), ...changes };
  };
  /** Whether the open game is that of the session. */
  const isOurs = computed(() => session.value !== null && app.game.value === mine);
  const isOn = computed(() => isOurs.value && session.value?.end === null);
  const lastFen = () => fenAt(app.game.peek(), last(app.game.peek()));

  /** Puts the game of the session on the board as it is now. It is not another game, even if its tags change. */
  function setGame(game: PgnGame): void {
    batch(() => {
      mine = game;
      app.game.value = game;
      app.path.value = last(game);
    });
  }

  /** Keeps the game that is played, so that it can be continued after the page was closed. */
  function save(): void {
    const current = session.peek();
    if (!isOurs.peek() || !current) return;
    const { human, level, control, clock, end } = current;
    const game = app.game.peek();
    if (end || game.moves.length === 0) return forget();
    try {
      const left = clock && { ...stopped(clock, performance.now()).left };
      unfinished.value = {
        human, level, control, left, pgn: writePgn(game), moves: Math.ceil(game.moves.length / 2),
      };
      keep(app, "playing", unfinished.peek());
    } catch {
      // It is played, but not kept.
    }
  }

  function forget(): void {
    unfinished.value = null;
    keep(app, "playing", null);
  }

  /** Goes on with the game that is kept. */
  function resume(): void {
    const old = unfinished.peek();
    if (!old) return;
    const shown = app.game.peek();
    const found = writePgn(shown) === old.pgn ? { game: shown } : readSaved({ pgn: old.pgn, path: [0] });
    const game = found?.game;
    if (!game || endAt(game, last(game))) {
      forget();
      return app.notify("The game cannot be continued.", "error");
    }
    stopThinking();
    stopTimer();
    const control = parseControl(old.control);
    const clock = control && old.left && started(
      { ...createClock(control.minutes, control.increment), left: old.left }, turnOf(fenAt(game, last(game))),
      performance.now(),
    );
    batch(() => {
      session.value = {
        human: old.human, level: old.level, control: old.control, clock, isThinking: false, score: null, offered: -100,
        hint: null, end: null, problem: null,
      };
      app.set({ orientation: old.human });
      if (game !== shown) app.openGame(game);
      setGame(game);
      app.view.value = "play";
    });
    if (clock) timer ??= setInterval(tick, 100);
    app.announce(`The game continues. You play ${old.human === "w" ? "White" : "Black"}.`);
    if (turnOf(lastFen()) !== old.human) void engineMove();
  }

  addEventListener("pagehide", () => {
    if (isOn.peek()) save();
  });

  function stopThinking(): void {
    thinking?.abort();
    thinking = null;
    change({ isThinking: false });
  }

  function tick(): void {
    now.value = performance.now();
    const current = session.peek();
    if (!isOn.peek() || !current?.clock) return stopTimer();
    const side = flagged(current.clock, now.peek());
    if (side) finish(endOnTime(lastFen(), side));
  }

  function stopTimer(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function start({ fen, chess960 }: Start = {}): void {
    stopThinking();
    stopTimer();
    const settings = app.settings.peek();
    const game = emptyGame(fen, chess960);
    const human = settings.side === "random" ? (Math.random() < 0.5 ? "w" : "b") : settings.side;
    const control = parseControl(settings.clock);
    const engineName = `Bartizan (${settings.level})`;
    const date = new Date();
    const two = (value: number) => String(value).padStart(2, "0");
    game.tags = {
      Event: "Game against the engine", Site: "?",
      Date: `${date.getFullYear()}.${two(date.getMonth() + 1)}.${two(date.getDate())}`, Round: "-",
      White: human === "w" ? "You" : engineName, Black: human === "b" ? "You" : engineName,
      ...(control ? { TimeControl: `${control.minutes * 60}+${control.increment}` } : {}),
    };
    batch(() => {
      session.value = {
        human, level: settings.level, control: control ? settings.clock : "",
        clock: control ? createClock(control.minutes, control.increment) : null,
        isThinking: false, score: null, offered: -100, hint: null, end: null, problem: null,
      };
      app.set({ orientation: human });
      app.openGame(game);
      setGame(game);
      app.view.value = "play";
    });
    app.announce(`New game. You play ${human === "w" ? "White" : "Black"}.`);
    const end = endAt(game, last(game));
    if (end) return finish(end);
    void app.engine().then((engine) => engine.newGame()).catch(() => {});
    if (turnOf(game.fen) !== human) void engineMove();
  }

  /** The first move starts the clock of the other side. */
  function press(side: Side): Clock | null {
    const clock = session.peek()?.clock ?? null;
    if (!clock) return null;
    timer ??= setInterval(tick, 100);
    now.value = performance.now();
    return clock.running ? pressed(clock, side, now.peek()) : started(clock, other(side), now.peek());
  }

  /** Plays a legal move; says whether the game continues. */
  function push(uci: string): boolean {
    const game = app.game.peek();
    const side = turnOf(lastFen());
    const move = new Position(lastFen(), { chess960: game.chess960, tolerant: true }).move(uci);
    const clock = press(side);
    const comment = clock ? `[%clk ${clockTag(clock.left[side])}]` : "";
    const node = {
      san: move.san, uci: move.uci, fen: move.after, nags: [], commentBefore: "", comment, variations: [],
    };
    batch(() => {
      change({ clock, hint: null, problem: null });
      setGame({ ...game, moves: [...game.moves, node] });
    });
    save();
    const isHuman = side === session.peek()?.human;
    app.announce(isHuman ? spoken(move.san) : `Bartizan plays ${spoken(move.san)}`);
    const end = endAt(app.game.peek(), last(app.game.peek()));
    if (end) finish(end);
    return end === null;
  }

  function humanMove(uci: string): void {
    const current = session.peek();
    if (!isOn.peek() || !current || turnOf(lastFen()) !== current.human) return;
    if (push(uci)) void engineMove();
  }

  async function engineMove(): Promise<void> {
    const current = session.peek();
    if (!current) return;
    stopThinking();
    const mineNow = new AbortController();
    thinking = mineNow;
    change({ isThinking: true, problem: null });
    const side = other(current.human);
    const since = performance.now();
    const { level, clock } = current;
    const pause = delay(clock, side, since, level, Math.random());
    for (let tries = 0; ; tries++) {
      try {
        const engine = await app.engine();
        const spec = specOf(app.game.peek(), last(app.game.peek()));
        const movetime = budget(session.peek()?.clock ?? null, side, performance.now(), level);
        const { move, info } = await engine.play({ ...spec, rating: level, movetime, signal: mineNow.signal });
        const rest = pause - (performance.now() - since);
        if (rest > 0) await wait(rest);
        if (mineNow.signal.aborted || !isOn.peek()) return;
        change({ isThinking: false, score: info?.score ?? session.peek()?.score ?? null });
        if (!move) return;
        const claim = replay(app.game.peek(), last(app.game.peek()))?.claimableDraw;
        if (claim && info && info.score.type === "cp" && info.score.value <= 0) {
          return finish({ result: "1/2-1/2", reason: claim });
        }
        push(move);
        return;
      } catch (error) {
        if (mineNow.signal.aborted || !isOn.peek()) return;
        // The engine replaces a worker that has died: one more try.
        if (tries > 0) return change({ isThinking: false, problem: message(error) });
        app.notify("The engine has stopped. It is started again.", "info");
      }
    }
  }

  function finish(end: End): void {
    stopThinking();
    stopTimer();
    const clock = session.peek()?.clock ?? null;
    batch(() => {
      change({ end, clock: clock && stopped(clock, performance.now()), hint: null });
      const termination = end.reason === "time" || end.reason === "timeWithoutMaterial" ? "time forfeit" : "normal";
      const game = app.game.peek();
      setGame({ ...game, result: end.result, tags: { ...game.tags, Termination: termination } });
    });
    forget();
    app.announce(endText(end));
  }

  function takeBack(): void {
    const current = session.peek();
    const game = app.game.peek();
    if (!current || app.game.peek() !== mine || game.moves.length === 0) return;
    stopThinking();
    let plies = game.moves.length - 1;
    // To a position in which the player is to move.
    while (plies > 0 && turnOf(fenAt(game, [plies])) !== current.human) plies--;
    const { Termination: _, ...tags } = game.tags;
    batch(() => {
      const clock = current.clock;
      const running = clock && started(clock, current.human, performance.now());
      change({ end: null, hint: null, problem: null, clock: running });
      setGame({ ...game, tags, moves: game.moves.slice(0, plies), result: "*" });
    });
    save();
    if (current.clock) timer ??= setInterval(tick, 100);
    app.announce("Move taken back");
    if (turnOf(lastFen()) !== current.human) void engineMove();
  }

  async function hint(): Promise<void> {
    const game = app.game.peek();
    if (!isOn.peek()) return;
    try {
      const engine = await app.engine();
      const { move } = await engine.bestMove({ ...specOf(game, last(game)), movetime: 500 });
      if (app.game.peek() !== game || !move) return;
      change({ hint: move });
      const { san } = new Position(lastFen(), { chess960: game.chess960, tolerant: true }).move(move);
      app.announce(`Hint: ${spoken(san)}`);
    } catch (error) {
      app.notify(`No hint: ${message(error)}`, "error");
    }
  }

  async function offerDraw(): Promise<void> {
    const current = session.peek();
    const game = app.game.peek();
    if (!current || !isOn.peek()) return;
    if (game.moves.length - current.offered < 6) return app.notify("You have just offered a draw.", "info");
    const claim = replay(game, last(game))?.claimableDraw;
    if (claim) return finish({ result: "1/2-1/2", reason: claim });
    change({ offered: game.moves.length });
    try {
      const engine = await app.engine();
      const { info } = await engine.bestMove({ ...specOf(game, last(game)), movetime: 400 });
      if (app.game.peek() !== game || !isOn.peek()) return;
      const score = info?.score;
      // The score is from the player's view: it is the player's turn.
      const own = score && { type: score.type, value: -score.value };
      if (own && takesDraw(own, game.moves.length)) return finish({ result: "1/2-1/2", reason: "agreement" });
      app.notify("Bartizan declines the draw.", "info");
      app.announce("Bartizan declines the draw.");
    } catch (error) {
      app.notify(`The offer was not judged: ${message(error)}`, "error");
    }
  }

  return {
    session, now, isOn, isOurs, unfinished, start, resume, forget, humanMove, takeBack, hint, offerDraw,
    retry: () => void engineMove(),
    resign: () => {
      const current = session.peek();
      if (current && isOn.peek()) finish({ result: winFor(other(current.human)), reason: "resignation" });
    },
    /** Leaves the game unfinished. */
    leave: () => {
      stopThinking();
      stopTimer();
      if (isOurs.peek()) forget();
      session.value = null;
    },
    /** Proposes a game from a position. */
    continueFrom: (fen: string, chess960: boolean) => {
      from.value = { fen, chess960 };
      session.value = null;
      app.view.value = "play";
    },
  };
}

/** The position that the next game begins with; null for the usual one. */
export const from = signal<{ fen: string; chess960: boolean } | null>(null);

export type Play = ReturnType<typeof createPlay>;

const plays = new WeakMap<App, Play>();

/** The game against the engine; there is one. */
export function playOf(app: App): Play {
  let play = plays.get(app);
  if (!play) plays.set(app, play = createPlay(app));
  return play;
}

/** A clock as PGN writes it, "1:02:03". */
function clockTag(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

