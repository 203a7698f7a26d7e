// Analysis: lines and the evaluation of the position shown; moves played on the board become variations.

import { signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatComment, parseComment, Position, writePgn } from "bartizan";
import { createAnalyser, keyOf, type Analysis, type Facts, type Request } from "./analysis.ts";
import { spoken } from "./announce.ts";
import type { Arrow } from "./board.tsx";
import { drawInto, drawnIn } from "./drawings.ts";
import { endAt, endText } from "./ends.ts";
import {
  count, expectation, numberOf, passed, sanLine, scoreText, specOf, turnOf, type LineMove,
} from "./format.ts";
import { useKeys, type KeyMap } from "./keys.ts";
import { GLYPHS, IconButton, Moves, Steps } from "./moves.tsx";
import { playOf } from "./play.ts";
import { reviewOf } from "./review.tsx";
import { saveGame } from "./save.ts";
import { advantage, EvalBar, MoveField, Stage, whyNot, type PlayerProps } from "./stage.tsx";
import { message, type App, type Side } from "./store.ts";
import { Tables } from "./tables.tsx";
import {
  addMove, editMove, fenAt, lastOf, nodeAt, previous, removeFrom, promote, replies, toggleGlyph, type Path,
} from "./tree.ts";

const FLIP = "M7 20V8H3l5.5-6L14 8h-4v12zM14 4v12h-4l5.5 6 5.5-6h-4V4z";
const ARROW = "M4.6 17.3l9-9H8V5h11v11h-3.3v-5.6l-9 9z";
const THREAT = "M12 2l10 18H2zM11 9v6h2V9zM11 16.5v2h2v-2z";
/** The usual search; "Deeper" goes beyond. */
const MOVETIME = 60_000;

/** For which of the games opened the threats are shown: another game begins without them. */
const threatsOf = signal<number | null>(null);
const hasValues = signal(false);
/** The position whose search has no end. */
const endless = signal("");

/** Adds a move at the node shown, or goes to it. */
export function playMove(app: App, uci: string): void {
  const [game, path] = [app.game.peek(), app.path.peek()];
  try {
    const move = new Position(fenAt(game, path), { chess960: game.chess960, tolerant: true }).move(uci);
    const added = addMove(game, path, { san: move.san, uci: move.uci, fen: move.after });
    app.openGame(added.game, added.path);
    app.announce(spoken(move.san));
  } catch (error) {
    app.notify(message(error), "error");
  }
}

/** The last opening on the way to a node. */
export function openingAt(game: App["game"]["value"], path: Path): { code: string; name: string } | null {
  let at: Path | null = path;
  for (let tries = 0; at && tries < 40; tries++) {
    const found = new Position(fenAt(game, at), { chess960: game.chess960, tolerant: true }).opening();
    if (found) return found;
    at = previous(at);
  }
  return null;
}

