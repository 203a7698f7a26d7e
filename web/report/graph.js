// Graphs of a game: a click goes to a move, a line marks the move shown. The pictures are in the page: their width is
// the number of plies.

import { svg } from "./dom.js";

/** The ply at a place of a graph, whose left edge is 0 and right edge 1. */
export function plyAt(share, plies) {
  return Math.max(0, Math.min(plies, Math.round(share * plies)));
}

/** Makes a graph answer to clicks with `goTo(ply)`; returns a function that marks a ply. */
export function enhanceGraph(host, plies, goTo) {
  const picture = host.querySelector("svg");
  if (!picture || plies === 0) return () => {};
  const { height } = picture.viewBox.baseVal;
  const line = svg("path", { class: "graph-cursor", "vector-effect": "non-scaling-stroke" });
  picture.append(line);
  host.classList.add("is-clickable");
  let isDown = false;
  const go = (event) => {
    const box = picture.getBoundingClientRect();
    goTo(plyAt((event.clientX - box.left) / box.width, plies));
  };
  picture.addEventListener("pointerdown", (event) => {
    isDown = true;
    go(event);
  });
  picture.addEventListener("pointermove", (event) => {
    if (isDown && event.buttons > 0) go(event);
  });
  picture.addEventListener("pointerup", () => {
    isDown = false;
  });
  return (ply) => line.setAttribute("d", `M${ply} 0V${height}`);
}
