// The files of the package, if the page carries them: then it is a single file, and has no others beside it.

interface Files {
  worker?: string;
  wasm?: string;
  book?: string;
  rules?: string;
}

const NAMES: Record<string, [keyof Files, string]> = {
  "worker.js": ["worker", "text/javascript"],
  "engine.wasm": ["wasm", "application/wasm"],
  "rules.wasm": ["rules", "application/wasm"],
  "book.bin": ["book", "application/octet-stream"],
};

let found: Promise<Files> | undefined;

/** The addresses of the files that the page carries; none if they are beside it. They stay valid. */
export const carriedFiles = (): Promise<Files> => (found ??= unpack());

async function unpack(): Promise<Files> {
  const files: Files = {};
  await Promise.all([...document.querySelectorAll<HTMLElement>("script[data-file]")].map(async (element) => {
    const entry = NAMES[element.dataset.file ?? ""];
    if (!entry) return;
    const zipped = Uint8Array.from(atob(element.textContent ?? ""), (letter) => letter.charCodeAt(0));
    element.remove();
    const [key, type] = entry;
    const bytes = new Response(new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip")));
    files[key] = URL.createObjectURL(new Blob([await bytes.arrayBuffer()], { type }));
  }));
  return files;
}
