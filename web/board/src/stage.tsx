// The board with what belongs to it: players, clocks, the bar of the evaluation; and a column beside it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { BartizanError, Position } from "bartizan";
import { Board, type BoardProps } from "./board.tsx";
import { BoardNotices } from "./notices.tsx";
import type { Side } from "./store.ts";
import { typedMove } from "./typed.ts";

export interface PlayerProps {
  side: Side;
  name: string;
  detail?: string;
  clock?: string;
  isRunning?: boolean;
  isLow?: boolean;
  /** The pieces that this side has taken. */
  taken?: string;
}

export function Player({ side, name, detail, clock, isRunning, isLow, taken }: PlayerProps) {
  return (
    <div class={`who ${isRunning ? "is-running" : ""}`}>
      <span class={`disc ${side}`} aria-hidden="true" />
      <span class="name">{name}</span>
      {detail && <span class="detail">{detail}</span>}
      {taken && <span class="taken" aria-hidden="true">{taken}</span>}
      {clock && (
        <span class={`clock ${isLow ? "is-low" : ""}`} role="timer"
          aria-label={`Clock of ${side === "w" ? "White" : "Black"}`}>
          {clock}
        </span>
      )}
    </div>
  );
}

const SIGNS: Record<string, string> = { q: "♛", r: "♜", b: "♝", n: "♞", p: "♟\ufe0e" };
const WORTH: Record<string, number> = { q: 9, r: 5, b: 3, n: 3, p: 1 };

/** What a side has more than the other: signs of pieces, and the difference in pawns. */
export function advantage(fen: string, side: Side): string {
  const placement = fen.split(" ", 1)[0];
  const count = (letter: string) => placement.split(letter).length - 1;
  let signs = "";
  let sum = 0;
  for (const kind of "qrbnp") {
    const more = (count(kind.toUpperCase()) - count(kind)) * (side === "w" ? 1 : -1);
    sum += more * WORTH[kind];
    if (more > 0) signs += SIGNS[kind].repeat(more);
  }
  return signs + (sum > 0 ? ` +${sum}` : "");
}

/** White's share of the bar, 0 to 1; null while it is not known. */
export function EvalBar({ share, text, short, orientation }: {
  share: number | null; text: string; short: string; orientation: Side;
}) {
  return (
    <div class={`evalbar ${orientation === "b" ? "is-flipped" : ""}`} role="img"
      aria-label={text ? `Evaluation ${text}` : "No evaluation yet"} title={text}>
      <div class="fill" style={{ transform: `scaleY(${share ?? 0.5})` }} />
      <span class={`value ${(share ?? 0.5) >= 0.5 ? "w" : "b"}`} aria-hidden="true">{short}</span>
    </div>
  );
}

export function Stage({ top, bottom, bar, board, children }: {
  top?: PlayerProps; bottom?: PlayerProps; bar?: ComponentChildren; board: BoardProps; children: ComponentChildren;
}) {
  return (
    <div class={`stage ${bar ? "has-bar" : ""}`}>
      <section class="bd-col" aria-label="Board">
        <BoardNotices />
        {top && <Player {...top} />}
        <div class="bd-row">{bar}<Board {...board} /></div>
        {bottom && <Player {...bottom} />}
      </section>
      <div class="col">{children}</div>
    </div>
  );
}

/** Why a move is not legal, in words. */
export function whyNot(fen: string, chess960: boolean, from: string, to: string): string {
  try {
    new Position(fen, { chess960, tolerant: true }).move({ from, to, promotion: "q" });
    return "";
  } catch (error) {
    if (!(error instanceof BartizanError)) throw error;
    return sentence(error.message);
  }
}

/** A message as a sentence. */
export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

/**
 * A field in which a move is typed. `closed` says why no move can be made now; the field keeps the focus and its text
 * even then.
 */
export function MoveField({ fen, chess960, onMove, closed }: {
  fen: string; chess960: boolean; onMove: (uci: string) => void; closed?: string;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => setProblem(""), [fen, closed]);
  const submit = (event: Event) => {
    event.preventDefault();
    field.current?.focus();
    if (!text.trim()) return;
    if (closed) return setProblem(closed);
    try {
      const uci = typedMove(fen, chess960, text.trim());
      setText("");
      setProblem("");
      onMove(uci);
    } catch (error) {
      setProblem(sentence(error instanceof Error ? error.message : String(error)));
    }
  };
  return (
    <form class="typed" onSubmit={submit}>
      <input type="text" ref={field} value={text} placeholder="Type a move: Nf3 or g1f3"
        aria-label="Type a move" autocomplete="off" autocapitalize="off" spellcheck={false} enterkeyhint="go"
        onInput={(event) => {
          setText(event.currentTarget.value);
          setProblem("");
        }} />
      <button type="submit" disabled={!text.trim()}>Play</button>
      <p class="problem" role="alert">{problem}</p>
    </form>
  );
}
