import type { ModuleEvents } from '@portal/contracts/module-events'
// By its name, so that it is the portal's copy in a module too, which has the context.
import { useHost } from '@portal/sdk'
import { useCallback, useEffect, useRef } from 'react'
import type { HostEvents } from './host-events.ts'

/** Hears an event of a module as long as the component is drawn. What was published before is not told. */
export function useEvent<Name extends keyof ModuleEvents>(
  event: Name,
  listener: (payload: ModuleEvents[Name]) => void,
): void {
  const { events } = useHost()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => events?.subscribe(event, (payload) => latest.current(payload)), [events, event])
}

/** Publishes events of the module. */
export function usePublish(): HostEvents['publish'] {
  const { events, module } = useHost()
  return useCallback(
    async (event, payload) => {
      if (!events) throw new Error(`portal.module.json of ${module.name} names no events.`)
      await events.publish(event, payload)
    },
    [events, module],
  )
}
