// Keeps the page for the time without a network: its service worker is made by `build/offline.js`.

/** Does nothing where that is not possible: the page works all the same. */
export function installOffline(): void {
  if (!import.meta.env.PROD || import.meta.env.MODE === "onefile" || !/^https?:$/.test(location.protocol)) return;
  try {
    if ("serviceWorker" in navigator) void navigator.serviceWorker.register("./sw.js").catch(() => {});
  } catch {
    // In a sandbox the question itself is an error.
  }
}
