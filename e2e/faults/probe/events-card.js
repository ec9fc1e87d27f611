// A card that publishes events of its module and shows those that it hears. PROBE.mark names an event to hear.
globalThis.probes[PROBE.global].chunks.card = (given) => {
  const { createElement: h, useEffect, useState } = given.react
  const { useHost } = given['@portal/sdk']
  let broken = false
  return function EventsCard() {
    const { events } = useHost()
    const [heard, setHeard] = useState([])
    const [refused, setRefused] = useState('')
    useEffect(
      () =>
        PROBE.mark
          ? events.subscribe(PROBE.mark, (payload) => {
              if (broken) throw new Error('The listener of the probe throws.')
              setHeard((before) => [...before, JSON.stringify(payload)])
            })
          : undefined,
      [events],
    )
    const publish = (payload, name = `${PROBE.name}:dry`) =>
      events.publish(name, payload).catch(({ message }) => setRefused(message))
    const act = (label, onClick) => h('button', { key: label, type: 'button', onClick }, label)
    const many = () => {
      for (let count = 0; count < 60; count += 1) publish({ well: count })
    }
    return h(
      'div',
      { className: 'card-body' },
      PROBE.mark
        ? act('Break', () => (broken = true))
        : [
            act('Publish', () => publish({ well: 7, since: '2026-02-28' })),
            act('Publish a text', () => publish({ well: 'seven' })),
            act('Publish another', () => publish({}, 'mfe-other:dry')),
            act('Publish many', many),
          ],
      h('p', null, `Refused ${refused}`),
      h('p', null, `Heard ${heard.length} ${heard.at(-1) ?? ''}`),
    )
  }
}
