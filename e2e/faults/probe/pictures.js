// A module that draws pictures of the hosts that the test names.
globalThis.probes[PROBE.global].chunks.list = (given) => {
  const { createElement: h } = given.react
  return () =>
    h(
      'div',
      { className: PROBE.name },
      h('h1', null, 'Pictures'),
      PROBE.mark.split(' ').map((host) => h('img', { key: host, src: `${host}/tile.png`, alt: host })),
    )
}
