// The smallest module there can be, written by hand in the plain protocol of containers: `init` takes the share
// scope, `get` answers what is exposed. PROBE is what the test says of this build.
globalThis[PROBE.global] = (() => {
  const base = new URL('./', document.currentScript.src).href
  /** What was given, for the chunks; on the window, so that a test can compare it with what others were given. */
  const held = { given: {}, chunks: {}, probe: PROBE }
  globalThis.probes = { ...globalThis.probes, [PROBE.global]: held }
  if (PROBE.variant === 'throws-at-load') throw new Error('The probe throws while it is loaded.')

  const newest = (versions) => versions[Object.keys(versions).at(-1)]
  /** A share that the portal already has; the probe leaves out those that are fetched asynchronously. */
  const take = (scope, name) => {
    const given = newest(scope[name]).get()
    return typeof given === 'function' ? given() : undefined
  }

  function added(element) {
    return new Promise((resolve, reject) => {
      element.addEventListener('load', resolve)
      element.addEventListener('error', () => reject(new Error('A file of the probe did not come.')))
      document.head.appendChild(element)
    })
  }
  async function chunk(name) {
    if (held.chunks[name]) return held.chunks[name]
    await added(Object.assign(document.createElement('script'), { src: `${base}${name}.js` }))
    return held.chunks[name]
  }
  const styles = () =>
    added(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${base}probe.css` }))

  const fetch = (name) => async () => {
    const [make] = await Promise.all([chunk(name), held.styled || styles()])
    held.styled = true
    return { default: make(held.given) }
  }
  // Routes are the router's own objects since contract 1.2.
  const page = (name) => ({ [PROBE.contract < '1.2' ? 'page' : 'lazy']: fetch(name) })

  const module = {
    contract: PROBE.contract,
    routes: () => [
      { path: PROBE.route, ...page('list') },
      { path: `${PROBE.route}/form`, ...page('form') },
      { path: `${PROBE.route}/crash`, ...page('crash') },
    ],
    messages: { en: () => [chunk('en')], fr: () => [chunk('fr')] },
    cards: { count: async () => ({ default: (await chunk('card'))(held.given) }) },
    tabs: Object.fromEntries(
      ['school', 'student', 'case'].map((on) => [
        on,
        { count: async () => ({ default: (await chunk('tab'))(held.given) }) },
      ]),
    ),
  }

  return {
    init(scope) {
      held.scope = scope
      for (const name of Object.keys(scope)) held.given[name] = take(scope, name)
    },
    async get() {
      // What the bundler's container says and does when the shell's React is not the one it was built for.
      if (PROBE.variant === 'wrong-react')
        throw new Error(
          'Unsatisfied version 19.3.0 from shell of shared singleton module react (required ^18.2.0)',
        )
      if (PROBE.variant === 'nothing') return () => ({ default: { pages: [] } })
      return () => ({ default: module })
    },
  }
})()
