// The view of a game against the engine.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Position } from "bartizan";
import { spoken } from "./announce.ts";
import { parseControl, timeLeft } from "./clock.ts";
import { endText } from "./ends.ts";
import { clockText, counted, turnOf } from "./format.ts";
import { useKeys, type KeyMap } from "./keys.ts";
import { IconButton, Moves, Steps } from "./moves.tsx";
import { from, levelName, playOf, type Session } from "./play.ts";
import { reviewOf } from "./review.tsx";
import { advantage, MoveField, Stage, whyNot, type PlayerProps } from "./stage.tsx";
import { emptyGame, type App, type Side } from "./store.ts";
import { fenAt, nodeAt, type Path } from "./tree.ts";

const FLIP = "M7 20V8H3l5.5-6L14 8h-4v12zM14 4v12h-4l5.5 6 5.5-6h-4V4z";
const CONTROLS = ["", "3+2", "5+3", "10+0", "15+10"];

export function PlayView({ app }: { app: App }) {
  const play = playOf(app);
  const session = play.session.value;
  const isOurs = play.isOurs.value && session !== null;
  const game = isOurs ? app.game.value : startOf();
  const settings = app.settings.value;
  const length = game.moves.length;
  const path: Path = isOurs ? [Math.min(app.path.value[0], length)] : [0];
  const isLast = path[0] === length;
  const fen = fenAt(game, path);
  const turn = turnOf(fen);
  const node = nodeAt(game, path);
  const isMyTurn = isOurs && play.isOn.value && isLast && turn === session.human;
  const bottom = isOurs ? settings.orientation : settings.side === "b" ? "b" : "w";

  const go = (to: number) => {
    if (!isOurs) return;
    const ply = Math.max(0, Math.min(length, to));
    app.path.value = [ply];
    const move = nodeAt(game, [ply]);
    app.announce(move ? spoken(move.san) : "Start");
  };
  const flip = () => app.set({ orientation: settings.orientation === "w" ? "b" : "w" });
  const keys: KeyMap = {
    ArrowLeft: { help: "Previous move", run: () => go(path[0] - 1) },
    ArrowRight: { help: "Next move", run: () => go(path[0] + 1) },
    Home: { help: "First position", run: () => go(0) },
    End: { help: "Last position", run: () => go(length) },
    f: { help: "Turn the board", run: flip },
    h: { help: "Hint", run: () => isMyTurn && void play.hint() },
    u: { help: "Take back", run: () => isLast && play.takeBack() },
  };
  useKeys(keys);

  const player = (side: Side): PlayerProps => {
    const isHuman = isOurs ? side === session.human : side === bottom;
    const level = isOurs ? session.level : settings.level;
    const clock = isOurs ? session.clock : null;
    const left = clock ? timeLeft(clock, side, clock.running ? play.now.value : 0) : 0;
    return {
      side,
      name: isHuman ? "You" : "Bartizan",
      detail: isHuman ? (isMyTurn && side === turn ? "your turn" : undefined)
        : isOurs && session.isThinking ? "is thinking …" : `${level}, ${levelName(level)}`,
      clock: clock ? clockText(left) : undefined,
      isLow: left < 20_000,
      isRunning: isOurs && play.isOn.value && turnOf(fenAt(game, [length])) === side,
      taken: advantage(fen, side),
    };
  };
  const hint = isOurs && isLast ? session.hint : null;
  const arrows = hint ? [{ from: hint.slice(0, 2), to: hint.slice(2, 4), color: "best" }] : [];

  return (
    <Stage
      top={player(bottom === "w" ? "b" : "w")} bottom={player(bottom)}
      board={{
        fen, chess960: game.chess960, orientation: bottom, lastMove: node?.uci, arrows,
        label: node ? `After ${node.san}.` : "The first position.",
        onMove: isMyTurn ? play.humanMove : null,
        onIllegal: (a, b) => app.notify(whyNot(fen, game.chess960, a, b), "info"),
      }}
    >
      {isOurs ? (
        <>
          {session.end
            ? <Result app={app} session={session} />
            : <Status session={session} isMyTurn={isMyTurn} isLast={isLast} onLast={() => go(length)}
              retry={play.retry} />}
          <section class="box list" aria-label="Game">
            <Moves app={app} game={game} path={path} isPlain onGo={([ply]) => go(ply)} />
          </section>
          <Steps onFirst={keys.Home.run} onBack={keys.ArrowLeft.run} onNext={keys.ArrowRight.run} onLast={keys.End.run}>
            <IconButton path={FLIP} label="Turn the board (f)" onClick={flip} />
          </Steps>
          {!session.end && (
            <>
              <MoveField fen={fen} chess960={game.chess960} onMove={play.humanMove} closed={isMyTurn ? undefined
                : isLast ? "It is not your move yet." : "You are looking at an earlier position."} />
              <Actions app={app} isMyTurn={isMyTurn} canTakeBack={isLast && length > (session.human === "w" ? 0 : 1)} />
            </>
          )}
        </>
      ) : (
        <>
          <Continue app={app} />
          <NewGame app={app} />
        </>
      )}
    </Stage>
  );
}

