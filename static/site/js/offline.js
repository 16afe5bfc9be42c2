/* A battle at the table goes on without a network: forms marked with data-log-event are kept in the queue when they
   cannot be sent (offline-queue.js), and #unsent says in words what waits. The texts are the server's
   (parts/unsent.html). Without this script, or without what it needs of the browser, forms are sent as they are. */
"use strict";

(() => {
  const box = document.getElementById("unsent-list"), sign = document.getElementById("unsent");
  if (!box || !self.indexedDB || !navigator.locks || !AbortSignal.timeout) return;
  const words = box.dataset, battle = words.battle, writer = words.user;
  const slot = (name, within = box) => within.querySelector(`[data-slot="${name}"]`);
  const kept = document.body.dataset.kept;
  const news = new BroadcastChannel("muster-unsent");
  const SEEN = `muster.seen.${battle}`;
  const EVERY = 15000;
  let edited = false, editing = false, result = "", last = null;

  const token = () => (document.cookie.match(/(?:^|; )csrftoken=([^;]*)/) || [])[1] || "";

  function clock(when) {
    const date = new Date(when), today = date.toDateString() === new Date().toDateString();
    const wanted = { hour: "2-digit", minute: "2-digit", ...(today ? {} : { day: "numeric", month: "short" }) };
    return date.toLocaleString(document.documentElement.lang || undefined, wanted);
  }

  /* How far the log had come when the asker looked: what is logged by hand goes by the table that was seen last. */

  function seen() {
    try { return Number(localStorage.getItem(SEEN)) || 0; } catch { return 0; }
  }

  function see(version) {
    try { if (version > seen()) localStorage.setItem(SEEN, String(version)); } catch { /* Then the page's own counts. */ }
  }

  const versionOf = (form) => Math.max(Number(form.elements.version?.value) || 0, "byHand" in form.dataset ? seen() : 0);

  function look() {
    const forms = document.querySelectorAll("form[data-log-event]:not([data-by-hand]) [name=version]");
    see(Math.max(0, Number(document.body.dataset.version) || 0, ...[...forms].map((each) => Number(each.value) || 0)));
  }

  /* An entry, from the form in which it was typed. */

  const OWN = ["csrfmiddlewaretoken", "form_key", "client_id", "version"];
  const text = (node) => (node ? node.textContent.replace(/\s+/g, " ").trim() : "");
  const asked = (form) => [...form.elements].filter((one) => one.name && !["hidden", "submit", "button"].includes(one.type));
  const labelOf = (one) => text(one.labels && one.labels[0]).replace(/\(.*\)$/, "").trim();

  function told(form) {
    const said = [];
    for (const one of asked(form)) {
      const boxed = one.type === "radio" || one.type === "checkbox";
      if (boxed ? !one.checked || !one.value : !one.value) continue;
      const legend = boxed && text(one.closest("fieldset")?.querySelector("legend"));
      const value = one.tagName === "SELECT" ? text(one.selectedOptions[0]) : boxed ? labelOf(one) : one.value;
      said.push(legend || !boxed ? `${legend || labelOf(one)}: ${value}` : value);
    }
    return [...said, ...[...form.querySelectorAll("input[data-told]")].map((one) => one.dataset.told)].join(" · ");
  }

  /* A button that was pressed says something too, where it has a name. */
  const pressed = (button) => (button?.name && !OWN.includes(button.name) ? [[button.name, button.value]] : []);
  const fieldsOf = (form, button = null) => [...[...new FormData(form)].filter(
    ([name, value]) => !OWN.includes(name) && typeof value === "string"), ...pressed(button)];

  /* The fields as they stand, to be changed later without the page that they came from. */
  function copyOf(form, button = null) {
    const copy = form.cloneNode(true), typed = form.querySelectorAll("input, select, textarea");
    copy.querySelectorAll("input, select, textarea").forEach((one, place) => {
      const told = typed[place];
      if (one.type === "radio" || one.type === "checkbox") one.toggleAttribute("checked", told.checked);
      else if (one.tagName === "SELECT") {
        [...one.options].forEach((each, number) => each.toggleAttribute("selected", told.options[number].selected));
      } else if (one.tagName === "TEXTAREA") one.textContent = told.value;
      else one.setAttribute("value", told.value);
    });
    const not = [...OWN.map((name) => `[name=${name}]`), ".actions", ".notice", ".back", "button", "h2", "[role=status]"];
    copy.querySelectorAll(not.join(", ")).forEach((each) => each.remove());
    for (const [name, value] of pressed(button)) {
      const kept = document.createElement("input");
      for (const [key, told] of Object.entries({ type: "hidden", name, value })) kept.setAttribute(key, told);
      kept.dataset.told = text(button);
      copy.append(kept);
    }
    return copy.querySelector("input:not([type=hidden]), select, textarea") ? copy.innerHTML : "";
  }

  function entryOf(form, submitter) {
    const button = submitter || form.querySelector("button");
    return {
      id: form.elements.client_id?.value || freshId(), battle, writer, version: versionOf(form), at: Date.now(),
      action: new URL(form.getAttribute("action") || "", location.href).href.replace(/#.*$/, ""),
      title: form.dataset.title || text(form.querySelector("h2")) || text(button),
      who: form.elements[form.dataset.actor || "tap_victim"]?.value || new URL(form.action).searchParams.get("who") || "",
      told: [told(form), ...(pressed(submitter).length ? [text(submitter)] : [])].filter(Boolean).join(" · "),
      fields: fieldsOf(form, submitter), copy: copyOf(form, submitter), tried: false, refusal: null,
    };
  }

  /* Sending a form: at once where that goes, behind the others where some wait, into the queue where it does not go. */

  async function submitted(form, submitter) {
    const entry = entryOf(form, submitter), button = submitter || form.querySelector("button");
    if (button) button.disabled = true;
    document.body.ariaBusy = "true";
    let left = false;
    try {
      const waiting = (await MusterQueue.all()).some((each) => each.battle === battle && each.writer === writer);
      if (navigator.onLine && !waiting) {
        const answer = await MusterQueue.post(entry, token());
        if (answer.arrived) {
          see(answer.arrived.version);
          left = true;
          location.assign(answer.arrived.address);
          return;
        }
        if (answer.refusal) {
          // The page of the form shows why, beside its fields.
          form.dataset.asItIs = "";
          if (button) button.disabled = false;
          left = true;
          form.requestSubmit(submitter || undefined);
          return;
        }
        entry.tried = !answer.signIn;
      }
      await MusterQueue.add(entry);
      await queued(form, button, entry);
    } finally {
      if (button && entry.copy) button.disabled = false;
      if (!left) document.body.ariaBusy = null;
    }
  }

  async function queued(form, button, entry) {
    news.postMessage("changed");
    if (entry.copy) {
      form.reset();
      form.elements.client_id.value = freshId();
      form.closest("details")?.removeAttribute("open");
    } else if (button) {
      button.disabled = true;
    }
    edited = false;
    wakeLater();
    await show();
    send();
    const handled = !document.dispatchEvent(new CustomEvent("muster:queued", { cancelable: true }));
    if (handled) return;
    if ("byHand" in form.dataset) box.scrollIntoView({ block: "start" });
    else if (entry.copy && navigator.serviceWorker?.controller && await caches.match(words.table)) {
      location.assign(words.table);
    }
  }

  async function wakeLater() {
    try {
      await (await navigator.serviceWorker.ready).sync.register("unsent");
    } catch { /* Pages send by themselves. */ }
  }

  async function send(byPerson = false) {
    const mine = (await MusterQueue.all()).filter((each) => each.writer === writer);
    if (!mine.length) return;
    if (!navigator.onLine) {
      if (byPerson) result = words.offLine;
      return void show();
    }
    const done = await MusterQueue.send({ token, writer, told: () => { news.postMessage("changed"); show(); } });
    last = done.last || last;
    result = done.busy ? (byPerson ? words.busy : result) : done.lost ? words.lost : "";
    slot("sign-in").hidden = !done.signIn;
    if (done.last?.battle === battle) {
      see(done.last.version);
      for (const one of document.querySelectorAll("form[data-log-event] [name=version]")) {
        one.value = String(Math.max(Number(one.value) || 0, done.last.version));
      }
    }
    news.postMessage("changed");
    await show();
    const open = (await MusterQueue.all()).some((each) => each.writer === writer);
    if (open || !done.sent) return;
    result = words.sent;
    await show();
    // On to what it came to; whoever is filling in a form is left alone.
    if (document.body.dataset.battle && !edited && last?.battle === battle) location.assign(last.address);
  }

  /* The sign. */

  async function show() {
    const entries = await MusterQueue.all(), mine = entries.filter((each) => each.writer === writer);
    const refused = mine.some((each) => each.refusal), count = mine.length;
    const first = count ? clock(mine[0].at) : "";
    const said = refused ? words.refused
      : count ? (count === 1 ? words.one : words.many).replace("%n", count).replace("%t", first)
      : navigator.onLine ? result : words.offLine;
    slot("sign").textContent = said;
    box.classList.toggle("refused", refused);
    if (sign) {
      sign.hidden = !said;
      const link = document.createElement("a");
      link.href = "#unsent-list";
      link.textContent = words.look;
      if (sign.dataset.said !== said) sign.replaceChildren(said, ...(count && !sign.matches(".visually-hidden") ? [" ", link] : []));
      sign.dataset.said = said;
    }
    const newest = mine.filter((each) => each.battle === battle).at(-1);
    slot("newest").hidden = !newest;
    slot("newest").textContent = newest ? [newest.title, newest.told].filter(Boolean).join(": ") : "";
    slot("off-line").hidden = navigator.onLine || count > 0;
    slot("before").hidden = !mine.some((each) => each.battle === battle);
    slot("kept").hidden = !kept;
    slot("others").hidden = count === entries.length;
    slot("result").hidden = !result || result === said;
    slot("result").textContent = result;
    box.querySelector("[data-do=send]").hidden = !count;
    slot("all").hidden = !count;
    if (refused) slot("all").open = true;
    box.hidden = !count && navigator.onLine && !kept && !result && count === entries.length;
    if (!editing) slot("all").querySelector("ol").replaceChildren(...mine.map(line));
    const detail = mine.filter((each) => each.battle === battle);
    document.dispatchEvent(new CustomEvent("muster:waiting", { detail }));
  }

  function line(entry) {
    const part = box.querySelector("[data-part=entry]").content.cloneNode(true), refusal = entry.refusal;
    const each = part.firstElementChild, button = (name) => each.querySelector(`[data-do="${name}"]`);
    each.dataset.entry = entry.id;
    slot("title", each).textContent = entry.title;
    slot("told", each).textContent = entry.told;
    slot("when", each).textContent = words.typed.replace("%t", clock(entry.at));
    const uncertain = entry.tried && !refusal;
    slot("tried", each).hidden = !uncertain;
    button("change").hidden = uncertain || !entry.copy;
    if (refusal) {
      slot("refusal", each).hidden = false;
      slot("refusal", each).setAttribute("role", "alert");
      fill(slot("since", each), (refusal.since || []).map(
        (one) => (one.by ? words.by.replace("%t", one.sentence).replace("%n", one.by) : one.sentence)));
      fill(slot("problems", each), (refusal.problems || []).map(
        (one) => (one.rule ? `${one.sentence} (${words.rule.replace("%t", one.rule)})` : one.sentence)));
      slot("reason", each).hidden = !refusal.overrule;
      button("again").hidden = false;
      button("again").addEventListener("click", () => again(entry, each));
    }
    button("change").addEventListener("click", () => edit(entry, each));
    button("drop").addEventListener("click", () => { slot("sure", each).hidden = false; button("really-drop").focus(); });
    button("keep").addEventListener("click", () => { slot("sure", each).hidden = true; button("drop").focus(); });
    button("really-drop").addEventListener("click", () => settle(MusterQueue.drop(entry.place)));
    return each;
  }

  function fill(part, lines) {
    part.hidden = !lines.length;
    part.querySelector("ul").replaceChildren(...lines.map((each) => {
      const item = document.createElement("li");
      item.textContent = each;
      return item;
    }));
  }

  /* What a person has settled is sent with what the person has been shown of the log. */
  async function settle(done) {
    editing = false;
    result = "";
    await done;
    news.postMessage("changed");
    await show();
    if (navigator.onLine) send();
  }

  function again(entry, each) {
    const reason = slot("reason", each).querySelector("input"), { refusal } = entry;
    if (refusal.overrule && !reason.value.trim()) return reason.focus();
    const fields = entry.fields.filter(([name]) => name !== "overruled" || !refusal.overrule);
    if (refusal.overrule) fields.push(["overruled", reason.value.trim()]);
    settle(MusterQueue.change(entry.place, { refusal: null, fields, version: refusal.version || entry.version }));
  }

  function edit(entry, each) {
    const form = slot("change", each), fields = slot("fields", form);
    editing = true;
    fields.innerHTML = entry.copy;
    for (const one of fields.querySelectorAll("[id], [for], [aria-describedby]")) {
      for (const name of ["id", "for", "aria-describedby"]) {
        if (one.hasAttribute(name)) one.setAttribute(name, `unsent-${entry.place}-${one.getAttribute(name)}`);
      }
    }
    form.hidden = false;
    form.querySelector("input, select, textarea")?.focus();
    form.querySelector("[data-do=no-change]").onclick = () => { editing = false; show(); };
    form.onsubmit = (event) => {
      event.preventDefault();
      const changed = { told: told(form), fields: fieldsOf(form), copy: copyOf(form), refusal: null };
      settle(MusterQueue.change(entry.place, { ...changed, version: entry.refusal?.version || entry.version }));
    };
  }

  /* Ready. */

  addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-log-event]");
    if (!form || "asItIs" in form.dataset) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    submitted(form, event.submitter);
  }, true);
  addEventListener("input", (event) => { if (event.target.closest("form[data-log-event]")) edited = true; });
  addEventListener("online", () => {
    result = "";
    MusterQueue.all().then((waiting) => {
      if (kept && !edited && !waiting.some((each) => each.writer === writer)) location.reload();
      else show().then(() => send());
    });
  });
  addEventListener("offline", () => show());
  document.addEventListener("muster:changed", () => { news.postMessage("changed"); show(); });
  document.addEventListener("muster:left", () => { edited = false; });
  addEventListener("pagehide", look);
  addEventListener("pageshow", (event) => {
    if (!event.persisted && !kept) return;
    // A form that comes back as it was is filled in for another entry.
    for (const form of document.querySelectorAll("form[data-log-event]")) {
      if (asked(form).length && form.elements.client_id) form.elements.client_id.value = freshId();
    }
  });
  news.onmessage = () => show();
  setInterval(() => send(), EVERY);

  if (kept) slot("kept").textContent = slot("kept").textContent.replace("%t", clock(kept));
  look();
  show().then(() => send());

  /* A table that follows its log by itself is kept as it has become, at most once in a while. */
  let later = 0;
  const followed = () => {
    look();
    if (!navigator.serviceWorker?.controller || later) return;
    later = setTimeout(() => {
      later = 0;
      if (navigator.onLine) navigator.serviceWorker.controller.postMessage({ keep: [words.table], again: true });
    }, EVERY);
  };
  new MutationObserver(followed).observe(document.body, { attributeFilter: ["data-version"] });

  if (navigator.serviceWorker) {
    const keep = () => navigator.serviceWorker.ready.then(
      ({ active }) => active.postMessage({ keep: [words.table, words.byHand] }));
    navigator.serviceWorker.register(words.worker, { scope: "/", updateViaCache: "none" }).then(() => keep(), () => {});
    navigator.serviceWorker.addEventListener("controllerchange", () => keep());
    // A worker that took over while the page was loading did so unheard; one that has everything fetches nothing.
    for (const later of [3000, EVERY]) setTimeout(keep, later);
    navigator.serviceWorker.addEventListener("message", (event) => { if (event.data.send) send(); });
  }
})();
