import { type Extensions, type ItemKind, type Items, type OfferedTab, useHost } from '@portal/sdk'
import { type Tab, Tabs } from '@portal/ui/Filters'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { pageLink } from './ListPage.tsx'

const none: readonly OfferedTab[] = []

/** Opens a tab. That item and kind belong together is checked where it is called. */
export const openTab = <On extends ItemKind>({ Tab }: Extensions, tab: string, on: On, item: Items[On]) => (
  <Tab tab={tab} {...({ on, item } as { on: 'school'; item: Items['school'] })} />
)

/**
 * The tabs that modules have on the page of a thing, as links of this page, and the one that the address names. Without an item
 * it is not there yet, and no tab can be opened.
 */
export function useModuleTabs<On extends ItemKind>(
  on: On,
  item: Items[On] | undefined,
): { tabs: Tab[]; isOpen: boolean; shown: ReactNode } {
  const { extensions } = useHost()
  const asked = useSearchParams()[0].get('tab')
  const offered = extensions?.tabs(on) ?? none
  const open = offered.find(({ key }) => key === asked)
  return {
    tabs: offered.map(({ key, title }) => ({
      href: `?tab=${key}`,
      label: title,
      current: key === asked,
    })),
    isOpen: open !== undefined,
    shown: extensions && open && item && openTab(extensions, open.key, on, item),
  }
}

type Props<On extends ItemKind> = {
  on: On
  item: Items[On]
  /** What the row of tabs is called, for readers. */
  label: string
  /** The name of the page's own content, the first tab. */
  own: string
  children: ReactNode
}

/** A page whose content is the first tab of those that modules have there. Without any it looks as if there were no tabs. */
export function ModuleTabs<On extends ItemKind>({ on, item, label, own, children }: Props<On>) {
  const { tabs, isOpen, shown } = useModuleTabs(on, item)
  if (tabs.length === 0) return children
  return (
    <div className="stack">
      <Tabs
        label={label}
        renderLink={pageLink}
        tabs={[{ href: '?', label: own, current: !isOpen }, ...tabs]}
      />
      {isOpen ? shown : children}
    </div>
  )
}
