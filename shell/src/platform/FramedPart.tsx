import type { ReactNode } from 'react'
import type { Part } from './isolated/protocol.ts'
import { LazyFrame } from './lazy-frames.tsx'
import { LazyState } from './lazy-states.tsx'
import type { Entry } from './registry.ts'

type Props = {
  entry: Entry
  /** Where the frame comes from. */
  origin: string
  part: Part
  /** What readers call the frame. */
  title: string
  waiting: ReactNode
  /** What stands around the sentence that the frame was given up. */
  around?: (failure: ReactNode) => ReactNode
}

/** A part of a page that an isolated module draws: it waits, is drawn, or was given up. */
export function FramedPart({ entry, waiting, around = (failure) => failure, ...of }: Props) {
  return (
    <LazyFrame
      draw={(frames) => (
        <frames.PartFrame
          {...of}
          of={entry}
          waiting={waiting}
          failed={(fault, reference, reload) => (
            <LazyState
              draw={(states) =>
                around(<states.PartFailure {...{ fault, reference, entry }} of={entry} onReload={reload} />)
              }
              otherwise={waiting}
            />
          )}
        />
      )}
      otherwise={waiting}
    />
  )
}
