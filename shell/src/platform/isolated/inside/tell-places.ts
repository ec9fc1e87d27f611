import { createPath, type DataRouter } from 'react-router-dom'
import { placeLimit } from '../protocol.ts'
import type { Send } from './send.ts'

/**
 * Tells the portal where the frame's router has gone. A router reports every change of its state, also that it has begun to
 * load another place: then it is still at the former one, and the portal must not be led back there.
 */
export function tellPlaces(router: DataRouter, send: Send): void {
  let told = createPath(router.state.location)
  router.subscribe(({ location, historyAction }) => {
    const place = createPath(location)
    if (place === told || place.length > placeLimit) return
    told = place
    send({ kind: 'go', to: place, replace: historyAction !== 'PUSH' })
  })
}
