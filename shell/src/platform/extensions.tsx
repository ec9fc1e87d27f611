import { currentLocale } from '@portal/i18n/locale'
import type { Extensions, ItemKind } from '@portal/sdk'
import { permissionsNow } from '../session/session.ts'
import { announced, type FoundTab } from './announced.ts'
import { LazyState } from './lazy-states.tsx'
import { registry } from './live-registry.ts'

/** The tabs of modules on pages of one kind that this person may open. */
const tabsOn = (on: ItemKind): FoundTab[] =>
  announced(registry, permissionsNow(), ({ tabs }) => tabs?.filter((tab) => tab.on === on)).map((tab) => ({
    ...tab,
    key: `${tab.entry.name}:${tab.id}`,
  }))

/** What modules add to pages of others, read from their manifests. What draws it is fetched like the states. */
export const extensions: Extensions = {
  tabs: (on) => tabsOn(on).map(({ key, title }) => ({ key, title: title[currentLocale()] })),

  acts: (on) =>
    announced(registry, permissionsNow(), ({ rows }) => rows?.filter((each) => each.on === on)).map(
      ({ entry, id, label, link }) => ({
        key: `${entry.name}:${id}`,
        label: label[currentLocale()],
        to: (item) =>
          link.replace(/\{(\w+)\}/g, (_, field: string) =>
            encodeURIComponent(`${(item as Record<string, string | number>)[field]}`),
          ),
      }),
    ),

  columns: (on) =>
    announced(registry, permissionsNow(), ({ columns }) => columns?.filter((each) => each.on === on)).map(
      ({ entry, id, label, show }) => ({ key: `${entry.name}:${id}`, label: label[currentLocale()], show }),
    ),

  Tab({ tab, on, item }) {
    const found = tabsOn(on).find(({ key }) => key === tab)
    return (
      found && (
        <LazyState
          draw={({ ModuleTab }) => <ModuleTab key={`${tab} ${item.id}`} tab={found} item={item} />}
        />
      )
    )
  },
}