export function AnalyseView({ app }: { app: App }) {
  const analyser = useMemo(() => createAnalyser(app), [app]);
  const play = playOf(app);
  const game = app.game.value;
  const path = app.path.value;
  const settings = app.settings.value;
  const isPlaying = play.isOn.value;
  const node = nodeAt(game, path);
  const fen = fenAt(game, path);
  const turn = turnOf(fen);
  const end = useMemo(() => endAt(game, path), [game, path]);
  const opening = useMemo(() => openingAt(game, path), [game.fen, path, node]);
  const hasThreats = threatsOf.value === app.opened.value;

  const request = useMemo(() => ({
    ...specOf(game, path),
    multipv: settings.lines,
    movetime: endless.value === fen ? undefined : MOVETIME,
    isQuiet: !settings.analysing,
  }), [fen, node, settings.lines, settings.analysing, game.fen, game.chess960, endless.value]);
  const key = keyOf(request);
  useEffect(() => {
    if (isPlaying || end) analyser.stop();
    else analyser.start(request);
  }, [key, settings.native, isPlaying, end]);
  useEffect(() => () => analyser.stop(), [analyser]);

  const analysis = analyser.state.value;
  // Lines of the position before are not lines of this one.
  const isCurrent = analysis.key === key;
  const lines = isCurrent ? analysis.lines : [];
  const best = lines[0];
  const threat = useThreat(app, analyser, hasThreats && !isPlaying && !end, request, fen);

  const step = (to: Path | null | undefined) => {
    if (!to) return;
    app.path.value = to;
    const move = nodeAt(app.game.peek(), to);
    app.announce(move ? spoken(move.san) : "Start");
  };
  /** Another reply at the last branch. */
  const sibling = (offset: number) => {
    const before = previous(path);
    const all = before ? replies(game, before) : [];
    const at = all.findIndex((each) => each.join() === path.join());
    if (all.length > 1) step(all[at + offset]);
    else step(offset < 0 ? [0] : lastOf(game, path));
  };
  const flip = () => app.set({ orientation: settings.orientation === "w" ? "b" : "w" });
  const keys: KeyMap = {
    ArrowLeft: { help: "Previous move", run: () => step(previous(path)) },
    ArrowRight: { help: "Next move", run: () => step(replies(game, path)[0]) },
    ArrowUp: { help: "The variation above, or the first position", run: () => sibling(-1) },
    ArrowDown: { help: "The variation below, or the last position", run: () => sibling(1) },
    Home: { help: "First position", run: () => step([0]) },
    End: { help: "Last position", run: () => step(lastOf(game, path)) },
    " ": { help: "Play the best move", run: () => best?.pv[0] && playMove(app, best.pv[0]) },
    f: { help: "Turn the board", run: flip },
    a: { help: "Arrows of the best moves", run: () => app.set({ arrows: !settings.arrows }) },
    t: { help: "What the opponent threatens", run: () => {
      threatsOf.value = hasThreats ? null : app.opened.value;
      if (hasThreats) app.announce("Threats off");
    } },
    e: { help: "Engine on or off", run: () => app.set({ analysing: !settings.analysing }) },
    s: { help: "Say the evaluation", run: () => app.announce(saidOf(best, fen, game.chess960)) },
    v: { help: "The value of each piece", run: () => (hasValues.value = !hasValues.value) },
  };
  useKeys(keys);

  const comment = node ? node.comment : game.comment;
  const drawn = useMemo(() => drawnIn(comment), [comment]);
  const setComment = (text: string) => {
    app.game.value = node ? editMove(game, path, () => ({ comment: text })) : { ...game, comment: text };
  };
  const moves = lines.map(({ pv }) => pv[0]).join();
  const arrows = useMemo(() => {
    const engine: Arrow[] = (settings.arrows ? lines : []).map(({ pv }, rank) => ({
      from: pv[0].slice(0, 2), to: pv[0].slice(2, 4), color: rank === 0 ? "best" : "other",
      weight: rank === 0 ? 1 : 0.66,
    }));
    const uci = threat?.line[0]?.uci;
    const red: Arrow[] = uci ? [{ from: uci.slice(0, 2), to: uci.slice(2, 4), color: "red" }] : [];
    return [...engine.reverse(), ...red, ...drawn.arrows];
  }, [moves, settings.arrows, threat, drawn]);
  const evaluation = isCurrent ? analysis.facts.evaluation : undefined;
  const texts = useMemo(() => (hasValues.value && evaluation ? pieceTexts(fen, evaluation.pieces) : []),
    [hasValues.value, evaluation, fen]);

  const ended = end ? end.result.replace("1/2-1/2", "½").replace(/-.*/, "") : "";
  const text = best ? scoreText(best.score, turn) : ended;
  const share = end ? { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 }[end.result] : best ? expectation(best, turn) : null;
  const side = (color: Side): PlayerProps => {
    const tag = color === "w" ? "White" : "Black";
    const elo = game.tags[`${tag}Elo`];
    const name = game.tags[tag];
    return {
      side: color, name: name && name !== "?" ? name : tag, detail: elo && elo !== "?" ? elo : undefined,
      taken: advantage(fen, color),
    };
  };
  const bottom = settings.orientation;

  if (isPlaying) return <Paused app={app} />;
  return (
    <Stage
      top={side(bottom === "w" ? "b" : "w")} bottom={side(bottom)}
      bar={<EvalBar share={share} text={text} short={text.replace(/^[+−]/, "")} orientation={bottom} />}
      board={{
        fen, chess960: game.chess960, orientation: bottom, lastMove: node?.uci,
        label: node ? `After ${numberOf(fenAt(game, previous(path) ?? [0]))} ${node.san}.` : "The first position.",
        arrows, squares: drawn.squares, texts,
        onMove: end ? null : (uci) => playMove(app, uci),
        onIllegal: (from, to) => app.notify(whyNot(fen, game.chess960, from, to), "info"),
        onDraw: (from, to, color) => setComment(drawInto(comment, from, to, color)),
      }}
    >
      <section class="box engine" aria-label="Engine">
        <header>
          <label class="switch">
            <input type="checkbox" role="switch" checked={settings.analysing} aria-label="Engine"
              onChange={() => app.set({ analysing: !settings.analysing })} />
            <span class="knob" aria-hidden="true" />
          </label>
          <strong class="score">{text || (settings.analysing ? "…" : "Off")}</strong>
          <span class="status">
            <EngineStatus analysis={analysis} isOff={!settings.analysing} isOver={Boolean(end)} isCurrent={isCurrent} />
          </span>
          {analysis.status === "done" && settings.analysing && best && best.score.type === "cp" && (
            <button type="button" class="quiet" onClick={() => (endless.value = fen)}>Deeper</button>
          )}
          <span class="lines-choice" role="group" aria-label="Number of lines">
            <button type="button" class="quiet" aria-label="Fewer lines" disabled={settings.lines <= 1}
              onClick={() => app.set({ lines: settings.lines - 1 })}>−</button>
            <button type="button" class="quiet" aria-label="More lines" disabled={settings.lines >= 5}
              onClick={() => app.set({ lines: settings.lines + 1 })}>+</button>
          </span>
        </header>
        {end && <p class="end">{endText(end)}</p>}
        {hasThreats && !end && (
          <p class="threat">
            {threat?.text ?? "Looking for threats …"}
            {threat && threat.line.length > 1 && <span class="muted"> {threat.line.map(({ number, san }) =>
              `${number}${san}`).join(" ")}</span>}
          </p>
        )}
        {settings.analysing && !end && (
          <ol class="lines">
            {Array.from({ length: settings.lines }, (_, rank) => (
              <EngineLine key={rank} app={app} info={lines[rank]} fen={fen} chess960={game.chess960} />
            ))}
          </ol>
        )}
      </section>
      <section class="box list" aria-label="Game">
        {opening && <p class="opening"><span class="eco">{opening.code}</span> {opening.name}</p>}
        <Moves app={app} game={game} path={path} onGo={step} />
        <Annotate app={app} path={path} comment={comment} setComment={setComment} />
      </section>
      <Steps onFirst={keys.Home.run} onBack={keys.ArrowLeft.run} onNext={keys.ArrowRight.run} onLast={keys.End.run}>
        <IconButton path={FLIP} label="Turn the board (f)" onClick={flip} />
        <IconButton path={ARROW} label="Arrows of the best moves (a)" pressed={settings.arrows} onClick={keys.a.run} />
        <IconButton path={THREAT} label="Threat (t)" pressed={hasThreats} onClick={keys.t.run} />
      </Steps>
      <MoveField fen={fen} chess960={game.chess960} onMove={(uci) => playMove(app, uci)}
        closed={end ? "The game is over." : undefined} />
      <FactsBoxes app={app} facts={isCurrent ? analysis.facts : null} />
      <Tables app={app} fen={fen} onMove={(uci) => playMove(app, uci)} interrupt={analyser.interrupt} />
      <Share app={app} fen={fen} />
    </Stage>
  );
}

