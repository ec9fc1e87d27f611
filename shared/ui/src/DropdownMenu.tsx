import { Trans } from '@lingui/react/macro'
import type * as Library from '@radix-ui/react-dropdown-menu'
import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { follow } from './link.tsx'

const gap = 4
const margin = 8

/** One act of a menu. With `href` it is a link, and `onSelect` then follows it inside the page. */
export type MenuItem = {
  /** The React key, if items change while the menu is open. Otherwise the index is the key. */
  key?: string
  label: ReactNode
  onSelect?: () => void
  href?: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** Whether it is checked, for an item of a group in which one item is checked. */
  checked?: boolean
  /** Draws a line above it, because it begins another group. */
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

/** The button of a menu, its items, and where it opens. */
export type MenuProps = {
  trigger: ReactElement<TriggerProps>
  items: MenuItem[]
  head?: ReactNode
  align?: 'start' | 'end'
  /** Whether the menu is open when it is first drawn, because a click on its button fetched it. */
  opened?: boolean
}

type Act = (() => void) | undefined

/**
 * The library is a prop, because modules get it from the shell. With a static import this file would throw if the library
 * did not load, and the bundler would cache that error.
 */
type WithLibrary = { Radix: typeof Library }

/** A menu that is open when it first renders. Screens use `Menu`, which imports this file lazily. */
export function DropdownMenu({ Radix, trigger, items, head, align = 'end' }: MenuProps & WithLibrary) {
  const [open, setOpen] = useState(true)
  const anchor = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const chosen = useRef<Act>(undefined)
  const leave = (act?: Act) => {
    chosen.current = act
    setOpen(false)
  }
  // A dialog returns the focus to the element that had it, so the action starts once the trigger has the focus again.
  const closed = (event: Event) => {
    const act = chosen.current
    chosen.current = undefined
    if (!act) return
    event.preventDefault()
    anchor.current?.focus()
    act()
  }
  return (
    // A modal menu would lock scrolling with a style element, which the content security policy forbids.
    <Radix.Root open={open} onOpenChange={setOpen} modal={false}>
      <Radix.Trigger asChild ref={anchor}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={box}
          className="menu"
          align={align}
          sideOffset={gap}
          collisionPadding={margin}
          loop
          onKeyDown={(event) => event.key === 'Tab' && leave()}
          onCloseAutoFocus={closed}
        >
          {head && <p>{head}</p>}
          {items.map((item, place) => (
            <Entry key={item.key ?? place} Radix={Radix} item={item} onChoose={leave} />
          ))}
          {items.length === 0 && (
            <p>
              <Trans>Nothing to do here</Trans>
            </p>
          )}
          <StartAtFirst box={box} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type EntryProps = WithLibrary & { item: MenuItem; onChoose: (act: Act) => void }

function Entry({ Radix, item, onChoose }: EntryProps) {
  const { label, onSelect, href, icon, danger, disabled, checked, apart } = item
  const radio = checked !== undefined && ({ role: 'menuitemradio', 'aria-checked': checked } as const)
  const inner = (
    <>
      {icon && <Icon name={icon} />}
      <span className="grow">{label}</span>
      {checked && <Icon name="check" size={16} />}
    </>
  )
  return (
    <>
      {apart && <Radix.Separator />}
      {href ? (
        <Radix.Item asChild className={danger ? 'bad' : undefined}>
          <a href={href} onClick={onSelect && follow(() => onChoose(onSelect))}>
            {inner}
          </a>
        </Radix.Item>
      ) : (
        <Radix.Item
          className={danger ? 'bad' : undefined}
          disabled={disabled}
          onSelect={() => onChoose(onSelect)}
          {...radio}
        >
          {inner}
        </Radix.Item>
      )}
    </>
  )
}

/** Focuses the first item after a click too; the library does so only for the keyboard. */
function StartAtFirst({ box }: { box: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const first = box.current?.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')
    first?.focus({ preventScroll: true })
  }, [box])
  return null
}
