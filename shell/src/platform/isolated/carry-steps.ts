import { createPath } from 'react-router-dom'
import { navigate, tabRouter } from '../tab-router.ts'
import type { FromFrame, FromPortal, Part } from './protocol.ts'

/** Lets the portal's address follow a frame, and a frame the portal's address. */
export function carrySteps(frame: HTMLIFrameElement, part: Part, send: (message: FromPortal) => void) {
  /** The last step of the frame. */
  let step = 0
  return {
    go({ to, replace, ...message }: Extract<FromFrame, { kind: 'go' }>) {
      step = message.step ?? step
      const { location } = tabRouter()?.state ?? {}
      if (!location || createPath(location) === to) return
      // A page may navigate at any time. A part of another page may only do so while it has the focus.
      if (part.kind === 'page' || document.activeElement === frame) navigate(to, { replace })
    },
    /** Tells the frame of the portal's address. */
    follow(place: string) {
      const { location, navigation } = tabRouter()?.state ?? {}
      // The portal is navigating to another place, which may be the one where the frame is already.
      if (!location || navigation?.state !== 'idle' || createPath(location) !== place) return
      send({ kind: 'place', place, step })
    },
  }
}
