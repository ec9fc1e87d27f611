globalThis.probes[PROBE.global].chunks.list = (given) => {
  const { createElement: h, useState } = given.react
  const { Link } = given[PROBE.contract < '1.2' ? '@portal/sdk' : 'react-router-dom']
  const { i18n, useHost } = given['@portal/sdk']
  return function ProbeListPage() {
    const [count, setCount] = useState(0)
    const { module, session } = useHost()
    if (PROBE.variant === 'throws-in-render') throw new Error('The probe throws while it is drawn.')
    // Whether the portal's own renderer drives the React that was given, and not a second one.
    globalThis.probes[PROBE.global].driven =
      Object.values(given.react).find((each) => each && typeof each === 'object' && 'H' in each)?.H != null
    return h(
      'div',
      { className: `${PROBE.name} stack` },
      h('h1', null, i18n._(`${PROBE.name}.title`)),
      h('p', null, `${module.name} ${module.version} ${PROBE.mark}`),
      h('p', null, session.user.email),
      h('button', { type: 'button', onClick: () => setCount(count + 1) }, `Count ${count}`),
      h(Link, { to: `${PROBE.route}/form` }, i18n._(`${PROBE.name}.form`)),
      h(Link, { to: `${PROBE.route}/crash` }, 'Crash'),
    )
  }
}
