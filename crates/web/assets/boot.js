// Starts the client, or says honestly why it cannot be started.
const root = document.documentElement;

// The client will ask for the phrases of its language: they travel beside it.
const words = document.createElement("link");
words.rel = "preload";
words.as = "fetch";
words.crossOrigin = "anonymous";
words.href = document.querySelector(`meta[name="asset-phrases.${root.lang}"]`)?.content ?? "";
if (words.href) document.head.append(words);

const sorry = (romanian, english) => {
  const place = document.getElementById("waiting");
  if (!place) return;
  place.setAttribute("role", "alert");
  const [own, other] = place.querySelectorAll("p");
  own.textContent = romanian;
  other.textContent = english;
};

// Keeps everything for later, when there may be no connection. Browsers do so only where nobody
// can listen in; elsewhere the page works without.
const keepForOffline = () => {
  if (!isSecureContext || !navigator.serviceWorker) return;
  navigator.serviceWorker.register("/sw.js").catch((error) => console.warn(error));
};

const { page, wasm } = document.querySelector("script[data-page]").dataset;
if (typeof WebAssembly !== "object") {
  sorry(
    "Acest browser e prea vechi: Ghinda are nevoie de WebAssembly. Încearcă unul mai nou.",
    "This browser is too old: Ghinda needs WebAssembly. Please try a newer one.",
  );
} else {
  import(page)
    .then((client) => client.default({ module_or_path: wasm }))
    .then(keepForOffline)
    .catch((error) => {
      console.error(error);
      sorry(
        "Pagina nu s-a putut încărca. Verifică conexiunea și reîncarcă.",
        "The page could not be loaded. Check the connection and reload.",
      );
    });
}
