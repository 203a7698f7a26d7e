// Suites of test positions: EPD, a position with operations a line.

import { Position } from "bartizan";

export interface TestPosition {
  id: string;
  fen: string;
  /** The moves that solve it, in coordinates; empty if only `avoid` counts. */
  best: string[];
  /** The moves that fail. */
  avoid: string[];
  /** The solution as it is written. */
  goal: string;
  line: number;
}

export interface LineProblem {
  line: number;
  message: string;
}

/** Splits `bm Nf3; id "a; b";` into operations. A text in quotes may have a semicolon. */
function operations(text: string): [string, string][] {
  const found: [string, string][] = [];
  for (const [part] of text.matchAll(/(?:"[^"]*"?|[^;"])+/g)) {
    const [, name, operand] = /^\s*(\S+)\s*([^]*?)\s*$/.exec(part) ?? [];
    if (name) found.push([name, operand]);
  }
  return found;
}

/** Reads the positions of a suite. A position without `bm` or `am` is an error, except when `isList`. */
export function parseEpd(text: string, isList = false): { positions: TestPosition[]; problems: LineProblem[] } {
  const positions: TestPosition[] = [];
  const problems: LineProblem[] = [];
  text.split(/\r\n|\r|\n/).forEach((source, index) => {
    const line = index + 1;
    const content = source.replace(/^\uFEFF/, "").trim();
    if (!content || content.startsWith("#")) return;
    try {
      const head = /^(\S+\s+[wb]\s+\S+\s+\S+)(?:\s+(\d+)\s+(\d+)(?=\s|;|$))?\s*;?/.exec(content);
      if (!head) throw new Error("expected a position: pieces, side to move, castling, en passant");
      const fields = new Map(operations(content.slice(head[0].length)));
      const fen = `${head[1]} ${head[2] ?? fields.get("hmvc") ?? 0} ${head[3] ?? fields.get("fmvn") ?? 1}`;
      const position = new Position(fen, { tolerant: true });
      const moves = (name: string) => (fields.get(name) ?? "").split(/[\s,]+/).filter(Boolean)
        .map((san) => position.move(san).uci);
      const [best, avoid] = [moves("bm"), moves("am")];
      if (!isList && best.length + avoid.length === 0) throw new Error("there is neither bm nor am");
      const goal = [["", fields.get("bm")], ["not ", fields.get("am")]].filter(([, san]) => san).map((pair) => pair.join(""));
      const id = (fields.get("id") ?? "").replaceAll('"', "") || `line ${line}`;
      positions.push({ id, fen: position.fen, best, avoid, goal: goal.join(", "), line });
    } catch (error) {
      problems.push({ line, message: error instanceof Error ? error.message : String(error) });
    }
  });
  return { positions, problems };
}

/** Whether a move solves a position. */
export const solves = ({ best, avoid }: TestPosition, uci: string): boolean =>
  (best.length === 0 || best.includes(uci)) && !avoid.includes(uci);
