import { Trans } from '@lingui/react/macro'
import * as Radix from '@radix-ui/react-dropdown-menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { follow } from './link.tsx'

/** One act of a menu. With `href` it is a link, and `onSelect` then follows it inside the page. */
export type MenuItem = {
  label: ReactNode
  onSelect?: () => void
  href?: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** A line above: what follows is of another kind. */
  apart?: boolean
}

type MenuProps = { trigger: ReactElement; items: MenuItem[]; head?: ReactNode; align?: 'start' | 'end' }

/** A menu that opens under its trigger, with arrows, first letters and Escape. */
export function Menu({ trigger, items, head, align = 'end' }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align={align} sideOffset={4} collisionPadding={8} loop>
          {head && <p>{head}</p>}
          {items.map((item, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items are a fixed list of one opening
            <Entry key={place} {...item} />
          ))}
          {items.length === 0 && (
            <p>
              <Trans>Nothing to do here</Trans>
            </p>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Entry({ label, onSelect, href, icon, danger, disabled, apart }: MenuItem) {
  const inner = (
    <>
      {icon && <Icon name={icon} />}
      {label}
    </>
  )
  return (
    <>
      {apart && <Radix.Separator />}
      <Radix.Item
        className={danger ? 'bad' : undefined}
        disabled={disabled}
        onSelect={href ? undefined : onSelect}
        asChild={href !== undefined}
      >
        {href ? (
          <a href={href} onClick={follow(onSelect)}>
            {inner}
          </a>
        ) : (
          inner
        )}
      </Radix.Item>
    </>
  )
}
