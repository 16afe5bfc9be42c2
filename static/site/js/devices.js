// Lets this browser show what waits: it asks its push service for an address, and the form brings that to the server.
// Devices are listed and removed without this script.
"use strict";

(() => {
  const box = document.getElementById("devices");
  if (!box || !box.dataset.key) return;
  const slot = (name) => box.querySelector(`[data-slot="${name}"]`), add = slot("add");
  const show = (name) => { slot(name).hidden = false; };
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  async function traceOf(subscription) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint));
    return [...new Uint8Array(digest)].map((each) => each.toString(16).padStart(2, "0")).join("");
  }

  /* What this browser has subscribed to, unless that was for another key of the server. */
  async function subscribed(worker) {
    const found = await worker.pushManager.getSubscription(), key = found?.options?.applicationServerKey;
    if (!found || !key || text(key) === box.dataset.key) return found;
    await found.unsubscribe();
    return null;
  }

  async function notify(worker) {
    slot("failed").hidden = true;
    if ((await Notification.requestPermission()) !== "granted") return show("denied");
    try {
      const wanted = { userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) };
      const found = (await subscribed(worker)) || (await worker.pushManager.subscribe(wanted));
      add.elements.endpoint.value = found.endpoint;
      add.elements.key.value = text(found.getKey("p256dh"));
      add.elements.secret.value = text(found.getKey("auth"));
    } catch {
      return show("failed");
    }
    add.submit();
  }

  function isThis(line, subscription) {
    const form = line.querySelector("form"), button = form.querySelector("button");
    line.querySelector("[data-slot=this]").hidden = false;
    button.textContent = button.dataset.stop;
    button.removeAttribute("aria-label");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      subscription.unsubscribe().finally(() => form.submit());
    });
  }

  async function prepare() {
    if (Notification.permission === "denied") return show("denied");
    await navigator.serviceWorker.register(box.dataset.worker, { scope: "/", updateViaCache: "none" });
    const worker = await navigator.serviceWorker.ready, found = await subscribed(worker);
    const line = found && box.querySelector(`[data-trace="${await traceOf(found)}"]`);
    if (line) return isThis(line, found);
    add.addEventListener("submit", (event) => {
      event.preventDefault();
      notify(worker);
    });
    show("add");
  }

  if (!window.isSecureContext || !window.PushManager || !window.Notification || !navigator.serviceWorker) show("unable");
  else prepare().catch(() => show("unable"));
})();
