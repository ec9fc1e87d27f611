import { useLingui } from '@portal/sdk'
import { moduleFor } from '@portal/sdk/registry'
import { createMemoryRouter, createPath, RouterProvider, useBlocker, useLocation } from 'react-router-dom'
import { isDirty } from '../../../session/dirty.ts'
import { registry } from '../../live-registry.ts'
import { ModuleOutlet } from '../../ModuleOutlet.tsx'
import { PageSkeleton } from '../../PageSkeleton.tsx'
import { isOtherPlace, openPlace } from '../../router.ts'
import { keepRouter } from '../../tab-router.ts'
import type { Send } from './send.ts'
import { tellPlaces } from './tell-places.ts'

/** The module's page at the portal's address. Its own router follows the portal's, and leads it. */
export function drawPage(place: string, send: Send) {
  const router = createMemoryRouter(
    [
      {
        path: '*',
        element: <Place send={send} />,
        loader: openPlace,
        shouldRevalidate: isOtherPlace,
        hydrateFallbackElement: <PageSkeleton />,
      },
    ],
    { initialEntries: [place] },
  )
  keepRouter(router)
  const follow = tellPlaces(router, send)
  const drawn = (
    <main className="isolated-page">
      <RouterProvider router={router} />
    </main>
  )
  return { drawn, follow }
}

function Place({ send }: { send: Send }) {
  useLingui()
  const location = useLocation()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty() && currentLocation.pathname !== nextLocation.pathname,
  )
  if (blocker.state === 'blocked') {
    // The portal asks, and leads here if the person wants to leave.
    send({ kind: 'go', to: createPath(blocker.location), replace: false })
    blocker.reset()
  }
  const entry = moduleFor(registry, location.pathname)
  if (!entry) return <PageSkeleton />
  return <ModuleOutlet entry={entry} pathname={location.pathname} />
}
