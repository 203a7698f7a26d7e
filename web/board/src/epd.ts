// Test positions in EPD: four fields of a FEN, then operations such as `bm Nf3;`.

import { BartizanError, Position } from "bartizan";

export interface EpdPosition {
  /** The line in the text, from 1. */
  line: number;
  fen: string;
  chess960: boolean;
  /** What `id` says; else the number of the line. */
  id: string;
  /** The moves of `bm` and `am`; there is at least one. */
  best: EpdMove[];
  avoid: EpdMove[];
  /** All operations by their names, those that mean nothing here among them. */
  operations: Record<string, string[]>;
}

export interface EpdMove {
  san: string;
  uci: string;
}

export interface EpdProblem {
  /** From 1; the column is in characters. */
  line: number;
  column: number;
  message: string;
}

export interface EpdSuite {
  positions: EpdPosition[];
  /** What is wrong with the lines that are left out. */
  problems: EpdProblem[];
}

/** The most positions that are taken. */
export const MOST_POSITIONS = 2000;

class Problem extends Error {
  readonly at: number;

  /** `at` is an index into the line. */
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** A word of an operation, with its index in the line. */
interface Word {
  text: string;
  at: number;
}

/** Reads a suite. Empty lines, and those that begin with `#`, are skipped. A line that cannot be read is a problem. */
export function parseEpd(text: string): EpdSuite {
  const suite: EpdSuite = { positions: [], problems: [] };
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  for (const [index, content] of lines.entries()) {
    if (/^\s*(#|$)/.test(content)) continue;
    const line = index + 1;
    if (suite.positions.length >= MOST_POSITIONS) {
      suite.problems.push({ line, column: 1, message: `only the first ${MOST_POSITIONS} positions are taken` });
      break;
    }
    try {
      suite.positions.push(parseLine(content, line));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      suite.problems.push({ line, column: [...content.slice(0, error.at)].length + 1, message: error.message });
    }
  }
  return suite;
}

function parseLine(content: string, line: number): EpdPosition {
  // The counters of a FEN may follow.
  const head = /^\s*\S+(?:\s+[^\s;]+){3}(?:\s+\d+\s+\d+(?=[\s;]|$))?/.exec(content)?.[0];
  if (head === undefined) throw new Problem(0, "a position has four fields: board, side, castling, en passant");
  const operations = parseOperations(content, head.length);
  const position = positionOf(head, operations);
  const movesOf = (name: string): EpdMove[] => (operations.get(name) ?? []).map(({ text, at }) => {
    try {
      const { san, uci } = position.move(text);
      return { san, uci };
    } catch (error) {
      if (!(error instanceof BartizanError)) throw error;
      throw new Problem(at, error.message);
    }
  });
  const [best, avoid] = [movesOf("bm"), movesOf("am")];
  if (best.length + avoid.length === 0) {
    throw new Problem(head.length, "there is neither a best move (bm) nor one to avoid (am)");
  }
  return {
    line, fen: position.fen, chess960: position.chess960, best, avoid,
    id: operations.get("id")?.map(({ text }) => text).join(" ") || `line ${line}`,
    operations: Object.fromEntries([...operations].map(([name, words]) => [name, words.map(({ text }) => text)])),
  };
}

function positionOf(head: string, operations: Map<string, Word[]>): Position {
  const start = head.length - head.trimStart().length;
  const fields = head.trim().split(/\s+/);
  const counter = (name: string, usual: string): string => {
    const text = operations.get(name)?.[0]?.text ?? usual;
    return /^\d{1,4}$/.test(text) ? text : usual;
  };
  if (fields.length === 4) fields.push(counter("hmvc", "0"), counter("fmvn", "1"));
  try {
    return new Position(fields.join(" "), { tolerant: true });
  } catch (error) {
    if (!(error instanceof BartizanError)) throw error;
    // The column is that of the joined fields; there may be more space in the line.
    const joined = (error.column ?? 1) - 1;
    const before = fields.join(" ").slice(0, joined).split(" ");
    let at = start;
    for (const field of before.slice(0, -1)) at = skipSpace(head, at + field.length);
    throw new Problem(at + before[before.length - 1].length, error.message.replace(/ at column \d+$/, ""));
  }
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (end < text.length && /\s/.test(text[end])) end++;
  return end;
}

/** Reads `name operand … ; name …` from an index on; the last semicolon may be missing. */
function parseOperations(content: string, from: number): Map<string, Word[]> {
  const operations = new Map<string, Word[]>();
  const token = /"([^"]*)"|;|[^\s;"]+/y;
  let name: Word | null = null;
  for (let at = skipSpace(content, from); at < content.length; at = skipSpace(content, token.lastIndex)) {
    token.lastIndex = at;
    const found = token.exec(content);
    if (!found) throw new Problem(at, "a text in quotes has no end");
    const [text, quoted] = found;
    if (text === ";") {
      name = null;
    } else if (name) {
      operations.get(name.text)?.push({ text: quoted ?? text, at });
    } else {
      if (!/^[A-Za-z]\w*$/.test(text)) throw new Problem(at, `“${text}” is not the name of an operation`);
      if (operations.has(text)) throw new Problem(at, `${text} is given twice`);
      name = { text, at };
      operations.set(text, []);
    }
  }
  return operations;
}
