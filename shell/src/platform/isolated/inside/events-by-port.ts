import { eventCharacters } from '@portal/contracts/module-events'
import type { Payload } from '../../event-hub.ts'
import { carryEventsBy } from '../../events.ts'
import { type FromPortal, isCarried } from '../protocol.ts'
import type { Send } from './send.ts'

type Heard = Extract<FromPortal, { kind: 'event' | 'published' }>

const isPayload = (value: unknown): value is Payload => typeof value === 'object' && value !== null

/** Sends the events of this frame's module to the portal, and tells it of those that come from there. */
export function carryEventsByPort(send: Send) {
  const waiting = new Map<number, (refusal: string | null) => void>()
  const ears = new Map<string, Set<(payload: Payload) => void>>()
  let last = 0
  carryEventsBy({
    publish: (_build, event, payload) =>
      new Promise((resolve) => {
        // Anything else would be no message, for which a frame is given up.
        if (!isPayload(payload)) return resolve(`${event}: an event carries an object.`)
        if (!isCarried(payload))
          return resolve(`${event}: an event has at most ${eventCharacters} characters, as JSON.`)
        last += 1
        waiting.set(last, resolve)
        send({ kind: 'publish', id: last, event, payload })
      }),
    hear(event, listener) {
      const those = ears.get(event) ?? new Set()
      ears.set(event, those.add(listener))
      return () => those.delete(listener)
    },
  })
  return (message: Heard) => {
    if (message.kind === 'event')
      for (const listener of ears.get(message.event) ?? []) listener(message.payload)
    else {
      waiting.get(message.id)?.(message.refusal)
      waiting.delete(message.id)
    }
  }
}
