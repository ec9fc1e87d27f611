import type { Host } from '@portal/sdk'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { readEvent } from '@portal/sdk/own-events'

/** An event as the module has published it. */
export type Published = { event: string; payload: Record<string, unknown> }

/** The events of one module: what it publishes is checked like in the portal and noted, what it hears a test tells it. */
export function fakeEvents(of: Pick<ModuleBuild, 'name' | 'events'>) {
  const published: Published[] = []
  const ears = new Map<string, Set<(payload: never) => void>>()
  const events: Host['events'] = {
    async publish(event: string, given: unknown) {
      const read = readEvent(of, event, given)
      if ('refusal' in read) throw new Error(read.refusal)
      published.push({ event, payload: read.payload })
    },
    subscribe(event: string, listener: (payload: never) => void) {
      const those = ears.get(event) ?? new Set()
      ears.set(event, those.add(listener))
      return () => those.delete(listener)
    },
  }
  const tell = (event: string, payload: Record<string, unknown>) => {
    for (const listener of ears.get(event) ?? []) listener(payload as never)
  }
  return { events, published, tell }
}
