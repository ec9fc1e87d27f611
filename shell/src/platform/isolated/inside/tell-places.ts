import { createPath, type DataRouter } from 'react-router-dom'
import { forgetForms } from '../../../session/dirty.ts'
import { placeLimit } from '../protocol.ts'
import type { Send } from './send.ts'

/** Leads the frame's router to where the portal is. */
export type Follow = (place: string) => void

/**
 * Tells the portal where the frame's router has gone, and returns what follows the portal. A router reports every change of its
 * state, also that it has begun to load another place: then it is still at the former one, and the portal must not be led
 * back there.
 */
export function tellPlaces(router: DataRouter, send: Send): Follow {
  let sent = createPath(router.state.location)
  /** The place to which the portal has led the frame. It is not reported back, because the portal may be elsewhere by then. */
  let led = ''
  router.subscribe(({ location, historyAction }) => {
    const place = createPath(location)
    if (place === sent || place.length > placeLimit) return
    sent = place
    if (place !== led) send({ kind: 'go', to: place, replace: historyAction !== 'PUSH' })
    led = ''
  })
  return (place) => {
    const { location, navigation } = router.state
    if (place === createPath(navigation.location ?? location)) return
    led = place
    // If the page changes, the portal has already asked about unsaved forms, so they are dropped. Within one page it does not ask.
    if (place.split(/[?#]/)[0] !== location.pathname) forgetForms()
    void router.navigate(place, { replace: true })
  }
}
