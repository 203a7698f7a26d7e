// Elements of a page. Text is always set as text, so that nothing from a game becomes markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An element with attributes, listeners (`onclick`) and children, which are nodes or texts. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/** A button with a picture of 24 units; `label` is its name. */
export function iconButton(path, label, onclick, attributes = {}) {
  const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
  return el("button", { type: "button", onclick, "aria-label": label, title: label, ...attributes }, icon);
}

/** An invisible region whose texts are read aloud, and a function that announces one. */
export function announcer(parent) {
  const region = el("div", { class: "vh", role: "status", "aria-live": "polite" });
  parent.append(region);
  return (text) => {
    region.textContent = text;
  };
}
