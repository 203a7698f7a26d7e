// Starts the page.

import { render } from "preact";
import { init } from "bartizan";
import { Page } from "./app.tsx";
import { carriedFiles } from "./files.ts";
import { installKeys } from "./keys.ts";
import { installOffline } from "./offline.ts";
import { connect, offered } from "./native.ts";
import { createApp, message } from "./store.ts";
import * as storage from "./storage.ts";
import * as url from "./url.ts";

async function start(): Promise<void> {
  const host = document.getElementById("app");
  if (!host) return;
  try {
    await init((await carriedFiles()).rules);
    // It takes the secret out of the address, before that is read for a position.
    const native = offered();
    const app = createApp(connect);
    storage.install(app);
    app.set({ native });
    url.install(app);
    installKeys();
    host.replaceChildren();
    render(<Page app={app} />, host);
  } catch (error) {
    host.textContent = `The board cannot start: ${message(error)}`;
  }
}

void start().then(installOffline);
