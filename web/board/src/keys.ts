// The keys of the page. Each view names its own; the help lists those that work.

import { useEffect, useRef } from "preact/hooks";

export interface KeyAction {
  help: string;
  run: () => void;
}

export type KeyMap = Record<string, KeyAction>;

const layers: { current: KeyMap }[] = [];

/** The keys that work now, for the help. */
export function activeKeys(): [string, string][] {
  const all = new Map<string, string>();
  for (const { current } of layers) for (const [key, { help }] of Object.entries(current)) all.set(key, help);
  return [...all];
}

/** Whether an element needs a key itself. */
export function needsKey(target: Element | null, key: string): boolean {
  if (!target) return false;
  if (target.closest("textarea, select, [contenteditable], dialog[open]")) return true;
  const input = target.closest("input");
  if (input) return !/^(checkbox|radio|button)$/.test(input.type) || key === " " || key.startsWith("Arrow");
  if (key === " " || key === "Enter") return target.closest("button, a, summary, [role=grid]") !== null;
  return key.startsWith("Arrow") && target.closest("[role=grid], [role=tablist]") !== null;
}

/** Lets keys work while the component is shown. */
export function useKeys(map: KeyMap): void {
  const current = useRef(map);
  current.current = map;
  useEffect(() => {
    layers.push(current);
    return () => {
      layers.splice(layers.indexOf(current), 1);
    };
  }, []);
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (needsKey(event.target as Element | null, event.key)) return;
  for (const { current } of layers.toReversed()) {
    const action = current[event.key];
    if (!action) continue;
    event.preventDefault();
    return action.run();
  }
}

export function installKeys(): void {
  addEventListener("keydown", onKey);
}
