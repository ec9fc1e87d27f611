globalThis.probes[PROBE.global].chunks.tab = (given) => {
  const { createElement: h, useEffect, useState } = given.react
  const { useHost } = given['@portal/sdk']
  return function ProbeTab(item) {
    const { events } = useHost()
    const [heard, setHeard] = useState('nothing')
    // PROBE.mark names an event to hear.
    useEffect(
      () =>
        PROBE.mark
          ? events?.subscribe(PROBE.mark, (payload) => setHeard(JSON.stringify(payload)))
          : undefined,
      [events],
    )
    if (PROBE.variant === 'throws-in-card') throw new Error('The tab of the probe throws while it is drawn.')
    return h(
      'div',
      null,
      h('p', null, `${PROBE.name} knows ${JSON.stringify(item)}`),
      events && h('p', null, `Heard ${heard}`),
    )
  }
}
