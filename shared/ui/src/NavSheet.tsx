import { useLingui } from '@lingui/react/macro'
import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { plainLink, type RenderLink } from './link.tsx'
import { Mark, NavEntries, type NavEntry } from './Sidebar.tsx'

type SheetProps = {
  entries: NavEntry[]
  name: string
  onClose: () => void
  foot?: ReactNode
  renderLink?: RenderLink
}

/** The navigation of phones, over the page; drawn while it is open, closed by following a link. */
export function NavSheet({ entries, name, onClose, foot, renderLink = plainLink }: SheetProps) {
  const { t } = useLingui()
  const closing: RenderLink = (props) =>
    renderLink({
      ...props,
      onClick: (event) => {
        props.onClick?.(event)
        onClose()
      },
    })
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <div className="scrim sheet-scrim" />
        <Radix.Content className="nav-sheet" aria-describedby={undefined}>
          <div className="row nav-sheet-head">
            <Mark />
            <Radix.Title className="grow strong">{name}</Radix.Title>
            <IconButton icon="x" label={t`Close`} onClick={onClose} />
          </div>
          <nav className="nav" aria-label={t`Main navigation`}>
            <NavEntries entries={entries} renderLink={closing} />
          </nav>
          {foot && <div className="sidebar-foot">{foot}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
