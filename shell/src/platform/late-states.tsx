import type { PortalModule } from '@portal/sdk'
import { type ReactNode, useEffect, useState } from 'react'
import { addCatalogs } from '../language.ts'

type States = typeof import('./states/states.tsx')

/** The words of the states, which come with them. */
const words: PortalModule['messages'] = {
  en: () => [import(/* webpackChunkName: "late-en" */ './states/locales/en.ts')],
  fr: () => [import(/* webpackChunkName: "late-fr" */ './states/locales/fr.ts')],
}

let here: States | undefined
let coming: Promise<States> | undefined

/** The failure states. Prefetched while the connection works, because they are needed when it does not. */
export function fetchStates(): Promise<States> {
  if (!coming) {
    coming = Promise.all([
      import(/* webpackChunkName: "states" */ './states/states.tsx'),
      addCatalogs(words),
    ]).then(([states]) => (here = states))
    coming.catch(() => (coming = undefined))
  }
  return coming
}

/** Prefetches the states once the first page is shown. */
export function prefetchStates(): void {
  const idle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1000))
  const fetch = () => idle(() => void fetchStates().catch(() => {}))
  if (document.readyState === 'complete') setTimeout(fetch, 1500)
  else window.addEventListener('load', () => setTimeout(fetch, 1500))
}

type Props = { draw: (states: States) => ReactNode; otherwise?: ReactNode }

/** A lazy component of the states; a failed fetch is repeated every two seconds. */
export function Late({ draw, otherwise = null }: Props) {
  const [states, setStates] = useState(() => here)
  useEffect(() => {
    if (states) return
    let open = true
    let timer: ReturnType<typeof setTimeout>
    const ask = () =>
      void fetchStates().then(
        (found) => open && setStates(found),
        () => {
          if (open) timer = setTimeout(ask, 2000)
        },
      )
    ask()
    return () => {
      open = false
      clearTimeout(timer)
    }
  }, [states])
  return states ? draw(states) : otherwise
}
