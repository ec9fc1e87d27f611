import type { PortalModule } from '@portal/sdk'
import { lazyFile, useLazy } from '@portal/ui/lazy'
import type { ReactNode } from 'react'
import { addCatalogs } from '../language.ts'

/** The words of the states, which come with them. */
const words: PortalModule['messages'] = {
  en: () => [import(/* webpackChunkName: "lazy-en", webpackPrefetch: true */ './states/locales/en.ts')],
  fr: () => [import(/* webpackChunkName: "lazy-fr", webpackPrefetch: true */ './states/locales/fr.ts')],
}

/** The failure states. Prefetched while the connection works, because they are needed when it does not. */
export const lazyStates = lazyFile(async () => {
  const [states] = await Promise.all([
    import(/* webpackChunkName: "states" */ './states/states.tsx'),
    addCatalogs(words),
  ])
  return states
})

/** Prefetches the states once the first page is shown. */
export function prefetchStates(): void {
  const whenIdle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1000))
  const prefetch = () => setTimeout(() => whenIdle(lazyStates.prefetch), 1500)
  if (document.readyState === 'complete') prefetch()
  else window.addEventListener('load', prefetch)
}

type Props = {
  draw: (states: typeof import('./states/states.tsx')) => ReactNode
  /** What stands in its place until it has arrived. */
  otherwise?: ReactNode
}

/** A failure state. */
export function LazyState({ draw, otherwise = null }: Props) {
  const states = useLazy(lazyStates)
  return states ? draw(states) : otherwise
}
