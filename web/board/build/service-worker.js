// Serves the page from a cache that holds one whole build. VERSION and FILES, names with hashes, stand above.
//
// A new build is fetched into a cache of its own, each file checked by its hash: if one does not fit, because the
// server is just being updated, the old build stays. The new one is used when no page of the old one is open, or when
// the only one is loaded again.

const PREFIX = "board ";
// Other pages of this origin have caches as well.
const OWN = `${PREFIX}${registration.scope} `;
const CACHE = OWN + VERSION;
const urlOf = (name) => new URL(name, registration.scope).href;
const PAGE = urlOf("index.html");

addEventListener("install", (event) => event.waitUntil(install()));

async function install() {
  try {
    const cache = await caches.open(CACHE);
    await Promise.all(FILES.map(async ([name, integrity]) => {
      const url = urlOf(name);
      // The names in this folder change with the content.
      const isFixed = name.startsWith("assets/");
      const kept = isFixed && (await caches.match(url));
      await cache.put(url, kept || (await load(url, integrity, isFixed ? "default" : "no-cache")));
    }));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

async function load(url, integrity, cache) {
  const response = await fetch(url, { integrity, cache });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  // A page may not come from a response that was redirected.
  return response.redirected ? new Response(response.body, { headers: response.headers }) : response;
}

addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  // The page that has just installed this one also loads its other files from here.
  await clients.claim();
}

addEventListener("message", (event) => {
  if (event.data === "use") skipWaiting();
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isPage = request.mode === "navigate";
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const name = isPage ? url.origin + url.pathname : url.href;
  if (isPage && name !== registration.scope && name !== PAGE) return;
  event.respondWith(isPage ? page(event) : file(request));
});

async function page({ request, replacesClientId }) {
  const next = registration.waiting;
  const open = next ? await clients.matchAll({ type: "window" }) : [];
  // Chromium tells that a page is loaded again, others tell which one it replaces.
  if (next && open.every(({ id }) => id === replacesClientId || (open.length === 1 && request.isReloadNavigation))) {
    next.postMessage("use");
    // It takes over after this answer, which loads the page again; a refresh would only go to the address's fragment.
    const again = "<link rel=icon href=data:,><script>location.reload()</script>";
    return new Response(again, { headers: { "Content-Type": "text/html" } });
  }
  return (await inCache(PAGE)) ?? fetch(request);
}

async function file(request) {
  return (await inCache(request.url)) ?? fetch(request);
}

async function inCache(url) {
  return (await caches.open(CACHE)).match(url, { ignoreVary: true });
}
