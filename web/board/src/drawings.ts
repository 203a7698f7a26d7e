// Arrows and marks that the reader draws. They are kept in comments, as `[%cal …]` and `[%csl …]`.

import { formatComment, parseComment } from "bartizan";
import type { Arrow } from "./board.tsx";

const COLORS: Record<string, string> = { G: "green", R: "red", Y: "yellow", B: "blue", O: "orange", C: "cyan" };

/** The marks that are drawn in a comment. */
export function drawnIn(comment: string): { arrows: Arrow[]; squares: { square: string; color: string }[] } {
  if (!comment.includes("[%")) return { arrows: [], squares: [] };
  const { arrows, squares } = parseComment(comment);
  return {
    arrows: arrows.map((text) => ({ color: COLORS[text[0]], from: text.slice(1, 3), to: text.slice(3, 5) })),
    squares: squares.map((text) => ({ color: COLORS[text[0]], square: text.slice(1, 3) })),
  };
}

/** Draws an arrow or mark into a comment, or takes it away. */
export function drawInto(comment: string, from: string, to: string, color: string): string {
  const parts = parseComment(comment);
  const toggle = (list: string[], squares: string) => {
    const text = color[0].toUpperCase() + squares;
    const others = list.filter((each) => each.slice(1) !== squares);
    return list.includes(text) ? others : [...others, text];
  };
  if (from === to) return formatComment({ ...parts, squares: toggle(parts.squares, from) });
  return formatComment({ ...parts, arrows: toggle(parts.arrows, from + to) });
}
