import { Router } from '@portal/sdk'
import { type ReactNode, startTransition, useEffect, useState } from 'react'
import type { Place, Places } from './places.ts'

/** The only router there is. A new place comes in a transition, so that what is being readied hides nothing. */
export function PortalRouter({
  places,
  children,
}: {
  places: Places
  children: (place: Place) => ReactNode
}) {
  const [place, setPlace] = useState(places.current)
  useEffect(() => {
    const show = (next: Place) => startTransition(() => setPlace(next))
    const stop = places.listen(show)
    // A page that leads on at once has done so in an effect of its own, before anybody listened here.
    show(places.current())
    return stop
  }, [places])
  return (
    <Router location={place} navigator={places.navigator}>
      {children(place)}
    </Router>
  )
}
