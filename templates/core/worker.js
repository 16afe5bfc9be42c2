/* The service worker: network first for everything, and what was kept only where there is none.

   It shows what comes to wait for a member, if this device is notified. It keeps the files that pages are made of, of
   one version alone, and the last pages of battles at the table of whoever is signed in. An upgrade is another worker
   with another version: it takes over at once and throws the old ones away, and a page of another version than the
   files is never kept beside them. */
"use strict";

const KNOWN = {{ known|safe }};
importScripts("{{ queue }}");

const FILES = `muster-files-${KNOWN.version}`;
const PAGES = `muster-pages-${KNOWN.version}`;
const READER = "/off-line/reader";
const TABLE = /^\/battles\/[0-9a-f-]{36}\/table\/((by-hand|several)\/)?$/;
const BATTLES = 3;
const PATIENCE = { page: 8000, file: 4000 };

self.addEventListener("install", (event) => {
  const wanted = [...KNOWN.files, KNOWN.offLine].map((each) => new Request(each, { cache: "reload" }));
  event.waitUntil(caches.open(FILES).then((cache) => cache.addAll(wanted)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  // What a successor has put by already is not thrown away: it throws away what is left here.
  const { installing, waiting } = self.registration;
  if (!installing && !waiting) await throwAway((name) => ![FILES, PAGES].includes(name));
  await self.clients.claim();
})()));