interface Threat {
  text: string;
  line: LineMove[];
}

/** What the opponent would do in a position if it were to move; null until it is known. */
function useThreat(
  app: App, analyser: ReturnType<typeof createAnalyser>, isWanted: boolean, request: Request, fen: string,
): Threat | null {
  const found = useSignal<{ fen: string; threat: Threat } | null>(null);
  const { chess960 } = request;
  const tell = (threat: Threat, said: string) => {
    found.value = { fen, threat };
    app.announce(said);
  };
  useEffect(() => {
    if (!isWanted) return;
    const old = found.peek();
    if (old?.fen === fen) return app.announce(old.threat.text);
    const before = passed(fen, chess960);
    const who = turnOf(fen) === "w" ? "Black" : "White";
    if (!before) {
      const text = "In check there is no threat to show.";
      return tell({ text, line: [] }, text);
    }
    const stop = new AbortController();
    const { signal } = stop;
    const ask = analyser.interrupt(async () => {
      const engine = await app.engine();
      const now = await engine.bestMove({ fen, chess960, movetime: 250, signal });
      return [now, await engine.bestMove({ fen: before, chess960, movetime: 400, signal })];
    });
    ask.then(([now, { move, info }]) => {
      if (signal.aborted || !move || !info) return;
      const line = sanLine(before, chess960, info.pv, 6);
      const name = line[0]?.san ?? move;
      // What is not worth a pawn more than the position is no threat.
      const isThreat = info.score.type === "mate" ? info.score.value > 0
        : now.info?.score.type === "cp" && info.score.value + now.info.score.value >= 100;
      tell(isThreat
        ? { text: `${who} threatens ${name.replace("#", " mate")}`, line }
        : { text: `${who} threatens nothing at once (its move would be ${name})`, line: [] },
      isThreat ? `${who} threatens ${spoken(name)}` : `${who} threatens nothing at once`);
    }).catch((error: unknown) => {
      if (!signal.aborted) tell({ text: message(error), line: [] }, message(error));
    });
    return () => stop.abort();
  }, [isWanted, fen, chess960]);
  return isWanted && found.value?.fen === fen ? found.value.threat : null;
}

