// biome-ignore-all lint/performance/noBarrelFile: one chunk is one file that is fetched lazily
import { currentLocale } from '@portal/i18n/locale'
import { LazyState } from '../lazy-states.tsx'
import { PageSkeleton } from '../PageSkeleton.tsx'
import type { Entry } from '../registry.ts'
import { PartFrame } from './PartFrame.tsx'

/** What isolated modules need in the portal's page, in one chunk. */
export { PartFrame } from './PartFrame.tsx'

type Props = { entry: Entry; origin: string }

/** The page of an isolated module. */
export const ModuleFrame = ({ entry, origin }: Props) => (
  <PartFrame
    of={entry}
    origin={origin}
    part={{ kind: 'page' }}
    title={entry.title[currentLocale()]}
    waiting={<PageSkeleton />}
    failed={(fault, reference, reload) => (
      <LazyState
        draw={(states) => (
          <states.FrameFailure {...{ fault, reference, entry }} of={entry} onReload={reload} />
        )}
        otherwise={<PageSkeleton />}
      />
    )}
  />
)
