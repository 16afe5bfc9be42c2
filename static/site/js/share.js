// Links to be passed on: buttons that copy them, and the share sheet of phones. Without this file the field is selected
// and copied by hand.
"use strict";

function copied(field) {
  field.focus();
  field.select();
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(field.value);
  return document.execCommand("copy") ? Promise.resolve() : Promise.reject(new Error("not copied"));
}

function prepare(root) {
  for (const button of root.querySelectorAll("[data-copy], [data-share]")) {
    if ("share" in button.dataset) button.hidden = !navigator.share;
    const block = button.closest("[data-with-script]");
    if (block) block.hidden = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy || button.dataset.share);
  const says = button.parentElement.querySelector("[role=status]");
  if (button.dataset.share) {
    navigator.share({ text: button.dataset.text, url: field.value }).catch(() => {});
    return;
  }
  copied(field).then(
    () => { says.textContent = says.dataset.copied; },
    () => { says.textContent = says.dataset.selected; },
  );
});
document.addEventListener("htmx:load", (event) => prepare(event.target));
prepare(document);
