import { development, followServed } from '@portal/sdk/development'
import { isDirty, useLeaving } from '../session/dirty.ts'
import { fetchTrusted, trustBuild } from './integrity.ts'
import { chooseBuild } from './modules.ts'
import type { Entry } from './registry.ts'
import { useRenewals } from './renewals.ts'
import { useStale } from './stale.ts'
import { tabRouter } from './tab-router.ts'

/** A module under development: what has changed is taken into the page that has it, and the page stays. */
export function followChanges(entry: Entry): void {
  const reload = () => whenClean(() => window.location.reload())
  const renew = () => whenClean(() => drawAnew(entry))
  followServed(entry.changes ?? `${entry.base}changes`, {
    build: entry.build,
    reload,
    take: (served) => {
      useRenewals.setState({ served })
      // A frame is told over its port.
      if (!entry.isolated) void takeChange(entry, served.hash, { renew, refuse: reload })
    },
  })
}

type Taking = {
  /** The module is to be drawn anew. */
  renew: () => void
  /** The change cannot be taken in place. */
  refuse: () => void
}

/** Takes a change into this window, a page or a frame. */
export async function takeChange(entry: Entry, hash: string, { renew, refuse }: Taking): Promise<void> {
  // Files that have no known hash are not run.
  const build = await (await fetchTrusted(`${entry.base}build.json`, undefined)).json()
  trustBuild({ ...build, base: entry.base })
  const loaded = development().modules[entry.name]
  if (!loaded) return
  loaded.onRenewed = renew
  if (!(await loaded.update(hash))) refuse()
}

/** React is its production build here: a module whose code has changed is drawn anew, at its address. */
export function drawAnew(entry: Entry): void {
  const { pathname } = tabRouter()?.state.location ?? window.location
  void chooseBuild(entry, 'current', pathname)
  useRenewals.setState(({ times }) => ({ times: times + 1 }))
}

/** While something is typed and not saved a notice offers what is new; it comes by itself after that. */
export function whenClean(act: () => void): void {
  if (!isDirty()) {
    act()
    return
  }
  useStale.setState({ stale: true })
  const end = useLeaving.subscribe(() => {
    if (isDirty()) return
    end()
    useStale.setState({ stale: false })
    act()
  })
}
