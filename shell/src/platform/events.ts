import type { Host } from '@portal/sdk'
import type { ModuleBuild } from '@portal/sdk/manifest'
import type { Payload } from './event-hub.ts'

/** How a module's events leave it and reach it: through the page's hub, or in a frame through its port. */
export type Carrier = {
  /** Answers why an event was refused. */
  publish(of: ModuleBuild, event: string, payload: unknown): Promise<string | null> | string | null
  hear(event: string, listener: (payload: Payload) => void): () => void
}

let byPort: Carrier | undefined
/** In a frame, before its module is loaded. */
export const carryEventsBy = (carrier: Carrier): void => {
  byPort = carrier
}

/** The part `events` of a module's host; undefined if its manifest declares no events. */
export async function eventsOf(build: ModuleBuild): Promise<Host['events']> {
  if (!build.events?.length && !build.listens?.length) return undefined
  const carrier = async () => byPort ?? (await import('./event-hub.ts'))
  // A module that only publishes does not wait for the hub. It is not needed before some module listens.
  const hears = build.listens?.length ? await carrier() : undefined
  return {
    async publish(event: string, payload: unknown) {
      const { publish } = await carrier()
      const refusal = await publish(build, event, payload)
      if (refusal) throw new Error(refusal)
    },
    subscribe(event: string, listener: (payload: never) => void) {
      if (!hears || !build.listens?.includes(event))
        throw new Error(`${build.name} does not name ${event} under listens in portal.module.json.`)
      return hears.hear(event, (payload) => {
        try {
          listener(payload as never)
        } catch (fault) {
          // A listener that fails is a failure of its module, and nobody else's: its stack says whose it is.
          reportError(fault)
        }
      })
    },
  }
}
