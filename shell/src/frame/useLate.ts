import { type ComponentType, useEffect, useState } from 'react'

const idle = (act: () => void) =>
  'requestIdleCallback' in window ? window.requestIdleCallback(act, { timeout: 3000 }) : setTimeout(act, 300)

/** A piece that the first paint can do without: fetched once the browser has nothing else to do. */
export function useLate<Props>(fetch: () => Promise<ComponentType<Props>>): ComponentType<Props> | null {
  const [Component, setComponent] = useState<ComponentType<Props> | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fetch` is written in place and asked once
  useEffect(() => {
    let open = true
    idle(() => {
      void fetch().then(
        (late) => open && setComponent(() => late),
        () => {},
      )
    })
    return () => {
      open = false
    }
  }, [])
  return Component
}
