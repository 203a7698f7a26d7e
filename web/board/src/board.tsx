// The board of the reports as a component.

import { useEffect, useRef } from "preact/hooks";
import { Position } from "bartizan";
import { createBoard } from "../../report/board.js";
import type { Side } from "./store.ts";

/** `weight` scales the width of an arrow; the squares are names, such as "e4". */
export interface Arrow {
  from: string;
  to: string;
  color: string;
  weight?: number;
}

export interface BoardProps {
  fen: string;
  chess960?: boolean;
  orientation: Side;
  /** The last move, in coordinates. */
  lastMove?: string | null;
  /** What the position is, in words. */
  label?: string;
  arrows?: readonly Arrow[];
  /** Coloured squares. */
  squares?: readonly { square: string; color: string }[];
  /** Short texts on squares. */
  texts?: readonly { square: string; text: string; color: string }[];
  /** Takes a legal move in coordinates; without it the board takes no moves. */
  onMove?: ((uci: string) => void) | null;
  onIllegal?: (from: string, to: string) => void;
  onDraw?: (from: string, to: string, color: string) => void;
}

/** What `createBoard` takes and returns; its module has no types. */
interface Marks {
  lastMove?: [number, number] | null;
  arrows?: { from: number; to: number; color: string; weight?: number }[];
  squares?: BoardProps["squares"];
  texts?: BoardProps["texts"];
  label?: string;
}

interface ReportMove {
  from: number;
  to: number;
  uci: string;
  castling?: { rook: number };
}

interface ReportBoard {
  element: SVGElement;
  show(fen: string, marks?: Marks): void;
  mark(marks: Marks): void;
  ask(onMove: (move: ReportMove) => void): void;
  rest(): void;
  turnTo(side: Side): void;
  focus(): void;
}

const squareOf = (name: string): number => name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1);
const nameOf = (square: number): string => "abcdefgh"[square & 7] + ((square >> 3) + 1);

/** The move in the coordinates of the rules, which differ for castling in Chess960. */
function uciOf(move: ReportMove, fen: string, chess960: boolean): string {
  if (!move.castling) return move.uci;
  const side = move.castling.rook > move.from ? "k" : "q";
  const moves = new Position(fen, { chess960, tolerant: true }).legalMoves({ square: nameOf(move.from) });
  return moves.find((each) => each.castlingSide === side)?.uci ?? move.uci;
}

export function Board(props: BoardProps) {
  const host = useRef<HTMLDivElement>(null);
  const board = useRef<ReportBoard | null>(null);
  const current = useRef(props);
  current.current = props;
  const { fen, orientation, lastMove, label = "", arrows, squares, texts } = props;

  useEffect(() => {
    board.current = createBoard(host.current, {
      frame: 0,
      isAnimated: true,
      isBrowsable: true,
      onIllegal: (from: string, to: string) => current.current.onIllegal?.(from, to),
      onDraw: (from: string, to: string, color: string) => current.current.onDraw?.(from, to, color),
    } as object) as unknown as ReportBoard;
  }, []);

  const marks = (): Marks => ({
    arrows: (arrows ?? []).map((arrow) => ({ ...arrow, from: squareOf(arrow.from), to: squareOf(arrow.to) })),
    squares: squares ?? [],
    texts: texts ?? [],
  });

  useEffect(() => {
    board.current?.turnTo(orientation);
  }, [orientation]);
  useEffect(() => {
    const last = lastMove && lastMove !== "0000" ? lastMove : null;
    board.current?.show(fen, {
      ...marks(), label, lastMove: last ? [squareOf(last.slice(0, 2)), squareOf(last.slice(2, 4))] : null,
    });
  }, [fen, lastMove, label]);
  const canMove = Boolean(props.onMove);
  useEffect(() => {
    if (!canMove) return board.current?.rest();
    board.current?.ask((move) => {
      const { onMove, chess960 = false } = current.current;
      onMove?.(uciOf(move, fen, chess960));
    });
  }, [fen, lastMove, label, canMove]);
  useEffect(() => {
    board.current?.mark(marks());
  }, [arrows, squares, texts, fen]);

  return <div class="bd" ref={host} />;
}