/** The evaluation and the best line in words. */
function saidOf(best: Analysis["lines"][number] | undefined, fen: string, chess960: boolean): string {
  if (!best) return "No evaluation yet";
  const line = sanLine(fen, chess960, best.pv, 4).map(({ san }) => spoken(san)).join(", ");
  const score = scoreText(best.score, turnOf(fen)).replace("−", "minus ").replace("#", "mate in ");
  return `${score}, depth ${best.depth}: ${line}`;
}

function EngineStatus({ analysis, isOff, isOver, isCurrent }: {
  analysis: Analysis; isOff: boolean; isOver: boolean; isCurrent: boolean;
}) {
  if (isOver) return <>Game over</>;
  if (isOff) return <>Turn the engine on to see lines</>;
  if (analysis.status === "failed") return <span class="problem">{analysis.error}</span>;
  if (analysis.status === "loading") return <>Loading the engine …</>;
  const best = isCurrent ? analysis.lines[0] : undefined;
  if (!best) return <>…</>;
  return <>Depth {best.depth} · {count(best.nps)}/s</>;
}

function EngineLine({ app, info, fen, chess960 }: {
  app: App; info: Analysis["lines"][number] | undefined; fen: string; chess960: boolean;
}) {
  const isOpen = useSignal(false);
  const pv = info?.pv.join(" ");
  const moves = useMemo(() => (info ? sanLine(fen, chess960, info.pv, 18) : []), [pv, fen]);
  if (!info) return <li class="line is-empty" aria-hidden="true">&nbsp;</li>;
  const score = scoreText(info.score, turnOf(fen));
  /** Plays the line up to a move. */
  const playTo = (index: number) => {
    for (const { uci } of moves.slice(0, index + 1)) playMove(app, uci);
  };
  return (
    <li class={`line ${isOpen.value ? "is-open" : ""}`}>
      <span class={`chip ${score.startsWith("−") || score.startsWith("#−") ? "b" : "w"}`}>{score}</span>
      <span class="pv">
        {moves.map(({ san, number }, index) => (
          <button type="button" class="mv" onClick={() => playTo(index)}>
            {number && <span class="no">{number}</span>}{san}
          </button>
        ))}
      </span>
      <button type="button" class="quiet more" aria-expanded={isOpen.value} aria-label="The whole line"
        onClick={() => (isOpen.value = !isOpen.value)}>{isOpen.value ? "▴" : "▾"}</button>
    </li>
  );
}

/** The value of each piece, coloured by whether it is worth more than its like. */
function pieceTexts(fen: string, pieces: { square: string; value: number }[]) {
  const position = new Position(fen, { tolerant: true });
  const known = pieces.flatMap(({ square, value }) => {
    const type = position.pieceAt(square)?.type;
    return type && type !== "k" ? [{ square, type, worth: Math.abs(value) }] : [];
  });
  return known.map(({ square, type, worth }) => {
    const alike = known.filter((each) => each.type === type);
    const ratio = worth / Math.max(1, alike.reduce((sum, each) => sum + each.worth, 0) / alike.length);
    const color = ratio > 1.08 ? "good" : ratio < 0.92 ? "bad" : "plain";
    return { square, text: (worth / 100).toFixed(1), color };
  });
}

