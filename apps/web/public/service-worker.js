/**
 * Lets the app open without a network. Pages come from the server whenever it answers, so that nobody is held on an old
 * release; files with a hash in their name never change and come from the cache. The API is left alone.
 */
const CACHE = 'albedo-1';
const PAGE = '/';
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(begin()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(openPage(request, pathname));
  else if (HASHED.test(pathname)) event.respondWith(openFile(request));
});

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(answer(event.action, event.notification.data ?? {}));
});
self.addEventListener('message', (event) => {
  if (event.data?.kind === 'ready') event.waitUntil(handOver(event.source));
});

async function begin() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

/**
 * Every address of the app has the same page. The app itself keeps it once it has started (`app/pocket.ts`): a page that
 * came before its files did would open as nothing.
 */
async function openPage(request, pathname) {
  try {
    return await fetch(request);
  } catch (error) {
    const isOfApp = !/^\/(?:api|docs)(?:\/|$)/.test(pathname);
    const kept = isOfApp ? await caches.match(PAGE) : undefined;
    if (kept) return kept;
    throw error;
  }
}

async function openFile(request) {
  const kept = await caches.match(request.url);
  if (kept) return kept;
  const reply = await fetch(request);
  if (reply.ok && reply.type === 'basic') await keep(request.url, reply);
  return reply;
}

/** What the cloud encrypted for this browser; a message that cannot be read is shown as one all the same. */
async function show(data) {
  let notice = {};
  try {
    notice = data?.json() ?? {};
  } catch {
    // Browsers take the right to push messages away from whoever shows nothing.
  }
  const { title = 'Albedo', body = '', url = '/alerts', tag, acknowledge, action } = notice;
  await self.registration.showNotification(title, {
    body,
    tag,
    renotify: Boolean(tag),
    icon: '/icons/icon-192.png',
    data: { url, acknowledge },
    actions: acknowledge ? [{ action: 'acknowledge', title: action }] : [],
  });
}

/** Of an answer that the app has not taken yet, and for how long it counts, ms. */
const ANSWER = '/pending-answer';
const ANSWER_LIVES_MS = 120_000;

/**
 * Opens the app where the notice leads. What was acknowledged is handed to the app, which asks the server as whoever is signed
 * in there: nothing is acknowledged by an address alone.
 */
async function answer(action, { url = '/', acknowledge }) {
  const isAnswer = action === 'acknowledge' && acknowledge;
  const message = { kind: 'acknowledge', ...acknowledge };
  const open = await self.clients.matchAll({ type: 'window' });
  const client = open.find((one) => new URL(one.url).origin === self.location.origin);
  if (client) {
    if (isAnswer) client.postMessage(message);
    else await client.navigate(url).catch(() => null);
    await client.focus().catch(() => null);
    return;
  }
  if (isAnswer) {
    const cache = await caches.open(CACHE);
    await cache.put(ANSWER, new Response(JSON.stringify({ ...message, at: Date.now() })));
  }
  await self.clients.openWindow(url);
}

/** The app is there: it gets what was answered before. */
async function handOver(client) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(ANSWER);
  if (!kept) return;
  await cache.delete(ANSWER);
  const { at, ...message } = await kept.json();
  if (Date.now() - at < ANSWER_LIVES_MS) client.postMessage(message);
}

/** Keeps a copy; a full disk is no reason to show nothing. The app throws old ones away. */
async function keep(address, reply) {
  try {
    const cache = await caches.open(CACHE);
    await cache.put(address, reply.clone());
  } catch {
    // It is fetched again the next time.
  }
}
