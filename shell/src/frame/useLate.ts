import { type ComponentType, useEffect, useState } from 'react'

/** A piece that is fetched when it is wanted for the first time, and asked for again if it did not come. */
export function useLate<Props>(
  fetch: () => Promise<ComponentType<Props>>,
  wanted: boolean,
): ComponentType<Props> | null {
  const [Component, setComponent] = useState<ComponentType<Props> | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fetch` is written in place; only the wish decides
  useEffect(() => {
    if (!wanted || Component) return
    let open = true
    let timer: ReturnType<typeof setTimeout>
    const attempt = () =>
      void fetch().then(
        (late) => open && setComponent(() => late),
        () => {
          if (open) timer = setTimeout(attempt, 2000)
        },
      )
    attempt()
    return () => {
      open = false
      clearTimeout(timer)
    }
  }, [wanted])
  return Component
}
