import { lazyEvent } from '@portal/ui/lazy'

/** The styles of dialogs and sheets. */
export const lazyStyles = () =>
  import(/* webpackChunkName: "lazy", webpackPrefetch: true */ '@portal/ui/lazy.css')

/** Adds the styles of dialogs to the lazy components of modules. */
export function addStylesToLazy(): void {
  window.addEventListener(lazyEvent, (event) => {
    ;(event as CustomEvent<Promise<unknown>[]>).detail.push(lazyStyles().catch(() => {}))
  })
}
