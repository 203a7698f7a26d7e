// What is said: a region for screen readers, notices, and moves in words.

import { signal } from "@preact/signals";

export interface Notice {
  id: number;
  text: string;
  kind: "info" | "error";
}

export const spokenText = signal("");
export const notices = signal<Notice[]>([]);
let number = 0;

export function announce(text: string): void {
  // The same text twice is read twice only if it differs.
  spokenText.value = spokenText.value === text ? `${text}\u00a0` : text;
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

export function notify(text: string, kind: Notice["kind"]): void {
  const id = ++number;
  notices.value = [...notices.value.filter((notice) => notice.text !== text), { id, text, kind }].slice(-3);
  setTimeout(() => dismiss(id), kind === "error" ? 9000 : 4500);
}

const PIECES: Record<string, string> = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** A move in words: "knight takes f3, check" for "Nxf3+". */
export function spoken(san: string): string {
  const body = san.replace(/[+#!?]+$/, "");
  const end = san.includes("#") ? ", checkmate" : san.includes("+") ? ", check" : "";
  if (body === "--") return "null move";
  if (/^O-O/.test(body)) return (body === "O-O" ? "castles kingside" : "castles queenside") + end;
  const found = /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?$/.exec(body);
  if (!found) return san;
  const [, piece, from, takes, to, promotion] = found;
  return [PIECES[piece], from, takes && "takes", to, promotion && `promotes to ${PIECES[promotion]}`]
    .filter(Boolean).join(" ") + end;
}
