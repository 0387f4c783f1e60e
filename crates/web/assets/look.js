// Applies the stored settings before the first paint, so that nothing flashes.
(() => {
  const root = document.documentElement;
  const kept = (name) => {
    try {
      return localStorage.getItem("ghinda." + name);
    } catch {
      return null;
    }
  };
  const keep = (name, value) => {
    try {
      localStorage.setItem("ghinda." + name, value);
    } catch {
      // The choice is lost when the page is closed.
    }
  };
  root.lang = kept("language") ?? (navigator.language.startsWith("ro") ? "ro" : "en");
  root.dataset.theme = kept("theme") ?? "system";
  root.dataset.place = location.pathname === "/" ? "home" : "page";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (root.dataset.system = dark.matches ? "dark" : "light");
  dark.addEventListener("change", follow);
  follow();
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("learn").hidden = kept("learnt") !== null;
    const levels = document.getElementById("levels");
    const level = levels.querySelector(`[value="${kept("level")}"]`);
    if (level) level.checked = true;
    levels.addEventListener("change", (event) => keep("level", event.target.value));
    for (const tongue of document.querySelectorAll(".tongue")) {
      tongue.addEventListener("click", () => keep("language", (root.lang = tongue.lang)));
    }
  });
})();
