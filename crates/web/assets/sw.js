// Caches the whole client, so that it opens and practice works without a connection.
// The build fills in the names of the files; their content never changes.
const version = "{version}";
const files = [{files}];
const cacheName = "ghinda-" + version;
const page = "/index.html";
// Milliseconds.
const patience = 3000;
// Answers of the server are never cached.
const serversOwn = /^\/(api|health|ready|metrics)(\/|$)/;

// The page names files. The page of a newer server would name others.
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
    // Pages that were open before the installation are served from now on, too.
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

// The newest page, if the server answers in time, or else the cached one. A newer page names files
// that are not cached yet: they come from the server, until the newer version of this script takes
// over, when no page of the older one is open.
const answerVisit = async () => {
  const soon = { cache: "no-cache", signal: AbortSignal.timeout(patience) };
  const fresh = await fetch(page, soon).catch(() => null);
  if (fresh?.ok) return fresh;
  const cache = await caches.open(cacheName);
  return (await cache.match(page)) ?? fetch(page);
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
    event.respondWith(answerVisit());
  } else {
    event.respondWith(answerFile(request));
  }
});
