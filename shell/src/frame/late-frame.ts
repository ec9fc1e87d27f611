import type { PortalModule } from '@portal/sdk'
import { addCatalogs } from '../language.ts'

/**
 * Lazy components of the frame, fetched with their words and styles once the first page is shown. The browser prefetches
 * them while it is idle, so that the notice "no connection" is there when the connection is gone.
 */
const words: PortalModule['messages'] = {
  en: () => [import(/* webpackChunkName: "late-en", webpackPrefetch: true */ './late/locales/en.ts')],
  fr: () => [import(/* webpackChunkName: "late-fr", webpackPrefetch: true */ './late/locales/fr.ts')],
}

const styles = () => import(/* webpackChunkName: "late", webpackPrefetch: true */ '@portal/ui/late.css')

/** Lazy components of modules need the styles of dialogs too. */
export function offerStyles(): void {
  window.addEventListener('portal:late', (event) => {
    ;(event as CustomEvent<Promise<unknown>[]>).detail.push(styles().catch(() => {}))
  })
}

async function withWords<Piece>(piece: Promise<Piece>): Promise<Piece> {
  const [here] = await Promise.all([piece, addCatalogs(words), styles()])
  return here
}

/** Messages, notices, shortcuts, and what asks the server from time to time. */
export const fetchExtras = () =>
  withWords(import(/* webpackChunkName: "frame", webpackPrefetch: true */ './late/extras.tsx'))

/** What brings the dialog library along. */
export const fetchDialogs = async () =>
  (await withWords(import(/* webpackChunkName: "dialogs" */ './late/Dialogs.tsx'))).Dialogs

export const fetchPersonItems = async () =>
  (await withWords(import(/* webpackChunkName: "person" */ './late/PersonItems.tsx'))).PersonItems

/** Search, notifications and the list of keys. */
export const fetchSheets = () => import(/* webpackChunkName: "sheets" */ './late/sheets.ts')
