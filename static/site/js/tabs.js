/* Tabs in one row that scrolls, as on a phone: show the current one. Without this script the row starts at its first. */
"use strict";

for (const tabs of document.querySelectorAll(".tabs")) {
  const current = tabs.querySelector("[aria-current]");
  if (!current || tabs.scrollWidth <= tabs.clientWidth) continue;
  const middle = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
  tabs.scrollLeft = Math.max(0, middle);
}
