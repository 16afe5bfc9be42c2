/* The result sheet: what is half filled in is kept in this browser until it is logged, and a board of names fills in
   the rows by tapping. Without this script the rows are there as they are. */
"use strict";

(() => {
  const KEPT = "muster.sheet.";
  const AGE = 60 * 24 * 3600 * 1000;
  const holder = document.querySelector("[data-draft]");
  if (!holder) return;
  const form = holder.matches("form") ? holder : null;
  const key = KEPT + holder.dataset.draft;

  /* Rows of events: each has a prefix such as "wound-0", and the id under which it is logged. */

  const rowsOf = (kind) => [...form.querySelectorAll(`[data-row^="${kind}-"]`)].filter(
    (row) => row.dataset.row.slice(kind.length + 1).match(/^\d+$/));
  let away = null; // The row whose fields stand in the panel of the board just now, and that panel.
  const scopes = (row) => (away && away.row === row ? [row, away.box] : [row]);
  const controls = (row) => scopes(row).flatMap((one) => [...one.querySelectorAll("input, select, textarea")]);
  const named = (row, field) => scopes(row).map(
    (one) => one.querySelector(`[name="${row.dataset.row}-${field}"]`)).find(Boolean);
  const isFixed = (one) => one.type === "hidden";
  const isFilled = (one) => !isFixed(one) && (one.type === "checkbox" || one.type === "radio" ? one.checked : one.value !== "");
  const filled = (row) => controls(row).some(isFilled);

  function clear(row) {
    for (const one of controls(row)) {
      if (isFixed(one)) continue;
      if (one.type === "checkbox" || one.type === "radio") one.checked = false;
      else one.value = "";
    }
    row.classList.remove("wrong");
    row.querySelectorAll(".error").forEach((one) => one.remove());
  }

  /* One more row of a kind, made from its last one. */
  function addRow(kind) {
    const rows = rowsOf(kind), last = rows.at(-1), count = form.querySelector(`[name="rows_${kind}"]`);
    if (!last || last.dataset.about) return null;
    const copy = last.cloneNode(true), before = last.dataset.row, after = `${kind}-${rows.length}`;
    copy.dataset.row = after;
    for (const one of [copy, ...copy.querySelectorAll("*")]) {
      for (const attribute of ["name", "id", "for", "aria-describedby"]) {
        const value = one.getAttribute(attribute);
        if (value) one.setAttribute(attribute, value.replace(`${before}-`, `${after}-`));
      }
    }
    clear(copy);
    named(copy, "client_id").value = freshId();
    const legend = copy.querySelector("legend");
    if (legend) legend.textContent = legend.textContent.replace(/\d+\s*$/, String(rows.length + 1));
    last.after(copy);
    count.value = String(rows.length + 1);
    return copy;
  }

  /* What is half filled in: kept by battle, row by row; rows that are in the log by now fall away. */

  function draft() {
    const rows = [...form.querySelectorAll("[data-row]")].filter(filled).map((row) => ({
      kind: row.dataset.row.replace(/-\d+$/, ""),
      about: row.dataset.about || "",
      id: named(row, "client_id").value,
      told: controls(row).filter(isFilled).map((one) => [one.name.slice(row.dataset.row.length + 1), one.value]),
    }));
    return { at: Date.now(), rows };
  }

  function keep() {
    const now = draft();
    try {
      if (now.rows.length) localStorage.setItem(key, JSON.stringify(now));
      else localStorage.removeItem(key);
    } catch { /* A browser that keeps nothing: the form works all the same. */ }
  }

  function keptRows() {
    let kept = null;
    try {
      for (const name of Object.keys(localStorage).filter((each) => each.startsWith(KEPT))) {
        const one = JSON.parse(localStorage.getItem(name));
        if (!one || Date.now() - one.at > AGE) localStorage.removeItem(name);
        else if (name === key) kept = one;
      }
      const logged = new Set((holder.dataset.logged || "").split(" "));
      const open = kept ? kept.rows.filter((row) => !logged.has(row.id)) : [];
      if (kept && !open.length) localStorage.removeItem(key);
      return open;
    } catch {
      return [];
    }
  }

  function bringBack(rows) {
    for (const kept of rows) {
      const here = rowsOf(kept.kind);
      const row = kept.about
        ? here.find((one) => one.dataset.about === kept.about && !filled(one))
        : here.find((one) => !one.dataset.about && !filled(one)) || addRow(kept.kind);
      if (!row) continue;
      named(row, "client_id").value = kept.id;
      for (const [field, value] of kept.told) {
        for (const one of row.querySelectorAll(`[name="${row.dataset.row}-${field}"]`)) {
          if (one.type === "checkbox" || one.type === "radio") one.checked = one.checked || one.value === value;
          else one.value = value;
        }
      }
      if (row.matches("details")) row.open = true;
    }
  }

  const open = keptRows();
  if (!form) return;
  if (!("sent" in form.dataset) && open.length) {
    bringBack(open);
    document.getElementById("draft-notice").hidden = false;
  }
  document.getElementById("draft-stays").hidden = false;
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
  form.querySelector("[data-do=forget]").addEventListener("click", () => {
    form.querySelectorAll("[data-row]").forEach(clear);
    keep();
    document.getElementById("draft-notice").hidden = true;
    form.dispatchEvent(new Event("told", { bubbles: true }));
  });

  /* The board: whom it befell, what happened, who did it. */

  const board = document.getElementById("board");
  if (board) {
    const { kind, subject, result, by } = board.dataset;
    const list = document.getElementById(`kind-${kind}`);
    const part = (name) => board.querySelector(`.board-${name}`);
    const panel = part("panel"), ask = part("ask"), names = [...board.querySelectorAll("[data-fighter]")];
    const called = new Map(names.map((one) => [one.dataset.fighter, one.querySelector("span").textContent]));
    const each = Boolean(list.querySelector("[data-about]"));
    let row = null, place = null, step = "subject";

    const who = (one) => one.dataset.about || (named(one, subject) || {}).value || "";
    const labelOf = (one) => {
      const label = one.id && form.querySelector(`label[for="${one.id}"]`);
      return label ? label.textContent.replace(/\(.*\)/, "").trim() : "";
    };

    /* What a row tells beside whom and by whom, in a few words. */
    function words(one) {
      return controls(one).filter(isFilled)
        .filter((field) => ![subject, by, "client_id"].includes(field.name.slice(one.dataset.row.length + 1)))
        .map((field) => {
          if (field.tagName === "SELECT") return field.selectedOptions[0].textContent.trim();
          return field.type === "checkbox" ? labelOf(field) : `${labelOf(field)} ${field.value}`;
        }).join(", ");
    }

    function show() {
      const told = rowsOf(kind).filter((one) => filled(one) && who(one));
      const marks = new Map();
      for (const one of told) marks.set(who(one), [...(marks.get(who(one)) || []), words(one)]);
      for (const one of names) {
        const said = (marks.get(one.dataset.fighter) || []).filter(Boolean);
        const times = [...new Set(said)].map((each) => [each, said.filter((other) => other === each).length]);
        one.querySelector("small").textContent = times.map(([each, count]) => (count > 1 ? `${each} × ${count}` : each)).join("; ");
        one.classList.toggle("hurt", marks.has(one.dataset.fighter));
        one.setAttribute("aria-pressed", String(Boolean(row) && who(row) === one.dataset.fighter));
      }
      part("told").replaceChildren(...told.map(item));
      ask.textContent = step === "subject" ? `${board.dataset.askSubject}?`
        : step === "result" ? board.dataset.textHappened.replace("{name}", called.get(who(row)) || "")
        : `${called.get(who(row)) || ""}, ${words(row) || board.dataset.noun}. ${board.dataset.askBy}?`;
      board.dataset.step = step;
      panel.hidden = step === "subject";
      part("results").hidden = step === "by";
      panel.querySelector("[data-do=nobody]").hidden = step !== "by";
      panel.querySelector("[data-do=by]").hidden = step === "by" || !by || !each;
    }

    function item(one) {
      const line = document.createElement("li"), said = document.createElement("span");
      const doer = by && named(one, by) && named(one, by).value;
      const wrong = [...one.querySelectorAll(".error")].map((error) => error.textContent.trim()).join(" ");
      said.textContent = `${called.get(who(one)) || "?"}: ${words(one)}${doer ? ` (${called.get(doer) || "?"})` : ""}`;
      line.append(said);
      if (wrong) {
        const error = document.createElement("span");
        error.className = "error";
        error.textContent = wrong;
        line.append(error);
      }
      for (const [label, act] of [[board.dataset.textChange, () => begin(one)], [board.dataset.textBack, () => { clear(one); told(); }]]) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "link";
        button.textContent = label;
        button.setAttribute("aria-label", `${label}: ${said.textContent}`);
        button.addEventListener("click", act);
        line.append(button);
      }
      return line;
    }

    /* The fields of the row stand in the panel while it is told, and go back to their place. */
    function putBack() {
      if (!row) return;
      part("row").querySelectorAll(".field").forEach((one) => { one.hidden = false; });
      place.replaceWith(...part("row").childNodes);
      row = place = away = null;
    }

    function begin(one) {
      putBack();
      row = one;
      place = document.createComment("");
      const inside = [...one.childNodes].filter((node) => !["LEGEND", "SUMMARY"].includes(node.nodeName));
      one.append(place);
      part("row").replaceChildren(...inside);
      away = { row, box: part("row") };
      for (const field of [subject, result, by]) {
        const box = field && named(one, field) && named(one, field).closest(".field");
        if (box) box.hidden = true;
      }
      const chosen = result ? named(one, result) : null;
      part("results").replaceChildren(...(chosen ? choicesOf(chosen) : []));
      part("more").open = each;
      go(chosen || each || !by ? "result" : "by");
    }

    const choicesOf = (chosen) => [...chosen.options].filter((one) => one.value).map((one) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "second";
      button.textContent = one.textContent.trim();
      button.setAttribute("aria-pressed", String(chosen.value === one.value));
      button.addEventListener("click", () => { chosen.value = one.value; go(by ? "by" : "subject"); });
      return button;
    });

    function go(next) {
      step = next;
      if (next === "subject") { told(); return; }
      show();
      keep();
    }

    function told() {
      const last = row && names.find((one) => one.dataset.fighter === who(row));
      putBack();
      step = "subject";
      show();
      keep();
      if (last) last.focus({ preventScroll: true });
      form.dispatchEvent(new Event("told", { bubbles: true }));
    }

    function tapped(fighter, isDead) {
      if (step === "by") { named(row, by).value = fighter; told(); return; }
      if (isDead) {
        ask.textContent = board.dataset.textDead.replace("{name}", called.get(fighter) || "");
        return;
      }
      putBack();
      const rows = rowsOf(kind), own = rows.find((one) => one.dataset.about === fighter);
      const one = own || rows.find((each) => !each.dataset.about && !filled(each))
        || (rows.length < Number(board.dataset.most) ? addRow(kind) : null);
      if (!one) { ask.textContent = board.dataset.textFull; return; }
      if (!own) named(one, subject).value = fighter;
      begin(one);
    }

    board.addEventListener("click", (event) => {
      const name = event.target.closest("[data-fighter]"), button = event.target.closest("[data-do]");
      if (name) tapped(name.dataset.fighter, "dead" in name.dataset);
      if (!button) return;
      if (button.dataset.do === "nobody") { named(row, by).value = ""; told(); }
      if (button.dataset.do === "by") go("by");
      if (button.dataset.do === "done") told();
      if (button.dataset.do === "clear") { clear(row); told(); }
      if (button.dataset.do === "list") { putBack(); step = "subject"; board.hidden = true; list.hidden = false; list.open = true; }
    });
    form.addEventListener("submit", () => { if (row) putBack(); });
    board.hidden = false;
    list.hidden = true;
    show();
    // Once htmx listens.
    if (open.length) addEventListener("load", () => form.dispatchEvent(new Event("told", { bubbles: true })));
  }
})();
