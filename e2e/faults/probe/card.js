globalThis.probes[PROBE.global].chunks.card = (given) => {
  const { createElement: h } = given.react
  const { i18n } = given['@portal/sdk']
  return function ProbeCard() {
    if (PROBE.variant === 'throws-in-card') throw new Error('The card of the probe throws while it is drawn.')
    return h('p', null, i18n._(`${PROBE.name}.card`))
  }
}