let shownStart: { key: string; game: ReturnType<typeof emptyGame> } | undefined;

/** The position that the next game begins with. */
function startOf() {
  const key = from.value?.fen ?? "";
  if (shownStart?.key !== key) shownStart = { key, game: emptyGame(from.value?.fen, from.value?.chess960) };
  return shownStart.game;
}

function Status({ session, isMyTurn, isLast, onLast, retry }: {
  session: Session; isMyTurn: boolean; isLast: boolean; onLast: () => void; retry: () => void;
}) {
  if (session.problem) {
    return (
      <section class="box status-box">
        <p class="problem" role="alert">The engine does not answer: {session.problem}</p>
        <button type="button" onClick={retry}>Try again</button>
      </section>
    );
  }
  if (!isLast) {
    return (
      <section class="box status-box">
        <p>You are looking at an earlier position.</p>
        <button type="button" onClick={onLast}>Back to the game</button>
      </section>
    );
  }
  const waits = session.clock && !session.clock.running ? " The clock starts with the first move." : "";
  return (
    <section class={`box status-box ${isMyTurn ? "is-mine" : ""}`}>
      <p>{isMyTurn ? `Your move.${waits}` : "Bartizan is thinking …"}</p>
    </section>
  );
}

function Actions({ app, isMyTurn, canTakeBack }: { app: App; isMyTurn: boolean; canTakeBack: boolean }) {
  const play = playOf(app);
  const isSure = useSignal(false);
  return (
    <div class="actions">
      <button type="button" disabled={!canTakeBack} onClick={play.takeBack}>Take back</button>
      <button type="button" disabled={!isMyTurn} onClick={play.hint}>Hint</button>
      <button type="button" disabled={!isMyTurn} onClick={play.offerDraw}>Offer draw</button>
      {isSure.value
        ? (
          <>
            <button type="button" class="danger" onClick={play.resign}>Yes, resign</button>
            <button type="button" onClick={() => (isSure.value = false)}>Play on</button>
          </>
        )
        : <button type="button" onClick={() => (isSure.value = true)}>Resign</button>}
    </div>
  );
}

function Result({ app, session }: { app: App; session: Session }) {
  const play = playOf(app);
  const end = session.end;
  if (!end) return null;
  const isDraw = end.result === "1/2-1/2";
  const hasWon = end.result === (session.human === "w" ? "1-0" : "0-1");
  return (
    <section class="box result-box" aria-label="Result">
      <h2>{isDraw ? "Draw" : hasWon ? "You win!" : "You lose"}</h2>
      <p>{endText(end)}</p>
      <div class="buttons">
        <button type="button" class="primary" disabled={app.game.value.moves.length === 0}
          onClick={() => reviewOf(app).start()}>Review the game</button>
        <button type="button" onClick={() => (app.view.value = "analyse")}>Analyse</button>
        <button type="button" onClick={() => play.start(app.game.peek())}>Rematch</button>
        <button type="button" onClick={play.leave}>New game</button>
      </div>
    </section>
  );
}

