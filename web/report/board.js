// A board in SVG, with the geometry and the classes of the pictures in the page: squares of 100 units in a frame of 44.
// The page holds the pieces as symbols with ids such as "piece-white-knight".

import { el, svg, button } from "./dom.js";
import { checkedKing, colorOf, describe, legalMoves, parseFen, pieceName, squareName } from "./rules.js";

const SIDE = 100;
const FRAME = 44;
const WHOLE = 8 * SIDE + 2 * FRAME;

/** The outline of an arrow between the centres of two cells. */
export function arrowPath([x0, y0], [x1, y1]) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
  const outline = [
    [28, 9], [length - 52, 9], [length - 52, 27], [length - 8, 0], [length - 52, -27], [length - 52, -9], [28, -9],
  ];
  const points = outline.map(([along, aside]) => {
    const [x, y] = [x0 + along * dx - aside * dy, y0 + along * dy + aside * dx];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/**
 * Puts a board into an element. It shows positions; after `ask`, it takes a move by click, drag or keyboard.
 */
export function createBoard(host) {
  let position = null;
  let bottom = "w";
  let marks = { lastMove: null, arrows: [], label: "" };
  let onMove = null;
  let moves = [];
  let selected = -1;
  let cursor = -1;
  let drag = null;

  const layers = {
    squares: svg("g"), coordinates: svg("g", { class: "b-coordinates", "aria-hidden": "true" }), tints: svg("g"),
    pieces: svg("g"), targets: svg("g"), arrows: svg("g"), cells: svg("g"),
  };
  const root = svg("svg", { viewBox: `0 0 ${WHOLE} ${WHOLE}`, class: "b-board" }, ...Object.values(layers));
  const promotion = el("div", { class: "promotion", role: "group", "aria-label": "Promote to", hidden: true });
  host.replaceChildren(root, promotion);
  host.removeAttribute("role");
  host.removeAttribute("aria-label");

  const corner = (square) => {
    const [file, rank] = [square & 7, square >> 3];
    const [column, row] = bottom === "w" ? [file, 7 - rank] : [7 - file, rank];
    return [FRAME + column * SIDE, FRAME + row * SIDE];
  };
  const center = (square) => corner(square).map((edge) => edge + SIDE / 2);
  const rect = (square, attributes) => {
    const [x, y] = corner(square);
    return svg("rect", { x, y, width: SIDE, height: SIDE, ...attributes });
  };

  function drawSquares() {
    layers.squares.replaceChildren(svg("rect", { class: "b-frame", width: WHOLE, height: WHOLE }));
    layers.coordinates.replaceChildren();
    for (let square = 0; square < 64; square++) {
      const isLight = ((square & 7) + (square >> 3)) % 2 === 1;
      layers.squares.append(rect(square, { class: isLight ? "b-light" : "b-dark" }));
    }
    for (let index = 0; index < 8; index++) {
      const [x] = center(index);
      const [, y] = center(8 * index);
      for (const edge of [FRAME / 2, WHOLE - FRAME / 2]) {
        layers.coordinates.append(
          svg("text", { x, y: edge + 9, "text-anchor": "middle" }, "abcdefgh"[index]),
          svg("text", { x: edge, y: y + 9, "text-anchor": "middle" }, String(index + 1)),
        );
      }
    }
  }

  function drawCells() {
    const isActive = onMove !== null;
    layers.cells.replaceChildren();
    root.setAttribute("role", isActive ? "grid" : "img");
    root.setAttribute("aria-label", isActive ? "Board: choose a move" : `${marks.label} ${describe(position)}`.trim());
    host.classList.toggle("is-active", isActive);
    for (let row = 0; row < 8; row++) {
      const group = svg("g", isActive ? { role: "row" } : { "aria-hidden": "true" });
      for (let column = 0; column < 8; column++) {
        const square = bottom === "w" ? column + 8 * (7 - row) : 7 - column + 8 * row;
        const piece = position.board[square];
        const label = `${squareName(square)}${piece ? `, ${pieceName(piece)}` : ""}`;
        const active = {
          role: "gridcell", tabindex: square === cursor ? 0 : -1, "aria-label": label,
          "aria-selected": square === selected ? "true" : "false",
        };
        group.append(rect(square, { class: "b-cell", "data-square": squareName(square), ...(isActive ? active : {}) }));
      }
      layers.cells.append(group);
    }
  }

  function drawTints() {
    const tints = [];
    for (const square of marks.lastMove ?? []) tints.push(rect(square, { class: "b-last-move" }));
    const king = checkedKing(position);
    if (king >= 0) {
      const [cx, cy] = center(king);
      for (const r of [50, 44, 37]) tints.push(svg("circle", { class: "b-check", cx, cy, r }));
    }
    if (selected >= 0) tints.push(rect(selected, { class: "b-selected" }));
    layers.tints.replaceChildren(...tints);
    const targets = selected < 0 ? [] : moves.filter((move) => move.from === selected);
    layers.targets.replaceChildren(
      ...[...new Set(targets.map((move) => move.to))].map((square) => {
        const [cx, cy] = center(square);
        return svg("circle", { class: position.board[square] ? "b-target b-take" : "b-target", cx, cy,
          r: position.board[square] ? 44 : 15 });
      }),
    );
  }

  function drawPieces() {
    layers.pieces.replaceChildren();
    position.board.forEach((piece, square) => {
      if (!piece) return;
      const [x, y] = corner(square);
      const id = `piece-${pieceName(piece).replace(" ", "-")}`;
      const use = svg("use", { href: `#${id}`, x, y, width: SIDE, height: SIDE, "data-square": squareName(square) });
      layers.pieces.append(use);
    });
    layers.arrows.replaceChildren(
      ...marks.arrows.map(({ from, to, color }) =>
        svg("path", { class: `b-arrow b-${color}`, d: arrowPath(center(from), center(to)) })),
    );
  }

  function draw() {
    drawSquares();
    drawTints();
    drawPieces();
    drawCells();
  }

  function refresh() {
    drawTints();
    for (const cell of layers.cells.querySelectorAll("[role=gridcell]")) {
      const square = squareOfCell(cell);
      cell.setAttribute("aria-selected", square === selected ? "true" : "false");
      cell.setAttribute("tabindex", square === cursor ? "0" : "-1");
    }
  }

  function squareOfCell(cell) {
    const name = cell.getAttribute?.("data-square");
    return name ? name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1) : -1;
  }

  function squareAt(event) {
    const box = root.getBoundingClientRect();
    const column = Math.floor((((event.clientX - box.left) / box.width) * WHOLE - FRAME) / SIDE);
    const row = Math.floor((((event.clientY - box.top) / box.height) * WHOLE - FRAME) / SIDE);
    if (column < 0 || column > 7 || row < 0 || row > 7) return -1;
    return bottom === "w" ? column + 8 * (7 - row) : 7 - column + 8 * row;
  }

  const isOwn = (square) => position.board[square] && colorOf(position.board[square]) === position.turn;

  /** Makes the selected piece move to a square if it can; says whether it can. */
  function tryMove(to) {
    // Castling is a move of the king by two squares or onto the rook.
    const found = moves.filter(
      (move) => move.from === selected && (move.to === to || (move.castling && move.castling.rook === to)),
    );
    if (found.length === 0) return false;
    if (found[0].promotion) askPromotion(found);
    else finish(found[0]);
    return true;
  }

  function finish(move) {
    const done = onMove;
    rest();
    done(move);
  }

  function askPromotion(choices) {
    const names = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };
    const close = () => {
      promotion.hidden = true;
      select(-1);
    };
    promotion.replaceChildren(
      ...choices.map((move) => button(names[move.promotion], () => finish(move))),
      button("Cancel", close),
    );
    promotion.onkeydown = (event) => {
      if (event.key === "Escape") close();
    };
    promotion.hidden = false;
    promotion.firstChild.focus();
  }

  function select(square) {
    selected = square;
    refresh();
  }

  function choose(square) {
    if (selected >= 0 && tryMove(square)) return;
    select(isOwn(square) && square !== selected ? square : -1);
  }

  function rest() {
    onMove = null;
    selected = -1;
    moves = [];
    promotion.hidden = true;
    endDrag();
    refresh();
    drawCells();
  }

  function endDrag() {
    drag?.piece?.removeAttribute("transform");
    drag?.piece?.classList.remove("is-dragged");
    drag = null;
  }

  root.addEventListener("pointerdown", (event) => {
    if (!onMove || event.button > 0) return;
    const square = squareAt(event);
    if (square < 0) return;
    event.preventDefault();
    const wasSelected = square === selected;
    if (selected >= 0 && tryMove(square)) return;
    cursor = square;
    if (!isOwn(square)) return select(-1);
    select(square);
    const piece = layers.pieces.querySelector(`[data-square=${squareName(square)}]`);
    drag = { square, piece, wasSelected, x: event.clientX, y: event.clientY };
    root.setPointerCapture?.(event.pointerId);
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const unit = WHOLE / root.getBoundingClientRect().width;
    const [x, y] = [(event.clientX - drag.x) * unit, (event.clientY - drag.y) * unit];
    if (Math.hypot(x, y) < 12 && !drag.hasMoved) return;
    drag.hasMoved = true;
    drag.piece.classList.add("is-dragged");
    drag.piece.setAttribute("transform", `translate(${x} ${y})`);
    layers.pieces.append(drag.piece);
  });
  root.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { square, hasMoved, wasSelected } = drag;
    endDrag();
    const to = squareAt(event);
    if (hasMoved && to >= 0 && to !== square) tryMove(to);
    else if (!hasMoved && wasSelected) select(-1);
  });
  root.addEventListener("pointercancel", endDrag);

  root.addEventListener("keydown", (event) => {
    if (!onMove || event.ctrlKey || event.altKey || event.metaKey) return;
    const away = bottom === "w" ? 1 : -1;
    const steps = { ArrowLeft: [-away, 0], ArrowRight: [away, 0], ArrowUp: [0, away], ArrowDown: [0, -away] };
    if (steps[event.key]) {
      const [file, rank] = [(cursor & 7) + steps[event.key][0], (cursor >> 3) + steps[event.key][1]];
      if (file >= 0 && file < 8 && rank >= 0 && rank < 8) focus(file + 8 * rank);
    } else if (event.key === "Enter" || event.key === " ") {
      choose(cursor);
    } else if (event.key === "Escape" && selected >= 0) {
      select(-1);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  root.addEventListener("focusin", (event) => {
    const square = squareOfCell(event.target);
    if (square >= 0) cursor = square;
  });

  function focus(square) {
    cursor = square;
    refresh();
    layers.cells.querySelector(`[data-square=${squareName(square)}]`).focus();
  }

  return {
    element: root,
    /** Shows a FEN. Marks are `lastMove` ([from, to]), `arrows` ({ from, to, color }) and a `label` in words. */
    show(fen, { lastMove = null, arrows = [], label = "" } = {}) {
      position = parseFen(fen);
      marks = { lastMove, arrows, label };
      onMove = null;
      selected = -1;
      promotion.hidden = true;
      drag = null;
      draw();
    },
    /** Lets the reader make a move in the position shown; the callback gets a legal one. */
    ask(callback) {
      onMove = callback;
      moves = legalMoves(position);
      cursor = position.board.findIndex((piece) => piece === (position.turn === "w" ? "K" : "k"));
      drawCells();
    },
    /** Takes no more moves. */
    rest,
    /** Puts the keyboard's focus on the board. */
    focus: () => onMove && focus(cursor),
    /** Puts a side at the bottom: "w" or "b". */
    turnTo(side) {
      bottom = side;
      if (position) draw();
    },
    bottom: () => bottom,
  };
}
