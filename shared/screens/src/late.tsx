import { Problem } from '@portal/client/problem'
import { useHost } from '@portal/sdk'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { problemText } from './problemText.tsx'

/** Lazy components that loaded pages may open and that have not been fetched. */
const awaited = new Set<() => void>()

/** Prefetches all lazy components when somebody points at a button. */
function prefetch({ target }: Event) {
  if (awaited.size === 0 || !(target instanceof Element) || !target.closest('button, [role^=menuitem]'))
    return
  for (const begin of awaited) begin()
  awaited.clear()
}
globalThis.document?.addEventListener('pointerover', prefetch, { passive: true })
globalThis.document?.addEventListener('focusin', prefetch)

/** Lets the shell add what every lazy component needs first: the styles of dialogs. */
function announced(): Promise<unknown>[] {
  const detail: Promise<unknown>[] = []
  window.dispatchEvent(new CustomEvent('portal:late', { detail }))
  return detail
}

/**
 * A lazy component, used like any other:
 * `const EditSchoolDialog = late(() => import('./EditSchoolDialog.tsx'), 'EditSchoolDialog')`.
 * For dialogs, whose forms bring 25 KB of libraries along, and for what few visits show.
 */
export function late<Name extends string, Props extends object>(
  fetch: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): (props: Props) => ReactNode {
  let Ready: ComponentType<Props> | undefined
  let fetching: Promise<void> | undefined
  const begin = () => {
    fetching ??= Promise.all([fetch(), ...announced()]).then(
      ([file]) => {
        Ready = file[name]
      },
      (fault) => {
        fetching = undefined
        throw fault
      },
    )
    return fetching
  }
  awaited.add(() => void begin().catch(() => {}))

  return function Late(props: Props) {
    const [, setHere] = useState(Ready !== undefined)
    const { notify } = useHost()
    const { onClose } = props as { onClose?: () => void }
    // biome-ignore lint/correctness/useExhaustiveDependencies: once for each opening
    useEffect(() => {
      // It may have loaded since this was drawn.
      if (Ready) return setHere(true)
      let open = true
      // One automatic retry for a short network failure; after that the person decides.
      const here = begin().catch(begin)
      here.then(
        () => open && setHere(true),
        () => {
          if (!open) return
          notify.bad(problemText(new Problem(0)))
          onClose?.()
        },
      )
      return () => {
        open = false
      }
    }, [])
    // No Suspense boundary: React keeps a fallback for at least 300 ms, however fast the component loads.
    return Ready ? <Ready {...props} /> : null
  }
}
