// The native engine behind `bartizan-server board`, or any other UCI engine there. Searches go through a WebSocket;
// what is no search, such as a review, is done by the engine of the page.

import { BartizanError, Engine, type BestMove, type WorkerLike } from "bartizan";

type PlayRequest = Parameters<Engine["play"]>[0];

/** Where a page keeps the secret that its address has brought. */
const TOKEN = "bartizan-server-token";

/** How long a server may take to answer, in milliseconds. */
const ANSWER = 70_000;

/** What the server says of its engine. */
interface Started {
  name: string;
  options: string[];
}

/**
 * The address of the engine of the server that has served this page; "" without one. Takes the secret out of the
 * address of the page, where a user could copy it, and keeps it as long as the tab.
 */
export function offered(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) {
    sessionStorage.setItem(TOKEN, token);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(TOKEN) ? `ws://${location.host}/engine` : "";
}

/** Connects to the engine at an address, such as that of {@link offered}. It connects again after a failure. */
export function connect(address: string): Promise<NativeEngine> {
  return NativeEngine.connect(address);
}

/** An engine of a server, with the methods of `Engine`. */
export class NativeEngine extends Engine {
  readonly #links: { last?: Link };
  readonly #startWasm: () => WorkerLike;
  #levels: Promise<Engine> | undefined;

  /** `startWasm` starts the worker of the engine of the page. */
  static async connect(address: string, startWasm: () => WorkerLike = wasmWorker): Promise<NativeEngine> {
    const links: { last?: Link } = {};
    const engine = new NativeEngine(() => (links.last = new Link(address, startWasm)), links, startWasm);
    try {
      await engine.newGame();
    } catch (error) {
      await engine.close();
      throw error;
    }
    return engine;
  }

  private constructor(worker: () => WorkerLike, links: { last?: Link }, startWasm: () => WorkerLike) {
    super({ worker });
    this.#links = links;
    this.#startWasm = startWasm;
  }

  /** The name that the engine gives itself. */
  get name(): string {
    return this.#links.last?.started?.name ?? "";
  }

  /** As of `Engine`; for an engine without levels, the engine of the page plays. */
  override async play(request: PlayRequest): Promise<BestMove> {
    if (this.#links.last?.has("UCI_LimitStrength")) return super.play(request);
    this.#levels ??= Engine.create({ worker: this.#startWasm });
    return (await this.#levels).play(request);
  }

  override async close(): Promise<void> {
    await super.close();
    await (await this.#levels?.catch(() => undefined))?.close();
  }
}

/** Answers as the worker of an engine does. */
class Link implements WorkerLike {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message?: string }) => void) | null = null;
  started: Started | undefined;
  readonly #address: string;
  readonly #startWasm: () => WorkerLike;
  #socket: WebSocket | undefined;
  #wasm: WorkerLike | undefined;
  #start: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(address: string, startWasm: () => WorkerLike) {
    this.#address = address;
    this.#startWasm = startWasm;
  }

  /** Whether the engine has an option. */
  has(name: string): boolean {
    return this.started?.options.some((option) => option.toLowerCase() === name.toLowerCase()) ?? false;
  }

  postMessage(message: any): void {
    if (typeof message === "string") {
      if (!this.#isMissingDefault(message)) this.#send(message);
    } else if (message.start) {
      // Without the shared memory for stops: those of searches are not for the engine of the page.
      this.#start = { start: { ...message.start, stops: undefined } };
      this.#open();
    } else if (message.ready) {
      this.#send("isready");
    } else if (message.setBook) {
      // The engine of the server has a book, if any.
      this.#give({ id: message.id, result: null });
    } else {
      this.#toWasm(message);
    }
  }

  terminate(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#wasm?.terminate();
  }

  /** Whether a command sets an option that the engine lacks to what it does anyway. */
  #isMissingDefault(command: string): boolean {
    const [, name, value] = /^setoption name (MultiPV|UCI_Chess960|UCI_LimitStrength) value (\w+)$/.exec(command) ?? [];
    return name !== undefined && !this.has(name) && (value === "1" || value === "false");
  }

  #send(line: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(line);
  }

  #give(data: unknown): void {
    if (!this.#isOver) this.onmessage?.({ data });
  }

  #fail(message: string): void {
    clearTimeout(this.#timer);
    this.#give({ failed: message });
  }

  #open(): void {
    let address;
    try {
      address = withToken(this.#address);
      this.#socket = new WebSocket(address);
    } catch (error) {
      queueMicrotask(() => this.#fail(error instanceof Error ? error.message : String(error)));
      return;
    }
    this.#timer = setTimeout(() => this.#fail("the server does not answer"), ANSWER);
    this.#socket.onmessage = ({ data }) => this.#take(String(data));
    this.#socket.onerror = () => {};
    // A browser does not tell why.
    this.#socket.onclose = () =>
      this.#fail(this.started
        ? "the connection to the server has ended"
        : "the server cannot be reached or has refused; open the address that it prints");
  }

  #take(text: string): void {
    if (!text.startsWith("{")) return this.#give(text);
    const { token, started, failed } = JSON.parse(text);
    if (token) sessionStorage.setItem(TOKEN, token);
    if (started) {
      this.started = started;
      clearTimeout(this.#timer);
      // A review that is aborted replaces the link, as the engine of the page may not hear a stop.
      this.#give({ started: "slice" });
    }
    if (failed) this.#fail(failed);
  }

  /** Lets the engine of the page answer a request. */
  #toWasm(message: unknown): void {
    if (!this.#wasm) {
      this.#wasm = this.#startWasm();
      this.#wasm.onmessage = ({ data }) => {
        if (typeof data === "object" && !data.started) this.#give(data);
      };
      this.#wasm.onerror = (event) => this.onerror?.(event);
      this.#wasm.postMessage(this.#start);
    }
    this.#wasm.postMessage(message);
  }
}

/** The address with the secret of this tab, if it has none. */
function withToken(address: string): string {
  const url = new URL(address);
  if (url.protocol !== "ws:" && url.protocol !== "wss:") {
    throw new BartizanError({ kind: "engine", message: `'${address}' is no address of a WebSocket` });
  }
  const token = globalThis.sessionStorage?.getItem(TOKEN);
  if (!url.search && token) url.search = `token=${token}`;
  return url.href;
}

function wasmWorker(): WorkerLike {
  return new Worker(new URL("../../src/worker.js", import.meta.url), { type: "module" });
}
