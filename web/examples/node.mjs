// Analyses a position, plays a level's move and reviews a game: `node node.mjs`.

// In a project of yours: from "bartizan".
import { Engine } from "../src/index.js";

const engine = await Engine.create();
for await (const { multipv, depth, score, pv } of engine.analyse({ moves: ["e2e4"], multipv: 3, depth: 12 })) {
  console.log(`line ${multipv}, depth ${depth}, ${score.type} ${score.value}: ${pv.join(" ")}`);
}
const { move } = await engine.play({ moves: ["e2e4"], rating: 1500 });
console.log(`A player rated 1500 plays ${move}.`);
const report = await engine.review("1. f3 e5 2. g4 Qh4# 0-1", { nodes: 20_000 });
for (const { san, class: judgement, reasons } of report.moves) console.log(san, judgement, ...reasons);
await engine.close();
