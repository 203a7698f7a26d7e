// A board in SVG, with the geometry and the classes of the pictures in the page: squares of 100 units in a frame of 44,
// or without a frame, with the coordinates on the squares. The page holds the pieces as symbols with ids such as
// "piece-white-knight".

import { el, svg, button } from "./dom.js";
import { checkedKing, colorOf, describe, legalMoves, parseFen, parseSquare, pieceName, squareName } from "./rules.js";

const SIDE = 100;
const SLIDE = 160;

/** The outline of an arrow between the centres of two cells; `weight` scales its width. */
export function arrowPath([x0, y0], [x1, y1], weight = 1) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
  const [half, head] = [9 * weight, 27 * weight];
  const neck = length - 8 - 44 * weight;
  const outline = [[28, half], [neck, half], [neck, head], [length - 8, 0], [neck, -head], [neck, -half], [28, -half]];
  const points = outline.map(([along, aside]) => {
    const [x, y] = [x0 + along * dx - aside * dy, y0 + along * dy + aside * dx];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/** The pieces that slide from one position to the next: pairs of squares. */
export function slides(before, after) {
  const left = before.flatMap((piece, square) => (piece && after[square] !== piece ? [square] : []));
  return after.flatMap((piece, square) => {
    if (!piece || before[square] === piece) return [];
    // A promoted piece comes from the square of a pawn.
    const from = left.find((each) => before[each] === piece)
      ?? left.find((each) => before[each].toLowerCase() === "p" && colorOf(before[each]) === colorOf(piece)
        && Math.abs((each >> 3) - (square >> 3)) === 1 && [0, 7].includes(square >> 3));
    if (from === undefined) return [];
    left.splice(left.indexOf(from), 1);
    return [[from, square]];
  });
}

/**
 * Puts a board into an element. It shows positions; after `ask`, it takes a move by click, drag or keyboard; after
 * `edit`, pieces can be placed anywhere.
 *
 * Options: `frame` is the width of the frame, 0 for none; `isAnimated` lets pieces slide; `isBrowsable` lets the
 * keyboard read the squares while no move is asked for; `onIllegal(from, to)` hears of a move that is not legal;
 * `onDraw(from, to, color)` of an arrow drawn with the right button, or a mark if both squares are one.
 */
export function createBoard(host, options = {}) {
  const { frame: FRAME = 44, isAnimated = false, isBrowsable = false, onIllegal = null, onDraw = null } = options;
  const WHOLE = 8 * SIDE + 2 * FRAME;
  let position = null;
  let bottom = "w";
  let marks = { lastMove: null, arrows: [], squares: [], texts: [], label: "" };
  let onMove = null;
  let editor = null;
  let drawing = null;
  let dropped = -1;
  let moves = [];
  let selected = -1;
  let cursor = -1;
  let drag = null;

  const layers = {
    squares: svg("g"), coordinates: svg("g", { class: "b-coordinates", "aria-hidden": "true" }), tints: svg("g"),
    pieces: svg("g"), targets: svg("g"), arrows: svg("g"), texts: svg("g", { "aria-hidden": "true" }), cells: svg("g"),
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
    if (FRAME === 0) return drawInnerCoordinates();
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

  function drawInnerCoordinates() {
    for (let square = 0; square < 64; square++) {
      const [x, y] = corner(square);
      const shade = ((square & 7) + (square >> 3)) % 2 === 1 ? "b-on-light" : "b-on-dark";
      const [file, rank] = squareName(square);
      if (x === 0) layers.coordinates.append(svg("text", { class: shade, x: 6, y: y + 24 }, rank));
      if (y === 7 * SIDE) {
        layers.coordinates.append(svg("text", { class: shade, x: x + 94, y: y + 92, "text-anchor": "end" }, file));
      }
    }
  }

  function drawCells() {
    const isActive = onMove !== null || editor !== null || isBrowsable;
    const isFocused = root.contains(document.activeElement);
    layers.cells.replaceChildren();
    root.setAttribute("role", isActive ? "grid" : "img");
    const task = editor ? "Board: place pieces" : onMove ? "Board: choose a move" : `Board. ${marks.label}`.trim();
    root.setAttribute("aria-label", isActive ? task : `${marks.label} ${describe(position)}`.trim());
    host.classList.toggle("is-active", onMove !== null || editor !== null);
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
    if (isActive && isFocused) focus(cursor);
  }

  function drawTints() {
    const tints = marks.squares.map(({ square, color }) => rect(parseSquare(square), { class: `b-mark b-${color}` }));
    for (const square of marks.lastMove ?? []) tints.push(rect(square, { class: "b-last-move" }));
    const king = checkedKing(position);
    if (king >= 0) {
      const [cx, cy] = center(king);
      for (const r of [50, 44, 37]) tints.push(svg("circle", { class: "b-check", cx, cy, r }));
    }
    if (selected >= 0) tints.push(rect(selected, { class: "b-selected" }));
    if (drag?.over >= 0) tints.push(rect(drag.over, { class: "b-over" }));
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
    drawMarks();
  }

  function drawMarks() {
    layers.arrows.replaceChildren(
      ...marks.arrows.filter(({ from, to }) => from !== to).map(({ from, to, color, weight }) =>
        svg("path", { class: `b-arrow b-${color}`, d: arrowPath(center(from), center(to), weight) })),
    );
    layers.texts.replaceChildren(
      ...marks.texts.flatMap(({ square, text, color }) => {
        const [x, y] = corner(parseSquare(square));
        const width = 14 + 14 * text.length;
        return [
          svg("rect", { class: `b-chip b-${color}`, x: x + 98 - width, y: y + 70, width, height: 28, rx: 8 }),
          svg("text", { class: "b-chip-text", x: x + 98 - width / 2, y: y + 92, "text-anchor": "middle" }, text),
        ];
      }),
    );
  }

  /** Lets the pieces that have moved slide to their squares. */
  function slide(before) {
    if (!isAnimated || !root.animate || globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches) return;
    const moved = slides(before.board, position.board);
    // Another position, not a move.
    if (moved.length > 4) return;
    for (const [from, to] of moved) {
      if (to === dropped) continue;
      const piece = layers.pieces.querySelector(`[data-square=${squareName(to)}]`);
      const [[x0, y0], [x1, y1]] = [corner(from), corner(to)];
      layers.pieces.append(piece);
      piece.animate([{ transform: `translate(${x0 - x1}px, ${y0 - y1}px)` }, { transform: "none" }],
        { duration: SLIDE, easing: "ease-out" });
    }
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
      ...choices.map((move) => choiceOf(move, names[move.promotion])),
      button("Cancel", close),
    );
    promotion.onkeydown = (event) => {
      if (event.key === "Escape") close();
    };
    promotion.hidden = false;
    promotion.firstChild.focus();
  }

  function choiceOf(move, name) {
    const color = position.turn === "w" ? "white" : "black";
    const picture = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" },
      svg("use", { href: `#piece-${color}-${name.toLowerCase()}`, width: 100, height: 100 }));
    return el("button", { type: "button", onclick: () => finish(move) }, picture, el("span", {}, name));
  }

  function select(square) {
    selected = square;
    refresh();
  }

  function choose(square) {
    if (selected >= 0 && tryMove(square)) return;
    if (selected >= 0 && !isOwn(square)) onIllegal?.(squareName(selected), squareName(square));
    select(isOwn(square) && square !== selected ? square : -1);
  }

  function rest() {
    onMove = null;
    editor = null;
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

  function startDrag(event, square, wasSelected) {
    const piece = layers.pieces.querySelector(`[data-square=${squareName(square)}]`);
    drag = { square, piece, wasSelected, x: event.clientX, y: event.clientY, over: -1 };
    root.setPointerCapture?.(event.pointerId);
  }

  /** The colour of a drawing, by the keys held down. */
  const drawingColor = (event) => (event.shiftKey ? "red" : event.altKey ? "blue" : "green");

  root.addEventListener("contextmenu", (event) => {
    if (onDraw || editor) event.preventDefault();
  });
  root.addEventListener("pointerdown", (event) => {
    const square = squareAt(event);
    if (square < 0) return;
    if (event.button === 2 && onDraw && !editor) {
      drawing = { square, color: drawingColor(event) };
      return;
    }
    if (editor) {
      event.preventDefault();
      cursor = square;
      if (event.button > 0) return editor.move(squareName(square), null);
      if (!position.board[square]) return editor.press(squareName(square));
      return startDrag(event, square, false);
    }
    if (!onMove || event.button > 0) return;
    event.preventDefault();
    const wasSelected = square === selected;
    if (selected >= 0 && tryMove(square)) return;
    cursor = square;
    if (!isOwn(square)) {
      if (selected >= 0) onIllegal?.(squareName(selected), squareName(square));
      return select(-1);
    }
    select(square);
    startDrag(event, square, wasSelected);
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const unit = WHOLE / root.getBoundingClientRect().width;
    const [x, y] = [(event.clientX - drag.x) * unit, (event.clientY - drag.y) * unit];
    if (Math.hypot(x, y) < 12 && !drag.hasMoved) return;
    drag.hasMoved = true;
    drag.piece.classList.add("is-dragged");
    drag.piece.setAttribute("transform", `translate(${x} ${y})`);
    if (layers.pieces.lastChild !== drag.piece) layers.pieces.append(drag.piece);
    const over = squareAt(event);
    if (over === drag.over) return;
    drag.over = over;
    drawTints();
  });
  root.addEventListener("pointerup", (event) => {
    const to = squareAt(event);
    if (drawing) {
      const { square, color } = drawing;
      drawing = null;
      if (to >= 0) onDraw(squareName(square), squareName(to), color);
    }
    if (!drag) return;
    const { square, hasMoved, wasSelected } = drag;
    endDrag();
    if (editor) {
      if (!hasMoved) editor.press(squareName(square));
      else if (to !== square) {
        dropped = to;
        editor.move(squareName(square), to < 0 ? null : squareName(to));
      }
      return;
    }
    drawTints();
    if (hasMoved && to >= 0 && to !== square) {
      dropped = to;
      if (tryMove(to)) return;
      dropped = -1;
      onIllegal?.(squareName(square), squareName(to));
    } else if (!hasMoved && wasSelected) select(-1);
  });
  root.addEventListener("pointercancel", () => {
    drawing = null;
    endDrag();
    drawTints();
  });

  root.addEventListener("keydown", (event) => {
    if (!(onMove || editor || isBrowsable) || event.ctrlKey || event.altKey || event.metaKey) return;
    const away = bottom === "w" ? 1 : -1;
    const steps = { ArrowLeft: [-away, 0], ArrowRight: [away, 0], ArrowUp: [0, away], ArrowDown: [0, -away] };
    if (steps[event.key]) {
      const [file, rank] = [(cursor & 7) + steps[event.key][0], (cursor >> 3) + steps[event.key][1]];
      if (file >= 0 && file < 8 && rank >= 0 && rank < 8) focus(file + 8 * rank);
    } else if (editor && (event.key === "Delete" || event.key === "Backspace")) {
      editor.move(squareName(cursor), null);
    } else if (event.key === "Enter" || event.key === " ") {
      if (editor) editor.press(squareName(cursor));
      else if (onMove) choose(cursor);
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
    /**
     * Shows a FEN. Marks are `lastMove` ([from, to]), `arrows` ({ from, to, color, weight }), `squares`
     * ({ square: "e4", color }), `texts` ({ square, text, color }) and a `label` in words.
     */
    show(fen, { lastMove = null, arrows = [], squares = [], texts = [], label = "" } = {}) {
      const before = position;
      position = parseFen(fen);
      marks = { lastMove, arrows, squares, texts, label };
      onMove = null;
      editor = null;
      selected = -1;
      promotion.hidden = true;
      drag = null;
      if (cursor < 0) cursor = Math.max(0, position.board.indexOf(position.turn === "w" ? "K" : "k"));
      draw();
      if (before) slide(before);
      dropped = -1;
    },
    /** Replaces arrows, squares or texts of the position shown, without disturbing a move that is being made. */
    mark(changes) {
      marks = { ...marks, ...changes };
      drawTints();
      drawMarks();
    },
    /** Lets the reader make a move in the position shown; the callback gets a legal one. */
    ask(callback) {
      onMove = callback;
      editor = null;
      moves = legalMoves(position);
      const isFocused = root.contains(document.activeElement);
      if (!isFocused) cursor = Math.max(0, position.board.indexOf(position.turn === "w" ? "K" : "k"));
      drawCells();
    },
    /**
     * Lets the reader place pieces: `press(square)` hears of a click or Enter, `move(from, to)` of a piece dragged to
     * another square; `to` is null beyond the board, after a right click, or the key Delete.
     */
    edit(listeners) {
      onMove = null;
      moves = [];
      selected = -1;
      editor = listeners;
      drawTints();
      drawCells();
    },
    /** The square under a pointer, such as "e4", or null. */
    squareAt(event) {
      const square = squareAt(event);
      return square < 0 ? null : squareName(square);
    },
    /** Takes no more moves. */
    rest,
    /** Puts the keyboard's focus on the board. */
    focus: () => (onMove || editor || isBrowsable) && focus(cursor),
    /** Puts a side at the bottom: "w" or "b". */
    turnTo(side) {
      bottom = side;
      if (position) draw();
    },
    bottom: () => bottom,
  };
}
