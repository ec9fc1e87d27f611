import type { Entry } from '../registry.ts'
import type { FromFrame, FromPortal } from './protocol.ts'

type Publishing = Extract<FromFrame, { kind: 'publish' }>

/** Carries the events of a frame's module: what its manifest names, and nothing for a module that names none. */
export function carryEvents(
  of: Pick<Entry, 'name' | 'events' | 'listens'>,
  send: (message: FromPortal) => void,
) {
  const { listens = [], events = [] } = of
  const names = listens.length + events.length > 0
  const hub = names ? import('../event-hub.ts') : null
  let ended = false
  const ends: (() => void)[] = []
  void hub?.then(({ hear }) => {
    if (ended) return
    for (const event of listens) ends.push(hear(event, (payload) => send({ kind: 'event', event, payload })))
  }, nothing)
  return {
    async publish({ id, event, payload }: Publishing) {
      const found = await hub?.catch(() => null)
      const refusal = found ? found.publish(of, event, payload) : `${event} was not carried.`
      send({ kind: 'published', id, refusal })
    },
    end() {
      ended = true
      for (const each of ends) each()
    },
  }
}

const nothing = () => {}
