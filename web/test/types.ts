// A user of the types: `examples.test.mjs` compiles this file.

import { BartizanError, Engine, Game, Position, init, type GameReport, type Info, type Move } from "bartizan";
import { parsePgn } from "bartizan/rules";

await init();
const engine: Engine = await Engine.create({ hash: 32 });
const moves: Move[] = new Position().legalMoves({ piece: "n" });
const game = new Game({ fen: new Position().fen });
game.push(moves[0]!);
for await (const info of engine.analyse({ fen: game.fen, multipv: 3, depth: 10 })) {
  const line: Info = info;
  const pair: [number, string] = [line.score.value, line.pv.join(" ")];
  void pair;
}
const move: string | null = (await engine.play({ moves: [moves[0]!.uci], rating: 1500 })).move;
void move;
// @ts-expect-error: a level has a rating
await engine.play({});
// @ts-expect-error: no such limit
await engine.bestMove({ dephts: 3 });
const report: GameReport | null = await engine.review("1. e4 *", {
  onProgress: ({ done, total }) => void (done / total),
});
const judgement: string | undefined = report?.moves[0]?.class;
// @ts-expect-error: a word, not `any`
const wrong: number | undefined = report?.moves[0]?.class;
void [judgement, wrong, parsePgn("1. e4 *"), new BartizanError({ kind: "fen", message: "" }).kind];
