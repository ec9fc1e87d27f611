import { type ReactNode, useEffect } from 'react'
import { createMemoryRouter, createPath, RouterProvider, useBlocker } from 'react-router-dom'
import { registry } from '../../live-registry.ts'
import { CardContent } from '../../ModuleCards.tsx'
import { type Item, TabContent } from '../../states/ModuleTab.tsx'
import { keepRouter } from '../../tab-router.ts'
import type { Part } from '../protocol.ts'
import type { Send } from './send.ts'
import { tellPlaces } from './tell-places.ts'

/** A card of the home page. The registry of a frame has one module. */
export function drawCard(id: string, place: string, send: Send) {
  const [entry] = registry.modules
  const card = entry && { entry, id, title: entry.title }
  return { drawn: fixed(card && <CardContent card={card} start />, place, send).drawn, follow: null }
}

/** A tab on a page of the portal. */
export function drawTab(tab: Extract<Part, { kind: 'tab' }>, place: string, send: Send) {
  const [entry] = registry.modules
  // The portal sends what a page shows, and the manifest says which kind of thing the tab is on.
  const content = entry && <TabContent tab={{ entry, ...tab }} item={tab.item as unknown as Item} />
  const { drawn, router } = fixed(content, place, send)
  // What the query of the address says belongs to the tab, as it belongs to a page.
  return { drawn, follow: tellPlaces(router, send) }
}

/** Draws something that is not a page: what leads elsewhere is the portal's to open. */
function fixed(content: ReactNode, place: string, send: Send) {
  const element = <Fixed send={send}>{content}</Fixed>
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [place] })
  keepRouter(router)
  const drawn = (
    <div className="isolated-part">
      <RouterProvider router={router} />
    </div>
  )
  return { drawn, router }
}

function Fixed({ send, children }: { send: Send; children: ReactNode }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    send({ kind: 'go', to: createPath(blocker.location), replace: false })
    blocker.reset()
  }, [blocker, send])
  return children
}
