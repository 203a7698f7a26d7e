// The list of moves, with variations, comments and glyphs.

import { useEffect, useRef } from "preact/hooks";
import { parseComment, type PgnGame, type PgnMove } from "bartizan";
import type { ComponentChildren, JSX } from "preact";
import { numberOf } from "./format.ts";
import type { App } from "./store.ts";
import { fenAt, type Path } from "./tree.ts";

export const GLYPHS: Record<number, [string, string]> = {
  1: ["!", "good move"], 2: ["?", "mistake"], 3: ["!!", "brilliant move"], 4: ["??", "blunder"],
  5: ["!?", "interesting move"], 6: ["?!", "dubious move"], 7: ["□", "only move"],
  8: ["□", "only move"], 10: ["=", "equal"], 11: ["=", "equal, quiet"], 12: ["=", "equal, active"],
  13: ["∞", "unclear"], 14: ["⩲", "White is slightly better"],
  15: ["⩱", "Black is slightly better"], 16: ["±", "White is better"], 17: ["∓", "Black is better"],
  18: ["+−", "White is winning"], 19: ["−+", "Black is winning"],
  20: ["+−", "White is winning"], 21: ["−+", "Black is winning"], 22: ["⨀", "zugzwang"], 23: ["⨀", "zugzwang"],
  36: ["↑", "initiative"], 37: ["↑", "initiative"], 40: ["→", "attack"], 41: ["→", "attack"],
  44: ["=∞", "compensation"], 45: ["=∞", "compensation"], 132: ["⇆", "counterplay"], 133: ["⇆", "counterplay"],
  138: ["⊕", "short of time"], 139: ["⊕", "short of time"], 140: ["∆", "with the idea"], 146: ["N", "novelty"],
};

/** The glyphs of a move in signs; those without a sign are kept in the game, but not shown. */
export const glyphText = (nags: readonly number[]): string =>
  nags.flatMap((nag) => GLYPHS[nag]?.[0] ?? []).join(" ");

const glyphWords = (nags: readonly number[]): string => nags.flatMap((nag) => GLYPHS[nag]?.[1] ?? []).join(", ");

/** The text of a comment without its commands. */
function commentText(comment: string): string {
  if (!comment.includes("[%")) return comment;
  try {
    return parseComment(comment).text;
  } catch {
    return comment;
  }
}

const Comment = ({ text }: { text: string }) => {
  const shown = commentText(text).trim();
  return shown ? <span class="comment"> {shown} </span> : null;
};

interface ListProps {
  app: App;
  game: PgnGame;
  path: Path;
  /** Whether only the main line is shown, as during a game. */
  isPlain?: boolean;
  onGo?: (path: Path) => void;
}

