// Starts the client, or says honestly why it cannot be started. What the settings say about
// the look is applied first, so that nothing flashes.
const root = document.documentElement;
const kept = (name) => {
  try {
    return localStorage.getItem("ghinda." + name);
  } catch {
    return null;
  }
};
root.lang = kept("language") ?? (navigator.language.startsWith("ro") ? "ro" : "en");
root.dataset.theme = kept("theme") ?? "system";

const sorry = (romanian, english) => {
  const place = document.getElementById("waiting");
  if (!place) return;
  place.setAttribute("role", "alert");
  const [own, other] = place.querySelectorAll("p");
  own.textContent = romanian;
  other.textContent = english;
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
    .catch((error) => {
      console.error(error);
      sorry(
        "Pagina nu s-a putut încărca. Verifică conexiunea și reîncarcă.",
        "The page could not be loaded. Check the connection and reload.",
      );
    });
}
