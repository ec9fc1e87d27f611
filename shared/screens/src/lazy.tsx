import { Problem } from '@portal/client/problem'
import { useHost } from '@portal/sdk'
import { type LazyFile, lazyEvent, lazyFile, useLazy } from '@portal/ui/lazy'
import type { ComponentType, ReactNode } from 'react'
import { problemText } from './problemText.tsx'

/** Lazy components that loaded pages may open and that have not been fetched. */
const unfetched = new Set<LazyFile<unknown>>()

/** Prefetches all lazy components when somebody points at a button. */
function prefetch({ target }: Event) {
  if (unfetched.size === 0 || !(target instanceof Element) || !target.closest('button, [role^=menuitem]'))
    return
  for (const file of unfetched) file.prefetch()
  unfetched.clear()
}
globalThis.document?.addEventListener('pointerover', prefetch, { passive: true })
globalThis.document?.addEventListener('focusin', prefetch)

/** What the shell adds to every lazy component. */
function additions(): Promise<unknown>[] {
  const detail: Promise<unknown>[] = []
  window.dispatchEvent(new CustomEvent(lazyEvent, { detail }))
  return detail
}

/**
 * A lazy component, used like any other:
 * `const EditSchoolDialog = lazy(() => import('./EditSchoolDialog.tsx'), 'EditSchoolDialog')`.
 * For dialogs, whose forms bring 25 KB of libraries along, and for what few visits show. One that cannot be fetched says so
 * and counts as closed.
 */
export function lazy<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): (props: Props) => ReactNode {
  const file = lazyFile(async (): Promise<ComponentType<Props>> => {
    const [exported] = await Promise.all([load(), ...additions()])
    return exported[name]
  })
  unfetched.add(file)

  return function Lazy(props: Props) {
    const { notify } = useHost()
    const { onClose } = props as { onClose?: () => void }
    const Component = useLazy(file, {
      onFailure() {
        notify.bad(problemText(new Problem(0)))
        onClose?.()
      },
    })
    return Component ? <Component {...props} /> : null
  }
}
