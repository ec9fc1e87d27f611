// A card that counts answers of the portal, and loops without an end when somebody wants it to.
globalThis.probes[PROBE.global].chunks.card = (given) => {
  const { createElement: h, useState } = given.react
  const { useHost } = given['@portal/sdk']
  return function LoopCard() {
    const { client, notify } = useHost()
    const [count, setCount] = useState(0)
    const ask = async () => {
      await client.call({ method: 'GET', path: '/admin/schools/list' })
      setCount(count + 1)
    }
    const loop = () => {
      notify.good(`${PROBE.name} loops`)
      setTimeout(() => {
        for (;;);
      }, 100)
    }
    return h(
      'div',
      { className: 'card-body' },
      h('button', { type: 'button', onClick: ask }, `Answers ${count}`),
      h('button', { type: 'button', onClick: loop }, 'Loop'),
    )
  }
}
