// A chess clock. It is a value: each operation takes the time and returns another clock.

import type { Side } from "./store.ts";

/** Times are milliseconds. */
export interface Clock {
  readonly left: Readonly<Record<Side, number>>;
  readonly increment: number;
  /** The side whose time runs. */
  readonly running: Side | null;
  /** When it began to run. */
  readonly since: number;
}

/** Reads "5+3": minutes, and seconds a move. Null if the text is not a time control. */
export function parseControl(text: string): { minutes: number; increment: number } | null {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(?:\+\s*(\d+))?\s*$/.exec(text);
  if (!found) return null;
  const [minutes, increment] = [Number(found[1]), Number(found[2] ?? 0)];
  if (minutes > 300 || increment > 600 || (minutes === 0 && increment === 0)) return null;
  return { minutes, increment };
}

export function createClock(minutes: number, increment: number): Clock {
  // With an increment alone, the first move needs time as well.
  const start = Math.max(minutes * 60_000, increment * 1000);
  return { left: { w: start, b: start }, increment: increment * 1000, running: null, since: 0 };
}

/** The time that a side has left. */
export function timeLeft(clock: Clock, side: Side, now: number): number {
  return Math.max(0, clock.left[side] - (clock.running === side ? now - clock.since : 0));
}

/** Stops the clock. */
export function stopped(clock: Clock, now: number): Clock {
  if (!clock.running) return clock;
  const { running, left } = clock;
  return { ...clock, left: { ...left, [running]: timeLeft(clock, running, now) }, running: null };
}

/** Lets the time of a side run. */
export function started(clock: Clock, side: Side, now: number): Clock {
  return { ...stopped(clock, now), running: side, since: now };
}

/** A side has moved: it gets its increment, and the other's time runs. */
export function pressed(clock: Clock, side: Side, now: number): Clock {
  const { left, ...rest } = stopped(clock, now);
  return {
    ...rest, left: { ...left, [side]: left[side] + clock.increment }, running: side === "w" ? "b" : "w", since: now,
  };
}

/** The side whose time is over. */
export function flagged(clock: Clock, now: number): Side | null {
  return clock.running && timeLeft(clock, clock.running, now) <= 0 ? clock.running : null;
}

/** The time for a move of the engine: a part of what is left. */
export function budget(clock: Clock | null, side: Side, now: number, level: number): number {
  // A weak player's mistakes do not come from a lack of time.
  const usual = level < 2000 ? 300 : level < 2800 ? 800 : 1500;
  if (!clock) return usual;
  const left = timeLeft(clock, side, now);
  return Math.round(Math.max(20, Math.min(usual, left / 30 + clock.increment * 0.6, left / 4)));
}

/** How long a person of this level seems to think, of which `random` (0 to 1) is a draw by lot. */
export function delay(clock: Clock | null, side: Side, now: number, level: number, random: number): number {
  const usual = level >= 2600 ? 250 : 350 + 900 * random;
  return clock ? Math.min(usual, timeLeft(clock, side, now) / 40) : usual;
}
