/* The board of a live log without a network: a tap on a fighter, group or side shows its kinds of entry, and a second
   tap the form. The forms are those of the page for manual entries, which the device keeps; what is saved waits in the
   queue (offline.js). The texts are the server's (battles/table_offline.html). */
"use strict";

(() => {
  const parts = document.getElementById("off-line-parts"), box = document.getElementById("unsent-list");
  if (!parts || !box || !self.caches || !navigator.locks) return;
  const words = box.dataset, { kept } = document.body.dataset;
  const byId = (id) => document.getElementById(id);
  const part = (name) => document.importNode(parts.content.querySelector(`[data-part="${name}"]`), true);
  const offLine = () => !navigator.onLine || Boolean(kept);
  let sections = null, home = null, waiting = [], shown = {};

  /* The sections of the page for manual entries: [{ name, forms }]. */
  async function load() {
    if (sections) return sections;
    const answer = await caches.match(words.byHand);
    if (!answer) return [];
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    sections = [...page.querySelectorAll("[data-group]")].map((one) => ({
      name: one.querySelector("h2").textContent.trim(), unlisted: "unlisted" in one.dataset,
      forms: [...one.querySelectorAll("form[data-kind]")],
    }));
    return sections;
  }

  const allForms = () => (sections || []).flatMap((one) => one.forms);
  const formOf = (kind) => allForms().find((one) => one.dataset.kind === kind);
  const kindOf = (entry) => {
    const query = new URL(entry.action).searchParams, key = query.get("kind") || query.get("do") || "";
    const light = key.startsWith("light-turn") && allForms().find((one) => "startsTurn" in one.dataset);
    return light ? light.dataset.kind : key.split(".")[0];
  };

  const cardOf = (who) => byId(`tap-${who}`);
  const nameOf = (who) => (cardOf(who)?.querySelector(".name") || cardOf(who))?.textContent.trim() || "";
  const actorOf = (who) => {
    const card = cardOf(who);
    return !card ? "" : card.matches(".token") ? "combatant" : card.closest(".token-group") ? "group" : "side";
  };

  /* The parts of the screen. */

  function link(form, who) {
    const item = document.createElement("li"), button = document.createElement("button");
    Object.assign(button, { type: "button", className: "button second", textContent: form.dataset.title });
    button.addEventListener("click", () => go({ who, kind: form.dataset.kind }));
    item.append(button);
    return item;
  }

  function list(within, actor, who) {
    for (const { name, forms, unlisted } of sections) {
      const own = unlisted ? [] : forms.filter((one) => one.dataset.actorKind === actor);
      if (!own.length) continue;
      const head = document.createElement("h3"), items = document.createElement("ul");
      head.textContent = name;
      items.className = "action-list";
      items.append(...own.map((one) => link(one, who)));
      within.append(head, items);
    }
  }

  function entryForm(form, who) {
    const copy = document.importNode(form, true), { actor } = form.dataset, head = document.createElement("h2");
    copy.id = "action";
    copy.elements.client_id.value = freshId();
    copy.querySelector(".actions").remove();
    head.textContent = [nameOf(who), form.dataset.title].filter(Boolean).join(": ");
    copy.prepend(head);
    for (const one of copy.querySelectorAll(".typed-dice")) one.open = true;
    for (const one of "light" in parts.dataset ? copy.querySelectorAll("[name=light]") : []) one.checked = true;
    for (const one of who && actor ? copy.querySelectorAll(`[name="${actor}"]`) : []) {
      if (one.type === "radio") one.checked = one.value === who;
      else one.value = who;
      one.closest(".field").hidden = true;
    }
    return copy;
  }

  function bar(content) {
    byId("next")?.replaceChildren(...content.childNodes);
    const back = () => go(shown.kind && shown.who ? { who: shown.who } : {});
    byId("next")?.querySelector("[data-do=back]")?.addEventListener("click", back);
  }

  function undo() {
    const newest = waiting.at(-1), place = byId("undo");
    if (!place) return;
    place.replaceChildren();
    if (!newest || newest.tried || shown.kind) return;
    const button = part("undo");
    button.querySelector("span").append(`: ${newest.title}`);
    button.addEventListener("click", async () => {
      await MusterQueue.drop(newest.place);
      document.dispatchEvent(new CustomEvent("muster:changed"));
    });
    place.append(button);
  }

  /* Show the form of a kind of entry, the kinds of an actor, or those of the table. */
  async function show() {
    await load();
    const now = byId("now"), form = shown.kind && formOf(shown.kind);
    if (!now || !sections) return;
    home = home || [...now.childNodes];
    now.toggleAttribute("data-keep", true);
    for (const id of ["phase", "choice"]) say(id, "");
    if (form) {
      now.replaceChildren(entryForm(form, shown.who));
      bar(part("bar-form"));
    } else if (shown.who) {
      const panel = part("panel");
      panel.querySelector("h2").textContent = nameOf(shown.who);
      list(panel, actorOf(shown.who), shown.who);
      now.replaceChildren(panel);
      bar(part("bar-panel"));
    } else {
      const own = part("home");
      list(own, "", "");
      // What was due is older than the entries that wait; casualties can be tapped at any time.
      const current = home.filter((one) => !waiting.length || one.matches?.("form.casualty"));
      now.replaceChildren(...current, own);
      bar(part("bar-home"));
    }
    undo();
    mark();
    if (shown.who || shown.kind) now.scrollIntoView({ block: "start" });
    else scrollTo({ top: 0 });
  }

  function say(id, text) {
    if (byId(id)) byId(id).textContent = text;
  }

  function go(next) {
    if (!next.kind) document.dispatchEvent(new CustomEvent("muster:left"));
    shown = next;
    history.pushState({ offLine: next }, "");
    show();
  }

  /* The turn with those that wait, and on each card what waits of it: of this turn, and what lasts beyond it. */
  function mark() {
    for (const one of document.querySelectorAll("#board .waits")) one.remove();
    byId("board")?.classList.toggle("is-old", waiting.length > 0);
    const kinds = waiting.map((one) => formOf(kindOf(one))?.dataset || {});
    const last = kinds.findLastIndex((one) => "startsTurn" in one);
    waiting.forEach((entry, place) => {
      const card = entry.who && cardOf(entry.who);
      if (!card || (place < last && !("lasting" in kinds[place]))) return;
      const one = part("mark");
      one.textContent = entry.title;
      if (card.matches(".token")) card.insertBefore(one, card.querySelector(".what"));
      else card.after(" ", one);
    });
    const top = byId("table-top"), head = top?.querySelector("h1");
    const begun = kinds.filter((one) => "startsTurn" in one).length;
    if (!begun || !head) return;
    head.replaceChildren(parts.dataset.turn.replace("%n", Number(top.dataset.turn) + begun), " ", part("unsent"));
  }

  document.addEventListener("click", (event) => {
    const target = event.target.closest("#table a[href], .table-bar a[href]");
    if (!target || !offLine() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const url = new URL(target.href), query = url.searchParams, who = query.get("who") || "";
    if (url.pathname !== words.table || query.has("about") || query.has("feed") || query.has("latest")) return;
    // Without the forms the browser asks the service worker for the page.
    if (!sections) return;
    const key = (query.get("do") || "").split(".")[0];
    const casualty = allForms().find((one) => "lasting" in one.dataset && one.dataset.actorKind === "combatant");
    const kind = key === "casualty" ? casualty?.dataset.kind : key;
    if (kind && !formOf(kind) && !who) return;
    event.preventDefault();
    go({ ...(who ? { who } : {}), ...(kind && formOf(kind) ? { kind } : {}) });
  });

  addEventListener("popstate", (event) => {
    if (!home) return;
    shown = event.state?.offLine || {};
    show();
  });

  /* A kept page whose form was filled in goes back to the board, and not to another page. */
  document.addEventListener("muster:queued", (event) => {
    if (!offLine() || !sections) return;
    event.preventDefault();
    go({});
  });

  document.addEventListener("muster:waiting", async (event) => {
    const before = waiting.length;
    waiting = event.detail;
    if (!offLine() && !waiting.length) return;
    await load();
    if (!sections) return;
    if (offLine() && !shown.kind && !shown.who && (home || before !== waiting.length)) return void show();
    mark();
    if (offLine() && home) undo();
  });

  addEventListener("offline", () => load().then(() => { if (sections && !byId("action")) show(); }));

  /* Back on line with nothing to send: the table follows its log again. */
  addEventListener("online", () => {
    if (kept || !home || shown.kind) return;
    byId("now")?.replaceChildren(...home);
    byId("now")?.removeAttribute("data-keep");
    home = null;
    shown = {};
  });

  // What a kept page was asked for: a fighter, or its action.
  const asked = new URL(location.href).searchParams;
  load().then(() => {
    if (!kept || !sections || byId("action") || document.querySelector("#now .who-panel")) return;
    const who = asked.get("who") || "", kind = (asked.get("do") || "").split(".")[0];
    shown = { ...(cardOf(who) ? { who } : {}), ...(formOf(kind) ? { kind } : {}) };
    show();
  });
})();
