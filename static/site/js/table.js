/* The table follows its log: as long as the page is looked at, it asks every two seconds whether the battle is still as
   it was. Only when it is not are the board, the log and what is due put in the place of the old ones. What somebody
   is filling in stays as it is, and is told that the log has gone on. */
"use strict";

(() => {
  const EVERY = 2000;
  const { body } = document;
  const byId = (id, root = document) => root.getElementById(id);
  let asking = false, lost = 0;

  /* The address of this page as it is, and where something is being filled in the table's own. */
  function address() {
    const filling = byId("now")?.hasAttribute("data-keep");
    const here = new URL(filling ? body.dataset.live : location.href, location.href);
    here.hash = "";
    here.searchParams.set("seen", body.dataset.version);
    here.searchParams.set("choices", body.dataset.choices);
    return here;
  }

  function say(id, text) {
    const place = byId(id);
    if (!place || place.textContent === text) return;
    place.textContent = text;
    if (place.hasAttribute("data-with-script")) place.hidden = !text;
  }

  /* One part of the page for its new one; what is open stays open, what has the focus keeps it. */
  function swap(id, fresh) {
    const old = byId(id), next = byId(id, fresh);
    if (!old || !next || old.innerHTML === next.innerHTML) return;
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    if (focused && focused.matches("select, input:not([type=hidden]), textarea")) return;
    for (const one of old.querySelectorAll("details[id]")) {
      const same = next.querySelector(`details[id="${CSS.escape(one.id)}"]`);
      if (same) same.open = one.open;
    }
    old.replaceWith(document.adoptNode(next));
    if (!focused) return;
    const same = focused.id ? byId(focused.id) : null;
    if (same) return same.focus({ preventScroll: true });
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
  }

  function take(fresh) {
    const before = Number(body.dataset.entries), keep = byId("now")?.dataset.keep;
    const told = [...fresh.querySelectorAll("[data-entry]")].filter((one) => Number(one.dataset.entry) > before)
      .slice(0, 3).reverse().map((one) => one.querySelector(".told-line").textContent.trim()).join(". ");
    const parts = keep === undefined ? ["now", "board", "next", "undo"] : keep === "board" ? [] : ["board"];
    for (const id of ["table-top", "phase", "choice", "feed", ...parts]) if (!(keep === "board" && id === "table-top")) swap(id, fresh);
    const { version, live, choices } = fresh.body.dataset;
    body.dataset.entries = fresh.body.dataset.entries;
    if (live) Object.assign(body.dataset, { version, choices });
    else delete body.dataset.live;
    if (keep === undefined) document.title = fresh.title;
    if (told) say("happened", `${told}.`);
    const notice = byId("gone-on");
    if (!notice || !told) return;
    say("gone-on", `${notice.dataset.says} ${told}.`);
    const form = notice.closest("form");
    /* Whoever sends now has been shown what the log has come to. */
    if (form && live) form.elements.version.value = version;
  }

  async function look() {
    if (document.hidden || asking || !body.dataset.live) return;
    asking = true;
    try {
      const answer = await fetch(address(), { headers: { "X-Table": "follows" }, cache: "no-store" });
      lost = 0;
      if (answer.status === 204) return;
      if (answer.redirected) {
        if (!byId("now").hasAttribute("data-keep")) location.replace(answer.url);
        return;
      }
      if (answer.ok) take(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      lost += 1;
    } finally {
      asking = false;
      say("live", lost > 1 ? byId("live").dataset.lost : "");
    }
  }

  if (body.dataset.live) setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
})();
