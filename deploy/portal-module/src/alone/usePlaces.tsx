import type { Locale } from '@portal/i18n/locale'
import type { Host } from '@portal/sdk'
import { itemKinds, tabPlace } from '@portal/sdk/extensions'
import { fetchPage } from '@portal/sdk/routes'
import { Card } from '@portal/ui/Card'
import { type ComponentType, lazy, useMemo } from 'react'
import type { RouteObject } from 'react-router-dom'
import { sampleItems } from '../harness/sample-items.ts'
import type { Loaded } from './container.ts'

type Options = Loaded & { host: Host; locale: Locale }

/** Where the module is shown: its pages, its cards together at `/home`, and its tabs. `addresses` are the places to begin at. */
export function usePlaces({ record, module, host, locale }: Options): {
  routes: RouteObject[]
  addresses: string[]
} {
  const pages = useMemo(
    () =>
      module.routes(host).map((route) => ({
        path: route.path,
        Component: lazy(async () => ({ default: await fetchPage(route) })),
      })),
    [module, host],
  )
  const cards = useMemo(
    () => Object.entries(module.cards ?? {}).map(([id, card]) => ({ id, Inside: lazy(card) })),
    [module],
  )
  const tabs = useMemo(
    () =>
      itemKinds.flatMap((on) =>
        Object.entries(module.tabs?.[on] ?? {}).map(([id, tab]) => {
          const Inside = lazy(tab as () => Promise<{ default: ComponentType<object> }>)
          return { path: tabPlace({ on, id }), element: <Inside {...sampleItems[on]} /> }
        }),
      ),
    [module],
  )
  const home = (
    <div className="alone-cards">
      {cards.map(({ id, Inside }) => (
        <Card key={id} title={record.cards.find((each) => each.id === id)?.title[locale]}>
          <div className={`module-place ${record.name}`}>
            <Inside />
          </div>
        </Card>
      ))}
    </div>
  )
  return {
    routes: [...pages, ...tabs, { path: '/home', element: home }, { path: '*', element: null }],
    addresses: [...record.routes, ...(cards.length > 0 ? ['/home'] : []), ...tabs.map(({ path }) => path)],
  }
}
