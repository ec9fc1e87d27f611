import { currentLocale } from '@portal/i18n/locale'
import { useSyncExternalStore } from 'react'

/** Forms with something typed and not saved. */
const forms = new Set<symbol>()
let waits = false
const readers = new Set<() => void>()

/** Counts a form as unsaved until the answer is called. */
export function registerDirty(): () => void {
  const form = Symbol('form')
  forms.add(form)
  return () => void forms.delete(form)
}

/** Loads the page again when another build is served. While something is typed and not saved, the build waits. */
export function followBuilds(build: string): void {
  new EventSource('/changes').onmessage = ({ data }) => {
    if (data === build) return
    if (forms.size === 0) return window.location.reload()
    waits = true
    for (const read of readers) read()
  }
}

const subscribe = (read: () => void) => {
  readers.add(read)
  return () => void readers.delete(read)
}

/** The build that waits, for whoever has written down or given up what was typed. */
export function NewBuild() {
  const isThere = useSyncExternalStore(subscribe, () => waits)
  if (!isThere) return null
  return (
    <button type="button" className="button small-button primary" onClick={() => window.location.reload()}>
      {currentLocale() === 'fr' ? 'Charger la nouvelle version' : 'Load the new build'}
    </button>
  )
}
