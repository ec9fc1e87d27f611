import type { ReactNode } from 'react'
import type { Part } from '../protocol.ts'
import { drawPage } from './PagePart.tsx'
import type { Send } from './send.ts'
import type { Follow } from './tell-places.ts'

/** What is drawn, and how it follows the portal's address. */
type Drawn = { drawn: ReactNode; follow: Follow | null }

type Drawing<Kind> = (
  part: Extract<Part, { kind: Kind }>,
  place: string,
  send: Send,
) => Drawn | Promise<Drawn>

/** How each kind of part is drawn. What is not a page is fetched when it is asked for. */
const drawings: { [Kind in Part['kind']]: Drawing<Kind> } = {
  page: (_part, place, send) => drawPage(place, send),
  card: async ({ id }, place, send) => {
    const { drawCard } = await import(/* webpackChunkName: "fixed-part" */ './FixedPart.tsx')
    return drawCard(id, place, send)
  },
  tab: async (tab, place, send) => {
    const { drawTab } = await import(/* webpackChunkName: "fixed-part" */ './FixedPart.tsx')
    return drawTab(tab, place, send)
  },
}

/** Draws the part that the portal asked for. */
export const drawPart = (part: Part, place: string, send: Send): Drawn | Promise<Drawn> =>
  // The kind of the part picks its own drawing, which the compiler does not see.
  (drawings[part.kind] as Drawing<Part['kind']>)(part as never, place, send)