export function Moves({ app, game, path, isPlain = false, onGo }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  const shown = path.join();
  const go = onGo ?? ((to: Path) => (app.path.value = to));
  const keepInView = () => {
    const [box, cell] = [list.current, list.current?.querySelector("[aria-current]")];
    if (!box) return;
    if (!cell) {
      box.scrollTop = 0;
      return;
    }
    // The list is scrolled, not the page.
    const [outer, inner] = [box.getBoundingClientRect(), cell.getBoundingClientRect()];
    if (inner.top < outer.top + 8) box.scrollTop += inner.top - outer.top - 40;
    else if (inner.bottom > outer.bottom - 8) {
      // Not so far that a low list loses the head of the move.
      box.scrollTop += Math.min(inner.bottom - outer.bottom + 40, inner.top - outer.top);
    }
  };
  useEffect(keepInView, [shown, game]);
  useEffect(() => {
    if (!list.current) return;
    const observer = new ResizeObserver(keepInView);
    observer.observe(list.current);
    return () => observer.disconnect();
  }, []);

  const Move = ({ move, at, number = "" }: { move: PgnMove; at: Path; number?: string }) => (
    <button type="button" class="mv" aria-current={at.join() === shown ? "step" : undefined} onClick={() => go(at)}>
      {number && <span class="no">{number}</span>}
      {move.san}
      {glyphText(move.nags) && !isPlain && (
        <span class={`nag nag-${move.nags[0]}`} aria-label={glyphWords(move.nags)} title={glyphWords(move.nags)}>
          {" "}{glyphText(move.nags)}
        </span>
      )}
    </button>
  );

  /** The moves of a variation in running text. */
  const Line = ({ line, head, fen }: { line: PgnMove[]; head: Path; fen: string }): JSX.Element => {
    const parts: ComponentChildren[] = [];
    let before = fen;
    let hasNumber = true;
    line.forEach((move, index) => {
      const at = [...head, index + 1];
      if (move.commentBefore) parts.push(<Comment text={move.commentBefore} />);
      const isWhite = before.split(" ")[1] === "w";
      const number = isWhite || hasNumber || move.commentBefore ? numberOf(before) : "";
      parts.push(<Move move={move} at={at} number={number} />);
      hasNumber = Boolean(commentText(move.comment).trim()) || move.variations.length > 0;
      parts.push(<Comment text={move.comment} />);
      move.variations.forEach((variation, number) => {
        parts.push(<span class="inner">(<Line line={variation} head={[...head, index, number]} fen={before} />)</span>);
      });
      before = move.fen;
    });
    return <>{parts}</>;
  };

  const rows: ComponentChildren[] = [];
  let row: ComponentChildren[] = [];
  const flush = () => {
    if (row.length > 0) rows.push(<div class="row">{row}</div>);
    row = [];
  };
  const gap = <span class="mv gap" aria-hidden="true">…</span>;
  game.moves.forEach((move, index) => {
    const before = fenAt(game, [index]);
    const isWhite = before.split(" ")[1] === "w";
    if (isWhite) flush();
    if (row.length === 0) {
      row.push(<span class="no">{before.split(" ")[5]}.</span>);
      if (!isWhite) row.push(gap);
    }
    row.push(<Move move={move} at={[index + 1]} />);
    const comment = isPlain ? "" : commentText(move.comment).trim();
    if (comment || (!isPlain && move.variations.length > 0)) {
      if (isWhite) row.push(gap);
      flush();
      rows.push(
        <div class="aside">
          {comment && <p class="comment">{comment}</p>}
          {move.variations.map((line, number) => (
            <p class="variation"><Line line={line} head={[index, number]} fen={before} /></p>
          ))}
        </div>,
      );
    }
  });
  flush();
  const opening = isPlain ? "" : commentText(game.comment).trim();
  return (
    <div class="moves" ref={list} role="group" aria-label="Moves" tabIndex={game.moves.length > 0 ? 0 : undefined}>
      {opening && <p class="comment aside">{opening}</p>}
      {rows}
      {game.moves.length === 0 && <p class="empty">No moves yet.</p>}
      {game.result !== "*" && <p class="result">{game.result.replace("1/2-1/2", "½–½").replace("-", "–")}</p>}
    </div>
  );
}

/** The buttons that step through a game. */
export function Steps({ onFirst, onBack, onNext, onLast, children }: {
  onFirst: () => void; onBack: () => void; onNext: () => void; onLast: () => void; children?: ComponentChildren;
}) {
  return (
    <div class="steps" role="toolbar" aria-label="Step through the game">
      <IconButton path="M6 5h2.5v14H6zM19 5v14l-10-7z" label="First position" onClick={onFirst} />
      <IconButton path="M16.5 5v14l-10-7z" label="Previous move" onClick={onBack} />
      <IconButton path="M7.5 5v14l10-7z" label="Next move" onClick={onNext} />
      <IconButton path="M15.5 5H18v14h-2.5zM5 5v14l10-7z" label="Last position" onClick={onLast} />
      {children}
    </div>
  );
}

/** A button with a picture of 24 units. */
export function IconButton({ path, label, onClick, pressed, disabled, class: name }: {
  path: string; label: string; onClick: () => void; pressed?: boolean; disabled?: boolean; class?: string;
}) {
  return (
    <button type="button" class={`icon ${name ?? ""}`} aria-label={label} title={label} onClick={onClick}
      aria-pressed={pressed} disabled={disabled}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d={path} /></svg>
    </button>
  );
}
