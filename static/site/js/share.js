// Links to be passed on: buttons that copy them, and the share sheet of phones. Without this file the field is selected
// and copied by hand.
"use strict";

function copied(field) {
  field.focus();
  field.select();
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(field.value);
  return document.execCommand("copy") ? Promise.resolve() : Promise.reject(new Error("not copied"));
}

// The address of the page that is shown, for the share sheet, or copied where there is none.
function sharePage(button, says) {
  const url = location.origin + location.pathname;
  if (navigator.share) {
    navigator.share({ title: document.title, url }).catch(() => {});
    return;
  }
  const field = document.createElement("input");
  field.className = "visually-hidden";
  field.value = url;
  button.after(field);
  copied(field)
    .then(() => { says.textContent = says.dataset.copied; }, () => {})
    .then(() => { field.remove(); button.focus(); });
}

function prepare(root) {
  for (const button of root.querySelectorAll("[data-copy], [data-share], [data-share-page]")) {
    if ("share" in button.dataset) button.hidden = !navigator.share;
    const block = button.closest("[data-with-script]");
    if (block) block.hidden = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-share], [data-share-page]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy || button.dataset.share);
  const says = button.parentElement.querySelector("[role=status]");
  if ("sharePage" in button.dataset) {
    sharePage(button, says);
    return;
  }
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
