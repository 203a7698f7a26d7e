import { Engine, Position, init } from "bartizan";

const ready = Promise.all([Engine.create(), init()]);
const [input, button] = document.querySelectorAll("input, button");
const show = (id, text) => (document.getElementById(id).textContent = text);

button.onclick = async () => {
  button.disabled = true;
  try {
    const [engine] = await ready;
    const fen = input.value;
    const moves = new Position(fen).legalMoves();
    show("moves", moves.map(({ san }) => san).join(" "));
    show("level", (await engine.play({ fen, rating: 1500, movetime: 300 })).move);
    const lines = [];
    for await (const { multipv, depth, score, pv } of engine.analyse({ fen, multipv: 3, movetime: 2000 })) {
      lines[multipv - 1] = `depth ${depth}, ${score.type} ${score.value}: ${pv.join(" ")}`;
      show("lines", lines.join("\n"));
    }
  } catch (error) {
    show("lines", error.message);
  }
  button.disabled = false;
};
