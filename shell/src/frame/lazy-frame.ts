import type { PortalModule } from '@portal/sdk'
import { lazyEvent, lazyFile } from '@portal/ui/lazy'
import { addCatalogs } from '../language.ts'

/**
 * Lazy components of the frame, fetched with their words and styles once the first page is shown. The browser prefetches
 * them while it is idle, so that the notice "no connection" is there when the connection is gone.
 */
const words: PortalModule['messages'] = {
  en: () => [import(/* webpackChunkName: "lazy-en", webpackPrefetch: true */ './lazy/locales/en.ts')],
  fr: () => [import(/* webpackChunkName: "lazy-fr", webpackPrefetch: true */ './lazy/locales/fr.ts')],
}

const styles = () => import(/* webpackChunkName: "lazy", webpackPrefetch: true */ '@portal/ui/lazy.css')

/** Adds the styles of dialogs to the lazy components of modules. */
export function addStylesToLazy(): void {
  window.addEventListener(lazyEvent, (event) => {
    ;(event as CustomEvent<Promise<unknown>[]>).detail.push(styles().catch(() => {}))
  })
}

const withWords = <Piece>(load: () => Promise<Piece>) =>
  lazyFile(async () => {
    const [piece] = await Promise.all([load(), addCatalogs(words), styles()])
    return piece
  })

/** Messages, notices, shortcuts, and what asks the server from time to time. */
export const lazyExtras = withWords(
  () => import(/* webpackChunkName: "frame", webpackPrefetch: true */ './lazy/extras.tsx'),
)

/** What brings the dialog library along. */
export const lazyDialogs = withWords(() => import(/* webpackChunkName: "dialogs" */ './lazy/Dialogs.tsx'))

export const lazyPersonItems = withWords(
  () => import(/* webpackChunkName: "person" */ './lazy/PersonItems.tsx'),
)
