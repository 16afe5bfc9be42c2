/* The builder: taps wait their turn, each change is known by an id of its own, and none is lost without a word. */

(function () {
  "use strict";

  const form = document.getElementById("builder");
  if (!form) return;

  const waiting = [];
  let busy = false;
  let last = null;
  let repeated = "";

  function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const digits = Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  /* A button as it can be found again in the page that the answer draws. */
  function place(button) {
    return `button[name="${CSS.escape(button.name)}"][value="${CSS.escape(button.value)}"]`;
  }

  function next() {
    const wanted = waiting.shift();
    const button = wanted && form.querySelector(wanted);
    if (button && !button.disabled) button.click();
    else if (waiting.length) next();
  }

  /* What is tapped while an answer is on its way is done after it, in its turn. */
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[hx-post]");
    if (!button || !busy) return;
    event.preventDefault();
    event.stopPropagation();
    waiting.push(place(button));
  }, true);

  form.addEventListener("htmx:configRequest", (event) => {
    const id = repeated || newId();
    event.detail.parameters.set("client_id", id);
    last = { id, button: event.detail.elt.name ? place(event.detail.elt) : "" };
    repeated = "";
  });

  form.addEventListener("htmx:beforeRequest", () => { busy = true; form.classList.add("busy"); });

  function unsent() {
    busy = false;
    form.classList.remove("busy");
    waiting.length = 0;
    const notice = document.getElementById("unsent");
    if (notice) { notice.hidden = false; notice.scrollIntoView({ block: "nearest" }); }
  }

  for (const failed of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) form.addEventListener(failed, unsent);

  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (!busy || event.target.id !== "drafted") return;
    busy = false;
    form.classList.remove("busy");
    next();
  });

  form.addEventListener("click", (event) => {
    if (!event.target.closest("#send-again") || !last) return;
    const button = form.querySelector(last.button || 'button[name="keep"]');
    repeated = last.id;
    if (button) button.click();
  });
})();
