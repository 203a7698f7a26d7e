// Notices that are shown for some seconds.

import { dismiss, notices } from "./announce.ts";

export function Notices() {
  return (
    <div class="notices">
      {notices.value.map(({ id, text, kind }) => (
        <div key={id} class={`notice ${kind}`} role={kind === "error" ? "alert" : "status"}>
          <span>{text}</span>
          <button type="button" class="quiet" aria-label="Close" onClick={() => dismiss(id)}>×</button>
        </div>
      ))}
    </div>
  );
}
