globalThis.probes[PROBE.global].chunks.tab = (given) => {
  const { createElement: h } = given.react
  return function ProbeTab(item) {
    if (PROBE.variant === 'throws-in-card') throw new Error('The tab of the probe throws while it is drawn.')
    return h('p', null, `${PROBE.name} knows ${JSON.stringify(item)}`)
  }
}
