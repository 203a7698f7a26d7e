// The view in which a position is set up.

import { useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { BartizanError, Position, START_FEN } from "bartizan";
import "./setup.css";
import { message, type App } from "./store.ts";
import { fenAt } from "./tree.ts";

interface Draft {
  /** Letters as in a FEN from a8 to h1; a space for an empty square. */
  squares: string;
  turn: string;
  castling: string;
  enPassant: string;
  halfmoves: string;
  moves: string;
}

const NAMES: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const isWhite = (letter: string) => letter !== letter.toLowerCase();
const nameOf = (letter: string) => `${isWhite(letter) ? "white" : "black"} ${NAMES[letter.toLowerCase()]}`;
const squareName = (at: number) => "abcdefgh"[at % 8] + (8 - Math.floor(at / 8));

/** The draft of a FEN, as far as it can be read: placement of eight ranks is needed. */
export function draftOf(fen: string): Draft | null {
  const fields = fen.trim().split(/\s+/);
  const [placement, turn = "w", castling = "-", enPassant = "-", halfmoves = "0", moves = "1"] = fields;
  const squares = placement.replaceAll("/", "").replace(/[1-8]/g, (empty) => " ".repeat(Number(empty)));
  if (!/^[KQRBNPkqrbnp ]{64}$/.test(squares) || placement.split("/").length !== 8) return null;
  return { squares, turn: turn === "b" ? "b" : "w", castling, enPassant, halfmoves, moves };
}

export function fenOf({ squares, turn, castling, enPassant, halfmoves, moves }: Draft): string {
  const ranks = Array.from({ length: 8 }, (_, rank) =>
    squares.slice(8 * rank, 8 * rank + 8).replace(/ +/g, (empty) => String(empty.length)));
  return [ranks.join("/"), turn, castling || "-", enPassant, halfmoves, moves].join(" ");
}

/** The castling rights that kings and rooks on their first squares allow. */
const RIGHTS: [string, string, number, number][] = [
  ["K", "White, king's side", 60, 63], ["Q", "White, queen's side", 60, 56],
  ["k", "Black, king's side", 4, 7], ["q", "Black, queen's side", 4, 0],
];

/** Squares behind pawns that may just have moved two steps. */
function passants({ squares, turn }: Draft): string[] {
  const [from, pawn] = turn === "w" ? [24, "p"] : [32, "P"];
  const back = turn === "w" ? -8 : 8;
  return Array.from({ length: 8 }, (_, file) => from + file)
    .filter((at) => squares[at] === pawn && squares[at + back] === " " && squares[at + 2 * back] === " ")
    .map((at) => squareName(at + back));
}

/** Swaps the colours and turns the board, so that the other side is in the same position. */
function mirrored(draft: Draft): Draft {
  const swap = (text: string) =>
    text.replace(/[a-z]/gi, (letter) => (isWhite(letter) ? letter.toLowerCase() : letter.toUpperCase()));
  const ranks = Array.from({ length: 8 }, (_, rank) => draft.squares.slice(8 * rank, 8 * rank + 8)).reverse();
  return {
    ...draft, squares: swap(ranks.join("")), turn: draft.turn === "w" ? "b" : "w", castling: swap(draft.castling),
    enPassant: draft.enPassant.replace(/[36]/, (rank) => (rank === "3" ? "6" : "3")),
  };
}

const Piece = ({ letter }: { letter: string }) => (
  <svg viewBox="0 0 100 100" aria-hidden="true"><use href={`#piece-${nameOf(letter).replace(" ", "-")}`} /></svg>
);

export function SetupView({ app }: { app: App }) {
  const draft = useSignal<Draft>(draftOf(fenAt(app.game.peek(), app.path.peek())) ?? draftOf(START_FEN) as Draft);
  const chess960 = useSignal(app.game.peek().chess960);
  /** The letter that is placed, "" for the eraser, null to move pieces. */
  const tool = useSignal<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [number, setNumber] = useState("518");
  const [ghost, setGhost] = useState<{ letter: string; x: number; y: number } | null>(null);
  const drag = useRef<{ letter: string; from: number; x: number; y: number; isMoved: boolean } | null>(null);
  const wasDragged = useRef(false);
  const [picked, setPicked] = useState<number | null>(null);
  const board = useRef<HTMLDivElement>(null);
  const now = draft.value;
  const fen = fenOf(now);
  const orientation = app.settings.value.orientation;

  const set = (changes: Partial<Draft>) => {
    const next = { ...draft.peek(), ...changes };
    if (changes.squares !== undefined && !chess960.peek()) {
      const rights = RIGHTS.filter(([right, , king, rook]) => next.castling.includes(right) &&
        next.squares[king] === (isWhite(right) ? "K" : "k") && next.squares[rook] === (isWhite(right) ? "R" : "r"));
      next.castling = rights.map(([right]) => right).join("") || "-";
    }
    if (next.enPassant !== "-" && !passants(next).includes(next.enPassant)) next.enPassant = "-";
    draft.value = next;
    setTyped(null);
  };
  const put = (at: number, letter: string, from = -1) => {
    const squares = [...draft.peek().squares];
    if (from >= 0) squares[from] = " ";
    if (at >= 0) squares[at] = letter;
    set({ squares: squares.join("") });
  };

  let problems: string[] = [];
  let position: Position | null = null;
  try {
    position = new Position(typed ?? fen, { chess960: chess960.value || undefined, tolerant: true });
  } catch (error) {
    problems = error instanceof BartizanError && error.reasons.length > 0 ? error.reasons : [message(error)];
  }

  const tap = (at: number) => {
    if (wasDragged.current) {
      wasDragged.current = false;
      return;
    }
    const letter = now.squares[at];
    if (tool.value !== null) return put(at, tool.value === "" || letter === tool.value ? " " : tool.value);
    if (picked === null) return setPicked(letter === " " ? null : at);
    if (picked !== at) put(at, now.squares[picked], picked);
    setPicked(null);
  };
  const grab = (event: PointerEvent, letter: string, from: number) => {
    wasDragged.current = false;
    if (event.button > 0 || !letter.trim()) return;
    drag.current = { letter, from, x: event.clientX, y: event.clientY, isMoved: false };
  };
  useEffect(() => {
    const move = (event: PointerEvent) => {
      const held = drag.current;
      if (!held) return;
      held.isMoved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > 6;
      if (held.isMoved) setGhost({ letter: held.letter, x: event.clientX, y: event.clientY });
    };
    const drop = (event: PointerEvent) => {
      const held = drag.current;
      drag.current = null;
      setGhost(null);
      if (!held?.isMoved) return;
      wasDragged.current = held.from >= 0;
      if (event.type === "pointercancel") return;
      const target = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-at]");
      if (target) put(Number(target.dataset.at), held.letter, held.from);
      else if (held.from >= 0) put(-1, " ", held.from);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
    return () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", drop);
    };
  }, []);
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[event.key];
    const at = (event.target as HTMLElement).dataset.at;
    if (at === undefined) return;
    if (event.key === "Delete" || event.key === "Backspace") return put(Number(at), " ");
    if (/^[kqrbnp]$/i.test(event.key) && !event.ctrlKey && !event.metaKey) return put(Number(at), event.key);
    if (!step) return;
    event.preventDefault();
    const next = Number(at) + (orientation === "b" ? -step : step);
    board.current?.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus();
  };
  const start = (text: string, is960: boolean) => {
    chess960.value = is960;
    set(draftOf(text) ?? {});
  };
  const go = (view: "analyse" | "play") => {
    if (!position) return;
    app.openPosition(position.fen, position.chess960);
    app.view.value = view;
  };
  const order = Array.from({ length: 64 }, (_, at) => (orientation === "b" ? 63 - at : at));
  const Palette = ({ letters, label }: { letters: string; label: string }) => (
    <div class="s-palette" role="group" aria-label={label}>
      {[...letters].map((letter) => (
        <button type="button" aria-label={`Place a ${nameOf(letter)}`} title={nameOf(letter)}
          aria-pressed={tool.value === letter} onPointerDown={(event) => grab(event, letter, -1)}
          onClick={() => {
            tool.value = tool.value === letter ? null : letter;
            setPicked(null);
          }}><Piece letter={letter} /></button>
      ))}
    </div>
  );
  return (
    <div class="setup">
      <div class="s-board-col">
        <Palette letters={orientation === "w" ? "kqrbnp" : "KQRBNP"} label="Pieces of the side at the top" />
        <div class="s-board" ref={board} role="group" onKeyDown={walk}
          aria-label="Board: arrow keys walk, letters place pieces, Delete removes">
          {order.map((at, index) => {
            const letter = now.squares[at];
            const isLight = (at + Math.floor(at / 8)) % 2 === 0;
            return (
              <button type="button" key={at} data-at={at} tabIndex={index === 0 ? 0 : -1}
                data-rank={index % 8 === 0 ? squareName(at)[1] : undefined}
                data-file={index >= 56 ? squareName(at)[0] : undefined}
                class={`${isLight ? "light" : "dark"} ${picked === at ? "is-picked" : ""}`}
                aria-label={`${squareName(at)}, ${letter === " " ? "empty" : nameOf(letter)}`}
                onPointerDown={(event) => {
                  (event.target as Element).releasePointerCapture?.(event.pointerId);
                  grab(event, letter, at);
                }}
                onClick={() => tap(at)} onContextMenu={(event) => {
                  event.preventDefault();
                  put(at, " ");
                }}>{letter !== " " && <Piece letter={letter} />}</button>
            );
          })}
        </div>
        <Palette letters={orientation === "w" ? "KQRBNP" : "kqrbnp"} label="Pieces of the side at the bottom" />
      </div>
      <div class="s-col">
        <section class="box s-check" role="status">
          {position ? (
            <p class="s-good">This position can be played{position.isCheckmate ? ": it is checkmate"
              : position.isStalemate ? ": it is stalemate" : ""}.</p>
          ) : (
            <><p><strong>This position is not legal:</strong></p><ul>{problems.map((text) => <li>{text}</li>)}</ul></>
          )}
          <div class="buttons">
            <button type="button" class="primary" disabled={!position} onClick={() => go("analyse")}>Analyse</button>
            <button type="button" disabled={!position} onClick={() => go("play")}>Play from here</button>
          </div>
        </section>
        <section class="box s-fields">
          <div class="s-tools" role="group" aria-label="Tools">
            <button type="button" aria-pressed={tool.value === null} onClick={() => (tool.value = null)}>
              Move pieces
            </button>
            <button type="button" aria-pressed={tool.value === ""} onClick={() => (tool.value = "")}>Erase</button>
            <button type="button" onClick={() => app.set({ orientation: orientation === "w" ? "b" : "w" })}>
              Turn
            </button>
            <button type="button" onClick={() => set(mirrored(now))}>Mirror</button>
            <button type="button" onClick={() => set({ squares: " ".repeat(64), castling: "-", enPassant: "-" })}>
              Clear
            </button>
            <button type="button" onClick={() => start(START_FEN, false)}>Initial</button>
          </div>
          <fieldset class="choice">
            <legend>To move</legend>
            {[["w", "White"], ["b", "Black"]].map(([value, name]) => (
              <label><input type="radio" name="turn" checked={now.turn === value}
                onChange={() => set({ turn: value })} /><span>{name}</span></label>
            ))}
          </fieldset>
          {chess960.value ? (
            <label class="s-line"><span>Castling</span><input type="text" value={now.castling} spellcheck={false}
              onChange={(event) => set({ castling: event.currentTarget.value.trim() || "-" })} /></label>
          ) : (
            <fieldset class="s-rights">
              <legend>Castling</legend>
              {RIGHTS.map(([right, name, king, rook]) => (
                <label class="check"><input type="checkbox" checked={now.castling.includes(right)}
                  disabled={now.squares[king] !== (isWhite(right) ? "K" : "k")
                    || now.squares[rook] !== (isWhite(right) ? "R" : "r")}
                  onChange={(event) => {
                    const wanted = event.currentTarget.checked;
                    const has = (other: string) => (other === right ? wanted : now.castling.includes(other));
                    set({ castling: RIGHTS.map(([other]) => other).filter(has).join("") || "-" });
                  }} />{name}</label>
              ))}
            </fieldset>
          )}
          <label class="s-line"><span>En passant</span>
            <select value={now.enPassant} onChange={(event) => set({ enPassant: event.currentTarget.value })}>
              {["-", ...passants(now)].map((value) => <option value={value}>{value === "-" ? "none" : value}</option>)}
            </select></label>
          <form class="s-line" onSubmit={(event) => {
            event.preventDefault();
            const wanted = Number(number);
            if (!/^\d+$/.test(number) || wanted > 959) {
              return app.notify("The number of a Chess960 position is from 0 to 959.", "error");
            }
            start(Position.chess960(wanted).fen, true);
          }}>
            <label for="s-number">Chess960</label>
            <input id="s-number" type="text" inputMode="numeric" value={number}
              onInput={(event) => setNumber(event.currentTarget.value)} />
            <button type="submit">Set</button>
            <button type="button" onClick={() => {
              const random = crypto.getRandomValues(new Uint32Array(1))[0] % 960;
              setNumber(String(random));
              start(Position.chess960(random).fen, true);
            }}>Random</button>
          </form>
          <label class="s-fen"><span>FEN</span><input type="text" value={typed ?? fen} spellcheck={false}
            autocomplete="off" onInput={(event) => {
              const text = event.currentTarget.value;
              const read = draftOf(text);
              if (read) {
                draft.value = read;
                chess960.value = /[A-HJ-Za-hj-z]/.test(read.castling.replaceAll(/[KQkq]/g, ""));
              }
              setTyped(text);
            }} onBlur={() => position && setTyped(null)} /></label>
        </section>
      </div>
      {ghost && (
        <div class="s-ghost" style={{ left: `${ghost.x}px`, top: `${ghost.y}px` }}><Piece letter={ghost.letter} /></div>
      )}
    </div>
  );
}
