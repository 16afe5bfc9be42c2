// The header of every page: the theme changes at once, and menus close by themselves. Without this file the theme is a
// form that loads the page again, and a menu closes by its own button.
"use strict";

function showTheme(form, theme) {
  const root = document.documentElement;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  for (const bar of document.querySelectorAll("meta[data-bar]")) {
    const asked = `(prefers-color-scheme: ${bar.dataset.bar})`;
    bar.media = theme ? (theme === bar.dataset.bar ? "all" : "not all") : asked;
  }
  for (const button of form.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.value === theme));
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-themes]");
  if (!form || !event.submitter) return;
  event.preventDefault();
  showTheme(form, event.submitter.value);
  const told = new FormData(form, event.submitter);
  // The answer leads back here, where we are already: its cookie is all that is wanted.
  fetch(form.action, { method: "POST", body: told, redirect: "manual" }).catch(() => {});
});

function closeMenus(except) {
  for (const menu of document.querySelectorAll("[data-menu][open]")) if (menu !== except) menu.open = false;
}

document.addEventListener("click", (event) => closeMenus(event.target.closest("[data-menu]")));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = event.target.closest("[data-menu][open]");
  closeMenus();
  if (menu) menu.querySelector("summary").focus();
});

// The search: "/" goes to its field, arrows walk through what it suggests.

function suggested() {
  return [...document.querySelectorAll("#suggestions a")];
}

function forgetSuggestions() {
  const box = document.getElementById("suggestions");
  if (box) box.replaceChildren();
}

function typing(target) {
  return target.closest("input, textarea, select, [contenteditable]");
}

function seek() {
  const field = [...document.querySelectorAll("[data-seek]")].find((each) => each.offsetParent);
  if (field) {
    field.focus();
    field.select();
  }
  else document.querySelector("[data-seek-link]")?.click();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !typing(event.target)) {
    event.preventDefault();
    seek();
    return;
  }
  const form = event.target.closest("[data-seeking]");
  if (!form) return;
  if (event.key === "Escape") {
    forgetSuggestions();
    form.querySelector("[data-seek]").focus();
  }
  const links = suggested();
  if (!links.length || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
  event.preventDefault();
  const next = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
  if (next < 0) form.querySelector("[data-seek]").focus();
  else links[Math.min(next, links.length - 1)].focus();
});
document.addEventListener("focusin", (event) => {
  if (!event.target.closest("[data-seeking]")) forgetSuggestions();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-seeking]")) forgetSuggestions();
});
for (const hint of document.querySelectorAll("[data-seeking] kbd")) hint.hidden = false;
