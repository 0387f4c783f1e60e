// What the settings say about the look, before anything is drawn, so that nothing flashes.
(() => {
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
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (root.dataset.system = dark.matches ? "dark" : "light");
  dark.addEventListener("change", follow);
  follow();
})();
