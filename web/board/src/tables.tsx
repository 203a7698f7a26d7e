// Syzygy tables: files that the reader opens, and what they say of the position.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { message, type App, type EngineLike, type TablePosition } from "./store.ts";

const WDL: Record<string, string> = {
  "2": "wins", "1": "wins, but for the fifty-move rule", "0": "draws",
  "-1": "loses, but for the fifty-move rule", "-2": "loses",
};

const pieces = (fen: string): number => fen.split(" ", 1)[0].replace(/[^a-z]/gi, "").length;

export function Tables({ app, fen, onMove, interrupt }: {
  app: App; fen: string; onMove: (uci: string) => void; interrupt: <T>(ask: () => Promise<T>) => Promise<T>;
}) {
  const engine = useSignal<EngineLike | null>(null);
  const known = useSignal<{ count: number; men: number } | null>(null);
  const probe = useSignal<TablePosition | null>(null);
  const native = app.settings.value.native;
  useEffect(() => {
    app.engine().then((found) => (engine.value = found), () => {});
  }, [native]);
  useEffect(() => {
    probe.value = null;
    const from = engine.value;
    if (!known.value || !from?.probe || pieces(fen) > known.value.men) return;
    let isOld = false;
    interrupt(async () => from.probe?.({ fen }) ?? null).then((found) => {
      if (!isOld) probe.value = found;
    }, () => {});
    return () => {
      isOld = true;
    };
  }, [fen, known.value, engine.value]);
  if (!engine.value?.setTables) return null;

  const load = async (event: Event) => {
    const field = event.currentTarget as HTMLInputElement;
    try {
      const files = await Promise.all([...field.files ?? []].map(async (file) => ({
        name: file.name, bytes: new Uint8Array(await file.arrayBuffer()),
      })));
      if (files.length === 0) return;
      const to = engine.value;
      known.value = await interrupt(async () => to?.setTables?.(files) ?? null);
      app.notify(`${known.value?.count ?? 0} tables loaded.`, "info");
    } catch (error) {
      app.notify(`The tables cannot be read: ${message(error)}`, "error");
    }
    field.value = "";
  };
  return (
    <details class="box fold">
      <summary>Endgame tables{probe.value ? `: ${WDL[String(probe.value.wdl)]}` : ""}</summary>
      {known.value
        ? <p>{known.value.count} tables of up to {known.value.men} pieces.</p>
        : <p>Open Syzygy files (.rtbw, .rtbz) from your disk. They stay on this device.</p>}
      {probe.value && (
        <table class="terms">
          <thead><tr><th scope="col">Move</th><th scope="col">Result</th><th scope="col">DTZ</th></tr></thead>
          <tbody>
            {probe.value.moves.map(({ uci, san, wdl, dtz }) => (
              <tr>
                <td><button type="button" class="mv" onClick={() => onMove(uci)}>{san}</button></td>
                <td>{WDL[String(wdl)]}</td><td>{dtz ?? ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <label class="file">Open tables <input type="file" multiple accept=".rtbw,.rtbz" onChange={load} /></label>
    </details>
  );
}
