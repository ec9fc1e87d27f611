import { useLeaving } from '../session/dirty.ts'
import { LazyState } from './lazy-states.tsx'
import { registry } from './live-registry.ts'
import { useStale } from './stale.ts'

const overridden = registry.modules.filter((entry) => entry.override)

/** What holds for the whole portal in this tab, above its pages. */
export function Notices() {
  const stale = useStale((state) => state.stale)
  const dirty = useLeaving((state) => state.forms.size > 0)
  return (
    <>
      {overridden.map((entry) => (
        <LazyState key={entry.name} draw={(states) => <states.OverrideNotice entry={entry} />} />
      ))}
      {stale && dirty && <LazyState draw={(states) => <states.StaleNotice />} />}
    </>
  )
}