/** Offers the game that was left, by a reload or for another game. */
function Continue({ app }: { app: App }) {
  const play = playOf(app);
  const old = play.unfinished.value;
  if (!old) return null;
  return (
    <section class="box continue" aria-label="Unfinished game">
      <p>You play {old.human === "w" ? "White" : "Black"}, {counted(old.moves, "move")} so far
        {old.left ? `, ${clockText(old.left[old.human])} left` : ""}.</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={play.resume}>
          Continue the game against Bartizan ({old.level})
        </button>
        <button type="button" onClick={play.forget}>Do not continue</button>
      </div>
    </section>
  );
}

function NewGame({ app }: { app: App }) {
  const play = playOf(app);
  const settings = app.settings.value;
  const isOwn = useSignal(!CONTROLS.includes(settings.clock));
  const own = useRef<HTMLInputElement>(null);
  const problem = useSignal("");
  const variant = useSignal<"chess" | "chess960">("chess");
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    const isByKey = event.submitter?.matches(":focus-visible");
    if (settings.clock && !parseControl(settings.clock)) {
      problem.value = `“${settings.clock}” is not a time control. Write minutes and seconds a move, such as 5+3.`;
      own.current?.focus();
      return;
    }
    if (from.value) play.start(from.value);
    else if (variant.value === "chess960") {
      play.start({ fen: Position.chess960(Math.floor(Math.random() * 960)).fen, chess960: true });
    } else play.start();
    // A phone shows the end of the form.
    scrollTo({ top: 0, behavior: "instant" });
    // The button that had the keyboard's focus is gone.
    if (isByKey) setTimeout(() => document.querySelector<SVGElement>(".bd .b-cell[tabindex='0']")?.focus(), 50);
  };
  return (
    <form class="box new-game" onSubmit={start}>
      <h2>Play against Bartizan</h2>
      <div class="level">
        <label for="level">Level <b>{settings.level}</b> <span class="word">{levelName(settings.level)}</span></label>
        <input id="level" type="range" min={600} max={3000} step={50} value={settings.level}
          aria-valuetext={`${settings.level}, ${levelName(settings.level)}`}
          onInput={(event) => app.set({ level: Number(event.currentTarget.value) })} />
      </div>
      <fieldset class="choice">
        <legend>You play</legend>
        {([["w", "White"], ["random", "Random"], ["b", "Black"]] as const).map(([value, name]) => (
          <label><input type="radio" name="side" checked={settings.side === value}
            onChange={() => app.set({ side: value })} /><span>{name}</span></label>
        ))}
      </fieldset>
      <fieldset class="choice">
        <legend>Clock</legend>
        {CONTROLS.map((value) => (
          <label><input type="radio" name="clock" checked={!isOwn.value && settings.clock === value}
            onChange={() => {
              isOwn.value = false;
              app.set({ clock: value });
            }} /><span>{value || "None"}</span></label>
        ))}
        <label><input type="radio" name="clock" checked={isOwn.value}
          onChange={() => (isOwn.value = true)} /><span>Own</span></label>
      </fieldset>
      {isOwn.value && (
        <label class="own">Minutes + seconds a move
          <input type="text" ref={own} value={settings.clock} placeholder="20+5" inputMode="text" autocomplete="off"
            onInput={(event) => {
              problem.value = "";
              app.set({ clock: event.currentTarget.value });
            }} />
        </label>
      )}
      {problem.value && <p class="problem" role="alert">{problem.value}</p>}
      {from.value
        ? (
          <p class="from">From the position on the board.{" "}
            <button type="button" class="quiet" onClick={() => (from.value = null)}>Usual position</button></p>
        )
        : (
          <fieldset class="choice">
            <legend>Start</legend>
            {([["chess", "Chess"], ["chess960", "Chess960"]] as const).map(([value, name]) => (
              <label><input type="radio" name="variant" checked={variant.value === value}
                onChange={() => (variant.value = value)} /><span>{name}</span></label>
            ))}
          </fieldset>
        )}
      <button type="submit" class="primary big">Start the game</button>
    </form>
  );
}
