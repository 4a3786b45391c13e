// A classic script in the head: it runs before anything is drawn, so the page never flashes in the
// other theme. shell.js changes what it reads.
(() => {
  try {
    const theme = localStorage.getItem("headgate.theme");
    if (theme === "light" || theme === "dark") {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // Storage is switched off; the system's theme it is.
  }
})();
