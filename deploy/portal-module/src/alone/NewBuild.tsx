import { currentLocale } from '@portal/i18n/locale'
import { development, followServed } from '@portal/sdk/development'
import { useSyncExternalStore } from 'react'

/** Forms with something typed and not saved. */
const forms = new Set<symbol>()
let waits = false
const readers = new Set<() => void>()

/** Counts a form as unsaved until the answer is called. */
export function registerDirty(): () => void {
  const form = Symbol('form')
  forms.add(form)
  return () => {
    forms.delete(form)
    if (waits) reload()
  }
}

/** Takes each change of the module into the page. What cannot be taken in place loads the page again. */
export function followChanges({ name, build }: { name: string; build: string }): void {
  const take = async (hash: string) => {
    const loaded = development().modules[name]
    if (!loaded) return
    loaded.onRenewed = reload
    if (!(await loaded.update(hash))) reload()
  }
  followServed('/changes', { build, reload, take: ({ hash }) => void take(hash) })
}

/** While something is typed and not saved, what is new waits. */
function reload() {
  if (forms.size === 0) return window.location.reload()
  waits = true
  for (const read of readers) read()
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
