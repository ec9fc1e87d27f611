import type { PortalModule } from '@portal/sdk'
import { lazyFile } from '@portal/ui/lazy'
import { addCatalogs } from '../language.ts'
import { lazyStyles } from '../platform/lazy-styles.ts'

/**
 * Lazy components of the frame, fetched with their words and styles once the first page is shown. The browser prefetches
 * them while it is idle, so that the notice "no connection" is there when the connection is gone.
 */
const words: PortalModule['messages'] = {
  en: () => [import(/* webpackChunkName: "lazy-en", webpackPrefetch: true */ './lazy/locales/en.ts')],
  fr: () => [import(/* webpackChunkName: "lazy-fr", webpackPrefetch: true */ './lazy/locales/fr.ts')],
}

const withWords = <Piece>(load: () => Promise<Piece>) =>
  lazyFile(async () => {
    const [piece] = await Promise.all([load(), addCatalogs(words), lazyStyles()])
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
