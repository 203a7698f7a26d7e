// Copies text. Pages opened from a file may have no clipboard, so there is a second way.

import { button, el } from "./dom.js";

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "vh", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}

/** A button that copies what `text` returns and says so. */
export function copyButton(label, text) {
  const node = button(label, async () => {
    const before = document.activeElement;
    const isCopied = await copyText(text());
    before?.focus?.();
    node.textContent = isCopied ? "Copied" : "Copying failed";
    setTimeout(() => {
      node.textContent = label;
    }, 1500);
  }, { class: "copy", "aria-live": "polite" });
  return node;
}
