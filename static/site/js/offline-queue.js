/* What was logged at a table without a network: kept in this browser, and sent in order, each entry once.

   Read by pages and by the service worker. An entry has the id under which it is logged, so that one whose answer was
   lost is not logged twice; the version of the battle that its writer had seen; and its writer, for whom alone it is
   sent. One that is refused stays, and the others of its battle wait behind it, until a person has settled it. */
"use strict";

self.MusterQueue = (() => {
  const PATIENCE = 8000;
  const SENT = "Muster-Writer";

  const opened = () => new Promise((done, failed) => {
    const asked = indexedDB.open("muster", 1);
    asked.onupgradeneeded = () => {
      const entries = asked.result.createObjectStore("unsent", { keyPath: "place", autoIncrement: true });
      entries.createIndex("id", "id", { unique: true });
    };
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  let base = null;

  /* One transaction: what `act` asks of the store is done together or not at all. */
  async function within(mode, act) {
    base = base || opened();
    const transaction = (await base).transaction("unsent", mode), store = transaction.objectStore("unsent");
    let answer;
    return new Promise((done, failed) => {
      act(store, (found) => { answer = found; });
      transaction.oncomplete = () => done(answer);
      transaction.onabort = transaction.onerror = () => failed(transaction.error);
    });
  }

  const all = () => within("readonly", (store, tell) => {
    store.getAll().onsuccess = (event) => tell(event.target.result);
  });

  /* A second tap on the same button is the same entry. */
  const add = (entry) => within("readwrite", (store, tell) => {
    store.index("id").getKey(entry.id).onsuccess = (event) => {
      if (event.target.result !== undefined) tell(false);
      else store.add(entry).onsuccess = () => tell(true);
    };
  });

  const change = (place, changes) => within("readwrite", (store) => {
    store.get(place).onsuccess = (event) => {
      if (event.target.result) store.put({ ...event.target.result, ...changes });
    };
  });

  const drop = (place) => within("readwrite", (store) => { store.delete(place); });

  /* It has arrived: it goes, and what waits behind it was typed after the log had come so far. */
  const arrived = (entry, version) => within("readwrite", (store) => {
    store.delete(entry.place);
    store.openCursor().onsuccess = (event) => {
      const cursor = event.target.result;
      if (!cursor) return;
      const each = cursor.value;
      if (each.battle === entry.battle && each.writer === entry.writer && each.version < version) {
        cursor.update({ ...each, version });
      }
      cursor.continue();
    };
  });

  /* What the server says to an entry: { arrived }, { refusal }, { signIn }, or { lost } where it says nothing. */
  async function post(entry, token) {
    const told = new URLSearchParams(entry.fields);
    told.set("client_id", entry.id);
    told.set("version", String(entry.version));
    let answer;
    try {
      answer = await fetch(entry.action, {
        method: "POST", body: told, credentials: "same-origin", redirect: "manual",
        headers: { Accept: "application/json", "X-CSRFToken": token, [SENT]: entry.writer },
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (answer.status === 401) return { signIn: true };
      const speaks = (answer.headers.get("Content-Type") || "").includes("json");
      if (speaks && answer.ok) return { arrived: await answer.json() };
      if (speaks && answer.status < 500) return { refusal: await answer.json() };
    } catch {
      return { lost: true };
    }
    // A page in place of an answer: the sign that a session or its token is over, or that the server is in trouble.
    return answer.status === 403 ? { signIn: true } : { lost: true };
  }

  /* Sends what waits, one after the other, in this tab alone: { sent, last, signIn, lost, busy }. */
  function send({ token, writer, told = () => {} }) {
    return navigator.locks.request("muster-unsent", { ifAvailable: true }, async (lock) => {
      if (!lock) return { sent: 0, busy: true };
      const held = new Set(), done = { sent: 0 };
      for (;;) {
        const waiting = (await all()).filter((each) => !writer || each.writer === writer);
        waiting.filter((each) => each.refusal).forEach((each) => held.add(each.battle));
        const entry = waiting.find((each) => !held.has(each.battle));
        if (!entry) return done;
        await change(entry.place, { tried: true });
        const answer = await post(entry, token());
        if (answer.arrived) {
          await arrived(entry, answer.arrived.version);
          done.sent += 1;
          done.last = { battle: entry.battle, ...answer.arrived };
        } else if (answer.refusal) {
          const { refusal } = answer;
          if (refusal.code === "gone-on" && !refusal.since.length) {
            // Something beside the log has changed: there is nothing to settle.
            await change(entry.place, { version: refusal.version });
            continue;
          }
          await change(entry.place, { refusal, tried: false });
        } else {
          return { ...done, ...answer };
        }
        told();
      }
    });
  }

  return { add, all, change, drop, post, send };
})();
