/* One warband at a time: whatever belongs to the row that is pointed at, focused or tapped (data-row="3") stands out
   in every chart, grid and table of the same page (data-rows). Without this script everything is there to be read. */
"use strict";

(() => {
  const light = (scope, row) => {
    scope.classList.toggle("choosing", row !== null);
    for (const one of scope.querySelectorAll("[data-row]")) {
      one.classList.toggle("lit", one.dataset.row === row);
    }
  };

  for (const scope of document.querySelectorAll("[data-rows]")) {
    let kept = null;
    const rowOf = (event) => event.target.closest("[data-row]")?.dataset.row ?? null;

    scope.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") light(scope, rowOf(event) ?? kept);
    });
    scope.addEventListener("pointerleave", () => light(scope, kept));
    scope.addEventListener("focusin", (event) => light(scope, rowOf(event) ?? kept));
    scope.addEventListener("focusout", () => light(scope, kept));
    scope.addEventListener("click", (event) => {
      if (event.target.closest("a, button, summary")) return;
      const row = rowOf(event);
      kept = row === kept ? null : row;
      light(scope, kept);
    });
    scope.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && kept !== null) light(scope, (kept = null));
    });
  }
})();
