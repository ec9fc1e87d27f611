/**
 * Caches the files of shell and modules that have their hash in their name, so that the portal opens on a bad connection.
 * It caches no answers of the api, no documents and nothing about a person. Served under /sw.js.
 */
const most = 30 * 1024 * 1024
const offlinePage = '/offline'
const assets = 'assets:'

/** The cache a file belongs to: the build of its module, or the shell's. */
async function cacheOf(pathname) {
  const module = /^\/modules\/[^/]+\/[^/]+\//.exec(pathname)
  if (module) return caches.open(module[0])
  const shell = (await caches.keys()).find((name) => name.startsWith(assets))
  return caches.open(shell ?? assets)
}

/** From the cache, or from the network and into it. The browser compares the hash in both cases. */
async function keptFile(request) {
  const cached = await caches.match(request.url, { ignoreVary: true })
  if (cached) return cached
  const answer = await fetch(request)
  if (answer.ok && answer.type === 'basic') {
    const copy = answer.clone()
    // The browser has checked the hash by now, so that a file that was changed on its way is never cached.
    cacheOf(new URL(request.url).pathname)
      .then((cache) => cache.put(request.url, copy))
      .catch(() => {})
  }
  return answer
}

/** From the network; without one a page that says so, in the person's language. */
async function fromNetwork(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (fault) {
    const page = await caches.match(offlinePage, { ignoreVary: true })
    if (page) return page
    throw fault
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    // Files, and pages with a secret in their address, are left to the browser.
    if (!/^\/(api|external|storage|password)\//.test(pathname)) event.respondWith(fromNetwork(event))
    return
  }
  const isFile = /^\/(assets|modules)\//.test(pathname) && request.integrity
  // A request that bypasses the browser's cache bypasses this one too.
  if (isFile && !['no-store', 'reload'].includes(request.cache)) event.respondWith(keptFile(request))
})

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.registration.navigationPreload?.enable()))

/** The page names the current builds and the language; every other cache is deleted. */
self.addEventListener('message', (event) => {
  const { shell, bases, locale, files } = event.data
  const tidied = tidy([assets + shell, 'offline', ...bases])
  event.waitUntil(tidied.then(() => Promise.all([fetchOfflinePage(locale), ...files.map(keep)])))
})

async function tidy(wanted) {
  const { usage = 0 } = (await navigator.storage?.estimate?.()) ?? {}
  for (const name of await caches.keys()) {
    if (usage > most || !wanted.includes(name)) await caches.delete(name)
  }
  await caches.open(wanted[0])
}

/** Out of the browser's own cache, where it has just been read from. */
const keep = ({ url, integrity }) => keptFile(new Request(url, { integrity, mode: 'cors' })).catch(() => {})

async function fetchOfflinePage(locale) {
  const page = await fetch(`${offlinePage}?lang=${locale}`)
  if (!page.ok) return
  const cache = await caches.open('offline')
  const html = await page.clone().text()
  const files = [...new Set([...html.matchAll(/\/assets\/[\w.-]+/g)].map(([file]) => file))]
  await cache.addAll(files)
  await cache.put(offlinePage, page)
}
