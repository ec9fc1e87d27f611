// A page that sends more than the portal takes, and goes on working.
globalThis.probes[PROBE.global].chunks.list = (given) => {
  const { createElement: h, useState } = given.react
  const { i18n, useHost } = given['@portal/sdk']
  const records = `/modules/${PROBE.name}/records/notes`
  const stock = `/modules/${PROBE.name}/backend/stock/items`
  const upload = { method: 'POST', path: '/home/attendance/import', multipart: true }
  const file = (size) => new File(['x'.repeat(size)], 'wells.txt')

  /** Each call with what it sends. Letters with accents take two octets. */
  const calls = [
    ['a large record', { method: 'POST', path: records }, { body: { data: { text: 'é'.repeat(33_000) } } }],
    ['a long search', { method: 'GET', path: records }, { query: { search: 'x'.repeat(4500) } }],
    ['a longer search', { method: 'GET', path: records }, { query: { search: 'x'.repeat(3000) } }],
    ['to the own server', { method: 'POST', path: stock }, { body: { text: 'x'.repeat(200_000) } }],
    ['too much for it', { method: 'POST', path: stock }, { body: { text: 'x'.repeat(270_000) } }],
    ['a large file', upload, { body: { attendance_file: file(26 * 1024 * 1024) } }],
    ['many fields', upload, { body: { names: Array.from({ length: 250 }, (_, n) => n + 1) } }],
    ['a long name', upload, { body: { ['x'.repeat(150)]: 'x', attendance_file: file(10) } }],
    ['a small record', { method: 'POST', path: records }, { body: { data: { text: 'A well is dry' } } }],
  ]

  return function LimitsPage() {
    const { client } = useHost()
    const [results, setResults] = useState([])
    const send = async () => {
      for (const [name, endpoint, args] of calls) {
        const result = await client.call(endpoint, args).then(
          ({ message, octets }) => `answered ${message ?? octets}`,
          ({ status, message }) => `${status} ${message}`,
        )
        setResults((before) => [...before, `${name}: ${result}`])
      }
    }
    return h(
      'div',
      { className: `${PROBE.name} stack` },
      h('h1', null, i18n._(`${PROBE.name}.title`)),
      h('button', { type: 'button', className: 'button', onClick: send }, 'Send everything'),
      h(
        'ol',
        { 'aria-label': 'Results' },
        results.map((result) => h('li', { key: result }, result)),
      ),
    )
  }
}
