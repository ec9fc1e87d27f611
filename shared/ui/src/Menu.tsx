import { useLingui } from '@lingui/react/macro'
import {
  cloneElement,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useState,
} from 'react'
import type { IconName } from './Icon.tsx'
import { lazyFile, useLazy } from './lazy.ts'
import { notify } from './notify.ts'

/** One act of a menu. With `href` it is a link, and `onSelect` then follows it inside the page. */
export type MenuItem = {
  /** Tells it from the others where they change while the menu is open; else its place does. */
  key?: string
  label: ReactNode
  onSelect?: () => void
  href?: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** One of several of which one holds. */
  checked?: boolean
  /** A line above: what follows is of another kind. */
  apart?: boolean
}

/** The props that a trigger must accept; every button of this package does. */
export type TriggerProps = {
  ref?: Ref<HTMLButtonElement>
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  onPointerEnter?: (event: PointerEvent<HTMLButtonElement>) => void
  onFocus?: (event: FocusEvent<HTMLButtonElement>) => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}

export type MenuProps = {
  trigger: ReactElement<TriggerProps>
  items: MenuItem[]
  head?: ReactNode
  align?: 'start' | 'end'
  /** Opens when it is first drawn: a click on its button has fetched it. */
  opened?: boolean
}

const library = lazyFile(async () => {
  const [Radix, { DropdownMenu }] = await Promise.all([
    import('@radix-ui/react-dropdown-menu'),
    import(/* webpackChunkName: "dropdown" */ './DropdownMenu.tsx'),
  ])
  return { Radix, DropdownMenu }
})

/**
 * A menu that opens under its trigger. Its library is fetched when the trigger is pointed at or focused. A click before the
 * library has loaded opens the menu once it has.
 */
export function Menu(props: MenuProps) {
  const { t } = useLingui()
  const [wanted, setWanted] = useState(props.opened ?? false)
  const loaded = useLazy(library, {
    wanted,
    onFailure() {
      setWanted(false)
      notify.error(t`The menu did not load. Check the connection and try again.`)
    },
  })
  if (wanted && loaded) return <loaded.DropdownMenu Radix={loaded.Radix} {...props} />
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: library.prefetch,
    onFocus: library.prefetch,
    onClick: () => setWanted(true),
  })
}
