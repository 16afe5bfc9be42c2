// "Back" shows a page as it was left. A member's page from before the last sign-in or sign-out of this browser is loaded
// anew instead; all others keep what was typed. The server marks pages and browser (accounts/sign_ins.py).
"use strict";

(() => {
  const mark = document.body.dataset.signIn;
  if (mark === undefined) return;

  function check() {
    const now = (document.cookie.match(/(?:^|; )sign_in=([^;]*)/) || [])[1] || "";
    if (now === mark) return;
    document.body.hidden = true;
    // Not reload(): that would send a form again.
    location.replace(location.pathname + location.search);
  }

  addEventListener("pageshow", (event) => { if (event.persisted) check(); });
  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") check();
})();