async function throwAway(unwanted) {
  const names = (await caches.keys()).filter((name) => name.startsWith("muster-") && unwanted(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const request = event.request, url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  // With its successor waiting it takes nothing more in hand: what is on line comes from the network alone.
  if (self.registration.waiting && self.navigator.onLine) return;
  if (request.method === "POST") {
    // Whoever signs out, or in, leaves nothing of what was kept for the one before.
    if ([KNOWN.signIn, KNOWN.signOut].includes(url.pathname)) event.waitUntil(throwAway((name) => name !== FILES));
    if (url.pathname === KNOWN.signOut) event.waitUntil(showNothingMore());
    if (request.mode === "navigate") event.respondWith(fetch(request).catch(nothing));
  } else if (request.method === "GET") {
    if (KNOWN.files.includes(url.pathname)) event.respondWith(file(request, url));
    else if (request.mode !== "navigate") return;
    else if (TABLE.test(url.pathname)) event.respondWith(page(event, url));
    else event.respondWith(fetch(request).catch(nothing));
  }
});

/* The network's answer, or a rejection after so many milliseconds. */
function within(milliseconds, answer) {
  return Promise.race([answer, new Promise((_, late) => setTimeout(() => late(new Error("late")), milliseconds))]);
}

const nothing = async () => (await caches.match(KNOWN.offLine, { cacheName: FILES })) || Response.error();

async function file(request, url) {
  const kept = () => caches.match(url.pathname, { cacheName: FILES });
  try {
    return await within(PATIENCE.file, fetch(request));
  } catch {
    return (await kept()) || Response.error();
  }
}

async function page(event, url) {
  const answer = fetch(event.request);
  event.waitUntil(answer.then((fresh) => keep(url, fresh, () => fresh.clone()), () => {}));
  try {
    return await within(await known(url) ? PATIENCE.page : 60000, answer);
  } catch {
    return (await known(url)) || nothing();
  }
}

/* Pages of a table: the board as it was seen last, the last page that asks for something, and logging by hand. */

const asks = (url) => url.searchParams.has("do") || url.searchParams.has("who");
const battleOf = (path) => path.split("/")[2];
const byHand = (url) => `/battles/${battleOf(url.pathname)}/table/by-hand/`;
const keyOf = (url) => (asks(url) && !url.pathname.endsWith("by-hand/") ? `${url.pathname}?asks` : url.pathname);

async function known(url) {
  const cache = { match: (key) => caches.match(key, { cacheName: PAGES }) }, found = await cache.match(keyOf(url));
  if (!asks(url) || url.pathname.endsWith("by-hand/")) return found;
  if (found && found.headers.get("Muster-Address") === url.search) return found;
  // The board shows what was asked for by itself (offline-table.js); a page for several has no board to fall back on.
  const board = !url.pathname.endsWith("several/") && (await cache.match(url.pathname));
  return board || (await cache.match(byHand(url))) || found || cache.match(url.pathname);
}

/* A copy is made only of what is kept: one that nobody reads would hold this worker, and its successor waiting. */
async function keep(url, fresh, copy = () => fresh) {
  if ([403, 404, 410].includes(fresh.status)) return forget(battleOf(url.pathname));
  const version = fresh.headers.get("Muster-Version"), reader = fresh.headers.get("Muster-Reader");
  if (!fresh.ok || fresh.redirected || !reader || !version) return;
  if (version !== KNOWN.version) return void self.registration.update();
  const text = (await copy().text()).replace("<body", `<body data-kept="${new Date().toISOString()}"`);
  const headers = new Headers(fresh.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie"]) headers.delete(name);
  headers.set("Muster-Address", url.search);
  // One that was replaced meanwhile keeps nothing more.
  if (self.serviceWorker?.state === "redundant") return;
  await whoseAre(reader);
  const cache = await caches.open(PAGES);
  await cache.delete(keyOf(url));
  await cache.put(keyOf(url), new Response(text, { status: 200, headers }));
  await onlyTheNewest(cache);
}

/* What was kept for somebody else is thrown away. */
async function whoseAre(reader) {
  const known = await caches.match(READER, { cacheName: PAGES });
  if (known && (await known.text()) === reader) return;
  await caches.delete(PAGES);
  await (await caches.open(PAGES)).put(READER, new Response(reader));
}

async function onlyTheNewest(cache) {
  const paths = (await cache.keys()).map((each) => new URL(each.url).pathname).filter((each) => TABLE.test(each));
  const newest = [...new Set(paths.reverse().map(battleOf))];
  await Promise.all(newest.slice(BATTLES).map(forget));
}

async function forget(battle) {
  if (!(await caches.has(PAGES))) return;
  const cache = await caches.open(PAGES);
  const its = (await cache.keys()).filter((each) => battleOf(new URL(each.url).pathname) === battle);
  await Promise.all(its.map((each) => cache.delete(each)));
}

const fetching = new Map();

/* A page that was loaded before there was a worker, or by an older one, asks for what it will need. */
self.addEventListener("message", (event) => {
  const { keep: wanted, again } = event.data;
  for (const each of wanted || []) {
    if (!fetching.has(each)) fetching.set(each, fetchToKeep(each, again).finally(() => fetching.delete(each)));
    event.waitUntil(fetching.get(each));
  }
});

async function fetchToKeep(address, again) {
  const url = new URL(address, self.location.origin);
  if (!TABLE.test(url.pathname) || (!again && (await caches.match(keyOf(url), { cacheName: PAGES })))) return;
  try {
    await keep(url, await fetch(url, { credentials: "same-origin", redirect: "error" }));
  } catch { /* It is asked for again with the next page. */ }
}

/* Where the browser wakes the worker once there is a network: an open page sends, or else the worker does. */
self.addEventListener("sync", (event) => {
  if (event.tag === "unsent") event.waitUntil(sendWhatWaits());
});

async function sendWhatWaits() {
  const windows = await self.clients.matchAll({ type: "window" });
  if (windows.length) return windows.forEach((each) => each.postMessage({ send: true }));
  if (!self.cookieStore) return;
  const token = await self.cookieStore.get("csrftoken");
  if (token) await MusterQueue.send({ token: () => token.value });
}

/* What comes to wait for the member whose device this is: a title, a line, and the path of the page to open. */
self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/* In the window that shows it already, else in a new one; nowhere but on this site. */
async function open(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return null;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((each) => each.url.split("#")[0] === url.href.split("#")[0]);
  return shown ? shown.focus() : self.clients.openWindow(url.href);
}

/* Whoever signs out leaves a device that tells the next one nothing; the server hears of it from the push service. */
async function showNothingMore() {
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe();
}
