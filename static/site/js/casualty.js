/* The casualty board at the table. It works without this script: three taps, the last of which sends it. With it, a
   result that nobody is credited with is sent at once, the next step is brought into view, and the page does not change
   under the hand of somebody who has begun to tap. */
"use strict";

(() => {
  const form = (target) => target.closest?.("form.casualty");

  function busy(one, yes) {
    one.closest("#now")?.toggleAttribute("data-keep", yes);
  }

  /* What a pointer taps says what it means; a keyboard's arrows only pass by, and Enter sends. */
  let pointed = false;
  addEventListener("pointerdown", () => { pointed = true; }, true);
  addEventListener("keydown", () => { pointed = false; }, true);

  document.addEventListener("change", (event) => {
    const one = form(event.target);
    if (!one) return;
    busy(one, true);
    one.toggleAttribute("data-tapped", pointed);
    if (!pointed) return;
    if (event.target.name === "tap_result" && "alone" in event.target.dataset) one.requestSubmit();
    else if (/^tap_(victim|result)$/.test(event.target.name)) one.scrollIntoView({ block: "start" });
  });

  document.querySelector("form.casualty:has([name=tap_victim]:checked)")?.setAttribute("data-tapped", "");
  document.addEventListener("reset", (event) => {
    const one = form(event.target);
    if (!one) return;
    const outrun = one.querySelector("#gone-on:not([hidden])");
    busy(one, false);
    one.removeAttribute("data-tapped");
    // A form that was sent comes back as it was sent: the page without it is the table's own.
    if (outrun || one.querySelector("[role=alert]")) location.assign(document.body.dataset.live || location.pathname);
  });
})();
