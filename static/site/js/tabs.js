/* Tabs in one row that scrolls, as on a phone: show the current one. Without this script the row starts at its first. */
"use strict";

for (const tabs of document.querySelectorAll(".tabs")) {
  const current = tabs.querySelector("[aria-current]");
  if (!current || tabs.scrollWidth <= tabs.clientWidth) continue;
  const middle = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
  tabs.scrollLeft = Math.max(0, middle);
}

// A choice that loads the page again takes along what was typed; data-keeps lists the fields. Long texts do not fit
// into an address.
for (const link of document.querySelectorAll("[data-keeps] a")) {
  link.addEventListener("click", () => {
    const address = new URL(link.href);
    for (const name of link.closest("[data-keeps]").dataset.keeps.split(" ")) {
      const typed = document.querySelector(`[name="${name}"]`)?.value;
      if (typed && typed.length <= 500) address.searchParams.set(name, typed);
    }
    link.href = address.href;
  });
}