/** The evaluation in words and the opening book. `facts` is null until those of the position are known. */
function FactsBoxes({ app, facts }: { app: App; facts: Facts | null }) {
  // A box that is open stays so from move to move.
  const last = useRef<Facts>({});
  if (facts) last.current = facts;
  const { evaluation, book } = last.current;
  return (
    <>
      {evaluation === null && <p class="box hint">In check there is no evaluation without a search.</p>}
      {evaluation && (
        <details class="box fold">
          <summary>Why: the evaluation in words</summary>
          <ul class="words">{evaluation.words.map((each) => <li>{each}</li>)}</ul>
          <label class="check">
            <input type="checkbox" checked={hasValues.value} onChange={() => (hasValues.value = !hasValues.value)} />
            Show the value of each piece on the board (v): green is worth more than its like, red less
          </label>
          <table class="terms">
            <thead><tr><th scope="col">Term</th><th scope="col">White</th><th scope="col">Black</th></tr></thead>
            <tbody>
              {evaluation.terms.map(({ name, white, black }) => (
                <tr>
                  <th scope="row">{name}</th><td>{(white / 100).toFixed(2)}</td><td>{(black / 100).toFixed(2)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      {book && (
        <details class="box fold">
          <summary>Opening book</summary>
          {book.length === 0 && <p class="muted">The book has no move here.</p>}
          <ul class="book">
            {book.map(({ uci, san, share }) => (
              <li>
                <button type="button" class="mv" disabled={!facts} onClick={() => playMove(app, uci)}>{san}</button>
                <span class="share"><span style={{ width: `${Math.round(share * 100)}%` }} /></span>
                <span class="percent">{Math.round(share * 100)} %</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Comment and glyphs of the move shown, and what can be done to its variation. */
function Annotate({ app, path, comment, setComment }: {
  app: App; path: Path; comment: string; setComment: (text: string) => void;
}) {
  const isOpen = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key arrives, which would be lost otherwise.
  useLayoutEffect(() => field.current?.focus(), [isOpen.value]);
  const game = app.game.value;
  const node = nodeAt(game, path);
  const parts = comment.includes("[%") ? parseComment(comment) : null;
  const toggle = (nag: number) => {
    app.game.value = toggleGlyph(game, path, nag);
  };
  return (
    <div class="annotate">
      <div class="glyphs" role="group" aria-label="Judge the move">
        {[3, 1, 5, 6, 2, 4].map((nag) => (
          <button type="button" class={`quiet nag-${nag}`} disabled={!node}
            aria-pressed={node?.nags.includes(nag) ?? false} aria-label={GLYPHS[nag][1]}
            title={GLYPHS[nag][1]} onClick={() => toggle(nag)}>{GLYPHS[nag][0]}</button>
        ))}
        <button type="button" class="quiet" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          Comment
        </button>
        {path.length > 1 && (
          <button type="button" class="quiet" title="Make this line the one above" onClick={() => {
            const done = promote(game, path);
            app.openGame(done.game, done.path);
            app.announce("Line promoted");
          }}>Promote</button>
        )}
        {node && (
          <button type="button" class="quiet" title="Delete this move and those after it" onClick={() => {
            const done = removeFrom(game, path);
            app.openGame(done.game, done.path);
            app.announce("Moves deleted");
          }}>Delete</button>
        )}
      </div>
      {isOpen.value && (
        <textarea ref={field} aria-label="Comment" rows={2} placeholder={node ? `About ${node.san}` : "About the game"}
          value={parts ? parts.text : comment} onInput={(event) => {
            // A brace ends a comment of PGN.
            const text = event.currentTarget.value.replaceAll("{", "(").replaceAll("}", ")");
            setComment(parts ? formatComment({ ...parts, text }) : text);
          }} />
      )}
    </div>
  );
}

/** The position and the game as text, and what else can be done with them. */
function Share({ app, fen }: { app: App; fen: string }) {
  const game = app.game.value;
  const copy = async (what: string, text: () => string) => {
    try {
      await navigator.clipboard.writeText(text());
      app.notify(`${what} copied.`, "info");
    } catch (error) {
      app.notify(`${what} cannot be copied: ${message(error)}`, "error");
    }
  };
  const open = (event: Event) => {
    const field = event.currentTarget as HTMLInputElement;
    if (field.value.trim() === fen) return;
    try {
      const position = new Position(field.value.trim(), { tolerant: true });
      app.openPosition(position.fen, position.chess960);
    } catch (error) {
      app.notify(message(error), "error");
      field.value = fen;
    }
  };
  return (
    <section class="box share-box" aria-label="Position and game">
      <label class="fen">FEN <input type="text" value={fen} spellcheck={false} autocomplete="off" onChange={open}
        onFocus={(event) => event.currentTarget.select()} /></label>
      <div class="buttons">
        <button type="button" onClick={() => copy("FEN", () => fen)}>Copy FEN</button>
        <button type="button" onClick={() => copy("PGN", () => writePgn(game))}>Copy PGN</button>
        <button type="button" onClick={() => saveGame(app)}>Save</button>
        <button type="button" onClick={() => playOf(app).continueFrom(fen, game.chess960)}>Play from here</button>
        <button type="button" class="primary" disabled={game.moves.length === 0} onClick={() => reviewOf(app).start()}>
          Review this game
        </button>
      </div>
    </section>
  );
}

/** Stands for the analysis while a game is played. */
function Paused({ app }: { app: App }) {
  return (
    <div class="narrow box">
      <h2>A game is in progress</h2>
      <p>The engine does not analyse while you play. Analysis opens when the game ends.</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => (app.view.value = "play")}>Back to the game</button>
        <button type="button" onClick={() => playOf(app).leave()}>End the game here</button>
      </div>
    </div>
  );
}
