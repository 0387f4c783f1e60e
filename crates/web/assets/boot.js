// Starts the client, or shows why it cannot be started.
const root = document.documentElement;
const say = (name) => {
  document.getElementById("waiting")?.remove();
  document.getElementById(name).hidden = false;
};

// The client will need the phrases of its language: they are loaded in parallel.
const words = document.createElement("link");
words.rel = "preload";
words.as = "fetch";
words.crossOrigin = "anonymous";
words.href = document.querySelector(`meta[name="asset-phrases.${root.lang}"]`)?.content ?? "";
if (words.href) document.head.append(words);

// The first page can be used at once. A tap on a link changes the address without leaving the
// page: the client starts at that route, and no download is aborted.
const showPlace = () => (root.dataset.place = location.pathname === "/" ? "home" : "page");
const keepTap = (event) => {
  const link = event.target.closest("a[href^='/']");
  const plain = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !plain) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  showPlace();
};

// Caches all files for offline use. Browsers allow it only in a secure context; without it the page
// works, too. It starts late, because the download is large and must not delay the first game.
const rest = 5000;
const keepForOffline = () => {
  if (!isSecureContext || !navigator.serviceWorker) return;
  const keep = () => navigator.serviceWorker.register("/sw.js");
  setTimeout(() => keep().catch((error) => console.warn(error)), rest);
};

const { page, wasm } = document.querySelector("script[data-page]").dataset;
if (typeof WebAssembly !== "object") {
  say("too-old");
} else {
  addEventListener("click", keepTap);
  addEventListener("popstate", showPlace);
  const start = async () => {
    const client = await import(page);
    await client.default({ module_or_path: wasm });
    removeEventListener("click", keepTap);
    removeEventListener("popstate", showPlace);
    keepForOffline();
  };
  start().catch((error) => {
    console.error(error);
    removeEventListener("click", keepTap);
    say("unloaded");
  });
}
