// A page whose code catches an error and reports it, fails where nobody catches it, and has an answer refused.
globalThis.probes[PROBE.global].chunks.list = (given) => {
  const { createElement: h } = given.react
  const { i18n, useHost } = given['@portal/sdk']
  return function ThrowsPage() {
    const { client } = useHost()
    const button = (label, onClick) => h('button', { type: 'button', className: 'button', onClick }, label)
    const caught = () => {
      try {
        throw new Error('The well is dry.')
      } catch (fault) {
        reportError(fault)
      }
    }
    return h(
      'div',
      { className: `${PROBE.name} stack` },
      h('h1', null, i18n._(`${PROBE.name}.title`)),
      button('Report', caught),
      button('Throw', () => {
        throw new Error('Nobody catches the pump.')
      }),
      button('Reject', async () => {
        await null
        throw new Error('Nobody waits for the tank.')
      }),
      button('Be refused', () => client.call({ method: 'GET', path: '/admin/nothing-here' })),
    )
  }
}
