// SPDX-License-Identifier: Apache-2.0
// Sets the colours that were chosen before, ahead of the first paint.
(() => {
  try {
    const chosen = localStorage.getItem("gantry.theme");
    if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  } catch {
    // Without storage the system's colours hold.
  }
})();
