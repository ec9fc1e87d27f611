import type { PortalModule } from '@portal/sdk'
import { addCatalogs } from '../language.ts'

/**
 * What the frame does without until the first page stands: words and styles come together with the pieces. The browser
 * fetches them ahead when nothing else wants the line, so that the notice that there is none is there without it.
 */
const words: PortalModule['messages'] = {
  en: () => [import(/* webpackChunkName: "late-en", webpackPrefetch: true */ './late/locales/en.ts')],
  fr: () => [import(/* webpackChunkName: "late-fr", webpackPrefetch: true */ './late/locales/fr.ts')],
}

const styles = () => import(/* webpackChunkName: "late", webpackPrefetch: true */ '@portal/ui/late.css')

/** Pieces of a module come late too, and look like nothing without the styles of dialogs. */
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
  (await withWords(import(/* webpackChunkName: "frame" */ './late/PersonItems.tsx'))).PersonItems

/** Search, notifications and the list of keys. */
export const fetchSheets = () => import(/* webpackChunkName: "sheets" */ './late/sheets.ts')
