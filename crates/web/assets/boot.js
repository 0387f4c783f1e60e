// Starts the client, or says honestly why it cannot be started.
const root = document.documentElement;
const say = (name) => {
  document.getElementById("waiting")?.remove();
  document.getElementById(name).hidden = false;
};

// The client will ask for the phrases of its language: they travel beside it.
const words = document.createElement("link");
words.rel = "preload";
words.as = "fetch";
words.crossOrigin = "anonymous";
words.href = document.querySelector(`meta[name="asset-phrases.${root.lang}"]`)?.content ?? "";
if (words.href) document.head.append(words);

// The first page can be used at once. A tap is kept until the client is here: it begins at the
// place that was asked for, and nothing that is on its way is thrown away.
const showPlace = () => (root.dataset.place = location.pathname === "/" ? "home" : "page");
const keepTap = (event) => {
  const link = event.target.closest("a[href^='/']");
  const plain = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !plain) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  showPlace();
};

// Keeps everything for later, when there may be no connection. Browsers do so only where nobody
// can listen in; elsewhere the page works without. It is much, and whoever is here wants to play
// first.
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
