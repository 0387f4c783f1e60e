// Keeps the whole client in the browser, so that it opens and bots play without a connection.
// The build fills in the names of the files; their content never changes.
const version = "{version}";
const files = [{files}];
const cacheName = "ghinda-" + version;
const page = "/index.html";
// What the server alone knows is never kept.
const serversOwn = /^\/(api|health|ready|metrics)(\/|$)/;

// The page names files. If a newer server handed it out, it would name others.
const keepPage = async (cache) => {
  const answer = await fetch(page, { cache: "no-cache" });
  const text = await answer.clone().text();
  if (!answer.ok || !text.includes(version)) throw new Error("this version is gone already");
  await cache.put(page, answer);
};

self.addEventListener("install", (event) => {
  const all = async () => {
    const cache = await caches.open(cacheName);
    await Promise.all([keepPage(cache), cache.addAll([...files, "/manifest.webmanifest"])]);
  };
  event.waitUntil(all());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("ghinda-") && name !== cacheName);
    await Promise.all(old.map((name) => caches.delete(name)));
    // Whoever came before anything was kept is served from now on, too.
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

// A newer version waits until nothing of this one is open. When the only page is being loaded
// anew, nothing is: then it takes over, and the page is loaded from it.
const isReplaced = async () => {
  const next = self.registration.waiting;
  if (!next) return false;
  const open = await self.clients.matchAll({ type: "window" });
  if (open.length > 1) return false;
  next.postMessage("take over");
  return true;
};

// A header that refreshes would do nothing where the address has a fragment.
const again = "<!doctype html><script>location.reload()</script>";

const answerVisit = async (request) => {
  if (await isReplaced()) return new Response(again, { headers: { "content-type": "text/html" } });
  const cache = await caches.open(cacheName);
  return (await cache.match(page)) ?? fetch(request);
};

const answerFile = async (request) => {
  const cache = await caches.open(cacheName);
  return (await cache.match(request)) ?? fetch(request);
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const ours = origin === self.location.origin && request.method === "GET";
  if (!ours || serversOwn.test(pathname)) return;
  if (request.mode === "navigate" && !pathname.includes(".")) {
    event.respondWith(answerVisit(request));
  } else {
    event.respondWith(answerFile(request));
  }
});
