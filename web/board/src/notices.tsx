// Notices that are shown for some seconds.

import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { dismiss, notices } from "./announce.ts";

/** How many boards show the notices; without any, the page does. */
const boards = signal(0);

/** The notices at a board. */
export function BoardNotices() {
  useLayoutEffect(() => {
    boards.value++;
    return () => {
      boards.value--;
    };
  }, []);
  return <Notices />;
}

/** The notices of a view without a board. */
export const PageNotices = () => (boards.value === 0 ? <Notices /> : null);

function Notices() {
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
