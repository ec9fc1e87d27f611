import { type ReactNode, useEffect } from 'react'
import { createMemoryRouter, createPath, RouterProvider, useBlocker } from 'react-router-dom'
import { registry } from '../../live-registry.ts'
import { CardContent } from '../../ModuleCards.tsx'
import { keepRouter } from '../../tab-router.ts'
import type { Send } from './send.ts'

/** A card of the home page. The registry of a frame has one module. */
export function drawCard(id: string, place: string, send: Send) {
  const [entry] = registry.modules
  const card = entry && { entry, id, title: entry.title }
  return fixed(card && <CardContent card={card} start />, place, send)
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
  return { drawn, router: null }
}

function Fixed({ send, children }: { send: Send; children: ReactNode }) {
  const blocker = useBlocker(true)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    send({ kind: 'go', to: createPath(blocker.location), replace: false })
    blocker.reset()
  }, [blocker, send])
  return children
}
