// The files of the package, if the page carries them: then it is a single file, and has no others beside it.

interface Files {
  /** An address. From a disk, Chromium lets a worker fetch none: it is sent the others. */
  worker?: string;
  wasm?: Uint8Array<ArrayBuffer>;
  rules?: Uint8Array<ArrayBuffer>;
  book?: Uint8Array<ArrayBuffer>;
}

let found: Promise<Files> | undefined;

/** The files that the page carries; none if they are beside it. */
export const carriedFiles = (): Promise<Files> => (found ??= unpack());

async function unpack(): Promise<Files> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  await Promise.all([...document.querySelectorAll<HTMLElement>("script[data-file]")].map(async (element) => {
    const zipped = Uint8Array.from(atob(element.textContent ?? ""), (letter) => letter.charCodeAt(0));
    element.remove();
    const bytes = new Response(new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip")));
    files.set(element.dataset.file ?? "", new Uint8Array(await bytes.arrayBuffer()));
  }));
  const script = files.get("worker.js");
  return {
    worker: script && URL.createObjectURL(new Blob([script], { type: "text/javascript" })),
    wasm: files.get("engine.wasm"),
    rules: files.get("rules.wasm"),
    book: files.get("book.bin"),
  };
}
