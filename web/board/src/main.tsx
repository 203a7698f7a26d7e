// Starts the page.

import { render } from "preact";
import { init } from "bartizan";
import { Page } from "./app.tsx";
import { carriedFiles } from "./files.ts";
import { installKeys } from "./keys.ts";
import { installOffline } from "./offline.ts";
import { createApp, message, type EngineLike, type Install } from "./store.ts";

/** Parts that have a file of their own. */
const parts = import.meta.glob<{ install: Install }>(["./storage.ts", "./url.ts"], { eager: true });
const native = import.meta.glob<{ connect: (address: string) => Promise<EngineLike> }>("./native.ts");

async function start(): Promise<void> {
  const host = document.getElementById("app");
  if (!host) return;
  try {
    await init((await carriedFiles()).rules);
    const load = native["./native.ts"];
    const app = createApp(load && (async (address) => (await load()).connect(address)));
    for (const name of ["./storage.ts", "./url.ts"]) await parts[name]?.install(app);
    installKeys();
    host.replaceChildren();
    render(<Page app={app} />, host);
  } catch (error) {
    host.textContent = `The board cannot start: ${message(error)}`;
  }
}

void start().then(installOffline);
